// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// workspace/executeCommand: which command is which function (commands.h).
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_executeCommand
#include "server/lsp/handlers.h"

#include "server/lsp/command_names.h"
#include "server/lsp/commands.h"

namespace warpdrf::lsp {

static const std::map<std::string, void (*)(Server &, const CommandArguments &, CommandReply)>
    commands = {
        {explainCommand, explain},
        {runInInterpreterCommand, runInInterpreter},
        {showWitnessCommand, showWitness},
};

std::vector<std::string> commandNames() {
  std::vector<std::string> names;
  for (const auto &[name, run] : commands)
    names.push_back(name);
  return names;
}

void executeCommand(Server &server, const protocol::ExecuteCommandParams &params,
                    protocol::Reply<protocol::Json> reply) {
  auto command = commands.find(params.command);
  if (command == commands.end())
    return reply.error(protocol::ErrorCode::InvalidParams,
                       "unknown command '" + params.command + "'");
  command->second(server, params.arguments, std::move(reply));
}

} // namespace warpdrf::lsp
