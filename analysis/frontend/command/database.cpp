// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/database.h"

#include "analysis/frontend/command/response.h"
#include "analysis/frontend/paths.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

namespace warpdrf::frontend {
namespace {

std::optional<DatabaseEntry> readEntry(const llvm::json::Value &value,
                                       const std::string &databaseFolder) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  std::optional<llvm::StringRef> file = object->getString("file");
  if (!file)
    return std::nullopt;
  DatabaseEntry entry;
  entry.directory =
      absolutePath(object->getString("directory").value_or(databaseFolder), databaseFolder);
  entry.file = absolutePath(*file, entry.directory);
  if (const llvm::json::Array *arguments = object->getArray("arguments")) {
    for (const llvm::json::Value &argument : *arguments)
      if (auto text = argument.getAsString())
        entry.arguments.push_back(text->str());
  } else if (auto command = object->getString("command")) {
    entry.arguments = splitCommandLine(command->str());
  }
  return entry.arguments.empty() ? std::nullopt : std::optional(std::move(entry));
}

bool isCuda(const DatabaseEntry &entry) {
  return llvm::sys::path::extension(entry.file) == ".cu";
}

/// Whether a text has `#include "…/name"` or `<…/name>`.
bool includes(llvm::StringRef text, llvm::StringRef name) {
  for (std::size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1)) {
    llvm::StringRef before = text.take_front(at);
    llvm::StringRef line = before.drop_front(before.rfind('\n') + 1).ltrim();
    llvm::StringRef after = text.drop_front(at + name.size());
    bool whole = !before.empty() && llvm::StringRef("\"</").contains(before.back()) &&
                 !after.empty() && llvm::StringRef("\">").contains(after.front());
    if (whole && line.consume_front("#") && line.ltrim().starts_with("include"))
      return true;
  }
  return false;
}

/// How many folders two paths have in common.
std::size_t commonFolders(llvm::StringRef a, llvm::StringRef b) {
  namespace path = llvm::sys::path;
  llvm::StringRef folderA = path::parent_path(a), folderB = path::parent_path(b);
  auto first = std::mismatch(path::begin(folderA), path::end(folderA), path::begin(folderB),
                             path::end(folderB));
  return std::distance(path::begin(folderA), first.first);
}

} // namespace

std::optional<Database> Database::load(const std::string &file, std::string &error) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) {
    error = "cannot read '" + file + "': " + buffer.getError().message();
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) {
    error = "'" + file + "' is not JSON: " + llvm::toString(json.takeError());
    return std::nullopt;
  }
  const llvm::json::Array *array = json->getAsArray();
  if (!array) {
    error = "'" + file + "' is not a list of commands";
    return std::nullopt;
  }
  Database database;
  std::string folder = absolutePath(llvm::sys::path::parent_path(file), currentDirectory());
  for (const llvm::json::Value &value : *array)
    if (auto entry = readEntry(value, folder))
      database.entries.push_back(std::move(*entry));
  return database;
}

const DatabaseEntry *Database::find(const std::string &path, std::string &note) const {
  for (const DatabaseEntry &entry : entries)
    if (entry.file == path)
      return &entry;
  // A link to the file, or into its folder, is the file too.
  std::string real = realPath(path);
  llvm::StringRef name = llvm::sys::path::filename(real);
  for (const DatabaseEntry &entry : entries)
    if (llvm::sys::path::filename(entry.file) == name && realPath(entry.file) == real)
      return &entry;
  if (const DatabaseEntry *entry = includer(path)) {
    note = "flags borrowed from '" + entry->file + "', which includes this file";
    return entry;
  }
  if (const DatabaseEntry *entry = neighbour(path)) {
    note = "flags borrowed from '" + entry->file + "', the nearest CUDA file with a command";
    return entry;
  }
  return nullptr;
}

const DatabaseEntry *Database::includer(const std::string &path) const {
  const DatabaseEntry *best = nullptr;
  for (const DatabaseEntry &entry : entries) {
    if (!isCuda(entry) ||
        (best && commonFolders(entry.file, path) <= commonFolders(best->file, path)))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(entry.file);
    if (buffer && includes((*buffer)->getBuffer(), llvm::sys::path::filename(path)))
      best = &entry;
  }
  return best;
}

const DatabaseEntry *Database::neighbour(const std::string &path) const {
  const DatabaseEntry *best = nullptr;
  for (const DatabaseEntry &entry : entries)
    if (isCuda(entry) &&
        (!best || commonFolders(entry.file, path) > commonFolders(best->file, path)))
      best = &entry;
  return best;
}

} // namespace warpdrf::frontend
