// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/summary.h"

#include "analysis/report/names.h"

#include <set>

namespace warpdrf::render {

static std::string plural(unsigned count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// "unsupported: inline PTX" where the verdict is said anyway.
static std::string withoutVerdict(const std::string &reason, Verdict verdict) {
  std::string prefix = std::string(name(verdict)) + ": ";
  return reason.starts_with(prefix) ? reason.substr(prefix.size()) : reason;
}

/// One line per reason, with the kernels it holds for: hundreds of instantiations often share one.
static std::string reasons(const RunReport &run, Verdict verdict) {
  std::map<std::string, std::pair<std::string, unsigned>> byReason; // first kernel, how many
  for (const FileReport &file : run.files)
    for (const KernelReport &kernel : file.kernels)
      if (kernel.verdict == verdict) {
        auto &[first, count] = byReason[withoutVerdict(kernel.reason, verdict)];
        if (count++ == 0)
          first = kernel.name;
      }
  std::string text;
  for (const auto &[reason, kernels] : byReason) {
    text += "  " + std::string(name(verdict)) + ": '" + kernels.first + "'";
    if (kernels.second > 1)
      text += " and " + std::to_string(kernels.second - 1) + " more";
    text += reason.empty() ? "\n" : ": " + reason + "\n";
  }
  return text;
}

static unsigned filesWithErrors(const RunReport &run) {
  unsigned count = 0;
  for (const FileReport &file : run.files)
    count += !file.parseErrors.empty() || !file.projectErrors.empty();
  return count;
}

/// What the kernels that are ok rest on; that of the others stands with their findings.
static std::string assumptions(const RunReport &run) {
  std::set<std::string> assumed;
  for (const FileReport &file : run.files)
    for (const KernelReport &kernel : file.kernels)
      if (kernel.verdict == Verdict::Ok)
        assumed.insert(kernel.assumptions.begin(), kernel.assumptions.end());
  std::string text;
  for (const std::string &name : assumed)
    text += (text.empty() ? "  what is ok assumes: " : ", ") + name;
  return text.empty() ? "" : text + "\n";
}

std::string summary(const RunReport &run) {
  Counts counts = count(run);
  std::string text;
  for (Verdict verdict : {Verdict::Unproved, Verdict::Unsupported})
    text += reasons(run, verdict);
  text += assumptions(run);
  text += plural(counts.kernels, "kernel");
  if (counts.distinct < counts.kernels)
    text += " (" + std::to_string(counts.distinct) + " distinct)";
  text += " in " + plural(run.files.size(), "file") + ": ";
  for (Verdict verdict : {Verdict::Ok, Verdict::Violated, Verdict::Unproved, Verdict::Unsupported})
    text += std::to_string(counts[verdict]) + " " + std::string(name(verdict)) +
            (verdict == Verdict::Unsupported ? "" : ", ");
  if (counts.suppressed)
    text += "; " + plural(counts.suppressed, "finding") + " suppressed";
  if (unsigned errors = filesWithErrors(run))
    text += "; " + plural(errors, "file") + " with errors";
  return text + "\n";
}

} // namespace warpdrf::render
