// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/baseline.h"

#include "analysis/report/suppress.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

/// nlohmann's accessors throw on anything unexpected.
static std::set<std::string> fingerprintsOf(const Json &root) {
  if (root.at("version") != 1)
    throw std::runtime_error("its version is not 1");
  std::set<std::string> fingerprints;
  for (const Json &finding : root.at("findings"))
    fingerprints.insert(finding.at("fingerprint").get<std::string>());
  return fingerprints;
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
  try {
    return Baseline{fingerprintsOf(Json::parse(stream))};
  } catch (const std::exception &error) {
    failure = "'" + path + "' is no baseline (" + error.what() + "); --write-baseline makes one";
    return std::nullopt;
  }
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
