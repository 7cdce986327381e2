// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang types as the dialect sees them: scalars have an MLIR type, everything else is bytes in an
// object.
#pragma once

#include "analysis/frontend/clang_pch.h"
#include "analysis/report/report.h"

namespace warpdrf::frontend {

/// A scalar inside a record: where it lies and its type in memory.
struct Leaf {
  std::int64_t offset;
  mlir::Type type;
};

class Types {
public:
  Types(const clang::ASTContext &ast, mlir::MLIRContext &context) : ast(ast), context(context) {}

  /// The type of a scalar value (`bool` is i1); null for records, arrays, vectors, complex and
  /// `void`.
  mlir::Type scalar(clang::QualType type) const;
  /// The same as it lies in memory: `bool` is i8.
  mlir::Type memory(clang::QualType type) const;
  bool isScalar(clang::QualType type) const { return static_cast<bool>(scalar(type)); }
  std::int64_t size(clang::QualType type) const;
  /// The scalars of a record in order of offset; empty when there are more than `limit`. A union
  /// or bit-field is given as words.
  std::vector<Leaf> leaves(clang::QualType type, std::size_t limit) const;
  bool containsPointer(clang::QualType type) const;

  mlir::Type pointer() const { return ir::PtrType::get(&context); }
  mlir::IntegerType integer(unsigned bits) const { return mlir::IntegerType::get(&context, bits); }
  static bool isUnsigned(clang::QualType type);

private:
  bool addLeaves(clang::QualType type, std::int64_t offset, std::size_t limit,
                 std::vector<Leaf> &leaves) const;
  bool addWords(std::int64_t size, std::int64_t offset, std::size_t limit,
                std::vector<Leaf> &leaves) const;

  const clang::ASTContext &ast;
  mlir::MLIRContext &context;
};

/// Source ranges as MLIR locations: where the user sees the code (macros: where they are used).
class Locations {
public:
  Locations(const clang::ASTContext &ast, mlir::MLIRContext &context)
      : sources(ast.getSourceManager()), options(ast.getLangOpts()), context(context) {}

  mlir::Location of(clang::SourceRange range);
  mlir::Location of(const clang::Stmt *stmt) { return of(stmt->getSourceRange()); }
  Range range(clang::SourceRange range) const;

private:
  const clang::SourceManager &sources;
  const clang::LangOptions &options;
  mlir::MLIRContext &context;
  std::map<clang::FileID, mlir::StringAttr> files;
};

} // namespace warpdrf::frontend
