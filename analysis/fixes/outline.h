// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a file's statements a position is, and how to insert, remove and copy whole statements
// there so that the result is laid out like its surroundings.
#pragma once

#include "analysis/frontend/frontend.h"

#include <string_view>

namespace warpdrf::fixes {

using frontend::Statement;

/// From a function's body to the innermost statement that contains a position; empty outside.
using StatementPath = std::vector<const Statement *>;
StatementPath pathTo(const std::vector<Statement> &outline, Position position);

/// The compounds around any of the places, each once.
std::vector<const Statement *> compoundsAround(const std::vector<Statement> &outline,
                                               const std::vector<Range> &places);

/// The text of a range of the file.
std::string_view textOf(std::string_view text, const Range &range);

Position positionOf(std::string_view text, std::size_t offset);

/// White space at the start of the line that a position is on.
std::string indentAt(std::string_view text, Position position);

/// `code` as a statement of its own just before, or after, another one.
TextEdit insertBefore(std::string_view text, const Statement &statement, const std::string &code);
TextEdit insertAfter(std::string_view text, const Statement &statement, const std::string &code);

/// `code` as the last statement of a compound.
TextEdit insertAtEnd(std::string_view text, const Statement &compound, const std::string &code);

/// Takes the statement out, with its line if nothing else is on it.
TextEdit remove(std::string_view text, const Statement &statement);

} // namespace warpdrf::fixes
