// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/conformance/generate.h"

#include "analysis/conformance/random.h"

namespace warpdrf::conformance {

namespace {

/// Where a statement is to stand.
struct Surroundings {
  unsigned depth = 0;
  unsigned loops = 0;       ///< around it, in its function
  bool mayBreak = false;    ///< in a loop or switch
  bool mayContinue = false; ///< in a loop's body, where the exit test is not skipped
};

class Generator {
public:
  Generator(std::uint64_t seed, unsigned width, const Parameters &parameters)
      : random(seed), parameters(parameters) {
    program.width = width;
    program.warps = parameters.warps;
  }

  Program generate() {
    for (unsigned i = 0; i < inputWords + inputRows * program.threads(); ++i)
      program.input.push_back(random.below(parameters.trips + 1));
    for (function = 0; function <= parameters.functions; ++function) {
      program.functions.emplace_back();
      // The kernel's first place sees warps as they begin, its last one what became of them.
      Block body = function == 0 ? Block{site()} : Block{};
      Block rest = block({});
      body.insert(body.end(), rest.begin(), rest.end());
      if (function == 0)
        body.push_back(site());
      program.functions.back() = std::move(body);
    }
    return std::move(program);
  }

private:
  /// The places are shared out among the functions.
  bool roomForPlace() const {
    return program.places < parameters.places * (function + 1) / (parameters.functions + 1);
  }

  Statement site() {
    Statement made;
    made.number = program.places++;
    return made;
  }

  Statement note() {
    Statement made = site();
    made.kind = Statement::Kind::Note;
    return made;
  }

  Value value(const Surroundings &around, unsigned modulo) {
    Value made;
    made.modulo = modulo;
    if (random.percent(parameters.uniform)) {
      if (random.percent(parameters.obvious)) {
        made.number = random.below(parameters.trips + 1);
        made.modulo = 0;
      } else {
        made.kind = Value::Kind::Input;
        made.number = random.below(inputWords);
      }
      return made;
    }
    switch (random.below(4)) {
    case 0:
      made.kind = Value::Kind::LaneInput;
      made.number = random.below(inputRows);
      return made;
    case 1:
      if (around.loops) {
        made.kind = Value::Kind::Counter;
        made.number = random.below(around.loops);
        return made;
      }
      break;
    case 2:
      if (function) {
        made.kind = Value::Kind::Parameter;
        return made;
      }
      break;
    default:
      break;
    }
    made.kind = Value::Kind::Lane;
    return made;
  }

  Condition condition(const Surroundings &around) {
    Condition made;
    const unsigned modulo = random.percent(50) ? random.between(2, 4) : 0;
    made.left = value(around, modulo);
    made.compare = static_cast<Condition::Compare>(random.below(4));
    const bool wide = made.left.kind == Value::Kind::Lane && !modulo;
    const unsigned range = wide ? program.width : modulo ? modulo : parameters.trips;
    made.right.number = random.below(range + (modulo == 0));
    return made;
  }

  Block block(const Surroundings &around) {
    Block made;
    const unsigned count = random.between(1, parameters.statements);
    for (unsigned i = 0; i < count && roomForPlace(); ++i) {
      made.push_back(statement(around));
      if (made.back().kind == Statement::Kind::Loop && random.percent(parameters.carry) &&
          roomForPlace())
        made.push_back(note());
    }
    return made;
  }

  unsigned weighted(const std::vector<unsigned> &weights) {
    unsigned sum = 0;
    for (unsigned weight : weights)
      sum += weight;
    if (sum == 0)
      return 0;
    unsigned drawn = random.below(sum), at = 0;
    while (drawn >= weights[at])
      drawn -= weights[at++];
    return at;
  }

  Statement statement(const Surroundings &around) {
    const bool nested = around.depth < parameters.depth;
    const unsigned kind =
        weighted({parameters.site, parameters.note, nested ? parameters.branch : 0,
                  nested ? parameters.loop : 0, nested ? parameters.select : 0,
                  function < parameters.functions ? parameters.call : 0});
    switch (kind) {
    case 1:
      return note();
    case 2:
      return branch(around);
    case 3:
      return loop(around);
    case 4:
      return select(around);
    case 5: {
      Statement made;
      made.kind = Statement::Kind::Call;
      made.number = random.between(function + 1, parameters.functions);
      made.value = value(around, random.between(2, 4));
      return made;
    }
    default:
      return site();
    }
  }

  static Surroundings inside(Surroundings around) {
    ++around.depth;
    return around;
  }

  Statement branch(const Surroundings &around) {
    Statement made;
    made.kind = Statement::Kind::If;
    made.condition = condition(around);
    const Surroundings within = inside(around);
    made.arms.push_back({{}, false, false, block(within)});
    leave(made.arms.back().body, within);
    if (random.percent(parameters.otherwise)) {
      made.arms.push_back({{}, false, false, block(within)});
      leave(made.arms.back().body, within);
    }
    return made;
  }

  /// Maybe ends an arm in a jump.
  void leave(Block &body, const Surroundings &around) {
    if (!random.percent(parameters.leave))
      return;
    std::vector<Statement::Kind> kinds;
    if (around.mayBreak)
      kinds.push_back(Statement::Kind::Break);
    if (around.mayContinue)
      kinds.push_back(Statement::Kind::Continue);
    kinds.push_back(Statement::Kind::Return);
    const unsigned drawn = random.below(static_cast<unsigned>(kinds.size()));
    // Lanes that leave the kernel take part in nothing any more: not too many of them.
    if (kinds[drawn] == Statement::Kind::Return && function == 0 &&
        !random.percent(parameters.kernel_return))
      return;
    Statement made;
    made.kind = kinds[drawn];
    body.push_back(made);
  }

  Statement loop(const Surroundings &around) {
    Statement made;
    made.kind = Statement::Kind::Loop;
    made.number = around.loops;
    made.form = static_cast<LoopForm>(weighted(
        {parameters.for_loop, parameters.while_loop, parameters.do_loop, parameters.endless_loop}));
    made.value = value(around, parameters.trips + 1);
    Surroundings within = inside(around);
    ++within.loops;
    within.mayBreak = true;
    within.mayContinue = made.form != LoopForm::Endless;
    made.arms.push_back({{}, false, false, block(within)});
    if (made.form == LoopForm::Endless) {
      within.mayContinue = true;
      made.arms.push_back({{}, false, false, block(within)});
    }
    return made;
  }

  Statement select(const Surroundings &around) {
    Statement made;
    made.kind = Statement::Kind::Switch;
    const unsigned cases = random.between(1, parameters.cases);
    made.value = value(around, cases + 1);
    Surroundings within = inside(around);
    within.mayBreak = true;
    const unsigned otherwise = random.below(cases + 1); // one past the last: there is none
    for (unsigned i = 0; i < cases; ++i) {
      Arm arm;
      arm.labels.push_back(i);
      arm.otherwise = i == otherwise;
      arm.body = block(within);
      arm.falls = i + 1 < cases && random.percent(parameters.fallthrough);
      made.arms.push_back(std::move(arm));
    }
    return made;
  }

  Random random;
  const Parameters &parameters;
  Program program;
  unsigned function = 0;
};

} // namespace

Program generate(std::uint64_t seed, unsigned attempt, unsigned width,
                 const Parameters &parameters) {
  Random mixed(seed);
  std::uint64_t start = mixed.next();
  for (unsigned i = 0; i < attempt; ++i)
    start = mixed.next();
  return Generator(start, width, parameters).generate();
}

} // namespace warpdrf::conformance
