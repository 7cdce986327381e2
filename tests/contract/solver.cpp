// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver process: answers, models, and a deadline that it cannot run past.
#include "analysis/contract/solver.h"
#include "tests/support/catch.h"

using namespace warpdrf::contract;
using namespace std::chrono_literals;

TEST_CASE("the solver answers and gives models") {
  Solver solver;
  std::map<std::string, std::int64_t> model;
  CHECK(solver.ask("(declare-const |x y| Int)(assert (= (* 2 |x y|) (- 6)))", {"x y"}, 5s, model) ==
        Answer::Sat);
  CHECK(model["x y"] == -3);
  CHECK(solver.ask("(declare-const x Int)(assert (= (* 2 x) 7))", {}, 5s, model) == Answer::Unsat);
  CHECK(solver.failure().empty());
}

TEST_CASE("what was asked before leaves no trace") {
  Solver solver;
  for (int round = 0; round < 2; ++round) {
    std::map<std::string, std::int64_t> model;
    CHECK(solver.ask("(declare-const x Int)(assert (and (< x 0) (> x 0)))", {}, 5s, model) ==
          Answer::Unsat);
    CHECK(solver.ask("(declare-const x Bool)(assert x)", {"x"}, 5s, model) == Answer::Sat);
    CHECK(model["x"] == 1);
    CHECK(solver.ask("(declare-const x Int)(assert (= x 7))", {"x"}, 5s, model) == Answer::Sat);
    CHECK(model["x"] == 7);
    CHECK(solver.ask("(assert (no such thing))", {}, 5s, model) == Answer::Unknown);
    solver.ask("(assert false)(assert (no such thing))", {}, 5s, model);
  }
}

TEST_CASE("a query that runs away is killed, and the next one is answered") {
  Solver solver;
  std::map<std::string, std::int64_t> model;
  std::string hard = "(declare-const a Int)(declare-const b Int)(declare-const c Int)"
                     "(assert (> a 2))(assert (> b 2))(assert (> c 2))"
                     "(assert (= (+ (* a a a) (* b b b)) (* c c c)))";
  CHECK(solver.ask(hard, {}, 200ms, model) == Answer::Unknown);
  CHECK(solver.ask("(assert false)", {}, 5s, model) == Answer::Unsat);
}
