// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/race_message.h"

namespace warpdrf {

std::string accessWords(AccessKind kind, bool byWarp, bool asynchronous) {
  const std::string how = asynchronous ? "asynchronous " : byWarp ? "matrix " : "";
  switch (kind) {
  case AccessKind::Read:
    return how + (byWarp ? "load" : "read");
  case AccessKind::Write:
    return how + (byWarp ? "store" : "write");
  case AccessKind::Atomic:
    return "atomic update";
  }
  return "";
}

std::string cellName(const std::string &object, std::int64_t offset, std::int64_t size) {
  const bool whole = size > 0 && offset % size == 0;
  return object + "[" + (whole ? std::to_string(offset / size) : "byte " + std::to_string(offset)) +
         "]";
}

std::string raceMessage(const RaceWords &words) {
  const char *between = words.scope == Scope::Warp    ? "threads of one warp"
                        : words.scope == Scope::Block ? "different warps of a block"
                                                      : "different blocks";
  const char *remedy =
      words.scope == Scope::Warp    ? "; a __syncwarp() between the two would order them"
      : words.scope == Scope::Block ? "; a __syncthreads() between the two would order them"
                                    : "";
  return words.access + " of '" + words.object + "' races with " +
         (words.otherRange == words.range
              ? "itself"
              : "the " + words.other + " at line " + std::to_string(words.otherRange.begin.line)) +
         ": " + between + ", nothing orders them" + remedy;
}

} // namespace warpdrf
