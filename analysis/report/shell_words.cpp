// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/shell_words.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace warpdrf {

std::string shellWord(const std::string &word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-=+:,./@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain))
    return word;
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> shellWords(const std::string &line) {
  std::vector<std::string> words;
  bool inWord = false, quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!quoted && line[i] == ' ') {
      inWord = false;
      continue;
    }
    if (!inWord)
      words.emplace_back();
    inWord = true;
    if (line[i] == '\'')
      quoted = !quoted;
    else if (!quoted && line[i] == '\\' && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += line[i];
  }
  return words;
}

} // namespace warpdrf
