// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/spare_barriers.h"

#include "analysis/contract/budget.h"
#include "analysis/contract/execute.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

bool isWarpBarrier(mlir::Operation *op) {
  auto primitive = llvm::dyn_cast<ir::PrimitiveOp>(op);
  return primitive && primitive.getKind() == ir::PrimitiveKind::SyncWarp && !primitive.getMask();
}

/// A barrier that does nothing but wait for everybody.
bool isPlainBarrier(mlir::Operation *op) {
  auto barrier = llvm::dyn_cast<ir::BarrierOp>(op);
  return barrier && !barrier.isNamed() && !barrier.getArrive() && !barrier.getPredicate() &&
         (barrier.getScope() == ir::SyncScope::Block || barrier.getScope() == ir::SyncScope::Grid);
}

std::string nameOf(mlir::Operation *op) {
  if (auto barrier = llvm::dyn_cast<ir::BarrierOp>(op))
    return barrier.getName().str();
  return llvm::cast<ir::PrimitiveOp>(op).getName().str();
}

/// Takes a barrier out of its block while it lives; `narrower` stands in its place.
class Replaced {
public:
  explicit Replaced(mlir::Operation *op) : op(op), block(op->getBlock()), next(op->getNextNode()) {
    op->remove();
  }
  ~Replaced() {
    if (other)
      other->erase();
    block->getOperations().insert(next ? mlir::Block::iterator(next) : block->end(), op);
  }
  Replaced(const Replaced &) = delete;

  /// The next narrower barrier: of the block for the grid, of the warp for the block.
  void narrow() {
    mlir::OpBuilder builder(op->getContext());
    next ? builder.setInsertionPoint(next) : builder.setInsertionPointToEnd(block);
    if (llvm::cast<ir::BarrierOp>(op).getScope() == ir::SyncScope::Grid)
      other = ir::BarrierOp::create(builder, op->getLoc(), mlir::Type(), "__syncthreads",
                                    ir::SyncScope::Block, ir::BarrierVote::None, mlir::Value(),
                                    mlir::Value(), mlir::Value());
    else
      other = ir::PrimitiveOp::create(builder, op->getLoc(), mlir::TypeRange(), "__syncwarp",
                                      ir::PrimitiveKind::SyncWarp, mlir::Value(),
                                      mlir::ValueRange(), mlir::Value(), mlir::Value());
  }

private:
  mlir::Operation *op, *other = nullptr;
  mlir::Block *block;
  mlir::Operation *next;
};

/// Whether the kernel without the barrier is as good, under no more assumptions.
bool isAsGood(const KernelResult &without, const KernelResult &with) {
  const auto known = [&](const Finding &finding) {
    return std::ranges::any_of(with.findings, [&](const Finding &old) {
      return old.rule == finding.rule && old.primary == finding.primary &&
             old.message == finding.message;
    });
  };
  return without.report.verdict == Verdict::Ok && std::ranges::all_of(without.findings, known) &&
         std::ranges::all_of(without.report.assumptions, [&](const std::string &name) {
           return std::ranges::find(with.report.assumptions, name) != with.report.assumptions.end();
         });
}

Finding hint(mlir::Operation *op, bool needless, const KernelResult &result) {
  Finding finding;
  finding.rule = needless ? "redundant-barrier" : "weakenable-barrier";
  finding.severity = Severity::Hint;
  finding.confidence = Confidence::Possible;
  finding.kernel = result.report.name;
  finding.instantiations = {result.report.instantiation};
  finding.primary = rangeOf(op);
  const bool grid = !needless && llvm::cast<ir::BarrierOp>(op).getScope() == ir::SyncScope::Grid;
  finding.message = "'" + nameOf(op) + "' orders nothing that " +
                    (needless ? "is not ordered without it"
                     : grid   ? "a __syncthreads() would not"
                              : "a __syncwarp() would not");
  return finding;
}

} // namespace

bool tellSpareBarriers(ir::FuncOp kernel, const std::vector<LaunchContext> &contexts,
                       const Options &options, Solver &solver, const Cancelled &cancelled,
                       const std::set<Range> &needed, KernelResult &result) {
  const auto isRace = [](const Finding &finding) { return finding.rule == "race"; };
  if (result.report.verdict != Verdict::Ok || std::ranges::any_of(result.findings, isRace))
    return true; // what is fine only if the host does right may need it
  Options experiment = options;
  experiment.kernelBudget = options.kernelBudget / kSpareShare;
  const Budget budget(experiment.kernelBudget, solver);
  const auto stopped = [&] { return budget.spent() || cancelled(); };
  std::vector<mlir::Operation *> barriers;
  bool all = true;
  kernel->walk([&](mlir::Operation *op) {
    if (!isPlainBarrier(op) && !isWarpBarrier(op))
      return;
    if (needed.contains(rangeOf(op)))
      all = false;
    else
      barriers.push_back(op);
  });
  std::vector<Finding> hints;
  for (mlir::Operation *op : barriers) {
    Replaced place(op);
    const auto stillGood = [&] {
      return isAsGood(check(kernel, contexts, experiment, solver, stopped), result) && !stopped();
    };
    if (stillGood()) {
      hints.push_back(hint(op, /*needless=*/true, result));
    } else if (!isWarpBarrier(op) && !stopped()) {
      place.narrow();
      if (stillGood())
        hints.push_back(hint(op, /*needless=*/false, result));
    }
    if (stopped())
      break;
  }
  std::ranges::move(hints, std::back_inserter(result.findings));
  return all;
}

} // namespace warpdrf::contract
