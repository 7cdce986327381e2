// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of source files by number: for carets, fingerprints and fixes. A file is read once; the
// text of a file that an editor holds can be given instead.
#pragma once

#include "analysis/report/report.h"

#include <string_view>

namespace warpdrf {

class Sources {
public:
  /// `text` stands for what `path` holds on disk.
  void set(const std::string &path, std::string text);

  /// Line `number` (from 1) without its end; empty where there is no such file or line. Valid as
  /// long as this object.
  std::string_view line(const std::string &path, unsigned number);

  /// The whole text; empty if the file cannot be read.
  const std::string &text(const std::string &path);

private:
  struct File {
    std::string text;
    std::vector<std::size_t> starts; ///< offset of each line
  };
  std::map<std::string, File> files;

  File &load(const std::string &path);
};

/// What is wrong with a file as a whole.
ParseError fileError(const std::string &path, const std::string &message);

/// The offset of a position in a text; a position beyond its line or the text is its end.
std::size_t offsetOf(std::string_view text, Position position);

/// The text with the edits applied. They must not overlap; of insertions at one place the first one
/// comes first, as in an editor, otherwise their order does not matter.
std::string applyEdits(std::string_view text, std::vector<TextEdit> edits);

} // namespace warpdrf
