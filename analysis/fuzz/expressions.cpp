// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

static Expression test(std::string pattern) {
  return {Type::Condition, std::move(pattern), {}};
}

std::uint64_t Generator::below(std::uint64_t bound) {
  state += 0x9e3779b97f4a7c15ull; // splitmix64
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (z ^ (z >> 31)) % bound;
}

std::string Generator::oneOf(std::initializer_list<const char *> choices) {
  return choices.begin()[below(choices.size())];
}

std::string Generator::number(std::uint64_t low, std::uint64_t high) {
  return std::to_string(low + below(high - low + 1));
}

Expression Generator::integer(std::initializer_list<const char *> choices) {
  return {Type::Integer, oneOf(choices), {}};
}

Expression Generator::numberBetween(std::uint64_t low, std::uint64_t high) {
  return {Type::Integer, number(low, high), {}};
}

Expression Generator::value() {
  switch (below(6)) {
  case 0:
    return numberBetween(0, 3);
  case 1:
    return {Type::Integer, "$0 + $1", {integer({"v"}), numberBetween(1, 3)}};
  case 2:
    return integer({"in[b * D + t]"});
  case 3:
    return integer({"t"});
  default:
    return integer({"v"});
  }
}

/// Distinct for distinct threads of a block.
Expression Generator::ownIndex() {
  switch (below(10)) {
  case 0:
    return {Type::Integer, "t + $0", {numberBetween(1, 64)}};
  case 1:
    return {Type::Integer, "t ^ $0", {integer({"1", "2", "16", "31"})}};
  case 2:
    return integer({"D - 1 - t"});
  case 3:
    return {Type::Integer, "t * 2 + $0", {numberBetween(0, 1)}};
  case 4:
    return integer({"w * 32 + lane"});
  default:
    return integer({"t"});
  }
}

Expression Generator::sharedIndex() {
  switch (below(16)) {
  case 0:
  case 1:
    return numberBetween(0, 3);
  case 2:
    return integer({"lane"});
  case 3:
    return integer({"w"});
  case 4:
    return {Type::Integer, "(t + $0) % D", {numberBetween(1, 3)}};
  case 5:
    return {Type::Integer, "t / $0", {numberBetween(2, 4)}};
  case 6:
    return {Type::Integer, "t & $0", {integer({"7", "15", "31", "62"})}};
  case 7:
    return integer({"cur * 2048 + t"});
  case 8:
    return {Type::Integer, "in[$0] & 255", {integer({"t", "b", "0"})}};
  case 9:
    return {Type::Integer, "t + $0", {numberBetween(1, 2)}};
  case 10:
    return {Type::Integer, "t > 0 ? t - 1 : $0", {integer({"0", "D - 1"})}};
  case 11:
    if (inLoop())
      return {Type::Integer, oneOf({"", "t + ", "32 * "}) + counters.back(), {}};
    [[fallthrough]];
  default:
    return ownIndex();
  }
}

Expression Generator::globalIndex() {
  switch (below(16)) {
  case 0:
    return integer({"b"});
  case 1:
    return integer({"t"});
  case 2:
    return numberBetween(0, 3);
  case 3:
    return {Type::Integer, "b * D + t + $0", {numberBetween(1, 3)}};
  case 4:
    return {Type::Integer, "(b * D + t) * 2 + $0", {numberBetween(0, 1)}};
  case 5:
    return integer({"b * D + D - 1 - t"});
  case 6:
    return integer({"in[b * D + t]"});
  case 7:
    return integer({"b * 4 + w"});
  case 8:
    return integer({"t * gridDim.x + b"});
  case 9:
    if (inLoop())
      return {Type::Integer, "(" + counters.back() + " * gridDim.x + b) * D + t", {}};
    [[fallthrough]];
  default:
    return integer({"b * D + t"});
  }
}

Expression Generator::uniformCondition() {
  switch (below(9)) {
  case 0:
    return {Type::Condition, "n > $0", {numberBetween(0, 9)}};
  case 1:
    return test("n % 2 == 0");
  case 2:
    return {Type::Condition, "b == $0", {numberBetween(0, 1)}};
  case 3:
    return {Type::Condition, "in[b] > $0", {integer({"0", "100"})}};
  case 4:
    return {Type::Condition, "D > $0", {integer({"32", "64"})}};
  case 5:
    return {Type::Condition, "$0 && $1", {uniformCondition(), uniformCondition()}};
  default:
    if (inLoop())
      return {Type::Condition,
              counters.back() + oneOf({" % 2 == $0", " < $0", " > $0"}),
              {numberBetween(0, 2)}};
    return test("n > 4");
  }
}

Expression Generator::condition() {
  switch (below(18)) {
  case 0:
  case 1:
  case 2:
    return uniformCondition();
  case 3:
    return {Type::Condition, "w == $0", {numberBetween(0, 1)}};
  case 4:
    return {Type::Condition, "t < $0", {integer({"1", "16", "32", "48", "64"})}};
  case 5:
    return {Type::Condition, "lane < $0", {integer({"1", "4", "16"})}};
  case 6:
    return {Type::Condition, "t % $0 == 0", {numberBetween(2, 4)}};
  case 7:
    return {Type::Condition, "v > $0", {numberBetween(0, 40)}};
  case 8:
    return {Type::Condition, "in[b * D + t] > $0", {integer({"0", "100", "250"})}};
  case 9:
    return test("t < n");
  case 10:
    return test("b * D + t < n");
  case 11:
    return {Type::Condition, "$0 && $1", {condition(), condition()}};
  case 12:
    return {Type::Condition, "$0 || $1", {condition(), condition()}};
  case 13:
    return {Type::Condition, "w < $0", {numberBetween(1, 2)}};
  case 14:
    if (inLoop())
      return {Type::Condition, "lane > $0", {{Type::Integer, counters.back(), {}}}};
    [[fallthrough]];
  case 15:
    return {Type::Condition, "t == $0", {integer({"0", "0", "D - 1", "33"})}};
  default:
    return test("lane == 0");
  }
}

Expression Generator::mask() {
  switch (below(16)) {
  case 0:
    return {Type::Mask, "0xffffu", {}};
  case 1:
    return {Type::Mask, "__activemask()", {}};
  case 2:
    return {Type::Mask, "__ballot_sync($0, $1)", {{Type::Mask, "~0u", {}}, condition()}};
  case 3:
    return {Type::Mask, "0xfu << (lane & ~3)", {}};
  case 5: // the first names lanes that pass another
    return {Type::Mask, oneOf({"lane < 8 ? 0xffu : ~0u", "lane < 16 ? 0xffffu : 0xffff0000u"}), {}};
  case 4:
    return {Type::Mask, oneOf({"1u << lane", "0xffff0000u", "(1u << 16) - 1"}), {}};
  default:
    return {Type::Mask, "~0u", {}};
  }
}

Expression Generator::tripCount() {
  switch (below(8)) {
  case 0:
    return integer({"n"});
  case 1:
    return {Type::Integer, "t % $0 + 1", {numberBetween(2, 3)}};
  case 2:
    return integer({"in[b] & 3"});
  case 3:
    return integer({"(lane & 3)"});
  case 4:
    return integer({"w + 1"});
  default:
    return numberBetween(2, 4);
  }
}

} // namespace warpdrf::fuzz
