// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end's door: a CUDA file and its compile command in, a `warpdrf` module with launch
// facts out. The only folder that includes Clang headers; this header includes none.
#pragma once

#include "analysis/report/report.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace warpdrf::frontend {

/// How to compile a file, in Clang's words (nvcc's already translated).
struct CompileCommand {
  std::string directory;              ///< absolute; relative paths in `flags` start here
  std::vector<std::string> flags;     ///< without compiler name, input and output
  std::string arch = "sm_80";         ///< what the device view is compiled for
  std::string source;                 ///< "after --", "compile_commands.json", …, "default"
  std::optional<std::string> toolkit; ///< root of a CUDA toolkit; empty: our own declarations
  std::vector<std::string> notes;     ///< dropped or unknown flags, a borrowed neighbour, …
  std::vector<ParseError> problems;   ///< mistakes in the files that were asked; each is left out
};

/// Finds the command for `path` in the order of CONTRACT part 3. `database` is `-p DIR` ("" if not
/// given); `after` the flags after `--`, `arch` overrides what the command says. Where a
/// compile_commands.json cannot be read, or `arch` is none, `error` says so, as the problems do.
CompileCommand findCommand(const std::string &path, const std::string &database,
                           const std::vector<std::string> &after,
                           const std::optional<std::string> &arch, std::string &error);

/// Whether Clang knows the architecture: sm_80, compute_90a, …
bool isArchitecture(const std::string &name);

/// `k<<<grid, block>>>(arguments)` as the source has it. `kernel` is the symbol of its
/// instantiation.
struct Launch {
  std::string kernel;
  Range range;
  std::array<std::optional<std::int64_t>, 3> block;
  std::array<std::optional<std::int64_t>, 3> grid;
  std::vector<std::optional<std::int64_t>> arguments;
  /// Pointer arguments that point into what an earlier one points to, so many bytes further.
  struct Alias {
    unsigned argument, of;
    std::int64_t bytes;
    bool operator==(const Alias &) const = default;
  };
  std::vector<Alias> aliases;

  // What ties the unknown ones together, as C expressions over the kernel's integer parameters,
  // `blockDim.x` and kin and `gridDim.x` and kin, the operators those of `// warpdrf: assume`.
  std::map<std::string, std::string> values; ///< a parameter's value in terms of others
  /// Hold at every launch. `reciprocal(p, m, s, d)`: record `p` is one, with its parts at these
  /// bytes (reciprocals.h); `p.divisor` is the last of them.
  std::vector<std::string> facts;
};

/// `// warpdrf: …` comments (CONTRACT part 4), unparsed but split: keyword, the rest, the reason
/// after `--`.
struct Annotation {
  std::string keyword; ///< ignore, launch, assume, requires, pure
  std::string text;
  std::string reason;
  Range range; ///< the comment
  unsigned
      line; ///< the line it speaks of: its own if code precedes it there, else the next with code
};

/// The statements of the file's functions, for quick fixes: where text may be inserted or moved.
struct Statement {
  enum class Kind { Compound, If, Loop, Switch, Return, Break, Continue, Declaration, Other };
  Kind kind = Kind::Other;
  Range range; ///< includes the closing `;`
  std::vector<Statement> children;
  Range condition;  ///< of an `if` or loop; invalid if it has none or a declaration in its place
  Range init, step; ///< of a `for`; `init` without the `;`
  /// Of the one variable that a declaration, or a `for`, declares as `T name = value`.
  std::string name;
  Range value;
};

/// A half-typed kernel, or a template that nobody instantiates: named, so that it gets a verdict,
/// but without a body to check.
struct BrokenKernel {
  std::string name;
  Range range;
  std::string reason;
  Verdict verdict = Verdict::Unsupported;
};

/// A device function of the user's that was lowered.
struct LoweredFunction {
  std::string symbol;
  std::string name; ///< qualified, without template arguments
  Range range;      ///< its name
};

/// What the preprocessor did with a file.
struct Preprocessed {
  std::vector<Range> inactive;       ///< whole lines of the main file
  std::vector<std::string> includes; ///< absolute paths; not those of system headers
};

/// The result for one file. Owns the MLIR context and module. Not thread-safe; use from one thread.
class TranslationUnit {
public:
  TranslationUnit();
  TranslationUnit(TranslationUnit &&) noexcept;
  TranslationUnit &operator=(TranslationUnit &&) noexcept;
  ~TranslationUnit();

  mlir::ModuleOp module() const; ///< kernels are `warpdrf.func`s with attribute `kernel`

  std::vector<ParseError> errors;
  std::vector<Launch> launches;
  std::vector<Annotation> annotations;
  std::vector<Statement> functions; ///< one Compound per function body in the main file
  std::vector<BrokenKernel> broken;
  std::vector<LoweredFunction> deviceFunctions;
  Preprocessed preprocessed;

  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Texts that stand for files' contents on disk, by absolute path: what an editor has not saved
/// yet.
using Unsaved = std::map<std::string, std::string>;

/// Parses and lowers files; keeps one preamble (PCH of the leading includes) per file it has seen,
/// reused until a header changes. Not thread-safe: one per worker thread.
class Frontend {
public:
  Frontend();
  ~Frontend();

  /// `text` replaces the file's content on disk. Never throws; a file that cannot be read gives one
  /// ParseError. `cancelled` may be empty; when it returns true the result is meaningless. Headers
  /// may be `unsaved`.
  TranslationUnit lower(const std::string &path, const std::optional<std::string> &text,
                        const CompileCommand &command, const std::function<bool()> &cancelled = {},
                        const Unsaved &unsaved = {});

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace warpdrf::frontend
