// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON files that people write: each value knows where it stands, so that a mistake can be shown
// there.
#pragma once

#include "analysis/report/report.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

class JsonFile {
public:
  /// Nothing if the file cannot be read or is not JSON; `problems` then says why and where.
  static std::optional<JsonFile> read(const std::string &path, std::vector<ParseError> &problems);

  const llvm::json::Value &root() const { return value; }

  /// The range of the value at a path of keys and indices: "/flags/0"; "" is the whole. The key of
  /// a member of an object is at its path and ":key".
  Range placeOf(const std::string &at) const;

private:
  JsonFile(std::string path, llvm::StringRef text, llvm::json::Value value);

  std::string path;
  llvm::json::Value value;
  std::map<std::string, Range> places;
};

} // namespace warpdrf::frontend
