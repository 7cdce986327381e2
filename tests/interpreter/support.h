// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels from a few lines of CUDA or of the dialect, run.
#pragma once

#include "analysis/analysis.h"
#include "analysis/interpreter/interpreter.h"
#include "tests/support/catch.h"

namespace warpdrf::test {

/// The one of all test cases.
Checker &checker();
/// CUDA text as a module's text.
std::string lowered(const std::string &text);
/// One kernel of CUDA text.
interpreter::Program cuda(const std::string &text, const std::string &kernel = "k");
interpreter::Program cudaFile(const std::string &path, const std::string &kernel);
/// `body` becomes that of `@k(%out: !warpdrf.ptr)`; constants %c0 … are the body's own.
interpreter::Program dialect(const std::string &body);

interpreter::Launch launch(std::int64_t block, std::int64_t grid = 1, unsigned width = 32);
interpreter::Argument zeros(std::uint64_t count,
                            std::optional<interpreter::Element> element = std::nullopt);
interpreter::Argument iota(std::uint64_t count,
                           std::optional<interpreter::Element> element = interpreter::Element::I32);

/// The final contents of an array as 32-bit integers.
std::vector<std::int32_t> integers(const interpreter::Execution &execution,
                                   const std::string &name);
/// The result of one thread that computes `body` and yields %r of type `type`, as bits.
std::uint64_t computed(const std::string &body, const std::string &type);

} // namespace warpdrf::test
