// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/launch_facts.h"

#include "analysis/frontend/call_sites.h"
#include "analysis/frontend/constants.h"
#include "analysis/frontend/reciprocals.h"

namespace warpdrf::frontend {
namespace {

using Place = HostConstants::Place;

class Ties {
public:
  Ties(Launch &launch, const clang::CUDAKernelCallExpr &call, const clang::FunctionDecl &kernel,
       HostConstants &constants)
      : launch(launch), call(call), kernel(kernel), constants(constants) {
    for (unsigned i = 0; i < count(); ++i)
      if (isInteger(i) || isPointer(i))
        for (const Place &place : constants.originsOf(call.getArg(i)))
          parameters.try_emplace(place, nameOf(i));
    for (unsigned i = 0; i < count(); ++i)
      if (kernel.getParamDecl(i)->getType()->isRecordType())
        tieReciprocal(i);
    tieDivisors();
  }

  void tieDimensions() {
    const clang::CallExpr *config = call.getConfig();
    if (!config || config->getNumArgs() < 2)
      return;
    tieDimensions("gridDim.", launch.grid, config->getArg(0));
    tieDimensions("blockDim.", launch.block, config->getArg(1));
  }

  /// Arguments that are computed from others.
  void tieArguments() {
    for (unsigned i = 0; i < count(); ++i) {
      if (isPointer(i))
        tiePointer(i);
      if (!isInteger(i) || launch.values.contains(nameOf(i)))
        continue;
      std::optional<Place> place = passed(i);
      bool names = place && parameters.at(*place) == nameOf(i);
      std::string text = constants.spell(call.getArg(i), [&](const Place &other) {
        return names && other == *place ? "" : name(other);
      });
      if (!text.empty())
        launch.values[nameOf(i)] = text;
    }
  }

  void add(const PlacedCondition &placed) {
    const Condition &condition = placed.condition;
    if (!condition.equals)
      return add(condition.expression, condition.holds, *placed.where);
    std::string left = spell(condition.expression, *placed.where);
    std::string right = spell(condition.equals, *placed.where);
    if (!left.empty() && !right.empty())
      fact("(" + left + " == " + right + ")");
  }

private:
  unsigned count() const { return std::min(call.getNumArgs(), kernel.getNumParams()); }
  std::string nameOf(unsigned i) const { return kernel.getParamDecl(i)->getName().str(); }

  /// A parameter that is an integer and has a name, and whose argument is no known number.
  bool isInteger(unsigned i) const {
    clang::QualType type = kernel.getParamDecl(i)->getType();
    return type->isIntegralOrEnumerationType() && !type->isBooleanType() && !nameOf(i).empty() &&
           !(i < launch.arguments.size() && launch.arguments[i]);
  }

  bool isPointer(unsigned i) const {
    return kernel.getParamDecl(i)->getType()->isPointerType() && !nameOf(i).empty();
  }

  /// The place whose value is passed on as it is.
  std::optional<Place> passed(unsigned i) const {
    if (!isInteger(i))
      return std::nullopt;
    return constants.locateValue(call.getArg(i));
  }

  std::string name(const Place &place) const {
    for (const auto *names : {&parameters, &dimensions})
      if (auto known = names->find(place); known != names->end())
        return known->second;
    return "";
  }

  std::string spell(const clang::Expr *expression, HostConstants &where) const {
    return where.spell(expression, [&](const Place &place) { return name(place); });
  }

  /// A pointer that is known to be null, or not to be.
  void tiePointer(unsigned i) {
    if (std::optional<bool> null = constants.isNull(call.getArg(i)))
      fact("(" + nameOf(i) + (*null ? " == 0)" : " != 0)"));
  }

  void tieReciprocal(unsigned i) {
    const std::optional<Reciprocal> found = findReciprocal(constants, call.getArg(i));
    if (!found)
      return;
    fact("reciprocal(" + nameOf(i) + ", " + std::to_string(found->multiplier) + ", " +
         std::to_string(found->shift) + ", " + std::to_string(found->divisor) + ")");
    for (const Place &place : found->origins)
      parameters.try_emplace(place, nameOf(i) + ".divisor");
    reciprocals.emplace_back(nameOf(i), *found);
  }

  /// Divisors of one another, each of the nearest: those of the digits of one index.
  void tieDivisors() {
    for (const auto &[name, reciprocal] : reciprocals) {
      const std::pair<std::string, Reciprocal> *nearest = nullptr;
      for (const auto &other : reciprocals)
        if (reciprocal.isMultipleOf(other.second) && !other.second.isMultipleOf(reciprocal) &&
            (!nearest || other.second.isMultipleOf(nearest->second)))
          nearest = &other;
      if (nearest)
        fact("(" + name + ".divisor % " + nearest->first + ".divisor == 0)");
    }
  }

  /// Taken apart into what holds.
  void add(const clang::Expr *condition, bool holds, HostConstants &where) {
    condition = condition->IgnoreParenImpCasts();
    if (HostConstants::Source kept = meaning(condition, where); kept.expression)
      return add(kept.expression, holds, *kept.where);
    const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (binary && binary->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr)) {
      add(binary->getLHS(), holds, where);
      add(binary->getRHS(), holds, where);
    } else if (const clang::Expr *negated = negatedBy(condition)) {
      add(negated, !holds, where);
    } else if (binary && binary->isLogicalOp() && isKnown(binary->getLHS(), !holds, where)) {
      add(binary->getRHS(), holds, where); // one of the two does, and it is not the first
    } else {
      fact(textOf(condition, holds, where));
    }
  }

  static bool isKnown(const clang::Expr *condition, bool holds, HostConstants &where) {
    HostConstants::Value value = where.evaluate(condition);
    return value && (*value != 0) == holds;
  }

  static const clang::Expr *negatedBy(const clang::Expr *condition) {
    const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
    return unary && unary->getOpcode() == clang::UO_LNot ? unary->getSubExpr() : nullptr;
  }

  /// The condition whose value a bool variable keeps; null for anything else.
  static HostConstants::Source meaning(const clang::Expr *condition, HostConstants &where) {
    HostConstants::Source kept;
    if (condition->getType()->isBooleanType() && condition->isGLValue())
      kept = where.source(condition);
    return kept.expression && kept.expression->isPRValue() ? kept : HostConstants::Source();
  }

  /// Without negations; empty if some part has no text.
  std::string textOf(const clang::Expr *condition, bool holds, HostConstants &where) const {
    if (std::optional<HostConstants::NullTest> test = where.nullTest(condition)) {
      std::optional<Place> place = where.locate(test->pointer);
      std::string pointer = place ? name(*place) : "";
      return pointer.empty() ? "" : "(" + pointer + (test->whenNull == holds ? " == 0)" : " != 0)");
    }
    condition = condition->IgnoreParenImpCasts();
    if (HostConstants::Source kept = meaning(condition, where); kept.expression)
      return textOf(kept.expression, holds, *kept.where);
    if (const clang::Expr *negated = negatedBy(condition))
      return textOf(negated, !holds, where);
    const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!binary)
      return "";
    clang::BinaryOperatorKind opcode = binary->getOpcode();
    std::string left, right;
    if (binary->isLogicalOp()) {
      left = textOf(binary->getLHS(), holds, where);
      right = textOf(binary->getRHS(), holds, where);
      if (!holds)
        opcode = opcode == clang::BO_LAnd ? clang::BO_LOr : clang::BO_LAnd;
    } else if (binary->isComparisonOp() && opcode != clang::BO_Cmp) {
      left = spell(binary->getLHS(), where);
      right = spell(binary->getRHS(), where);
      if (!holds)
        opcode = clang::BinaryOperator::negateComparisonOp(opcode);
    }
    if (left.empty() || right.empty())
      return "";
    return "(" + left + " " + clang::BinaryOperator::getOpcodeStr(opcode).str() + " " + right + ")";
  }

  /// Names are words; without one the text tells nothing.
  void fact(std::string text) {
    if (!llvm::any_of(text, [](char c) { return llvm::isAlpha(c); }))
      return;
    if (!llvm::is_contained(launch.facts, text))
      launch.facts.push_back(std::move(text));
  }

  /// A value that no parameter gets has the name of the first dimension that it gives.
  void tieDimensions(const std::string &base,
                     const std::array<std::optional<std::int64_t>, 3> &known,
                     const clang::Expr *dims) {
    auto places = constants.dimPlaces(dims);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (places[axis] && !known[axis])
        dimensions.try_emplace(*places[axis], base + "xyz"[axis]);
    auto texts = constants.spellDims(dims, [&](const Place &place) { return name(place); });
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::string dimension = base + "xyz"[axis];
      if (known[axis] || texts[axis].empty() || texts[axis] == dimension)
        continue;
      bool parameter =
          llvm::any_of(parameters, [&](const auto &entry) { return entry.second == texts[axis]; });
      if (!parameter || !launch.values.try_emplace(texts[axis], dimension).second)
        fact("(" + dimension + " == " + texts[axis] + ")");
    }
  }

  Launch &launch;
  const clang::CUDAKernelCallExpr &call;
  const clang::FunctionDecl &kernel;
  HostConstants &constants;
  std::vector<std::pair<std::string, Reciprocal>> reciprocals; ///< by parameter
  std::map<Place, std::string> parameters; ///< the first that was handed each place
  std::map<Place, std::string> dimensions; ///< the first that each place gives
};

} // namespace

void tieTogether(Launch &launch, const clang::CUDAKernelCallExpr &call,
                 const clang::FunctionDecl &kernel, HostConstants &constants,
                 const std::vector<PlacedCondition> &conditions) {
  Ties ties(launch, call, kernel, constants);
  ties.tieDimensions();
  ties.tieArguments();
  for (const PlacedCondition &condition : conditions)
    ties.add(condition);
}

} // namespace warpdrf::frontend
