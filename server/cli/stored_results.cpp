// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry is text: its first line a hash of the rest, its second the number of paths, then the
// paths in order, each as `SHARED SIGHT REST`, where it shares so many bytes with the one before;
// the report is what follows.
#include "server/cli/stored_results.h"

#include "server/cli/files.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <unistd.h>

namespace warpdrf::cli {

namespace fs = std::filesystem;
using frontend::FilesSeen;

static fs::path cacheFolder() {
  const char *cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') // others are to be ignored, says its specification
    return fs::path(cache) / "warpdrf";
  const char *home = std::getenv("HOME");
  return home && *home == '/' ? fs::path(home) / ".cache" / "warpdrf" : fs::path();
}

static std::string print(const FilesSeen &seen, const std::string &report) {
  std::string text = std::to_string(seen.paths.size()) + "\n";
  std::string_view before;
  for (const auto &[path, sight] : seen.paths) {
    const auto differs = std::ranges::mismatch(before, path).in2;
    const auto shared = differs - path.begin();
    text += std::to_string(shared) + " " + sight + " " + path.substr(shared) + "\n";
    before = path;
  }
  text += report;
  return frontend::hashOf(text) + "\n" + text;
}

/// Takes the first line off.
static std::string_view takeLine(std::string_view &text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

static std::size_t takeNumber(std::string_view &text) {
  std::size_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  text.remove_prefix(end - text.data());
  return number;
}

/// Leaves the report in `text`; false if it is no entry.
static bool read(std::string_view &text, FilesSeen &seen) {
  if (const std::string_view hash = takeLine(text); hash != frontend::hashOf(text))
    return false;
  std::string_view count = takeLine(text);
  std::string path;
  for (std::size_t left = takeNumber(count); left > 0; --left) {
    std::string_view line = takeLine(text);
    path.resize(std::min(takeNumber(line), path.size()));
    if (line.empty())
      return false;
    const std::size_t space = std::min(line.find(' ', 1), line.size());
    path += line.substr(std::min(space + 1, line.size()));
    seen.paths.emplace_hint(seen.paths.end(), path, line.substr(1, space - 1));
  }
  return true;
}

static bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written <= 0)
      return false;
    text.remove_prefix(written);
  }
  return true;
}

StoredResults::StoredResults(const CheckOptions &options, std::string given)
    : options(options), given(std::move(given)), folder(cacheFolder()) {}

std::string StoredResults::nameOf(const std::string &path) const {
  std::error_code error;
  std::string asked = given + "\n" + path + "\n" + fs::current_path(error).string() + "\n";
  for (const std::string &flag : options.flags) // the commands that a report shows have them
    asked += flag + "\n";
  return frontend::hashOf(asked + circumstances(path, options));
}

std::optional<std::string> StoredResults::find(const std::string &path) {
  if (folder.empty())
    return std::nullopt;
  const fs::path file = folder / nameOf(path);
  const std::optional<std::string> entry = readRegularFile(file.string());
  if (!entry)
    return std::nullopt;
  std::string_view text = *entry;
  FilesSeen seen;
  if (!read(text, seen) || !now.looksLike(seen))
    return std::nullopt;
  std::error_code error; // of a folder that may only be read
  fs::last_write_time(file, fs::file_time_type::clock::now(), error);
  return std::string(text);
}

void StoredResults::store(const std::string &path, const std::string &name, const FilesSeen &seen,
                          const std::string &report) const {
  const bool plain = std::ranges::none_of(
      seen.paths, [](const auto &each) { return each.first.find('\n') != std::string::npos; });
  if (folder.empty() || !plain || !seen.steady() || nameOf(path) != name)
    return;
  std::error_code error;
  fs::create_directories(folder, error);
  std::string fresh = (folder / "new-XXXXXX").string();
  const int file = mkstemp(fresh.data());
  if (file < 0)
    return;
  const bool written = writeAll(file, print(seen, report));
  close(file);
  if (written)
    fs::rename(fresh, folder / name, error);
  if (!written || error)
    fs::remove(fresh, error);
}

void StoredResults::trim(std::uintmax_t bytes) const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uintmax_t size;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone; // others trim, too
    const Entry entry{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone)
      continue;
    total += entry.size;
    entries.push_back(entry);
  }
  if (total <= bytes)
    return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry &entry : entries) {
    if (total <= bytes / 4 * 3)
      return;
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

} // namespace warpdrf::cli
