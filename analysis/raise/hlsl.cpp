// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HLSL with wave intrinsics. It has no warp barrier, so a program with one cannot be raised to it.
// That a group's index counts through its waves one after the other is what implementations do, not
// what the language promises.
#include "analysis/raise/language.h"

namespace warpdrf::raise {

namespace {

class Hlsl : public Language {
public:
  std::string extension() const override { return ".hlsl"; }

  std::string prologue(const Subject &subject) const override {
    std::string text;
    for (std::size_t i = 0; i < subject.buffers.size(); ++i)
      text += "[[vk::binding(" + std::to_string(i) + ")]] RWStructuredBuffer<uint> " +
              subject.buffers[i].name + " : register(u" + std::to_string(i) + ");\n";
    return text + "\nstatic uint threadNumber;\n";
  }

  std::string kernelHeader(const Subject &subject) const override {
    return "void " + subject.kernel + "()";
  }

  std::string epilogue(const Subject &subject) const override {
    return "\n[numthreads(" + std::to_string(subject.threads) +
           ", 1, 1)]\n"
           "void main(uint index : SV_GroupIndex) {\n"
           "  threadNumber = index;\n  " +
           subject.kernel + "();\n}\n";
  }

  std::string special(const std::string &which) const override {
    static const std::pair<const char *, const char *> names[] = {
        {"tid_x", "threadNumber"},
        {"lane_id", "WaveGetLaneIndex()"},
        {"warp_size", "WaveGetLaneCount()"}};
    return named(names, which);
  }

  std::string primitive(const std::string &kind,
                        const std::vector<std::string> &operands) const override {
    static const std::pair<const char *, const char *> names[] = {
        {"any", "WaveActiveAnyTrue"},     {"all", "WaveActiveAllTrue"},
        {"reduce_add", "WaveActiveSum"},  {"reduce_min", "WaveActiveMin"},
        {"reduce_max", "WaveActiveMax"},  {"reduce_and", "WaveActiveBitAnd"},
        {"reduce_or", "WaveActiveBitOr"}, {"reduce_xor", "WaveActiveBitXor"}};
    if (kind == "ballot")
      return "WaveActiveBallot(" + operands[0] + ").x";
    return callOf(names, kind, operands);
  }
};

} // namespace

std::unique_ptr<Language> makeHlsl() {
  return std::make_unique<Hlsl>();
}

} // namespace warpdrf::raise
