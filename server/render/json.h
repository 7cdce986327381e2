// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of `warpdrf check --format json`, and the way back: a worker process sends its file's
// report to its parent in the same form.
#pragma once

#include "server/render/run.h"

namespace warpdrf::render {

enum class JsonDetail {
  Public, ///< what users see: deterministic but for `time_ms`
  Wire,   ///< one line, with the IR hashes and where kernels' names end
  Editor, ///< that and the primitives, for hovers
};

std::string toJson(const RunReport &run, JsonDetail detail);

/// One of its findings, in one line.
std::string toJson(const Finding &finding);

/// Reads what `toJson` wrote, but for the public form; nothing if it is something else.
std::optional<RunReport> fromJson(const std::string &text);

} // namespace warpdrf::render
