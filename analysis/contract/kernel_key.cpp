// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes what a kernel's result depends on. Printing the IR would do, but takes longer than many
// checks; an editor pays for it at every keystroke.
#include "analysis/contract/kernels.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA1.h"

namespace warpdrf::contract {

namespace {

using mlir::Operation;

/// Writes operations as numbers: values, types, attributes and locations in order of appearance,
/// each with its text the first time. Symbols are the order of what they name, not their names, so
/// that instances which call instances of other names can be equal.
class Encoder {
public:
  Encoder(const llvm::SetVector<Operation *> &operations, const mlir::SymbolTable &symbols)
      : symbols(symbols) {
    for (Operation *op : operations)
      targets.try_emplace(op, targets.size() + 1);
    for (Operation *op : operations)
      operation(op);
  }

  std::string code;   ///< what the kernel means
  std::string places; ///< where it stands

private:
  void number(std::string &text, std::size_t value) {
    do { // base 128, so that no separators are needed
      text += static_cast<char>((value & 127) | (value > 127 ? 128 : 0));
      value >>= 7;
    } while (value);
  }

  /// Attributes, types and locations are unique in their context. Number 0 is the end of a list.
  using Known = llvm::DenseMap<const void *, std::size_t>;

  template <typename T>
  void interned(std::string &text, Known &known, T object) {
    auto [it, isNew] = known.try_emplace(object.getAsOpaquePointer(), known.size() + 1);
    number(text, it->second);
    if (!isNew)
      return;
    llvm::raw_string_ostream stream(text);
    object.print(stream);
    stream << '\0';
  }

  /// Names that tell instances apart but do not change what is checked.
  static bool onlyNames(llvm::StringRef attribute) {
    return attribute == "sym_name" || attribute == "sym_visibility" ||
           attribute == "warpdrf.display_name" || attribute == "warpdrf.instantiation" ||
           attribute == "warpdrf.name_range";
  }

  void attributes(Operation *op) {
    for (mlir::NamedAttribute attribute : op->getAttrs()) {
      if (onlyNames(attribute.getName()))
        continue;
      interned(code, knownCode, attribute.getName());
      if (auto symbol = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(attribute.getValue()))
        number(code, targets.lookup(symbols.lookup(symbol.getAttr())));
      else
        interned(code, knownCode, attribute.getValue());
    }
    code += '\0';
  }

  void location(mlir::Location location) {
    auto range = llvm::dyn_cast<mlir::FileLineColRange>(location);
    if (!range)
      return interned(places, knownPlaces, mlir::LocationAttr(location));
    interned(places, knownPlaces, range.getFilename());
    for (unsigned part :
         {range.getStartLine(), range.getStartColumn(), range.getEndLine(), range.getEndColumn()})
      number(places, part);
  }

  void operation(Operation *op) {
    interned(code, knownCode, op->getName().getIdentifier());
    number(code, op->getNumOperands());
    for (mlir::Value operand : op->getOperands())
      number(code, values.lookup(operand));
    attributes(op);
    results(op->getResults());
    location(op->getLoc());
    number(code, op->getNumRegions());
    for (mlir::Region &region : op->getRegions()) {
      number(code, std::distance(region.begin(), region.end()));
      for (mlir::Block &block : region) {
        results(block.getArguments());
        for (Operation &inner : block)
          operation(&inner);
        code += '\0';
      }
    }
  }

  template <typename Values>
  void results(Values &&made) {
    number(code, made.size());
    for (mlir::Value value : made) {
      values.try_emplace(value, values.size() + 1);
      interned(code, knownCode, value.getType());
    }
  }

  const mlir::SymbolTable &symbols;
  llvm::DenseMap<Operation *, std::size_t> targets;
  llvm::DenseMap<mlir::Value, std::size_t> values;
  Known knownCode, knownPlaces;
};

void append(std::string &text, const LaunchContext &context, bool source) {
  auto values = [&](const auto &list) {
    for (const auto &value : list)
      text += (value ? std::to_string(*value) : "*") + " ";
    text += "; ";
  };
  values(context.block);
  values(context.grid);
  values(context.arguments);
  for (const LaunchContext::Alias &alias : context.aliases)
    text += "alias " + std::to_string(alias.argument) + " " + std::to_string(alias.of) + " " +
            std::to_string(alias.bytes) + "\n";
  for (const std::string &fact : context.assume)
    text += "assume " + fact + "\n";
  for (const auto &[name, value] : context.values)
    text += name + " = " + value + "\n";
  for (const std::string &fact : context.facts)
    text += "fact " + fact + "\n";
  text += (context.seen ? "seen " : "") + (source ? context.source : "") + "\n";
}

void append(std::string &text, const Options &options) {
  for (std::int64_t number :
       {static_cast<std::int64_t>(options.configuration), static_cast<std::int64_t>(options.masks),
        static_cast<std::int64_t>(options.warpWidth),
        static_cast<std::int64_t>(options.queryBudget.count()),
        static_cast<std::int64_t>(options.kernelBudget.count())})
    text += std::to_string(number) + " ";
  for (const std::string &assumption : options.assumptionsOff)
    text += "-" + assumption + " ";
}

std::string digest(const std::string &text) {
  auto hash = llvm::SHA1::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(llvm::ArrayRef(hash).take_front(16), /*LowerCase=*/true);
}

} // namespace

KernelKey keyOf(ir::FuncOp kernel, const mlir::SymbolTable &symbols,
                const std::vector<LaunchContext> &contexts, const Options &options) {
  Encoder encoder(usedBy(kernel, symbols), symbols);
  std::string facts, sources;
  append(facts, options);
  for (const LaunchContext &context : contexts) {
    append(facts, context, /*source=*/false);
    append(sources, context, /*source=*/true);
  }
  KernelKey key;
  key.irHash = digest(encoder.code + facts);
  key.cache = digest(key.irHash + encoder.places + sources);
  return key;
}

} // namespace warpdrf::contract
