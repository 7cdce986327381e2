// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs compute shaders on Vulkan devices. The Vulkan loader is loaded when first asked for, so that
// the program starts without it; what is missing is said.
// Which drivers there are is the loader's affair (VK_ICD_FILENAMES, VK_ADD_DRIVER_FILES).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpdrf::vulkan {

struct DeviceInfo {
  std::string name;
  unsigned width = 0; ///< of a subgroup
  std::string lacks;  ///< what keeps us from using it; empty: nothing
};

/// GLSL to SPIR-V, not optimised: an optimiser may change who meets whom.
std::optional<std::vector<std::uint32_t>> compileGlsl(const std::string &text, std::string &error);

class Devices {
public:
  /// Nothing when there is no Vulkan; `error` says why.
  static std::unique_ptr<Devices> open(std::string &error);
  virtual ~Devices() = default;
  virtual const std::vector<DeviceInfo> &list() const = 0;

  /// Runs one block of the shader's `main` on a device. Buffers are bound in their order, and hold
  /// afterwards what the shader left in them. False on failure; the device may then be lost.
  virtual bool run(std::size_t device, const std::vector<std::uint32_t> &spirv,
                   std::vector<std::vector<std::uint32_t>> &buffers, std::string &error) = 0;
  /// Whether the last run failed because the shader did not end. It may still be running, in a
  /// thread of the driver: the program should then end without destructors (std::_Exit).
  virtual bool gaveUp() const = 0;
};

} // namespace warpdrf::vulkan
