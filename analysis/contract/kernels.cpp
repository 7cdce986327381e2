// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/kernels.h"

#include "analysis/contract/execute.h"

namespace warpdrf::contract {

using mlir::Operation;

static std::string textOf(ir::FuncOp function, llvm::StringRef attribute, std::string otherwise) {
  auto text = function->getAttrOfType<mlir::StringAttr>(attribute);
  return text ? text.str() : otherwise;
}

Kernel describe(ir::FuncOp function) {
  Kernel kernel{.function = function, .symbol = function.getSymName().str()};
  kernel.name = textOf(function, "warpdrf.display_name", kernel.symbol);
  kernel.instantiation = textOf(function, "warpdrf.instantiation", kernel.name);
  kernel.range = rangeOf(function.getLoc());
  auto name = function->getAttrOfType<mlir::LocationAttr>("warpdrf.name_range");
  kernel.nameRange = name ? rangeOf(mlir::Location(name)) : kernel.range;
  return kernel;
}

std::vector<Kernel> kernelsOf(mlir::ModuleOp module) {
  std::vector<Kernel> kernels;
  for (auto function : module.getOps<ir::FuncOp>())
    if (function.getKernel())
      kernels.push_back(describe(function));
  return kernels;
}

llvm::SetVector<Operation *> usedBy(ir::FuncOp kernel, const mlir::SymbolTable &symbols) {
  llvm::SetVector<Operation *> found;
  found.insert(kernel);
  for (std::size_t i = 0; i < found.size(); ++i) // grows while it runs
    found[i]->walk([&](Operation *op) {
      llvm::StringRef symbol;
      if (auto call = llvm::dyn_cast<ir::CallOp>(op))
        symbol = call.getCallee();
      else if (auto address = llvm::dyn_cast<ir::AddressOfOp>(op))
        symbol = address.getObject();
      if (!symbol.empty())
        if (Operation *target = symbols.lookup(symbol))
          found.insert(target);
    });
  return found;
}

std::vector<Range> definitionsOf(ir::FuncOp kernel, const mlir::SymbolTable &symbols) {
  std::vector<Range> ranges;
  for (Operation *op : usedBy(kernel, symbols))
    if (llvm::isa<ir::FuncOp>(op))
      ranges.push_back(rangeOf(op->getLoc()));
  return ranges;
}

bool keepOnly(mlir::ModuleOp module, const std::string &name) {
  mlir::SymbolTable symbols(module);
  llvm::SetVector<Operation *> kept;
  for (const Kernel &kernel : kernelsOf(module))
    if (name == kernel.name || name == kernel.instantiation || name == kernel.symbol)
      kept.set_union(usedBy(kernel.function, symbols));
  if (kept.empty())
    return false;
  for (Operation &op : llvm::make_early_inc_range(module.getOps()))
    if (!kept.contains(&op))
      op.erase();
  return true;
}

} // namespace warpdrf::contract
