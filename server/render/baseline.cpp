// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/baseline.h"

#include "analysis/report/suppress.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace warpdrf::render {

using Json = nlohmann::ordered_json;

std::string toBaseline(const RunReport &run) {
  std::vector<const Finding *> findings;
  for (const Finding &finding : run.findings)
    if (counts(finding))
      findings.push_back(&finding);
  std::ranges::sort(findings, {}, [](const Finding *f) {
    return std::tie(f->primary.file, f->kernel, f->rule, f->fingerprint);
  });
  // A line each: baselines live in repositories, where lines are compared and merged.
  std::string text = "{\"version\": 1, \"findings\": [";
  for (const Finding *finding : findings) {
    Json entry{{"fingerprint", finding->fingerprint},
               {"rule", finding->rule},
               {"kernel", finding->kernel},
               {"file", finding->primary.file}};
    text += (finding == findings.front() ? "\n" : ",\n") +
            entry.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n]}\n";
}

/// Takes the fingerprints; says what is wrong, or nothing.
static std::string readFingerprints(const Json &root, std::set<std::string> &fingerprints) {
  if (!root.is_object() || !root.contains("version"))
    return "it has no version";
  if (root["version"] != 1)
    return "its version is " + root["version"].dump() + ", and this program reads 1";
  if (!root.contains("findings") || !root["findings"].is_array())
    return "it has no list of findings";
  for (const Json &finding : root["findings"]) {
    if (!finding.is_object() || !finding.contains("fingerprint") ||
        !finding["fingerprint"].is_string())
      return "a finding in it has no fingerprint: " + finding.dump().substr(0, 60);
    fingerprints.insert(finding["fingerprint"].get<std::string>());
  }
  return "";
}

static std::string readText(const std::string &text, std::set<std::string> &fingerprints) {
  try {
    return readFingerprints(Json::parse(text), fingerprints);
  } catch (const Json::parse_error &error) {
    const auto at = static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), text.begin() + at, '\n');
    return "it is not JSON from line " + std::to_string(line) + " on";
  }
}

std::optional<Baseline> Baseline::read(const std::string &path, std::string &failure) {
  std::error_code error;
  std::ifstream stream;
  if (std::filesystem::is_regular_file(path, error))
    stream.open(path, std::ios::binary);
  if (!stream.is_open()) {
    failure = "cannot read the baseline '" + path + "'; --write-baseline makes one";
    return std::nullopt;
  }
  Baseline baseline;
  const std::string wrong =
      readText(std::string(std::istreambuf_iterator<char>(stream), {}), baseline.fingerprints);
  if (wrong.empty())
    return baseline;
  failure = "'" + path + "' is no baseline: " + wrong +
            ". Restore it, or make a new one with --write-baseline";
  return std::nullopt;
}

/// The findings of one kernel, as far as instantiations tell them apart.
static std::vector<Finding> findingsOf(const KernelReport &kernel,
                                       const std::vector<Finding> &findings) {
  std::vector<Finding> result;
  for (const Finding &finding : findings)
    if (finding.kernel == kernel.name &&
        std::ranges::find(finding.instantiations, kernel.instantiation) !=
            finding.instantiations.end())
      result.push_back(finding);
  return result;
}

std::size_t Baseline::apply(RunReport &run) const {
  std::set<std::string> gone = fingerprints;
  for (Finding &finding : run.findings) {
    if (!fingerprints.contains(finding.fingerprint))
      continue;
    gone.erase(finding.fingerprint);
    if (!finding.suppressed)
      finding.suppressed = inBaseline;
  }
  for (FileReport &file : run.files)
    for (KernelReport &kernel : file.kernels)
      if (kernel.verdict == Verdict::Violated)
        revise(kernel, findingsOf(kernel, run.findings));
  return gone.size();
}

} // namespace warpdrf::render
