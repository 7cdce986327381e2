// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/text.h"

#include "server/render/snippet.h"
#include "server/render/summary.h"

#include <algorithm>
#include <set>

namespace warpdrf::render {

namespace {

/// Writes one report; holds what the parts share.
class TextWriter {
public:
  TextWriter(const RunReport &run, Sources &sources, const TextOptions &options)
      : run(run), sources(sources), paint{options.color} {}

  std::string write() {
    projectErrors();
    for (const FileReport &file : run.files)
      parseErrors(file);
    for (const Finding &finding : run.findings)
      if (!finding.suppressed)
        this->finding(finding);
    return out + summary(run);
  }

private:
  void header(const Range &range, Severity severity, const std::string &message,
              const std::string &rule);
  void note(const Range &range, const std::string &message);
  void projectErrors();
  void parseErrors(const FileReport &file);
  void finding(const Finding &finding);
  void witness(const Witness &witness);
  void context(const Finding &finding);

  const RunReport &run;
  Sources &sources;
  Paint paint;
  std::string out;
};

std::string word(Severity severity) {
  switch (severity) {
  case Severity::Hint:
    return "hint";
  case Severity::Information:
    return "info";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "";
}

Paint::Color colorOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return Paint::Red;
  case Severity::Warning:
    return Paint::Magenta;
  default:
    return Paint::Cyan;
  }
}

std::string place(const Range &range) {
  if (!range.valid())
    return range.file;
  return range.file + ":" + std::to_string(range.begin.line) + ":" +
         std::to_string(range.begin.column);
}

void TextWriter::header(const Range &range, Severity severity, const std::string &message,
                        const std::string &rule) {
  out += paint(place(range) + ": ", Paint::Bold) + paint(word(severity) + ": ", colorOf(severity)) +
         paint(message, Paint::Bold);
  out += rule.empty() ? "\n" : " [" + rule + "]\n";
}

void TextWriter::note(const Range &range, const std::string &message) {
  out += paint(place(range) + ": ", Paint::Bold) + paint("note: ", Paint::Cyan) + message + "\n";
  out += snippet(range, sources, paint);
}

/// Many files share one project: each of its mistakes is told once.
void TextWriter::projectErrors() {
  std::set<std::pair<Range, std::string>> told;
  for (const FileReport &file : run.files)
    for (const ParseError &error : file.projectErrors) {
      if (!told.emplace(error.range, error.message).second)
        continue;
      header(error.range, Severity::Error, error.message, "");
      out += snippet(error.range, sources, paint);
    }
}

void TextWriter::parseErrors(const FileReport &file) {
  constexpr std::size_t shown = 5; // one missing header breeds hundreds
  for (std::size_t i = 0; i < std::min(shown, file.parseErrors.size()); ++i) {
    const ParseError &error = file.parseErrors[i];
    header(error.range, Severity::Error, error.message, "");
    out += snippet(error.range, sources, paint);
  }
  if (file.parseErrors.size() > shown)
    out += file.path + ": " + std::to_string(file.parseErrors.size() - shown) +
           " more errors (--format json lists them)\n";
}

void TextWriter::finding(const Finding &finding) {
  header(finding.primary, finding.severity, finding.message, finding.rule);
  if (finding.severity < Severity::Warning)
    return; // one line each: the editor and the JSON hold the rest
  out += snippet(finding.primary, sources, paint);
  for (const Related &related : finding.related)
    note(related.range, related.message);
  if (finding.witness)
    witness(*finding.witness);
  context(finding);
  out += "\n";
}

std::string triple(const std::array<std::int64_t, 3> &values) {
  return "(" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
         std::to_string(values[2]) + ")";
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

void TextWriter::witness(const Witness &witness) {
  out += "  example: block=" + triple(witness.block) + " grid=" + triple(witness.grid);
  for (const auto &[name, value] : witness.values)
    if (value.find(':') == std::string::npos) // the command has the arrays
      out += ", " + name + " = " + value;
  out += "\n";
  std::size_t threadWidth = 0, blockWidth = 0;
  for (const WitnessThread &thread : witness.threads) {
    threadWidth = std::max(threadWidth, triple(thread.thread).size());
    blockWidth = std::max(blockWidth, triple(thread.block).size());
  }
  for (const WitnessThread &thread : witness.threads)
    out += "    thread " + padded(triple(thread.thread), threadWidth) + "  block " +
           padded(triple(thread.block), blockWidth) + "  warp " +
           padded(std::to_string(thread.warp), 2) + "  lane " +
           (thread.index.empty() ? std::to_string(thread.lane)
                                 : padded(std::to_string(thread.lane), 2) + "  " + thread.index) +
           "\n";
  if (!witness.run.empty())
    out += "    " + witness.run + "\n";
}

/// The first few of a list, and how many more there are.
std::string some(const std::vector<std::string> &items, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, items.size()); ++i)
    text += (i ? ", " : "") + items[i];
  if (items.size() > most)
    text += " and " + std::to_string(items.size() - most) + " more";
  return text;
}

/// The kernel that a finding was found in, in any of the files that hold it.
const KernelReport *kernelOf(const Finding &finding, const RunReport &run) {
  const auto &names = finding.instantiations;
  for (const FileReport &file : run.files)
    for (const KernelReport &kernel : file.kernels)
      if (kernel.name == finding.kernel && (names.empty() || kernel.instantiation == names.front()))
        return &kernel;
  return nullptr;
}

void TextWriter::context(const Finding &finding) {
  const auto &names = finding.instantiations;
  if (names.size() > 1 || (names.size() == 1 && names.front() != finding.kernel))
    out += "  in " + some(names, 3) + "\n";
  const KernelReport *kernel = kernelOf(finding, run);
  if (kernel && !kernel->assumptions.empty())
    out += "  assuming: " + some(kernel->assumptions, kernel->assumptions.size()) + "\n";
  for (const Fix &fix : finding.fixes)
    out += "  " + paint("fix: ", Paint::Green) + fix.title +
           (fix.verified ? " (checked: the finding is gone)" : "") + "\n";
}

} // namespace

std::string toText(const RunReport &run, Sources &sources, const TextOptions &options) {
  return TextWriter(run, sources, options).write();
}

} // namespace warpdrf::render
