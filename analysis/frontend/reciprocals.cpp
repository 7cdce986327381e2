// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/reciprocals.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecordLayout.h"

#include <array>

namespace warpdrf::frontend {
namespace {

using Numbers = std::array<std::uint64_t, 3>;

/// Small ones, and those on both sides of the powers of two.
std::vector<std::uint64_t> samples() {
  std::vector<std::uint64_t> all;
  for (std::uint64_t d = 1; d <= 12; ++d)
    all.push_back(d);
  for (unsigned bit = 4; bit < 32; bit += 3)
    for (std::uint64_t offset : {-1, 0, 1, 5})
      all.push_back((std::uint64_t{1} << bit) + offset);
  return all;
}

/// m, s and d.
Numbers reciprocalOf(std::uint64_t d) {
  std::uint64_t shift = 0;
  while ((std::uint64_t{1} << shift) < d)
    ++shift;
  const std::uint64_t m = (std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift) - d) / d + 1;
  return {m & 0xffffffff, shift, d};
}

/// The three parts of the record that a function of one number returns, or nothing.
class Maker {
public:
  Maker(HostConstants &constants, const clang::FunctionDecl &function)
      : constants(constants), function(function) {
    const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
    const auto *last = body && !body->body_empty()
                           ? llvm::dyn_cast<clang::ReturnStmt>(body->body_back())
                           : nullptr;
    if (last && last->getRetValue())
      findParts(last->getRetValue()->IgnoreUnlessSpelledInSource());
  }

  bool isUsable() const { return parts.size() == 3; }

  std::optional<Numbers> run(std::uint64_t divisor) const {
    const clang::ParmVarDecl *parameter = function.getParamDecl(0);
    clang::ASTContext &ast = function.getASTContext();
    const clang::QualType type = parameter->getType().getUnqualifiedType();
    const auto *number = clang::IntegerLiteral::Create(
        ast, llvm::APInt(ast.getIntWidth(type), divisor), type, parameter->getLocation());
    HostConstants *inner = constants.enter(&function, {number});
    Numbers result{};
    for (std::size_t i = 0; inner && i < parts.size(); ++i) {
      const std::optional<std::int64_t> part = inner->integer(parts[i]);
      if (!part)
        return std::nullopt;
      result[i] = static_cast<std::uint64_t>(*part) & 0xffffffff;
    }
    return inner ? std::optional(result) : std::nullopt;
  }

private:
  void findParts(const clang::Expr *record) {
    llvm::ArrayRef<clang::Expr *> given;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(record)) // make_uint3(m, s, d)
      given = llvm::ArrayRef(const_cast<clang::CallExpr *>(call)->getArgs(), call->getNumArgs());
    else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(record)) {
      // What the function is made of; the form in the source is no part of it.
      const clang::InitListExpr *meant = list->isSemanticForm() ? list : list->getSemanticForm();
      given = const_cast<clang::InitListExpr *>(meant)->inits();
    }
    parts.assign(given.begin(), given.end());
  }

  HostConstants &constants;
  const clang::FunctionDecl &function;
  std::vector<const clang::Expr *> parts;
};

/// Byte offsets of the fields of three unsigned integers.
std::optional<std::array<unsigned, 3>> fieldsOf(clang::QualType type,
                                                const clang::ASTContext &ast) {
  const clang::RecordDecl *record = type->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  if (!record || record->isUnion() ||
      std::distance(record->field_begin(), record->field_end()) != 3)
    return std::nullopt;
  std::array<unsigned, 3> offsets{};
  for (const clang::FieldDecl *field : record->fields()) {
    if (!field->getType()->isUnsignedIntegerType() || ast.getIntWidth(field->getType()) != 32)
      return std::nullopt;
    const unsigned index = field->getFieldIndex();
    offsets[index] = static_cast<unsigned>(ast.getASTRecordLayout(record).getFieldOffset(index) /
                                           ast.getCharWidth());
  }
  return offsets;
}

/// Which part is which, as far as one divisor tells: bit r of entry i says that part i may be
/// number r of `reciprocalOf`.
void narrow(std::array<unsigned, 3> &roles, const Numbers &parts, const Numbers &wanted) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t role = 0; role < 3; ++role)
      if (parts[i] != wanted[role])
        roles[i] &= ~(1u << role);
}

/// `holder`: the last place on the way to where the expression stands.
void addFactors(Reciprocal &result, HostConstants::Source of,
                std::optional<HostConstants::Place> holder = {}, unsigned depth = 0) {
  constexpr unsigned most = 16; // products and variables in one another
  const clang::Expr *expression = of.expression->IgnoreParenCasts();
  const auto *product = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (product && product->getOpcode() == clang::BO_Mul && depth < most) {
    addFactors(result, {of.where, product->getLHS()}, {}, depth + 1);
    return addFactors(result, {of.where, product->getRHS()}, {}, depth + 1);
  }
  if (std::optional<HostConstants::Place> place = of.where->locateValue(expression))
    holder = place;
  const HostConstants::Source from = of.where->source(expression);
  if (from.expression && from.expression->IgnoreParenCasts() != expression && depth < most)
    return addFactors(result, from, holder, depth + 1);
  if (holder)
    result.factors.push_back(*holder);
  else
    result.isWhole = false;
}

} // namespace

bool Reciprocal::isMultipleOf(const Reciprocal &other) const {
  return other.isWhole && std::ranges::includes(factors, other.factors);
}

std::optional<Reciprocal> findReciprocal(HostConstants &constants, const clang::Expr *argument) {
  const HostConstants::Source source = constants.source(argument);
  const auto *call =
      source.expression
          ? llvm::dyn_cast<clang::CallExpr>(source.expression->IgnoreUnlessSpelledInSource())
          : nullptr;
  const clang::FunctionDecl *function = call ? call->getDirectCallee() : nullptr;
  function = function ? function->getDefinition() : nullptr;
  if (!function || function->getNumParams() != 1 ||
      !function->getParamDecl(0)->getType()->isIntegerType())
    return std::nullopt;
  const auto offsets = fieldsOf(function->getReturnType(), function->getASTContext());
  const Maker maker(*source.where, *function);
  if (!offsets || !maker.isUsable())
    return std::nullopt;
  std::array<unsigned, 3> roles{7, 7, 7};
  for (std::uint64_t divisor : samples()) {
    const std::optional<Numbers> parts = maker.run(divisor);
    if (!parts)
      return std::nullopt;
    narrow(roles, *parts, reciprocalOf(divisor));
  }
  Reciprocal result;
  result.origins = source.where->originsOf(call->getArg(0));
  addFactors(result, {source.where, call->getArg(0)});
  std::ranges::sort(result.factors);
  for (std::size_t i = 0; i < 3; ++i)
    (roles[i] == 1   ? result.multiplier
     : roles[i] == 2 ? result.shift
                     : result.divisor) = (*offsets)[i];
  const unsigned all = roles[0] | roles[1] | roles[2];
  const bool each =
      std::ranges::all_of(roles, [](unsigned role) { return llvm::isPowerOf2_32(role); });
  return all == 7 && each ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace warpdrf::frontend
