// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per part of a diagnostic.
#include "server/lsp/convert.h"

#include "protocol/uri.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace warpdrf::lsp {

using protocol::Diagnostic;
using protocol::DiagnosticSeverity;
using protocol::Json;

bool Client::carriesOut(std::string_view command) const {
  return std::ranges::find(serverCommands, command) != serverCommands.end() ||
         std::ranges::find(can.commands, command) != can.commands.end();
}

const Text &Places::textOf(const std::string &file) {
  auto it = others.find(file);
  if (it == others.end()) {
    std::error_code error; // of anything but a file, reading may not end
    std::ifstream stream;
    if (std::filesystem::is_regular_file(file, error))
      stream.open(file, std::ios::binary);
    std::ostringstream content;
    if (stream.is_open())
      content << stream.rdbuf();
    it = others.emplace(file, Text(content.str())).first;
  }
  return it->second;
}

protocol::Range Places::range(const Range &range) {
  if (here(range))
    return toProtocol(range, *document.text, encoding);
  if (encoding != protocol::PositionEncoding::Utf8)
    return toProtocol(range, textOf(range.file), encoding);
  auto position = [](Position p) {
    return protocol::Position{p.line ? p.line - 1 : 0, p.column ? p.column - 1 : 0};
  };
  return {position(range.begin), position(range.end)};
}

std::string Places::uri(const std::string &file) const {
  if (file.empty() || file == document.path)
    return document.uri;
  return protocol::uriFromPath(std::filesystem::path(file).lexically_normal().string());
}

protocol::Location Places::location(const Range &where) {
  return {uri(where.file), range(where)};
}

std::string ruleUrl(std::string_view rule) {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path page =
      program.parent_path() / ".." / "share" / "warpdrf" / "rules" / (std::string(rule) + ".md");
  page = page.lexically_normal();
  // A program that somebody copied elsewhere has no pages; `warpdrf explain` still does.
  return std::filesystem::is_regular_file(page, error) ? protocol::uriFromPath(page.string()) : "";
}

static DiagnosticSeverity toSeverity(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return DiagnosticSeverity::Error;
  case Severity::Warning:
    return DiagnosticSeverity::Warning;
  case Severity::Information:
    return DiagnosticSeverity::Information;
  case Severity::Hint:
    return DiagnosticSeverity::Hint;
  }
  return DiagnosticSeverity::Information;
}

static std::string triple(const std::array<std::int64_t, 3> &v) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

/// "example: block=(64,1,1) grid=(1,1,1): thread (0,0,0) at s[1], thread (32,0,0) at s[1], with k =
/// 2"
static std::string witnessLine(const Witness &witness) {
  std::string out = "example: block=" + triple(witness.block) + " grid=" + triple(witness.grid);
  const char *separator = ": ";
  bool blocks = std::any_of(witness.threads.begin(), witness.threads.end(),
                            [&](const auto &t) { return t.block != witness.threads[0].block; });
  for (const WitnessThread &thread : witness.threads) {
    out += separator + std::string("thread ") + triple(thread.thread);
    if (blocks)
      out += " of block " + triple(thread.block);
    if (!thread.index.empty())
      out += " at " + thread.index;
    separator = ", ";
  }
  separator = ", with ";
  for (const auto &[name, value] : witness.values) {
    if (value.find(':') != std::string::npos)
      continue; // contents of an array: for `warpdrf run`
    out += separator + name + " = " + value;
    separator = ", ";
  }
  return out;
}

static std::string placeName(const Range &range) {
  return range.file.substr(range.file.rfind('/') + 1) + ":" + std::to_string(range.begin.line) +
         ":" + std::to_string(range.begin.column);
}

static std::string messageOf(const Finding &finding, bool elsewhere, bool flatten) {
  std::string out = finding.message;
  if (elsewhere)
    out = "in " + placeName(finding.primary) + ": " + out;
  if (finding.witness)
    out += "\n" + witnessLine(*finding.witness);
  if (finding.instantiations.size() > 1)
    out += "\nholds for " + std::to_string(finding.instantiations.size()) + " instantiations of " +
           finding.kernel;
  if (flatten)
    for (const Related &note : finding.related)
      out += "\n" + (note.range.valid() ? placeName(note.range) + ": " : std::string()) +
             "note: " + note.message;
  return out;
}

/// Where in the document to show the finding.
static protocol::Range shownAt(const Finding &finding, Places &places) {
  if (places.here(finding.primary))
    return places.range(finding.primary);
  for (const Related &note : finding.related)
    if (note.range.valid() && places.here(note.range))
      return places.range(note.range);
  return {};
}

static Json dataOf(const Finding &finding) {
  Json fixes = Json::array();
  for (std::size_t i = 0; i < finding.fixes.size(); ++i)
    fixes.push_back(finding.fingerprint + "/" + std::to_string(i));
  return {{"fingerprint", finding.fingerprint}, {"fixes", fixes}};
}

/// `elsewhere`: it is shown in another file than the one it is in.
static Diagnostic diagnosticAt(protocol::Range range, bool elsewhere, const Finding &finding,
                               Places &places, const Client &client) {
  Diagnostic out;
  out.range = range;
  out.severity = toSeverity(finding.severity);
  out.code = finding.rule;
  out.href = ruleUrl(finding.rule);
  out.source = "warpdrf";
  out.message = messageOf(finding, elsewhere, !client.can.relatedInformation);
  out.unnecessary = finding.rule == "redundant-barrier" && client.can.diagnosticTags;
  out.data = dataOf(finding);
  if (!client.can.relatedInformation)
    return out;
  if (elsewhere)
    out.related.push_back({places.location(finding.primary), finding.message});
  for (const Related &note : finding.related)
    if (note.range.valid())
      out.related.push_back({places.location(note.range), note.message});
  return out;
}

Diagnostic toDiagnostic(const Finding &finding, Places &places, const Client &client) {
  return diagnosticAt(shownAt(finding, places), !places.here(finding.primary), finding, places,
                      client);
}

Diagnostic toHeaderDiagnostic(const Finding &finding, Places &places, const Client &client) {
  return diagnosticAt(places.range(finding.primary), false, finding, places, client);
}

static Diagnostic information(std::string message, protocol::Range range) {
  Diagnostic out;
  out.range = range;
  out.severity = DiagnosticSeverity::Information;
  out.source = "warpdrf";
  out.message = std::move(message);
  return out;
}

/// A kernel whose body did not parse; the summary of parse errors names it.
static bool unparsed(const FileReport &report, const KernelReport &kernel) {
  return !report.parseErrors.empty() && kernel.verdict == Verdict::Unsupported &&
         kernel.primitives == 0 && kernel.accesses == 0;
}

/// Nothing was found and nothing proved, and no finding says so where it happens.
static bool silentlyUnproved(const FileReport &report, const KernelReport &kernel) {
  return kernel.verdict == Verdict::Unproved &&
         std::ranges::none_of(report.findings, [&](const Finding &finding) {
           return finding.rule == "unproved" && finding.kernel == kernel.name;
         });
}

/// Kernels nobody checked must not look like kernels without findings. One line per kernel,
/// whatever the number of its instantiations.
static void addUnchecked(const FileReport &report, Places &places, std::vector<Diagnostic> &out) {
  std::set<Range> seen;
  for (const KernelReport &kernel : report.kernels) {
    const bool unsupported = kernel.verdict == Verdict::Unsupported && !unparsed(report, kernel);
    if (!(unsupported || silentlyUnproved(report, kernel)) || !seen.insert(kernel.range).second)
      continue;
    std::string where = places.here(kernel.range) ? "" : " (" + placeName(kernel.range) + ")";
    Diagnostic line =
        information("kernel " + kernel.name + where + " is not fully checked: " + kernel.reason,
                    places.here(kernel.range) ? places.range(kernel.range) : protocol::Range{});
    line.code = unsupported ? "unsupported" : "unproved";
    out.push_back(std::move(line));
  }
}

static std::string plural(std::size_t n, const std::string &noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

/// "2 parse errors: kernels a, b not checked", where the first error is.
static Diagnostic parseErrorSummary(const FileReport &report, Places &places) {
  std::set<std::string> kernels;
  for (const KernelReport &kernel : report.kernels)
    if (unparsed(report, kernel))
      kernels.insert(kernel.name);
  std::string names;
  for (const std::string &kernel : kernels)
    names += (names.empty() ? "" : ", ") + kernel;
  std::string what = kernels.empty()       ? "findings may be missing"
                     : kernels.size() == 1 ? "kernel " + names + " not checked"
                                           : "kernels " + names + " not checked";
  const ParseError &first = report.parseErrors.front();
  auto local = std::find_if(report.parseErrors.begin(), report.parseErrors.end(),
                            [&](const ParseError &e) { return places.here(e.range); });
  bool found = local != report.parseErrors.end() && local->range.valid();
  return information(plural(report.parseErrors.size(), "parse error") + ": " + what + " (" +
                         (found ? local->message : first.message) + ")",
                     found ? places.range(local->range) : protocol::Range{});
}

static void addParseErrors(const Checked &checked, Places &places, std::vector<Diagnostic> &out) {
  const FileReport &report = checked.report;
  if (report.parseErrors.empty())
    return;
  if (!checked.settings.showParseErrors) {
    out.push_back(parseErrorSummary(report, places));
    out.back().code = "parse-error";
    return;
  }
  for (const ParseError &error : report.parseErrors) {
    bool here = places.here(error.range) && error.range.valid();
    out.push_back(
        information(here ? error.message : "in " + placeName(error.range) + ": " + error.message,
                    here ? places.range(error.range) : protocol::Range{}));
    out.back().severity = DiagnosticSeverity::Error;
    out.back().code = "parse-error";
  }
}

std::vector<Diagnostic> toDiagnostics(const Checked &checked, const Client &client) {
  Places places(checked.document, client.encoding);
  std::vector<Diagnostic> out;
  addParseErrors(checked, places, out);
  addUnchecked(checked.report, places, out);
  for (const Finding &finding : checked.report.findings)
    if (!finding.suppressed)
      out.push_back(toDiagnostic(finding, places, client));
  return out;
}

} // namespace warpdrf::lsp
