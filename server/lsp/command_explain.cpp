// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// warpdrf.explain [rule]: the rule's page, in Markdown.
#include "server/lsp/commands.h"

#include "analysis/report/rules.h"

namespace warpdrf::lsp {

using protocol::ErrorCode;

void explain(Server &, const CommandArguments &arguments, CommandReply reply) {
  if (arguments.size() != 1 || !arguments[0].is_string())
    return reply.error(ErrorCode::InvalidParams, "warpdrf.explain: expected one rule's name");
  const Rule *rule = findRule(arguments[0].get_ref<const std::string &>());
  if (!rule)
    return reply.error(ErrorCode::InvalidParams,
                       "warpdrf.explain: no rule '" + arguments[0].get<std::string>() + "'");
  reply(rulePage(*rule));
}

} // namespace warpdrf::lsp
