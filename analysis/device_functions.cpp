// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/device_functions.h"

#include "analysis/contract/execute.h"
#include "analysis/ir/dialect.h"

#include <algorithm>
#include <map>

namespace warpdrf {

namespace {

using Converged = DeviceFunction::Converged;

class Inference {
public:
  explicit Inference(mlir::ModuleOp module) : symbols(module) {}

  struct Demand {
    Converged whom = Converged::Nobody;
    std::vector<Related> because;
  };

  /// Recursion has been cut out of the module.
  const Demand &of(llvm::StringRef symbol) {
    auto [known, isNew] = demands.try_emplace(symbol.str());
    if (!isNew)
      return known->second;
    Demand demand;
    if (auto function = symbols.lookup<ir::FuncOp>(symbol))
      function.walk([&](mlir::Operation *op) { add(demand, op); });
    return demands[symbol.str()] = std::move(demand);
  }

private:
  void add(Demand &demand, mlir::Operation *op) {
    if (auto barrier = llvm::dyn_cast<ir::BarrierOp>(op)) {
      if (!barrier.isNamed() && !barrier.getArrive())
        note(demand, barrier.getScope() >= ir::SyncScope::Grid ? Converged::Grid : Converged::Block,
             {Related::Role::Barrier, barrier.getName().str(), contract::rangeOf(op)});
    } else if (auto primitive = llvm::dyn_cast<ir::PrimitiveOp>(op)) {
      note(demand, wantsWholeWarp(primitive) ? Converged::Warp : Converged::Mask,
           {Related::Role::Barrier, primitive.getName().str(), contract::rangeOf(op)});
    } else if (auto call = llvm::dyn_cast<ir::CallOp>(op)) {
      if (Converged inner = of(call.getCallee()).whom; inner != Converged::Nobody)
        note(demand, inner,
             {Related::Role::Call, "call of " + call.getCallee().str(), contract::rangeOf(op)});
    }
  }

  static bool wantsWholeWarp(ir::PrimitiveOp primitive) {
    mlir::Value mask = primitive.getMask();
    if (!mask)
      return true;
    auto constant = mask.getDefiningOp<mlir::arith::ConstantOp>();
    auto value = constant ? llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue()) : nullptr;
    return value && value.getValue().isAllOnes();
  }

  /// Only what asks for most is a reason.
  static void note(Demand &demand, Converged whom, Related reason) {
    if (whom < demand.whom)
      return;
    if (whom > demand.whom)
      demand.because.clear();
    demand.whom = whom;
    demand.because.push_back(std::move(reason));
  }

  mlir::SymbolTable symbols;
  std::map<std::string, Demand> demands;
};

/// Instantiations share their source; what one of them asks for, callers had better do for all.
void join(DeviceFunction &function, const Inference::Demand &demand) {
  if (demand.whom < function.inferred)
    return;
  if (demand.whom > function.inferred)
    function.because.clear();
  function.inferred = demand.whom;
  auto same = [](const Related &reason) {
    return [&](const Related &other) { return other.range == reason.range; };
  };
  for (const Related &reason : demand.because)
    if (std::ranges::none_of(function.because, same(reason)))
      function.because.push_back(reason);
}

} // namespace

std::vector<DeviceFunction> describeDeviceFunctions(const frontend::TranslationUnit &unit) {
  std::vector<DeviceFunction> functions;
  if (!unit.module())
    return functions;
  Inference inference(unit.module());
  std::map<Range, DeviceFunction> byPlace;
  for (const frontend::LoweredFunction &lowered : unit.deviceFunctions) {
    if (!lowered.range.valid())
      continue;
    DeviceFunction &function = byPlace[lowered.range];
    function.name = lowered.name;
    function.range = lowered.range;
    join(function, inference.of(lowered.symbol));
  }
  for (const frontend::Annotation &annotation : unit.annotations)
    for (auto &[place, function] : byPlace)
      if (annotation.keyword == "requires" && place.file == annotation.range.file &&
          place.begin.line == annotation.line)
        function.declared = annotation.text;
  for (auto &[place, function] : byPlace)
    functions.push_back(std::move(function));
  return functions;
}

} // namespace warpdrf
