// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work behind spread.h: one region of text, rewritten statement by statement. Texts keep the
// indentation of the statements that they come from, until they are put in their place.
#pragma once

#include "analysis/fixes/spread.h"

#include <functional>

namespace warpdrf::fixes {

/// Statements as text; `single`: it is one.
struct Spread {
  std::string text;
  bool single = true;
};

class Spreader {
public:
  Spreader(const SpreadOptions &options, const Range &region);

  std::optional<Spread> unwrapped(const Statement &branching, const std::string &outer);
  std::optional<std::string> loop(const Statement &loop, const std::string &outer);
  std::optional<std::string> countedLoop(const Statement &loop, const std::string &start,
                                         const std::string &own);
  std::optional<Spread> stayed(const Statement &compound, std::size_t index);

private:
  using Statements = std::vector<const Statement *>;

  // What a statement is.
  std::string textOf(const Range &range) const;
  std::string indentOf(const Statement &statement) const;
  std::vector<Range> callsIn(const Range &range) const;
  bool holdsCall(const Statement &statement) const { return !callsIn(statement.range).empty(); }
  std::string_view after(const Statement &statement) const;
  bool mustStayVisible(const Statement &statement, const Statement &lastOfRun) const;
  static Statements list(const Statement &body);

  // How it is written for all threads; `condition` says for whom it was before, empty for all.
  std::optional<Spread> statements(const Statements &all, const std::string &condition);
  std::size_t endOfRun(const Statements &all, std::size_t begin) const;
  std::string guarded(const Statements &all, std::size_t begin, std::size_t end,
                      const std::string &condition);
  std::optional<Spread> one(const Statement &statement, const std::string &condition);
  std::optional<Spread> declaration(const Statement &statement, const std::string &condition);
  std::optional<Spread> withCall(const Statement &statement, const std::string &condition);
  std::optional<Spread> hoisted(const Statement &statement, const std::string &condition);
  std::optional<Spread> branch(const Statement &statement, const std::string &condition);
  std::optional<std::string> body(const Statement &body, const std::string &header,
                                  const Statement &parent, const std::string &condition,
                                  const std::string &first = "");
  std::optional<std::string> called(const Range &call, const Statement &statement,
                                    const std::string &condition);
  std::optional<std::string> argument(const std::string &callee, std::size_t index,
                                      const std::string &value, const Statement &statement,
                                      const std::string &condition);
  bool isStale(const std::string &value, const Statement &statement) const;
  std::optional<std::string> zeroed(const std::string &condition, const std::string &value);

  using Make = std::function<std::optional<Spread>(const std::string &condition)>;
  std::optional<Spread> named(const std::string &condition, std::string_view meanwhile,
                              std::string &definition, const Make &make);

  SpreadOptions options;
  std::string_view text;
  Range region;
  std::string unit;
  unsigned uses = 0;              ///< of a condition
  std::vector<std::string> taken; ///< names that were made up
};

} // namespace warpdrf::fixes
