// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/assume.h"

#include <array>
#include <cctype>

namespace warpdrf::contract {

namespace {

/// Precedence climbing over C's binary operators.
class Parser {
public:
  Parser(const std::string &text, TermPool &pool, const NamedValue &named)
      : text(text), pool(pool), named(named) {}

  Term whole(std::string &error) {
    Term term = binary(0);
    if (problem.empty() && !next().empty())
      problem = "unexpected '" + next() + "'";
    error = problem;
    return problem.empty() ? term : nullptr;
  }

  Term condition(std::string &error) {
    Term term = whole(error);
    return term ? truth(term) : nullptr;
  }

private:
  struct Operator {
    const char *spelling;
    int precedence;
  };
  static constexpr std::array<Operator, 13> operators{{{"||", 1},
                                                       {"&&", 2},
                                                       {"==", 3},
                                                       {"!=", 3},
                                                       {"<=", 4},
                                                       {">=", 4},
                                                       {"<", 4},
                                                       {">", 4},
                                                       {"+", 5},
                                                       {"-", 5},
                                                       {"*", 6},
                                                       {"/", 6},
                                                       {"%", 6}}};

  static bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  }

  /// The next token, not consumed; empty at the end.
  std::string next() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    if (at == text.size())
      return "";
    std::size_t end = at + 1;
    if (isWord(text[at]))
      while (end < text.size() && isWord(text[end]))
        ++end;
    else if (end < text.size() &&
             (text[end] == '=' || ((text[at] == '&' || text[at] == '|') && text[end] == text[at])))
      ++end;
    return text.substr(at, end - at);
  }

  void consume() { at += next().size(); }

  Term fail(std::string message) {
    if (problem.empty())
      problem = std::move(message);
    return pool.integer(0);
  }

  Term truth(Term term) {
    return term->boolean ? term : pool.negate(pool.eq(term, pool.integer(0)));
  }

  Term binary(int least) {
    Term left = unary();
    for (;;) {
      std::string token = next();
      const Operator *found = nullptr;
      for (const Operator &op : operators)
        if (token == op.spelling)
          found = &op;
      if (!found || found->precedence <= least || !problem.empty())
        return left;
      consume();
      left = apply(token, left, binary(found->precedence));
    }
  }

  Term apply(const std::string &op, Term a, Term b) {
    if (op == "||")
      return pool.disj(truth(a), truth(b));
    if (op == "&&")
      return pool.conj(truth(a), truth(b));
    if (op == "==")
      return pool.eq(a, b);
    if (op == "!=")
      return pool.negate(pool.eq(a, b));
    if (op == "<=")
      return pool.le(a, b);
    if (op == ">=")
      return pool.le(b, a);
    if (op == "<")
      return pool.lt(a, b);
    if (op == ">")
      return pool.lt(b, a);
    if (op == "+")
      return pool.add(a, b);
    if (op == "-")
      return pool.sub(a, b);
    if (op == "*")
      return pool.mul(a, b);
    if (constantOf(b) == 0)
      return fail("division by zero");
    return op == "/" ? pool.div(a, b) : pool.mod(a, b);
  }

  Term unary() {
    std::string token = next();
    if (token.empty())
      return fail("expected an expression at the end");
    consume();
    if (token == "!")
      return pool.negate(truth(unary()));
    if (token == "-")
      return pool.sub(pool.integer(0), unary());
    if (token == "(") {
      Term inner = binary(0);
      if (next() != ")")
        return fail("expected ')'");
      consume();
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(token[0]))) {
      std::size_t used = 0;
      std::int64_t value = 0;
      for (; used < token.size() && std::isdigit(static_cast<unsigned char>(token[used])) &&
             used < 18;
           ++used)
        value = value * 10 + (token[used] - '0');
      return used == token.size() ? pool.integer(value) : fail("not a number: '" + token + "'");
    }
    if (token == "nullptr")
      return pool.integer(0);
    if (!isWord(token[0]))
      return fail("unexpected '" + token + "'");
    Term value = named(token);
    return value ? value : fail("no parameter or launch dimension is called '" + token + "'");
  }

  const std::string &text;
  TermPool &pool;
  const NamedValue &named;
  std::size_t at = 0;
  std::string problem;
};

} // namespace

Term parseAssumption(const std::string &text, TermPool &pool, const NamedValue &named,
                     std::string &error) {
  return Parser(text, pool, named).condition(error);
}

Term parseValue(const std::string &text, TermPool &pool, const NamedValue &named,
                std::string &error) {
  return Parser(text, pool, named).whole(error);
}

bool isAssumption(const std::string &text, std::string &error) {
  TermPool pool;
  NamedValue any = [&](const std::string &) { return pool.integer(1); };
  return Parser(text, pool, any).condition(error) != nullptr;
}

} // namespace warpdrf::contract
