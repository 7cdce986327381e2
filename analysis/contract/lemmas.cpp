// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/lemmas.h"

#include "analysis/contract/planted.h"
#include "analysis/contract/quotients.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

class Lemmas {
public:
  Lemmas(TermPool &pool, const Trace &trace, Uniform shared, std::vector<Term> &query)
      : pool(pool), trace(trace), shared(shared), query(query), quotients(pool, query) {}

  void add() {
    // A lemma may mention values that lemmas know more of; two rounds reach those of one step.
    for (int round = 0; round < 2; ++round) {
      collect();
      std::size_t before = query.size();
      for (auto &[symbol, atoms] : carried)
        for (Term atom : atoms)
          if (done.emplace(atom, nullptr).second)
            carriedStart(trace.carried.at(symbol), atom);
      for (auto &[symbol, atoms] : carried)
        forPairs(atoms, [&](Term a, Term b) { carriedPair(trace.carried.at(symbol), a, b); });
      for (auto &[object, atoms] : tickets)
        forPairs(atoms, [&](Term a, Term b) { ticketPair(a, b); });
      forPairs(groupTickets, [&](Term a, Term b) { groupTicketPair(a, b); });
      if (shared == Uniform::Warp)
        forPairs(matches, [&](Term a, Term b) { matchPair(a, b); });
      forPairs(ranks, [&](Term a, Term b) { rankPair(a, b); });
      for (Term rank : ranks)
        if (done.emplace(rank, nullptr).second)
          rankBelowCount(rank);
      for (Term ballot : ballots)
        if (done.emplace(ballot, nullptr).second)
          voterIsInBallot(ballot);
      for (Term count : counts)
        if (done.emplace(count, nullptr).second)
          countOfSome(count);
      for (Term read : forwards)
        if (done.emplace(read, nullptr).second)
          forward(read);
      quotients.addLemmas();
      if (query.size() == before)
        return;
    }
  }

private:
  unsigned original(Term atom) const {
    const Symbol &s = pool.symbolOf(atom);
    return s.side ? s.original : static_cast<unsigned>(atom->value);
  }

  /// Whether both threads count at one object: each block has shared memory of its own.
  bool isOneCounter(std::int64_t object) const {
    return shared != Uniform::Grid ||
           trace.objects[static_cast<std::size_t>(object)].space != ir::MemorySpace::Shared;
  }

  bool countsAlike(const GroupTicket &group) const {
    return !group.ticket ||
           isOneCounter(trace.tickets.at(static_cast<unsigned>(group.ticket->value)).object);
  }

  void collect() {
    carried.clear();
    tickets.clear();
    groupTickets.clear();
    ranks.clear();
    matches.clear();
    forwards.clear();
    ballots.clear();
    counts.clear();
    std::unordered_map<Term, bool> seen;
    for (Term term : query) {
      forEachAtom(term, seen, [&](Term atom) {
        unsigned symbol = original(atom);
        if (trace.carried.contains(symbol))
          carried[symbol].push_back(atom);
        if (auto ticket = trace.tickets.find(symbol);
            ticket != trace.tickets.end() && isOneCounter(ticket->second.object))
          tickets[ticket->second.object].push_back(atom);
        if (auto ticket = trace.groupTickets.find(symbol);
            ticket != trace.groupTickets.end() && countsAlike(ticket->second))
          groupTickets.push_back(atom);
        if (trace.forwards.contains(symbol))
          forwards.push_back(atom);
        if (trace.ballots.contains(symbol))
          ballots.push_back(atom);
        if (isCalled(atom, "__popc") && votesIn(atom->children[0]))
          counts.push_back(atom);
        if (trace.matches.contains(symbol))
          matches.push_back(atom);
        if (trace.ranks.contains(symbol))
          ranks.push_back(atom);
      });
    }
  }

  template <typename Visit>
  void forPairs(const std::vector<Term> &atoms, const Visit &visit) {
    for (Term a : atoms)
      for (Term b : atoms)
        if (a != b && done.emplace(a, b).second)
          visit(a, b);
  }

  /// `term` as the thread of `side` sees it, with the loop counters of an instance.
  Term instance(Term term, int side, const std::map<unsigned, Term> &counters) {
    std::unordered_map<Term, Term> memo;
    return pool.rewrite(term, memo, [&](Term atom, std::span<const Term> arguments) -> Term {
      auto symbol = static_cast<unsigned>(atom->value);
      if (auto found = counters.find(symbol); found != counters.end())
        return found->second;
      bool isPrivate = side && pool.symbol(symbol).uniform < shared &&
                       pool.symbol(symbol).kind != SymbolKind::Function;
      return isPrivate ? pool.atom(pool.instanceOf(symbol, side), arguments) : nullptr;
    });
  }

  std::map<unsigned, Term> countersOf(const std::vector<Term> &names, Term atom) const {
    std::map<unsigned, Term> counters;
    for (std::size_t i = 0; i < names.size() && i < atom->children.size(); ++i)
      counters[static_cast<unsigned>(names[i]->value)] = atom->children[i];
    return counters;
  }

  /// In the first iteration it is what it was before the loop.
  void carriedStart(const Carried &c, Term atom) {
    const auto inflow = trace.inflows.find(c.symbol);
    if (atom->boolean || atom->children.empty() || inflow == trace.inflows.end() ||
        inflow->second.before.size() != 1)
      return;
    Term before = inflow->second.before.front();
    if (!before || before->uniform < pool.symbol(c.symbol).uniform)
      return;
    const Loop *loop = trace.loopOf(c.counter);
    std::map<unsigned, Term> counters;
    for (std::size_t i = atom->children.size(); loop && i-- > 0; loop = loop->parent)
      counters[static_cast<unsigned>(loop->counter->value)] = atom->children[i];
    Term first = pool.eq(atom->children.back(), pool.integer(0));
    Term start = instance(before, pool.symbolOf(atom).side, counters);
    query.push_back(pool.disj(pool.negate(first), pool.eq(atom, start)));
  }

  /// The same value in an earlier and a later iteration.
  void carriedPair(const Carried &c, Term early, Term late) {
    if (early->value != late->value || early->children.empty() ||
        !std::equal(early->children.begin(), early->children.end() - 1, late->children.begin()))
      return;
    Term k1 = early->children.back(), k2 = late->children.back();
    Term next = instance(c.next, pool.symbolOf(early).side, {{c.counter, k1}});
    Term follows = pool.eq(k2, pool.addConstant(k1, 1));
    if (!early->boolean)
      query.push_back(pool.disj(pool.negate(follows), pool.eq(next, late)));
    if (c.grows)
      query.push_back(pool.disj(pool.negate(pool.lt(k1, k2)), pool.le(next, late)));
  }

  /// Executions by different threads.
  void ticketPair(Term a, Term b) {
    int sideA = pool.symbolOf(a).side, sideB = pool.symbolOf(b).side;
    if (!sideA || sideA >= sideB)
      return;
    const Ticket &x = trace.tickets.at(original(a)), &y = trace.tickets.at(original(b));
    Term offsetA = instance(x.offset, sideA, countersOf(x.counters, a));
    Term offsetB = instance(y.offset, sideB, countersOf(y.counters, b));
    Term amountA = instance(x.amount, sideA, countersOf(x.counters, a));
    Term amountB = instance(y.amount, sideB, countersOf(y.counters, b));
    if (planted(Bug::ticketAmount)) {
      amountA = pool.addConstant(amountA, 1);
      amountB = pool.addConstant(amountB, 1);
    }
    Term apart = pool.disj(pool.le(pool.add(a, amountA), b), pool.le(pool.add(b, amountB), a));
    query.push_back(pool.disj(pool.negate(pool.eq(offsetA, offsetB)), apart));
  }

  /// What a primitive gives two lanes: the same in one group; ranges that the first ones of
  /// different groups took are apart.
  void groupTicketPair(Term a, Term b) {
    if (pool.symbolOf(a).side != 1 || pool.symbolOf(b).side != 2 || original(a) != original(b))
      return;
    const GroupTicket &g = trace.groupTickets.at(original(a));
    const auto atA = countersOf(g.counters, a), atB = countersOf(g.counters, b);
    std::vector<Term> same{pool.boolean(shared == Uniform::Warp),
                           pool.eq(instance(g.mask, 1, atA), instance(g.mask, 2, atB))};
    for (std::size_t i = 0; i < a->children.size(); ++i)
      same.push_back(pool.eq(a->children[i], b->children[i]));
    Term together = pool.conj(same);
    query.push_back(pool.disj(pool.negate(together), pool.eq(a, b)));
    if (!g.ticket)
      return;
    const Ticket &ticket = trace.tickets.at(static_cast<unsigned>(g.ticket->value));
    Term onePlace = pool.eq(instance(ticket.offset, 1, atA), instance(ticket.offset, 2, atB));
    Term endA = pool.add(a, instance(ticket.amount, 1, atA));
    Term endB = pool.add(b, instance(ticket.amount, 2, atB));
    Term apart = pool.disj(pool.le(endA, b), pool.le(endB, a));
    query.push_back(pool.disj(pool.disj(together, pool.negate(onePlace)), apart));
  }

  /// A value read from a shared place is what the one writing thread of that block wrote: a third
  /// thread, number 3 in the block of the first of the pair (or of both), 4 in that of the second.
  void forward(Term read) {
    const Forward &f = trace.forwards.at(original(read));
    int side = pool.symbolOf(read).side;
    if (side > 2)
      return;
    int writer = side == 2 ? 4 : 3;
    auto counters = countersOf(f.counters, read);
    std::unordered_map<Term, Term> memo;
    auto written = [&](Term term) {
      return pool.rewrite(term, memo, [&](Term atom, std::span<const Term> arguments) -> Term {
        auto symbol = static_cast<unsigned>(atom->value);
        const Symbol &s = pool.symbol(symbol);
        if (auto found = counters.find(symbol); found != counters.end())
          return found->second;
        if (s.kind == SymbolKind::Function || s.uniform == Uniform::Grid)
          return nullptr;
        if (s.uniform < Uniform::Block)
          return pool.atom(pool.instanceOf(symbol, writer), arguments);
        return side ? pool.atom(pool.instanceOf(symbol, side), arguments) : nullptr;
      });
    };
    for (Term term : f.path)
      query.push_back(written(term));
    query.push_back(pool.eq(read, written(f.value)));
  }

  /// Lanes with equal keys get equal masks, from one match.
  void matchPair(Term a, Term b) {
    int sideA = pool.symbolOf(a).side, sideB = pool.symbolOf(b).side;
    if (sideA != 1 || sideB != 2 || original(a) != original(b))
      return;
    const Match &match = trace.matches.at(original(a));
    if (!match.key)
      return; // of those that are there together, the hardware may make several groups
    const auto atA = countersOf(match.counters, a), atB = countersOf(match.counters, b);
    std::vector<Term> same; // the same match in the same iteration
    if (match.mask)
      same.push_back(pool.eq(instance(match.mask, sideA, atA), instance(match.mask, sideB, atB)));
    for (std::size_t i = 0; i < a->children.size(); ++i)
      same.push_back(pool.eq(a->children[i], b->children[i]));
    if (!planted(Bug::matchWhole))
      same.push_back(pool.eq(instance(match.key, sideA, atA), instance(match.key, sideB, atB)));
    query.push_back(pool.disj(pool.negate(pool.conj(same)), pool.eq(a, b)));
  }

  /// rank(ballot, lane, vote): a voter's rank is below that of every voter further up. The same
  /// holds in two equal masks.
  void rankPair(Term a, Term b) {
    Term ballotA = a->children[0], ballotB = b->children[0];
    if (original(ballotA) != original(ballotB))
      return;
    std::vector<Term> same; // the same ballot in the same iteration
    if (ballotA->value != ballotB->value)
      same.push_back(pool.eq(ballotA, ballotB));
    for (std::size_t i = 0; ballotA->value == ballotB->value && i < ballotA->children.size(); ++i)
      same.push_back(pool.eq(ballotA->children[i], ballotB->children[i]));
    Term higher = pool.lt(a->children[1], b->children[1]);
    Term votes = planted(Bug::rankOfAll) ? pool.boolean(true) : a->children[2];
    query.push_back(
        pool.disj(pool.negate(pool.conj({pool.conj(same), higher, votes})), pool.lt(a, b)));
  }

  bool isCalled(Term atom, const char *function) const {
    return pool.symbolOf(atom).kind == SymbolKind::Function &&
           pool.symbolOf(atom).name == function && !atom->children.empty();
  }

  /// The ballot that a mask is, perhaps with a bit for each rank; null for others.
  Term ballotIn(Term mask) const {
    if (mask->op == Op::Atom && isCalled(mask, "packed_lanes"))
      mask = mask->children[0];
    return mask->op == Op::Atom && trace.ballots.contains(original(mask)) ? mask : nullptr;
  }

  bool votesIn(Term mask) const {
    return mask->op == Op::Ite ? votesIn(mask->children[1]) && votesIn(mask->children[2])
                               : ballotIn(mask) != nullptr;
  }

  /// Whoever votes is in the ballot: it is not empty.
  void voterIsInBallot(Term atom) {
    const Ballot &ballot = trace.ballots.at(original(atom));
    const int side = pool.symbolOf(atom).side;
    const auto counters = countersOf(ballot.counters, atom);
    std::vector<Term> votes{instance(ballot.predicate, side, counters)};
    for (Term term : ballot.path)
      votes.push_back(instance(term, side, counters));
    query.push_back(pool.disj(pool.negate(pool.conj(votes)), pool.le(pool.integer(1), atom)));
  }

  /// There are as many bits in a mask as in the ballot it was made from: some, if it is not empty.
  void countOfSome(Term count) {
    const auto visit = [&](auto &self, Term mask, Term condition) -> void {
      if (mask->op == Op::Ite) {
        self(self, mask->children[1], pool.conj(condition, mask->children[0]));
        return self(self, mask->children[2], pool.conj(condition, pool.negate(mask->children[0])));
      }
      Term some = pool.le(pool.integer(1), ballotIn(mask));
      for (Term that :
           {pool.le(pool.integer(1), count), pool.negate(pool.eq(mask, pool.integer(0)))})
        query.push_back(pool.disj(pool.negate(pool.conj(condition, some)), that));
    };
    visit(visit, count->children[0], pool.boolean(true));
  }

  /// A rank is at most the count of voters, and below it for a voter; and at most the lane.
  void rankBelowCount(Term rank) {
    Term argument[] = {rank->children[0]};
    Term count = pool.apply("__popc", argument, false, {0, 64});
    query.push_back(pool.le(rank, count));
    query.push_back(pool.le(rank, rank->children[1])); // there are no more lanes below
    query.push_back(pool.disj(pool.negate(rank->children[2]), pool.lt(rank, count)));
  }

  TermPool &pool;
  const Trace &trace;
  Uniform shared;
  std::vector<Term> &query;
  Quotients quotients;
  std::map<unsigned, std::vector<Term>> carried;
  std::map<std::int64_t, std::vector<Term>> tickets;
  std::vector<Term> ranks, forwards, matches, groupTickets, ballots, counts;
  std::set<std::pair<Term, Term>> done;
};

} // namespace

void addLemmas(TermPool &pool, const Trace &trace, Uniform shared, std::vector<Term> &query) {
  Lemmas(pool, trace, shared, query).add();
}

} // namespace warpdrf::contract
