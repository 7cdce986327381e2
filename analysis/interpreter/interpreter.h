// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle: runs a kernel of the dialect under the reference semantics and says what happened:
// who took part in each primitive instance, which accesses raced, what else went wrong. Compile a
// kernel once (`Program`), run it as often as needed (`Program::run`). Plain data out; a run never
// throws, always ends (limits), and depends on its arguments and seeds only.
//
// Not thread-safe; two Programs may be used by two threads.
#pragma once

#include "analysis/report/report.h"

#include <bitset>
#include <memory>
#include <variant>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace warpdrf::interpreter {

constexpr unsigned maximalWidth = 128;
using Lanes = std::bitset<maximalWidth>;

/// Which dynamic blocks have a participant set that a target guarantees (CONTRACT 2.1).
enum class Configuration { Cuda, Smr, Fmr };

/// The type of an array's elements, or of a scalar.
enum class Element { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// The contents of an array argument.
struct Array {
  enum class Fill { Zeros, Iota, Random, Constant, Values, Bytes };
  Fill fill = Fill::Zeros;
  std::uint64_t count = 0;        ///< elements; of Bytes: ignored
  std::optional<Element> element; ///< none: what the kernel reads and writes there
  double value = 0;               ///< of Constant
  std::vector<double> values;     ///< of Values
  std::vector<std::uint8_t> bytes;
  std::map<std::uint64_t, std::int64_t> changes; ///< elements that differ from the fill
};

/// A whole number or a floating-point one, converted to the parameter's type.
using Scalar = std::variant<std::int64_t, double>;

/// A value inside a record passed by value, at a byte offset.
struct Field {
  std::uint64_t offset = 0;
  std::variant<Scalar, Array> value;
  std::optional<Element> element;
};
using Record = std::vector<Field>;

/// A pointer into another argument's array: the same memory under a second name.
struct Alias {
  std::string name;
  std::int64_t offset = 0; ///< bytes
};

using Argument = std::variant<Scalar, Array, Record, Alias>;

enum class Schedule {
  Reference, ///< threads in turn, each up to its next primitive or barrier
  Random,    ///< threads and instances in random order, switching at memory accesses
};

struct Limits {
  std::uint64_t steps = 2'000'000'000; ///< instructions, all threads together
  double seconds = 60;
  std::uint64_t memory = 2ull << 30; ///< bytes: arrays, threads, race detection
  std::size_t instances = 20'000;    ///< recorded; the rest is only counted
};

struct Launch {
  std::array<std::int64_t, 3> block{1, 1, 1};
  std::array<std::int64_t, 3> grid{1, 1, 1};
  unsigned width = 32;
  std::uint64_t sharedBytes = 0; ///< of `extern __shared__`
  std::map<std::string, Argument> arguments;
  std::uint64_t seed = 0; ///< of random arrays, unknown values and random schedules
  Schedule schedule = Schedule::Reference;
  bool detectRaces = true;
  /// Blocks to run, by linear index, as if the others had not begun; none: all of them.
  std::vector<std::uint32_t> onlyBlocks;
  /// Look for races of accesses that begin in these ranges only, and find every pair that races;
  /// none: look at all, where a race may hide behind another one of the cell (shadow.h).
  std::vector<Range> focus;
  bool hashReads = false;              ///< compute Execution::readsHash
  std::vector<std::uint32_t> timeline; ///< blocks of which Execution::timeline shall tell
  std::uint32_t timelineThreads = 256; ///< the first of each of them
  /// If there are any: of these threads only, by linear index of block and thread.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> follow;
  bool memory = true; ///< hand back the final memory
  Limits limits;
};

//===--- what a run says
//----------------------------------------------------------------------------===//

/// A place of the source and the calls that lead to it, innermost first.
struct Place {
  Range range;
  std::vector<Range> calls;
};

struct ThreadId {
  std::array<std::int64_t, 3> block{};
  std::array<std::int64_t, 3> thread{};
  std::uint32_t blockIndex = 0, threadIndex = 0; ///< linear
  unsigned warp = 0, lane = 0;
};

struct Site {
  std::string name; ///< as written: "__shfl_xor_sync"
  Place place;
  bool barrier = false; ///< of a block or wider; else a warp primitive
};

/// One dynamic execution of a primitive or barrier.
struct Instance {
  std::uint32_t site = 0;                 ///< index into Execution::sites
  std::vector<std::uint64_t> coordinates; ///< iteration counts of the loops around it, from outside
  std::uint32_t block = 0, warp = 0;
  Lanes participants;       ///< of a warp primitive
  std::vector<Lanes> warps; ///< of a barrier: per warp (of every block, for a grid barrier)
  std::optional<std::uint32_t> mask;
  Configuration weakest = Configuration::Cuda; ///< the weakest that guarantees its set
  std::uint64_t time = 0;                      ///< order of release
};

struct Access {
  enum class Kind { Read, Write, Atomic };
  Kind kind = Kind::Read;
  Place place;
  ThreadId thread;     ///< of a matrix operation: some lane of its warp
  bool byWarp = false; ///< a matrix operation's access, lane unspecified
  bool asynchronous = false;
};

struct Race {
  Access first, second;
  std::string object;
  Space space = Space::Global;
  std::int64_t offset = 0; ///< bytes from the object's start
  unsigned size = 0;       ///< bytes of the second access
  Scope scope = Scope::Warp;
  bool sameValue = false;         ///< every conflict of this pair stored the value that was there
  bool onlyConsumerFence = false; ///< an acquire fence after the atomic would order it
  std::uint64_t count = 1;        ///< conflicts between the two places at this scope
};

/// A finding other than a race. `rule` is a name of CONTRACT 2.3 or 2.5.
struct Fault {
  std::string rule;
  std::string message;
  Place place;
  ThreadId thread;
  std::optional<std::size_t> instance; ///< index into Execution::instances, if recorded
  std::uint64_t count = 1;
};

/// How a run ended. Everything but Finished has a message, and a place where there is one.
enum class Ending {
  Finished,
  Unsupported, ///< "unsupported: <construct>"
  OutOfBounds,
  DivisionByZero,
  Deadlock,
  StepLimit, ///< an endless loop, or one that is too long
  TimeLimit,
  MemoryLimit,
  Assumption, ///< __builtin_assume, assert or trap: the input is not admissible
  MissingArgument,
  BadArgument, ///< of the wrong kind, or not a parameter; an impossible launch
};

struct FinalArray {
  std::string name;
  Space space = Space::Global;
  std::vector<std::uint8_t> bytes;
  std::optional<Element> element;
};

/// For the timeline: what a thread did, and when in program order. A thread's first 600 events.
struct TimelineEvent {
  enum class Kind { Enter, Iteration, Instance, RaceFirst, RaceSecond, Exit };
  Kind kind = Kind::Enter;
  std::uint32_t block = 0, thread = 0;
  std::uint32_t row = 0;   ///< place in program order, equal for equal dynamic blocks
  Range range;             ///< of the source
  std::uint32_t index = 0; ///< the instance or race
  std::string label;       ///< of Enter and Iteration: "then", "else", "case 2", "iteration 3"
};

struct Execution {
  Ending ending = Ending::Finished;
  std::string message;
  std::optional<Place> place;

  std::vector<Site> sites;
  std::vector<Instance> instances;
  std::uint64_t instanceCount = 0; ///< with those not recorded
  std::vector<Race> races;
  std::vector<Fault> faults;
  Configuration weakest = Configuration::Cuda; ///< the weakest that admits the program's instances
  std::vector<FinalArray> memory;
  std::uint64_t readsHash = 0; ///< of all values read, per thread in program order
  std::uint64_t steps = 0;
  std::vector<TimelineEvent> timeline;

  bool finished() const { return ending == Ending::Finished; }
  /// A race that is more than a missing consumer's fence, same values or not.
  bool hasRace() const;
  bool hasFault(const std::string &rule) const;
  /// Whether a fault of participation is an error under documented masks.
  bool hasParticipationError() const;
};

/// A parameter of the kernel, or a module-level object that must be given.
struct Parameter {
  enum class Kind { Scalar, Pointer, Record, Object };
  std::string name;
  Kind kind = Kind::Scalar;
  std::optional<Element> element; ///< of a scalar; of a pointer what the kernel accesses, if one
  std::uint64_t size = 0;         ///< bytes of a record or object
  bool isUnsigned = false;
  bool written = false; ///< of a pointer or object: the kernel may write its array
};

struct Code;

class Program {
public:
  Program();
  Program(Program &&) noexcept;
  Program &operator=(Program &&) noexcept;
  ~Program();

  /// Compiles a kernel of a module given as dialect text. `kernel` is a symbol, a name without
  /// template arguments or one with them; empty: the only kernel. `path` stands for the text in
  /// locations that name no other file. Nothing on failure; `error` says why.
  static std::optional<Program> load(const std::string &text, const std::string &path,
                                     const std::string &kernel, std::string &error);

  /// The same from a module in memory, which may go away afterwards.
  static std::optional<Program> compile(mlir::ModuleOp module, const std::string &path,
                                        const std::string &kernel, std::string &error);

  const std::string &kernel() const;
  const std::vector<Parameter> &parameters() const;
  bool hasAtomics() const;     ///< which may order things in one run and not in another
  bool hasGridBarrier() const; ///< then no block can be left out

  Execution run(const Launch &launch) const;

private:
  std::unique_ptr<Code> code;
};

/// The bytes of an element type.
unsigned sizeOf(Element element);
/// One element as text, as short as it can be read back; floats may be "nan", "inf".
std::string elementText(Element element, const std::uint8_t *bytes);

} // namespace warpdrf::interpreter
