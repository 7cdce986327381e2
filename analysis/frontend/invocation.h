// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CompileCommand as Clang's driver understands it: the device view of one architecture, syntax
// only.
#pragma once

#include "analysis/frontend/frontend.h"

#include "clang/Frontend/CompilerInvocation.h"

#include <memory>
#include <string>
#include <vector>

namespace warpdrf::frontend {

struct Invocation {
  std::shared_ptr<clang::CompilerInvocation> compiler; ///< null: see `errors`
  std::string key;                                     ///< equal keys: same flags, so same preamble
  std::vector<ParseError> errors;
};

/// Paths in the result are absolute or relative to this process's working directory, never to
/// `command.directory`: so that the main file keeps the name the user gave it, also in the names of
/// the headers beside it.
Invocation makeInvocation(const std::string &path, const CompileCommand &command);

} // namespace warpdrf::frontend
