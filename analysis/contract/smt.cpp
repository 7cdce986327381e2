// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/smt.h"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>

namespace warpdrf::contract {

namespace {

/// Terms below 2 to this can be taken apart into binary digits.
constexpr int kDigits = 16;

constexpr const char *kBitReversal = "__brev";

std::string number(std::int64_t value) {
  return value < 0 ? "(- " + std::to_string(-value) + ")" : std::to_string(value);
}

class Writer {
public:
  explicit Writer(TermPool &pool) : pool(pool) {}

  /// Every shared subterm is a `define-fun`, so the text stays linear in the size of the term
  /// graph.
  std::string write(Term term) {
    if (auto found = names.find(term); found != names.end())
      return found->second;
    std::string text = expression(term);
    if (text.size() > 40) {
      std::string name = "t" + std::to_string(term->id);
      body += "(define-fun " + name + " () " + (term->boolean ? "Bool " : "Int ") + text + ")\n";
      text = name;
    }
    names.emplace(term, text);
    return text;
  }

  void assertTerm(Term term) { body += "(assert " + write(term) + ")\n"; }

  std::string declarations, body;
  std::vector<std::string> wanted;
  bool abstracted = false, countsBits = false;

private:
  std::string list(const char *op, Term term) {
    std::string text = std::string("(") + op;
    for (Term child : term->children)
      text += " " + write(child);
    return text + ")";
  }

  std::string atom(Term term) {
    std::string name = smtName(pool, term);
    const Symbol &symbol = pool.symbolOf(term);
    const char *sort = symbol.boolean ? "Bool" : "Int";
    if (declared.emplace(static_cast<unsigned>(term->value), true).second) {
      std::string sorts;
      for (Term child : term->children)
        sorts += child->boolean ? "Bool " : "Int ";
      declarations += "(declare-fun " + quoted(name) + " (" + sorts + ") " + sort + ")\n";
      if (term->children.empty())
        wanted.push_back(name);
    }
    std::string text = quoted(name);
    if (!term->children.empty()) {
      std::string call = "(" + text;
      for (Term child : term->children)
        call += " " + write(child);
      name = valueName(pool, term);
      text = quoted(name);
      body += "(define-fun " + text + " () " + sort + " " + call + "))\n";
      wanted.push_back(name);
      if (symbol.kind == SymbolKind::Function && symbol.name == kBitReversal)
        reversed(term, text);
      else
        countsBits |= pool.countsBits(term);
    }
    bound(term, text);
    return text;
  }

  /// The binary digits of a small non-negative term, lowest first; empty when it is not that.
  const std::vector<std::string> &digits(Term term) {
    auto [entry, isNew] = bits.try_emplace(term);
    std::vector<std::string> &result = entry->second;
    if (!isNew || term->range.lo < 0 || term->range.hi >= std::int64_t{1} << kDigits)
      return result;
    auto count = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(term->range.hi)));
    std::vector<std::string> found;
    for (int i = 0; i < std::max(count, 1); ++i) {
      auto constant = constantOf(term);
      std::string name = "b" + std::to_string(term->id) + "_" + std::to_string(i);
      if (constant)
        name = *constant >> i & 1 ? "true" : "false";
      else
        declarations += "(declare-const " + name + " Bool)\n";
      found.push_back(name);
    }
    if (!constantOf(term)) {
      std::string sum = "(+ 0";
      for (std::size_t i = 0; i < found.size(); ++i)
        sum += " (ite " + found[i] + " " + number(std::int64_t{1} << i) + " 0)";
      body += "(assert (= " + write(term) + " " + sum + ")))\n";
    }
    return bits[term] = found;
  }

  /// The digits of any integer, two's complement, that a constant picks: a remainder for each run.
  std::string masked(Term term, std::uint64_t mask) {
    std::string sum = "(+ 0";
    for (int at = 0; at < 62;) {
      int length = std::countr_one(mask >> at);
      if (length > 0)
        sum += " (* " + number(std::int64_t{1} << at) + " (mod (div " + write(term) + " " +
               number(std::int64_t{1} << at) + ") " + number(std::int64_t{1} << length) + "))";
      at += std::max(length, 1);
    }
    return sum + ")";
  }

  /// Small operands are taken apart into digits; others stay opaque.
  std::string bitwise(const char *op, Term term) {
    std::vector<std::string> a = digits(term->children[0]), b = digits(term->children[1]);
    for (int i : {0, 1})
      if (auto mask = constantOf(term->children[i]); mask && *mask >= 0 && term->op == Op::BitAnd)
        return masked(term->children[1 - i], static_cast<std::uint64_t>(*mask));
    if (a.empty() || b.empty())
      return abstract(term);
    a.resize(std::max(a.size(), b.size()), "false");
    b.resize(a.size(), "false");
    std::string sum = "(+ 0";
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += std::string(" (ite (") + op + " " + a[i] + " " + b[i] + ") " +
             number(std::int64_t{1} << i) + " 0)";
    return sum + ")";
  }

  /// The digits of a small operand in reverse order, of 32.
  void reversed(Term term, const std::string &text) {
    const std::vector<std::string> &a = digits(term->children[0]);
    abstracted |= a.empty();
    if (a.empty())
      return;
    std::string sum = "(+ 0";
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += " (ite " + a[i] + " " + number(std::int64_t{1} << (31 - i)) + " 0)";
    body += "(assert (= " + text + " " + sum + ")))\n";
  }

  void bound(Term term, const std::string &text) {
    if (term->boolean)
      return;
    if (term->range.lo > -kUnbounded)
      body += "(assert (<= " + number(term->range.lo) + " " + text + "))\n";
    if (term->range.hi < kUnbounded)
      body += "(assert (<= " + text + " " + number(term->range.hi) + "))\n";
  }

  /// An operation the solver does not see: an integer of its own, within the term's range and the
  /// same for the same operands.
  std::string abstract(Term term) {
    abstracted = true;
    std::string name = "u" + std::to_string(term->id), sorts, operands;
    std::string function = "f" + std::to_string(static_cast<int>(term->op));
    for (Term child : term->children) {
      const bool boolean = child->boolean;
      function += boolean ? "b" : "i";
      sorts += boolean ? "Bool " : "Int ";
      operands += " " + write(child);
    }
    if (functions.insert(function).second)
      declarations += "(declare-fun " + function + " (" + sorts + ") Int)\n";
    declarations += "(declare-const " + name + " Int)\n";
    if (!operands.empty())
      body += "(assert (= " + name + " (" + function + operands + ")))\n";
    bound(term, name);
    return name;
  }

  /// C truncates towards zero; SMT-LIB's div rounds so that the remainder is not negative.
  std::string division(Term term) {
    Term a = term->children[0], b = term->children[1];
    if (!constantOf(b) || *constantOf(b) == 0) {
      std::string name = abstract(term);
      if (term->op == Op::Mod && a->range.lo >= 0 && b->range.lo >= 1) {
        body += "(assert (< " + name + " " + write(b) + "))\n";
        body += "(assert (<= " + name + " " + write(a) + "))\n";
        body += "(assert (=> (< " + write(a) + " " + write(b) + ") (= " + name + " " + write(a) +
                ")))\n";
        // The normal form knows it, so that as an equation of terms it would be true at once.
        Term rest = pool.sub(a, pool.mul(b, pool.div(a, b)));
        body += "(assert (= " + name + " " + write(rest) + "))\n";
      }
      if (term->op == Op::Div && a->range.lo >= 0 && b->range.lo >= 1)
        body += "(assert (<= " + name + " " + write(a) + "))\n";
      return name;
    }
    std::string x = write(a), y = write(b);
    std::string op = term->op == Op::Div ? "div" : "mod";
    std::string plain = "(" + op + " " + x + " " + y + ")";
    if (a->range.lo >= 0)
      return plain;
    return "(ite (>= " + x + " 0) " + plain + " (- (" + op + " (- " + x + ") " + y + ")))";
  }

  std::string expression(Term term) {
    switch (term->op) {
    case Op::Int:
      return number(term->value);
    case Op::Bool:
      return term->value ? "true" : "false";
    case Op::Atom:
      return atom(term);
    case Op::Linear: {
      std::string text = "(+ " + number(term->value);
      for (std::size_t i = 0; i < term->children.size(); ++i)
        text += term->coefficients[i] == 1
                    ? " " + write(term->children[i])
                    : " (* " + number(term->coefficients[i]) + " " + write(term->children[i]) + ")";
      return text + ")";
    }
    case Op::Mul: {
      std::string name = abstract(term);
      // A product with a factor that is 0 is 0, one with positive factors at least as large as each
      // of them.
      if (term->children.size() == 2) {
        for (int i : {0, 1}) {
          Term x = term->children[i], y = term->children[1 - i];
          body += "(assert (=> (= " + write(x) + " 0) (= " + name + " 0)))\n";
          if (x->range.lo >= 0 && y->range.lo >= 1)
            body += "(assert (>= " + name + " " + write(x) + "))\n";
        }
      }
      return name;
    }
    case Op::Div:
    case Op::Mod:
      return division(term);
    case Op::Min:
      return "(ite (<= " + write(term->children[0]) + " " + write(term->children[1]) + ") " +
             write(term->children[0]) + " " + write(term->children[1]) + ")";
    case Op::Max:
      return "(ite (>= " + write(term->children[0]) + " " + write(term->children[1]) + ") " +
             write(term->children[0]) + " " + write(term->children[1]) + ")";
    case Op::Le0:
      return "(<= " + write(term->children[0]) + " 0)";
    case Op::Eq0:
      return "(= " + write(term->children[0]) + " 0)";
    case Op::Not:
      return list("not", term);
    case Op::And:
      return list("and", term);
    case Op::Or:
      return list("or", term);
    case Op::Ite:
      return list("ite", term);
    case Op::BitAnd:
      return bitwise("and", term);
    case Op::BitOr:
      return bitwise("or", term);
    case Op::BitXor:
      return bitwise("xor", term);
    default:
      return abstract(term);
    }
  }

  TermPool &pool;
  std::unordered_map<Term, std::string> names;
  std::unordered_map<unsigned, bool> declared;
  std::set<std::string> functions;
  std::unordered_map<Term, std::vector<std::string>> bits;
};

} // namespace

std::string quoted(std::string name) {
  for (char &c : name)
    if (c == '|' || c == '\\')
      c = '_';
  return "|" + name + "|";
}

std::string smtName(const TermPool &pool, Term atom) {
  return pool.symbolOf(atom).name + "#" + std::to_string(atom->value);
}

std::string valueName(const TermPool &pool, Term atom) {
  std::string name = smtName(pool, atom);
  return atom->children.empty() ? name : name + "@" + std::to_string(atom->id);
}

Script makeScript(TermPool &pool, const std::vector<Term> &assertions) {
  Writer writer(pool);
  for (Term term : assertions)
    writer.assertTerm(term);
  return {writer.declarations + writer.body, writer.wanted, writer.abstracted, writer.countsBits};
}

} // namespace warpdrf::contract
