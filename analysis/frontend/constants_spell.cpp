// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of HostConstants as C expressions over named places.
#include "analysis/frontend/constants.h"

#include "llvm/Support/SaveAndRestore.h"

namespace warpdrf::frontend {

/// What `// warpdrf: assume` understands.
static bool isSpelled(clang::BinaryOperatorKind opcode) {
  switch (opcode) {
  case clang::BO_Add:
  case clang::BO_Sub:
  case clang::BO_Mul:
  case clang::BO_Div:
  case clang::BO_Rem:
  case clang::BO_LT:
  case clang::BO_GT:
  case clang::BO_LE:
  case clang::BO_GE:
  case clang::BO_EQ:
  case clang::BO_NE:
  case clang::BO_LAnd:
  case clang::BO_LOr:
    return true;
  default:
    return false;
  }
}

/// What a conversion to an integer takes over, as the value it is; null for anything else.
static const clang::Expr *convertedBy(const clang::Expr *expression) {
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression);
  bool keeps =
      cast && cast->getType()->isIntegralOrEnumerationType() &&
      (cast->getCastKind() == clang::CK_IntegralCast ||
       cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp);
  return keeps ? cast->getSubExpr() : nullptr;
}

std::string HostConstants::spell(const clang::Expr *expression, const Names &names) {
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  if (depth > MaxDepth || expression->isInstantiationDependent() || expression->containsErrors() ||
      !expression->getType()->isIntegralOrEnumerationType())
    return "";
  if (std::optional<NullTest> test = nullTest(expression)) {
    std::optional<Place> place = locate(test->pointer);
    std::string name = place ? names(*place) : "";
    return name.empty() ? "" : "(" + name + (test->whenNull ? " == 0)" : " != 0)");
  }
  expression = carried(expression);
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return spellBinary(*binary, names);
  if (const clang::Expr *converted = convertedBy(expression))
    return spell(converted, names);
  return spellPlace(expression, names);
}

std::string HostConstants::spellBinary(const clang::BinaryOperator &binary, const Names &names) {
  if (!isSpelled(binary.getOpcode()))
    return "";
  std::string left = spell(binary.getLHS(), names);
  std::string right = left.empty() ? "" : spell(binary.getRHS(), names);
  return right.empty() ? "" : "(" + left + " " + binary.getOpcodeStr().str() + " " + right + ")";
}

/// What is no operator: a place with a name, a number, or what gave the place its only value.
std::string HostConstants::spellPlace(const clang::Expr *place, const Names &names) {
  std::optional<Place> located = place->isGLValue() ? locate(place) : std::nullopt;
  if (located)
    if (std::string name = names(*located); !name.empty())
      return name;
  if (std::optional<std::int64_t> number = integer(place))
    return *number < 0 ? "(" + std::to_string(*number) + ")" : std::to_string(*number);
  Source found = source(place);
  return found.expression && found.expression != place ? found.where->spell(found.expression, names)
                                                       : "";
}

std::array<std::string, 3> HostConstants::spellDims(const clang::Expr *expression,
                                                    const Names &names) {
  std::array<std::string, 3> result;
  auto parts = components(expression);
  for (std::size_t i = 0; i < 3; ++i)
    if (parts[i].expression)
      result[i] = parts[i].where->spell(parts[i].expression, names);
  return result;
}

static const clang::Expr *withoutConversions(const clang::Expr *expression) {
  expression = expression->IgnoreParens();
  const clang::Expr *converted = convertedBy(expression);
  return converted ? withoutConversions(converted) : expression;
}

std::optional<HostConstants::Place> HostConstants::locateValue(const clang::Expr *expression) {
  return locate(withoutConversions(expression));
}

std::vector<HostConstants::Place> HostConstants::originsOf(const clang::Expr *expression) {
  std::vector<Place> places;
  Source next{this, withoutConversions(expression)};
  for (unsigned steps = 0; next.expression && steps < MaxDepth; ++steps) {
    const clang::Expr *here = next.expression;
    if (std::optional<Place> place = next.where->locate(here))
      places.push_back(*place);
    next = next.where->source(here);
    if (next.expression)
      next.expression = withoutConversions(next.expression);
    if (next.expression == here)
      break;
  }
  return places;
}

std::array<std::optional<HostConstants::Place>, 3>
HostConstants::dimPlaces(const clang::Expr *dims) {
  std::array<std::optional<Place>, 3> result;
  auto parts = components(dims);
  for (std::size_t i = 0; i < 3; ++i)
    if (parts[i].expression)
      result[i] = parts[i].where->locateValue(parts[i].expression);
  return result;
}

std::string HostConstants::keyOf(const Place &place) const {
  auto number = [](const void *pointer) {
    return std::to_string(reinterpret_cast<std::uintptr_t>(pointer));
  };
  std::string name = "@" + number(place.owner) + "." + number(place.variable);
  for (const clang::FieldDecl *field : place.path)
    name += "." + number(field);
  return name;
}

std::string HostConstants::keyOf(const clang::BinaryOperator &binary) {
  const Names places = [this](const Place &place) { return keyOf(place); };
  if (binary.getOpcode() != clang::BO_NE)
    return spellBinary(binary, places);
  const std::string left = spell(binary.getLHS(), places), right = spell(binary.getRHS(), places);
  return left.empty() || right.empty() ? "" : "(" + left + " == " + right + ")";
}

} // namespace warpdrf::frontend
