// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/lsp/fake_service.h"

#include <algorithm>
#include <cctype>
#include <condition_variable>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace warpdrf::test {

namespace {

const std::string commonHeader = "/nowhere/common.cuh";

struct Word {
  std::string text;
  Range range;
};

std::vector<Word> wordsOf(const std::string &path, const std::string &text) {
  std::vector<Word> words;
  unsigned line = 1, column = 1;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    if (end > i) {
      unsigned size = static_cast<unsigned>(end - i);
      words.push_back({text.substr(i, size), {path, {line, column}, {line, column + size}}});
      column += size;
      i = end;
      continue;
    }
    bool newline = text[i++] == '\n';
    line += newline;
    column = newline ? 1 : column + 1;
  }
  return words;
}

class Reporter {
public:
  Reporter(const std::string &path, bool fixes) : path(path), fixes(fixes) {
    report.path = path;
    report.arch = "sm_80";
    report.commandSource = "default";
  }

  void see(const Word &word, const Word *before) {
    if (before && before->text == "kernel")
      addKernel(word);
    else if (word.text == "READ")
      reads.push_back(word.range);
    else if (word.text == "RACE" && !(before && before->text == "BARRIER"))
      addRace(word.range);
    else if (word.text == "BARRIER")
      ++barriers;
    else if (word.text == "ALONE" && barriers > 1)
      addFinding("divergent-barrier", Severity::Error, "not all come here", word.range);
    else if (word.text == "REDUNDANT")
      addFinding("redundant-barrier", Severity::Hint, "this barrier orders nothing", word.range);
    else if (word.text == "SYNC")
      addSite(SyncSite::Kind::BlockBarrier, "__syncthreads", word.range);
    else if (word.text == "OFF")
      report.inactive.push_back({path, {word.range.begin.line, 1}, {word.range.begin.line + 1, 1}});
    else if (word.text == "HEADER")
      addHeaderRace(word.range);
    else if (before && before->text == "HELPER")
      report.functions.push_back({word.text, word.range, DeviceFunction::Converged::Warp, "", {}});
    else if (word.text == "VOTE")
      addSite(SyncSite::Kind::Collective, "__ballot_sync", word.range);
    else if (word.text == "UNPROVED")
      setVerdict(Verdict::Unproved, "unproved: the budget of 1 s for this kernel ran out");
    else if (word.text == "ASM")
      setVerdict(Verdict::Unsupported, "unsupported: asm");
    else if (word.text == "BROKEN")
      addParseError(word.range);
  }

  FileReport report;

private:
  void addKernel(const Word &word) {
    KernelReport kernel;
    kernel.name = kernel.instantiation = word.text;
    kernel.range = kernel.extent = word.range;
    kernel.primitives = 1;
    kernel.accesses = 2;
    kernel.assumptions = {"no alias"};
    LaunchDims launch;
    launch.block = {64, 1, 1};
    launch.source = "launch at f.cu:12";
    kernel.launches = {launch};
    report.kernels.push_back(kernel);
    reads.clear();
  }

  Finding &addFinding(const std::string &rule, Severity severity, const std::string &message,
                      const Range &range) {
    Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.message = message;
    finding.primary = range;
    finding.fingerprint = rule + "-" + std::to_string(report.findings.size());
    if (!report.kernels.empty())
      finding.kernel = report.kernels.back().name;
    report.findings.push_back(finding);
    return report.findings.back();
  }

  void addRace(const Range &range) {
    Finding &race = addFinding("race", Severity::Error, "write races with a read of 's'", range);
    for (const Range &read : reads)
      race.related.push_back({Related::Role::Access, "read here", read});
    race.witness = Witness{{64, 1, 1}, {1, 1, 1}, {{}, {}}, {}};
    race.witness->threads[0].index = race.witness->threads[1].index = "s[1]";
    race.witness->threads[1].thread = {32, 0, 0};
    if (fixes) {
      race.witness->run = "warpdrf run " + path + " --kernel f --seed 3 --arg 'n=1 2' -- -DX";
      race.fixes = {{"Insert BARRIER", true, {{{path, range.begin, range.begin}, "BARRIER; "}}}};
    }
    if (report.kernels.empty())
      return;
    KernelReport &kernel = report.kernels.back();
    kernel.verdict = kernel.memory = Verdict::Violated;
    kernel.reason = race.message;
    for (SyncSite &site : kernel.sites)
      for (const Range &read : reads)
        if (site.kind == SyncSite::Kind::BlockBarrier)
          site.orders.push_back({read, range});
  }

  void addHeaderRace(const Range &call) {
    report.includes = {commonHeader};
    Finding &race = addFinding("race", Severity::Error, "write races with a read of 't'",
                               {commonHeader, {7, 3}, {7, 8}});
    race.related.push_back({Related::Role::Call, "called here", call});
  }

  void addSite(SyncSite::Kind kind, const std::string &name, const Range &range) {
    if (report.kernels.empty())
      return;
    SyncSite site;
    site.kind = kind;
    site.name = name;
    site.range = range;
    site.ordersMemory = kind != SyncSite::Kind::Collective;
    site.participants = site.ordersMemory ? "all threads of the block" : "lanes with lane < 16";
    site.requires_ = site.ordersMemory ? "every thread of the block" : "the warp";
    if (!site.ordersMemory) {
      site.lanes = 0x0000ffff;
      site.branches = {{Related::Role::Branch, "lane < 16", range}};
    }
    report.kernels.back().sites.push_back(site);
    report.kernels.back().extent.end = range.end;
  }

  void setVerdict(Verdict verdict, const std::string &reason) {
    KernelReport &kernel = report.kernels.back();
    kernel.verdict = kernel.memory = verdict;
    kernel.reason = reason;
  }

  void addParseError(const Range &range) {
    report.parseErrors.push_back({range, "expected ';'"});
    if (report.kernels.empty())
      return;
    KernelReport &kernel = report.kernels.back();
    kernel.verdict = Verdict::Unsupported;
    kernel.reason = "its body has errors";
    kernel.primitives = kernel.accesses = 0;
  }

  const std::string path;
  const bool fixes;
  std::vector<Range> reads;
  unsigned barriers = 0;
};

void waitFor(std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, std::chrono::seconds(60), [] { return false; });
}

} // namespace

FileReport FakeService::check(const std::string &path, const std::string &text,
                              const Unsaved &unsaved, const lsp::Settings &, bool fixes,
                              std::stop_token stop, const Progress &progress) {
  Reporter reporter(path, fixes);
  std::vector<Word> words = wordsOf(path, text);
  if (text.find("INCLUDE") != std::string::npos) {
    reporter.report.includes = {commonHeader};
    if (auto header = unsaved.find(commonHeader); header != unsaved.end())
      std::ranges::copy(wordsOf(commonHeader, header->second), std::back_inserter(words));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    reporter.see(words[i], i ? &words[i - 1] : nullptr);
    if (words[i].text == "THROW")
      throw std::runtime_error("the fake was told to fail");
    if (words[i].text == "CRASH")
      std::abort();
    if (words[i].text == "STEP" && progress)
      progress(reporter.report);
    if (words[i].text == "STUCK")
      waitFor({});
    if (words[i].text == "COUNT") {
      std::lock_guard lock(mutex);
      reporter.report.kernels.back().accesses = static_cast<unsigned>(calls.size());
    }
    if (words[i].text == "PROJECT")
      reporter.report.projectErrors.push_back(
          {{"/nowhere/.warpdrf.json", {2, 3}, {2, 9}}, "unknown key 'flag'"});
    if (words[i].text == "SLOW")
      waitFor(stop);
  }
  std::lock_guard lock(mutex);
  calls.push_back(text.substr(0, text.find('\n')) + (fixes ? "+fixes" : "") +
                  (stop.stop_requested() ? "!" : ""));
  return std::move(reporter.report);
}

std::vector<std::string> FakeService::log() {
  std::lock_guard lock(mutex);
  return calls;
}

lsp::RunOutcome FakeRunService::run(const lsp::RunRequest &request, std::stop_token stop) {
  if (request.text.find("HANG") != std::string::npos)
    waitFor(stop);
  if (request.text.find("FAIL") != std::string::npos)
    return {"the fake was told to fail", "", ""};
  lsp::RunOutcome outcome;
  outcome.finding =
      request.finding ? "{\"fingerprint\": \"" + request.finding->fingerprint + "\"}" : "null";
  for (const std::string &word : request.options)
    outcome.execution += (outcome.execution.empty() ? "" : " ") + word;
  if (!request.asText)
    outcome.execution = "{\"options\": \"" + outcome.execution +
                        "\", \"chosen\": {\"x\": \"zeros:4\"}, \"chosen_shared\": 64}";
  return outcome;
}

} // namespace warpdrf::test
