// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `warpdrf run` prints: text, JSON (docs/run.schema.json) and the lane timeline as SVG.
#pragma once

#include "analysis/choose_arguments.h"

namespace warpdrf::render {

std::string executionText(const std::string &kernel, const interpreter::Launch &launch,
                          const interpreter::Execution &execution);
/// How much is printed: an element of an array takes several times its bytes.
struct JsonExtent {
  unsigned values = 1 << 20; ///< elements of each array
  bool compact = false;      ///< in one line
};
std::string executionJson(const std::string &kernel, const interpreter::Launch &launch,
                          const interpreter::Execution &execution, const Chosen &chosen,
                          const JsonExtent &extent);
/// A line, or nothing.
std::string chosenText(const Chosen &chosen);
std::string executionSvg(const std::string &kernel, const interpreter::Launch &launch,
                         const interpreter::Execution &execution);
/// The blocks that a picture of this execution should show: those of its first race. The picture is
/// then made of a second run, which records what they do (Launch::timeline).
std::vector<std::uint32_t> timelineBlocks(const interpreter::Launch &launch,
                                          const interpreter::Execution &execution);

using Threads = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
/// Two threads that are worth following: those of the first race, or of the first fault one that
/// was there and one that was not.
Threads followedThreads(const interpreter::Launch &launch, const interpreter::Execution &execution);

// What the three share.
const char *endingName(interpreter::Ending ending);
const char *configurationName(interpreter::Configuration configuration);
const char *accessName(const interpreter::Access &access);
/// "file:line:column".
std::string shownRange(const Range &range);
/// "thread 3 of block 1 (warp 0, lane 3)".
std::string shownThread(const interpreter::ThreadId &thread, const interpreter::Launch &launch);
/// "1 race", "2 races".
std::string counted(std::uint64_t count, const std::string &what);
/// "0-15, 20".
std::string shownLanes(const interpreter::Lanes &lanes);

} // namespace warpdrf::render
