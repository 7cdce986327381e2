// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fuzz/generate.h"

#include "analysis/fuzz/generator.h"

#include <iterator>

namespace warpdrf::fuzz {

static void append(Block &to, Block what) {
  to.insert(to.end(), std::make_move_iterator(what.begin()), std::make_move_iterator(what.end()));
}

Statement Generator::collective() {
  switch (below(8)) {
  case 0:
    return line("v += __shfl_sync($0, v, $1);",
                {mask(), {Type::Integer, oneOf({"0", "3", "lane ^ 1", "n & 31"}), {}}});
  case 1:
    return line("v += __shfl_down_sync($0, v, $1);",
                {mask(), {Type::Integer, oneOf({"1", "8", "16"}), {}}});
  case 2:
    return line("v += __popc(__ballot_sync($0, $1));", {mask(), condition()});
  case 3:
    return line(oneOf({"v += __any_sync($0, $1);", "v += __all_sync($0, $1);"}),
                {mask(), condition()});
  case 4:
    return line("v += __reduce_add_sync($0, v);", {mask()});
  case 5:
    return line(
        "v += __shfl_xor_sync($0, v, $1, $2);",
        {mask(), {Type::Integer, number(1, 8), {}}, {Type::Integer, oneOf({"32", "16", "8"}), {}}});
  default:
    return line("__syncwarp($0);", {mask()});
  }
}

Statement Generator::simple() {
  switch (below(20)) {
  case 0:
  case 1:
  case 2:
    return line(oneOf({"s[$0] = $1;", "s[$0] = $1;", "u[$0] = $1;", "s[$0] += $1;"}),
                {sharedIndex(), value()});
  case 3:
  case 4:
  case 5:
    return line(oneOf({"v += s[$0];", "v += s[$0];", "v += u[$0];"}), {sharedIndex()});
  case 6:
    return line(oneOf({"g[$0] = $1;", "g[$0] += $1;", "h[$0] = $1;"}), {globalIndex(), value()});
  case 7:
    return line(oneOf({"v += in[$0];", "v += g[$0];", "v += h[$0];"}), {globalIndex()});
  case 8:
    return line(oneOf({"atomicAdd(&s[$0], $1);", "atomicMax(&g[$0], $1);"}),
                {sharedIndex(), value()});
  case 9:
    return line(oneOf({"p = s + $0;", "p = $1 ? s : u;", "p += $0;"}),
                {{Type::Integer, oneOf({"1", "D", "32 * w", "2048"}), {}}, uniformCondition()});
  case 10:
    return line(oneOf({"p[$0] = v;", "v += p[$0];"}), {sharedIndex()});
  case 11:
    return line("cur ^= 1;");
  case 12:
  case 13:
  case 14:
  case 15:
    return collective();
  default:
    return line("__syncthreads();");
  }
}

Statement Generator::loop() {
  const std::string counter(1, static_cast<char>('i' + counters.size()));
  const std::string heads[] = {
      "for (int # = 0; # < $0; ++#) {",
      "for (int # = $0; # > 0; --#) {",
      "for (int # = t; # < $0 * D; # += D) {",
      "for (int # = lane; # < $0 * 8; # += 32) {",
  };
  std::string head = heads[chance(70) ? 0 : 1 + below(3)];
  for (std::size_t at = head.find('#'); at != std::string::npos; at = head.find('#'))
    head.replace(at, 1, counter);
  Statement result{head, {tripCount()}, {}};
  counters.push_back(counter);
  const bool outer = breakable;
  breakable = true;
  result.arms.push_back({"", statements(1 + static_cast<unsigned>(below(3)))});
  if (chance(30))
    result.arms[0].body.insert(
        result.arms[0].body.begin() +
            static_cast<std::ptrdiff_t>(below(result.arms[0].body.size() + 1)),
        {"if ($0) {", {condition()}, {{"", {line(oneOf({"break;", "continue;"}))}}}});
  breakable = outer;
  counters.pop_back();
  return result;
}

Statement Generator::selection() {
  Statement result{
      "switch ($0) {",
      {{Type::Integer, oneOf({"n % 3", "t % 3", "w", "in[b] & 1", "lane & 1", "b % 2"}), {}}},
      {}};
  const bool outer = breakable;
  breakable = false;
  const std::uint64_t cases = 1 + below(3);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Block body = statements(1);
    if (chance(75))
      body.push_back(line("break;"));
    result.arms.push_back({"case " + std::to_string(i) + ":", std::move(body)});
  }
  if (chance(50))
    result.arms.push_back({"default:", statements(1)});
  breakable = outer;
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
      return {"if ($0) {", {condition()}, {{"", {line("return;")}}}};
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

Block Generator::statements(unsigned count) {
  Block result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(statement());
  return result;
}

/// Everybody writes a place of its own, everybody reads.
Block Generator::phase() {
  Block all;
  const bool warp = chance(15);
  const char *barrier = warp ? "__syncwarp();" : "__syncthreads();";
  const std::string array = oneOf({"s", "u"});
  Statement write = line(array + "[$0] = $1;", {ownIndex(), value()});
  if (chance(25))
    write = {"if ($0) {", {condition()}, {{"", {write}}}};
  all.push_back(std::move(write));
  maybe(all, barrier);
  if (chance(30))
    all.push_back(line("v += __shfl_xor_sync(~0u, v, $0);", {{Type::Integer, number(1, 31), {}}}));
  Statement read = line("v += " + array + "[$0];",
                        {warp ? Expression{Type::Integer, "t ^ 1", {}} : sharedIndex()});
  if (chance(25))
    read = {"if ($0) {", {condition()}, {{"", {read}}}};
  all.push_back(std::move(read));
  maybe(all, barrier);
  return all;
}

Block Generator::disciplined() {
  Block all;
  const std::uint64_t parts = 1 + below(3);
  for (std::uint64_t i = 0; i < parts; ++i) {
    switch (below(6)) {
    case 0:
      append(all, recipe());
      break;
    case 1:
      all.push_back({"if ($0) {", {uniformCondition()}, {{"", phase()}}});
      break;
    case 2:
      counters.push_back("i");
      all.push_back({"for (int i = 0; i < $0; ++i) {",
                     {{Type::Integer, oneOf({"n", "3", "in[b] & 3"}), {}}},
                     {{"", phase()}}});
      counters.pop_back();
      break;
    default:
      append(all, phase());
    }
    maybe(all, "__syncthreads();");
  }
  all.push_back(line("g[b * D + t] = v;"));
  return all;
}

Program Generator::program() {
  Program result;
  if (chance(60)) {
    const int blocks[] = {32, 64, 64, 96, 128, 128, 48, 20};
    result.block = blocks[below(8)];
  }
  if (chance(50))
    result.grid = 1 + static_cast<std::int64_t>(below(3));
  switch (below(5)) {
  case 0:
    result.body = statements(2 + static_cast<unsigned>(below(5)));
    break;
  case 1:
    result.body = recipe();
    append(result.body, statements(static_cast<unsigned>(below(3))));
    break;
  default:
    result.body = disciplined();
  }
  return result;
}

Program generate(std::uint64_t seed) {
  return Generator(seed).program();
}

} // namespace warpdrf::fuzz
