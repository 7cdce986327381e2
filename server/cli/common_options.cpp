// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/common_options.h"

#include "analysis/contract/assume.h"
#include "analysis/contract/launch_spec.h"

#include <algorithm>
#include <map>
#include <regex>

namespace warpdrf::cli {

void declareCompileOptions(Arguments &parser, CheckOptions &options) {
  parser.option("-p", "DIR", "the folder with compile_commands.json", text(options.database));
  parser.option("--arch", "sm_80", "the architecture to check for",
                [&](const std::string &value) -> std::string {
                  if (!frontend::isArchitecture(value))
                    return "there is no architecture '" + value +
                           "'; expected one like sm_80 or sm_90a";
                  options.arch = value;
                  return "";
                });
  parser.rest(options.flags);
}

static std::string storeRegex(CheckOptions &options, const std::string &value) {
  try {
    std::regex regex(value);
  } catch (const std::regex_error &error) {
    return "not a regular expression: " + std::string(error.what());
  }
  options.kernelRegex = value;
  return "";
}

std::string noSuchKernel(const std::string &asked, const std::vector<std::string> &kernels) {
  constexpr std::size_t most = 20;
  std::string line = "warpdrf: no kernel matches '" + asked + "'";
  for (std::size_t i = 0; i < std::min(most, kernels.size()); ++i)
    line += (i ? ", " : "; there are: ") + kernels[i];
  if (kernels.size() > most)
    line += " and " + std::to_string(kernels.size() - most) + " more";
  return line + (kernels.empty() ? "; there are no kernels\n" : "\n");
}

static std::string storeContract(CheckOptions &options, const std::string &value) {
  using contract::Configuration;
  static const std::map<std::string, Configuration> names = {
      {"cuda", Configuration::Cuda}, {"smr", Configuration::Smr}, {"fmr", Configuration::Fmr}};
  auto found = names.find(value);
  if (found == names.end())
    return "expected cuda, smr or fmr, got '" + value + "'";
  options.configuration = found->second;
  return "";
}

static std::string storeLaunch(CheckOptions &options, const std::string &value) {
  std::string error;
  options.launch = contract::parseLaunchSpec(value, error);
  return error;
}

static std::string storeAssumption(CheckOptions &options, const std::string &value) {
  std::string error;
  if (contract::isAssumption(value, error))
    options.assume.push_back(value);
  return error;
}

void declareCheckOptions(Arguments &parser, CheckOptions &options) {
  parser.option("--kernel", "REGEX", "only kernels whose name matches",
                [&](const std::string &value) { return storeRegex(options, value); });
  parser.option("--contract", "cuda|smr|fmr", "which participant sets are guaranteed",
                [&](const std::string &value) { return storeContract(options, value); });
  parser.flag("--strict", "no partial warps at all, explicit mask or not",
              [&] { options.masks = contract::Masks::Strict; });
  parser.option("--launch", "SPEC", "check under this launch: 'block=(256,1,1) grid=(*,1,1)'",
                [&](const std::string &value) { return storeLaunch(options, value); });
  parser.option("--assume", "EXPR", "holds for every launch: 'n % 32 == 0 && n <= blockDim.x'",
                [&](const std::string &value) { return storeAssumption(options, value); });
  auto seconds = [](std::optional<std::chrono::milliseconds> &target) {
    return [&target](const std::string &value) {
      unsigned parsed = 0;
      std::string wrong = number(parsed, 1)(value);
      if (wrong.empty())
        target = std::chrono::seconds(parsed);
      return wrong;
    };
  };
  parser.option("--timeout-per-kernel", "SECONDS", "when to give up on a kernel (10)",
                seconds(options.kernelBudget));
  parser.option("--timeout-per-file", "SECONDS", "when to check no more kernels of a file (300)",
                seconds(options.fileBudget));
  parser.flag("--no-suppressions", "'// warpdrf: ignore' comments have no effect",
              [&] { options.suppressions = false; });
}

} // namespace warpdrf::cli
