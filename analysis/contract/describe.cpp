// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From decisions to what a person reads: witnesses, index texts, confidence.
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

Witness makeWitness(const CheckContext &context, const Decision &decision, Uniform shared) {
  TermPool &pool = context.pool;
  const Coordinates &c = context.coordinates;
  Witness witness;
  for (int axis = 0; axis < 3; ++axis) {
    witness.block[axis] = evaluate(pool, c.bdim[axis], decision);
    witness.grid[axis] = evaluate(pool, c.gdim[axis], decision);
  }
  for (int which : {1, 2}) {
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
  for (auto &[name, value] : decision.model) {
    auto at = name.rfind('#');
    std::string plain = name.substr(0, at);
    auto symbol = static_cast<unsigned>(std::stoul(name.substr(at + 1)));
    SymbolKind kind = pool.symbol(symbol).kind;
    if (kind == SymbolKind::Parameter || kind == SymbolKind::Launch)
      witness.values[plain] = std::to_string(value);
    else if (kind == SymbolKind::Counter)
      witness.values["iteration " + plain] = std::to_string(value);
  }
  return witness;
}

void setConfidence(Finding &finding, Severity full, const Decision &decision) {
  finding.confidence = decision.sure ? Confidence::Modelled : Confidence::Possible;
  finding.severity = full;
  if (decision.sure)
    return;
  if (full > Severity::Hint)
    finding.severity = static_cast<Severity>(static_cast<int>(full) - 1);
  if (decision.unknowns.empty())
    return;
  finding.message += " (rests on what is not known: ";
  for (std::size_t i = 0; i < std::min<std::size_t>(decision.unknowns.size(), 3); ++i)
    finding.message += (i ? ", " : "") + decision.unknowns[i];
  finding.message += decision.unknowns.size() > 3 ? ", …)" : ")";
}

/// Whether `query` holds for no thread pair once `fact` is added.
static bool excludes(CheckContext &context, std::vector<Term> query, Term fact, Uniform shared) {
  query.push_back(fact);
  return context.decider.satisfiable(query, shared).answer == Answer::Unsat;
}

void restOnLaunch(CheckContext &context, const std::vector<Term> &query, Uniform shared,
                  Decision &decision) {
  if (decision.answer != Answer::Sat || !context.launch || !context.launch->seen)
    return;
  TermPool &pool = context.pool;
  const auto &extents = context.coordinates.bdim;
  std::vector<Term> launchable = context.coordinates.facts;
  launchable.insert(launchable.end(), context.trace.facts.begin(), context.trace.facts.end());
  std::int64_t room = 1024;
  for (Term extent : extents)
    room /= std::max<std::int64_t>(constantOf(extent).value_or(1), 1);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (constantOf(extents[axis]) || context.launch->block[axis])
      continue;
    std::int64_t least = axis == 0 ? context.options.warpWidth : 1;
    std::vector<std::int64_t> plausible{least};
    if (shared == Uniform::Block && room == 1024)
      plausible.clear(); // nothing is left to race with in a block of one warp
    if (shared == Uniform::Block)
      plausible.push_back(std::max(room / least * least, least));
    bool vanishes = std::any_of(plausible.begin(), plausible.end(), [&](std::int64_t value) {
      Term fixed = pool.eq(extents[axis], pool.integer(value));
      // A value that what is known of the launch rules out shows nothing.
      return excludes(context, query, fixed, shared) &&
             !excludes(context, launchable, fixed, shared);
    });
    if (!vanishes)
      continue;
    decision.sure = false;
    decision.unknowns.push_back(std::string("blockDim.") + "xyz"[axis] + " at the " +
                                context.launch->source);
  }
}

void addCalls(Finding &finding, const Event &event) {
  for (auto it = event.calls.rbegin(); it != event.calls.rend(); ++it)
    finding.related.push_back({Related::Role::Call, "called from here", *it});
}

std::string indexText(const CheckContext &context, const Event &event, Term offset,
                      const Decision &decision) {
  const Object &object = context.trace.objects[static_cast<std::size_t>(event.object)];
  std::int64_t bytes = evaluate(context.pool, offset, decision);
  std::int64_t size = std::max<std::int64_t>(event.size, 1);
  std::string index =
      bytes % size == 0 ? std::to_string(bytes / size) : "byte " + std::to_string(bytes);
  return object.name + "[" + index + "]";
}

Term assumedFacts(CheckContext &context, Side &side) {
  std::vector<Term> facts;
  for (Term fact : context.trace.facts)
    facts.push_back(side.of(fact));
  if (context.assumes("extents"))
    for (Term extent : context.trace.extents)
      facts.push_back(context.pool.le(context.pool.integer(1), side.of(extent)));
  return context.pool.conj(facts);
}

void CheckContext::dropRepeated() {
  std::erase_if(findings, [&](const Finding &f) {
    return f.rule == "same-value-race" &&
           std::any_of(findings.begin(), findings.end(), [&](const Finding &g) {
             return g.rule == "race" && g.primary == f.primary && g.object == f.object;
           });
  });
}

void CheckContext::add(Finding finding) {
  finding.kernel = kernel;
  for (Finding &old : findings) {
    if (old.rule != finding.rule || old.primary != finding.primary)
      continue;
    auto other = [](const Finding &f) {
      for (const Related &r : f.related)
        if (r.role == Related::Role::Access)
          return r.range;
      return Range{};
    };
    if (other(old) == other(finding)) { // the same lines again: keep the graver, or the surer one
      if (finding.severity > old.severity ||
          (finding.severity == old.severity && finding.scope > old.scope))
        old = std::move(finding);
      return;
    }
  }
  findings.push_back(std::move(finding));
}

} // namespace warpdrf::contract
