// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/conformance/parameters.h"

#include <charconv>

namespace warpdrf::conformance {

const std::vector<ParameterInfo> &parameterList() {
  static const std::vector<ParameterInfo> list = {
#define PARAMETER(name, value, meaning) {#name, meaning, &Parameters::name},
#include "analysis/conformance/parameters.def"
#undef PARAMETER
  };
  return list;
}

/// Sizes that a program cannot be without.
static bool needsOne(const std::string &name) {
  return name == "warps" || name == "statements" || name == "trips" || name == "cases" ||
         name == "places" || name == "visits";
}

std::string setParameter(Parameters &parameters, const std::string &text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return "expected NAME=VALUE, got '" + text + "'";
  const std::string name = text.substr(0, equals);
  for (const ParameterInfo &info : parameterList()) {
    if (info.name != name)
      continue;
    unsigned value = 0;
    const char *end = text.data() + text.size();
    auto [at, problem] = std::from_chars(text.data() + equals + 1, end, value);
    if (problem != std::errc() || at != end || value > 1000 || (needsOne(name) && value == 0))
      return "'" + text.substr(equals + 1) + "' is no value for " + name;
    parameters.*info.member = value;
    return "";
  }
  return "there is no parameter '" + name + "'";
}

} // namespace warpdrf::conformance
