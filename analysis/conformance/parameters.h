// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a generated conformance program looks like. parameters.def is the list, with defaults.
#pragma once

#include <string>
#include <vector>

namespace warpdrf::conformance {

struct Parameters {
#define PARAMETER(name, value, meaning) unsigned name = value;
#include "analysis/conformance/parameters.def"
#undef PARAMETER
};

struct ParameterInfo {
  std::string name, meaning;
  unsigned Parameters::*member;
};

const std::vector<ParameterInfo> &parameterList();

/// Reads "NAME=VALUE". Says what is wrong, or nothing.
std::string setParameter(Parameters &parameters, const std::string &text);

} // namespace warpdrf::conformance
