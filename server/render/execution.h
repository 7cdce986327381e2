// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `warpdrf run` prints: text, JSON (docs/run.schema.json) and the lane timeline as SVG.
#pragma once

#include "analysis/interpreter/interpreter.h"

namespace warpdrf::render {

std::string executionText(const std::string &kernel, const interpreter::Launch &launch,
                          const interpreter::Execution &execution);
std::string executionJson(const std::string &kernel, const interpreter::Launch &launch,
                          const interpreter::Execution &execution);
std::string executionSvg(const std::string &kernel, const interpreter::Launch &launch,
                         const interpreter::Execution &execution);

// What the three share.
const char *endingName(interpreter::Ending ending);
const char *configurationName(interpreter::Configuration configuration);
const char *accessName(const interpreter::Access &access);
/// The words of an ending without the place: "finished", "deadlock: …".
std::string shownRange(const Range &range);
/// "thread 3 of block 1 (warp 0, lane 3)".
std::string shownThread(const interpreter::ThreadId &thread, const interpreter::Launch &launch);
/// "0-15, 20".
std::string shownLanes(const interpreter::Lanes &lanes);

} // namespace warpdrf::render
