// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ir/text.h"

#include "analysis/ir/dialect.h"
#include "mlir/Parser/Parser.h"

namespace warpdrf::ir {

std::unique_ptr<mlir::MLIRContext> makeContext() {
  auto context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<WarpDRFDialect, mlir::arith::ArithDialect>();
  return context;
}

std::string print(mlir::ModuleOp module, bool locations) {
  mlir::OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, flags);
  return text;
}

mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text, mlir::MLIRContext &context,
                                        std::string &error, const std::string &path) {
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream stream(error);
    if (!error.empty())
      stream << "\n";
    if (auto at = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColRange>())
      stream << at.getFilename().getValue() << ":" << at.getStartLine() << ":"
             << at.getStartColumn();
    else
      stream << diagnostic.getLocation();
    stream << ": " << diagnostic;
    return mlir::success();
  });
  return mlir::parseSourceString<mlir::ModuleOp>(text, &context, path);
}

} // namespace warpdrf::ir
