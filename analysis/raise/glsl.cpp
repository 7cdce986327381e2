// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GLSL for Vulkan 1.1. A thread's number is made of its subgroup's and its lane's, since Vulkan
// does not say how invocations map to subgroups; the runner asks for full subgroups.
#include "analysis/raise/language.h"

namespace warpdrf::raise {

namespace {

class Glsl : public Language {
public:
  std::string extension() const override { return ".comp"; }

  std::string prologue(const Subject &subject) const override {
    std::string text = "#version 450\n"
                       "#extension GL_KHR_shader_subgroup_basic : require\n"
                       "#extension GL_KHR_shader_subgroup_vote : require\n"
                       "#extension GL_KHR_shader_subgroup_ballot : require\n"
                       "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                       "layout(local_size_x = " +
                       std::to_string(subject.threads) + ") in;\n";
    for (std::size_t i = 0; i < subject.buffers.size(); ++i) {
      const Buffer &buffer = subject.buffers[i];
      const std::string binding = std::to_string(i);
      text += "layout(std430, binding = " + binding + ")" + (buffer.written ? "" : " readonly") +
              " buffer Buffer" + binding + " { uint " + buffer.name + "[]; };\n";
    }
    return text + "\nuint threadIndex() {\n"
                  "  return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;\n}\n";
  }

  std::string kernelHeader(const Subject &) const override { return "void main()"; }

  std::string special(const std::string &which) const override {
    static const std::pair<const char *, const char *> names[] = {
        {"tid_x", "threadIndex()"},
        {"lane_id", "gl_SubgroupInvocationID"},
        {"warp_size", "gl_SubgroupSize"},
        {"bid_x", "gl_WorkGroupID.x"},
        {"bdim_x", "gl_WorkGroupSize.x"}};
    return named(names, which);
  }

  std::string primitive(const std::string &kind,
                        const std::vector<std::string> &operands) const override {
    static const std::pair<const char *, const char *> names[] = {
        {"any", "subgroupAny"},        {"all", "subgroupAll"},        {"reduce_add", "subgroupAdd"},
        {"reduce_min", "subgroupMin"}, {"reduce_max", "subgroupMax"}, {"reduce_and", "subgroupAnd"},
        {"reduce_or", "subgroupOr"},   {"reduce_xor", "subgroupXor"}};
    if (kind == "ballot")
      return "subgroupBallot(" + operands[0] + ").x";
    if (kind == "syncwarp")
      return "subgroupBarrier()";
    return callOf(names, kind, operands);
  }
};

} // namespace

std::unique_ptr<Language> makeGlsl() {
  return std::make_unique<Glsl>();
}

} // namespace warpdrf::raise
