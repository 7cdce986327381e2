// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/conformance_options.h"

#include "server/render/conformance.h"

#include <filesystem>
#include <fstream>

namespace warpdrf::cli {

using namespace conformance;

void declareParameters(Arguments &parser, Parameters &parameters) {
  std::string help = "sets a parameter of the generator; may be repeated. There are:";
  for (const ParameterInfo &info : parameterList())
    help += "\n    " + info.name + " (" + std::to_string(Parameters().*info.member) +
            "): " + info.meaning;
  parser.option("--set", "NAME=VALUE", help,
                [&](const std::string &value) { return setParameter(parameters, value); });
}

Arguments::Store contract(Contract &target) {
  return [&](const std::string &value) -> std::string {
    std::optional<Contract> named = contractNamed(value);
    if (!named)
      return "expected cuda, smr or fmr, got '" + value + "'";
    target = *named;
    return "";
  };
}

std::string writeInFolder(const std::string &folder, const std::string &name,
                          const std::string &text) {
  std::error_code problem;
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  if (!folder.empty())
    std::filesystem::create_directories(folder, problem);
  if (problem)
    return folder + ": " + problem.message();
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  return stream ? "" : path.string() + ": cannot be written";
}

std::string writeTest(const std::string &folder, const std::string &name, const Test &test) {
  const std::string error = writeInFolder(folder, name + ".mlir", test.text);
  return error.empty() ? writeInFolder(folder, name + ".json", render::expectedJson(test)) : error;
}

} // namespace warpdrf::cli
