// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words for the report's enumerations, as JSON and messages spell them, both ways.
#pragma once

#include "analysis/report/report.h"

#include <string_view>

namespace warpdrf {

std::string_view name(Severity value);      ///< hint, information, warning, error
std::string_view name(Confidence value);    ///< confirmed, modelled, possible
std::string_view name(Verdict value);       ///< ok, unproved, unsupported, violated
std::string_view name(Scope value);         ///< thread, warp, block, cluster, grid
std::string_view name(Space value);         ///< shared, global, local, param, constant
std::string_view name(Related::Role value); ///< access, branch, mask, call, barrier, exit

/// The value of that name; nothing if there is none.
template <typename Enum>
std::optional<Enum> valueOf(std::string_view name);

} // namespace warpdrf
