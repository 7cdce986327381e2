// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf conform`: generated tests on the Vulkan devices of this machine, compared with the
// oracle at the device's width. Exit status: 0 all agree, 1 some differ, 2 some could not be run.
#include "analysis/conformance/compare.h"
#include "analysis/conformance/reduce.h"
#include "analysis/raise/raise.h"
#include "analysis/vulkan/vulkan.h"
#include "server/cli/commands.h"
#include "server/cli/conformance_options.h"
#include "server/render/conformance.h"

#include <charconv>
#include <cstdlib>
#include <iostream>

namespace warpdrf::cli {

using namespace conformance;

namespace {

struct ConformOptions {
  Parameters parameters;
  std::vector<Contract> contracts{Contract::Cuda, Contract::Smr, Contract::Fmr};
  std::string device, format = "text", folder;
  std::uint64_t first = 0, last = 99;
  bool reduce = false, avoid = false;
};

std::string parseSeeds(const std::string &value, std::uint64_t &first, std::uint64_t &last) {
  const std::size_t dots = value.find("..");
  const auto read = [](std::string_view text, std::uint64_t &target) {
    auto [at, problem] = std::from_chars(text.data(), text.data() + text.size(), target);
    return problem == std::errc() && at == text.data() + text.size();
  };
  if (dots == std::string::npos || !read({value.data(), dots}, first) ||
      !read(std::string_view(value).substr(dots + 2), last) || last < first)
    return "expected A..B, got '" + value + "'";
  return "";
}

void declare(Arguments &parser, ConformOptions &options) {
  parser.option("--device", "NAME", "only devices whose name contains this", text(options.device));
  parser.option(
      "--seeds", "A..B", "tests of these seeds (default 0..99)",
      [&](const std::string &value) { return parseSeeds(value, options.first, options.last); });
  parser.option("--contract", "C", "only tests of cuda, smr or fmr (default: each of them)",
                [&](const std::string &value) {
                  options.contracts.resize(1);
                  return contract(options.contracts.front())(value);
                });
  parser.flag("--reduce", "make each test that differs as small as it can be",
              [&] { options.reduce = true; });
  parser.flag("--avoid-single-exits",
              "leave out loops whose only exit is not at their head (do-while, endless ones), on "
              "which devices are known to deviate; the table says so",
              [&] {
                options.avoid = true;
                options.parameters.do_loop = options.parameters.endless_loop = 0;
              });
  parser.option("-o", "DIR", "write the tests that differ: dialect, shader and expectation",
                text(options.folder));
  parser.option("--format", "FORMAT", "'text' (default) or 'json'",
                [&](const std::string &value) -> std::string {
                  options.format = value;
                  return value == "text" || value == "json"
                             ? ""
                             : "expected text or json, got '" + value + "'";
                });
  declareParameters(parser, options.parameters);
}

/// One test on one device. Nothing, and an error, if it could not be run.
std::optional<Memory> execute(vulkan::Devices &devices, std::size_t device, const Test &test,
                              std::string &error, bool &gaveUp) {
  gaveUp = false;
  std::optional<raise::Raised> raised = raise::raise(test.text, "test.mlir", "test", "glsl", error);
  if (!raised)
    return std::nullopt;
  const auto spirv = vulkan::compileGlsl(raised->text, error);
  if (!spirv)
    return std::nullopt;
  std::vector<std::vector<std::uint32_t>> buffers;
  for (const raise::Buffer &buffer : raised->subject.buffers) {
    buffers.push_back(buffer.contents);
    buffers.back().resize(buffer.words);
  }
  if (!devices.run(device, *spirv, buffers, error)) {
    gaveUp = devices.gaveUp();
    return std::nullopt;
  }
  return Memory{std::move(buffers[1]), std::move(buffers[2])}; // as the text declares them
}

class Campaign {
public:
  Campaign(const ConformOptions &options, vulkan::Devices &devices)
      : options(options), devices(devices) {}

  void run(std::size_t device, Contract contract) {
    render::Row &row = rows.emplace_back();
    row.device = devices.list()[device].name;
    row.backend = "glsl";
    row.contract = contract;
    row.avoids = options.avoid ? "loops with a single exit" : "";
    row.width = devices.list()[device].width;
    for (std::uint64_t seed = options.first; seed <= options.last; ++seed) {
      std::string error;
      std::optional<Test> test = makeTest(seed, contract, row.width, options.parameters, error);
      std::optional<Memory> seen;
      bool gaveUp = false;
      if (test)
        seen = execute(devices, device, *test, error, gaveUp);
      if (gaveUp) { // each try costs seconds and a core: not reduced
        hung = true;
        ++row.ran;
        Difference endless;
        endless.kind = Difference::Kind::NoEnd;
        note(row, device, std::move(*test), endless);
        continue;
      }
      if (!seen) {
        row.errors.push_back({seed, error});
        continue;
      }
      ++row.ran;
      if (std::optional<Difference> difference = compare(*test, *seen))
        note(row, device, std::move(*test), *difference);
    }
  }

  std::vector<render::Row> rows;
  bool hung = false; ///< a shader may still be running

private:
  void note(render::Row &row, std::size_t device, Test test, Difference difference) {
    const std::size_t before = statements(test.program);
    if (options.reduce && difference.kind != Difference::Kind::NoEnd) {
      test = reduce(std::move(test), [&](const Test &smaller) {
        std::string error;
        bool gaveUp = false;
        std::optional<Memory> seen = execute(devices, device, smaller, error, gaveUp);
        hung |= gaveUp;
        std::optional<Difference> found = seen ? compare(smaller, *seen) : std::nullopt;
        if (found)
          difference = *found;
        return found.has_value();
      });
    }
    row.failures.push_back({test.seed, difference, before, statements(test.program)});
    if (!options.folder.empty())
      write(test, row);
  }

  void write(const Test &test, const render::Row &row) {
    const std::string name = "seed-" + std::to_string(test.seed) + "-" +
                             contractName(test.contract) + "-width-" + std::to_string(row.width);
    std::string error;
    std::optional<raise::Raised> raised =
        raise::raise(test.text, "test.mlir", "test", "glsl", error);
    error = writeTest(options.folder, name, test);
    if (error.empty() && raised)
      error = writeInFolder(options.folder, name + raised->extension, raised->text);
    if (!error.empty())
      std::cerr << "warpdrf: " << error << "\n";
  }

  const ConformOptions &options;
  vulkan::Devices &devices;
};

} // namespace

int conform(const CommandArguments &arguments) {
  ConformOptions options;
  Arguments parser("conform [OPTIONS]",
                   "Runs generated tests on the Vulkan devices of this machine and compares who "
                   "took part in their warp primitives with what the reference semantics says.");
  declare(parser, options);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  std::string error;
  const std::unique_ptr<vulkan::Devices> devices = vulkan::Devices::open(error);
  if (!devices) {
    std::cerr << "warpdrf: " << error << "\n";
    return 2;
  }
  Campaign campaign(options, *devices);
  bool any = false;
  for (std::size_t i = 0; i < devices->list().size(); ++i) {
    const vulkan::DeviceInfo &device = devices->list()[i];
    if (device.name.find(options.device) == std::string::npos)
      continue;
    any = true;
    if (!device.lacks.empty()) {
      std::cerr << "warpdrf: " << device.name << " is left out: " << device.lacks << "\n";
      continue;
    }
    for (Contract contract : options.contracts)
      campaign.run(i, contract);
  }
  if (!any) {
    std::cerr << "warpdrf: no device's name contains '" << options.device << "'\n";
    return 2;
  }
  std::cout << (options.format == "json" ? render::conformanceJson(campaign.rows)
                                         : render::conformanceText(campaign.rows))
            << std::flush;
  bool differ = false, broken = campaign.rows.empty();
  for (const render::Row &row : campaign.rows) {
    differ |= !row.failures.empty();
    broken |= !row.errors.empty();
  }
  const int status = broken ? 2 : differ ? 1 : 0;
  if (campaign.hung)
    std::_Exit(status); // the driver's thread would not survive the destructors
  return status;
}

} // namespace warpdrf::cli
