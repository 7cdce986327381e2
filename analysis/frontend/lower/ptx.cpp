// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/lower/ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace warpdrf::frontend {

std::string PtxInstruction::name() const {
  std::string result;
  for (const std::string &part : opcode)
    result += (result.empty() ? "" : ".") + part;
  return result;
}

bool PtxInstruction::has(llvm::StringRef modifier) const {
  return std::find(opcode.begin() + 1, opcode.end(), modifier.str()) != opcode.end();
}

bool PtxInstruction::startsWith(std::initializer_list<llvm::StringRef> parts) const {
  return opcode.size() >= parts.size() && std::equal(parts.begin(), parts.end(), opcode.begin());
}

bool PtxInstruction::touchesMemory() const {
  return llvm::any_of(operands, [](llvm::StringRef each) { return each.contains('['); });
}

static std::vector<std::string> splitOperands(llvm::StringRef text) {
  std::vector<std::string> result;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '['))
      ++depth;
    else if (i < text.size() && (text[i] == '}' || text[i] == ']'))
      --depth;
    else if (i == text.size() || (text[i] == ',' && depth == 0)) {
      const llvm::StringRef part = text.slice(start, i).trim();
      if (!part.empty())
        result.push_back(part.str());
      start = i + 1;
    }
  }
  return result;
}

/// Comments out, and a scope's braces, which stand where an instruction starts or ends.
static std::string withoutComments(llvm::StringRef text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//"))
      i = std::min(text.find('\n', i), text.size());
    else if (text.substr(i).starts_with("/*"))
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
    else
      result += text[i];
  }
  return result;
}

std::vector<PtxInstruction> parsePtx(llvm::StringRef text) {
  std::vector<PtxInstruction> result;
  const std::string clean = withoutComments(text);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(clean).split(lines, ';');
  for (llvm::StringRef line : lines) {
    line = line.trim(" \t\n\r");
    while (line.consume_front("{") || line.consume_front("}"))
      line = line.ltrim(" \t\n\r");
    if (line.empty() || line.starts_with(".reg") || line.starts_with(".pragma"))
      continue;
    PtxInstruction instruction;
    if (line.starts_with("@")) {
      const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
      instruction.predicate = line.take_front(end).str();
      line = line.drop_front(end).ltrim(" \t\n\r");
    }
    const std::size_t end = std::min(line.find_first_of(" \t\n"), line.size());
    llvm::SmallVector<llvm::StringRef> parts;
    line.take_front(end).split(parts, '.', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef part : parts)
      if (!part.starts_with(":"))
        instruction.opcode.push_back(part.split("::").second.empty() || part.starts_with("shared")
                                         ? part.split("::").first.str()
                                         : part.str());
    if (instruction.opcode.empty())
      continue;
    instruction.operands = splitOperands(line.drop_front(end));
    result.push_back(std::move(instruction));
  }
  return result;
}

std::optional<unsigned> operandIndex(llvm::StringRef operand) {
  unsigned index = 0;
  if (!operand.consume_front("%") || operand.getAsInteger(10, index))
    return std::nullopt;
  return index;
}

std::optional<PtxAddress> ptxAddress(llvm::StringRef operand) {
  if (!operand.consume_front("[") || !operand.consume_back("]"))
    return std::nullopt;
  const auto [base, displacement] = operand.split('+');
  const std::optional<unsigned> index = operandIndex(base.trim());
  std::int64_t offset = 0;
  if (!index || (!displacement.empty() && displacement.trim().getAsInteger(0, offset)))
    return std::nullopt;
  return PtxAddress{*index, offset};
}

std::vector<std::string> vectorElements(llvm::StringRef operand) {
  if (!operand.consume_front("{") || !operand.consume_back("}"))
    return {operand.str()};
  return splitOperands(operand);
}

} // namespace warpdrf::frontend
