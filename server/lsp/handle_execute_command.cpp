// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// workspace/executeCommand.
//   warpdrf.explain [rule]: the rule's page, in Markdown
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_executeCommand
#include "server/lsp/handlers.h"

#include "analysis/report/rules.h"

namespace warpdrf::lsp {

using protocol::ErrorCode;
using protocol::Json;

static void explain(const std::vector<Json> &arguments, protocol::Reply<Json> reply) {
  if (arguments.size() != 1 || !arguments[0].is_string())
    return reply.error(ErrorCode::InvalidParams, "warpdrf.explain: expected one rule's name");
  const Rule *rule = findRule(arguments[0].get_ref<const std::string &>());
  if (!rule)
    return reply.error(ErrorCode::InvalidParams,
                       "warpdrf.explain: no rule '" + arguments[0].get<std::string>() + "'");
  reply(rulePage(*rule));
}

void executeCommand(Server &, const protocol::ExecuteCommandParams &params,
                    protocol::Reply<Json> reply) {
  if (params.command == "warpdrf.explain")
    return explain(params.arguments, std::move(reply));
  reply.error(ErrorCode::InvalidParams, "unknown command '" + params.command + "'");
}

} // namespace warpdrf::lsp
