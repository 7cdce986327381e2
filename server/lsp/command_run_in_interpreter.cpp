// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// warpdrf.runInInterpreter [{uri, kernel | position, instantiation?, launch?, arguments?,
// format?: "text"}]: a run of a kernel, by name or the one above a position. `launch` is
// {block, grid}, each a number or up to three, null for what is to be chosen; `arguments` are by
// name as `warpdrf run --arg` takes them. If neither is given and the check has found something
// that a run shows, it is that run.
#include "server/lsp/answer.h"
#include "server/lsp/commands.h"

namespace warpdrf::lsp {

using protocol::ErrorCode;
using protocol::Json;

namespace {

struct Asked {
  RunWishes wishes;
  std::string instantiation, format;
  std::optional<protocol::Position> position;
  bool wishesLaunch = false;
};

/// A number, or a list of up to three; null and absent ones are left open.
bool readDimensions(const Json &json, std::array<std::optional<std::int64_t>, 3> &out) {
  const Json list = json.is_array() ? json : Json::array({json});
  for (std::size_t axis = 0; axis < std::min<std::size_t>(list.size(), 3); ++axis) {
    if (list[axis].is_null())
      continue;
    if (!list[axis].is_number_integer() || list[axis].get<std::int64_t>() < 1)
      return false;
    out[axis] = list[axis].get<std::int64_t>();
  }
  return list.size() <= 3;
}

bool readArguments(const Json &json, std::map<std::string, std::string> &out) {
  if (json.is_null())
    return true;
  if (!json.is_object())
    return false;
  for (const auto &[name, value] : json.items()) {
    if (value.is_boolean())
      out[name] = value.get<bool>() ? "1" : "0";
    else if (value.is_number())
      out[name] = value.dump();
    else if (value.is_string())
      out[name] = value.get<std::string>();
    else
      return false;
  }
  return true;
}

/// Says what is wrong, or nothing.
std::string readWishes(const Json &launch, const Json &arguments, Asked &asked) {
  if (!launch.is_null() && !launch.is_object())
    return "arguments[0].launch: expected an object";
  for (const char *which : {"block", "grid"})
    if (!readDimensions(protocol::descend(launch, {which}),
                        which[0] == 'b' ? asked.wishes.launch.block : asked.wishes.launch.grid))
      return std::string("arguments[0].launch.") + which + ": expected up to three numbers";
  if (!readArguments(arguments, asked.wishes.arguments))
    return "arguments[0].arguments: expected an object of numbers and texts";
  asked.wishesLaunch = !launch.is_null() || !asked.wishes.arguments.empty();
  return "";
}

/// The kernel that is meant: by name, or the last one that begins at or above the position.
const KernelReport *kernelOf(const Checked &checked, const Asked &asked, const Client &client) {
  Places places(checked.document, client.encoding);
  const KernelReport *best = nullptr;
  for (const KernelReport &kernel : checked.report.kernels) {
    if (!asked.position) {
      if (kernel.instantiation == asked.instantiation ||
          (asked.instantiation.empty() &&
           (kernel.name == asked.wishes.kernel || kernel.instantiation == asked.wishes.kernel)))
        return &kernel;
    } else if (places.here(kernel.range) &&
               places.range(kernel.range).start.line <= asked.position->line &&
               (!best || best->range.begin < kernel.range.begin)) {
      best = &kernel;
    }
  }
  return best;
}

/// What was found in the kernel and is shown by a run, the worst of it.
const Finding *shownIn(const KernelReport &kernel, const FileReport &report) {
  const Finding *best = nullptr;
  for (const Finding &finding : report.findings) {
    const auto &all = finding.instantiations;
    if (!finding.suppressed && finding.witness && !finding.witness->run.empty() &&
        std::find(all.begin(), all.end(), kernel.instantiation) != all.end() &&
        (!best || finding.severity > best->severity))
      best = &finding;
  }
  return best;
}

void run(Server &server, Asked asked, const CheckedPtr &checked, const CommandReply &reply) {
  const KernelReport *kernel = kernelOf(*checked, asked, server.client);
  if (!kernel)
    return reply.error(ErrorCode::RequestFailed,
                       asked.position ? "no kernel begins at or above this line"
                                      : "the document has no kernel '" + asked.wishes.kernel + "'");
  RunTask task{checked->document, checked->settings, {}, std::nullopt, asked.format == "text"};
  const Finding *finding = asked.wishesLaunch ? nullptr : shownIn(*kernel, checked->report);
  asked.wishes.kernel = kernel->instantiation;
  task.plan = finding ? planOf(*finding) : planOf(asked.wishes, kernel);
  if (finding)
    task.finding = *finding;
  runAndReply(server, std::move(task), reply);
}

} // namespace

void runInInterpreter(Server &server, const CommandArguments &arguments, CommandReply reply) {
  Asked asked;
  Json launch, values;
  const Snapshot *document = documentArgument(
      server, arguments,
      [&](protocol::ObjectReader &reader) {
        reader.optional("kernel", asked.wishes.kernel)
            .optional("instantiation", asked.instantiation)
            .optional("position", asked.position)
            .optional("launch", launch)
            .optional("arguments", values)
            .optional("format", asked.format);
      },
      reply);
  if (!document)
    return;
  std::string problem = readWishes(launch, values, asked);
  if (problem.empty() && asked.wishes.kernel.empty() == !asked.position)
    problem = "arguments[0]: expected either a kernel or a position";
  if (!problem.empty())
    return reply.error(ErrorCode::InvalidParams, problem);
  whenConfirmed(server, document->uri, reply.cancelled(),
                unlessChanged(reply, [&server, asked, reply](const CheckedPtr &checked) {
                  if (!checked)
                    reply.error(ErrorCode::RequestFailed, "the document is not checked");
                  else
                    run(server, asked, checked, reply);
                }));
}

} // namespace warpdrf::lsp
