// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From decisions to what a person reads: confidence, index texts, related places.
#include "analysis/contract/check_context.h"
#include "analysis/contract/pair.h"
#include "analysis/report/race_message.h"

#include <algorithm>
#include <tuple>

namespace warpdrf::contract {

void setConfidence(Finding &finding, Severity full, const Decision &decision) {
  finding.confidence = decision.sure ? Confidence::Modelled : Confidence::Possible;
  finding.severity = full;
  if (decision.sure)
    return;
  if (full > Severity::Hint)
    finding.severity = static_cast<Severity>(static_cast<int>(full) - 1);
  std::string words = decision.unknowns.empty() ? "" : " (rests on what is not known: ";
  for (std::size_t i = 0; i < std::min<std::size_t>(decision.unknowns.size(), 3); ++i)
    words += (i ? ", " : "") + decision.unknowns[i];
  words += decision.unknowns.empty() ? "" : decision.unknowns.size() > 3 ? ", …)" : ")";
  finding.message += words;
  if (!decision.open)
    finding.doubt = Doubt{words, full};
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
    const bool rows = axis == 0 && !(constantOf(extents[1]) && constantOf(extents[2]));
    if (shared == Uniform::Block && room == 1024 && !rows)
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
    decision.open = true;
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
  return cellName(object.name, evaluate(context.pool, offset, decision), event.size);
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
    return f.rule == "same-value-race" && std::ranges::any_of(findings, [&](const Finding &g) {
             return g.rule == "race" && g.severity > Severity::Information &&
                    g.primary == f.primary && g.object == f.object;
           });
  });
}

/// Whether both are of one rule and about the same lines.
static bool samePlaces(const Finding &a, const Finding &b) {
  if (a.rule != b.rule || a.primary != b.primary)
    return false;
  const Range *first = a.otherAccess(), *second = b.otherAccess();
  return first && second ? *first == *second : first == second;
}

/// The graver one is kept, or that of the wider scope.
static bool outweighs(const Finding &a, const Finding &b) {
  return std::tuple(a.severity, a.scope) > std::tuple(b.severity, b.scope);
}

bool CheckContext::tells(const Finding &finding) const {
  return std::ranges::any_of(findings, [&](const Finding &old) {
    return samePlaces(old, finding) && !outweighs(finding, old);
  });
}

void CheckContext::add(Finding finding) {
  finding.kernel = kernel;
  const auto old = std::ranges::find_if(
      findings, [&](const Finding &each) { return samePlaces(each, finding); });
  if (old == findings.end())
    findings.push_back(std::move(finding));
  else if (outweighs(finding, *old))
    *old = std::move(finding);
}

} // namespace warpdrf::contract
