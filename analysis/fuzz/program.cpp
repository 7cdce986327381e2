// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fuzz/program.h"

#include "analysis/fuzz/words.h"

#include <cctype>
#include <iterator>
#include <utility>

namespace warpdrf::fuzz {

static std::string filled(const std::string &pattern, const std::vector<Expression> &operands) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] == '$') {
      const Expression &operand = operands[static_cast<std::size_t>(pattern[++i] - '0')];
      result += filled(operand.pattern, operand.operands);
    } else {
      result += pattern[i];
    }
  return result;
}

static void print(const Block &block, unsigned indent, std::string &out) {
  const std::string margin(indent * 2, ' ');
  for (const Statement &statement : block) {
    out += margin + filled(statement.pattern, statement.operands) + "\n";
    for (const Arm &arm : statement.arms) {
      if (!arm.label.empty())
        out += margin + arm.label + "\n";
      print(arm.body, indent + 1, out);
    }
    if (!statement.arms.empty())
      out += margin + filled(statement.ending, statement.operands) + "\n";
  }
}

bool mentions(const std::string &text, const std::string &word) {
  const auto isPart = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !isPart(at - 1)) && !isPart(at + word.size()))
      return true;
  return false;
}

std::string text(const Program &program, const std::string &name) {
  // Later ones may mention earlier ones.
  const bool flat = program.rows == 1;
  const std::pair<const char *, const char *> declarations[] = {
      {"s", "__shared__ int s[4096];"},
      {"u", "__shared__ int u[4096];"},
      {"tile", "__shared__ int tile[32][33];"},
      {"pair", "__shared__ int pair[2][1024];"},
      {"cells", "__shared__ Cell cells[1024];"},
      {"dyn", "extern __shared__ int dyn[];"},
      {"block", "auto block = cooperative_groups::this_thread_block();"},
      {"grid", "auto grid = cooperative_groups::this_grid();"},
      {"tile4", "auto tile4 = cooperative_groups::tiled_partition<4>(block);"},
      {"tile8", "auto tile8 = cooperative_groups::tiled_partition<8>(block);"},
      {"tile16", "auto tile16 = cooperative_groups::tiled_partition<16>(block);"},
      {"tile32", "auto tile32 = cooperative_groups::tiled_partition<32>(block);"},
      {"tile64", "auto tile64 = cooperative_groups::tiled_partition<64>(block);"},
      {"part", "auto part = cooperative_groups::tiled_partition<4>(tile32);"},
      {"t", flat ? "int t = threadIdx.x;" : "int t = threadIdx.y * blockDim.x + threadIdx.x;"},
      {"b", "int b = blockIdx.x;"},
      {"D", flat ? "int D = blockDim.x;" : "int D = blockDim.x * blockDim.y;"},
      {"lane", "int lane = t % 32;"},
      {"w", "int w = t / 32;"},
      {"v", "int v = t;"},
      {"x", "int x = 0;"},
      {"m", "unsigned m = 0;"},
      {"below", "unsigned below; asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(below));"},
      {"r", "int r = 0;"},
      {"cur", "int cur = 0;"},
      {"small", "short small = 0;"},
      {"byte", "unsigned char byte = t;"},
      {"p", "int *p = s;"},
  };
  std::string body;
  print(program.body, 1, body);
  for (auto each = std::rbegin(declarations); each != std::rend(declarations); ++each)
    if (mentions(body, each->first))
      body = "  " + std::string(each->second) + "\n" + body;
  return "__global__ void " + name + "(int *g, int *h, int *count, const int *in, int n) {\n" +
         body + "}\n";
}

} // namespace warpdrf::fuzz
