// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots, pointers, memory, primitives and barriers.
#include "analysis/interpreter/compile.h"

#include "analysis/interpreter/apply.h"
#include "analysis/ir/attributes.h"

namespace warpdrf::interpreter {

/// Whether nothing between `get` and the last use of its value can set the slot, so that the slot's
/// register can stand for the value.
static bool canAlias(ir::GetOp get) {
  unsigned uses = 0;
  for (mlir::Operation *user : get.getValue().getUsers()) {
    if (user->getBlock() != get->getBlock())
      return false;
    ++uses;
  }
  unsigned looked = 0;
  mlir::Operation *op = get->getNextNode();
  for (; op && uses && looked < 64; op = op->getNextNode(), ++looked) {
    for (mlir::Value operand : op->getOperands())
      uses -= operand == get.getValue();
    if (!uses)
      return true; // the last use reads its operands before it does anything
    auto set = mlir::dyn_cast<ir::SetOp>(op);
    if (op->getNumRegions() || (set && set.getSlot() == get.getSlot()))
      return false;
  }
  return uses == 0;
}

void Compiler::get(ir::GetOp op) {
  const Register slot = valueOf(op.getSlot());
  if (canAlias(op)) {
    registers[op.getValue()] = slot;
    return;
  }
  const Register value = define(op.getValue());
  Instruction &move = emit(Op::Move);
  move.dst = value;
  move.a = slot;
}

void Compiler::set(ir::SetOp op) {
  const Register slot = valueOf(op.getSlot()), value = valueOf(op.getValue());
  mlir::Operation *source = op.getValue().getDefiningOp();
  if (source && source == op->getPrevNode() && op.getValue().hasOneUse() && lastTarget != here() &&
      !code.instructions.empty() && code.instructions.back().dst == value &&
      !mlir::isa<ir::GetOp, ir::CallOp>(source)) {
    code.instructions.back().dst = slot;
    return;
  }
  Instruction &move = emit(Op::Move);
  move.dst = slot;
  move.a = value;
}

bool Compiler::slots(mlir::Operation *op) {
  if (auto variable = mlir::dyn_cast<ir::VarOp>(op)) {
    const Register slot = define(variable.getSlot());
    auto next = mlir::dyn_cast_or_null<ir::SetOp>(op->getNextNode());
    if (!next || next.getSlot() != variable.getSlot()) {
      const Register zero = constant(0);
      Instruction &move = emit(Op::Move);
      move.dst = slot;
      move.a = zero;
    }
  } else if (auto read = mlir::dyn_cast<ir::GetOp>(op)) {
    get(read);
  } else if (auto write = mlir::dyn_cast<ir::SetOp>(op)) {
    set(write);
  } else {
    return false;
  }
  return true;
}

/// `x * constant` with an optional extension of x, for addresses: what `offset` swallows.
struct ScaledIndex {
  mlir::Value index;
  std::int64_t scale = 1;
  bool isSigned = true;
};

static std::optional<std::int64_t> literal(mlir::Value value) {
  auto op = value.getDefiningOp<mlir::arith::ConstantOp>();
  auto integer = op ? mlir::dyn_cast<mlir::IntegerAttr>(op.getValue()) : mlir::IntegerAttr();
  return integer ? std::optional<std::int64_t>(integer.getValue().getSExtValue()) : std::nullopt;
}

static std::optional<ScaledIndex> scaledIndex(mlir::Value bytes) {
  auto product = bytes.getDefiningOp<mlir::arith::MulIOp>();
  if (!product || !product->hasOneUse())
    return std::nullopt;
  std::optional<std::int64_t> scale = literal(product.getRhs());
  if (!scale)
    return std::nullopt;
  ScaledIndex result{product.getLhs(), *scale, true};
  mlir::Operation *extension = result.index.getDefiningOp();
  if (extension && extension->hasOneUse() &&
      mlir::isa<mlir::arith::ExtSIOp, mlir::arith::ExtUIOp>(extension)) {
    result.isSigned = mlir::isa<mlir::arith::ExtSIOp>(extension);
    result.index = extension->getOperand(0);
  }
  return result;
}

bool Compiler::fusedIntoAddress(mlir::Operation *op) {
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return false;
  mlir::Operation *user = *op->user_begin();
  if (auto offset = mlir::dyn_cast<ir::OffsetOp>(user))
    return offset->getBlock() == op->getBlock() && offset.getBytes() == op->getResult(0) &&
           mlir::isa<mlir::arith::MulIOp>(op) && scaledIndex(offset.getBytes());
  if (!mlir::isa<mlir::arith::ExtSIOp, mlir::arith::ExtUIOp>(op) ||
      !mlir::isa<mlir::arith::MulIOp>(user) || user->getOperand(0) != op->getResult(0) ||
      user->getBlock() != op->getBlock())
    return false;
  return fusedIntoAddress(user);
}

void Compiler::offset(ir::OffsetOp op) {
  const Register base = valueOf(op.getBase());
  std::optional<ScaledIndex> scaled = scaledIndex(op.getBytes());
  if (scaled && !fusedIntoAddress(op.getBytes().getDefiningOp()))
    scaled.reset();
  const Register bytes = valueOf(scaled ? scaled->index : op.getBytes());
  const Register result = define(op.getResult());
  Instruction &instruction = emit(Op::Index);
  instruction.dst = result;
  instruction.a = base;
  instruction.b = bytes;
  instruction.immediate = scaled ? scaled->scale : 1;
  instruction.bits = static_cast<std::uint8_t>(scaled ? bitsOf(scaled->index.getType()) : 64);
  instruction.kind = scaled && !scaled->isSigned;
}

bool Compiler::pointers(mlir::Operation *op) {
  if (auto address = mlir::dyn_cast<ir::AddressOfOp>(op)) {
    registers[address.getResult()] = objects.lookup(symbols.lookup(address.getObject()));
  } else if (auto local = mlir::dyn_cast<ir::LocalOp>(op)) {
    ObjectInfo info;
    info.name = local.getName().str();
    info.space = Space::Local;
    info.size = local.getSize();
    info.frameOffset = code.localBytes;
    info.address = nextAddress++; // an address is a constant: outside the stack of values
    code.localBytes += (info.size + 15) & ~std::uint64_t{15};
    registers[local.getResult()] = info.address;
    code.objects.push_back(std::move(info));
  } else if (auto moved = mlir::dyn_cast<ir::OffsetOp>(op)) {
    offset(moved);
  } else if (auto null = mlir::dyn_cast<ir::NullOp>(op)) {
    registers[null.getResult()] = constant(0);
  } else if (mlir::isa<ir::PtrToIntOp, ir::IntToPtrOp>(op)) {
    registers[op->getResult(0)] = valueOf(op->getOperand(0));
  } else if (mlir::isa<ir::PtrDiffOp, ir::PtrEqOp>(op)) {
    const Register a = valueOf(op->getOperand(0)), b = valueOf(op->getOperand(1));
    const Register result = define(op->getResult(0));
    Instruction &instruction = emit(mlir::isa<ir::PtrDiffOp>(op) ? Op::Sub : Op::Compare);
    instruction.dst = result;
    instruction.a = a;
    instruction.b = b;
    instruction.kind = static_cast<std::uint8_t>(Comparison::Eq);
  } else {
    return false;
  }
  return true;
}

void Compiler::atomic(ir::AtomicOp op) {
  AtomicInfo info;
  mlir::Type type = op.getOld().getType();
  info.kind = static_cast<std::uint8_t>(op.getKind());
  info.order = static_cast<std::uint8_t>(op.getOrder());
  info.scope = static_cast<std::uint8_t>(op.getScope());
  info.bits = bitsOf(type);
  info.isFloat = mlir::isa<mlir::FloatType>(type);
  if (info.isFloat)
    info.floatKind = floatKindOf(type);
  if (info.bits > 64 || info.bits < 8)
    return unsupported("atomic of " + std::to_string(info.bits) + " bits");
  auto arguments = op.getArguments();
  if (op.getKind() == ir::AtomicKind::Cas)
    info.compare = valueOf(arguments[0]);
  if (!arguments.empty())
    info.value = valueOf(arguments.back());
  const Register address = valueOf(op.getAddress()), old = define(op.getOld());
  code.atomics.push_back(info);
  Instruction &instruction = emit(Op::Atomic);
  instruction.dst = old;
  instruction.a = address;
  instruction.b = info.value;
  instruction.c = static_cast<std::uint32_t>(code.atomics.size() - 1);
  instruction.bits = static_cast<std::uint8_t>(info.bits);
}

bool Compiler::memory(mlir::Operation *op) {
  const auto access = [&](Op kind, mlir::Value address, mlir::Type type, ir::MemoryOrder order,
                          ir::SyncScope scope) -> Instruction & {
    const Register at = valueOf(address);
    Instruction &instruction = emit(kind);
    instruction.a = at;
    const unsigned bits = std::max(8u, bitsOf(type));
    instruction.bits = static_cast<std::uint8_t>(bits / 8); // bytes
    instruction.kind = static_cast<std::uint8_t>(order);
    instruction.kind2 = static_cast<std::uint8_t>(scope);
    std::optional<Element> element = elementOf(type);
    instruction.immediate = element ? static_cast<std::int64_t>(*element) : -1;
    return instruction;
  };
  if (auto read = mlir::dyn_cast<ir::ReadOp>(op)) {
    const Register value = define(read.getValue());
    access(Op::Load, read.getAddress(), read.getValue().getType(), read.getOrder(), read.getScope())
        .dst = value;
  } else if (auto write = mlir::dyn_cast<ir::WriteOp>(op)) {
    const Register value = valueOf(write.getValue());
    access(Op::Store, write.getAddress(), write.getValue().getType(), write.getOrder(),
           write.getScope())
        .b = value;
  } else if (auto copy = mlir::dyn_cast<ir::CopyOp>(op)) {
    const Register to = valueOf(copy.getDestination()), from = valueOf(copy.getSource());
    const Register barrier = copy.getBarrier() ? valueOf(copy.getBarrier()) : noRegister;
    Instruction &instruction = emit(Op::Copy);
    instruction.a = to;
    instruction.b = from;
    instruction.immediate = copy.getSize();
    instruction.kind = copy.getAsync();
    instruction.dst = barrier;
    if (auto alignment = copy->getAttrOfType<mlir::IntegerAttr>(ir::alignAttribute))
      instruction.c = static_cast<std::uint32_t>(alignment.getInt());
    code.hasAsync |= copy.getAsync();
  } else if (auto fill = mlir::dyn_cast<ir::FillOp>(op)) {
    const Register to = valueOf(fill.getDestination());
    Instruction &instruction = emit(Op::Fill);
    instruction.a = to;
    instruction.immediate = fill.getSize();
  } else if (auto update = mlir::dyn_cast<ir::AtomicOp>(op)) {
    atomic(update);
  } else if (auto fence = mlir::dyn_cast<ir::FenceOp>(op)) {
    Instruction &instruction = emit(Op::Fence);
    instruction.kind = static_cast<std::uint8_t>(fence.getScope());
    if (fence->hasAttr(ir::commitAttribute))
      instruction.kind2 = CopyFence::Close;
    else if (fence->hasAttr(ir::oldestAttribute))
      instruction.kind2 = CopyFence::WaitForOldest;
    if (auto keep = fence->getAttrOfType<mlir::IntegerAttr>(ir::keepAttribute)) {
      instruction.kind2 = CopyFence::Keep;
      instruction.immediate = keep.getInt();
    }
  } else {
    return false;
  }
  return true;
}

void Compiler::primitive(ir::PrimitiveOp op) {
  PrimitiveInfo info;
  info.site = site(op.getName().str(), false);
  info.kind = static_cast<std::uint8_t>(op.getKind());
  if (op.getMask())
    info.mask = valueOf(op.getMask());
  for (auto [i, argument] : llvm::enumerate(op.getArguments()))
    info.arguments[i] = valueOf(argument);
  if (!op.getArguments().empty()) {
    mlir::Type type = op.getArguments()[0].getType();
    info.bits = bitsOf(type);
    info.isFloat = mlir::isa<mlir::FloatType>(type);
    if (info.isFloat)
      info.floatKind = floatKindOf(type);
    if (info.bits > 64)
      return unsupported(op.getName().str() + " of " + std::to_string(info.bits) + " bits");
  }
  for (auto [i, output] : llvm::enumerate(op.getOutputs())) {
    info.results[i] = define(output);
    info.resultBits[i] = static_cast<std::uint8_t>(bitsOf(output.getType()));
  }
  if (op.getAddress()) {
    info.address = valueOf(op.getAddress());
    info.stride = valueOf(op.getStride());
    info.rows = op.getRows();
    info.rowBytes = op.getRowBytes();
    code.hasMatrix = true;
  }
  code.primitives.push_back(info);
  emit(Op::Primitive).a = static_cast<std::uint32_t>(code.primitives.size() - 1);
}

void Compiler::barrier(ir::BarrierOp op) {
  if (op.getScope() != ir::SyncScope::Block && op.getScope() != ir::SyncScope::Grid)
    return unsupported(op.getName().str() + " (a barrier of scope " +
                       ir::stringifySyncScope(op.getScope()).str() + ")");
  BarrierInfo info;
  info.site = site(op.getName().str(), true);
  info.scope = static_cast<std::uint8_t>(op.getScope());
  info.vote = static_cast<std::uint8_t>(op.getVote());
  info.named = op.isNamed();
  info.arrive = op.getArrive();
  if (op.getPredicate())
    info.predicate = valueOf(op.getPredicate());
  if (op.getId())
    info.id = valueOf(op.getId());
  if (op.getCount())
    info.count = valueOf(op.getCount());
  if (op.getResult())
    info.result = define(op.getResult());
  code.hasGridBarrier |= op.getScope() == ir::SyncScope::Grid;
  code.barriers.push_back(info);
  emit(Op::Barrier).a = static_cast<std::uint32_t>(code.barriers.size() - 1);
}

void Compiler::apply(ir::ApplyOp op) {
  ApplyInfo info;
  info.name = op.getFunction().str();
  for (mlir::Value argument : op.getArguments()) {
    info.arguments.push_back(valueOf(argument));
    info.argumentBits.push_back(static_cast<std::uint8_t>(bitsOf(argument.getType())));
    info.argumentFloats.push_back(mlir::isa<mlir::FloatType>(argument.getType())
                                      ? std::optional(floatKindOf(argument.getType()))
                                      : std::nullopt);
  }
  mlir::Type type = op.getValue().getType();
  info.resultBits = static_cast<std::uint8_t>(bitsOf(type));
  info.resultIsFloat = mlir::isa<mlir::FloatType>(type);
  if (info.resultIsFloat)
    info.floatKind = floatKindOf(type);
  info.known = knownFunction(info);
  const Register value = define(op.getValue());
  code.applications.push_back(std::move(info));
  Instruction &instruction = emit(Op::Apply);
  instruction.dst = value;
  instruction.a = static_cast<std::uint32_t>(code.applications.size() - 1);
}

bool Compiler::synchronisation(mlir::Operation *op) {
  if (auto warp = mlir::dyn_cast<ir::PrimitiveOp>(op)) {
    primitive(warp);
  } else if (auto wide = mlir::dyn_cast<ir::BarrierOp>(op)) {
    barrier(wide);
  } else if (auto arrival = mlir::dyn_cast<ir::ArriveOp>(op)) {
    const Register address = valueOf(arrival.getAddress());
    const Register phase = define(arrival.getPhase());
    Instruction &instruction = emit(Op::Arrive);
    instruction.dst = phase;
    instruction.a = address;
  } else if (auto end = mlir::dyn_cast<ir::AwaitOp>(op)) {
    const Register address = valueOf(end.getAddress()), phase = valueOf(end.getPhase());
    Instruction &instruction = emit(Op::Await);
    instruction.a = address;
    instruction.b = phase;
  } else if (auto snapshot = mlir::dyn_cast<ir::ActiveMaskOp>(op)) {
    PrimitiveInfo info;
    info.activeMask = true;
    info.results[0] = define(snapshot.getMask());
    code.primitives.push_back(info);
    emit(Op::Primitive).a = static_cast<std::uint32_t>(code.primitives.size() - 1);
  } else if (auto function = mlir::dyn_cast<ir::ApplyOp>(op)) {
    apply(function);
  } else if (auto special = mlir::dyn_cast<ir::SpecialOp>(op)) {
    registers[special.getValue()] = code.specials[static_cast<unsigned>(special.getWhich())];
  } else if (auto unknown = mlir::dyn_cast<ir::UnknownOp>(op)) {
    const Register value = define(unknown.getValue());
    Instruction &instruction = emit(Op::Unknown);
    instruction.dst = value;
    instruction.bits =
        static_cast<std::uint8_t>(std::min(64u, bitsOf(unknown.getValue().getType())));
  } else if (auto assumption = mlir::dyn_cast<ir::AssumeOp>(op)) {
    const Register condition = valueOf(assumption.getCondition());
    emit(Op::Assume).a = condition;
  } else if (auto construct = mlir::dyn_cast<ir::UnsupportedOp>(op)) {
    if (construct.getValue())
      define(construct.getValue());
    unsupported(construct.getConstruct().str());
  } else {
    return false;
  }
  return true;
}

} // namespace warpdrf::interpreter
