// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/read_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

namespace warpdrf::frontend {
namespace {

using llvm::sys::fs::file_type;

/// What it is called; null for what can be read or is not there at all.
const char *unreadable(file_type type) {
  switch (type) {
  case file_type::directory_file:
    return "a folder";
  case file_type::character_file:
  case file_type::block_file:
    return "a device";
  case file_type::fifo_file:
    return "a named pipe";
  case file_type::socket_file:
    return "a socket";
  default:
    return nullptr;
  }
}

class RegularFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    llvm::ErrorOr<llvm::vfs::Status> found = status(path);
    if (found && found->getType() != file_type::directory_file && unreadable(found->getType()))
      return std::make_error_code(std::errc::operation_not_supported);
    return ProxyFileSystem::openFileForRead(path);
  }
};

} // namespace

std::unique_ptr<llvm::MemoryBuffer> readFile(const std::string &path, std::string &failure) {
  llvm::sys::fs::file_status found;
  std::error_code error = llvm::sys::fs::status(path, found);
  if (const char *kind = error ? nullptr : unreadable(found.type())) {
    failure = std::string("this is ") + kind + "; only regular files are read";
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (buffer)
    return std::move(*buffer);
  failure = buffer.getError().message();
  return nullptr;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
regularFiles(const std::map<std::string, std::string> &unsaved) {
  auto files = llvm::makeIntrusiveRefCnt<RegularFiles>(llvm::vfs::getRealFileSystem());
  if (unsaved.empty())
    return files;
  auto texts = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[path, text] : unsaved) {
    // A preamble is built anew when a header has another time or size.
    const auto time = static_cast<std::time_t>(llvm::xxh3_64bits(text) & 0x3fffffff);
    texts->addFile(path, time, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  }
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  both->pushOverlay(texts);
  return both;
}

} // namespace warpdrf::frontend
