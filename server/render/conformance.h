// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conformance tests and what devices made of them, as JSON and text.
#pragma once

#include "analysis/conformance/compare.h"

namespace warpdrf::render {

/// What the oracle expects of a test: layout and participants.
std::string expectedJson(const conformance::Test &test);

struct Failure {
  std::uint64_t seed = 0;
  conformance::Difference difference;
  std::size_t statementsBefore = 0, statements = 0; ///< of the test, reduced if that was asked for
};

/// A device under a backend and a contract.
struct Row {
  std::string device, backend;
  conformance::Contract contract = conformance::Contract::Cuda;
  std::string avoids; ///< what the tests leave out on purpose
  unsigned width = 0;
  std::uint64_t ran = 0;
  std::vector<Failure> failures;
  std::vector<std::pair<std::uint64_t, std::string>> errors; ///< seeds that could not be run
};

std::string conformanceText(const std::vector<Row> &rows);
std::string conformanceJson(const std::vector<Row> &rows);

} // namespace warpdrf::render
