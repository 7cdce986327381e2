// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/kernels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SHA1.h"

namespace warpdrf::contract {

using mlir::Operation;

static Range rangeOf(mlir::Location location) {
  auto range = location->findInstanceOf<mlir::FileLineColRange>();
  if (!range)
    return {};
  return {range.getFilename().str(),
          {range.getStartLine(), range.getStartColumn()},
          {range.getEndLine(), range.getEndColumn()}};
}

static std::string textOf(ir::FuncOp function, llvm::StringRef attribute, std::string otherwise) {
  auto text = function->getAttrOfType<mlir::StringAttr>(attribute);
  return text ? text.str() : otherwise;
}

std::vector<Kernel> kernelsOf(mlir::ModuleOp module) {
  std::vector<Kernel> kernels;
  for (auto function : module.getOps<ir::FuncOp>()) {
    if (!function.getKernel())
      continue;
    Kernel kernel{.function = function, .symbol = function.getSymName().str()};
    kernel.name = textOf(function, "warpdrf.display_name", kernel.symbol);
    kernel.instantiation = textOf(function, "warpdrf.instantiation", kernel.name);
    kernel.range = rangeOf(function.getLoc());
    auto name = function->getAttrOfType<mlir::LocationAttr>("warpdrf.name_range");
    kernel.nameRange = name ? rangeOf(name) : kernel.range;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

/// The kernel, the functions it calls and the objects all of these name, in order of appearance.
static llvm::SetVector<Operation *> reachable(ir::FuncOp kernel) {
  llvm::SetVector<Operation *> found;
  found.insert(kernel);
  auto module = kernel->getParentOfType<mlir::ModuleOp>();
  for (std::size_t i = 0; i < found.size(); ++i) // grows while it runs
    found[i]->walk([&](Operation *op) {
      llvm::StringRef symbol;
      if (auto call = llvm::dyn_cast<ir::CallOp>(op))
        symbol = call.getCallee();
      else if (auto address = llvm::dyn_cast<ir::AddressOfOp>(op))
        symbol = address.getObject();
      if (!symbol.empty())
        if (Operation *target = mlir::SymbolTable::lookupSymbolIn(module, symbol))
          found.insert(target);
    });
  return found;
}

bool keepOnly(mlir::ModuleOp module, const std::string &name) {
  llvm::SetVector<Operation *> kept;
  for (const Kernel &kernel : kernelsOf(module))
    if (name == kernel.name || name == kernel.instantiation || name == kernel.symbol)
      kept.set_union(reachable(kernel.function));
  if (kept.empty())
    return false;
  for (Operation &op : llvm::make_early_inc_range(module.getOps()))
    if (!kept.contains(&op))
      op.erase();
  return true;
}

/// Attributes that tell instances apart but do not change what is checked.
static bool onlyNames(llvm::StringRef attribute) {
  return attribute == "warpdrf.display_name" || attribute == "warpdrf.instantiation" ||
         attribute == "warpdrf.name_range" || attribute == "sym_visibility";
}

static void print(Operation *op, bool locations, llvm::raw_ostream &stream) {
  mlir::DictionaryAttr saved = op->getDiscardableAttrDictionary();
  llvm::SmallVector<mlir::NamedAttribute> kept;
  for (mlir::NamedAttribute attribute : saved)
    if (!onlyNames(attribute.getName()))
      kept.push_back(attribute);
  op->setDiscardableAttrs(kept);
  mlir::OpPrintingFlags flags;
  flags.useLocalScope();
  flags.enableDebugInfo(locations, /*prettyForm=*/false);
  op->print(stream, flags);
  stream << "\n";
  op->setDiscardableAttrs(saved);
}

static bool isSymbolChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

/// Replaces each `@symbol` by its order of appearance: instances call instances of other names.
static std::string withoutSymbols(llvm::StringRef text) {
  std::string result;
  llvm::StringMap<unsigned> ordinals;
  result.reserve(text.size());
  while (!text.empty()) {
    auto [before, rest] = text.split('@');
    result += before;
    if (before.size() == text.size())
      break;
    llvm::StringRef symbol = rest.starts_with("\"") ? rest.take_front(rest.find('"', 1) + 1)
                                                    : rest.take_while(isSymbolChar);
    unsigned ordinal = ordinals.try_emplace(symbol, ordinals.size()).first->second;
    result += "@" + std::to_string(ordinal);
    text = rest.drop_front(symbol.size());
  }
  return result;
}

static void print(const LaunchContext &context, bool source, llvm::raw_ostream &stream) {
  auto values = [&](const auto &list) {
    for (const auto &value : list)
      stream << (value ? std::to_string(*value) : "*") << " ";
    stream << "; ";
  };
  values(context.block);
  values(context.grid);
  values(context.arguments);
  stream << context.seen << (source ? context.source : "") << "\n";
}

static void print(const Options &options, llvm::raw_ostream &stream) {
  stream << static_cast<int>(options.configuration) << " " << static_cast<int>(options.masks) << " "
         << options.warpWidth << " " << options.queryBudget.count() << " "
         << options.kernelBudget.count();
  for (const std::string &assumption : options.assumptionsOff)
    stream << " -" << assumption;
}

static std::string digest(llvm::StringRef text) {
  auto hash = llvm::SHA1::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(llvm::ArrayRef(hash).take_front(16), /*LowerCase=*/true);
}

KernelKey keyOf(ir::FuncOp kernel, const std::vector<LaunchContext> &contexts,
                const Options &options) {
  llvm::SetVector<Operation *> operations = reachable(kernel);
  auto keyWith = [&](bool locations) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (Operation *op : operations)
      print(op, locations, stream);
    for (const LaunchContext &context : contexts)
      print(context, locations, stream);
    print(options, stream);
    return digest(withoutSymbols(text));
  };
  return {keyWith(true), keyWith(false)};
}

} // namespace warpdrf::contract
