// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file system for Clang that notes what Clang sees of it.
#pragma once

#include "analysis/frontend/files_seen.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace warpdrf::frontend {

/// `files`, with everything that is asked of it noted; `files` itself where nobody wants that.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
recording(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

/// A glance at what has that type, or could not be asked for it.
std::string sightOf(std::error_code error, llvm::sys::fs::file_type type);

} // namespace warpdrf::frontend
