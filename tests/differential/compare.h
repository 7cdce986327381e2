// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One generated kernel: what the checker says of it beside what the interpreter does with it.
#pragma once

#include "analysis/contract/check.h"
#include "analysis/contract/solver.h"
#include "analysis/frontend/frontend.h"
#include "analysis/fuzz/program.h"
#include "analysis/interpreter/interpreter.h"

#include <functional>

namespace warpdrf::test {

/// Checker and interpreter do not agree. `kind` is the same for what may have the same cause.
struct Disagreement {
  std::string kind;
  std::string detail;
};

struct Comparison {
  bool compiled = false; ///< else the rest says nothing
  Verdict verdict = Verdict::Ok;
  std::string reason;
  std::vector<std::string> rules; ///< of the findings, each once
  unsigned runs = 0, finished = 0;
  unsigned replayed = 0, sameValue = 0, notRun = 0, inputsNotFound = 0, hidden = 0; ///< findings
  std::vector<Disagreement> disagreements;
};

/// A kernel that compiled. Lives as long as the call it is handed to.
struct Subject {
  const fuzz::Program &program;
  const interpreter::Program &compiled;
  const ir::FuncOp &kernel;
};

/// Keeps the front end's preamble between calls.
class Comparer {
public:
  Comparer();
  std::vector<Comparison> compare(const std::vector<fuzz::Program> &programs);

  /// The same in steps. All programs become kernels of one file, which is much faster than a file
  /// for each; those that do not compile are left out.
  void forEach(const std::vector<fuzz::Program> &programs,
               const std::function<void(std::size_t, const Subject &)> &visit);
  contract::KernelResult check(const Subject &subject);
  Comparison judge(const Subject &subject, const contract::KernelResult &checked);

  double lowerSeconds = 0, checkSeconds = 0, runSeconds = 0;

private:
  frontend::Frontend frontend;
  frontend::CompileCommand command;
  contract::Solver solver;
};

} // namespace warpdrf::test
