// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/run_service.h"

#include "server/render/json.h"
#include "server/worker/bounded_child.h"

namespace warpdrf::worker {

/// What an editor can show, and what a user waits for.
static const std::vector<std::string> editorLimits = {"--timeout", "20", "--instances", "500",
                                                      "--values",  "64", "--compact",   "1"};

static std::vector<std::string> commandOf(const lsp::RunRequest &request) {
  std::vector<std::string> command = request.options;
  command.insert(command.end(), editorLimits.begin(), editorLimits.end());
  command.insert(command.end(), {"--format", request.asText ? "text" : "json", "--stdin"});
  if (!request.settings.arch.empty())
    command.insert(command.end(), {"--arch", request.settings.arch});
  if (request.settings.noToolkit)
    command.insert(command.end(), {"--no-toolkit", "1"});
  command.push_back(request.path);
  if (!request.settings.flags.empty())
    command.push_back("--");
  command.insert(command.end(), request.settings.flags.begin(), request.settings.flags.end());
  return command;
}

/// The last lines of what a child complains of, without the program's name.
static std::string complaint(const std::string &errors) {
  constexpr std::size_t most = 1000;
  std::string text = errors.size() > most ? "…" + errors.substr(errors.size() - most) : errors;
  while (text.ends_with('\n'))
    text.pop_back();
  return text.starts_with("warpdrf: ") ? text.substr(9) : text;
}

lsp::RunOutcome ChildRunService::run(const lsp::RunRequest &request, std::stop_token stop) {
  std::vector<std::string> command = arguments;
  for (const std::string &word : commandOf(request))
    command.push_back(word);
  const Bounded child = runBounded(command, request.text, limits.time, limits.output, stop);
  lsp::RunOutcome outcome;
  outcome.finding = request.finding ? render::toJson(*request.finding) : "null";
  outcome.execution = child.output;
  outcome.failure = child.failure;
  if (outcome.failure.empty() && child.output.empty()) {
    outcome.failure = complaint(child.errors);
    if (outcome.failure.empty())
      outcome.failure = "the run said nothing";
  }
  return outcome;
}

} // namespace warpdrf::worker
