// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software devices for real: Mesa's lavapipe, and SwiftShader where a browser brought it along.
#include "tests/cli/run.h"

#include <optional>

using namespace warpdrf::test;

namespace {

/// The environment that selects a device, and a part of its name.
struct Device {
  std::string environment, name;
};

/// The drivers' descriptions, where distributions put them.
std::vector<Device> softwareDevices() {
  std::vector<Device> found;
  for (const char *root : {"/usr/share/vulkan/icd.d", "/usr/lib/chromium"}) {
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator(root, none)) {
      const std::string file = entry.path().filename().string();
      const bool lavapipe = file.starts_with("lvp_icd"), swift = file == "vk_swiftshader_icd.json";
      if (lavapipe || swift)
        found.push_back(
            {"MESA_SHADER_CACHE_DISABLE=true VK_ICD_FILENAMES=" + entry.path().string() + " ",
             lavapipe ? "llvmpipe" : "SwiftShader"});
    }
  }
  return found;
}

Json conform(const Device &device, const std::string &options, int &status) {
  const Output output = shell(device.environment + "timeout 300 " + program().string() +
                              " conform --device " + device.name + " --format json " + options);
  status = output.status;
  INFO(device.name << " " << options << "\n" << output.text);
  REQUIRE(output.text.starts_with("{"));
  return Json::parse(output.text);
}

} // namespace

TEST_CASE("conforming programs agree, apart from loops with a single exit") {
  const std::vector<Device> devices = softwareDevices();
  if (devices.empty())
    return skip("no software Vulkan device (Debian: mesa-vulkan-drivers, chromium)");
  for (const Device &device : devices) {
    int status = 0;
    const Json report = conform(device, "--seeds 0..14 --avoid-single-exits", status);
    CHECK(status == 0);
    REQUIRE(report["rows"].size() == 3);
    for (const Json &row : report["rows"]) {
      INFO(row.dump());
      CHECK(row["ran"] == 15);
      CHECK(row["agree"] == 15);
      CHECK(row["avoids"] == "loops with a single exit");
    }
  }
}

// At plain settings some tests in a hundred have such a loop with a divergent bound and a note
// behind it.
TEST_CASE("the campaign finds by itself what both devices get wrong, and makes it small") {
  const std::vector<Device> devices = softwareDevices();
  if (devices.empty())
    return skip("no software Vulkan device (Debian: mesa-vulkan-drivers, chromium)");
  for (const Device &device : devices) {
    int status = 0;
    const Json report = conform(device, "--seeds 50..109 --contract fmr --reduce", status);
    CHECK(status == 1);
    const Json &failures = report["rows"][0]["failures"];
    REQUIRE(!failures.empty());
    for (const Json &failure : failures) {
      INFO(device.name << failure.dump());
      if (failure["kind"] != "no-end")
        CHECK(failure["statements"] < 12);
    }
  }
}
