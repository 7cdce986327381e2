// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control becomes jumps; beside the instructions, the path of loops and arms stays.
#include "analysis/interpreter/compile.h"

namespace warpdrf::interpreter {

/// Whether what follows the region can be reached from its end.
static bool endsOpen(mlir::Region &region) {
  return region.empty() || region.front().empty() ||
         !mlir::isa<ir::ReturnOp, ir::BreakOp, ir::ContinueOp>(region.front().back());
}

std::uint32_t Compiler::enterScope(const PathStep &step) {
  pathSteps.push_back(step);
  ScopePath scope{pathSteps, {}};
  for (const PathStep &each : pathSteps)
    if (each.loop)
      scope.counts.push_back(each.count);
  code.scopes.push_back(std::move(scope));
  return static_cast<std::uint32_t>(code.scopes.size() - 1);
}

void Compiler::block(mlir::Block &block) {
  const Register mark = next;
  for (mlir::Operation &op : block) {
    if (failed())
      return;
    operation(&op);
  }
  next = mark;
}

void Compiler::region(mlir::Region &region) {
  if (!region.empty())
    block(region.front());
}

void Compiler::operation(mlir::Operation *op) {
  Range range = rangeOf(op->getLoc());
  const std::uint32_t call = frames.back().call;
  if (!range.valid())
    range = code.places[currentPlace].range;
  if (code.places[currentPlace].call != call || code.places[currentPlace].range != range) {
    code.places.push_back({std::move(range), call});
    currentPlace = static_cast<std::uint32_t>(code.places.size() - 1);
  }
  if (slots(op) || pointers(op) || memory(op) || synchronisation(op) || control(op) ||
      arithmetic(op))
    return;
  unsupported(op->getName().getStringRef().str());
}

/// The variables that an arm changes, or nothing when it does anything that others may notice.
static bool collectChanges(mlir::Region &region, llvm::SetVector<mlir::Value> &changed) {
  return !region
              .walk([&](mlir::Operation *op) {
                if (auto set = mlir::dyn_cast<ir::SetOp>(op))
                  changed.insert(set.getSlot());
                const bool own = mlir::isa<ir::GetOp, ir::SetOp, ir::VarOp, ir::IfOp>(op);
                return own || mlir::isPure(op) ? mlir::WalkResult::advance()
                                               : mlir::WalkResult::interrupt();
              })
              .wasInterrupted();
}

void Compiler::compileIf(ir::IfOp op) {
  Register condition = valueOf(op.getCondition());
  // A branch on an undefined value makes what its arms change undefined; when that is all they do,
  // it is no use of the value.
  llvm::SetVector<mlir::Value> changed;
  const bool quiet =
      collectChanges(op.getThenRegion(), changed) && collectChanges(op.getElseRegion(), changed);
  if (quiet) { // the arms may change what the condition was read from
    const Register kept = fresh();
    Instruction &move = emit(Op::Move);
    move.dst = kept;
    move.a = condition;
    condition = kept;
  }
  compileArms(op, condition, quiet);
  if (quiet)
    for (mlir::Value slot : changed)
      if (!op->isAncestor(slot.getParentRegion()->getParentOp())) {
        Instruction &taint = emit(Op::Taint);
        taint.a = condition;
        taint.b = valueOf(slot);
      }
}

void Compiler::compileArms(ir::IfOp op, Register condition, bool quiet) {
  Instruction &branch = emit(Op::Branch);
  branch.a = condition;
  branch.b = quiet;
  const Label otherwise{here() - 1};
  const std::uint32_t scope = currentScope, place = currentPlace;
  const std::uint32_t construct = ++constructs;
  const auto arm = [&](mlir::Region &body, std::uint32_t index, const char *label) {
    currentScope = enterScope({construct, false, 0, index, false, 0});
    currentPlace = place;
    const std::uint32_t shown = text(label);
    emit(Op::Enter).a = shown;
    region(body);
    pathSteps.pop_back();
    currentScope = scope;
    currentPlace = place;
  };
  arm(op.getThenRegion(), 0, "then");
  const bool hasElse = !op.getElseRegion().empty() && !op.getElseRegion().front().empty();
  if (!hasElse) {
    patch(otherwise, here());
    return;
  }
  Label end;
  if (endsOpen(op.getThenRegion())) {
    emit(Op::Jump);
    end.push_back(here() - 1);
  }
  patch(otherwise, here());
  arm(op.getElseRegion(), 1, "else");
  patch(end, here());
}

/// cond, body, step, back; with a test at the end: body, step, cond, back. The count grows on the
/// way back, so all three have the same count in one iteration.
void Compiler::compileLoop(ir::LoopOp op) {
  const Register count = fresh();
  const Register mark = next;
  const std::uint32_t scope = currentScope, place = currentPlace;
  emit(Op::LoopEnter).dst = count;
  currentScope = enterScope({++constructs, true, count, 0, false, 0});
  const std::uint32_t top = here();
  lastTarget = std::max(lastTarget, top);
  targets.push_back({true, {}, {}});
  const auto condition = [&] {
    mlir::Block &test = op.getCond().front();
    for (mlir::Operation &each : test)
      if (&each != &test.back())
        operation(&each);
    currentPlace = place;
    const Register value = valueOf(mlir::cast<ir::ConditionOp>(test.back()).getCondition());
    emit(Op::Branch).a = value;
    targets.back().breaks.push_back(here() - 1);
    next = mark;
  };
  if (!op.getPostTest())
    condition();
  region(op.getBody());
  patch(targets.back().continues, here());
  region(op.getStep());
  if (op.getPostTest())
    condition();
  currentPlace = place;
  Instruction &back = emit(Op::LoopBack);
  back.dst = count;
  back.c = top;
  back.immediate = static_cast<std::int64_t>(here()) - top;
  pathSteps.pop_back();
  currentScope = scope;
  patch(targets.back().breaks, here());
  targets.pop_back();
  next = mark;
}

void Compiler::compileSwitch(ir::SwitchOp op) {
  const Register selector = fresh();
  const std::uint32_t scope = currentScope, place = currentPlace;
  const std::uint32_t construct = ++constructs;
  const Register from = valueOf(op.getSelector());
  const unsigned bits = bitsOf(op.getSelector().getType());
  const std::size_t table = code.switches.size();
  code.switches.emplace_back();
  Instruction &enter = emit(Op::SwitchEnter);
  enter.dst = selector;
  enter.a = from;
  enter.bits = static_cast<std::uint8_t>(bits);
  enter.b = static_cast<std::uint32_t>(table);
  targets.push_back({false, {}, {}});
  const std::size_t cases = op.getCases().size();
  std::vector<std::uint32_t> starts;
  for (std::size_t i = 0; i < cases; ++i) {
    std::size_t fallsTo = i;
    while (fallsTo + 1 < cases && endsOpen(op.getCases()[fallsTo]))
      ++fallsTo;
    currentScope = enterScope({construct, false, selector, static_cast<std::uint32_t>(i), true,
                               static_cast<std::uint32_t>(fallsTo)});
    currentPlace = place;
    starts.push_back(here());
    lastTarget = here();
    const auto values = mlir::cast<mlir::DenseI64ArrayAttr>(op.getValues()[i]).asArrayRef();
    const std::uint32_t label =
        text(values.empty() ? "default" : "case " + std::to_string(values.front()));
    emit(Op::Enter).a = label;
    region(op.getCases()[i]);
    pathSteps.pop_back();
    currentScope = scope;
  }
  for (std::size_t i = 0; i < cases; ++i)
    for (std::int64_t value : mlir::cast<mlir::DenseI64ArrayAttr>(op.getValues()[i]).asArrayRef())
      code.switches[table].targets.emplace_back(value, starts[i]);
  const auto otherwise = static_cast<std::int64_t>(op.getDefaultCase());
  code.switches[table].otherwise = otherwise < 0 ? here() : starts[otherwise];
  patch(targets.back().breaks, here());
  lastTarget = here();
  targets.pop_back();
  currentPlace = place;
}

void Compiler::compileCall(ir::CallOp op) {
  auto callee = symbols.lookup<ir::FuncOp>(op.getCallee());
  for (const Frame &frame : frames)
    if (frame.function == callee)
      return unsupported("recursive call of " + op.getCallee().str());
  if (callee.isDeclaration())
    return unsupported("call of " + op.getCallee().str() + ", which has no body");
  Frame frame;
  for (mlir::Value result : op.getOutputs())
    frame.results.push_back(define(result));
  const std::uint32_t place = currentPlace;
  code.calls.push_back({code.places[currentPlace].range, frames.back().call});
  frame.call = static_cast<std::uint32_t>(code.calls.size());
  // A callee is compiled once per call: what its values were before is of no use any more.
  llvm::DenseMap<mlir::Value, Register> saved;
  std::swap(saved, registers);
  for (auto [parameter, argument] : llvm::zip(callee.getBody().getArguments(), op.getArguments()))
    registers[parameter] = saved.lookup(argument);
  function(callee, std::move(frame));
  registers = std::move(saved);
  currentPlace = place;
}

void Compiler::compileReturn(ir::ReturnOp op) {
  if (frames.size() == 1) {
    emit(Op::Exit);
    return;
  }
  for (auto [target, value] : llvm::zip(frames.back().results, op.getArguments())) {
    const Register from = valueOf(value);
    Instruction &move = emit(Op::Move);
    move.dst = target;
    move.a = from;
  }
  emit(Op::Jump);
  frames.back().returns.push_back(here() - 1);
}

bool Compiler::control(mlir::Operation *op) {
  if (auto branch = mlir::dyn_cast<ir::IfOp>(op)) {
    compileIf(branch);
  } else if (auto loop = mlir::dyn_cast<ir::LoopOp>(op)) {
    compileLoop(loop);
  } else if (auto selection = mlir::dyn_cast<ir::SwitchOp>(op)) {
    compileSwitch(selection);
  } else if (auto call = mlir::dyn_cast<ir::CallOp>(op)) {
    compileCall(call);
  } else if (auto leave = mlir::dyn_cast<ir::ReturnOp>(op)) {
    compileReturn(leave);
  } else if (mlir::isa<ir::BreakOp>(op)) {
    emit(Op::Jump);
    targets.back().breaks.push_back(here() - 1);
  } else if (mlir::isa<ir::ContinueOp>(op)) {
    emit(Op::Jump);
    for (JumpTarget &target : llvm::reverse(targets))
      if (target.isLoop) {
        target.continues.push_back(here() - 1);
        break;
      }
  } else {
    return false;
  }
  return true;
}

} // namespace warpdrf::interpreter
