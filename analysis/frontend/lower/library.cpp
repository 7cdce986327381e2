// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of system headers that take and give plain values (math, half arithmetic, conversions)
// become uninterpreted applications: their bodies are assembly and bit tricks that say nothing
// about races.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

static constexpr std::size_t maximalLeaves = 16;

/// A library function with such a name does more than compute, so it is never taken for a pure one.
static bool mayAct(const clang::FunctionDecl *callee) {
  const std::string name = qualifiedName(callee);
  for (const char *word :
       {"sync",   "shfl",     "vote",  "ballot", "match_", "barrier",    "bar_",
        "membar", "atomic",   "atom_", "fence",  "async",  "cluster",    "cooperative_groups",
        "cub::",  "thrust::", "wmma",  "mma_",   "clock",  "activemask", "elect"})
    if (llvm::StringRef(name).contains(word))
      return true;
  return false;
}

namespace {
/// Whether a body is plain C++, so that walking into it is of use: no assembly, no compiler
/// built-in.
class PlainBody : public clang::RecursiveASTVisitor<PlainBody> {
public:
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *) { return plain = false; }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    return plain = plain && callee && !callee->getBuiltinID();
  }
  bool plain = true;
};
} // namespace

static bool isPlain(const clang::FunctionDecl *callee) {
  const clang::FunctionDecl *definition = callee->getDefinition();
  if (!definition || !definition->getBody())
    return false;
  PlainBody visitor;
  visitor.TraverseStmt(definition->getBody());
  return visitor.plain;
}

bool FunctionLowering::isOpaqueLibrary(const clang::FunctionDecl *callee) {
  const clang::QualType result = callee->getReturnType();
  if (callee->param_empty()) // it reads something: a special register, a clock
    return false;
  if (!unit.isLibrary(callee) || callee->isConstexpr() || callee->isVariadic() ||
      result->isVoidType() || types.containsPointer(result) || mayAct(callee) ||
      llvm::isa<clang::CXXConstructorDecl>(callee) || hasThis(callee))
    return false;
  for (const clang::ParmVarDecl *parameter : callee->parameters()) {
    clang::QualType type = parameter->getType();
    if (type->isReferenceType() && !type->getPointeeType().isConstQualified())
      return false;
    type = type.getNonReferenceType();
    if (types.containsPointer(type) ||
        (!types.isScalar(type) && types.leaves(type, maximalLeaves).empty()))
      return false;
  }
  if (types.isScalar(result))
    return true;
  return !isPlain(callee) && !types.leaves(result, maximalLeaves).empty();
}

/// Mathematics that gives results through pointers: sincos, modf, frexp, remquo, under CUDA's names
/// and libdevice's.
bool FunctionLowering::mathWithPointers(const clang::CallExpr *expr,
                                        const clang::FunctionDecl *callee, Value &result) {
  llvm::StringRef word = callee->getName();
  word.consume_front("__nv_");
  if (word.consume_front("fast_") || word.consume_front("__"))
    word.consume_front("__");
  if (!word.starts_with("sincos") && !word.starts_with("modf") && !word.starts_with("frexp") &&
      !word.starts_with("remquo"))
    return false;
  llvm::SmallVector<Value> values, pointers;
  llvm::SmallVector<clang::QualType> pointees;
  for (const clang::Expr *argument : expr->arguments()) {
    const clang::QualType type = argument->getType();
    (type->isPointerType() ? pointers : values).push_back(scalar(argument));
    if (type->isPointerType())
      pointees.push_back(type->getPointeeType());
  }
  const mlir::Location at = loc(expr);
  const std::string name = callee->getNameAsString();
  for (std::size_t i = 0; i < pointers.size(); ++i)
    write(at, pointers[i],
          ir::ApplyOp::create(builder, at, types.scalar(pointees[i]),
                              name + "." + std::to_string(i), values),
          pointees[i]);
  if (mlir::Type type = types.scalar(callee->getReturnType()))
    result = ir::ApplyOp::create(builder, at, type, name, values);
  return true;
}

/// One application per scalar of the result; all have the same arguments.
mlir::Value FunctionLowering::applyLibrary(const clang::Expr *at, const clang::FunctionDecl *callee,
                                           Value destination,
                                           llvm::ArrayRef<const clang::Expr *> arguments) {
  const mlir::Location where = loc(at);
  llvm::SmallVector<Value> values;
  for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType().getNonReferenceType();
    if (types.isScalar(type)) {
      values.push_back(scalar(arguments[i]));
      continue;
    }
    Value record = address(arguments[i]);
    for (const Leaf &leaf : types.leaves(type, maximalLeaves))
      values.push_back(
          ir::ReadOp::create(builder, where, leaf.type, offset(where, record, leaf.offset)));
  }
  std::string name = qualifiedName(callee);
  const clang::QualType result = callee->getReturnType();
  if (mlir::Type type = types.scalar(result))
    return ir::ApplyOp::create(builder, where, type, name, values);
  unsigned number = 0;
  for (const Leaf &leaf : types.leaves(result, maximalLeaves)) {
    Value value = ir::ApplyOp::create(builder, where, leaf.type,
                                      name + "." + std::to_string(number++), values);
    ir::WriteOp::create(builder, where, offset(where, destination, leaf.offset), value);
  }
  return {};
}

} // namespace warpdrf::frontend
