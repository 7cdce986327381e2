// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boolean terms in normal form.
#include "analysis/contract/term.h"

#include <algorithm>
#include <numeric>

namespace warpdrf::contract {

Term TermPool::comparison(Op op, Term difference) {
  if (difference->boolean)
    difference = add(difference, integer(0)); // a truth value compared as a number
  if (op == Op::Le0) {
    if (difference->range.hi <= 0)
      return yes;
    if (difference->range.lo > 0)
      return no;
  } else {
    if (difference->range.lo > 0 || difference->range.hi < 0)
      return no;
    if (difference == integer(0))
      return yes;
  }
  if (difference->op == Op::Linear) {
    std::int64_t divisor = 0;
    for (std::int64_t coefficient : difference->coefficients)
      divisor = std::gcd(divisor, coefficient);
    bool flip = op == Op::Eq0 && difference->coefficients[0] < 0;
    if (divisor > 1 || flip) {
      if (op == Op::Eq0 && difference->value % divisor != 0)
        return no;
      // a·x + c <= 0  is  x <= floor(-c / a): the constant rounds towards +infinity.
      std::int64_t constant = difference->value / divisor;
      if (difference->value > 0 && difference->value % divisor != 0)
        ++constant;
      std::map<unsigned, std::int64_t> coefficients;
      for (std::size_t i = 0; i < difference->children.size(); ++i)
        coefficients[difference->children[i]->id] =
            difference->coefficients[i] / divisor * (flip ? -1 : 1);
      difference = linear(flip ? -constant : constant, coefficients);
    }
  }
  // `(condition ? 1 : 0)` compared with a constant is the condition again.
  Term core = difference;
  std::int64_t constant = 0, factor = 1;
  if (difference->op == Op::Linear && difference->children.size() == 1) {
    core = difference->children[0];
    constant = difference->value;
    factor = difference->coefficients[0];
  }
  if (core->op == Op::Ite && constantOf(core->children[1]) && constantOf(core->children[2])) {
    auto holds = [&](Term value) {
      std::int64_t x = factor * value->value + constant;
      return boolean(op == Op::Le0 ? x <= 0 : x == 0);
    };
    return ite(core->children[0], holds(core->children[1]), holds(core->children[2]));
  }
  return intern({op, true, {}, {}, 0, 0, {difference}, {}, {0, 1}});
}

Term TermPool::le(Term a, Term b) {
  return comparison(Op::Le0, sub(a, b));
}

Term TermPool::eq(Term a, Term b) {
  if (a == b)
    return yes;
  if (a->boolean && b->boolean)
    return ite(a, b, negate(b));
  if (a->op == Op::Ite && a->children[1]->op == Op::Pointer)
    return ite(a->children[0], eq(a->children[1], b), eq(a->children[2], b));
  if (b->op == Op::Ite && b->children[1]->op == Op::Pointer)
    return eq(b, a);
  if (a->op == Op::Pointer && b->op == Op::Pointer)
    return a->value == b->value ? eq(a->children[0], b->children[0]) : no;
  if (isLiteral(a) && isLiteral(b))
    return no;
  if (a->op == Op::Pointer || b->op == Op::Pointer)
    return apply("pointer==", std::initializer_list<Term>{a, b}, true);
  return comparison(Op::Eq0, sub(a, b));
}

Term TermPool::negate(Term a) {
  auto [known, isNew] = negations.emplace(a, nullptr);
  if (!isNew)
    return known->second;
  Term result = computeNegation(a);
  negations[a] = result; // not `known`: the table may have grown
  negations.emplace(result, a);
  return result;
}

Term TermPool::computeNegation(Term a) {
  switch (a->op) {
  case Op::Bool:
    return boolean(!a->value);
  case Op::Not:
    return a->children[0];
  case Op::Le0: // not (x <= 0)  is  1 - x <= 0
    return comparison(Op::Le0, sub(integer(1), a->children[0]));
  case Op::Or: {
    std::vector<Term> negated;
    for (Term child : a->children)
      negated.push_back(negate(child));
    return conj(negated);
  }
  case Op::And: {
    TermNode node{Op::Or, true, {}, {}, 0, 0, {}, {}, {0, 1}};
    for (Term child : a->children)
      node.children.push_back(negate(child));
    std::sort(node.children.begin(), node.children.end(),
              [](Term p, Term q) { return p->id < q->id; });
    return intern(std::move(node));
  }
  default:
    return intern({Op::Not, true, {}, {}, 0, 0, {a}, {}, {0, 1}});
  }
}

Term TermPool::conj(std::span<const Term> terms) {
  std::vector<Term> flat;
  auto addTerm = [&](Term term) -> bool {
    if (term == no)
      return false;
    if (term == yes)
      return true;
    if (term->op == Op::And) {
      for (Term child : term->children)
        flat.push_back(child);
      return true;
    }
    flat.push_back(term);
    return true;
  };
  for (Term term : terms)
    if (!addTerm(term))
      return no;
  std::sort(flat.begin(), flat.end(), [](Term p, Term q) { return p->id < q->id; });
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  if (flat.empty())
    return yes;
  if (flat.size() == 1)
    return flat[0];
  auto contains = [&](Term term) {
    return std::binary_search(flat.begin(), flat.end(), term,
                              [](Term p, Term q) { return p->id < q->id; });
  };
  auto refuted = [&](Term term) {
    // Building the negation of every nested formula here would take exponential time; literals are
    // cheap.
    bool literal = term->op != Op::And && term->op != Op::Or;
    auto known = negations.find(term);
    Term opposite = literal ? negate(term) : known != negations.end() ? known->second : nullptr;
    return opposite && contains(opposite);
  };
  for (Term term : flat)
    if (refuted(term) ||
        (term->op == Op::Or && std::all_of(term->children.begin(), term->children.end(), refuted)))
      return no; // the opposite of a disjunction lies here in its parts
  return intern({Op::And, true, {}, {}, 0, 0, std::move(flat), {}, {0, 1}});
}

Term TermPool::ite(Term condition, Term a, Term b) {
  if (condition == yes || a == b)
    return a;
  if (condition == no)
    return b;
  if (condition->op == Op::Not)
    return ite(condition->children[0], b, a);
  if (a->boolean && b->boolean)
    return disj(conj(condition, a), conj(negate(condition), b));
  if (a->op == Op::Pointer && b->op == Op::Pointer && a->value == b->value)
    return pointer(a->value, ite(condition, a->children[0], b->children[0]));
  if (a->boolean != b->boolean) {
    a = add(a, integer(0));
    b = add(b, integer(0));
  }
  return intern({Op::Ite, false, {}, {}, 0, 0, {condition, a, b}, {}, {}});
}

} // namespace warpdrf::contract
