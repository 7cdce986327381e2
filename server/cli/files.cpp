// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

namespace warpdrf::cli {

namespace fs = std::filesystem;

static bool isHidden(const fs::path &path) {
  std::string name = path.filename().string();
  return name.size() > 1 && name[0] == '.';
}

static void searchFolder(const fs::path &folder, NamedFiles &found) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    entries.push_back(*it);
  if (error) {
    found.errors.emplace_back(folder.string(), "cannot read this folder: " + error.message());
    return;
  }
  std::ranges::sort(entries);
  for (const fs::directory_entry &entry : entries) {
    // A link to a folder may lead back up.
    if (entry.is_directory(error) && !entry.is_symlink(error) && !isHidden(entry.path()))
      searchFolder(entry.path(), found);
    else if (entry.path().extension() == ".cu" && entry.is_regular_file(error))
      found.files.push_back(entry.path().string());
  }
}

/// Of files that are named more than once, by other spellings too, the first stays.
static void dropRepeated(std::vector<std::string> &files) {
  std::set<fs::path> seen;
  std::erase_if(files, [&](const std::string &file) {
    std::error_code error; // there is always a working directory, or nothing will be found
    return !seen.insert(fs::absolute(file, error).lexically_normal()).second;
  });
}

NamedFiles findFiles(const std::vector<std::string> &paths) {
  NamedFiles found;
  for (const std::string &path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      found.files.push_back(path);
      continue;
    }
    std::size_t before = found.files.size() + found.errors.size();
    searchFolder(path, found);
    if (found.files.size() + found.errors.size() == before)
      found.errors.emplace_back(path, "there is no .cu file in this folder");
  }
  dropRepeated(found.files);
  return found;
}

std::optional<std::string> readRegularFile(const std::string &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) // a pipe may never end
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool writeFile(const std::string &path, const std::string &text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text << std::flush;
  if (!stream)
    std::cerr << "warpdrf: cannot write '" << path << "'\n";
  return static_cast<bool>(stream);
}

} // namespace warpdrf::cli
