// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/masks.h"

#include "analysis/contract/planted.h"
#include <bit>

namespace warpdrf::contract {

bool isFullMask(Term mask, unsigned width) {
  if (!mask)
    return true;
  auto c = constantOf(mask);
  if (!c)
    return false;
  std::uint64_t full = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  return (static_cast<std::uint64_t>(*c) & full) == full;
}

namespace {

/// `lane - shift` is one of the set bits of `bits`, for lanes below 64.
Term inConstant(TermPool &pool, std::uint64_t bits, Term lane, Term shift) {
  Term result = pool.boolean(false);
  for (int at = 0; at < 64;) {
    if (!(bits >> at & 1)) {
      ++at;
      continue;
    }
    int end = at;
    while (end < 64 && (bits >> end & 1))
      ++end;
    Term from = pool.le(pool.addConstant(shift, at), lane);
    Term to = end == 64 ? pool.boolean(true) : pool.lt(lane, pool.addConstant(shift, end));
    result = pool.disj(result, pool.conj(from, to));
    at = end;
  }
  return result;
}

} // namespace

Term maskBit(TermPool &pool, const Trace &trace, Term mask, Term lane, Side &laneSide) {
  auto bit = [&](Term m, Term l) { return maskBit(pool, trace, m, l, laneSide); };
  auto unknown = [&]() {
    Term arguments[] = {mask, lane};
    return pool.apply(kUnknownMaskBit, arguments, true);
  };
  switch (mask->op) {
  case Op::Int:
    return inConstant(pool, static_cast<std::uint64_t>(mask->value), lane, pool.integer(0));
  case Op::Ite:
    return pool.ite(mask->children[0], bit(mask->children[1], lane), bit(mask->children[2], lane));
  case Op::BitAnd:
    return pool.conj(bit(mask->children[0], lane), bit(mask->children[1], lane));
  case Op::BitOr:
    return pool.disj(bit(mask->children[0], lane), bit(mask->children[1], lane));
  case Op::BitXor:
    return pool.negate(pool.eq(bit(mask->children[0], lane), bit(mask->children[1], lane)));
  case Op::Shl:
    if (auto c = constantOf(mask->children[0]))
      return inConstant(pool, static_cast<std::uint64_t>(*c), lane, mask->children[1]);
    return pool.conj(pool.le(mask->children[1], lane),
                     bit(mask->children[0], pool.sub(lane, mask->children[1])));
  case Op::Shr:
    return bit(mask->children[0], pool.add(lane, mask->children[1]));
  case Op::Div:
    if (auto c = constantOf(mask->children[1]);
        c && std::has_single_bit(static_cast<std::uint64_t>(*c)))
      return bit(mask->children[0],
                 pool.addConstant(lane, std::countr_zero(static_cast<std::uint64_t>(*c))));
    return unknown();
  case Op::Mod:
    if (auto c = constantOf(mask->children[1]);
        c && std::has_single_bit(static_cast<std::uint64_t>(*c)))
      return pool.conj(
          pool.lt(lane, pool.integer(std::countr_zero(static_cast<std::uint64_t>(*c)))),
          bit(mask->children[0], lane));
    return unknown();
  case Op::Linear: {
    // (1 << n) - 1, ~x, and x times a power of two.
    if (mask->children.size() != 1)
      return unknown();
    Term inner = mask->children[0];
    std::int64_t factor = mask->coefficients[0];
    if (mask->value == -1 && factor == 1 && inner->op == Op::Shl &&
        constantOf(inner->children[0]) == 1)
      return pool.lt(lane, inner->children[1]);
    if (mask->value == -1 && factor == -1)
      return pool.negate(bit(inner, lane));
    if (mask->value == 0 && factor > 0 && std::has_single_bit(static_cast<std::uint64_t>(factor))) {
      int shift = std::countr_zero(static_cast<std::uint64_t>(factor));
      return pool.conj(pool.le(pool.integer(shift), lane),
                       bit(inner, pool.addConstant(lane, -shift)));
    }
    return unknown();
  }
  case Op::Atom: {
    auto symbol = static_cast<unsigned>(mask->value);
    const Symbol &s = pool.symbol(symbol);
    auto ballot = trace.ballots.find(s.side ? s.original : symbol);
    if (ballot == trace.ballots.end())
      return unknown();
    // The ballot's predicate, for the thread whose lane is asked about, at the ballot's own
    // iteration.
    Counters counters;
    for (std::size_t i = 0; i < ballot->second.counters.size() && i < mask->children.size(); ++i)
      counters[static_cast<unsigned>(ballot->second.counters[i]->value)] = mask->children[i];
    Term vote = ballot->second.predicate;
    if (planted(Bug::ballotNegated))
      vote = pool.negate(vote);
    Term voted = pool.conj(vote, pool.conj(ballot->second.path));
    Term theirs = laneSide.of(withCounters(pool, voted, counters));
    return theirs;
  }
  default:
    return unknown();
  }
}

} // namespace warpdrf::contract
