// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's door, used by the command line and the language server alike, so that an editor
// squiggle and a CI failure never disagree: file in, FileReport out. Plain data, no LSP, no JSON.
#pragma once

#include "analysis/contract/check.h"
#include "analysis/frontend/frontend.h"
#include "analysis/report/report.h"

namespace warpdrf {

struct CheckOptions {
  contract::Options contract;
  // Asked for by the user: these win over .warpdrf.json, which wins over `contract`.
  std::optional<contract::Configuration> configuration;
  std::optional<contract::Masks> masks;
  std::optional<std::chrono::milliseconds> kernelBudget;
  std::optional<std::chrono::milliseconds> fileBudget; ///< for all kernels; else five minutes
  std::string database;                                ///< -p DIR
  std::vector<std::string> flags;                      ///< after --
  std::optional<std::string> arch;                     ///< --arch
  std::optional<std::string> kernelRegex; ///< --kernel; checked by the caller to be a valid regex
  std::optional<contract::LaunchContext> launch; ///< --launch
  std::vector<std::string> assume;               ///< --assume
  frontend::Unsaved unsaved; ///< other files' contents, where an editor has not saved them
  bool suppressions = true;
  bool fixes = false; ///< compute verified fixes for each finding (each costs a re-check)
  bool replay = true; ///< run the witnesses in the interpreter: what it shows is `confirmed`
};

/// Checks files, keeping preambles and per-kernel results between calls: a kernel whose IR, launch
/// facts and options did not change is not checked again. Not thread-safe: one per worker thread.
class Checker {
public:
  Checker();
  ~Checker();

  /// Told of what is known so far: once the file is parsed, and then now and then, of all kernels
  /// checked by then. Not told of the whole, which `check` returns.
  using Progress = std::function<void(const FileReport &)>;

  FileReport check(const std::string &path, const std::optional<std::string> &text,
                   const CheckOptions &options, const contract::Cancelled &cancelled = {},
                   const Progress &progress = {});

  /// The dialect text of a file, or of one kernel of it and what it calls. `text` as in `check`.
  std::string lower(const std::string &path, const std::optional<std::string> &text,
                    const CheckOptions &options, const std::optional<std::string> &kernel,
                    bool locations, std::string &error);

  /// Would another check of the same say the same? Not if the file's time ran out, or a busy
  /// machine made the solver late.
  bool settled() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// What decides the result of a check (circumstances.cpp), besides `options` and the files that are
/// seen: the command that the file is compiled with, its project's file, the environment, this
/// program and its solver. A text without structure; it is the same as long as they are.
std::string circumstances(const std::string &path, const CheckOptions &options);

} // namespace warpdrf
