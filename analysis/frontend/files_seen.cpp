// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/files_seen.h"

#include "analysis/frontend/read_file.h"
#include "analysis/frontend/recording.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <vector>

namespace warpdrf::frontend {

using llvm::sys::fs::file_type;

static FilesSeen *wanted = nullptr;

void noteFilesIn(FilesSeen *seen) {
  wanted = seen;
}

FilesSeen *filesSeen() {
  return wanted;
}

/// The names in a folder, in one order.
static std::string listingOf(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    names.push_back(it->path());
  std::ranges::sort(names);
  return error ? "!" : "d" + hashOf(llvm::join(names, "\n"));
}

std::string hashOf(std::string_view text) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(text.data());
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::ArrayRef(bytes, text.size()));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16);
}

std::string fileOf(std::string_view content) {
  return "f" + hashOf(content);
}

std::string sightOf(std::error_code error, file_type type) {
  if (error) // what is below a file is not there either
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory
               ? "-"
               : "!";
  return type == file_type::regular_file ? "f" : type == file_type::directory_file ? "d" : "o";
}

std::string glanceAt(const std::string &path) {
  llvm::sys::fs::file_status found;
  const std::error_code error = llvm::sys::fs::status(path, found);
  return sightOf(error, found.type());
}

std::string lookInto(const std::string &path) {
  std::string sight = glanceAt(path);
  if (sight == "d")
    return listingOf(path);
  if (sight != "f")
    return sight;
  std::string failure;
  auto buffer = readFile(path, failure);
  return buffer ? fileOf(buffer->getBuffer()) : "!";
}

void FilesSeen::note(const std::string &path, const std::string &sight) {
  std::string &known = paths.try_emplace(path, sight).first->second;
  if (sight.starts_with(known))
    known = sight; // a closer look
  else if (!known.starts_with(sight))
    known = "!";
}

bool FilesSeen::steady() const {
  return std::ranges::none_of(paths, [](const auto &seen) { return seen.second == "!"; });
}

bool FilesNow::looksLike(const FilesSeen &seen) {
  return std::ranges::all_of(seen.paths, [&](const auto &each) {
    const auto &[path, sight] = each;
    const bool closely = sight.size() > 1;
    auto [known, isNew] = (closely ? contents : glances).try_emplace(path);
    if (isNew)
      known->second = closely ? lookInto(path) : glanceAt(path);
    return known->second == sight && sight != "!";
  });
}

} // namespace warpdrf::frontend
