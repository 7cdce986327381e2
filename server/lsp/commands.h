// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of workspace/executeCommand, each in a file of its own: command_<name>.cpp. How to
// add one: declare it here, add it to the table in handle_execute_command.cpp, and a session script
// to tests/lsp/sessions.
#pragma once

#include "server/lsp/run_plan.h"
#include "server/lsp/server.h"

namespace warpdrf::lsp {

using CommandArguments = std::vector<protocol::Json>;
using CommandReply = protocol::Reply<protocol::Json>;

void explain(Server &, const CommandArguments &, CommandReply);
void runInInterpreter(Server &, const CommandArguments &, CommandReply);
void showWitness(Server &, const CommandArguments &, CommandReply);

struct RunTask {
  Snapshot document;
  Settings settings;
  RunPlan plan;
  std::optional<Finding> finding;
  bool asText = false;
};

/// run_result.cpp: runs it and answers with
///   { version: 1, uri, documentVersion, finding: {…} | null, execution: {…}, notes: […], command }
/// where `finding` is as in `warpdrf check --format json`, `execution` as `warpdrf run --format
/// json` prints it, and `command` runs the same once more. With `asText` there is `text` in place
/// of `execution`: what `warpdrf run` prints.
void runAndReply(Server &, RunTask, CommandReply);

/// Calls back like Scheduler::whenChecked with fixes, with which come the runs that confirm
/// findings; asks again if they take long. `server` serves on meanwhile.
void whenConfirmed(Server &, const std::string &uri, std::stop_token cancelled,
                   Scheduler::Callback callback);

/// The arguments that both commands share: one object with `uri`, and what else `read` reads of
/// it. The open document, or null after the error was answered.
using ReadMore = std::function<void(protocol::ObjectReader &)>;
const Snapshot *documentArgument(Server &, const CommandArguments &, const ReadMore &read,
                                 const CommandReply &);

} // namespace warpdrf::lsp
