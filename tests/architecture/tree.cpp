// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/architecture/tree.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <sstream>

namespace fs = std::filesystem;

namespace warpdrf::test {
namespace {

bool isForeign(const fs::path &folder) {
  std::string name = folder.filename().string();
  return name == "node_modules" || name == "out" || startsWith(name, "build") ||
         startsWith(name, ".");
}

SourceFile load(const fs::path &file) {
  SourceFile result{fs::relative(file, sourceDir()).generic_string(), {}};
  std::istringstream stream(readFile(file));
  for (std::string line; std::getline(stream, line);)
    result.lines.push_back(line);
  return result;
}

} // namespace

bool startsWith(const std::string &text, const std::string &prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool endsWith(const std::string &text, const std::string &suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

std::vector<SourceFile> sourceFiles(const std::vector<std::string> &folders,
                                    const std::vector<std::string> &endings) {
  std::vector<SourceFile> files;
  for (const std::string &folder : folders) {
    fs::path root = sourceDir() / folder;
    if (!fs::exists(root))
      continue;
    for (auto it = fs::recursive_directory_iterator(root); it != fs::end(it); ++it) {
      if (it->is_directory() && isForeign(it->path()))
        it.disable_recursion_pending();
      auto matches = [&](const std::string &e) { return endsWith(it->path().string(), e); };
      if (it->is_regular_file() && std::any_of(endings.begin(), endings.end(), matches))
        files.push_back(load(it->path()));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile &a, const SourceFile &b) { return a.path < b.path; });
  return files;
}

} // namespace warpdrf::test
