// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/database.h"

#include "analysis/frontend/command/json_file.h"
#include "analysis/frontend/command/response.h"
#include "analysis/frontend/paths.h"
#include "analysis/frontend/read_file.h"

#include <algorithm>

namespace warpdrf::frontend {
namespace {

/// What is wrong with an entry, and in which member ("/file"; "" is the whole).
struct Mistake {
  std::string member, message;
};

/// A string member, if it is there; false if it is something else.
bool readString(const llvm::json::Object &object, const char *key,
                std::optional<llvm::StringRef> &text, Mistake &mistake) {
  text = object.getString(key);
  if (text || !object.get(key))
    return true;
  mistake = {std::string("/") + key, "expected a string"};
  return false;
}

bool readArguments(const llvm::json::Object &object, std::vector<std::string> &arguments,
                   Mistake &mistake) {
  const llvm::json::Array *array = object.getArray("arguments");
  if (!array) {
    mistake = {"/arguments", "expected a list of strings"};
    return false;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    auto text = (*array)[i].getAsString();
    if (!text) {
      mistake = {"/arguments/" + std::to_string(i), "expected a string"};
      return false;
    }
    arguments.push_back(text->str());
  }
  return true;
}

std::optional<DatabaseEntry> readEntry(const llvm::json::Value &value,
                                       const std::string &databaseFolder, Mistake &mistake) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object) {
    mistake = {"", "expected an object with 'directory', 'file' and 'command' or 'arguments'"};
    return std::nullopt;
  }
  std::optional<llvm::StringRef> file, directory, command;
  if (!readString(*object, "file", file, mistake) ||
      !readString(*object, "directory", directory, mistake) ||
      !readString(*object, "command", command, mistake))
    return std::nullopt;
  DatabaseEntry entry;
  if (object->get("arguments")) {
    if (!readArguments(*object, entry.arguments, mistake))
      return std::nullopt;
  } else if (command) {
    entry.arguments = splitCommandLine(command->str());
  }
  if (!file || entry.arguments.empty()) {
    mistake = {"", file ? "this entry has no 'command' and no 'arguments'"
                        : "this entry has no 'file'"};
    return std::nullopt;
  }
  entry.directory = absolutePath(directory.value_or(databaseFolder), databaseFolder);
  entry.file = absolutePath(*file, entry.directory);
  return entry;
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

std::optional<Database> Database::load(const std::string &file, std::vector<ParseError> &problems) {
  std::optional<JsonFile> json = JsonFile::read(file, problems);
  if (!json)
    return std::nullopt;
  const llvm::json::Array *array = json->root().getAsArray();
  if (!array) {
    problems.push_back({json->placeOf(""), "expected a list of commands"});
    return std::nullopt;
  }
  Database database;
  std::string folder = absolutePath(llvm::sys::path::parent_path(file), currentDirectory());
  for (std::size_t i = 0; i < array->size(); ++i) {
    Mistake mistake;
    if (auto entry = readEntry((*array)[i], folder, mistake))
      database.entries.push_back(std::move(*entry));
    else
      problems.push_back(
          {json->placeOf("/" + std::to_string(i) + mistake.member), mistake.message});
  }
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
    std::string ignored;
    auto buffer = readFile(entry.file, ignored);
    if (buffer && includes(buffer->getBuffer(), llvm::sys::path::filename(path)))
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
