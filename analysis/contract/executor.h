// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine behind execute.h; included by the execute_*.cpp files only.
#pragma once

#include "analysis/contract/execute.h"
#include "analysis/contract/local_memory.h"
#include "analysis/contract/shared_contents.h"

#include "llvm/ADT/TypeSwitch.h"

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <tuple>

namespace warpdrf::contract {

/// Combines two hashes.
inline std::uint64_t mixHash(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15ull + (hash >> 29);
}

/// How many bytes of memory a scalar takes.
inline std::int64_t bytesOf(mlir::Type type) {
  return llvm::isa<ir::PtrType>(type) ? 8 : (type.getIntOrFloatBitWidth() + 7) / 8;
}

/// What a thread knows at a point of the program.
struct State {
  std::vector<Term> path;
  std::vector<Term> within; ///< what accesses on the way here have demanded; see Event::within
  std::unordered_map<void *, Term> slots; ///< by the slot's SSA value
  LocalMemories locals;
  std::map<std::int64_t, unsigned>
      versions; ///< which contents of a shared or global object reads see
  /// Asynchronous copies this thread has not waited for.
  struct Pending {
    std::int64_t object, size;
    Term offset;
    mlir::Operation *op;
    std::vector<Term> path;
    unsigned age = 0; ///< groups that the thread has closed since it was issued
    /// What completes it, if not a wait of its thread: a barrier in memory, and its thread's first
    /// arrival there.
    std::optional<std::pair<std::int64_t, Term>> barrier = {};
    std::optional<unsigned> arrival = {};
  };
  std::vector<Pending> pending;
  /// Groups of copies that were closed and not waited for one by one; null: not known.
  std::optional<unsigned> openGroups = 0;
  /// The only write of a shared place since the last-but-one barrier, by object and the number of
  /// the term that is the offset.
  struct SingleWrite {
    Term offset;
    std::int64_t size;
    Term value;
    std::vector<Term> path;
    bool ready = false; ///< a barrier lies in between
    bool operator==(const SingleWrite &) const = default;
  };
  std::map<std::pair<std::int64_t, unsigned>, SingleWrite> singleWrites;
  SharedContents contents;
  bool dead = false;
};

class Executor {
public:
  /// What a first run has shown.
  struct Known {
    std::vector<Object> objects;
    std::set<std::string> extents; ///< names: each run has atoms of its own
  };
  Executor(const Execution &execution, const Known &known);
  std::unique_ptr<Trace> run();

private:
  // execute.cpp: control flow without loops.
  using Arguments = std::vector<Term>;
  struct Frame {
    std::vector<std::pair<State, Arguments>> returns;
    bool isKernel = false;
  };
  struct Target { ///< where `break` and `continue` of a loop or switch go
    std::vector<State> breaks, continues;
    bool isLoop = false;
  };
  void runBlock(mlir::Block &block);
  void runOp(mlir::Operation *op);
  void runIf(ir::IfOp op);
  void noteLeftInArm(std::size_t first, std::size_t arm);
  void runSwitch(ir::SwitchOp op);
  void runCall(ir::CallOp op);
  void runReturn(ir::ReturnOp op);
  void bindParameters();
  void bindPointer(unsigned i);
  Term noteReciprocal(unsigned i);
  Term divisorOf(const std::string &parameter);
  Term dividedBy(Term sum, Term shift);
  Term aliasOf(unsigned i);
  Term scalarParameter(unsigned i);
  Term productOf(unsigned i, Symbol symbol);
  Term parameterAtom(std::uint64_t tag, Symbol symbol);
  Term presence(unsigned i);
  Term pointerAsNumber(unsigned i);
  Term namedValue(const std::string &name);
  void addAssumptions();
  Arguments finishCall(Frame frame, State before, unsigned results);
  /// Joins states that all extend `base`'s path; `values` (optional) are merged alongside.
  void mergeLocals(LocalMemories &result, const LocalMemories &other, Term condition);
  State merge(std::vector<State> states, const State &base,
              std::vector<Arguments> *values = nullptr);
  Term suffix(const State &state, std::size_t base);
  void assume(Term condition);
  bool outOfBudget();

  // execute_loop.cpp
  struct Place { ///< what a loop carries: a slot, or a cell of a local object
    void *slot = nullptr;
    std::int64_t object = -1, offset = 0, size = 0;
    auto operator<=>(const Place &) const = default;
  };
  struct Recipe { ///< how a carried place depends on the loop's counter
    enum class Kind { Invariant, Affine, Toggle, Modular, Swap, Opaque } kind = Kind::Opaque;
    Term step = nullptr; ///< Affine: the increment; Toggle: the other value; Modular: increment
    /// Modular; of an affine counter of a narrow type, which the loop's test keeps from wrapping
    /// around.
    std::int64_t modulus = 0;
    std::int64_t stride = 0;       ///< Opaque: every iteration moves it by a multiple of this
    bool up = false, down = false; ///< such steps, and no others
    Place partner;                 ///< Swap
    Uniform uniform = Uniform::Grid, givenLane = Uniform::Grid; ///< Opaque
    std::set<std::int64_t> objects;                             ///< Opaque: what it may point to
    Interval range{-kUnbounded, kUnbounded};
    bool failed = false; ///< a closed form was tried and did not hold
    bool operator==(const Recipe &other) const {
      return kind == other.kind && step == other.step && modulus == other.modulus &&
             stride == other.stride && up == other.up && down == other.down &&
             partner == other.partner && objects == other.objects && uniform == other.uniform &&
             givenLane == other.givenLane && range.lo == other.range.lo &&
             range.hi == other.range.hi && failed == other.failed;
    }
  };
  struct LoopRecipe {
    std::map<Place, Recipe> places;
    Uniform exit = Uniform::Grid;
    bool innerExits = false;
    Term exited = nullptr; ///< by `break` or `return`: whoever leaves in an iteration would in
                           ///< every later one; null when that is not known
    std::set<std::int64_t> scrambled; ///< local objects written at unknown offsets
    std::set<std::int64_t> versions;  ///< objects whose contents change
    bool groupsVary = false;          ///< State::openGroups
    bool operator==(const LoopRecipe &) const = default;
  };
  struct Iteration {
    State head, end;
    std::vector<State> breaks;
    std::vector<std::pair<State, Arguments>> returns;
    Term test = nullptr;
    std::vector<unsigned> exits;
    Sequence body;
  };
  struct Mark { ///< how much of the trace there was at some point
    std::size_t events, exits, unsupported, snapshots;
  };
  Mark mark() const;
  void discardTo(const Mark &mark);
  void runLoop(ir::LoopOp op);
  void unrollLoop(ir::LoopOp op, const State &before, std::int64_t trips);
  std::optional<std::int64_t> tripCount(const Iteration &iteration, const LoopRecipe &recipe,
                                        const State &before, Term counter);
  bool worthUnrolling(ir::LoopOp op, std::int64_t trips, const LoopRecipe &recipe);
  Iteration runIteration(ir::LoopOp op, Loop &loop, const State &before, const LoopRecipe &recipe);
  Term headValue(const Place &place, const Recipe &recipe, const State &before, Loop &loop);
  Term carriedAtom(const Place &place, const Recipe &recipe, Loop &loop, Term like);
  bool refine(LoopRecipe &recipe, const Iteration &iteration, const State &before, Loop &loop);
  Term isFirst(Term k);
  static bool keepsBelow(TermPool &pool, Term test, Term value);
  bool noteSteps(Term end, Term start, Recipe &recipe);
  void addObjects(Term value, std::set<std::int64_t> &objects);
  Term distance(Term to, Term from);
  static bool isPointer(Term value) {
    return value->op == Op::Pointer || (value->op == Op::Ite && isPointer(value->children[1]));
  }
  Term successor(const Place &place, const Recipe &recipe, const State &before, Loop &loop);
  std::optional<Recipe> guess(const Place &place, const Iteration &iteration, const State &before,
                              Loop &loop, const LoopRecipe &recipe);
  Recipe classify(const Place &place, const Recipe &old, const Iteration &iteration,
                  const State &before, Loop &loop, const LoopRecipe &recipe);
  void addCarriedPlaces(LoopRecipe &recipe, ir::LoopOp op, const State &before);
  void noteInflow(Term value, std::vector<Term> before, std::vector<Term> carried, Term counter);
  void describeExits(ir::LoopOp op, Loop &loop, const LoopRecipe &recipe,
                     const Iteration &iteration, std::optional<std::int64_t> trips);
  void noteReturns(const Loop &loop, const LoopRecipe &recipe, const Iteration &iteration);
  void leaveLoop(ir::LoopOp op, Loop &loop, const LoopRecipe &recipe, Iteration iteration,
                 const State &before, std::optional<std::int64_t> trips);
  Term get(const State &state, const Place &place);
  void put(State &state, const Place &place, Term value);
  bool dependsOn(Term term, const Loop &loop);
  /// A term over the loop's counter, at iteration `k`.
  Term atIteration(Term term, const Loop &loop, Term k);
  Term leavesInside(const Iteration &iteration, const Loop &loop);
  Term innerExit(const Iteration &iteration, Loop &loop);
  bool onceFalseStaysFalse(Term test, Loop &loop);
  void noteExtents(Term test);
  void noteExtent(Term parameter);
  void noteSizes(Term condition);
  void noteStrides(Term offset);

  // execute_values.cpp
  Term value(mlir::Value v);
  std::vector<Term> values(mlir::ValueRange range);
  void define(mlir::Value v, Term term) { terms[v.getAsOpaquePointer()] = term; }
  bool runArithmetic(mlir::Operation *op);
  Term special(ir::SpecialValue which);
  Term compare(mlir::Operation *op, Term a, Term b);
  Term constant(mlir::Attribute attribute);
  Term populationCount(Term mask);
  Term rankOf(Term mask);
  Term movePointer(Term pointer, Term bytes);
  Term pointerToInteger(Term pointer);
  Term integerToPointer(Term value, mlir::Operation *op);
  Term pointersEqual(Term a, Term b);
  std::int64_t nullObject();
  Term butterfly(const std::string &function, Term a, Term b);
  Term fold(const std::string &function, Term a, Term b, Term plain);

  // execute_memory.cpp
  struct Pointee {
    Term condition;
    std::int64_t object;
    Term offset;
  };
  std::vector<Pointee> resolve(Term pointer, mlir::Operation *op);
  Term read(Term pointer, std::int64_t size, bool isPointer, bool isBool, mlir::Operation *op,
            ir::MemoryOrder order);
  void write(Term pointer, Term value, std::int64_t size, mlir::Operation *op,
             ir::MemoryOrder order);
  Term readTable(const LocalMemory &memory, Term offset, std::int64_t size);
  Term readLocal(const LocalMemory &memory, std::int64_t object, Term offset, std::int64_t size);
  void writeLocal(LocalMemory &memory, std::int64_t object, Term offset, std::int64_t size,
                  Term value);
  Term readShared(std::int64_t object, Term offset, std::int64_t size, unsigned version,
                  mlir::Operation *fresh);
  void eraseCells(LocalMemory &memory, std::int64_t at, std::int64_t size);
  void copyWords(const std::vector<Pointee> &from, const Pointee &to, std::int64_t size,
                 mlir::Operation *op);
  void copy(ir::CopyOp op);
  void waitForCopies(ir::FenceOp op);
  void fill(ir::FillOp op);
  void atomic(ir::AtomicOp op);
  static constexpr std::size_t kMaxDemands = 24; ///< each is copied to every access that follows
  void demand(Term condition, Term bytes);
  void demandBounds(mlir::Value address);
  void demandAlignment(Term offset, std::int64_t bytes);
  Event &accessEvent(Event::Kind kind, const Pointee &target, std::int64_t size,
                     mlir::Operation *op);
  void bumpVersions(bool block, bool grid = false);
  void reissuePending();
  std::int64_t objectFor(void *key, std::int64_t sub, ir::MemorySpace space,
                         const std::string &name, std::int64_t size);

  // execute_contents.cpp
  void forgetWrites(std::int64_t object);
  void noteWrite(const Pointee &target, std::int64_t size, Term value);
  void noteForward(Term read, std::int64_t object, Term offset, std::int64_t size);
  StoredContents &contentsOf(std::int64_t object);
  Term ruleOf(const StoredWrite &write, bool &counts);
  void noteStored(const Event &event, Term value);
  void noteLeaving();
  void publishContents();
  Term storedValue(std::int64_t object, Term offset, std::int64_t size);
  void enterLoopContents(std::int64_t object);
  void leaveLoopContents(State &after, const State &before, const Iteration &iteration,
                         std::int64_t object);
  void dropImpossible(StoredContents &contents, std::span<const Term> holds);
  void mergeContents(State &result, std::span<const Term> mine, const State &other,
                     std::span<const Term> theirs);

  // execute_phases.cpp
  void runArrive(ir::ArriveOp op);
  void runAwait(ir::AwaitOp op);
  bool isForWholeBlock(const Pointee &barrier);
  const Event *arrivalOf(Term phase) const;
  void noteDividedArrivals();

  // execute_sync.cpp
  void runPrimitive(ir::PrimitiveOp op);
  void runBarrier(ir::BarrierOp op);
  bool wholeWarpRuns() const;
  Term xorSource(Term lane, Term distance, Term end, std::int64_t width);
  Term shuffle(ir::PrimitiveOp op, Event &event);
  void noteGroupTicket(Term result, Term mask, Term operand, Term source);
  Term collective(mlir::Operation *op, Term operand, Uniform uniform, bool boolean, Interval range,
                  int tag = 0);
  Uniform reach(Term operand);
  Uniform reachOfAll(Term operand, bool fold);

  // Shared helpers.
  Event &emit(Event::Kind kind, mlir::Operation *op);
  std::vector<Term> counterArguments() const;
  /// An atom that is the same whenever it is asked for with the same key; its arguments are the
  /// counters of the loops around (and `extra`).
  Term keyedAtom(const void *key, std::uint64_t tag, Symbol symbol,
                 std::span<const Term> extra = {});
  void unsupported(const std::string &construct, mlir::Operation *op);
  /// What an op refers to by name; a module knows its symbols by a search through all of them.
  mlir::Operation *symbolFor(mlir::Operation *op, mlir::SymbolRefAttr name) {
    auto [entry, isNew] = symbols.try_emplace(op, nullptr);
    if (isNew)
      entry->second = mlir::SymbolTable::lookupNearestSymbolFrom(op, name);
    return entry->second;
  }

  const Execution &execution;
  ir::FuncOp kernel;
  TermPool &pool;
  std::unique_ptr<Trace> trace;
  Known known;
  State state;
  llvm::DenseMap<void *, Term> terms;                           ///< SSA values
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> symbols; ///< that ops refer to
  Sequence *sequence = nullptr;
  std::vector<Frame *> frames;
  std::vector<Target *> targets;
  std::vector<Loop *> loops;
  std::vector<Range> calls;
  std::vector<mlir::Operation *> callStack; ///< functions being executed, against recursion
  std::uint64_t contextHash = 0;            ///< call path and unrolled iterations
  std::map<std::pair<void *, std::int64_t>, std::int64_t> objectIds;
  std::map<
      std::tuple<const void *, std::uint64_t, std::uint64_t, int, int, std::int64_t, std::int64_t>,
      unsigned>
      keyedSymbols;
  std::map<Term, std::tuple<Term, std::int64_t, std::int64_t>>
      shuffles; ///< xor shuffles: value, xor, width
  struct Butterfly {
    std::string function;
    Term base;
    std::int64_t mask;
    std::int64_t width;
  };
  std::map<Term, Butterfly> butterflies;
  struct Reciprocal {
    std::int64_t multiplier, shift, divisor; ///< offsets in the record, in bytes
    Term value;                              ///< of the divisor
  };
  std::map<std::int64_t, Reciprocal> reciprocals; ///< by object: parameters that hold one
  std::map<std::int64_t, Term> addresses;         ///< numeric address of each object
  std::map<std::int64_t, Term> present; ///< objects whose pointer may be null: that it is not
  std::vector<unsigned> exits;          ///< before the current point
  SharedContents left; ///< behind by threads that have returned without the rest of their block
  unsigned nextVersion = 1;
  std::set<unsigned> gridVersions; ///< contents that all threads of the grid see behind a barrier
  std::size_t steps = 0;
};

} // namespace warpdrf::contract
