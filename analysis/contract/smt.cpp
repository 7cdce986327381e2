// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/smt.h"

#include <unordered_map>

namespace warpdrf::contract {

namespace {

std::string number(std::int64_t value) {
  return value < 0 ? "(- " + std::to_string(-value) + ")" : std::to_string(value);
}

/// Symbols are quoted; `|` and `\` cannot stand inside.
std::string quoted(std::string name) {
  for (char &c : name)
    if (c == '|' || c == '\\')
      c = '_';
  return "|" + name + "|";
}

class Writer {
public:
  explicit Writer(const TermPool &pool) : pool(pool) {}

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
  bool abstracted = false;

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
      text = "(" + text;
      for (Term child : term->children)
        text += " " + write(child);
      text += ")";
    }
    bound(term, text);
    return text;
  }

  void bound(Term term, const std::string &text) {
    if (term->boolean)
      return;
    if (term->range.lo > -kUnbounded)
      body += "(assert (<= " + number(term->range.lo) + " " + text + "))\n";
    if (term->range.hi < kUnbounded)
      body += "(assert (<= " + text + " " + number(term->range.hi) + "))\n";
  }

  /// An operation the solver does not see: an integer of its own, within the term's range.
  std::string abstract(Term term) {
    abstracted = true;
    std::string name = "u" + std::to_string(term->id);
    declarations += "(declare-const " + name + " Int)\n";
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
    default:
      return abstract(term);
    }
  }

  const TermPool &pool;
  std::unordered_map<Term, std::string> names;
  std::unordered_map<unsigned, bool> declared;
};

} // namespace

std::string smtName(const TermPool &pool, Term atom) {
  return pool.symbolOf(atom).name + "#" + std::to_string(atom->value);
}

Script makeScript(const TermPool &pool, const std::vector<Term> &assertions) {
  Writer writer(pool);
  for (Term term : assertions)
    writer.assertTerm(term);
  return {writer.declarations + writer.body, writer.wanted, writer.abstracted};
}

} // namespace warpdrf::contract
