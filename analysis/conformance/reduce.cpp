// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/conformance/reduce.h"

namespace warpdrf::conformance {

namespace {

/// The next smaller versions of a program, each different in one place; the largest cuts come first
/// within a block. Some are no programs (a `break` that lost its loop): the verifier finds out.
class Cuts {
public:
  explicit Cuts(const Program &program) : program(program) {}

  std::vector<Program> all() {
    for (Block &function : program.functions)
      visit(function);
    return std::move(made);
  }

private:
  void keep() { made.push_back(program); }

  void visit(Block &block) {
    if (block.size() > 2) {
      const Block whole = block;
      block.resize(whole.size() / 2);
      keep();
      block.assign(whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2), whole.end());
      keep();
      block = whole;
    }
    for (std::size_t i = 0; i < block.size(); ++i)
      visit(block, i);
  }

  void visit(Block &block, std::size_t at) {
    const Block whole = block;
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
    keep();
    block = whole;
    for (const Arm &arm : whole[at].arms) { // the arm for the whole
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), arm.body.begin(),
                   arm.body.end());
      keep();
      block = whole;
    }
    Statement &statement = block[at];
    if (statement.kind == Statement::Kind::If && statement.arms.size() > 1) {
      statement.arms.pop_back();
      keep();
      statement = whole[at];
    }
    if (statement.kind == Statement::Kind::Switch && statement.arms.size() > 1)
      for (std::size_t i = 0; i < whole[at].arms.size(); ++i) {
        statement.arms.erase(statement.arms.begin() + static_cast<std::ptrdiff_t>(i));
        statement.arms.back().falls = false;
        keep();
        statement = whole[at];
      }
    simpler(statement.value);
    simpler(statement.condition.left);
    for (Arm &arm : statement.arms)
      visit(arm.body);
  }

  void simpler(Value &value) {
    const Value whole = value;
    if (value.modulo) {
      value.modulo = 0;
      keep();
      value = whole;
    }
    if (value.kind != Value::Kind::Literal && value.kind != Value::Kind::Lane) {
      value.kind = Value::Kind::Lane;
      keep();
      value = whole;
    }
  }

  Program program;
  std::vector<Program> made;
};

std::size_t statements(const Block &block) {
  std::size_t count = block.size();
  for (const Statement &statement : block)
    for (const Arm &arm : statement.arms)
      count += statements(arm.body);
  return count;
}

} // namespace

std::size_t statements(const Program &program) {
  std::size_t count = 0;
  for (const Block &function : program.functions)
    count += statements(function);
  return count;
}

Test reduce(Test test, const std::function<bool(const Test &)> &fails, unsigned tries) {
  // The same cut is not tried twice in a row: after a success, the list goes on where it was.
  for (std::size_t at = 0, idle = 0; tries > 0;) {
    std::vector<Program> cuts = Cuts(test.program).all();
    if (cuts.empty() || idle >= cuts.size())
      break;
    for (at %= cuts.size(); at < cuts.size() && idle < cuts.size() && tries > 0; ++at) {
      --tries;
      std::string error;
      // As many visits as there were is enough: a cut that makes more of them is no step forward.
      std::optional<Test> smaller =
          testOf(std::move(cuts[at]), test.seed, test.contract, test.layout.capacity, error);
      if (smaller && fails(*smaller)) {
        test = std::move(*smaller);
        idle = 0;
        break;
      }
      ++idle;
    }
  }
  return test;
}

} // namespace warpdrf::conformance
