// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glslang, linked in: the shared library of shaderc that Debian 12 has cannot be loaded (a symbol
// of SPIRV-Tools is missing), and a process per shader costs more than the test itself.
#include "analysis/vulkan/vulkan.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>

namespace warpdrf::vulkan {

std::optional<std::vector<std::uint32_t>> compileGlsl(const std::string &text, std::string &error) {
  static const int started = glslang_initialize_process();
  if (!started) {
    error = "glslang does not start";
    return std::nullopt;
  }
  glslang_input_t input{};
  input.language = GLSLANG_SOURCE_GLSL;
  input.stage = GLSLANG_STAGE_COMPUTE;
  input.client = GLSLANG_CLIENT_VULKAN;
  input.client_version = GLSLANG_TARGET_VULKAN_1_1;
  input.target_language = GLSLANG_TARGET_SPV;
  input.target_language_version = GLSLANG_TARGET_SPV_1_3;
  input.code = text.c_str();
  input.default_version = 450;
  input.default_profile = GLSLANG_NO_PROFILE;
  input.messages = GLSLANG_MSG_DEFAULT_BIT;
  input.resource = glslang_default_resource();
  const std::unique_ptr<glslang_shader_t, decltype(&glslang_shader_delete)> shader(
      glslang_shader_create(&input), glslang_shader_delete);
  if (!glslang_shader_preprocess(shader.get(), &input) ||
      !glslang_shader_parse(shader.get(), &input)) {
    error = glslang_shader_get_info_log(shader.get());
    return std::nullopt;
  }
  const std::unique_ptr<glslang_program_t, decltype(&glslang_program_delete)> program(
      glslang_program_create(), glslang_program_delete);
  glslang_program_add_shader(program.get(), shader.get());
  if (!glslang_program_link(program.get(),
                            GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT)) {
    error = glslang_program_get_info_log(program.get());
    return std::nullopt;
  }
  glslang_program_SPIRV_generate(program.get(), GLSLANG_STAGE_COMPUTE);
  const unsigned *words = glslang_program_SPIRV_get_ptr(program.get());
  return std::vector<std::uint32_t>(words, words + glslang_program_SPIRV_get_size(program.get()));
}

} // namespace warpdrf::vulkan
