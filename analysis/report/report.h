// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis says of a file: plain data, in the editor's vocabulary, rendered late (text,
// JSON, LSP) by the server. Nothing here depends on Clang, MLIR or JSON. Terms:
// docs/architecture.md.
//
// Lines and columns count from 1; a column counts bytes of the line's UTF-8 text. An end column is
// one past the last byte. Everything is a value type; const use from several threads is safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpdrf {

struct Position {
  unsigned line = 0;
  unsigned column = 0;
  auto operator<=>(const Position &) const = default;
};

struct Range {
  std::string file; ///< the path as the user gave it, or the header's path as Clang names it
  Position begin;
  Position end;
  bool valid() const { return begin.line != 0; }
  bool encloses(const Range &inner) const {
    return file == inner.file && begin <= inner.begin && inner.end <= end;
  }
  auto operator<=>(const Range &) const = default;
};

enum class Severity { Hint, Information, Warning, Error };
enum class Confidence { Confirmed, Modelled, Possible };

/// The narrowest scope that contains both threads of a finding.
enum class Scope { Thread, Warp, Block, Cluster, Grid };
enum class Space { Shared, Global, Local, Param, Constant };

/// A place that helps to understand a finding, and what it has to do with it.
struct Related {
  enum class Role { Access, Branch, Mask, Call, Barrier, Exit };
  Role role = Role::Access;
  std::string message;
  Range range;
};

/// One of the two threads of a witness. `index` is the byte offset in the object, printed as the
/// user would write it (`s[3]`).
struct WitnessThread {
  std::array<std::int64_t, 3> block{};
  std::array<std::int64_t, 3> thread{};
  int lane = 0;
  int warp = 0;
  std::string index;
};

/// A concrete launch that exhibits a finding. `values` holds loop counts by name, and parameters
/// and elements of arrays as `warpdrf run --arg` takes them; `run` is the command that shows the
/// finding, where one does.
struct Witness {
  std::array<std::int64_t, 3> block{1, 1, 1};
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::vector<WitnessThread> threads;
  std::map<std::string, std::string> values;
  std::string run;
  bool exact =
      false; ///< all that the finding rests on is in it: a run either shows it or refutes it
};

/// What a `possible` finding rests on, at the end of its message, and the severity that it has once
/// a run has shown it.
struct Doubt {
  std::string words;
  Severity full = Severity::Error;
};

struct TextEdit {
  Range range; ///< empty range: insertion
  std::string text;
  bool operator==(const TextEdit &) const = default;
};

/// A change that was applied in memory and re-checked: the finding is gone and none is new.
struct Fix {
  std::string title;
  bool verified = false;
  std::vector<TextEdit> edits;
};

struct Finding {
  std::string rule; ///< a name of analysis/report/rules.def
  Severity severity = Severity::Error;
  Confidence confidence = Confidence::Modelled;
  std::string kernel;
  std::vector<std::string> instantiations;
  Scope scope = Scope::Warp;
  std::optional<Space> space; ///< races only
  std::string object;         ///< races: the array or pointer, as written
  std::string message;
  Range primary;
  std::vector<Related> related;
  std::optional<Witness> witness;
  std::optional<Doubt> doubt; ///< none: no run can settle it, or there is nothing to settle
  std::vector<Fix> fixes;
  std::optional<std::string> suppressed; ///< the reason given in the source, "" if none was
  std::string fingerprint;               ///< stable across line changes

  bool isRace() const { return rule == "race" || rule == "same-value-race"; }

  /// Of a race the second access, of an undefined value where it comes from or is used; or null.
  const Range *otherAccess() const {
    for (const Related &each : related)
      if (each.role == Related::Role::Access)
        return &each.range;
    return nullptr;
  }
};

enum class Verdict { Ok, Unproved, Unsupported, Violated }; ///< from best to worst

/// A launch as seen or assumed; a dimension nobody knows is empty.
struct LaunchDims {
  std::array<std::optional<std::int64_t>, 3> block;
  std::array<std::optional<std::int64_t>, 3> grid;
  std::string source; ///< "launch at f.cu:12", "annotation", "symbolic", …
  Verdict verdict = Verdict::Ok;
};

/// A primitive or barrier site, for hover and inlay hints.
struct SyncSite {
  enum class Kind { Collective, WarpBarrier, BlockBarrier, GridBarrier };
  Kind kind = Kind::Collective;
  std::string name; ///< as written: "__shfl_xor_sync"
  Range range;      ///< the call
  std::string
      participants; ///< "all lanes of the warp", "lanes with threadIdx.x < 16", "unknown: …"
  /// The lanes of a width-32 warp that take part, where that is the same for every warp and
  /// instance.
  std::optional<std::uint32_t> lanes;
  bool ordersMemory = false;
  std::string requires_;         ///< who must take part, in words
  std::vector<Related> branches; ///< the conditions that decide who arrives
  /// Conflicting pairs that only this barrier orders; empty for collectives.
  std::vector<std::pair<Range, Range>> orders;
};

struct KernelReport {
  std::string name;          ///< qualified, without template arguments
  std::string instantiation; ///< with template arguments; equals `name` for plain functions
  Range range;               ///< the kernel's name
  Range extent;              ///< its definition; may be invalid
  Verdict verdict = Verdict::Ok;
  Verdict memory = Verdict::Ok;
  Verdict participation = Verdict::Ok;
  bool portable = true;
  std::string reason; ///< why not ok: first finding, or the unsupported construct and its line
  std::vector<LaunchDims> launches;
  std::vector<std::string> assumptions; ///< CONTRACT 2.6, by name, only those used
  unsigned primitives = 0;
  unsigned accesses = 0;
  std::string irHash; ///< equal for kernels with identical IR, launch facts and configuration
  std::vector<SyncSite> sites;
  std::vector<Range> divergent; ///< code that runs for a part of a warp only, or may
  double timeMs = 0;
};

/// A device function that a kernel reaches, for hover; one for all its instantiations.
struct DeviceFunction {
  /// Who must call it together, where what is in it is reached.
  enum class Converged { Nobody, Mask, Warp, Block, Grid };
  std::string name; ///< qualified, without template arguments
  Range range;      ///< its name
  Converged inferred = Converged::Nobody;
  std::string declared;         ///< "converged(warp)", where an annotation says so
  std::vector<Related> because; ///< what `inferred` comes from
};

struct ParseError {
  Range range;
  std::string message;
};

struct FileReport {
  std::string path;
  std::string arch;          ///< "sm_80"
  std::string commandSource; ///< "compile_commands.json", "default", …
  std::vector<ParseError> parseErrors;
  /// Mistakes in the files that say how to check: .warpdrf.json, compile_commands.json, …
  std::vector<ParseError> projectErrors;
  std::vector<KernelReport> kernels;
  std::vector<std::string> otherKernels; ///< left out, because others were asked for
  std::vector<Finding> findings;
  std::vector<DeviceFunction> functions;
  std::vector<Range> inactive;       ///< of the file: what the preprocessor leaves out
  std::vector<std::string> includes; ///< headers of the project that it includes: absolute paths
  double timeMs = 0;
};

} // namespace warpdrf
