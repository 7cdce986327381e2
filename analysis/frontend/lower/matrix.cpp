// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WMMA (`nvcuda::wmma`), by its contract: the whole warp takes part, a load or store is one access.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

struct MatrixLowering {
  struct Shape {
    std::int64_t rows, columns;
    bool rowMajor;
  };

  bool run(llvm::StringRef name);
  bool access(ir::PrimitiveKind kind, const std::string &name, const clang::Expr *fragment,
              const clang::Expr *pointer, const clang::Expr *stride, const clang::Expr *layout);
  std::optional<Shape> shape(const clang::Expr *fragment, const clang::Expr *layout);
  void participate(ir::PrimitiveKind kind, const std::string &name) {
    ir::PrimitiveOp::create(lowering.builder, at, mlir::TypeRange(), name, kind, mlir::Value(),
                            mlir::ValueRange(), mlir::Value(), mlir::Value());
  }

  FunctionLowering &lowering;
  const clang::CallExpr *expr;
  mlir::Location at;
};

/// Rows and columns of the matrix that `fragment` holds a piece of, as it lies in memory.
std::optional<MatrixLowering::Shape> MatrixLowering::shape(const clang::Expr *fragment,
                                                           const clang::Expr *layout) {
  const auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      fragment->getType()->getAsCXXRecordDecl());
  if (!record || record->getName() != "fragment" || record->getTemplateArgs().size() < 6)
    return std::nullopt;
  const clang::TemplateArgumentList &arguments = record->getTemplateArgs();
  std::int64_t sizes[3];
  for (int i = 0; i < 3; ++i)
    sizes[i] = arguments[i + 1].getAsIntegral().getExtValue();
  const auto recordName = [&](unsigned index) -> llvm::StringRef {
    const clang::CXXRecordDecl *decl = arguments[index].getAsType()->getAsCXXRecordDecl();
    return decl ? decl->getName() : "";
  };
  bool rowMajor = recordName(5) == "row_major";
  if (layout) {
    clang::Expr::EvalResult value;
    if (!layout->EvaluateAsInt(value, lowering.unit.ast))
      return std::nullopt;
    rowMajor = value.Val.getInt() == 0; // mem_row_major
  }
  const llvm::StringRef use = recordName(0);
  if (use == "matrix_a")
    return Shape{sizes[0], sizes[2], rowMajor};
  if (use == "matrix_b")
    return Shape{sizes[2], sizes[1], rowMajor};
  return Shape{sizes[0], sizes[1], rowMajor};
}

bool MatrixLowering::access(ir::PrimitiveKind kind, const std::string &name,
                            const clang::Expr *fragment, const clang::Expr *pointer,
                            const clang::Expr *stride, const clang::Expr *layout) {
  const std::optional<Shape> matrix = shape(fragment, layout);
  if (!matrix) {
    lowering.unsupported(expr, name + " of an unknown layout");
    return true;
  }
  mlir::OpBuilder &builder = lowering.builder;
  const std::int64_t element = lowering.types.size(pointer->getType()->getPointeeType());
  mlir::Value base = lowering.scalar(pointer);
  mlir::Value bytes = builder.createOrFold<mlir::arith::MulIOp>(
      at, lowering.argumentAs(stride, lowering.types.integer(64)), lowering.integer64(at, element));
  const std::int64_t rows = matrix->rowMajor ? matrix->rows : matrix->columns;
  const std::int64_t columns = matrix->rowMajor ? matrix->columns : matrix->rows;
  ir::PrimitiveOp::create(builder, at, mlir::TypeRange(), name, kind, mlir::Value(),
                          mlir::ValueRange(), base, bytes, rows, columns * element);
  return true;
}

bool MatrixLowering::run(llvm::StringRef name) {
  const std::string shown = "wmma::" + name.str();
  const auto argument = [&](unsigned i) -> const clang::Expr * {
    return i < expr->getNumArgs() ? expr->getArg(i) : nullptr;
  };
  if (name == "load_matrix_sync")
    return access(ir::PrimitiveKind::MatrixLoad, shown, argument(0), argument(1), argument(2),
                  argument(3));
  if (name == "store_matrix_sync")
    return access(ir::PrimitiveKind::MatrixStore, shown, argument(1), argument(0), argument(2),
                  argument(3));
  if (name == "fill_fragment") {
    lowering.effects(argument(1));
    participate(ir::PrimitiveKind::MatrixFill, shown);
    return true;
  }
  if (name == "mma_sync") {
    participate(ir::PrimitiveKind::MatrixMma, shown);
    return true;
  }
  lowering.unsupported(expr, shown);
  return true;
}

bool FunctionLowering::matrixBuiltin(const clang::CallExpr *expr,
                                     const clang::FunctionDecl *callee) {
  if (!callee->getDeclName().isIdentifier() ||
      !llvm::StringRef(qualifiedName(callee)).starts_with("nvcuda::wmma::") || hasThis(callee) ||
      !expr->getType()->isVoidType())
    return false;
  return MatrixLowering{*this, expr, loc(expr)}.run(callee->getName());
}

} // namespace warpdrf::frontend
