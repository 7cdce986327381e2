// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/solver.h"

#include "analysis/contract/budget.h"
#include "analysis/contract/smt.h"

#include <boost/process.hpp>
#include <poll.h>

#include <charconv>
#include <ctime>
#include <filesystem>

namespace warpdrf::contract {

namespace bp = boost::process;
using Clock = std::chrono::steady_clock;

namespace {

/// Printed after each answer, so that we know where it ends.
constexpr const char *kEnd = "warpdrf-end";

/// Loading the program is not the query's time; on a busy machine it takes longer than a query.
constexpr std::chrono::seconds kStartBudget{5};

} // namespace

struct Solver::Process {
  bp::pipe in, out;
  bp::child child;
  std::string buffer;
  enum class Context { Fresh, Pushed, Used }; ///< Pushed: holds one more question
  Context context = Context::Fresh;

  std::chrono::nanoseconds processorTime() const {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(child.id(), &clock) != 0 || clock_gettime(clock, &time) != 0)
      return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  /// Reads up to the end mark; false when that takes more than `budget` of processor time, or when
  /// the process dies.
  bool readAnswer(std::chrono::milliseconds budget, std::string &answer) {
    const auto start = processorTime();
    const auto latest = Clock::now() + kPatience * budget;
    for (;;) {
      if (auto at = buffer.find(kEnd); at != std::string::npos) {
        answer = buffer.substr(0, at);
        buffer.clear();
        return true;
      }
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(budget - (processorTime() - start));
      if (left.count() <= 0 || Clock::now() > latest)
        return false;
      pollfd ready{out.native_source(), POLLIN, 0};
      if (poll(&ready, 1, static_cast<int>(left.count()) + 1) <= 0)
        continue;
      char chunk[4096];
      auto got = ::read(out.native_source(), chunk, sizeof chunk);
      if (got <= 0)
        return false;
      buffer.append(chunk, static_cast<std::size_t>(got));
    }
  }
};

Solver::Solver() = default;

std::chrono::nanoseconds Solver::processorTime() const {
  return before + (process ? process->processorTime() : std::chrono::nanoseconds(0));
}

Solver::~Solver() {
  if (process)
    process->child.terminate();
}

/// The one that came with the program, else the one in PATH.
std::string solverProgram() {
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::filesystem::path own = self.parent_path() / "z3";
  if (!none && std::filesystem::is_regular_file(own, none))
    return own.string();
  return bp::search_path("z3").string();
}

bool Solver::start() {
  if (process)
    return true;
  const std::string program = solverProgram();
  if (program.empty()) {
    problem = "the program 'z3' is not on the PATH: install it (Debian: apt-get install z3)";
    return false;
  }
  auto fresh = std::make_unique<Process>();
  std::error_code error;
  fresh->child = bp::child(program, "-in", "-smt2", bp::std_in<fresh->in, bp::std_out> fresh->out,
                           bp::std_err > bp::null, error);
  if (error) {
    problem = "cannot start 'z3': " + error.message();
    return false;
  }
  process = std::move(fresh);
  std::string answer;
  if (exchange("", kStartBudget, answer))
    return true;
  problem = "'z3' does not answer";
  return false;
}

bool Solver::exchange(const std::string &text, std::chrono::milliseconds budget,
                      std::string &answer) {
  std::string line = text + "\n(echo \"" + kEnd + "\")\n";
  bool sent = true;
  for (std::size_t done = 0; sent && done < line.size();) {
    auto n = ::write(process->in.native_sink(), line.data() + done, line.size() - done);
    sent = n > 0;
    done += sent ? static_cast<std::size_t>(n) : 0;
  }
  if (sent && process->readAnswer(budget, answer))
    return true;
  before += process->processorTime();
  process->child.terminate();
  process.reset();
  return false;
}

/// Reads a line for each of the names: `5`, `(- 5)`, `true`.
static void parseModel(std::string_view lines, const std::vector<std::string> &names,
                       std::map<std::string, std::int64_t> &model) {
  for (const std::string &name : names) {
    lines.remove_prefix(std::min(lines.find_first_not_of("\r\n"), lines.size()));
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size());
    const bool negative = line.starts_with("(- ");
    std::int64_t value = line == "true";
    const char *number = line.data() + (negative ? 3 : 0);
    if (std::from_chars(number, line.data() + line.size(), value).ec == std::errc() ||
        line == "true" || line == "false")
      model[name] = negative ? -value : value;
  }
}

/// Z3 gives up by itself when its time by the clock is up, if it comes to look at it.
static std::string softLimit(std::chrono::milliseconds budget) {
  return "(set-option :timeout " + std::to_string(kPatience * budget.count()) + ")\n";
}

Answer Solver::read(const std::string &answer, const std::vector<std::string> &wanted,
                    std::chrono::milliseconds budget, std::map<std::string, std::int64_t> &model) {
  if (answer.find("error") != std::string::npos || answer.find("unknown") != std::string::npos)
    return Answer::Unknown;
  if (answer.find("unsat") != std::string::npos)
    return Answer::Unsat;
  // `get-value`, which does the same, takes several times as long as most questions.
  std::string questions, values;
  for (const std::string &name : wanted)
    questions += "(eval " + quoted(name) + " :completion true)\n";
  if (!wanted.empty() && exchange(questions, budget, values))
    parseModel(values, wanted, model);
  return Answer::Sat;
}

/// A try that gives up early. It stays within one context of Z3: setting up a new one with its full
/// strategy takes longer than most questions. Its limit counts steps, so that nothing depends on
/// the machine.
Answer Solver::askBriefly(const std::string &script, const std::vector<std::string> &wanted,
                          std::chrono::milliseconds budget,
                          std::map<std::string, std::int64_t> &model) {
  std::string before;
  if (process->context == Process::Context::Pushed)
    before = "(pop)\n(set-option :rlimit 0)\n";
  else if (process->context == Process::Context::Used)
    before = "(reset)\n";
  process->context = Process::Context::Pushed;
  std::string answer;
  if (!exchange(before + "(push)\n(set-option :rlimit 20000)\n" + softLimit(budget) + script +
                    "\n(check-sat)",
                budget, answer))
    return Answer::Unknown;
  return read(answer, wanted, budget, model);
}

Answer Solver::ask(const std::string &script, const std::vector<std::string> &wanted,
                   std::chrono::milliseconds budget, std::map<std::string, std::int64_t> &model) {
  const auto start = Clock::now();
  const auto worked = processorTime();
  const Answer answer = answerTo(script, wanted, budget, model);
  late |= answer == Answer::Unknown && Clock::now() - start >= kPatience * budget &&
          processorTime() - worked < budget;
  return answer;
}

Answer Solver::answerTo(const std::string &script, const std::vector<std::string> &wanted,
                        std::chrono::milliseconds budget,
                        std::map<std::string, std::int64_t> &model) {
  if (!start())
    return Answer::Unknown;
  if (Answer brief = askBriefly(script, wanted, budget, model); brief != Answer::Unknown)
    return brief;
  if (!process) // killed: its time is up
    return Answer::Unknown;
  process->context = Process::Context::Used;
  std::string answer;
  if (!exchange("(reset)\n(set-option :rlimit 0)\n" + softLimit(budget) + script + "\n(check-sat)",
                budget, answer))
    return Answer::Unknown;
  return read(answer, wanted, budget, model);
}

void Solver::startKernel() {
  problem.clear();
  if (process && process->context == Process::Context::Pushed)
    process->context = Process::Context::Used;
}

} // namespace warpdrf::contract
