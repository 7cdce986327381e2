// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads at once. A term of the one-thread trace becomes a term of thread 1 or thread 2: what
// is uniform at the scope that the two share stays one atom, everything else becomes an atom of its
// own for each.
#pragma once

#include "analysis/contract/coordinates.h"
#include "analysis/contract/trace.h"

namespace warpdrf::contract {

/// What a loop's counter is for a thread: absent means "some iteration, the thread's own".
using Counters = std::map<unsigned, Term>; ///< by symbol of the counter

/// One side (1 or 2) of a pair that shares `shared` (Uniform::Warp: same warp; Block: same block,
/// different warps; Grid: different blocks), with given counters.
class Side {
public:
  Side(TermPool &pool, const Trace &trace, int side, Uniform shared, Counters counters);

  Term of(Term term);
  Term all(const std::vector<Term> &terms);

private:
  TermPool &pool;
  const Trace &trace;
  int side;
  Uniform shared;
  Counters counters;
  std::unordered_map<Term, Term> memo;
};

/// The counters of these loops as the two threads of an instance share them.
Counters sharedCounters(const std::vector<Loop *> &loops);

/// Substitutes counters in a one-thread term.
Term withCounters(TermPool &pool, Term term, const Counters &counters);

/// The facts that make `first` and `second` two launched, different threads in the given relation.
/// For Block scope with `anyWarp` the two may also share the warp.
Term threadsRelated(TermPool &pool, const Coordinates &coordinates, Side &first, Side &second,
                    Uniform shared, bool anyWarp = false);

} // namespace warpdrf::contract
