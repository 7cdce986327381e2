// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conformance program in the dialect. Every place says, per thread and visit, who took part:
//   visits[place * threads + thread]                                      how often it was there
//   results[((place * capacity + visit) * threads + thread) * 2 + 0]      the ballot
//                                                          … + 1          how many, by a reduction
// Each cell belongs to one thread, so the log brings no order and no races. A visit beyond the
// capacity, which only a faulty device makes, overwrites the last one, which is never expected.
#pragma once

#include "analysis/conformance/program.h"

#include <string>

namespace warpdrf::conformance {

struct TextOptions {
  unsigned capacity = 1;  ///< visits for which there is room, one more than are expected
  std::uint64_t seed = 0; ///< to be named in the text
  std::string contract;   ///< so too
};

/// The module: kernel `test`, functions `f1` …, `record`, and the objects `data`, `visits`,
/// `results`. An attribute of the kernel and one of `data` hold what a run needs beside.
std::string text(const Program &program, const TextOptions &options);

} // namespace warpdrf::conformance
