// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/diff.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpdrf::render {

namespace {

using Lines = std::vector<std::string_view>; ///< with their ends

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// A line of the result: kept (' '), taken out ('-') or put in ('+').
struct Step {
  char what;
  std::string_view line;
};

/// By the longest common subsequence of what lies between the equal ends.
std::vector<Step> stepsBetween(const Lines &before, const Lines &after) {
  const std::size_t n = before.size(), m = after.size();
  std::vector<Step> steps;
  constexpr std::size_t mostCells = 16'000'000; // beyond, one block is replaced by the other
  if (n * m > mostCells) {
    for (std::string_view line : before)
      steps.push_back({'-', line});
    for (std::string_view line : after)
      steps.push_back({'+', line});
    return steps;
  }
  std::vector<unsigned> common((n + 1) * (m + 1));
  auto at = [&](std::size_t i, std::size_t j) -> unsigned & { return common[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) =
          before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::size_t i = 0, j = 0;
  while (i < n || j < m)
    if (i < n && j < m && before[i] == after[j])
      steps.push_back({' ', before[i++]}), ++j;
    else if (i < n && (j == m || at(i + 1, j) >= at(i, j + 1)))
      steps.push_back({'-', before[i++]});
    else
      steps.push_back({'+', after[j++]});
  return steps;
}

std::vector<Step> stepsOf(const Lines &before, const Lines &after) {
  auto [a, b] = std::ranges::mismatch(before, after);
  const std::size_t start = static_cast<std::size_t>(a - before.begin());
  std::size_t end = 0;
  while (end < before.size() - start && end < after.size() - start &&
         before[before.size() - 1 - end] == after[after.size() - 1 - end])
    ++end;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < start; ++i)
    steps.push_back({' ', before[i]});
  std::ranges::copy(stepsBetween({a, before.end() - end}, {b, after.end() - end}),
                    std::back_inserter(steps));
  for (std::size_t i = before.size() - end; i < before.size(); ++i)
    steps.push_back({' ', before[i]});
  return steps;
}

constexpr std::size_t context = 3;

/// One past the last step of the hunk that begins with the change at `change`.
std::size_t endOfHunk(const std::vector<Step> &steps, std::size_t change) {
  std::size_t last = change;
  for (std::size_t i = change; i < steps.size() && i <= last + 2 * context + 1; ++i)
    if (steps[i].what != ' ')
      last = i;
  return std::min(steps.size(), last + 1 + context);
}

std::string range(std::size_t begin, std::size_t count) {
  return std::to_string(count ? begin + 1 : begin) +
         (count == 1 ? "" : "," + std::to_string(count));
}

} // namespace

std::string unifiedDiff(const std::string &path, const std::string &before,
                        const std::string &after) {
  if (before == after)
    return "";
  const Lines old = linesOf(before), changed = linesOf(after);
  const std::vector<Step> steps = stepsOf(old, changed);
  std::string result = "--- " + path + "\n+++ " + path + "\n";
  std::size_t oldLine = 0, newLine = 0, done = 0;
  auto advance = [&](std::size_t to) {
    for (; done < to; ++done) {
      oldLine += steps[done].what != '+';
      newLine += steps[done].what != '-';
    }
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].what == ' ')
      continue;
    const std::size_t begin = std::max(done, i > context ? i - context : 0);
    const std::size_t end = endOfHunk(steps, i);
    advance(begin);
    const std::size_t oldBegin = oldLine, newBegin = newLine;
    std::string hunk;
    for (std::size_t k = begin; k < end; ++k) {
      hunk += steps[k].what + std::string(steps[k].line);
      if (!steps[k].line.ends_with('\n'))
        hunk += "\n\\ No newline at end of file\n";
    }
    advance(end);
    result += "@@ -" + range(oldBegin, oldLine - oldBegin) + " +" +
              range(newBegin, newLine - newBegin) + " @@\n" + hunk;
    i = end - 1;
  }
  return result;
}

} // namespace warpdrf::render
