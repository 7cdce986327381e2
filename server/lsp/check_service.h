// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the language server needs of the analysis, and no more: tests put a fake in its place, and
// the analysis may live in this process or another.
#pragma once

#include "analysis/report/report.h"
#include "server/lsp/settings.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace warpdrf::lsp {

class CheckService {
public:
  virtual ~CheckService() = default;

  /// What is known of a file while its check goes on (Checker::Progress); may be empty. Called by
  /// the thread that called `check`.
  using Progress = std::function<void(const FileReport &)>;

  /// What an editor has not saved yet, by absolute path.
  using Unsaved = std::map<std::string, std::string>;

  /// Checks `text` as the content of `path`, with headers that may be `unsaved`. When `stop` is
  /// requested it returns soon and the result is meaningless. `fixes` asks for verified fixes too,
  /// at the cost of a re-check each. Called by one thread at a time.
  virtual FileReport check(const std::string &path, const std::string &text, const Unsaved &unsaved,
                           const Settings &settings, bool fixes, std::stop_token stop,
                           const Progress &progress) = 0;

  /// No check will be asked for any more, and one that runs ends at once. Called by any thread.
  virtual void shutDown() {}
};

} // namespace warpdrf::lsp
