// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way back from JSON to a report. nlohmann's accessors throw on anything unexpected; that ends
// in fromJson.
#include "analysis/report/names.h"
#include "server/render/json.h"

#include <nlohmann/json.hpp>

namespace warpdrf::render {

using Json = nlohmann::ordered_json;

template <typename Enum>
static Enum enumOf(const Json &value) {
  return valueOf<Enum>(value.get<std::string>()).value();
}

template <typename Convert>
static auto listOf(const Json &array, Convert convert) {
  std::vector<decltype(convert(array))> items;
  for (const Json &item : array)
    items.push_back(convert(item));
  return items;
}

static std::string textOrNull(const Json &value) {
  return value.is_null() ? "" : value.get<std::string>();
}

static Range rangeOf(const Json &object) {
  return {object.at("file"),
          {object.at("line"), object.at("column")},
          {object.at("end_line"), object.at("end_column")}};
}

static std::array<std::optional<std::int64_t>, 3> dimsOf(const Json &array) {
  std::array<std::optional<std::int64_t>, 3> values;
  for (std::size_t i = 0; i < 3; ++i)
    if (!array.at(i).is_null())
      values[i] = array.at(i).get<std::int64_t>();
  return values;
}

static LaunchDims launchOf(const Json &object) {
  return {dimsOf(object.at("block")), dimsOf(object.at("grid")), object.at("source"),
          enumOf<Verdict>(object.at("verdict"))};
}

static std::vector<Related> relatedOf(const Json &array) {
  return listOf(array, [](const Json &related) {
    return Related{enumOf<Related::Role>(related.at("role")), related.at("message"),
                   rangeOf(related)};
  });
}

static SyncSite siteOf(const Json &object) {
  SyncSite site;
  site.kind = static_cast<SyncSite::Kind>(object.at("kind").get<int>());
  site.name = object.at("name");
  site.range = rangeOf(object);
  site.participants = object.at("participants");
  if (!object.at("lanes").is_null())
    site.lanes = object.at("lanes").get<std::uint32_t>();
  site.ordersMemory = object.at("orders_memory");
  site.requires_ = object.at("requires");
  site.branches = relatedOf(object.at("branches"));
  site.orders = listOf(object.at("orders"), [](const Json &pair) {
    return std::make_pair(rangeOf(pair.at(0)), rangeOf(pair.at(1)));
  });
  return site;
}

static KernelReport kernelOf(const Json &object) {
  KernelReport kernel;
  kernel.name = object.at("name");
  kernel.instantiation = object.at("instantiation");
  kernel.range = rangeOf(object.at("name_range"));
  if (object.contains("sites")) {
    kernel.extent = rangeOf(object.at("extent"));
    kernel.sites = listOf(object.at("sites"), siteOf);
    kernel.divergent = listOf(object.at("divergent"), rangeOf);
  }
  kernel.verdict = enumOf<Verdict>(object.at("verdict"));
  kernel.memory = enumOf<Verdict>(object.at("memory"));
  kernel.participation = enumOf<Verdict>(object.at("participation"));
  kernel.portable = object.at("portable");
  kernel.reason = object.at("reason");
  kernel.launches = listOf(object.at("launches"), launchOf);
  kernel.assumptions = object.at("assumptions");
  kernel.primitives = object.at("primitives");
  kernel.accesses = object.at("accesses");
  kernel.timeMs = object.at("time_ms");
  kernel.irHash = object.at("ir");
  return kernel;
}

static DeviceFunction functionOf(const Json &object) {
  return {object.at("name"), rangeOf(object),
          static_cast<DeviceFunction::Converged>(object.at("inferred").get<int>()),
          object.at("declared"), relatedOf(object.at("because"))};
}

static FileReport fileOf(const Json &object) {
  FileReport file;
  file.path = object.at("path");
  file.arch = object.at("arch");
  file.commandSource = object.at("command_source");
  auto error = [](const Json &error) { return ParseError{rangeOf(error), error.at("message")}; };
  file.parseErrors = listOf(object.at("parse_errors"), error);
  file.projectErrors = listOf(object.at("project_errors"), error);
  file.otherKernels = object.at("other_kernels");
  file.kernels = listOf(object.at("kernels"), kernelOf);
  if (object.contains("functions")) {
    file.functions = listOf(object.at("functions"), functionOf);
    file.inactive = listOf(object.at("inactive"), rangeOf);
    file.includes = object.at("includes").get<std::vector<std::string>>();
  }
  return file;
}

static std::optional<Witness> witnessOf(const Json &object) {
  if (object.is_null())
    return std::nullopt;
  Witness witness;
  witness.block = object.at("block");
  witness.grid = object.at("grid");
  witness.threads = listOf(object.at("threads"), [](const Json &thread) {
    return WitnessThread{thread.at("block"), thread.at("thread"), thread.at("lane"),
                         thread.at("warp"), thread.at("index")};
  });
  witness.values = object.at("values").get<std::map<std::string, std::string>>();
  witness.run = object.value("run", "");
  return witness;
}

static Fix fixOf(const Json &object) {
  auto edit = [](const Json &edit) { return TextEdit{rangeOf(edit), edit.at("text")}; };
  return {object.at("title"), object.at("verified"), listOf(object.at("edits"), edit)};
}

static Finding findingOf(const Json &object) {
  Finding finding;
  finding.rule = object.at("rule");
  finding.severity = enumOf<Severity>(object.at("severity"));
  finding.confidence = enumOf<Confidence>(object.at("confidence"));
  finding.kernel = object.at("kernel");
  finding.instantiations = object.at("instantiations");
  finding.scope = enumOf<Scope>(object.at("scope"));
  if (!object.at("space").is_null())
    finding.space = enumOf<Space>(object.at("space"));
  finding.object = textOrNull(object.at("object"));
  finding.message = object.at("message");
  finding.primary = rangeOf(object.at("primary"));
  finding.related = relatedOf(object.at("related"));
  finding.witness = witnessOf(object.at("witness"));
  finding.fixes = listOf(object.at("fixes"), fixOf);
  if (!object.at("suppressed").is_null())
    finding.suppressed = object.at("suppressed").at("reason").get<std::string>();
  finding.fingerprint = object.at("fingerprint");
  return finding;
}

std::optional<RunReport> fromJson(const std::string &text) {
  try {
    Json root = Json::parse(text);
    return RunReport{listOf(root.at("files"), fileOf), listOf(root.at("findings"), findingOf),
                     root.at("summary").at("time_ms")};
  } catch (const std::exception &) { // nlohmann's, and bad_optional_access of an unknown word
    return std::nullopt;
  }
}

} // namespace warpdrf::render
