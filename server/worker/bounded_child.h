// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program once more, for one answer: text in, text out, within bounds.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace warpdrf::worker {

struct Bounded {
  std::string output, errors; ///< what it wrote on its two outputs
  std::string failure;        ///< why it could not start or did not end by itself; else empty
};

/// Runs this program with `arguments` and `input`. It is killed when it takes longer than `time`,
/// writes more than `size` bytes, or `stop` is requested.
Bounded runBounded(const std::vector<std::string> &arguments, const std::string &input,
                   std::chrono::milliseconds time, std::size_t size, std::stop_token stop);

} // namespace warpdrf::worker
