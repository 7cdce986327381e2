// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a model to a launch that can be run: dimensions, scalar parameters, elements of arrays, the
// two threads. A model with small numbers is asked for first.
#include "analysis/contract/check_context.h"
#include "analysis/contract/pair.h"
#include "analysis/contract/smt.h"

#include <algorithm>

namespace warpdrf::contract {

std::int64_t evaluate(TermPool &pool, Term term, const Decision &decision) {
  std::unordered_map<Term, Term> memo;
  Term value = pool.rewrite(term, memo, [&](Term atom, std::span<const Term>) -> Term {
    std::int64_t number = std::max<std::int64_t>(atom->range.lo, 0);
    if (auto found = decision.model.find(valueName(pool, atom)); found != decision.model.end())
      number = found->second;
    return atom->boolean ? pool.boolean(number) : pool.integer(number);
  });
  return constantOf(value).value_or(0);
}

/// How many bytes the reads of an object have, if all have as many and give whole numbers.
static std::optional<std::int64_t> wholeNumbers(const Trace &trace, std::int64_t object) {
  std::optional<std::int64_t> size;
  for (const Event &event : trace.events) {
    if (event.kind != Event::Kind::Read || event.object != object)
      continue;
    const bool whole = event.op->getNumResults() == 1 &&
                       llvm::isa<mlir::IntegerType>(event.op->getResult(0).getType());
    if (!whole || (size && *size != event.size))
      return std::nullopt;
    size = event.size;
  }
  return size;
}

/// An element of an array that nobody writes, as the model has it: `in[3]`, or `parameters@8` in a
/// record. False if it cannot be said.
static bool addInput(const CheckContext &context, const Decision &decision, Term atom,
                     std::int64_t value, Witness &witness) {
  TermPool &pool = context.pool;
  const std::string &symbol = pool.symbolOf(atom).name; // "in[]"
  const std::string name = symbol.substr(0, symbol.find('['));
  const std::deque<Object> &objects = context.trace.objects;
  const auto named = [&](const Object &object) { return object.name == name; };
  if (atom->children.size() != 1 || std::ranges::count_if(objects, named) != 1)
    return false;
  const auto object = std::ranges::find_if(objects, named);
  const std::optional<std::int64_t> size = wholeNumbers(context.trace, object - objects.begin());
  const std::int64_t offset = evaluate(pool, atom->children[0], decision);
  constexpr std::int64_t farthest = 1 << 20;
  if (!size || *size < 1 || *size > 8 || offset < 0 || offset > farthest || offset % *size)
    return false;
  const std::int64_t limit = *size < 8 ? std::int64_t{1} << (8 * *size) : kUnbounded;
  if (value < -limit / 2 || value >= limit)
    return false;
  if (object->space == ir::MemorySpace::Param)
    witness.values[name + "@" + std::to_string(offset)] =
        std::to_string(value) + ":i" + std::to_string(8 * *size);
  else
    witness.values[name + "[" + std::to_string(offset / *size) + "]"] = std::to_string(value);
  return true;
}

/// "iteration of the loop at line 12", with the column where two loops share the line, and whose it
/// is where the two threads are in different ones.
static std::string iterationName(const CheckContext &context, unsigned symbol, int first) {
  const Symbol &instance = context.pool.symbol(symbol);
  const unsigned counter = instance.side ? instance.original : symbol;
  std::string text = "iteration of the loop";
  if (const Loop *loop = context.trace.loopOf(counter)) {
    const Position at = loop->range.begin;
    text += " at line " + std::to_string(at.line);
    const bool shared = std::ranges::any_of(context.trace.loops, [&](const Loop &each) {
      return each.range.begin.line == at.line && each.range.begin.column != at.column;
    });
    text += shared ? ":" + std::to_string(at.column) : "";
  }
  return text + (instance.side == first       ? " of the first thread"
                 : instance.side == 3 - first ? " of the second thread"
                                              : ""); // of none, or of whose write they read
}

/// Names of a model are `NAME#SYMBOL`, or `NAME#SYMBOL@TERM` for the values of a function.
static void addValue(const CheckContext &context, const Decision &decision, const std::string &key,
                     std::int64_t value, int first, Witness &witness) {
  const std::size_t at = key.rfind('#');
  const std::string name = key.substr(0, at);
  const auto symbol = static_cast<unsigned>(std::stoul(key.substr(at + 1)));
  switch (context.pool.symbol(symbol).kind) {
  case SymbolKind::Parameter:
    // Of a pointer a model says only whether it is null.
    if (value == 0 || context.trace.scalars.contains(name) || !context.pool.symbol(symbol).boolean)
      witness.values[name] = std::to_string(value);
    return;
  case SymbolKind::Counter:
    witness.values[iterationName(context, symbol, first)] = std::to_string(value);
    return;
  case SymbolKind::Input: {
    const std::size_t term = key.find('@', at);
    witness.exact &=
        term != std::string::npos &&
        addInput(context, decision,
                 context.pool.byIdentity(static_cast<unsigned>(std::stoul(key.substr(term + 1)))),
                 value, witness);
    return;
  }
  default:
    return;
  }
}

Witness makeLaunch(const CheckContext &context, const Decision &decision, int first) {
  TermPool &pool = context.pool;
  const Coordinates &c = context.coordinates;
  Witness witness;
  witness.exact = decision.exact && !decision.open;
  for (int axis = 0; axis < 3; ++axis) {
    witness.block[axis] = evaluate(pool, c.bdim[axis], decision);
    witness.grid[axis] = evaluate(pool, c.gdim[axis], decision);
  }
  for (auto &[name, value] : decision.model)
    addValue(context, decision, name, value, first, witness);
  // What the launch passes, or what follows from other parameters, is in no model.
  for (auto &[name, term] : context.trace.scalars)
    if (term->op != Op::Atom && !term->boolean)
      witness.values[name] = std::to_string(evaluate(pool, term, decision));
  for (auto &[name, other] : context.trace.pointers)
    witness.values[name] = other;
  return witness;
}

Witness makeWitness(const CheckContext &context, const Decision &decision, Uniform shared,
                    int first) {
  TermPool &pool = context.pool;
  const Coordinates &c = context.coordinates;
  Witness witness = makeLaunch(context, decision, first);
  for (int which : {first, 3 - first}) {
    Side side(pool, context.trace, which, shared, {});
    WitnessThread thread;
    for (int axis = 0; axis < 3; ++axis) {
      thread.thread[axis] = evaluate(pool, side.of(c.tid[axis]), decision);
      thread.block[axis] = evaluate(pool, side.of(c.bid[axis]), decision);
      witness.block[axis] = std::max(witness.block[axis], thread.thread[axis] + 1);
      witness.grid[axis] = std::max(witness.grid[axis], thread.block[axis] + 1);
    }
    thread.lane = static_cast<int>(evaluate(pool, side.of(c.lane), decision));
    thread.warp = static_cast<int>(evaluate(pool, side.of(c.warp), decision));
    witness.threads.push_back(thread);
  }
  return witness;
}

/// What is unsure has to be found by running it, and small numbers show little: several blocks, and
/// more than a warp's worth of everything.
static std::optional<Decision> roomy(CheckContext &context, std::vector<Term> query, Uniform shared,
                                     const Decision &decision) {
  TermPool &pool = context.pool;
  const auto between = [&](Term term, std::int64_t low, std::int64_t high) {
    if (!constantOf(term)) {
      query.push_back(pool.le(pool.integer(low), term));
      query.push_back(pool.le(term, pool.integer(high)));
    }
  };
  const std::int64_t width = context.options.warpWidth;
  between(context.coordinates.bdim[0], width, 2 * width);
  between(context.coordinates.gdim[0], 4, 8);
  for (int axis : {1, 2}) {
    between(context.coordinates.bdim[axis], 1, 4);
    between(context.coordinates.gdim[axis], 1, 4);
  }
  for (auto &[name, term] : context.trace.scalars)
    if (!term->boolean)
      between(term, width + 1, 8 * width);
  Decision found = context.decider.satisfiable(query, shared);
  if (found.answer != Answer::Sat)
    return std::nullopt;
  Decision result = decision; // what it rests on is the same
  result.model = std::move(found.model);
  return result;
}

/// The numbers in arrays that nobody writes.
static std::vector<Term> inputsIn(const TermPool &pool, const std::vector<Term> &query) {
  std::vector<Term> inputs;
  std::unordered_map<Term, bool> seen;
  for (Term term : query)
    forEachAtom(term, seen, [&](Term atom) {
      if (pool.symbolOf(atom).kind == SymbolKind::Input && !atom->boolean)
        inputs.push_back(atom);
    });
  return inputs;
}

Decision smallest(CheckContext &context, const std::vector<Term> &query, Uniform shared,
                  const Decision &decision) {
  if (decision.answer != Answer::Sat)
    return decision;
  if (!decision.sure)
    if (std::optional<Decision> found = roomy(context, query, shared, decision))
      return *found;
  const Coordinates &c = context.coordinates;
  TermPool &pool = context.pool;
  const std::int64_t width = context.options.warpWidth;
  struct Limits {
    std::int64_t row, depth, blocks, moreBlocks, number;
    bool inputs; ///< elements of arrays are small numbers, too
  };
  const std::int64_t least = shared == Uniform::Block ? 2 * width : width;
  const std::int64_t blocks = shared == Uniform::Grid ? 2 : 1;
  const std::vector<Term> inputs = inputsIn(pool, query);
  for (const Limits &limits :
       {Limits{least, 1, blocks, 1, 64, true}, Limits{least, 1, blocks, 1, 64, false},
        Limits{2 * width, 2, 2, 2, 1024, true}, Limits{2 * width, 2, 2, 2, 1024, false},
        Limits{1024, 64, 256, 64, std::int64_t{1} << 30, false}}) {
    if (limits.inputs && inputs.empty())
      continue;
    std::vector<Term> small = query;
    bool holds = true;
    const auto bound = [&](Term term, std::int64_t limit) {
      if (constantOf(term))
        return;
      small.push_back(pool.le(term, pool.integer(limit)));
      holds &= evaluate(pool, term, decision) <= limit;
    };
    for (int axis = 0; axis < 3; ++axis) {
      bound(c.bdim[axis], axis ? limits.depth : limits.row);
      bound(c.gdim[axis], axis ? limits.moreBlocks : limits.blocks);
    }
    for (auto &[name, term] : context.trace.scalars)
      if (!term->boolean)
        bound(term, limits.number);
    if (limits.inputs)
      for (Term input : inputs) {
        bound(input, limits.number);
        small.push_back(pool.le(pool.integer(0), input));
        holds &= evaluate(pool, input, decision) >= 0;
      }
    if (holds)
      return decision;
    if (Decision found = context.decider.satisfiable(small, shared); found.answer == Answer::Sat) {
      Decision result = decision; // what it rests on is the same
      result.model = std::move(found.model);
      return result;
    }
  }
  return decision;
}

} // namespace warpdrf::contract
