// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects Clang's errors as ParseErrors. Warnings and notes are other tools' business.
#pragma once

#include "analysis/report/report.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"

#include <string>
#include <vector>

namespace warpdrf::frontend {

class ErrorCollector final : public clang::DiagnosticConsumer {
public:
  /// `path` is the file that an error without a location (a bad flag) is shown in.
  explicit ErrorCollector(std::string path) : path(std::move(path)) {}

  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *) override {
    language = &options;
  }
  void EndSourceFile() override { language = nullptr; }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

  /// What was collected; a file that is no CUDA at all gives the first hundred and a count of the
  /// rest.
  std::vector<ParseError> take();

  /// Where the errors are, all of them, in the source manager of the run.
  const std::vector<clang::SourceLocation> &places() const { return locations; }

private:
  std::string path;
  const clang::LangOptions *language = nullptr;
  std::vector<ParseError> errors;
  std::vector<clang::SourceLocation> locations;
  unsigned more = 0;
};

} // namespace warpdrf::frontend
