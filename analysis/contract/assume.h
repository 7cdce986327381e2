// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `// warpdrf: assume n % 32 == 0 && n <= blockDim.x`: a C expression over a kernel's scalar
// parameters and launch dimensions, as a term. Integers, names, `blockDim.x` and kin, the
// arithmetic, comparison and logical operators. A pointer is a number that is 0 when it is null.
#pragma once

#include "analysis/contract/term.h"

#include <functional>

namespace warpdrf::contract {

/// The value of a name (`n`, `blockDim.x`), or null if there is no such name.
using NamedValue = std::function<Term(const std::string &)>;

/// Reads an expression. Null on failure; `error` then says what is wrong.
Term parseAssumption(const std::string &text, TermPool &pool, const NamedValue &named,
                     std::string &error);

/// The same for an expression that is no condition: a number, or 0 or 1.
Term parseValue(const std::string &text, TermPool &pool, const NamedValue &named,
                std::string &error);

/// Only the syntax: any name is taken to exist.
bool isAssumption(const std::string &text, std::string &error);

} // namespace warpdrf::contract
