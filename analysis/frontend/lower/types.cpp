// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/lower/types.h"

namespace warpdrf::frontend {

mlir::Type Types::scalar(clang::QualType qualified) const {
  const clang::QualType type = qualified.getCanonicalType().getUnqualifiedType();
  if (type->isReferenceType() || type->isPointerType() || type->isNullPtrType() ||
      type->isFunctionType())
    return pointer();
  if (type->isBooleanType())
    return integer(1);
  if (const auto *atomic = type->getAs<clang::AtomicType>())
    return scalar(atomic->getValueType());
  if (type->isIntegralOrEnumerationType())
    return type->isIncompleteType() ? mlir::Type() : integer(ast.getIntWidth(type));
  if (!type->isRealFloatingType())
    return {};
  if (type->isBFloat16Type())
    return mlir::BFloat16Type::get(&context);
  switch (ast.getTypeSize(type)) {
  case 16:
    return mlir::Float16Type::get(&context);
  case 32:
    return mlir::Float32Type::get(&context);
  case 64:
    return mlir::Float64Type::get(&context);
  default:
    return mlir::Float128Type::get(&context);
  }
}

mlir::Type Types::memory(clang::QualType type) const {
  mlir::Type value = scalar(type);
  return value && value.isInteger(1) ? integer(8) : value;
}

std::int64_t Types::size(clang::QualType type) const {
  if (type->isReferenceType())
    return 8;
  if (type->isIncompleteType() || type->isFunctionType() || type->isVoidType())
    return type->isIncompleteArrayType() ? 0 : 1;
  return ast.getTypeSizeInChars(type).getQuantity();
}

bool Types::isUnsigned(clang::QualType type) {
  return type->isUnsignedIntegerOrEnumerationType() || type->isPointerType();
}

bool Types::addWords(std::int64_t size, std::int64_t offset, std::size_t limit,
                     std::vector<Leaf> &leaves) const {
  for (std::int64_t at = 0; at < size;) {
    const std::int64_t width = size - at >= 4 ? 4 : size - at >= 2 ? 2 : 1;
    leaves.push_back({offset + at, integer(width * 8)});
    at += width;
    if (leaves.size() > limit)
      return false;
  }
  return true;
}

/// The float that a class of CUDA's headers stands for; null for every other record.
static mlir::Type shortFloat(const clang::CXXRecordDecl *record, mlir::MLIRContext &context) {
  const clang::IdentifierInfo *name = record ? record->getIdentifier() : nullptr;
  if (!name || !record->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return {};
  if (name->isStr("__half"))
    return mlir::Float16Type::get(&context);
  return name->isStr("__nv_bfloat16") ? mlir::BFloat16Type::get(&context) : mlir::Type();
}

bool Types::addLeaves(clang::QualType type, std::int64_t offset, std::size_t limit,
                      std::vector<Leaf> &leaves) const {
  if (mlir::Type scalarType = memory(type)) {
    leaves.push_back({offset, scalarType});
    return leaves.size() <= limit;
  }
  if (const clang::ConstantArrayType *array = ast.getAsConstantArrayType(type)) {
    const std::int64_t stride = size(array->getElementType());
    for (std::uint64_t i = 0; i < array->getZExtSize(); ++i)
      if (!addLeaves(array->getElementType(), offset + i * stride, limit, leaves))
        return false;
    return true;
  }
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (mlir::Type half = shortFloat(record, context)) {
    leaves.push_back({offset, half});
    return leaves.size() <= limit;
  }
  const auto isBitField = [](const clang::FieldDecl *field) { return field->isBitField(); };
  if (!record || record->isUnion() || llvm::any_of(record->fields(), isBitField))
    return addWords(size(type), offset, limit, leaves);
  const clang::ASTRecordLayout &layout = ast.getASTRecordLayout(record);
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    const clang::CXXRecordDecl *decl = base.getType()->getAsCXXRecordDecl();
    if (!decl->isEmpty() &&
        !addLeaves(base.getType(), offset + layout.getBaseClassOffset(decl).getQuantity(), limit,
                   leaves))
      return false;
  }
  for (const clang::FieldDecl *field : record->fields()) {
    const std::int64_t at = layout.getFieldOffset(field->getFieldIndex()) / 8;
    if (!addLeaves(field->getType(), offset + at, limit, leaves))
      return false;
  }
  return true;
}

std::vector<Leaf> Types::leaves(clang::QualType type, std::size_t limit) const {
  std::vector<Leaf> result;
  if (!addLeaves(type, 0, limit, result))
    result.clear();
  return result;
}

bool Types::containsPointer(clang::QualType type) const {
  if (type->isPointerType() || type->isReferenceType() || type->isMemberPointerType())
    return true;
  if (const clang::ArrayType *array = ast.getAsArrayType(type))
    return containsPointer(array->getElementType());
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  return llvm::any_of(record->bases(),
                      [&](const auto &base) { return containsPointer(base.getType()); }) ||
         llvm::any_of(record->fields(),
                      [&](const auto *field) { return containsPointer(field->getType()); });
}

Range Locations::range(clang::SourceRange source) const {
  if (source.isInvalid())
    return {};
  const clang::CharSourceRange expansion = sources.getExpansionRange(source);
  const clang::SourceLocation begin = expansion.getBegin();
  clang::SourceLocation end = expansion.getEnd();
  if (expansion.isTokenRange())
    end = end.getLocWithOffset(clang::Lexer::MeasureTokenLength(end, sources, options));
  const auto [file, beginOffset] = sources.getDecomposedLoc(begin);
  auto [endFile, endOffset] = sources.getDecomposedLoc(end);
  if (endFile != file)
    endOffset = beginOffset;
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  Range result;
  result.file = entry ? entry->getName().str() : sources.getBufferName(begin).str();
  result.begin = {sources.getLineNumber(file, beginOffset),
                  sources.getColumnNumber(file, beginOffset)};
  result.end = {sources.getLineNumber(file, endOffset), sources.getColumnNumber(file, endOffset)};
  return result;
}

mlir::Location Locations::of(clang::SourceRange source) {
  if (source.isInvalid())
    return mlir::UnknownLoc::get(&context);
  const Range place = range(source);
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(source.getBegin()));
  mlir::StringAttr &name = files[file];
  if (!name)
    name = mlir::StringAttr::get(&context, place.file);
  return mlir::FileLineColRange::get(name, place.begin.line, place.begin.column, place.end.line,
                                     place.end.column);
}

} // namespace warpdrf::frontend
