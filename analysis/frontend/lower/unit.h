// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of one unit share while they are lowered: symbols, module-level objects, the
// list of functions still to do.
#pragma once

#include "analysis/frontend/lower/lower.h"
#include "analysis/frontend/lower/targets.h"
#include "analysis/frontend/lower/types.h"

#include <deque>

namespace warpdrf::frontend {

class UnitLowering {
public:
  UnitLowering(clang::ASTContext &ast, mlir::MLIRContext &context);

  void run(LoweredUnit &unit, const std::function<bool()> &cancelled);

  /// The symbol that a call of `function` names; the function itself is lowered later, once.
  std::string symbolOf(const clang::FunctionDecl *function);
  /// The module-level object of a `__shared__`, `__device__`, `__constant__` or other static
  /// variable.
  std::string objectOf(const clang::VarDecl *variable);
  std::string objectOf(const clang::StringLiteral *literal);
  /// What a pointer to the function points to.
  std::string objectOf(const clang::FunctionDecl *function);
  const CallTargets &targets();
  mlir::FunctionType functionType(const clang::FunctionDecl *function) const;
  /// Declared in a toolkit, system or bundled header: known by name, not by body.
  bool isLibrary(const clang::Decl *decl) const;
  /// Whether there is a body that Clang understood as a whole.
  bool hasIntactBody(const clang::FunctionDecl *function);

  clang::ASTContext &ast;
  mlir::MLIRContext &context;
  Types types;
  Locations locations;
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  std::string uniqueSymbol(const std::string &wanted);
  std::string addObject(const std::string &name, const std::string &wanted, ir::MemorySpace space,
                        std::int64_t size, clang::SourceRange range);
  void replaceMalformed();
  void cutRecursion();

  std::map<const clang::FunctionDecl *, std::string> functions;
  std::map<const clang::FunctionDecl *, bool> intact;
  std::map<const clang::VarDecl *, std::string> variables;
  std::map<const clang::StringLiteral *, std::string> strings;
  std::map<const clang::FunctionDecl *, std::string> pointees;
  std::unique_ptr<CallTargets> callTargets;
  std::string dynamicShared; ///< the one object of all `extern __shared__` arrays
  std::set<std::string> symbols;
  std::deque<const clang::FunctionDecl *> pending;
};

/// How a person would name a function: qualified, with or without its template arguments.
std::string qualifiedName(const clang::FunctionDecl *function);
std::string instantiationName(const clang::FunctionDecl *function);

/// A method that has an object parameter.
inline bool hasThis(const clang::FunctionDecl *function) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method && method->isImplicitObjectMemberFunction();
}

} // namespace warpdrf::frontend
