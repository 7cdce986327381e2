// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, casts, comparisons, pointers. What has no exact integer meaning becomes an
// uninterpreted pure function.
#include "analysis/contract/executor.h"
#include "analysis/contract/planted.h"

namespace warpdrf::contract {

namespace arith = mlir::arith;

Term Executor::value(mlir::Value v) {
  auto found = terms.find(v.getAsOpaquePointer());
  if (found != terms.end())
    return found->second;
  return keyedAtom(v.getDefiningOp(), 99,
                   {SymbolKind::Unknown,
                    "undefined",
                    Uniform::Thread,
                    Uniform::Thread,
                    v.getType().isInteger(1),
                    {-kUnbounded, kUnbounded}});
}

std::vector<Term> Executor::values(mlir::ValueRange range) {
  std::vector<Term> out;
  for (mlir::Value v : range)
    out.push_back(value(v));
  return out;
}

Term Executor::special(ir::SpecialValue which) {
  const Coordinates &c = execution.coordinates;
  auto index = static_cast<unsigned>(which);
  if (index < 12) {
    const std::array<Term, 3> *groups[] = {&c.tid, &c.bid, &c.bdim, &c.gdim};
    return (*groups[index / 3])[index % 3];
  }
  if (which == ir::SpecialValue::WarpSize)
    return pool.integer(execution.options.warpWidth);
  if (which == ir::SpecialValue::LaneId)
    return c.lane;
  Term one = pool.integer(1), bit = pool.shl(one, c.lane);
  switch (which) {
  case ir::SpecialValue::LaneMaskEq:
    return bit;
  case ir::SpecialValue::LaneMaskLt:
    return pool.addConstant(bit, -1);
  case ir::SpecialValue::LaneMaskLe:
    return pool.addConstant(pool.shl(one, pool.addConstant(c.lane, 1)), -1);
  case ir::SpecialValue::LaneMaskGt:
    return pool.shl(pool.integer(-1), pool.addConstant(c.lane, 1));
  default:
    return pool.shl(pool.integer(-1), c.lane);
  }
}

Term Executor::constant(mlir::Attribute attribute) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attribute)) {
    if (integer.getType().isInteger(1))
      return pool.boolean(!integer.getValue().isZero());
    return pool.integer(integer.getValue().getSExtValue());
  }
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(attribute)) {
    llvm::SmallString<24> text;
    real.getValue().toString(text);
    return pool.real(text.str().str());
  }
  return pool.apply("constant", {}, false);
}

Term Executor::compare(mlir::Operation *op, Term a, Term b) {
  auto predicate = llvm::cast<arith::CmpIOp>(op).getPredicate();
  using P = arith::CmpIPredicate;
  unsigned bits = op->getOperand(0).getType().getIntOrFloatBitWidth();
  // Of two numbers with the same bits, one may be written as the unsigned number that it is.
  if (bits > 1 && bits < 62 && (predicate == P::eq || predicate == P::ne))
    for (auto [side, other] : {std::pair(&a, b), std::pair(&b, a)})
      if (auto c = constantOf(*side); c && *c < 0 && other->range.lo >= 0)
        *side = pool.integer(*c + (std::int64_t{1} << bits));
  if (predicate == P::eq)
    return pool.eq(a, b);
  if (predicate == P::ne)
    return pool.negate(pool.eq(a, b));
  // An unsigned comparison with a negative constant is one with a huge number.
  bool isUnsigned =
      predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
  if (isUnsigned && bits < 62)
    for (Term *side : {&a, &b})
      if (auto c = constantOf(*side); c && *c < 0)
        *side = pool.integer(*c + (std::int64_t{1} << bits));
  switch (predicate) {
  case P::slt:
  case P::ult:
    return pool.lt(a, b);
  case P::sle:
  case P::ule:
    return pool.le(a, b);
  case P::sgt:
  case P::ugt:
    return pool.lt(b, a);
  default:
    return pool.le(b, a);
  }
}

/// `v op shfl_xor(v, d)`: after all d the result is the reduction of v over a segment of lanes,
/// which is the same for all of them. A comparison-based argmax is not such an operator; it is no
/// single op either.
Term Executor::butterfly(const std::string &function, Term a, Term b) {
  for (auto [own, other] : {std::pair(a, b), std::pair(b, a)}) {
    auto shuffle = shuffles.find(other);
    if (shuffle == shuffles.end() || std::get<0>(shuffle->second) != own)
      continue;
    auto [value, distance, width] = shuffle->second;
    Butterfly reduced{function, own, distance, width};
    if (auto before = butterflies.find(own);
        before != butterflies.end() && before->second.function == function &&
        before->second.width == width && (before->second.mask & distance) == 0) {
      reduced.base = before->second.base;
      reduced.mask |= before->second.mask;
    }
    bool complete = reduced.mask == width - 1 && width == execution.options.warpWidth;
    Uniform uniform = complete ? reach(reduced.base) : Uniform::Thread;
    Term result =
        collective(kernel, reduced.base, uniform, false, {-kUnbounded, kUnbounded},
                   static_cast<int>(reduced.mask) * 64 + static_cast<int>(width) +
                       static_cast<int>(std::hash<std::string>()(function) % 4096) * 8192);
    butterflies.emplace(result, reduced);
    trace->inflows[static_cast<unsigned>(result->value)] = {{a, b}, {}, nullptr};
    return result;
  }
  return nullptr;
}

Term Executor::fold(const std::string &function, Term a, Term b, Term plain) {
  Term reduced = shuffles.empty() ? nullptr : butterfly(function, a, b);
  return reduced ? reduced : plain;
}

Term Executor::movePointer(Term pointer, Term bytes) {
  if (pointer->op == Op::Pointer)
    return pool.pointer(pointer->value, planted(Bug::pointerOffset)
                                            ? bytes
                                            : pool.add(pointer->children[0], bytes));
  if (pointer->op == Op::Ite)
    return pool.ite(pointer->children[0], movePointer(pointer->children[1], bytes),
                    movePointer(pointer->children[2], bytes));
  return pointer;
}

Term Executor::pointerToInteger(Term pointer) {
  if (pointer->op == Op::Ite)
    return pool.ite(pointer->children[0], pointerToInteger(pointer->children[1]),
                    pointerToInteger(pointer->children[2]));
  if (pointer->op != Op::Pointer)
    return pointer;
  auto [entry, isNew] = addresses.emplace(pointer->value, nullptr);
  if (isNew)
    entry->second = pool.atom(pool.addSymbol({SymbolKind::Launch,
                                              "&" + trace->objects[pointer->value].name,
                                              Uniform::Grid,
                                              Uniform::Grid,
                                              false,
                                              {1, kUnbounded}}));
  return pool.add(entry->second, pointer->children[0]);
}

Term Executor::integerToPointer(Term value, mlir::Operation *op) {
  for (auto &[object, base] : addresses) {
    Term offset = pool.sub(value, base);
    std::unordered_map<Term, bool> seen;
    bool still = false;
    forEachAtom(offset, seen, [&](Term atom) { still |= atom == base; });
    if (!still)
      return pool.pointer(object, offset);
  }
  // An integer that is the same for every thread, such as a surface's handle, stands for one object
  // wherever it is used.
  void *key = value->uniform == Uniform::Grid ? reinterpret_cast<void *>(std::uintptr_t{2}) : op;
  const bool named = value->op == Op::Atom && pool.symbolOf(value).kind == SymbolKind::Parameter;
  const std::int64_t object =
      objectFor(key, static_cast<std::int64_t>(value->id), ir::MemorySpace::Global,
                named ? pool.symbolOf(value).name : "pointer from integer", 0);
  present.emplace(object, pool.negate(pool.eq(value, pool.integer(0))));
  return pool.pointer(object, pool.integer(0));
}

Term Executor::pointersEqual(Term a, Term b) {
  for (Term choice : {a, b})
    if (choice->op == Op::Ite)
      return pool.ite(choice->children[0], pointersEqual(choice->children[1], choice == a ? b : a),
                      pointersEqual(choice->children[2], choice == a ? b : a));
  const std::int64_t null = nullObject();
  for (Term pointer : {a, b}) {
    Term other = pointer == a ? b : a;
    auto found = pointer->op == Op::Pointer ? present.find(pointer->value) : present.end();
    if (found != present.end() && other->op == Op::Pointer && other->value == null)
      return pool.conj(pool.negate(found->second),
                       pool.eq(pointer->children[0], other->children[0]));
  }
  return pool.eq(a, b);
}

std::int64_t Executor::nullObject() {
  return objectFor(nullptr, 0, ir::MemorySpace::Param, "null", 0);
}

/// `__popc(ballot)` counts votes; `__popc(ballot & lanemask_lt)` is the lane's rank among the
/// voters.
/// How many lanes of a group are below this one, which is in it; null where the mask is no group's.
Term Executor::rankOf(Term mask) {
  if (mask->op != Op::Atom || !trace->matches.contains(static_cast<unsigned>(mask->value)))
    return nullptr;
  Term arguments[] = {mask, execution.coordinates.lane, pool.boolean(true)};
  Term rank = pool.rank(arguments);
  trace->ranks.insert(static_cast<unsigned>(rank->value));
  return rank;
}

Term Executor::populationCount(Term mask) {
  auto isBallot = [&](Term t) {
    return t->op == Op::Atom && trace->ballots.contains(static_cast<unsigned>(t->value));
  };
  Term lower = special(ir::SpecialValue::LaneMaskLt);
  for (int i : {0, 1})
    if (mask->op == Op::BitAnd && mask->children[1 - i] == lower)
      if (Term rank = rankOf(mask->children[i]))
        return rank;
  if (mask->op != Op::BitAnd)
    return nullptr;
  for (int i : {0, 1}) {
    Term ballot = mask->children[i], below = mask->children[1 - i];
    if (!isBallot(ballot) || below->op != Op::Linear || below->value != -1 ||
        below->children.size() != 1 || below->coefficients[0] != 1 ||
        below->children[0]->op != Op::Shl || constantOf(below->children[0]->children[0]) != 1)
      continue;
    Term lane = below->children[0]->children[1];
    const Ballot &b = trace->ballots.at(static_cast<unsigned>(ballot->value));
    Term arguments[] = {ballot, lane, b.predicate};
    Term rank = pool.rank(arguments);
    trace->ranks.insert(static_cast<unsigned>(rank->value));
    return rank;
  }
  return nullptr;
}

bool Executor::runArithmetic(mlir::Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  mlir::Value result = op->getResult(0);
  bool boolean = result.getType().isInteger(1);
  auto operand = [&](unsigned i) { return value(op->getOperand(i)); };
  auto truth = [&](Term t) { return t->boolean ? t : pool.negate(pool.eq(t, pool.integer(0))); };
  Term term = nullptr;
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case<arith::ConstantOp>([&](auto o) { term = constant(o.getValue()); })
      .Case<ir::SpecialOp>([&](auto o) { term = special(o.getWhich()); })
      .Case<ir::AddressOfOp>([&](auto o) {
        auto object = llvm::cast<ir::ObjectOp>(symbolFor(o, o.getObjectAttr()));
        term = pool.pointer(objectFor(object, 0, object.getSpace(), object.getDisplayName().str(),
                                      static_cast<std::int64_t>(object.getSize())),
                            pool.integer(0));
      })
      .Case<ir::OffsetOp>([&](auto) { term = movePointer(operand(0), operand(1)); })
      .Case<ir::NullOp>([&](auto) { term = pool.pointer(nullObject(), pool.integer(0)); })
      .Case<ir::PtrToIntOp>([&](auto) { term = pointerToInteger(operand(0)); })
      .Case<ir::IntToPtrOp>([&](auto) { term = integerToPointer(operand(0), op); })
      .Case<ir::PtrDiffOp>([&](auto) {
        term = pool.sub(pointerToInteger(operand(0)), pointerToInteger(operand(1)));
      })
      .Case<ir::PtrEqOp>([&](auto) { term = pointersEqual(operand(0), operand(1)); })
      .Case<arith::AddIOp>([&](auto) {
        term = fold("add", operand(0), operand(1), pool.add(operand(0), operand(1)));
      })
      .Case<arith::SubIOp>([&](auto) { term = pool.sub(operand(0), operand(1)); })
      .Case<arith::MulIOp>([&](auto) { term = pool.mul(operand(0), operand(1)); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) {
        noteExtents(operand(1));
        term = pool.div(operand(0), operand(1));
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) {
        noteExtents(operand(1));
        term = pool.mod(operand(0), operand(1));
      })
      .Case<arith::AndIOp>([&](auto) {
        term = boolean ? pool.conj(truth(operand(0)), truth(operand(1)))
                       : fold("and", operand(0), operand(1), pool.bitAnd(operand(0), operand(1)));
      })
      .Case<arith::OrIOp>([&](auto) {
        term = boolean ? pool.disj(truth(operand(0)), truth(operand(1)))
                       : fold("or", operand(0), operand(1), pool.bitOr(operand(0), operand(1)));
      })
      .Case<arith::XOrIOp>([&](auto) {
        term = boolean ? pool.negate(pool.eq(truth(operand(0)), truth(operand(1))))
                       : pool.bitXor(operand(0), operand(1));
      })
      .Case<arith::ShLIOp>([&](auto) { term = pool.shl(operand(0), operand(1)); })
      .Case<arith::ShRSIOp>([&](auto) { term = pool.shr(operand(0), operand(1)); })
      .Case<arith::ShRUIOp>([&](auto) {
        Term a = operand(0);
        if ((term = dividedBy(a, operand(1))))
          return;
        unsigned bits = result.getType().getIntOrFloatBitWidth();
        if (auto c = constantOf(a); c && *c < 0 && bits < 62)
          a = pool.integer(*c + (std::int64_t{1} << bits));
        term = pool.shr(a, operand(1));
      })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) {
        term = fold("min", operand(0), operand(1), pool.min(operand(0), operand(1)));
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) {
        term = fold("max", operand(0), operand(1), pool.max(operand(0), operand(1)));
      })
      .Case<arith::CmpIOp>([&](auto) { term = compare(op, operand(0), operand(1)); })
      .Case<arith::SelectOp>(
          [&](auto) { term = pool.ite(truth(operand(0)), operand(1), operand(2)); })
      .Case<arith::ExtUIOp>([&](auto o) {
        Term a = operand(0);
        unsigned bits = o.getIn().getType().getIntOrFloatBitWidth();
        if (auto c = constantOf(a); c && *c < 0 && bits < 62)
          a = pool.integer(*c + (std::int64_t{1} << bits));
        term = pool.add(a, pool.integer(0)); // a truth value becomes a number
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { term = operand(0); })
      .Case<arith::TruncIOp>([&](auto) {
        Term a = operand(0);
        unsigned bits = boolean ? 1 : result.getType().getIntOrFloatBitWidth();
        if (boolean) {
          term =
              a->boolean ? a : pool.negate(pool.eq(pool.mod(a, pool.integer(2)), pool.integer(0)));
        } else if (auto c = constantOf(a); c && bits < 62) {
          std::int64_t wrapped = *c & ((std::int64_t{1} << bits) - 1);
          if (wrapped >> (bits - 1))
            wrapped -= std::int64_t{1} << bits;
          term = pool.integer(wrapped);
        } else if (bits < 32 && !planted(Bug::wrap) &&
                   !(a->range.lo >= 0 && a->range.hi < (std::int64_t{1} << bits))) {
          term = pool.bitAnd(a, pool.integer((std::int64_t{1} << bits) - 1));
        } else {
          term = a;
        }
      })
      .Case<arith::BitcastOp>([&](auto) {
        std::vector<Term> arguments{operand(0)};
        term = pool.apply("bitcast", arguments, boolean);
      })
      .Case<ir::ApplyOp>([&](auto o) {
        std::vector<Term> arguments = values(o.getArguments());
        std::string name = o.getFunction().str();
        if (name == "__popc" && (term = populationCount(arguments[0])))
          return;
        bool counts = name == "__popc" || name == "__popcll" || name == "__clz" || name == "__ffs";
        Interval range = counts             ? Interval{0, 64}
                         : name == "__brev" ? Interval{0, (std::int64_t{1} << 32) - 1}
                                            : Interval{-kUnbounded, kUnbounded};
        term = pool.apply(name, arguments, boolean, range);
        if (arguments.size() == 2)
          term = fold(name, arguments[0], arguments[1], term);
      })
      .Case<ir::UnknownOp>([&](auto o) {
        term = keyedAtom(op, 3,
                         {SymbolKind::Unknown,
                          o.getWhy().str(),
                          Uniform::Thread,
                          Uniform::Thread,
                          boolean,
                          {-kUnbounded, kUnbounded}});
      })
      .Default([&](mlir::Operation *o) {
        if (o->getDialect() != o->getContext()->getLoadedDialect<arith::ArithDialect>())
          return;
        std::vector<Term> arguments = values(o->getOperands());
        std::string name = o->getName().stripDialect().str();
        if (auto cmp = llvm::dyn_cast<arith::CmpFOp>(o))
          name += std::to_string(static_cast<int>(cmp.getPredicate()));
        term = pool.apply(name, arguments, boolean);
        if (arguments.size() == 2)
          term = fold(name, arguments[0], arguments[1], term);
      });
  if (!term)
    return false;
  define(result, term);
  return true;
}

} // namespace warpdrf::contract
