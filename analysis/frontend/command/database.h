// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile_commands.json, and whose command to borrow for a file that is not in it.
#pragma once

#include "analysis/report/report.h"

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

struct DatabaseEntry {
  std::string directory;
  std::string file;                   ///< absolute
  std::vector<std::string> arguments; ///< with the compiler's name
};

class Database {
public:
  /// Reads a compile_commands.json. Entries with mistakes are left out and told of; on failure it
  /// returns nothing, and the last of `problems` says why.
  static std::optional<Database> load(const std::string &file, std::vector<ParseError> &problems);

  /// The command of `path` (absolute): the first of its own, else that of a file that includes it,
  /// else that of the CUDA file nearest to it, which `note` then says. Null if the database has no
  /// CUDA file.
  const DatabaseEntry *find(const std::string &path, std::string &note) const;

private:
  const DatabaseEntry *includer(const std::string &path) const;
  const DatabaseEntry *neighbour(const std::string &path) const;

  std::vector<DatabaseEntry> entries;
};

} // namespace warpdrf::frontend
