// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conformance test: a program, its primitives being those that a contract admits, and what the
// oracle says of it. The tests of one seed under `cuda`, `smr` and `fmr` are one program with more
// and more primitives: a primitive's result decides nothing, so leaving one out changes no other.
#pragma once

#include "analysis/conformance/generate.h"
#include "analysis/interpreter/interpreter.h"

#include <optional>

namespace warpdrf::conformance {

using Contract = interpreter::Configuration;

std::string contractName(Contract contract);
std::optional<Contract> contractNamed(const std::string &name);

/// What the memory of a test means (text.h).
struct Layout {
  unsigned width = 32, threads = 32, places = 0, capacity = 1;
};

/// What is in the arrays when a test has run.
struct Memory {
  std::vector<std::uint32_t> visits, results;
};

/// One primitive's execution.
struct Participants {
  unsigned place = 0;
  std::vector<std::uint64_t> coordinates;
  unsigned warp = 0;
  std::vector<unsigned> lanes;
};

struct Expected {
  Memory memory;
  std::vector<Participants> instances; ///< of ballots
};

struct Test {
  std::uint64_t seed = 0;
  Contract contract = Contract::Cuda;
  Program program;
  Layout layout;
  std::string text; ///< in the dialect
  Expected expected;
};

/// The test of a seed. It depends on the arguments only. Nothing when the parameters admit no
/// program; `error` says so.
std::optional<Test> makeTest(std::uint64_t seed, Contract contract, unsigned width,
                             const Parameters &parameters, std::string &error);

/// The test that a program is under a contract. Nothing if the oracle finds it faulty, or if a
/// thread comes to a primitive more often than that.
std::optional<Test> testOf(Program program, std::uint64_t seed, Contract contract,
                           unsigned mostVisits, std::string &error);

/// What the oracle says of a test's text.
std::optional<Expected> oracle(const std::string &text, const Layout &layout,
                               const std::vector<std::uint32_t> &input, std::string &error);

} // namespace warpdrf::conformance
