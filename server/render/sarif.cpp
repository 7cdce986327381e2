// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Our columns are bytes; SARIF
// counts code points.
#include "server/render/sarif.h"

#include "analysis/report/names.h"
#include "analysis/report/rules.h"
#include "server/render/baseline.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpdrf::render {

using Json = nlohmann::ordered_json;

namespace {

/// A path as a URI reference: relative ones stay so, for they are seen from the repository's root.
std::string uriOf(const std::string &path) {
  static const char *const digits = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (unsigned char c : path.starts_with("./") ? path.substr(2) : path)
    if (std::isalnum(c) ||
        std::string_view("-._~/").find(static_cast<char>(c)) != std::string::npos)
      uri += static_cast<char>(c);
    else
      uri += {'%', digits[c >> 4], digits[c & 15]};
  return uri;
}

const char *levelOf(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

std::string triple(const std::array<std::int64_t, 3> &v) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

class SarifWriter {
public:
  SarifWriter(const RunReport &run, Sources &sources, bool baseline)
      : run(run), sources(sources), baseline(baseline) {}

  Json write() {
    Json results = Json::array();
    for (const Finding &finding : run.findings)
      results.push_back(result(finding));
    Json driver{{"name", "warpdrf"}, {"version", WARPDRF_VERSION}, {"rules", ruleList()}};
    Json sarif{{"tool", {{"driver", std::move(driver)}}},
               {"columnKind", "unicodeCodePoints"},
               {"invocations", Json::array({invocation()})},
               {"results", std::move(results)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(sarif)})}};
  }

private:
  static Json text(std::string_view words) { return {{"text", words}}; }

  static Json ruleList() {
    Json list = Json::array();
    for (const Rule &rule : rules())
      list.push_back({{"id", rule.name},
                      {"shortDescription", text(rule.meaning)},
                      {"help", {{"text", rule.explanation}, {"markdown", rulePage(rule)}}},
                      {"defaultConfiguration", {{"level", levelOf(rule.severity)}}}});
    return list;
  }

  unsigned column(const std::string &file, Position place) {
    std::string_view line = sources.line(file, place.line).substr(0, place.column - 1);
    auto continues = [](unsigned char c) { return (c & 0xc0) == 0x80; };
    return place.column - static_cast<unsigned>(std::ranges::count_if(line, continues));
  }

  Json region(const Range &range) {
    return {{"startLine", range.begin.line},
            {"startColumn", column(range.file, range.begin)},
            {"endLine", range.end.line},
            {"endColumn", column(range.file, range.end)}};
  }

  Json location(const Range &range, const std::string &message = "") {
    Json physical{{"artifactLocation", {{"uri", uriOf(range.file)}}}};
    if (range.valid())
      physical["region"] = region(range);
    Json object{{"physicalLocation", std::move(physical)}};
    if (!message.empty())
      object["message"] = text(message);
    return object;
  }

  /// What could not be checked: not a result, but it must not look like none.
  Json invocation() {
    Json notes = Json::array();
    for (const FileReport &file : run.files)
      for (const auto *errors : {&file.projectErrors, &file.parseErrors})
        for (const ParseError &error : *errors) {
          Json note{{"level", "error"},
                    {"message", text(error.message)},
                    {"locations", Json::array({location(error.range)})}};
          if (std::find(notes.begin(), notes.end(), note) == notes.end())
            notes.push_back(std::move(note));
        }
    bool good = notes.empty();
    return {{"executionSuccessful", good}, {"toolExecutionNotifications", std::move(notes)}};
  }

  Json result(const Finding &finding) {
    Json object{{"ruleId", finding.rule},
                {"level", levelOf(finding.severity)},
                {"message", text(finding.message)},
                {"locations", Json::array({location(finding.primary)})},
                {"partialFingerprints", {{"warpdrf/v1", finding.fingerprint}}}};
    if (const Rule *rule = findRule(finding.rule))
      object["ruleIndex"] = rule - rules().data();
    Json related = Json::array();
    for (const Related &place : finding.related)
      if (place.range.valid())
        related.push_back(location(place.range, place.message));
    if (!related.empty())
      object["relatedLocations"] = std::move(related);
    if (finding.witness && !finding.witness->threads.empty())
      object["codeFlows"] = Json::array({codeFlow(finding)});
    if (!finding.fixes.empty())
      object["fixes"] = fixes(finding);
    if (finding.suppressed)
      object["suppressions"] = Json::array({suppression(*finding.suppressed)});
    if (baseline)
      object["baselineState"] = finding.suppressed == inBaseline ? "unchanged" : "new";
    object["properties"] = {{"kernel", finding.kernel},
                            {"instantiations", finding.instantiations},
                            {"confidence", name(finding.confidence)}};
    return object;
  }

  static Json suppression(const std::string &reason) {
    bool external = reason == inBaseline;
    Json object{{"kind", external ? "external" : "inSource"}};
    if (!reason.empty())
      object["justification"] = reason;
    return object;
  }

  /// Where the second thread is while the first is at the primary place: at the other access, or
  /// where it goes another way.
  static const Related *otherPlace(const Finding &finding) {
    for (auto role : {Related::Role::Access, Related::Role::Exit, Related::Role::Branch,
                      Related::Role::Barrier})
      for (const Related &place : finding.related)
        if (place.role == role && place.range.valid())
          return &place;
    return nullptr;
  }

  Json codeFlow(const Finding &finding) {
    const Witness &witness = *finding.witness;
    std::string launch = "block=" + triple(witness.block) + " grid=" + triple(witness.grid);
    for (const auto &[name, value] : witness.values)
      launch += ", " + name + " = " + value;
    Json flows = Json::array();
    for (std::size_t i = 0; i < witness.threads.size(); ++i) {
      const WitnessThread &thread = witness.threads[i];
      std::string who = "thread " + triple(thread.thread) + " of block " + triple(thread.block);
      const Related *other = i == 0 ? nullptr : otherPlace(finding);
      std::string what = who + (thread.index.empty() ? "" : " at " + thread.index);
      what += ": " + (other ? other->message : finding.message);
      Json step{{"location", location(other ? other->range : finding.primary, what)}};
      // Both accesses may be one thread's: with its own asynchronous copy, or its warp's matrix.
      const auto same = std::find_if(flows.begin(), flows.end(),
                                     [&](const Json &flow) { return flow["id"] == who; });
      if (same != flows.end())
        (*same)["locations"].push_back(std::move(step));
      else
        flows.push_back({{"id", who},
                         {"message", text(who + ", lane " + std::to_string(thread.lane) +
                                          " of warp " + std::to_string(thread.warp))},
                         {"locations", Json::array({std::move(step)})}});
    }
    return {{"message", text("an example: " + launch)}, {"threadFlows", std::move(flows)}};
  }

  Json fixes(const Finding &finding) {
    Json list = Json::array();
    for (const Fix &fix : finding.fixes) {
      std::map<std::string, Json> byFile;
      for (const TextEdit &edit : fix.edits)
        byFile[edit.range.file].push_back(
            {{"deletedRegion", region(edit.range)}, {"insertedContent", text(edit.text)}});
      Json changes = Json::array();
      for (auto &[file, replacements] : byFile)
        changes.push_back({{"artifactLocation", {{"uri", uriOf(file)}}},
                           {"replacements", std::move(replacements)}});
      list.push_back({{"description", text(fix.title)}, {"artifactChanges", std::move(changes)}});
    }
    return list;
  }

  const RunReport &run;
  Sources &sources;
  const bool baseline;
};

} // namespace

std::string toSarif(const RunReport &run, Sources &sources, bool baseline) {
  Json root = SarifWriter(run, sources, baseline).write();
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace warpdrf::render
