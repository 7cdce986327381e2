// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the questions of the contract share while one kernel is checked under one launch context.
#pragma once

#include "analysis/contract/coordinates.h"
#include "analysis/contract/decide.h"
#include "analysis/contract/trace.h"

#include <functional>
#include <set>

namespace warpdrf::contract {

struct CheckContext {
  TermPool &pool;
  const Trace &trace;
  const Coordinates &coordinates;
  const Options &options;
  Decider &decider;
  std::string kernel;
  std::vector<Finding> findings;
  std::set<std::string> assumptions;
  Verdict memory = Verdict::Ok, participation = Verdict::Ok;
  bool portable = true;
  std::set<const Event *> violated;      ///< primitives and barriers with a participation error
  const LaunchContext *launch = nullptr; ///< what is being checked
  std::set<const Event *> inArms; ///< warp barriers that the arms of a branch execute between them

  bool assumes(const std::string &name) const { return !options.assumptionsOff.contains(name); }
  void add(Finding finding);
  /// Whether one that was added says as much at the same places: this one would be dropped.
  bool tells(const Finding &finding) const;
  /// Drops findings that a graver one at the same place already tells.
  void dropRepeated();
};

/// The launch and the values of a model, without threads. `first`: which of the query's two sides
/// is called the first thread.
Witness makeLaunch(const CheckContext &context, const Decision &decision, int first = 1);
/// The same with "threadIdx.x" and kin of both threads.
Witness makeWitness(const CheckContext &context, const Decision &decision, Uniform shared,
                    int first = 1);

/// The decision with a model of few threads, few blocks and small numbers, if there is one; where
/// it is unsure, with some room, for a run to find what the model cannot tell.
Decision smallest(CheckContext &context, const std::vector<Term> &query, Uniform shared,
                  const Decision &decision);

/// Lowers an error to a warning when the decision rests on values nobody knows, and says so in the
/// message.
void setConfidence(Finding &finding, Severity full, const Decision &decision);

/// A finding at a launch that was seen, with a block dimension that only the host knows, is unsure
/// when a plausible value of that dimension makes it vanish.
void restOnLaunch(CheckContext &context, const std::vector<Term> &query, Uniform shared,
                  Decision &decision);

/// Call sites of an event as related places.
void addCalls(Finding &finding, const Event &event);

/// The object's name with the index an access has under a model: `s[3]`.
std::string indexText(const CheckContext &context, const Event &event, Term offset,
                      const Decision &decision);

/// Evaluates an integer term of a pair under a model; unknown atoms count as their lowest value.
std::int64_t evaluate(TermPool &pool, Term term, const Decision &decision);

/// The facts (asserts, extents) that hold for a side.
Term assumedFacts(CheckContext &context, class Side &side);

/// Whether a write may be executed before a read, by program order alone.
bool mayComeBefore(const Event &write, const Event &read);

/// A read, or an atomic that makes the new value from the old one: no first write of its cell.
bool readsFirst(const Event &event);
/// The finding of rule uninitialized-shared for a read, with the model that shows it.
void reportUninitialized(CheckContext &context, const Event &read, std::string message,
                         const Decision &decision);

/// Launches to run the kernel with, to see what could not be decided; none if there is no launch.
std::vector<Witness> trialLaunches(CheckContext &context);

void checkParticipation(CheckContext &context);      ///< participation.cpp
void checkNamedBarriers(CheckContext &context);      ///< named_barriers.cpp
void checkUninitialized(CheckContext &context);      ///< uninitialized.cpp
void checkUninitializedCells(CheckContext &context); ///< uninitialized_cells.cpp
void checkUndefinedLanes(CheckContext &context);     ///< undefined_lanes.cpp
void checkRaces(CheckContext &context);              ///< races.cpp
void checkOwnCopies(CheckContext &context);          ///< own_copies.cpp

} // namespace warpdrf::contract
