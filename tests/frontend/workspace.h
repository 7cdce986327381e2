// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of its own for a test, gone when the test ends, and a front end that reads files in it.
#pragma once

#include "analysis/frontend/frontend.h"
#include "tests/support/catch.h"

#include <filesystem>
#include <string>

namespace warpdrf::test {

class Workspace {
public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// Writes a file, with its folders; returns its path.
  std::string write(const std::string &name, const std::string &text) const;
  std::string path(const std::string &name) const { return (root / name).string(); }

private:
  std::filesystem::path root;
};

/// The command of a file, which must be found without an error.
frontend::CompileCommand commandOf(const std::string &path);

/// Parses a text that is on no disk.
frontend::TranslationUnit parseText(const std::string &text);

} // namespace warpdrf::test
