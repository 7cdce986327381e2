// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/recording.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"

namespace warpdrf::frontend {
namespace {

using llvm::vfs::Status;

std::string sight(const llvm::ErrorOr<Status> &found) {
  return found ? sightOf({}, found->getType()) : sightOf(found.getError(), {});
}

/// Notes the content, which is what counts: the file may change right after.
class RecordedFile : public llvm::vfs::File {
public:
  RecordedFile(std::unique_ptr<File> file, std::string path, FilesSeen &seen)
      : file(std::move(file)), path(std::move(path)), seen(seen) {}

  llvm::ErrorOr<Status> status() override { return file->status(); }
  llvm::ErrorOr<std::string> getName() override { return file->getName(); }
  std::error_code close() override { return file->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, std::int64_t size, bool terminated, bool isVolatile) override {
    auto buffer = file->getBuffer(name, size, terminated, isVolatile);
    seen.note(path, buffer ? fileOf((*buffer)->getBuffer()) : "!");
    return buffer;
  }

private:
  std::unique_ptr<File> file;
  std::string path;
  FilesSeen &seen;
};

class Recording : public llvm::vfs::ProxyFileSystem {
public:
  Recording(llvm::IntrusiveRefCntPtr<FileSystem> files, FilesSeen &seen)
      : ProxyFileSystem(std::move(files)), seen(seen) {}

  llvm::ErrorOr<Status> status(const llvm::Twine &path) override {
    llvm::ErrorOr<Status> found = ProxyFileSystem::status(path);
    seen.note(absolute(path), sight(found));
    return found;
  }

  bool exists(const llvm::Twine &path) override { return static_cast<bool>(status(path)); }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    // Opening fails of what is there, too: of folders, of what may not be read.
    const std::string found = sight(file ? (*file)->status() : ProxyFileSystem::status(path));
    seen.note(absolute(path), !file && found == "f" ? "!" : found);
    if (!file)
      return file;
    return std::make_unique<RecordedFile>(std::move(*file), absolute(path), seen);
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &folder,
                                          std::error_code &error) override {
    seen.note(absolute(folder), lookInto(absolute(folder)));
    return ProxyFileSystem::dir_begin(folder, error);
  }

private:
  std::string absolute(const llvm::Twine &path) const {
    llvm::SmallString<256> result;
    path.toVector(result);
    makeAbsolute(result);
    return std::string(result);
  }

  FilesSeen &seen;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
recording(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  FilesSeen *seen = filesSeen();
  if (!seen)
    return files;
  return llvm::makeIntrusiveRefCnt<Recording>(std::move(files), *seen);
}

} // namespace warpdrf::frontend
