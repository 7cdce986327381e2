// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Z3 as a child process that speaks SMT-LIB. A process, because Z3 does not keep its soft timeout
// on nonlinear integers: past the limit it is killed and the next query starts a fresh one.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpdrf::contract {

enum class Answer { Sat, Unsat, Unknown };

/// The solver's program: the first `z3` on the PATH; empty if there is none.
std::string solverProgram();

/// Not thread-safe; one per checking thread. All kernels of a thread share one: starting the
/// program costs more than most kernels' queries.
class Solver {
public:
  Solver();
  ~Solver();

  /// Asks whether `script` (declarations and assertions) is satisfiable. With Sat, `model` gets the
  /// values of the `wanted` constants. Unknown after `budget` of processor time, or when the `z3`
  /// program cannot be started.
  Answer ask(const std::string &script, const std::vector<std::string> &wanted,
             std::chrono::milliseconds budget, std::map<std::string, std::int64_t> &model);

  /// Why queries cannot be answered at all; empty when they can.
  const std::string &failure() const { return problem; }

  /// What was asked for other kernels, or launches, leaves no trace: neither a failure, nor in
  /// which of several models is found.
  void startKernel();

  /// Whether a query since the last call was given up by the clock, before it had used its
  /// processor time: on another day there may be an answer.
  bool takeLate() { return std::exchange(late, false); }

  /// What all queries so far have taken.
  std::chrono::nanoseconds processorTime() const;

private:
  struct Process;
  Answer answerTo(const std::string &script, const std::vector<std::string> &wanted,
                  std::chrono::milliseconds budget, std::map<std::string, std::int64_t> &model);
  bool start();
  Answer askBriefly(const std::string &script, const std::vector<std::string> &wanted,
                    std::chrono::milliseconds budget, std::map<std::string, std::int64_t> &model);
  /// What Z3 says to `(check-sat)`, and its model.
  Answer read(const std::string &answer, const std::vector<std::string> &wanted,
              std::chrono::milliseconds budget, std::map<std::string, std::int64_t> &model);
  /// Sends text and reads what comes back; kills the process when that takes too long.
  bool exchange(const std::string &text, std::chrono::milliseconds budget, std::string &answer);
  std::unique_ptr<Process> process;
  std::string problem;
  bool late = false;
  std::chrono::nanoseconds before{0}; ///< processor time of processes that are gone
};

} // namespace warpdrf::contract
