// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/raise/raise.h"

#include "analysis/ir/text.h"
#include "analysis/raise/raiser.h"

namespace warpdrf::raise {

/// What a generated test says of itself in an attribute of its kernel.
static void describe(ir::FuncOp kernel, Subject &subject) {
  subject.kernel = kernel.getSymName().str();
  auto test = kernel->getAttrOfType<mlir::DictionaryAttr>("warpdrf.test");
  if (!test)
    return;
  const auto number = [&](const char *name, auto &target) {
    if (auto value = test.getAs<mlir::IntegerAttr>(name))
      target = static_cast<std::decay_t<decltype(target)>>(value.getInt());
  };
  number("width", subject.width);
  number("threads", subject.threads);
  number("places", subject.places);
  number("capacity", subject.capacity);
  number("seed", subject.seed);
  if (auto contract = test.getAs<mlir::StringAttr>("contract"))
    subject.contract = contract.getValue().str();
}

static ir::FuncOp find(mlir::ModuleOp module, const std::string &name, std::string &error) {
  ir::FuncOp found;
  for (auto each : module.getOps<ir::FuncOp>()) {
    if (!each.getKernel() || (!name.empty() && each.getSymName() != name))
      continue;
    if (found) {
      error = "there are several kernels; --kernel says which";
      return nullptr;
    }
    found = each;
  }
  if (!found)
    error = "there is no kernel" + (name.empty() ? "" : " '" + name + "'");
  return found;
}

std::optional<Raised> raise(const std::string &module, const std::string &path,
                            const std::string &kernel, const std::string &target,
                            std::string &error) {
  const std::unique_ptr<Language> language = makeLanguage(target);
  if (!language) {
    error = "there is no language '" + target + "'";
    return std::nullopt;
  }
  const std::unique_ptr<mlir::MLIRContext> context = ir::makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> parsed = ir::parse(module, *context, error, path);
  if (!parsed)
    return std::nullopt;
  ir::FuncOp function = find(*parsed, kernel, error);
  if (!function)
    return std::nullopt;
  Raised raised;
  describe(function, raised.subject);
  Raiser raiser(*language, raised.subject);
  const std::string body = raiser.raise(function);
  if (!raiser.problem().empty()) {
    error = raiser.problem();
    return std::nullopt;
  }
  raised.extension = language->extension();
  raised.text = language->prologue(raised.subject) + body + language->epilogue(raised.subject);
  return raised;
}

} // namespace warpdrf::raise
