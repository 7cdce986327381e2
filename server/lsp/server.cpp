// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wiring: bytes to endpoint, scheduler to client.
#include "server/lsp/server.h"

#include "protocol/window.h"
#include "server/lsp/registry.h"
#include "server/lsp/status.h"

namespace warpdrf::lsp {

using protocol::Json;

Server::Server(protocol::Output &output, CheckService &service, RunService &runService,
               const ServerOptions &options)
    : endpoint(output), progress(endpoint, options.progressDelay, "check", "checking"),
      runProgress(endpoint, options.progressDelay, "run", "running"), projectDiagnostics(endpoint),
      runs(runService, runProgress), scheduler(service, options.scheduler, listener()),
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
  out.known = [this](const Checked &checked) { publishDiagnostics(checked); };
  out.finished = [this](const Checked &checked) { publish(checked); };
  out.failed = [this](const Snapshot &document, const std::string &reason) {
    publishFailure(document, reason);
  };
  return out;
}

/// The first line that is not blank.
static protocol::Range firstCode(const Text &text) {
  for (unsigned number = 0; number < text.lines(); ++number) {
    std::string_view line = text.line(number);
    if (line.find_first_not_of(" \t") != std::string_view::npos)
      return {{number, 0}, {number + 1, 0}};
  }
  return {};
}

/// What stands of an older version must not look as if it were said of this one.
void Server::publishFailure(const Snapshot &document, const std::string &reason) {
  protocol::Diagnostic line;
  line.range = firstCode(*document.text); // an empty range at the top is easily overlooked
  line.severity = protocol::DiagnosticSeverity::Information;
  line.source = "warpdrf";
  line.code = "unchecked";
  line.message = "not checked: " + reason;
  endpoint.notify("textDocument/publishDiagnostics",
                  Json(protocol::PublishDiagnosticsParams{document.uri, document.version, {line}}));
  endpoint.notify(statusMethod, statusFailed(document, reason));
}

/// Called with the scheduler's lock held: what is said here is true of the document as it is now.
void Server::publish(const Checked &checked) {
  publishDiagnostics(checked);
  projectDiagnostics.checked(checked, client);
  endpoint.notify(statusMethod, statusChecked(checked));
}

void Server::publishDiagnostics(const Checked &checked) {
  endpoint.notify(
      "textDocument/publishDiagnostics",
      Json(protocol::PublishDiagnosticsParams{checked.document.uri, checked.document.version,
                                              toDiagnostics(checked, client)}));
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
  settings = settingsFromJson(given, mistakes);
  if (!mistakes.empty())
    showWarning("settings: " + mistakes);
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
