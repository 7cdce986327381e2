// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of `warpdrf check` kept between runs, in $XDG_CACHE_HOME/warpdrf or ~/.cache/warpdrf: a
// file each, named by a hash of all that was asked, holding what the check saw of the file system
// and its report. A result is used as long as every file still looks the same and everything that
// was absent still is; then nothing is parsed.
//
// Nothing here is an error: where it cannot be read or written, there is nothing to use. Processes
// may share the folder: entries come by renaming, and one that is damaged is none.
#pragma once

#include "analysis/analysis.h"
#include "analysis/frontend/files_seen.h"

#include <filesystem>

namespace warpdrf::cli {

class StoredResults {
public:
  /// `given`: the options of the command line that may change results.
  StoredResults(const CheckOptions &options, std::string given);

  /// The stored report of a file, if it still holds.
  std::optional<std::string> find(const std::string &path);

  /// The name of what is asked about `path`, to be taken before it is checked.
  std::string nameOf(const std::string &path) const;
  /// Stores a report, unless what is asked or a file changed while it was made.
  void store(const std::string &path, const std::string &name, const frontend::FilesSeen &seen,
             const std::string &report) const;

  /// Drops what was not used for longest, once all of it takes more than `bytes`.
  void trim(std::uintmax_t bytes) const;

private:
  const CheckOptions &options;
  const std::string given;
  std::filesystem::path folder; ///< empty: nowhere
  frontend::FilesNow now;
};

} // namespace warpdrf::cli
