// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects may be written, and what types the arrays of parameters have: addresses followed
// through registers, in order between the targets of jumps, since a register serves many values one
// after the other, and without regard to order beyond. An object that nothing may write
// needs no race detection. A pointer loaded from memory may be any object.
#include "analysis/interpreter/code.h"

#include <set>
#include <unordered_map>

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
  case Op::Index: // the second is a number
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
    const std::set<std::uint32_t> targets = jumpTargets();
    const auto inOrder = [&](auto visit) {
      latest.clear();
      for (std::uint32_t pc = 0; pc < code.instructions.size(); ++pc) {
        if (targets.contains(pc))
          latest.clear();
        visit(code.instructions[pc]);
        define(code.instructions[pc]);
      }
    };
    for (bool changed = true; changed;) {
      changed = false;
      inOrder([&](const Instruction &instruction) { changed |= step(instruction); });
    }
    for (ObjectInfo &object : code.objects)
      object.written = object.space == Space::Shared; // uninitialised reads are found there
    types.resize(code.objects.size());
    inOrder([&](const Instruction &instruction) { use(instruction); });
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

  const Roots &rootsOf(Register value) const {
    auto found = latest.find(value);
    return found == latest.end() ? roots[value] : found->second;
  }

  /// The register that an instruction gives a value, 0 if none.
  Register result(const Instruction &instruction) const {
    return instruction.op == Op::Primitive ? code.primitives[instruction.a].results[0]
           : instruction.op == Op::Copy    ? noRegister // a barrier
                                           : instruction.dst;
  }

  /// The roots of its value.
  Roots flow(const Instruction &instruction) const {
    Roots all;
    const auto add = [&](Register operand) {
      const Roots &some = rootsOf(operand);
      all.insert(some.begin(), some.end());
    };
    // Only what is as wide as a pointer can be one: 8 bytes, 64 bits.
    if (instruction.op == Op::Load || instruction.op == Op::Atomic) {
      if (instruction.bits == (instruction.op == Op::Load ? 8 : 64))
        all.insert(anything);
    } else if (instruction.op == Op::Apply) {
      for (Register argument : code.applications[instruction.a].arguments)
        add(argument);
    } else if (instruction.op == Op::Primitive) {
      add(code.primitives[instruction.a].arguments[0]);
    } else if (passesOn(instruction.op)) {
      add(instruction.a);
      if (operands(instruction.op) > 1)
        add(instruction.b);
      if (operands(instruction.op) > 2)
        add(instruction.c);
    }
    return all;
  }

  bool step(const Instruction &instruction) {
    const Register to = result(instruction);
    return to && join(to, flow(instruction));
  }

  void define(const Instruction &instruction) {
    if (instruction.op == Op::Primitive)
      for (Register each : code.primitives[instruction.a].results)
        if (each)
          latest.erase(each); // the first may carry an address through a shuffle
    if (Register to = instruction.op == Op::Primitive ? 0 : result(instruction))
      latest[to] = flow(instruction);
  }

  std::set<std::uint32_t> jumpTargets() const {
    std::set<std::uint32_t> targets;
    for (const Instruction &instruction : code.instructions)
      if (instruction.op == Op::Jump || instruction.op == Op::Branch ||
          instruction.op == Op::LoopBack)
        targets.insert(instruction.c);
    for (const SwitchInfo &info : code.switches) {
      targets.insert(info.otherwise);
      for (const auto &[value, pc] : info.targets)
        targets.insert(pc);
    }
    return targets;
  }

  void written(Register address) {
    const Roots &from = rootsOf(address);
    for (std::uint32_t root : from)
      if (root != anything)
        code.objects[root].written = true;
    if (from.count(anything) || from.empty())
      for (ObjectInfo &object : code.objects)
        object.written = true;
  }

  void accessed(Register address, std::optional<Element> element) {
    for (std::uint32_t root : rootsOf(address))
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
    case Op::Arrive:
    case Op::Await:
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
  std::unordered_map<Register, Roots> latest; ///< of registers set since the last jump target
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
