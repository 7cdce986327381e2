// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf devices`: the devices of this machine that `conform` can use. Exit status: 0, or 2 if
// there is none.
#include "analysis/vulkan/vulkan.h"
#include "server/cli/arguments.h"
#include "server/cli/commands.h"

#include <iostream>

namespace warpdrf::cli {

int devices(const CommandArguments &arguments) {
  Arguments parser("devices", "Lists the Vulkan devices of this machine. The Vulkan loader finds "
                              "the drivers; VK_ICD_FILENAMES names others.");
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  std::string error;
  const std::unique_ptr<vulkan::Devices> found = vulkan::Devices::open(error);
  if (!found) {
    std::cerr << "warpdrf: " << error << "\n";
    return 2;
  }
  for (const vulkan::DeviceInfo &device : found->list())
    std::cout << device.name << ": Vulkan, " << device.width << " lanes"
              << (device.lacks.empty() ? "" : ", not usable: " + device.lacks) << "\n";
  return 0;
}

} // namespace warpdrf::cli
