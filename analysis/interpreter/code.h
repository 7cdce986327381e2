// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel is compiled to: one flat list of instructions over a register file per thread, all
// calls inlined. Structured control is jumps; what the reference semantics needs of the structure
// (loops around a place, arms of branches) is kept beside it, per instruction.
//
// A register holds the bits of a value, zero-extended. A pointer is an address (memory.h).
#pragma once

#include "analysis/interpreter/interpreter.h"

namespace warpdrf::interpreter {

enum class Op : std::uint8_t {
  // values: dst = a op b; `bits` is the width of the result, or of the operands of a comparison
  Move,
  Select,
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  RemS,
  RemU,
  And,
  Or,
  Xor,
  Shl,
  ShrS,
  ShrU,
  MinS,
  MaxS,
  MinU,
  MaxU,
  Compare,
  SignExtend,
  Truncate,
  FAdd,
  FSub,
  FMul,
  FDiv,
  FRem,
  FNeg,
  FMax,
  FMin,
  FMaxNum,
  FMinNum,
  FCompare,
  FFromS,
  FFromU,
  FToS,
  FToU,
  FConvert,
  Index, ///< dst = a + sext(b) * imm: an address
  Apply,
  Unknown,
  // memory
  Load,
  Store,
  Copy, ///< asynchronous if `kind`; then dst is the barrier it completes on, or 0
  Fill,
  Atomic,
  Fence,
  // control
  Jump,
  Branch, ///< b: the arms change nothing but own variables
  Taint,  ///< b is undefined where a is
  LoopEnter,
  LoopBack,
  SwitchEnter,
  Enter,
  Exit,
  Primitive,
  Barrier,
  Arrive, ///< at the barrier in memory at a; dst = the phase
  Await,  ///< the end of phase b there
  Assume,
  Unsupported,
};

enum class FloatKind : std::uint8_t { F16, BF16, F32, F64 };

enum class Comparison : std::uint8_t { Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge };

/// What a fence of scope `thread` does with the thread's asynchronous copies: `kind2` of Op::Fence.
enum CopyFence : std::uint8_t {
  WaitForAll,
  Close,         ///< what was issued since the last one is a group
  Keep,          ///< waits for all groups but the newest `immediate`
  WaitForOldest, ///< waits for the oldest group it has not waited for in this way
};

struct Instruction {
  Op op;
  std::uint8_t bits = 64;
  std::uint8_t kind = 0;  ///< comparison, float kind, …
  std::uint8_t kind2 = 0; ///< a second one: float kind or bits of the source, …
  std::uint32_t dst = 0, a = 0, b = 0, c = 0;
  std::int64_t immediate = 0;
};

using Register = std::uint32_t;
constexpr Register noRegister = 0; ///< register 0 is never read for a value

/// A step of the way from the function's body to a place: a loop it is in, or an arm of a branch.
struct PathStep {
  std::uint32_t construct = 0; ///< numbered; equal for the arms of one branch
  bool loop = false;
  Register count = 0;    ///< of a loop: its iteration count; of a switch: the selector
  std::uint32_t arm = 0; ///< of a branch
  bool isSwitch = false;
  std::uint32_t fallsTo = 0; ///< of a switch: the last arm that can be reached by falling through
};

/// Where instructions stand: shared by those of one block of one inlined call.
struct ScopePath {
  std::vector<PathStep> path;
  std::vector<Register> counts; ///< of the loops in it
};

struct CallPlace {
  Range range;
  std::uint32_t caller = 0; ///< index + 1 into `calls` of the call around it
};

struct SourcePlace {
  Range range;
  std::uint32_t call = 0; ///< index + 1 into `calls`; 0: the kernel itself
};

/// Operands and kind of a primitive, barrier, atomic or applied function.
struct PrimitiveInfo {
  std::uint32_t site = 0;
  std::uint8_t kind = 0; ///< ir::PrimitiveKind
  bool activeMask = false;
  Register mask = 0;
  std::array<Register, 3> arguments{};
  std::array<Register, 2> results{};
  std::array<std::uint8_t, 2> resultBits{};
  unsigned bits = 32; ///< of the value
  bool isFloat = false;
  FloatKind floatKind{};
  Register address = 0, stride = 0;
  std::uint64_t rows = 0, rowBytes = 0;
};

struct BarrierInfo {
  std::uint32_t site = 0;
  std::uint8_t scope = 0; ///< ir::SyncScope
  std::uint8_t vote = 0;  ///< ir::BarrierVote
  bool named = false, arrive = false;
  Register predicate = 0, id = 0, count = 0, result = 0;
};

struct AtomicInfo {
  std::uint8_t kind = 0;  ///< ir::AtomicKind
  std::uint8_t order = 0; ///< ir::MemoryOrder
  std::uint8_t scope = 0; ///< ir::SyncScope
  Register compare = 0, value = 0;
  unsigned bits = 32;
  bool isFloat = false;
  FloatKind floatKind{};
};

struct ApplyInfo {
  std::string name;
  std::vector<Register> arguments;
  std::vector<std::uint8_t> argumentBits;
  std::uint8_t resultBits = 32;
  bool resultIsFloat = false;
  FloatKind floatKind{};
  std::vector<std::optional<FloatKind>> argumentFloats; ///< the arguments that are floats
  int known = -1;                         ///< a function whose meaning we know (apply.cpp)
  std::array<std::uint8_t, 3> operands{}; ///< of a function of halves: the arguments it uses
  bool isUnsigned = false;                ///< of one that converts from or to a whole number
};

struct SwitchInfo {
  std::vector<std::pair<std::int64_t, std::uint32_t>> targets; ///< value to pc
  std::uint32_t otherwise = 0;
};

/// A memory object as the code knows it.
struct ObjectInfo {
  std::string name;
  Space space = Space::Global;
  std::uint64_t size = 0;        ///< of extern shared memory and pointer arguments: 0
  std::uint64_t frameOffset = 0; ///< of a local: where in a thread's local memory
  int parameter = -1;            ///< index into `parameters` of the argument it holds
  Register address = 0;          ///< register that holds its address at the start
  bool written = true;           ///< false: no instruction can write it
};

struct ParameterInfo {
  Parameter parameter;
  Register value = 0;
  int object = -1;
  FloatKind floatKind{};
  bool isFloat = false;
  unsigned bits = 0;
};

struct Code {
  std::string kernel;
  std::vector<Instruction> instructions;
  std::vector<std::uint32_t> placeOf; ///< per instruction, into `places`
  std::vector<std::uint32_t> scopeOf; ///< per instruction, into `scopes`
  std::vector<SourcePlace> places;
  std::vector<CallPlace> calls;
  std::vector<ScopePath> scopes;

  std::uint32_t registers = 1;
  std::vector<std::pair<Register, std::uint64_t>> constants;
  std::array<Register, 19> specials{}; ///< by ir::SpecialValue; 0: not used
  std::vector<ParameterInfo> parameters;
  std::vector<Parameter> publicParameters;
  std::vector<ObjectInfo> objects;
  std::uint64_t localBytes = 0;

  std::vector<Site> sites;
  std::vector<PrimitiveInfo> primitives;
  std::vector<BarrierInfo> barriers;
  std::vector<AtomicInfo> atomics;
  std::vector<ApplyInfo> applications;
  std::vector<SwitchInfo> switches;
  std::vector<std::string> texts; ///< unsupported constructs, labels
  bool hasAsync = false, hasMatrix = false, hasGridBarrier = false;

  Place place(std::uint32_t pc) const;
  /// What a load, store or atomic accesses. `immediate` of a load or store is its element, or -1.
  std::optional<Element> elementAt(const Instruction &instruction) const;
};

/// Finds out which objects some instruction may write, and what types parameters' arrays have.
void analyseRoots(Code &code);

} // namespace warpdrf::interpreter
