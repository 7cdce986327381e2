// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/diagnostics.h"

#include "protocol/uri.h"

#include <algorithm>

namespace warpdrf::lsp {

using protocol::Diagnostic;
using protocol::Json;

/// The same list has the same id, whenever it was made.
static std::string idOf(const std::vector<Diagnostic> &list) {
  return std::to_string(
      std::hash<std::string>()(Json(list).dump(-1, ' ', false, Json::error_handler_t::replace)));
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

static std::map<std::string, std::vector<Diagnostic>> inOtherFiles(const Checked &checked,
                                                                   const Client &client) {
  Places places(checked.document, client.encoding);
  std::map<std::string, std::vector<Diagnostic>> found;
  for (const ParseError &error : checked.report.projectErrors) {
    Diagnostic line;
    line.range = places.range(error.range);
    line.severity = protocol::DiagnosticSeverity::Error;
    line.source = "warpdrf";
    line.code = "project";
    line.message = error.message;
    found[places.uri(error.range.file)].push_back(std::move(line));
  }
  // Of headers only the project's: nobody mends those of a toolkit.
  std::set<std::string> headers;
  for (const std::string &path : checked.report.includes)
    headers.insert(protocol::uriFromPath(path));
  for (const Finding &finding : checked.report.findings) {
    if (finding.suppressed || places.here(finding.primary))
      continue;
    std::string uri = places.uri(finding.primary.file);
    if (headers.contains(uri))
      found[uri].push_back(toHeaderDiagnostic(finding, places, client));
  }
  return found;
}

void Diagnostics::checked(const Checked &checked) {
  replace(checked.document, toDiagnostics(checked, client), inOtherFiles(checked, client));
}

/// What stands of an older version must not look as if it were said of this one.
void Diagnostics::failed(const Snapshot &document, const std::string &reason) {
  Diagnostic line;
  line.range = firstCode(*document.text); // an empty range at the top is easily overlooked
  line.severity = protocol::DiagnosticSeverity::Information;
  line.source = "warpdrf";
  line.code = "unchecked";
  line.message = "not checked: " + reason;
  replace(document, {line}, {});
}

void Diagnostics::closed(const std::string &uri) {
  std::lock_guard lock(mutex);
  ByFile others = std::exchange(byDocument[uri], {});
  byDocument.erase(uri);
  File &file = files[uri];
  const unsigned waiting = file.waiting; // they are about to be answered
  file = {.published = std::move(file.published), .waiting = waiting};
  publish(uri, !client.pulls());
  for (const auto &[other, list] : others)
    publish(other, false);
  refresh(others);
}

void Diagnostics::replace(const Snapshot &document, List own, ByFile others) {
  std::lock_guard lock(mutex);
  File &file = files[document.uri];
  file.text = document.text;
  file.version = document.version;
  file.own = std::move(own);
  ByFile before = std::exchange(byDocument[document.uri], std::move(others));
  const ByFile &now = byDocument[document.uri];
  before.insert(now.begin(), now.end()); // only the keys count
  publish(document.uri, !client.pulls());
  for (const auto &[uri, list] : before)
    if (uri != document.uri)
      publish(uri, false);
  before[document.uri];
  refresh(before);
}

/// What is known of a file. A header's own check and those of the documents that include it may
/// find the same.
Diagnostics::List Diagnostics::listOf(const std::string &uri, bool own, bool others) const {
  List list;
  auto file = files.find(uri);
  if (file != files.end())
    list = file->second.own;
  const std::size_t ownSize = list.size();
  auto isSame = [](const Diagnostic &a) {
    return [&](const Diagnostic &b) {
      return a.range == b.range && a.code == b.code &&
             (a.code != "project" || a.message == b.message);
    };
  };
  for (const auto &[document, found] : byDocument)
    if (auto here = found.find(uri); others && here != found.end())
      for (const Diagnostic &diagnostic : here->second)
        if (std::none_of(list.begin(), list.end(), isSame(diagnostic)))
          list.push_back(diagnostic);
  if (!own)
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(ownSize));
  return list;
}

Diagnostics::List Diagnostics::pulledListOf(const std::string &uri) const {
  return listOf(uri, true, client.can.relatedDiagnostics);
}

/// Sends what the client does not ask for, if that is news or it counts versions.
void Diagnostics::publish(const std::string &uri, bool evenIfOld) {
  if (client.pulls() && client.can.relatedDiagnostics)
    return;
  const List list = listOf(uri, !client.pulls(), true);
  Json json = list.empty() ? Json() : Json(list);
  File &file = files[uri];
  if (!evenIfOld && json == file.published)
    return;
  file.published = std::move(json);
  const std::optional<int> version = client.pulls() ? std::nullopt : file.version;
  endpoint.notify("textDocument/publishDiagnostics",
                  Json(protocol::PublishDiagnosticsParams{uri, version, list}));
}

/// Has the client ask again, if it would hear something else and does not do so anyway.
void Diagnostics::refresh(const ByFile &changed) {
  if (!client.pulls())
    return;
  for (const auto &[uri, list] : changed) {
    const File &file = files[uri];
    if (!file.pulled || file.waiting > 0 || file.answered == idOf(pulledListOf(uri)))
      continue;
    return endpoint.call("workspace/diagnostic/refresh", nullptr);
  }
}

void Diagnostics::asked(const std::string &uri) {
  std::lock_guard lock(mutex);
  File &file = files[uri];
  file.pulled = true;
  ++file.waiting;
}

std::optional<protocol::DocumentDiagnosticReport>
Diagnostics::answer(const std::string &uri, const std::shared_ptr<const Text> &text,
                    const std::string &previousId) {
  std::lock_guard lock(mutex);
  File &file = files[uri];
  --file.waiting;
  file.answered.clear();
  if (!text || file.text != text)
    return std::nullopt;
  protocol::DocumentDiagnosticReport report;
  List list = pulledListOf(uri);
  report.resultId = file.answered = idOf(list);
  if (report.resultId != previousId)
    report.items = std::move(list);
  if (!client.can.relatedDiagnostics)
    return report;
  for (const std::string &other : std::exchange(file.related, {}))
    report.related[other] = pulledListOf(other); // perhaps of nothing any more
  for (const auto &[other, found] : byDocument[uri])
    if (other != uri) {
      report.related[other] = pulledListOf(other);
      file.related.push_back(other);
    }
  return report;
}

} // namespace warpdrf::lsp
