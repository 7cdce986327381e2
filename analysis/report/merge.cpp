// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/merge.h"

#include "analysis/report/names.h"
#include "analysis/report/source.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

namespace warpdrf {

using Lines = std::set<std::pair<std::string, unsigned>>;

static Lines accessLines(const Finding &finding) {
  Lines lines{{finding.primary.file, finding.primary.begin.line}};
  for (const Related &related : finding.related)
    if (related.role == Related::Role::Access && related.range.valid())
      lines.emplace(related.range.file, related.range.begin.line);
  return lines;
}

/// True if `a` says more than `b` about the same fault.
static bool stronger(const Finding &a, const Finding &b) {
  // Confidence counts down from the surest.
  return std::tuple(a.severity, b.confidence, a.witness.has_value()) >
         std::tuple(b.severity, a.confidence, b.witness.has_value());
}

static void join(Finding &into, Finding &&from) {
  std::set<std::string> names(into.instantiations.begin(), into.instantiations.end());
  names.insert(from.instantiations.begin(), from.instantiations.end());
  // A fault counts as suppressed only where every instance of it is.
  bool suppressed = into.suppressed && from.suppressed;
  if (stronger(from, into))
    into = std::move(from);
  into.instantiations.assign(names.begin(), names.end());
  if (!suppressed)
    into.suppressed.reset();
}

void mergeFindings(std::vector<Finding> &findings) {
  using Key = std::tuple<std::string, std::string, std::string, Scope, Lines>;
  std::map<Key, std::size_t> seen;
  std::vector<Finding> merged;
  for (Finding &finding : findings) {
    Key key{finding.rule, finding.kernel, finding.object, finding.scope, accessLines(finding)};
    auto [it, isNew] = seen.try_emplace(std::move(key), merged.size());
    if (isNew)
      merged.push_back(std::move(finding));
    else
      join(merged[it->second], std::move(finding));
  }
  std::ranges::stable_sort(merged, {}, [](const Finding &finding) {
    return std::tie(finding.primary.file, finding.primary.begin, finding.rule, finding.kernel,
                    finding.message);
  });
  findings = std::move(merged);
}

/// Code without its comment and with all white space out, so that formatting and suppressions do
/// not change it.
static std::string normalised(std::string_view line) {
  line = line.substr(0, line.find("//"));
  std::string text;
  for (char c : line)
    if (!std::isspace(static_cast<unsigned char>(c)))
      text += c;
  return text;
}

static std::string hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325; // FNV-1a
  for (unsigned char c : text)
    value = (value ^ c) * 0x100000001b3;
  std::string digits(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4)
    digits[i] = "0123456789abcdef"[value & 15];
  return digits;
}

std::string identity(const Finding &finding, Sources &sources) {
  std::string text = finding.rule + '\n' + finding.kernel;
  for (const auto &[file, line] : accessLines(finding))
    text += '\n' + normalised(sources.line(file, line));
  return text;
}

void setFingerprints(std::vector<Finding> &findings, Sources &sources) {
  std::map<std::string, unsigned> ordinals;
  for (Finding &finding : findings) {
    std::string text = identity(finding, sources);
    unsigned ordinal = ordinals[text]++;
    finding.fingerprint = hash(text + '\n' + std::to_string(ordinal));
  }
}

} // namespace warpdrf
