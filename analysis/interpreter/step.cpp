// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction loop. It is instantiated twice: until some value is undefined nobody pays for
// following such values around.
#include "analysis/interpreter/apply.h"
#include "analysis/interpreter/machine.h"

#include "analysis/ir/dialect.h"

namespace warpdrf::interpreter {

/// Loads and stores of the sizes that have an integer type; wider ones move their first 8 bytes.
static std::uint64_t loaded(const std::uint8_t *from, unsigned bytes) {
  std::uint64_t value = 0;
  switch (bytes) {
  case 4: {
    std::uint32_t word;
    std::memcpy(&word, from, 4);
    return word;
  }
  case 8:
    std::memcpy(&value, from, 8);
    return value;
  case 1:
    return *from;
  case 2: {
    std::uint16_t half;
    std::memcpy(&half, from, 2);
    return half;
  }
  default:
    std::memcpy(&value, from, std::min(bytes, 8u));
    return value;
  }
}

static void store(std::uint8_t *to, std::uint64_t value, unsigned bytes) {
  switch (bytes) {
  case 4: {
    const auto word = static_cast<std::uint32_t>(value);
    std::memcpy(to, &word, 4);
    return;
  }
  default:
    for (unsigned at = 0; at < bytes; at += 8)
      std::memcpy(to + at, &value, std::min(bytes - at, 8u));
  }
}

static bool isAtomicOrder(std::uint8_t order) {
  return order >= static_cast<std::uint8_t>(ir::MemoryOrder::Relaxed);
}

static bool isNarrow(std::uint8_t scope) {
  return scope < static_cast<std::uint8_t>(ir::SyncScope::Grid);
}

void Machine::runThread(Block &block, Thread &thread) {
  sliceLeft = static_cast<std::int64_t>(slice());
  current.thread = &thread;
  if (tainting)
    execute<true>(block, thread);
  else
    execute<false>(block, thread);
}

template <bool Tainted>
void Machine::execute(Block &block, Thread &thread) {
  std::uint64_t *const r = thread.registers;
  [[maybe_unused]] std::uint8_t *const taint = Tainted ? thread.taint : nullptr;
  const Instruction *const program = code.instructions.data();
  const Instruction *i = program + thread.pc;
  std::uint64_t steps = 0;
  const auto pcOf = [&] { return static_cast<std::uint32_t>(i - program); };
  const auto leave = [&](std::uint32_t pc) {
    thread.pc = pc;
    result.steps += steps;
    stepsLeft -= std::min(stepsLeft, steps);
  };
  const auto setTaint = [&](std::uint8_t value) {
    if constexpr (Tainted)
      taint[i->dst] = value;
  };
  const auto taintOf = [&](Register at) -> std::uint8_t {
    if constexpr (Tainted)
      return taint[at];
    return 0;
  };
  const auto checkUse = [&](Register at, const char *what) {
    if constexpr (Tainted)
      if (taint[at]) {
        thread.pc = pcOf();
        undefinedUse(block, thread, what);
      }
  };
#define BINARY(NAME, EXPRESSION)                                                                   \
  case Op::NAME: {                                                                                 \
    const std::uint64_t a = r[i->a], b = r[i->b];                                                  \
    r[i->dst] = EXPRESSION;                                                                        \
    setTaint(taintOf(i->a) | taintOf(i->b));                                                       \
    break;                                                                                         \
  }
#define FLOAT32(NAME, OPERATOR)                                                                    \
  case Op::NAME: {                                                                                 \
    if (i->kind == static_cast<std::uint8_t>(FloatKind::F32))                                      \
      r[i->dst] = std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(    \
          r[i->a])) OPERATOR std::bit_cast<float>(static_cast<std::uint32_t>(r[i->b])));           \
    else                                                                                           \
      r[i->dst] = floatArithmetic(Op::NAME, static_cast<FloatKind>(i->kind), r[i->a], r[i->b]);    \
    setTaint(taintOf(i->a) | taintOf(i->b));                                                       \
    break;                                                                                         \
  }
  for (;; ++i) {
    ++steps;
    switch (i->op) {
      BINARY(Add, truncated(a + b, i->bits))
      BINARY(Sub, truncated(a - b, i->bits))
      BINARY(Mul, truncated(a * b, i->bits))
      BINARY(And, a & b)
      BINARY(Or, a | b)
      BINARY(Xor, a ^ b)
      BINARY(Shl, integerArithmetic(Op::Shl, a, b, i->bits))
      BINARY(ShrU, integerArithmetic(Op::ShrU, a, b, i->bits))
      BINARY(ShrS, integerArithmetic(Op::ShrS, a, b, i->bits))
      BINARY(MinS, integerArithmetic(Op::MinS, a, b, i->bits))
      BINARY(MaxS, integerArithmetic(Op::MaxS, a, b, i->bits))
      BINARY(MinU, integerArithmetic(Op::MinU, a, b, i->bits))
      BINARY(MaxU, integerArithmetic(Op::MaxU, a, b, i->bits))
      BINARY(Compare, compareIntegers(static_cast<Comparison>(i->kind), a, b, i->bits))
      BINARY(FCompare, compareFloats(i->kind2, toDouble(a, static_cast<FloatKind>(i->kind)),
                                     toDouble(b, static_cast<FloatKind>(i->kind))))
      BINARY(FRem, floatArithmetic(Op::FRem, static_cast<FloatKind>(i->kind), a, b))
      BINARY(FMax, floatArithmetic(Op::FMax, static_cast<FloatKind>(i->kind), a, b))
      BINARY(FMin, floatArithmetic(Op::FMin, static_cast<FloatKind>(i->kind), a, b))
      BINARY(FMaxNum, floatArithmetic(Op::FMaxNum, static_cast<FloatKind>(i->kind), a, b))
      BINARY(FMinNum, floatArithmetic(Op::FMinNum, static_cast<FloatKind>(i->kind), a, b))
      FLOAT32(FAdd, +)
      FLOAT32(FSub, -)
      FLOAT32(FMul, *)
      FLOAT32(FDiv, /)
    case Op::DivS:
    case Op::DivU:
    case Op::RemS:
    case Op::RemU:
      if (!r[i->b]) {
        leave(pcOf());
        return end(Ending::DivisionByZero,
                   "division by zero by " + describe(block.index, thread.index), thread.pc);
      }
      setTaint(taintOf(i->a) | taintOf(i->b));
      r[i->dst] = integerArithmetic(i->op, r[i->a], r[i->b], i->bits);
      break;
    case Op::Move:
      r[i->dst] = r[i->a];
      setTaint(taintOf(i->a));
      break;
    case Op::Select:
      setTaint(taintOf(i->a) | taintOf(r[i->a] ? i->b : i->c));
      r[i->dst] = r[i->a] ? r[i->b] : r[i->c];
      break;
    case Op::SignExtend:
      r[i->dst] = truncated(static_cast<std::uint64_t>(signedOf(r[i->a], i->kind2)), i->bits);
      setTaint(taintOf(i->a));
      break;
    case Op::Truncate:
      r[i->dst] = truncated(r[i->a], i->bits);
      setTaint(taintOf(i->a));
      break;
    case Op::FNeg: {
      const unsigned sign = i->bits - 1;
      r[i->dst] = r[i->a] ^ (std::uint64_t{1} << sign);
      setTaint(taintOf(i->a));
      break;
    }
    case Op::FFromS:
    case Op::FFromU:
      r[i->dst] =
          integerToFloat(r[i->a], i->kind2, i->op == Op::FFromS, static_cast<FloatKind>(i->kind));
      setTaint(taintOf(i->a));
      break;
    case Op::FToS:
    case Op::FToU:
      r[i->dst] = floatToInteger(toDouble(r[i->a], static_cast<FloatKind>(i->kind)), i->bits,
                                 i->op == Op::FToS);
      setTaint(taintOf(i->a));
      break;
    case Op::FConvert:
      r[i->dst] = fromDouble(toDouble(r[i->a], static_cast<FloatKind>(i->kind2)),
                             static_cast<FloatKind>(i->kind));
      setTaint(taintOf(i->a));
      break;
    case Op::Index: {
      const std::int64_t index =
          i->kind ? static_cast<std::int64_t>(r[i->b]) : signedOf(r[i->b], i->bits);
      r[i->dst] = r[i->a] + static_cast<std::uint64_t>(index * i->immediate);
      setTaint(taintOf(i->a) | taintOf(i->b));
      break;
    }
    case Op::Apply: {
      const ApplyInfo &info = code.applications[i->a];
      if constexpr (Tainted) {
        std::uint8_t any = 0;
        for (Register argument : info.arguments)
          any |= taint[argument];
        taint[i->dst] = any;
      }
      r[i->dst] = applyFunction(info, r);
      break;
    }
    case Op::Unknown: {
      std::uint64_t hash = mix(launch.seed, pcOf());
      hash = mix(hash, (std::uint64_t{block.index} << 32) | thread.index);
      r[i->dst] = truncated(mix(hash, thread.unknowns++), i->bits);
      setTaint(0);
      break;
    }
    case Op::Load: {
      checkUse(i->a, "an address");
      const bool isAtomic = isAtomicOrder(i->kind);
      const std::uint8_t *from =
          resolve(block, thread, r[i->a], i->bits, pcOf(),
                  isAtomic ? AccessKind::AtomicLoad : AccessKind::Read, isNarrow(i->kind2));
      if (!from)
        return leave(pcOf());
      if constexpr (Tainted)
        taint[i->dst] = localTaintAt(block, thread, r[i->a], i->bits);
      const std::uint64_t address = r[i->a];
      r[i->dst] = loaded(from, i->bits);
      if (isAtomic)
        acquire(block, thread, atomicState(block, address),
                i->kind >= static_cast<std::uint8_t>(ir::MemoryOrder::Acquire));
      if (launch.hashReads)
        thread.reads = mix(thread.reads, r[i->dst]);
      if (--sliceLeft <= 0)
        return leave(pcOf() + 1);
      break;
    }
    case Op::Store: {
      checkUse(i->a, "an address");
      const bool isAtomic = isAtomicOrder(i->kind);
      current.value = r[i->b];
      std::uint8_t *to =
          resolve(block, thread, r[i->a], i->bits, pcOf(),
                  isAtomic ? AccessKind::Atomic : AccessKind::Write, isNarrow(i->kind2));
      if (!to)
        return leave(pcOf());
      if constexpr (Tainted)
        if (!setLocalTaint(block, thread, r[i->a], i->bits, taint[i->b]))
          checkUse(i->b, "a store");
      store(to, r[i->b], i->bits);
      if (isAtomic)
        release(block, thread, atomicState(block, r[i->a]),
                i->kind >= static_cast<std::uint8_t>(ir::MemoryOrder::Release), isNarrow(i->kind2),
                false);
      if (--sliceLeft <= 0)
        return leave(pcOf() + 1);
      break;
    }
    case Op::Copy:
    case Op::Fill:
      checkUse(i->a, "an address");
      if (!copy(block, thread, *i, Tainted))
        return leave(pcOf());
      if (--sliceLeft <= 0)
        return leave(pcOf() + 1);
      break;
    case Op::Atomic:
      checkUse(i->a, "an address");
      if (i->b)
        checkUse(i->b, "a store");
      thread.pc = pcOf();
      r[i->dst] = atomic(block, thread, *i);
      setTaint(0);
      if (stopped)
        return leave(pcOf());
      if (--sliceLeft <= 0)
        return leave(pcOf() + 1);
      break;
    case Op::Fence:
      fence(block, thread, *i);
      break;
    case Op::Jump:
      i = program + i->c - 1;
      break;
    case Op::Branch:
      if (!i->b)
        checkUse(i->a, "a branch");
      if (!r[i->a])
        i = program + i->c - 1;
      break;
    case Op::Taint:
      if constexpr (Tainted)
        taint[i->b] |= taint[i->a];
      break;
    case Op::LoopEnter:
      r[i->dst] = 0;
      setTaint(0);
      if (drawing)
        entered(block, thread, pcOf());
      break;
    case Op::LoopBack: {
      ++r[i->dst];
      sliceLeft -= 1;
      const std::uint32_t target = i->c;
      if (drawing)
        entered(block, thread, pcOf());
      if (steps >= stepsLeft) {
        leave(pcOf());
        return end(Ending::StepLimit,
                   "step limit reached: an endless loop, or one that is too long", thread.pc);
      }
      i = program + target - 1;
      if (sliceLeft <= 0)
        return leave(target);
      break;
    }
    case Op::SwitchEnter: {
      checkUse(i->a, "a branch");
      const std::int64_t selector = signedOf(r[i->a], i->bits);
      const SwitchInfo &info = code.switches[i->b];
      r[i->dst] = r[i->a];
      std::uint32_t target = info.otherwise;
      for (const auto &[value, pc] : info.targets)
        if (signedOf(static_cast<std::uint64_t>(value), i->bits) == selector) {
          target = pc;
          break;
        }
      setTaint(0);
      i = program + target - 1;
      break;
    }
    case Op::Enter:
      if (drawing)
        entered(block, thread, pcOf());
      break;
    case Op::Exit:
      thread.wait = Wait::Exited;
      --block.live;
      if (drawing)
        entered(block, thread, pcOf());
      return leave(pcOf());
    case Op::Primitive:
      thread.wait = Wait::Primitive;
      return leave(pcOf());
    case Op::Barrier: {
      const BarrierInfo &info = code.barriers[i->a];
      if (!info.named) {
        thread.wait = info.scope == static_cast<std::uint8_t>(ir::SyncScope::Grid)
                          ? Wait::GridBarrier
                          : Wait::Barrier;
        return leave(pcOf());
      }
      thread.pc = pcOf();
      if (!arriveNamed(block, thread, info))
        return leave(pcOf() + (thread.wait == Wait::None && !stopped));
      break;
    }
    case Op::Arrive:
      checkUse(i->a, "an address");
      thread.pc = pcOf();
      arrive(block, thread, *i);
      setTaint(0);
      if (stopped)
        return leave(pcOf());
      break;
    case Op::Await:
      checkUse(i->a, "an address");
      thread.pc = pcOf();
      await(block, thread, *i);
      if (stopped || thread.wait != Wait::None)
        return leave(pcOf());
      break;
    case Op::Assume:
      if (!r[i->a]) {
        leave(pcOf());
        return end(Ending::Assumption,
                   "an assumption, assert or trap: " + describe(block.index, thread.index) +
                       " makes it false, so the input is not admissible",
                   thread.pc);
      }
      break;
    case Op::Unsupported:
      leave(pcOf());
      return end(Ending::Unsupported, "unsupported: " + code.texts[i->a], thread.pc);
    }
  }
#undef BINARY
#undef FLOAT32
}

} // namespace warpdrf::interpreter
