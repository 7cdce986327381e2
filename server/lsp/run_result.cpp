// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/commands.h"

#include "analysis/report/shell_words.h"

namespace warpdrf::lsp {

using protocol::ErrorCode;
using protocol::Json;

/// Of a report whose second stage takes its time; each try waits as long as a request may.
static constexpr int tries = 5;

static void whenConfirmed(Server &server, const std::string &uri, std::stop_token cancelled,
                          Scheduler::Callback callback, int left) {
  server.scheduler.whenChecked(
      uri, true,
      [&server, uri, cancelled, callback, left](Scheduler::Outcome outcome, CheckedPtr checked) {
        const bool more = outcome != Scheduler::Outcome::Superseded &&
                          server.scheduler.knows(uri) && (!checked || !checked->withFixes);
        if (more && left > 1 && !cancelled.stop_requested())
          whenConfirmed(server, uri, cancelled, callback, left - 1);
        else
          callback(outcome, checked);
      });
}

void whenConfirmed(Server &server, const std::string &uri, std::stop_token cancelled,
                   Scheduler::Callback callback) {
  whenConfirmed(server, uri, std::move(cancelled), std::move(callback), tries);
}

const Snapshot *documentArgument(Server &server, const CommandArguments &arguments,
                                 const ReadMore &read, const CommandReply &reply) {
  protocol::Path::Root root("arguments[0]");
  const Json given = arguments.size() == 1 ? arguments[0] : Json();
  std::string uri;
  protocol::ObjectReader reader(given, root);
  reader.required("uri", uri);
  read(reader);
  const Snapshot *document = reader.ok() ? server.documents.find(uri) : nullptr;
  if (!reader.ok())
    reply.error(ErrorCode::InvalidParams, root.error());
  else if (!document)
    reply.error(ErrorCode::InvalidParams, "arguments[0].uri: '" + uri + "' is not open");
  return document;
}

/// The shell's line for the same run of the file on disk.
static std::string commandLine(const RunTask &task, const Json &execution) {
  std::string line = "warpdrf run " + shellWord(task.document.path);
  const auto add = [&](const std::string &word) { line += " " + shellWord(word); };
  for (const std::string &word : task.plan.options)
    if (word != "--choose" || task.asText) // the text does not tell us what was chosen
      add(word);
  const Json chosen = execution.value("chosen", Json::object());
  for (const auto &[name, value] : chosen.items())
    add("--arg"), add(name + "=" + value.get<std::string>());
  if (auto shared = execution.find("chosen_shared"); shared != execution.end())
    add("--shared"), add(shared->dump());
  if (!task.settings.arch.empty())
    add("--arch"), add(task.settings.arch);
  if (!task.settings.flags.empty())
    add("--");
  for (const std::string &flag : task.settings.flags)
    add(flag);
  return line;
}

static void answer(const RunTask &task, const RunOutcome &outcome, const CommandReply &reply) {
  if (!outcome.failure.empty())
    return reply.error(ErrorCode::RequestFailed, outcome.failure);
  const Snapshot &document = task.document;
  Json result = {{"version", 1},
                 {"uri", document.uri},
                 {"documentVersion", document.version ? Json(*document.version) : Json()},
                 {"finding", Json::parse(outcome.finding, nullptr, false)},
                 {"notes", task.plan.notes}};
  Json execution = Json::object();
  if (task.asText)
    result["text"] = outcome.execution;
  else
    execution = Json::parse(outcome.execution, nullptr, false);
  if (!execution.is_object())
    return reply.error(ErrorCode::RequestFailed, "the run printed what is no JSON");
  result["command"] = commandLine(task, execution);
  if (!task.asText)
    result["execution"] = std::move(execution);
  reply(result);
}

void runAndReply(Server &server, RunTask task, CommandReply reply) {
  RunRequest request{task.document.path, task.document.text->str(),
                     task.settings,      task.plan.options,
                     task.finding,       task.asText};
  request.options.insert(request.options.end(), task.plan.follow.begin(), task.plan.follow.end());
  const Snapshot document = task.document;
  server.runs.add(
      document, std::move(request), reply.cancelled(),
      [task = std::move(task), reply](const RunOutcome &outcome) { answer(task, outcome, reply); });
}

} // namespace warpdrf::lsp
