// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/errors.h"

#include "analysis/frontend/ranges.h"

#include "clang/Lex/LexDiagnostic.h"

namespace warpdrf::frontend {

constexpr std::size_t MaxErrors = 100;

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                      const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  if (level < clang::DiagnosticsEngine::Error)
    return;
  bool placed = diagnostic.hasSourceManager() && diagnostic.getLocation().isValid();
  if (placed)
    locations.push_back(diagnostic.getSourceManager().getExpansionLoc(diagnostic.getLocation()));
  if (errors.size() == MaxErrors) {
    ++more;
    return;
  }
  ParseError error;
  llvm::SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  error.message = std::string(text);
  if (diagnostic.getID() == clang::diag::err_pp_file_not_found)
    error.message += "; is its folder among the flags (-I)? \"warpdrf doctor FILE\" shows them";
  if (placed) {
    const clang::LangOptions fallback;
    error.range = rangeOf(diagnostic.getSourceManager(), language ? *language : fallback,
                          diagnostic.getLocation());
  }
  if (error.range.file.empty())
    error.range = Range{path, {1, 1}, {1, 1}};
  errors.push_back(std::move(error));
}

std::vector<ParseError> ErrorCollector::take() {
  if (more != 0)
    errors.push_back({errors.back().range, "and " + std::to_string(more) + " more errors"});
  more = 0;
  return std::exchange(errors, {});
}

} // namespace warpdrf::frontend
