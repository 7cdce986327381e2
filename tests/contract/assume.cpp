// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/assume.h"
#include "tests/support/catch.h"

using namespace warpdrf::contract;

TEST_CASE("assumptions are C expressions") {
  TermPool pool;
  NamedValue named = [&](const std::string &name) {
    return name == "n" ? pool.integer(96) : name == "blockDim.x" ? pool.integer(32) : nullptr;
  };
  auto value = [&](const std::string &text) {
    std::string error;
    Term term = parseAssumption(text, pool, named, error);
    return term ? pool.isTrue(term) ? "true" : "false" : error;
  };
  CHECK(value("n % 32 == 0 && n >= blockDim.x") == "true");
  CHECK(value("n - 2 * blockDim.x == 32") == "true");
  CHECK(value("!(n < 10) || n == 1 / 0") == "division by zero");
  CHECK(value("n == -96") == "false");
  CHECK(value("m > 0") == "no parameter or launch dimension is called 'm'");
  CHECK(value("n >") == "expected an expression at the end");
  CHECK(value("(n > 1") == "expected ')'");
  CHECK(value("n > 1 n") == "unexpected 'n'");
}
