// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mixed radix: which indices meet, decided without a solver; and which are not claimed to be apart.
#include "analysis/contract/overlap.h"
#include "tests/support/catch.h"

using namespace warpdrf::contract;

namespace {

/// `blockIdx.x·blockDim.x + threadIdx.x` of two threads of different blocks, and a stride loop's
/// counters.
struct Grid {
  TermPool pool;
  Term dim = launch("blockDim"), blocks = launch("gridDim");
  Term tid1 = digit("tid1", dim), tid2 = digit("tid2", dim);
  Term bid1 = digit("bid1", blocks), bid2 = digit("bid2", blocks);
  Term k1 = digit("k1", nullptr), k2 = digit("k2", nullptr);

  Term launch(const char *name) {
    return pool.atom(pool.addSymbol(
        {SymbolKind::Launch, name, Uniform::Grid, Uniform::Grid, false, {1, kUnbounded}}));
  }
  Term digit(const char *name, Term below) {
    Term atom = pool.atom(pool.addSymbol(
        {SymbolKind::Coordinate, name, Uniform::Thread, Uniform::Thread, false, {0, kUnbounded}}));
    if (below)
      pool.bound(atom, below);
    return atom;
  }
  Term index(Term bid, Term tid, Term k, Term stride) {
    return pool.add(pool.add(pool.mul(bid, dim), tid), pool.mul(k, stride));
  }
};

} // namespace

TEST_CASE("a grid-stride loop never meets itself") {
  Grid g;
  Term stride = g.pool.mul(g.dim, g.blocks);
  bool assumed = true;
  Term meet = overlap(g.pool, g.pool.scale(g.index(g.bid1, g.tid1, g.k1, stride), 4), 4,
                      g.pool.scale(g.index(g.bid2, g.tid2, g.k2, stride), 4), 4, true, assumed);
  CHECK_FALSE(assumed);
  CHECK(g.pool.isFalse(g.pool.conj(meet, g.pool.negate(g.pool.eq(g.bid1, g.bid2)))));
}

TEST_CASE("a stride of blockDim squared is not claimed to keep blocks apart") {
  Grid g;
  Term stride = g.pool.mul(g.dim, g.dim);
  bool assumed = true;
  Term meet = overlap(g.pool, g.pool.scale(g.index(g.bid1, g.tid1, g.k1, stride), 4), 4,
                      g.pool.scale(g.index(g.bid2, g.tid2, g.k2, stride), 4), 4, true, assumed);
  CHECK_FALSE(assumed);
  CHECK_FALSE(g.pool.isFalse(g.pool.conj(meet, g.pool.negate(g.pool.eq(g.bid1, g.bid2)))));
}

TEST_CASE("a scalar parameter is a stride by assumption only") {
  Grid g;
  Term pitch = g.pool.atom(g.pool.addSymbol({SymbolKind::Parameter,
                                             "pitch",
                                             Uniform::Grid,
                                             Uniform::Grid,
                                             false,
                                             {-kUnbounded, kUnbounded}}));
  Term a = g.pool.add(g.pool.mul(g.bid1, pitch), g.tid1),
       b = g.pool.add(g.pool.mul(g.bid2, pitch), g.tid2);
  Term apart = g.pool.negate(g.pool.eq(g.bid1, g.bid2));
  bool assumed = false;
  CHECK(g.pool.isFalse(g.pool.conj(overlap(g.pool, a, 1, b, 1, true, assumed), apart)));
  CHECK(assumed);
  CHECK_FALSE(g.pool.isFalse(g.pool.conj(overlap(g.pool, a, 1, b, 1, false, assumed), apart)));
  CHECK_FALSE(assumed);
}

TEST_CASE("accesses of different width meet by bytes") {
  TermPool pool;
  bool assumed = false;
  auto meet = [&](std::int64_t a, std::int64_t sizeA, std::int64_t b, std::int64_t sizeB) {
    return pool.isTrue(
        overlap(pool, pool.integer(a), sizeA, pool.integer(b), sizeB, true, assumed));
  };
  CHECK(meet(0, 16, 12, 4));
  CHECK_FALSE(meet(0, 16, 16, 4));
  CHECK(meet(3, 1, 0, 4));
}
