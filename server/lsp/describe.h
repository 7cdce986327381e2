// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a hover says, as a pure function of a report: about a primitive or barrier (who takes part,
// what it orders), about a kernel (its verdict and what that rests on) or about a device function
// (who must call it together).
#pragma once

#include "analysis/report/report.h"
#include "server/lsp/markup.h"

#include <functional>
#include <optional>

namespace warpdrf::lsp {

struct Description {
  Range range; ///< what is described
  Markup text;
};

/// A link to a place; for a client's Markdown.
using LinkTo = std::function<std::string(const Range &)>;

/// What a device function asks of those who call it, declared or inferred: "requires
/// converged(warp)"; "" for nothing.
std::string requirement(const DeviceFunction &function);

/// What stands at `position` of `file`, if it is something we know about.
std::optional<Description> describe(const FileReport &report, const std::string &file,
                                    Position position, const LinkTo &linkTo);

} // namespace warpdrf::lsp
