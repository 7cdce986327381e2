// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements at random.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

void Generator::maybe(Block &block, const char *barrier) {
  if (!chance(8))
    block.push_back(Line{barrier});
}

Statement Generator::collective() {
  switch (below(10)) {
  case 0:
    return Line{"v += __shfl_sync($0, v, $1);",
                {mask(), integer({"0", "3", "lane ^ 1", "n & 31"})}};
  case 1:
    return Line{"v += __shfl_down_sync($0, v, $1);", {mask(), integer({"1", "8", "16"})}};
  case 2:
    return Line{"v += __popc(__ballot_sync($0, $1));", {mask(), condition()}};
  case 3:
    return Line{oneOf({"v += __any_sync($0, $1);", "v += __all_sync($0, $1);"}),
                {mask(), condition()}};
  case 4:
    return Line{"v += __reduce_add_sync($0, v);", {mask()}};
  case 5:
    return Line{"v += __shfl_xor_sync($0, v, $1, $2);",
                {mask(), numberBetween(1, 8), integer({"32", "16", "8"})}};
  case 6:
    return Line{"v += __shfl_up_sync($0, v, $1);", {mask(), integer({"1", "2", "16"})}};
  case 7:
    return Line{"v += __popc(__match_any_sync($0, $1));",
                {mask(), integer({"v & 3", "t / 4", "n", "in[b * D + t]"})}};
  default:
    return Line{"__syncwarp($0);", {mask()}};
  }
}

Statement Generator::simple() {
  switch (below(20)) {
  case 0:
  case 1:
  case 2:
    return Line{oneOf({"s[$0] = $1;", "s[$0] = $1;", "u[$0] = $1;", "s[$0] += $1;"}),
                {sharedIndex(), value()}};
  case 3:
  case 4:
  case 5:
    return Line{oneOf({"v += s[$0];", "v += s[$0];", "v += u[$0];"}), {sharedIndex()}};
  case 6:
    return Line{oneOf({"g[$0] = $1;", "g[$0] += $1;", "h[$0] = $1;"}), {globalIndex(), value()}};
  case 7:
    return Line{oneOf({"v += in[$0];", "v += g[$0];", "v += h[$0];"}), {globalIndex()}};
  case 8:
    return Line{oneOf({"atomicAdd(&s[$0], $1);", "atomicMax(&g[$0], $1);"}),
                {sharedIndex(), value()}};
  case 9:
    return Line{oneOf({"p = s + $0;", "p = $1 ? s : u;", "p += $0;"}),
                {integer({"1", "D", "32 * w", "2048"}), uniformCondition()}};
  case 10:
    return Line{oneOf({"p[$0] = v;", "v += p[$0];"}), {sharedIndex()}};
  case 11:
    return Line{"cur ^= 1;"};
  case 12:
  case 13:
  case 14:
  case 15:
    return collective();
  case 16:
    return Line{oneOf({"v += __syncthreads_count($0);", "v += __syncthreads_or($0);",
                       "v += __syncthreads_and($0);"}),
                {condition()}};
  default:
    return Line{"__syncthreads();"};
  }
}

/// `ending` is the line behind the body.
std::string Generator::loopHead(const std::string &counter, std::string &ending) {
  std::string head;
  switch (inCase ? 5 : below(10)) {
  case 0:
    head = "for (int # = $0; # > 0; --#) {";
    break;
  case 1:
    head = "for (int # = t; # < $0 * D; # += D) {";
    break;
  case 2:
    head = "for (int # = lane; # < $0 * 8; # += 32) {";
    break;
  case 3: // counts at once, for `continue`
    head = "int # = -1; while (++# < $0) {";
    break;
  case 4:
    head = "int # = -1; do { ++#;";
    ending = "} while (# < $0);";
    break;
  default:
    head = "for (int # = 0; # < $0; ++#) {";
  }
  for (std::string *text : {&head, &ending})
    for (std::size_t at = text->find('#'); at != std::string::npos; at = text->find('#'))
      text->replace(at, 1, counter);
  return head;
}

Statement Generator::loop() {
  Statement result;
  std::string counter(1, static_cast<char>('i' + counters.size()));
  counter += std::to_string(whiles++); // two in one block declare two
  result.pattern = loopHead(counter, result.ending);
  result.operands = {tripCount()};
  counters.push_back(counter);
  const bool outer = breakable, outerCase = inCase;
  breakable = true;
  inCase = false;
  Block body = statements(1 + below(3));
  if (chance(30)) {
    const auto place = body.begin() + static_cast<std::ptrdiff_t>(below(body.size() + 1));
    body.insert(place, If{condition(), {Line{oneOf({"break;", "continue;"})}}});
  }
  result.arms.push_back({"", std::move(body)});
  breakable = outer;
  inCase = outerCase;
  counters.pop_back();
  return result;
}

Statement Generator::selection() {
  Statement result{
      "switch ($0) {", {integer({"n % 3", "t % 3", "w", "in[b] & 1", "lane & 1", "b % 2"})}, {}};
  const bool outer = breakable, outerCase = inCase;
  breakable = false;
  inCase = true;
  const std::uint64_t cases = 1 + below(3);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Block body = statements(1);
    if (chance(75))
      body.push_back(Line{"break;"});
    result.arms.push_back({"case " + std::to_string(i) + ":", std::move(body)});
  }
  if (chance(50))
    result.arms.push_back({"default:", statements(1)});
  breakable = outer;
  inCase = outerCase;
  return result;
}

Statement Generator::control() {
  switch (below(8)) {
  case 0:
  case 1:
    return loop();
  case 2:
    return selection();
  case 3:
    if (chance(40))
      return {"if ($0) {", {condition()}, {{"", {Line{"return;"}}}}};
    [[fallthrough]];
  default: {
    Statement result{"if ($0) {", {condition()}, {{"", statements(1 + below(2))}}};
    if (chance(40))
      result.arms.push_back({"} else {", statements(1 + below(2))});
    return result;
  }
  }
}

Statement Generator::statement() {
  if (depth >= 3 || !chance(30))
    return simple();
  ++depth;
  Statement result = control();
  --depth;
  return result;
}

Block Generator::statements(std::uint64_t count) {
  Block result;
  for (std::uint64_t i = 0; i < count; ++i)
    result.push_back(statement());
  return result;
}

} // namespace warpdrf::fuzz
