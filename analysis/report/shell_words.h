// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that a user may copy into a shell, such as Witness::run.
#pragma once

#include <string>
#include <vector>

namespace warpdrf {

/// A word as a shell takes it.
std::string shellWord(const std::string &word);

/// The words of a line that was made of shellWord()s and spaces.
std::vector<std::string> shellWords(const std::string &line);

} // namespace warpdrf
