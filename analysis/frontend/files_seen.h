// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a check saw of the file system: the files that it read, and those that it looked for and did
// not find, such as a header in every folder of the include path before the one that has it. As
// long as all of that looks the same, so does the result.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace warpdrf::frontend {

struct FilesSeen {
  /// By absolute path: "-" nothing, "f" a file, "d" a folder, "o" something else; behind "f" a hash
  /// of the content, behind "d" one of the names in it, where those were looked at. "!" is what
  /// changed meanwhile or cannot be read: it never looks the same again.
  std::map<std::string, std::string> paths;

  void note(const std::string &path, const std::string &sight);
  bool steady() const; ///< without "!"
};

/// From now on, what this process sees of the file system through the front end is noted in `seen`;
/// null: no more. The search for a file's command is not. Not thread-safe.
void noteFilesIn(FilesSeen *seen);
FilesSeen *filesSeen(); ///< what noteFilesIn was given

/// Looks again. What was looked at once is not looked at again, as files share their headers. Not
/// thread-safe.
class FilesNow {
public:
  bool looksLike(const FilesSeen &seen);

private:
  std::unordered_map<std::string, std::string> glances,
      contents; ///< by path, as FilesSeen has them
};

/// What there is at a path: at a glance, or with the content.
std::string glanceAt(const std::string &path);
std::string lookInto(const std::string &path);

/// A file of that content, as FilesSeen has it.
std::string fileOf(std::string_view content);

/// 128 bits in hexadecimal digits; no two contents of files share them by accident.
std::string hashOf(std::string_view text);

} // namespace warpdrf::frontend
