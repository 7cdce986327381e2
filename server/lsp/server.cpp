// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wiring: bytes to endpoint, scheduler to client.
#include "server/lsp/server.h"

#include "protocol/window.h"
#include "server/lsp/regions.h"
#include "server/lsp/registry.h"
#include "server/lsp/status.h"

namespace warpdrf::lsp {

using protocol::Json;

Server::Server(protocol::Output &output, CheckService &service, RunService &runService,
               const ServerOptions &options)
    : endpoint(output), progress(endpoint, options.progressDelay, "check", "checking"),
      runProgress(endpoint, options.progressDelay, "run", "running"), diagnostics(endpoint, client),
      refresh(endpoint, client), runs(runService, runProgress),
      scheduler(service, options.scheduler, listener()),
      synchronous(options.scheduler.threads == 0) {
  endpoint.admit = [this](std::string_view method) { return lifecycle.admit(method); };
  endpoint.onBadNotification = [this](const std::string &message) { log(message); };
  registerHandlers(*this);
}

int Server::run(protocol::Input &input) {
  protocol::MessageReader reader(input);
  while (!lifecycle.exited()) {
    auto frame = reader.next();
    if (std::holds_alternative<protocol::MessageReader::EndOfStream>(frame))
      break;
    if (auto *error = std::get_if<protocol::ResponseError>(&frame))
      endpoint.reject(*error);
    else
      endpoint.receive(std::get<std::string>(frame));
    if (synchronous)
      scheduler.drain();
  }
  return lifecycle.exitCode();
}

Scheduler::Listener Server::listener() {
  Scheduler::Listener out;
  out.started = [this](const Snapshot &document) {
    endpoint.notify(statusMethod, statusChecking(document));
    progress.started(document);
  };
  out.ended = [this](const Snapshot &) { progress.ended(); };
  // Called with the scheduler's lock held: what is said here is true of the document as it is now.
  out.known = [this](const Checked &checked) { diagnostics.checked(checked); };
  out.finished = [this](const Checked &checked) {
    diagnostics.checked(checked);
    refresh.checked(checked);
    if (client.can.inactiveRegions)
      endpoint.notify("textDocument/inactiveRegions",
                      Json(inactiveRegions(checked, client.encoding)));
    endpoint.notify(statusMethod, statusChecked(checked));
  };
  out.failed = [this](const Snapshot &document, const std::string &reason) {
    diagnostics.failed(document, reason);
    endpoint.notify(statusMethod, statusFailed(document, reason));
  };
  return out;
}

void Server::log(const std::string &message) {
  endpoint.notify("window/logMessage",
                  Json(protocol::MessageParams{protocol::MessageType::Log, message}));
}

void Server::showWarning(const std::string &message) {
  endpoint.notify("window/showMessage",
                  Json(protocol::MessageParams{protocol::MessageType::Warning, message}));
}

void Server::applySettings(const Json &given) {
  std::string mistakes;
  const Settings before = std::exchange(settings, settingsFromJson(given, mistakes));
  if (!mistakes.empty())
    showWarning("settings: " + mistakes);
  if (settings == before)
    return;
  if (settings.inlayHints != before.inlayHints)
    refresh.unanswered(Refresh::What::Hints);
  if (settings.divergentCode != before.divergentCode)
    refresh.unanswered(Refresh::What::Tokens);
  scheduler.recheckAll(settings);
}

void Server::pullSettings() {
  endpoint.call("workspace/configuration", {{"items", Json::array({{{"section", "warpdrf"}}})}},
                [this](const protocol::Expected<Json> &answer) {
                  auto *sections = std::get_if<Json>(&answer);
                  if (sections && sections->is_array() && sections->size() == 1 &&
                      (*sections)[0].is_object())
                    applySettings((*sections)[0]);
                });
}

} // namespace warpdrf::lsp
