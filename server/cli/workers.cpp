// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/workers.h"

#include "analysis/report/source.h"
#include "server/cli/process.h"
#include "server/cli/stored_results.h"
#include "server/render/json.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace warpdrf::cli {

constexpr std::uintmax_t mostStored = 256u << 20; ///< bytes

static FileReport failed(const std::string &path, const std::string &why) {
  FileReport report;
  report.path = path;
  report.parseErrors.push_back(fileError(path, why));
  return report;
}

/// What a worker wrote; nothing if it did not come to that.
static std::optional<FileReport> readReport(const std::string &text) {
  std::optional<render::RunReport> run = render::fromJson(text);
  if (!run || run->files.size() != 1)
    return std::nullopt;
  FileReport report = std::move(run->files.front());
  report.findings = std::move(run->findings);
  return report;
}

static FileReport checkOne(const std::string &path, const std::vector<std::string> &arguments) {
  std::vector<std::string> all{"check", "--worker", path};
  all.insert(all.end(), arguments.begin(), arguments.end());
  ChildResult child = runSelf(all);
  // Once more: somebody may have killed it who does not mean this file, such as a system short of
  // memory. Who dies of the file itself dies again.
  if (!child.failure.empty())
    child = runSelf(all);
  if (!child.failure.empty())
    return failed(path, "this file was not checked: " + child.failure + ", twice");
  if (std::optional<FileReport> report = readReport(child.output))
    return std::move(*report);
  return failed(path, "the checker ended without a result, exit status " +
                          std::to_string(child.exitCode));
}

std::vector<FileReport> checkInWorkers(const std::vector<std::string> &files,
                                       const std::vector<std::string> &arguments, unsigned jobs,
                                       StoredResults *stored) {
  std::vector<FileReport> reports(files.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::optional<std::string> known = stored ? stored->find(files[i]) : std::nullopt;
    std::optional<FileReport> report = known ? readReport(*known) : std::nullopt;
    if (report)
      reports[i] = std::move(*report);
    else
      open.push_back(i);
  }
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t i; (i = next++) < open.size();)
      reports[open[i]] = checkOne(files[open[i]], arguments);
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(jobs, open.size()); ++i)
    threads.emplace_back(work);
  work();
  threads.clear(); // joins
  if (stored && !open.empty())
    stored->trim(mostStored);
  return reports;
}

} // namespace warpdrf::cli
