// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/project_diagnostics.h"

#include "protocol/endpoint.h"

#include <algorithm>

namespace warpdrf::lsp {

using protocol::Json;

void ProjectDiagnostics::checked(const Checked &checked, const Client &client) {
  Places places(checked.document, client.encoding);
  ByFile found;
  for (const ParseError &error : checked.report.projectErrors) {
    protocol::Diagnostic line;
    line.range = places.range(error.range);
    line.severity = protocol::DiagnosticSeverity::Error;
    line.source = "warpdrf";
    line.code = "project";
    line.message = error.message;
    found[places.uri(error.range.file)].push_back(std::move(line));
  }
  replace(checked.document.uri, std::move(found));
}

void ProjectDiagnostics::closed(const std::string &uri) {
  replace(uri, {});
}

void ProjectDiagnostics::replace(const std::string &uri, ByFile found) {
  std::lock_guard lock(mutex);
  ByFile &now = byDocument[uri];
  ByFile before = std::exchange(now, std::move(found));
  before.insert(now.begin(), now.end()); // only the keys count
  if (now.empty())
    byDocument.erase(uri);
  for (const auto &[file, diagnostics] : before)
    publish(file);
}

/// Says what all documents found in the file, if that is news.
void ProjectDiagnostics::publish(const std::string &file) {
  Json all = Json::array();
  for (const auto &[document, files] : byDocument)
    if (auto found = files.find(file); found != files.end())
      for (const protocol::Diagnostic &diagnostic : found->second)
        if (Json json = diagnostic; std::find(all.begin(), all.end(), json) == all.end())
          all.push_back(std::move(json));
  auto last = published.find(file);
  if (last == published.end() ? all.empty() : last->second == all)
    return;
  endpoint.notify("textDocument/publishDiagnostics", {{"uri", file}, {"diagnostics", all}});
  if (all.empty())
    published.erase(file);
  else
    published[file] = std::move(all);
}

} // namespace warpdrf::lsp
