// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker process: its messages, and what happens when it dies. The worker here is this test
// program again, told to run the hidden test case below, which serves the fake checker.
#include "server/worker/messages.h"
#include "server/worker/serve.h"
#include "server/worker/service.h"
#include "tests/lsp/fake_service.h"
#include "tests/support/catch.h"

#include <csignal>
#include <thread>
#include <unistd.h>

using namespace warpdrf;
using namespace warpdrf::worker;

TEST_CASE("serves checks", "[.worker]") {
  protocol::FdInput input(STDIN_FILENO);
  protocol::FdOutput output(STDOUT_FILENO);
  test::FakeService fake;
  serve(input, output, fake);
}

static void ignore(const FileReport &) {}

static std::vector<std::string> asWorker() {
  std::signal(SIGPIPE, SIG_IGN);
  return {"[.worker]", "-o", "/dev/null"};
}

TEST_CASE("a check survives the way to the worker") {
  lsp::Settings settings;
  settings.flags = {"-DX=\"a b\""};
  settings.contract = "smr";
  settings.noToolkit = true;
  auto read = readCheck(
      print(CheckMessage{7, "/ä.cu", "a\nb", settings, true, false, {{"/ä.cuh", "c\nd"}}}));
  REQUIRE(read);
  CHECK(read->number == 7);
  CHECK(read->path == "/ä.cu");
  CHECK(read->text == "a\nb");
  CHECK(read->fixes);
  CHECK(read->unsaved.at("/ä.cuh") == "c\nd");
  CHECK(read->settings.flags == settings.flags);
  CHECK(read->settings.contract == "smr");
  CHECK(read->settings.noToolkit);
  CHECK_FALSE(readCheck(printCancel(7)));
  CHECK_FALSE(readCheck("{"));
  CHECK(readCancel(printCancel(7)) == 7u);
}

TEST_CASE("a report survives the way back, with what hovers need") {
  test::FakeService fake;
  FileReport report =
      fake.check("/a.cu", "kernel f READ SYNC VOTE RACE REDUNDANT BROKEN HEADER HELPER g", {}, {},
                 true, {}, ignore);
  auto read = readDone(print(DoneMessage{3, report, ""}));
  REQUIRE(read);
  CHECK(print(DoneMessage{3, read->report, ""}) == print(DoneMessage{3, report, ""}));
  const SyncSite &vote = read->report.kernels.at(0).sites.at(1);
  CHECK(vote.lanes == 0xffffu);
  CHECK(vote.range.begin == Position{1, 20});
  CHECK(vote.branches.size() == 1);
  CHECK(read->report.kernels.at(0).sites.at(0).orders.size() == 1);
  CHECK(read->report.kernels.at(0).range.end == Position{1, 9});
  CHECK_FALSE(readDone(R"({"done":1,"report":"no"})"));
}

TEST_CASE("checks run in the worker") {
  WorkerService service(asWorker());
  for (int i = 0; i < 3; ++i)
    CHECK(service.check("/a.cu", "kernel f RACE", {}, {}, false, {}, ignore).findings.size() == 1);
}

TEST_CASE("what is known so far comes out of the worker, too") {
  WorkerService service(asWorker());
  std::vector<std::size_t> known;
  const FileReport report =
      service.check("/a.cu", "kernel f STEP RACE STEP RACE", {}, {}, false, {},
                    [&](const FileReport &part) { known.push_back(part.findings.size()); });
  CHECK(known == std::vector<std::size_t>{0, 1});
  CHECK(report.findings.size() == 2);
}

TEST_CASE("a worker that dies costs an error, not the service") {
  WorkerService service(asWorker());
  CHECK_THROWS_WITH(service.check("/a.cu", "kernel f CRASH", {}, {}, false, {}, ignore),
                    ContainsSubstring("failed twice") && ContainsSubstring("Abort"));
  CHECK(service.check("/a.cu", "kernel f RACE", {}, {}, false, {}, ignore).findings.size() == 1);
}

TEST_CASE("a stopped check ends soon, and the worker serves on") {
  WorkerService service(asWorker());
  std::stop_source stop;
  auto start = std::chrono::steady_clock::now();
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  service.check("/a.cu", "kernel f SLOW", {}, {}, false, stop.get_token(), ignore);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
  CHECK(service.check("/a.cu", "kernel f RACE", {}, {}, false, {}, ignore).findings.size() == 1);
}

/// Which process serves: it remembers how many checks it has done (fake_service.h).
static void checkAndStop(WorkerService &service, const std::string &text) {
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  service.check("/a.cu", text, {}, {}, false, stop.get_token(), ignore);
}

static std::size_t checksRemembered(WorkerService &service) {
  return service.check("/a.cu", "kernel f COUNT", {}, {}, false, {}, ignore).kernels.at(0).accesses;
}

TEST_CASE("a worker that does not stop is replaced") {
  WorkerService service(asWorker());
  CHECK(checksRemembered(service) == 0);
  checkAndStop(service, "kernel f STUCK"); // for 60 s, were it waited for
  CHECK(checksRemembered(service) == 0);
}

TEST_CASE("a worker that stops in time keeps what it knows") {
  WorkerService service(asWorker(), std::chrono::seconds(10)); // a busy machine
  CHECK(checksRemembered(service) == 0);
  checkAndStop(service, "kernel f SLOW");
  CHECK(checksRemembered(service) > 0);
}

TEST_CASE("shutting down does not wait for a check that does not stop") {
  auto start = std::chrono::steady_clock::now();
  {
    WorkerService service(asWorker());
    std::stop_source stop;
    std::jthread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop.request_stop();
      service.shutDown();
    });
    service.check("/a.cu", "kernel f STUCK", {}, {}, false, stop.get_token(), ignore);
    CHECK_THROWS_WITH(service.check("/a.cu", "kernel f", {}, {}, false, {}, ignore),
                      ContainsSubstring("shutting down"));
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("a check that throws in the worker is an error, and the worker serves on") {
  WorkerService service(asWorker());
  CHECK_THROWS_WITH(service.check("/a.cu", "THROW", {}, {}, false, {}, ignore),
                    ContainsSubstring("told to fail"));
  CHECK(service.check("/a.cu", "kernel f RACE", {}, {}, false, {}, ignore).findings.size() == 1);
}
