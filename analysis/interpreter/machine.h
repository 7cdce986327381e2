// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a Program. A thread runs until it stands at a primitive or barrier, has left the
// kernel, or has used up its slice; an instance is released when no other thread of its group
// (warp, block, grid) can still reach it (order.h), which a reference schedule meets by always
// taking the earliest in program order.
#pragma once

#include "analysis/interpreter/order.h"
#include "analysis/interpreter/shadow.h"
#include "analysis/interpreter/values.h"

#include <chrono>
#include <map>
#include <random>
#include <unordered_map>

namespace warpdrf::interpreter {

enum class Wait : std::uint8_t {
  None,
  Primitive,
  Barrier,
  NamedBarrier,
  Phase,
  GridBarrier,
  Exited
};

struct Thread {
  std::uint64_t *registers = nullptr;
  std::uint8_t *taint = nullptr; ///< per register; only once something is undefined
  std::uint8_t *local = nullptr;
  std::uint32_t pc = 0;    ///< of the primitive or barrier it waits at, else the next instruction
  std::uint32_t index = 0; ///< within the block
  std::uint32_t now = 1, asyncNow = 1;
  std::vector<std::uint32_t> copyGroups; ///< its asynchronous time when it closed each
  std::size_t groupsWaitedFor = 0;       ///< the oldest ones, one by one
  /// Its copies that complete on barriers in memory: where, and the asynchronous time of the last.
  std::map<std::uint64_t, std::uint32_t> boundCopies;
  std::uint32_t freeCopy = 0; ///< the asynchronous time of the last of its other copies
  std::uint64_t awaits = 0;   ///< the barrier in memory that it waits at
  Wait wait = Wait::None;
  bool narrowFence = false;
  ClockRef known;
  ClockRef acquired;                ///< released to it by atomics it read from, before any fence
  ClockRef fencedBlock, fencedGrid; ///< what its last fence of that scope would release
  std::uint64_t unknowns = 0, reads = 0;
};

/// An object as a block sees it.
struct View {
  std::uint8_t *base = nullptr; ///< of a local: null, with `frame` instead
  std::uint64_t size = 0, frame = 0;
  Shadow *shadow = nullptr; ///< null: not watched
  Space space = Space::Global;
  bool readOnly = false;
};

/// Arrivals at a named barrier.
struct NamedBarrier {
  std::vector<std::uint32_t> arrived; ///< threads, those that only arrive too
  std::uint64_t wanted = 0;           ///< 0: every thread
  ClockRef released;
};

/// A barrier in memory, besides the number of arrivals that is stored there.
struct PhaseBarrier {
  std::uint64_t phase = 0, arrived = 0;
  ClockRef arriving, released; ///< by the arrivals of this phase, of the last one
};

struct Block {
  std::uint32_t index = 0;
  std::vector<std::uint64_t> registers;
  std::vector<std::uint8_t> taint, local, localTaint, shared;
  std::vector<Thread> threads;
  std::vector<View> views;
  std::vector<std::unique_ptr<Shadow>> shadows;
  std::unordered_map<std::uint64_t, NamedBarrier> named;
  std::unordered_map<std::uint64_t, PhaseBarrier> phases; ///< by address
  std::vector<std::uint32_t> warpClocks; ///< of the warps as agents of matrix operations
  std::uint32_t live = 0;                ///< threads that have not left
  bool finished() const { return live == 0; }
};

/// What atomics on a location have released.
struct AtomicState {
  ClockRef grid;
  ClockRef block; ///< by fences and atomics that reach the block `blockIndex` only
  std::uint32_t blockIndex = 0;
};

class Machine : RaceListener {
public:
  Machine(const Code &code, const Launch &launch);
  Execution run();

private:
  // --- machine.cpp: setting up, ending
  bool prepare();
  bool checkLaunch();
  std::unique_ptr<Block> makeBlock(std::uint32_t index);
  void startThread(Block &block, std::uint32_t index, const ClockRef &known);
  void retire(std::unique_ptr<Block> block);
  void finish();
  void end(Ending ending, const std::string &message, std::uint32_t pc);
  void end(Ending ending, const std::string &message);
  /// Ends a run that cannot start, at the kernel; false.
  bool refuse(const std::string &message, Ending ending = Ending::BadArgument);
  bool overLimit();
  ThreadId threadId(std::uint32_t block, std::uint32_t thread) const;
  std::string describe(std::uint32_t block, std::uint32_t thread) const;
  std::string objectName(std::size_t object) const;
  void charge(std::uint64_t bytes) {
    memoryUsed += bytes;
    checkMemory();
  }
  bool checkMemory();

  // --- arguments.cpp
  bool bindArguments();
  bool bindArgument(std::size_t index, const Argument &argument);
  void bindAliases();
  int parameterNamed(const std::string &name) const;
  bool bindArray(const std::string &name, const Array &array, std::optional<Element> inferred,
                 std::vector<std::uint8_t> &bytes);
  bool bindRecord(const ParameterInfo &info, const Record &record);
  bool bindScalar(const std::string &name, const Scalar &scalar, std::optional<FloatKind> kind,
                  unsigned bits, std::uint64_t &result);
  std::size_t addArray(std::string name, Space space, std::vector<std::uint8_t> bytes,
                       std::optional<Element> element);

  // --- schedule.cpp
  void runGrid();
  void startBlock();
  bool runBlock(Block &block);
  bool runWarp(Block &block, std::uint32_t warp);
  void runThread(Block &block, Thread &thread);
  bool releaseBlock(Block &block);
  bool releaseGrid();
  void reportDeadlock();
  std::uint64_t slice();
  Thread *releasable(const std::vector<Thread *> &group, Wait wait);
  bool isTogether(const std::vector<Thread *> &group, Wait wait) const;
  bool mayRelease(const Thread &leader, const std::vector<Thread *> &group) const;
  Standing standing(const Thread &thread) const { return {thread.pc, thread.registers}; }
  std::vector<Thread *> waiting(const std::vector<Thread *> &group, const Thread &leader) const;

  // --- step.cpp
  template <bool Tainted>
  void execute(Block &block, Thread &thread);

  // --- memory.cpp
  /// The bytes behind an address, after checking bounds and races; null when the run has ended.
  std::uint8_t *resolve(Block &block, Thread &thread, std::uint64_t address, std::uint64_t size,
                        std::uint32_t pc, AccessKind kind, bool narrow = false);
  void watch(Block &block, const Thread &thread, const Actor &actor, std::size_t object,
             std::uint64_t offset, std::uint64_t size, std::uint32_t pc, AccessKind kind);
  void outOfBounds(const Block &block, const Thread &thread, std::uint64_t address,
                   std::uint64_t size, std::uint32_t pc);
  std::uint8_t *localTaint(Block &block, const Thread &thread, std::uint64_t address);
  std::uint8_t localTaintAt(Block &block, const Thread &thread, std::uint64_t address,
                            std::uint64_t size);
  /// False if the address is not of a local object, which alone may hold undefined values.
  bool setLocalTaint(Block &block, const Thread &thread, std::uint64_t address, std::uint64_t size,
                     std::uint8_t value);
  AtomicState &atomicState(const Block &block, std::uint64_t address);
  bool copy(Block &block, Thread &thread, const Instruction &instruction, bool tainted);
  std::uint64_t atomic(Block &block, Thread &thread, const Instruction &instruction);
  void fence(Block &block, Thread &thread, const Instruction &instruction);
  void shareFences(Block &block, const std::vector<Thread *> &members);
  void fenceCopies(Thread &thread, const Instruction &fence);
  void acquire(Block &block, Thread &thread, AtomicState &state, bool strong);
  void release(Block &block, Thread &thread, AtomicState &state, bool strong, bool narrow,
               bool keeps);
  Actor actorOf(const Block &block, const Thread &thread) const {
    return {block.index, thread.index, thread.now, thread.known.get(), false};
  }
  Access accessAt(std::uint32_t block, std::uint32_t agent, std::uint32_t pc,
                  AccessKind kind) const;
  void conflict(const Recorded &first, const Actor &second, std::uint32_t pc,
                AccessKind kind) override;

  // --- sync.cpp
  void releasePrimitive(Block &block, std::uint32_t warp, Thread &leader,
                        const std::vector<Thread *> &group);
  void releaseClass(Block &block, std::uint32_t warp, std::vector<Thread *> members,
                    const Lanes &sameInstance, const PrimitiveInfo &info,
                    std::optional<std::uint32_t> mask);
  void joinArms(const std::vector<Thread *> &group, std::uint32_t mask,
                std::vector<Thread *> &members) const;
  void meet(Block &block, const std::vector<Thread *> &members);
  void releaseBarrier(Block &block, Thread &leader, const std::vector<Thread *> &group);
  void releaseGridBarrier(Block &home, Thread &leader);
  void noteIncomplete(const Block &block, const NamedBarrier &barrier);
  bool arriveNamed(Block &block, Thread &thread, const BarrierInfo &info);
  void releaseNamed(Block &block, NamedBarrier &barrier, Thread &last);
  void goOn(Thread &thread) {
    thread.wait = Wait::None;
    ++thread.pc;
  }

  // --- phases.cpp
  void arrive(Block &block, Thread &thread, const Instruction &instruction);
  void await(Block &block, Thread &thread, const Instruction &instruction);
  bool releaseCopies(Thread &thread, std::uint64_t barrier, Clock &clock);
  void endPhase(Block &block, std::uint64_t address, PhaseBarrier &barrier);
  void noteIncompletePhases(const Block &block);

  // --- participation.cpp
  bool exitedBefore(const Thread &thread, const Thread &leader) const;
  void noteArms(Block &block, const std::vector<Thread *> &members, const PrimitiveInfo &info,
                std::optional<std::size_t> instance);
  void judge(Block &block, std::uint32_t warp, const std::vector<Thread *> &members,
             const Lanes &sameInstance, std::optional<std::uint32_t> mask,
             const PrimitiveInfo &info, std::optional<std::size_t> instance);
  void judgeBarrier(Block &block, const std::vector<Thread *> &members, const BarrierInfo &info,
                    std::optional<std::size_t> instance);
  std::optional<std::size_t> record(const Block &block, const Thread &leader, std::uint32_t site,
                                    Instance instance, const std::vector<Thread *> &members,
                                    bool complete);
  Configuration weakestOf(const std::vector<Thread *> &members, bool complete) const;
  void fault(const std::string &rule, const std::string &message, std::uint32_t pc,
             const Block &block, const Thread &thread,
             std::optional<std::size_t> instance = std::nullopt);
  Lanes launched(std::uint32_t warp) const;
  Lanes lanesOf(const std::vector<Thread *> &members) const;
  Lanes masked(std::uint32_t mask) const;
  std::string shown(const Lanes &lanes) const;
  unsigned laneOf(const Thread &thread) const { return thread.index % launch.width; }

  // --- collectives.cpp
  void startTaint();
  void undefinedUse(const Block &block, const Thread &thread, const char *what);
  void compute(Block &block, const std::vector<Thread *> &members, const PrimitiveInfo &info);
  void shuffle(const std::vector<Thread *> &members, const PrimitiveInfo &info);
  void vote(const std::vector<Thread *> &members, const PrimitiveInfo &info);
  void match(const std::vector<Thread *> &members, const PrimitiveInfo &info);
  void reduce(const std::vector<Thread *> &members, const PrimitiveInfo &info);
  void setResult(Thread &thread, const PrimitiveInfo &info, unsigned index, std::uint64_t value,
                 bool undefined);
  void matrixAccess(Block &block, const std::vector<Thread *> &members, const PrimitiveInfo &info);

  // --- timeline.cpp
  struct Moment { ///< a place in program order
    std::uint32_t pc = 0;
    std::vector<std::uint64_t> counts; ///< of the loops around it
  };
  bool drawn(std::uint32_t block, std::uint32_t thread) const;
  Moment momentOf(const Thread &thread, std::uint32_t pc) const;
  void note(TimelineEvent event, const Moment &at);
  void entered(const Block &block, const Thread &thread, std::uint32_t pc);
  void noteInstance(const Block &block, const Thread &thread, std::size_t instance);
  void noteAccess(const Actor &actor, const Thread &thread, std::uint32_t pc);
  void noteRace(const Recorded &first, const Actor &second, std::uint32_t pc, std::size_t race);
  bool isWithin(const Moment &later, const Moment &iteration) const;
  void dropSilentIterations();
  void sortTimeline();

  const Code &code;
  const Launch &launch;
  Execution result;
  bool stopped = false, tainting = false;
  std::uint32_t threadsPerBlock = 0, warpsPerBlock = 0, blocks = 0, agents = 0;
  std::uint32_t blocksToRun = 0;
  std::uint64_t stepsLeft = 0, memoryUsed = 0;
  std::int64_t sliceLeft = 0;
  unsigned timeChecks = 0;
  std::uint64_t stepsAtCheck = 0;
  std::chrono::steady_clock::time_point deadline;
  std::mt19937_64 random;

  SetPool sets; ///< outlives the shadows
  struct GlobalArray {
    std::string name;
    Space space;
    std::vector<std::uint8_t> bytes;
    std::optional<Element> element;
    std::unique_ptr<Shadow> shadow;
    bool aliasWritten = false;
  };
  std::vector<GlobalArray> arrays;
  std::vector<int> arrayOf; ///< per object of the code, then of record fields: index into arrays
  std::vector<int> aliasOf; ///< per parameter: -1, or 0 for a pointer without an array of its own
  std::vector<std::uint64_t> image; ///< initial registers
  std::vector<View> commonViews;
  std::vector<std::unique_ptr<Block>> resident; ///< started, not finished
  std::vector<std::unique_ptr<Block>> pool;     ///< finished, to be used again
  std::uint32_t nextBlock = 0;                  ///< how many have been started
  std::vector<bool> watched;                    ///< per instruction; empty: all (Launch::focus)
  std::unordered_map<std::uint64_t, AtomicState> atomicStates; ///< by address, and block if shared
  std::unordered_map<std::uint64_t, std::size_t> knownRaces, knownFaults;
  /// Of the access being checked.
  struct {
    std::size_t object = 0;
    std::uint64_t offset = 0, size = 0;
    std::uint64_t value = 0; ///< what a store stores
    const std::uint8_t *bytes = nullptr;
    const Thread *thread = nullptr;
    const Thread *actor = nullptr; ///< or the agent that accesses in its place
    bool byWarp = false;
  } current;
  // For the timeline.
  bool drawing = false;
  struct Pending { ///< an event whose row is not known yet
    TimelineEvent event;
    Moment at;
  };
  std::vector<Pending> pending;
  struct Noted {
    std::uint32_t count = 0;
    std::size_t last = ~std::size_t{0}; ///< index into `pending`
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Noted> noted; ///< by block and thread
  std::unordered_map<std::uint64_t, Moment> accessMoments;
};

} // namespace warpdrf::interpreter
