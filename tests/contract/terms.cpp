// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal forms: equal meaning, equal node.
#include "analysis/contract/term.h"
#include "tests/support/catch.h"

using namespace warpdrf::contract;

namespace {

Term atom(TermPool &pool, const char *name, Interval range, Uniform uniform = Uniform::Thread) {
  return pool.atom(pool.addSymbol({SymbolKind::Coordinate, name, uniform, uniform, false, range}));
}

} // namespace

TEST_CASE("sums and products meet in one form") {
  TermPool pool;
  Term x = atom(pool, "x", {0, 100}), y = atom(pool, "y", {0, 100});
  CHECK(pool.add(x, y) == pool.add(y, x));
  CHECK(pool.sub(pool.add(x, y), y) == x);
  CHECK(pool.mul(pool.add(x, y), y) == pool.add(pool.mul(y, y), pool.mul(x, y)));
}

TEST_CASE("warp and lane come apart by division") {
  TermPool pool;
  Term lane = atom(pool, "lane", {0, 31}), warp = atom(pool, "warp", {0, 7});
  Term tid = pool.add(pool.scale(warp, 32), lane);
  CHECK(pool.div(tid, pool.integer(32)) == warp);
  CHECK(pool.mod(tid, pool.integer(32)) == lane);
  CHECK(pool.bitAnd(tid, pool.integer(31)) == lane);
  CHECK(pool.shr(tid, pool.integer(5)) == warp);
  CHECK(pool.div(pool.addConstant(tid, 1), pool.integer(32)) != warp); // lane 31 carries over
}

TEST_CASE("an index taken apart and put together is itself") {
  TermPool pool;
  Term g = atom(pool, "g", {0, kUnbounded});
  Term n = atom(pool, "n", {1, kUnbounded}, Uniform::Grid),
       m = atom(pool, "m", {1, kUnbounded}, Uniform::Grid);
  Term column = pool.mod(g, n), row = pool.mod(pool.div(g, n), m),
       plane = pool.div(g, pool.mul(n, m));
  Term again = pool.add(pool.mul(pool.add(pool.mul(plane, m), row), n), column);
  CHECK(again == g);
  CHECK(pool.add(pool.mul(row, n), column) != g);
}

TEST_CASE("a row moves on by what its column carries") {
  TermPool pool;
  Term t = atom(pool, "t", {0, 127}), width = pool.integer(36);
  Term row = pool.div(t, width), column = pool.mod(t, width);
  for (int step = 1; step < 5; ++step) { // as a loop has it that goes 128 elements at a time
    Term next = pool.addConstant(column, 128);
    row = pool.add(row, pool.div(next, width));
    column = pool.mod(next, width);
    CHECK(pool.add(pool.scale(row, 36), column) == pool.addConstant(t, 128 * step));
  }
  Term below = atom(pool, "b", {-5, 127}); // rounds the other way: not the same
  Term carry = pool.div(pool.addConstant(pool.mod(below, width), 40), width);
  CHECK(pool.add(pool.div(below, width), carry) != pool.div(pool.addConstant(below, 40), width));
}

TEST_CASE("comparisons are decided by ranges where they can be") {
  TermPool pool;
  Term lane = atom(pool, "lane", {0, 31});
  CHECK(pool.isTrue(pool.lt(lane, pool.integer(32))));
  CHECK(pool.isFalse(pool.lt(pool.integer(31), lane)));
  CHECK(pool.isFalse(pool.eq(pool.scale(lane, 2), pool.integer(7)))); // parity
  Term half = pool.lt(lane, pool.integer(16));
  CHECK(pool.isFalse(pool.conj(half, pool.negate(half))));
  CHECK(pool.negate(pool.negate(half)) == half);
}

TEST_CASE("a term is as uniform as what it is made of") {
  TermPool pool;
  Term lane = atom(pool, "lane", {0, 31}), warp = atom(pool, "warp", {0, 7}, Uniform::Warp);
  Term n = atom(pool, "n", {0, 100}, Uniform::Grid);
  CHECK(pool.add(warp, n)->uniform == Uniform::Warp);
  CHECK(pool.add(lane, n)->uniform == Uniform::Thread);
  CHECK(pool.mul(n, n)->uniform == Uniform::Grid);
}
