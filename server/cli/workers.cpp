// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/workers.h"

#include "analysis/report/source.h"
#include "server/cli/process.h"
#include "server/render/json.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace warpdrf::cli {

static FileReport failed(const std::string &path, const std::string &why) {
  FileReport report;
  report.path = path;
  report.parseErrors.push_back(fileError(path, why));
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
  std::optional<render::RunReport> run = render::fromJson(child.output);
  if (!run || run->files.size() != 1)
    return failed(path, "the checker ended without a result, exit status " +
                            std::to_string(child.exitCode));
  FileReport report = std::move(run->files.front());
  report.findings = std::move(run->findings);
  return report;
}

std::vector<FileReport> checkInWorkers(const std::vector<std::string> &files,
                                       const std::vector<std::string> &arguments, unsigned jobs) {
  std::vector<FileReport> reports(files.size());
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t i; (i = next++) < files.size();)
      reports[i] = checkOne(files[i], arguments);
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(jobs, files.size()); ++i)
    threads.emplace_back(work);
  work();
  threads.clear(); // joins
  return reports;
}

} // namespace warpdrf::cli
