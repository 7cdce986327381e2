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

/// Hashes what is written to it bit by bit: the whole of a generated kernel is as large as its
/// file.
class Digest {
public:
  void number(std::size_t value) {
    do { // base 128, so that no separators are needed
      buffer += static_cast<char>((value & 127) | (value > 127 ? 128 : 0));
      value >>= 7;
    } while (value);
    if (buffer.size() >= chunk)
      flush();
  }
  void text(llvm::StringRef given) {
    number(given.size());
    buffer += given;
  }
  template <typename T>
  void printed(T object) {
    llvm::raw_string_ostream(buffer) << object << '\0';
  }
  std::string finish() {
    flush();
    auto hash = sha.final();
    return llvm::toHex(llvm::ArrayRef(hash).take_front(16), /*LowerCase=*/true);
  }

private:
  static constexpr std::size_t chunk = 1 << 14;
  void flush() {
    sha.update(buffer);
    buffer.clear();
  }

  std::string buffer;
  llvm::SHA1 sha;
};

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

  Digest code;   ///< what the kernel means
  Digest places; ///< where it stands

private:
  /// Attributes, types and locations are unique in their context. Number 0 is the end of a list.
  using Known = llvm::DenseMap<const void *, std::size_t>;

  template <typename T>
  void interned(Digest &digest, Known &known, T object) {
    auto [it, isNew] = known.try_emplace(object.getAsOpaquePointer(), known.size() + 1);
    digest.number(it->second);
    if (isNew)
      first(digest, object);
  }

  /// Strings and numbers are all that a kernel has many different ones of; printing them takes
  /// long.
  template <typename T>
  void first(Digest &digest, T object) {
    if constexpr (std::is_convertible_v<T, mlir::Attribute>) {
      if (auto string = llvm::dyn_cast<mlir::StringAttr>(mlir::Attribute(object)))
        return digest.text(string.getValue());
      if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(mlir::Attribute(object)))
        return bits(digest, integer.getType(), integer.getValue());
      if (auto real = llvm::dyn_cast<mlir::FloatAttr>(mlir::Attribute(object)))
        return bits(digest, real.getType(), real.getValue().bitcastToAPInt());
    }
    digest.printed(object);
  }

  void bits(Digest &digest, mlir::Type type, const llvm::APInt &value) {
    interned(digest, knownCode, type);
    for (unsigned i = 0; i < value.getNumWords(); ++i)
      digest.number(value.getRawData()[i]);
  }

  /// Names that tell instances apart but do not change what is checked.
  static bool onlyNames(llvm::StringRef attribute) {
    return attribute == "sym_name" || attribute == "sym_visibility" ||
           attribute == "warpdrf.display_name" || attribute == "warpdrf.instantiation" ||
           attribute == "warpdrf.name_range";
  }

  void attribute(mlir::StringAttr name, mlir::Attribute value) {
    if (!value || onlyNames(name))
      return;
    interned(code, knownCode, name);
    if (auto symbol = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(value))
      code.number(targets.lookup(symbols.lookup(symbol.getAttr())));
    else
      interned(code, knownCode, value);
  }

  /// Not `getAttrs`, which makes a dictionary of each operation's properties.
  void attributes(Operation *op) {
    for (mlir::StringAttr name : op->getName().getAttributeNames())
      attribute(name, op->getInherentAttr(name).value_or(nullptr));
    for (mlir::NamedAttribute other : op->getDiscardableAttrs())
      attribute(other.getName(), other.getValue());
    code.number(0);
  }

  void location(mlir::Location location) {
    auto range = llvm::dyn_cast<mlir::FileLineColRange>(location);
    if (!range)
      return interned(places, knownPlaces, mlir::LocationAttr(location));
    interned(places, knownPlaces, range.getFilename());
    for (unsigned part :
         {range.getStartLine(), range.getStartColumn(), range.getEndLine(), range.getEndColumn()})
      places.number(part);
  }

  void operation(Operation *op) {
    interned(code, knownCode, op->getName().getIdentifier());
    code.number(op->getNumOperands());
    for (mlir::Value operand : op->getOperands())
      code.number(values.lookup(operand));
    attributes(op);
    results(op->getResults());
    location(op->getLoc());
    code.number(op->getNumRegions());
    for (mlir::Region &region : op->getRegions()) {
      code.number(std::distance(region.begin(), region.end()));
      for (mlir::Block &block : region) {
        results(block.getArguments());
        for (Operation &inner : block)
          operation(&inner);
        code.number(0);
      }
    }
  }

  template <typename Values>
  void results(Values &&made) {
    code.number(made.size());
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
  encoder.code.text(facts);
  key.irHash = encoder.code.finish();
  encoder.places.text(sources);
  encoder.places.text(key.irHash);
  key.cache = encoder.places.finish();
  return key;
}

} // namespace warpdrf::contract
