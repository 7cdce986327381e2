// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/json.h"

#include "analysis/report/names.h"

#include <nlohmann/json.hpp>

namespace warpdrf::render {

using Json = nlohmann::ordered_json;

template <typename T, typename Convert>
static Json list(const std::vector<T> &items, Convert convert) {
  Json array = Json::array();
  for (const T &item : items)
    array.push_back(convert(item));
  return array;
}

static Json orNull(const std::string &text) {
  return text.empty() ? Json() : Json(text);
}

static Json dims(const std::array<std::optional<std::int64_t>, 3> &values) {
  Json array = Json::array();
  for (const std::optional<std::int64_t> &value : values)
    array.push_back(value ? Json(*value) : Json());
  return array;
}

/// Adds the range's fields to an object.
static Json withRange(Json object, const Range &range) {
  object["file"] = range.file;
  object["line"] = range.begin.line;
  object["column"] = range.begin.column;
  object["end_line"] = range.end.line;
  object["end_column"] = range.end.column;
  return object;
}

static Json toJson(const std::vector<Range> &ranges) {
  return list(ranges, [](const Range &range) { return withRange(Json::object(), range); });
}

static Json toJson(const LaunchDims &launch) {
  return {{"block", dims(launch.block)},
          {"grid", dims(launch.grid)},
          {"source", launch.source},
          {"verdict", name(launch.verdict)}};
}

static Json relatedToJson(const std::vector<Related> &places) {
  return list(places, [](const Related &related) {
    return withRange({{"role", name(related.role)}, {"message", related.message}}, related.range);
  });
}

static Json toJson(const SyncSite &site) {
  Json object{{"kind", static_cast<int>(site.kind)},
              {"name", site.name},
              {"participants", site.participants},
              {"lanes", site.lanes ? Json(*site.lanes) : Json()},
              {"orders_memory", site.ordersMemory},
              {"requires", site.requires_},
              {"branches", relatedToJson(site.branches)},
              {"orders", list(site.orders, [](const auto &pair) {
                 return Json::array({withRange(Json::object(), pair.first),
                                     withRange(Json::object(), pair.second)});
               })}};
  return withRange(std::move(object), site.range);
}

static Json toJson(const KernelReport &kernel, JsonDetail detail) {
  Json object{{"name", kernel.name},
              {"line", kernel.range.begin.line},
              {"instantiation", kernel.instantiation},
              {"verdict", name(kernel.verdict)},
              {"memory", name(kernel.memory)},
              {"participation", name(kernel.participation)},
              {"portable", kernel.portable},
              {"reason", kernel.reason},
              {"launches", list(kernel.launches, [](const auto &l) { return toJson(l); })},
              {"assumptions", kernel.assumptions},
              {"primitives", kernel.primitives},
              {"accesses", kernel.accesses},
              {"time_ms", kernel.timeMs}};
  if (detail != JsonDetail::Public) {
    object["ir"] = kernel.irHash;
    object["name_range"] = withRange(Json::object(), kernel.range);
  }
  if (detail == JsonDetail::Editor) {
    object["extent"] = withRange(Json::object(), kernel.extent);
    object["sites"] = list(kernel.sites, [](const auto &site) { return toJson(site); });
    object["divergent"] = toJson(kernel.divergent);
  }
  return object;
}

static Json toJson(const DeviceFunction &function) {
  return withRange({{"name", function.name},
                    {"inferred", static_cast<int>(function.inferred)},
                    {"declared", function.declared},
                    {"because", relatedToJson(function.because)}},
                   function.range);
}

static Json toJson(const std::vector<ParseError> &errors) {
  return list(errors, [](const ParseError &error) {
    return withRange({{"message", error.message}}, error.range);
  });
}

static Json toJson(const FileReport &file, JsonDetail detail) {
  Json errors = toJson(file.parseErrors);
  if (detail == JsonDetail::Public) // each has its file's name
    for (const Json &error : toJson(file.projectErrors))
      errors.push_back(error);
  Json object{{"path", file.path},
              {"arch", file.arch},
              {"command_source", file.commandSource},
              {"parse_errors", std::move(errors)},
              {"kernels", list(file.kernels, [&](const auto &k) { return toJson(k, detail); })}};
  if (detail != JsonDetail::Public) {
    object["project_errors"] = toJson(file.projectErrors);
    object["other_kernels"] = file.otherKernels;
  }
  if (detail == JsonDetail::Editor) {
    object["functions"] = list(file.functions, [](const auto &f) { return toJson(f); });
    object["inactive"] = toJson(file.inactive);
    object["includes"] = file.includes;
  }
  return object;
}

static Json toJson(const Witness &witness) {
  Json json{{"block", witness.block},
            {"grid", witness.grid},
            {"threads", list(witness.threads,
                             [](const WitnessThread &thread) {
                               return Json{{"block", thread.block},
                                           {"thread", thread.thread},
                                           {"lane", thread.lane},
                                           {"warp", thread.warp},
                                           {"index", thread.index}};
                             })},
            {"values", witness.values}};
  if (!witness.run.empty())
    json["run"] = witness.run;
  return json;
}

static Json toJson(const Fix &fix) {
  return {{"title", fix.title},
          {"verified", fix.verified},
          {"edits", list(fix.edits, [](const TextEdit &edit) {
             Json object = withRange(Json::object(), edit.range);
             object["text"] = edit.text;
             return object;
           })}};
}

static Json findingToJson(const Finding &finding) {
  Json suppressed;
  if (finding.suppressed)
    suppressed = {{"reason", *finding.suppressed}};
  return {{"rule", finding.rule},
          {"severity", name(finding.severity)},
          {"confidence", name(finding.confidence)},
          {"kernel", finding.kernel},
          {"instantiations", finding.instantiations},
          {"scope", name(finding.scope)},
          {"space", finding.space ? Json(name(*finding.space)) : Json()},
          {"object", orNull(finding.object)},
          {"message", finding.message},
          {"primary", withRange(Json::object(), finding.primary)},
          {"related", relatedToJson(finding.related)},
          {"witness", finding.witness ? toJson(*finding.witness) : Json()},
          {"fixes", list(finding.fixes, [](const Fix &fix) { return toJson(fix); })},
          {"suppressed", std::move(suppressed)},
          {"fingerprint", finding.fingerprint}};
}

static Json summary(const RunReport &run) {
  Counts counts = count(run);
  Json object{{"kernels", counts.kernels}};
  for (Verdict verdict : {Verdict::Ok, Verdict::Violated, Verdict::Unproved, Verdict::Unsupported})
    object[std::string(name(verdict))] = counts[verdict];
  object["time_ms"] = run.timeMs;
  return object;
}

std::string toJson(const Finding &finding) {
  return findingToJson(finding).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string toJson(const RunReport &run, JsonDetail detail) {
  Json root{{"version", 1},
            {"files", list(run.files, [&](const auto &file) { return toJson(file, detail); })},
            {"findings", list(run.findings, [](const auto &f) { return findingToJson(f); })},
            {"summary", summary(run)}};
  int indent = detail == JsonDetail::Public ? 2 : -1;
  // Source text in messages need not be UTF-8.
  return root.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace warpdrf::render
