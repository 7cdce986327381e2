// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects may be written, and what types the arrays of parameters have: addresses followed
// through registers, without regard to order. An object that nothing may write needs no race
// detection. A pointer loaded from memory may be any object.
#include "analysis/interpreter/code.h"

#include <set>

namespace warpdrf::interpreter {

namespace {

using Roots = std::set<std::uint32_t>; ///< indices of objects; `anything` for loaded pointers

constexpr std::uint32_t anything = ~0u;

/// Whether the result is made of the operands a, b and c (all registers).
bool passesOn(Op op) {
  return op <= Op::Unknown && op != Op::Apply && op != Op::Unknown && op != Op::Compare &&
         op != Op::FCompare;
}

unsigned operands(Op op) {
  switch (op) {
  case Op::Move:
  case Op::SignExtend:
  case Op::Truncate:
    return 1;
  case Op::Select:
    return 3;
  default:
    return 2;
  }
}

class RootAnalysis {
public:
  explicit RootAnalysis(Code &code) : code(code), roots(code.registers) {}

  void run() {
    for (std::size_t i = 0; i < code.objects.size(); ++i)
      roots[code.objects[i].address].insert(static_cast<std::uint32_t>(i));
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction &instruction : code.instructions)
        changed |= step(instruction);
    }
    for (ObjectInfo &object : code.objects)
      object.written = object.space == Space::Shared; // uninitialised reads are found there
    types.resize(code.objects.size());
    for (const Instruction &instruction : code.instructions)
      use(instruction);
    // Bytes are often something else by another name.
    for (ParameterInfo &info : code.parameters) {
      if (info.object < 0)
        continue;
      info.parameter.written = code.objects[info.object].written;
      std::optional<Element> &element = info.parameter.element;
      if (types[info.object].size() == 1 && (!element || *element == Element::I8))
        element = *types[info.object].begin();
    }
  }

private:
  bool join(Register to, const Roots &from) {
    const std::size_t before = roots[to].size();
    roots[to].insert(from.begin(), from.end());
    return roots[to].size() != before;
  }

  bool step(const Instruction &instruction) {
    // Only what is as wide as a pointer can be one: 8 bytes, 64 bits.
    if (instruction.op == Op::Load || instruction.op == Op::Atomic)
      return instruction.dst && instruction.bits == (instruction.op == Op::Load ? 8 : 64) &&
             join(instruction.dst, {anything});
    if (instruction.op == Op::Apply) {
      bool changed = false;
      for (Register argument : code.applications[instruction.a].arguments)
        changed |= join(instruction.dst, roots[argument]);
      return changed;
    }
    if (instruction.op == Op::Primitive) {
      const PrimitiveInfo &info = code.primitives[instruction.a];
      return info.results[0] && join(info.results[0], roots[info.arguments[0]]);
    }
    if (!passesOn(instruction.op) || !instruction.dst)
      return false;
    bool changed = join(instruction.dst, roots[instruction.a]);
    if (operands(instruction.op) > 1)
      changed |= join(instruction.dst, roots[instruction.b]);
    if (operands(instruction.op) > 2)
      changed |= join(instruction.dst, roots[instruction.c]);
    return changed;
  }

  void written(Register address) {
    for (std::uint32_t root : roots[address])
      if (root != anything)
        code.objects[root].written = true;
    if (roots[address].count(anything) || roots[address].empty())
      for (ObjectInfo &object : code.objects)
        object.written = true;
  }

  void accessed(Register address, std::optional<Element> element) {
    for (std::uint32_t root : roots[address])
      if (root != anything && element)
        types[root].insert(*element);
  }

  void use(const Instruction &instruction) {
    switch (instruction.op) {
    case Op::Load:
      return accessed(instruction.a, code.elementAt(instruction));
    case Op::Store:
      accessed(instruction.a, code.elementAt(instruction));
      return written(instruction.a);
    case Op::Atomic:
      accessed(instruction.a, code.elementAt(instruction));
      return written(instruction.a);
    case Op::Copy:
    case Op::Fill:
      return written(instruction.a);
    case Op::Primitive:
      if (Register address = code.primitives[instruction.a].address)
        written(address);
      return;
    default:
      return;
    }
  }

  Code &code;
  std::vector<Roots> roots;
  std::vector<std::set<Element>> types;
};

} // namespace

std::optional<Element> Code::elementAt(const Instruction &instruction) const {
  if (instruction.op == Op::Atomic) {
    const AtomicInfo &info = atomics[instruction.c];
    if (info.isFloat)
      return info.floatKind == FloatKind::F16    ? Element::F16
             : info.floatKind == FloatKind::BF16 ? Element::BF16
             : info.floatKind == FloatKind::F32  ? Element::F32
                                                 : Element::F64;
    return info.bits == 64 ? Element::I64 : info.bits == 32 ? Element::I32 : Element::I16;
  }
  return instruction.immediate < 0 ? std::nullopt
                                   : std::optional(static_cast<Element>(instruction.immediate));
}

void analyseRoots(Code &code) {
  RootAnalysis(code).run();
}

} // namespace warpdrf::interpreter
