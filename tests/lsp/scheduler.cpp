// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler's policy, told in scheduler.h, with a checker that records what it is asked.
#include "server/lsp/scheduler.h"
#include "tests/lsp/fake_service.h"
#include "tests/support/catch.h"

#include <atomic>

using namespace warpdrf;
using namespace warpdrf::lsp;
using test::FakeService;

namespace {

Snapshot document(const std::string &name, int version, const std::string &text) {
  return {"file:///" + name, "/" + name, version, std::make_shared<const Text>(text)};
}

/// A scheduler that counts; `finished` holds "name version", with "+fixes" for the second stage.
struct Bench {
  explicit Bench(unsigned threads, std::chrono::milliseconds fixesDelay = std::chrono::hours(1))
      : scheduler(service,
                  {threads, std::chrono::milliseconds(5), fixesDelay,
                   std::chrono::milliseconds(100), std::chrono::seconds(10)},
                  listener()) {}

  Scheduler::Listener listener() {
    Scheduler::Listener out;
    out.started = [this](const Snapshot &) { ++started; };
    out.ended = [](const Snapshot &) {};
    out.known = [this](const Checked &checked) {
      std::lock_guard lock(mutex);
      finished.push_back(checked.document.path + " part");
    };
    out.finished = [this](const Checked &checked) {
      std::lock_guard lock(mutex);
      finished.push_back(checked.document.path + " " +
                         std::to_string(checked.document.version.value_or(-1)) +
                         (checked.withFixes ? "+fixes" : ""));
    };
    out.failed = [this](const Snapshot &, const std::string &reason) {
      std::lock_guard lock(mutex);
      finished.push_back("failed: " + reason);
    };
    return out;
  }

  bool waitUntil(const std::function<bool()> &condition) {
    for (int i = 0; i < 1000 && !condition(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return condition();
  }
  std::vector<std::string> done() {
    std::lock_guard lock(mutex);
    return finished;
  }

  FakeService service;
  std::atomic<int> started = 0;
  std::mutex mutex;
  std::vector<std::string> finished;
  Scheduler scheduler; ///< last: it calls back into the others
};

using Strings = std::vector<std::string>;

} // namespace

TEST_CASE("without threads nothing runs before drain, then the latest first") {
  Bench bench(0);
  bench.scheduler.update(document("a.cu", 1, "kernel a"), Scheduler::Cause::Opened);
  bench.scheduler.update(document("b.cu", 1, "kernel b"), Scheduler::Cause::Opened);
  bench.scheduler.update(document("a.cu", 2, "kernel a"), Scheduler::Cause::Edited);
  CHECK(bench.done().empty());
  bench.scheduler.drain();
  CHECK(bench.done() == Strings{"/a.cu 2+fixes", "/b.cu 1+fixes"});
}

TEST_CASE("what is known so far is told of a document that was opened, not of an edit") {
  Bench bench(0);
  bench.scheduler.update(document("a.cu", 1, "kernel a STEP"), Scheduler::Cause::Opened);
  bench.scheduler.drain();
  bench.scheduler.update(document("a.cu", 2, "kernel a STEP"), Scheduler::Cause::Edited);
  bench.scheduler.drain();
  CHECK(bench.done() == Strings{"/a.cu part", "/a.cu 1+fixes", "/a.cu 2+fixes"});
}

TEST_CASE("fixes are a second stage, when asked for") {
  Bench bench(0);
  bench.scheduler.update(document("a.cu", 1, "RACE"), Scheduler::Cause::Opened);
  bench.scheduler.drain();
  CHECK(bench.done() == Strings{"/a.cu 1"});
  bool asked = false;
  bench.scheduler.whenChecked("file:///a.cu", true, [&](auto outcome, CheckedPtr checked) {
    asked = true;
    CHECK(outcome == Scheduler::Outcome::Ready);
    CHECK(checked->report.findings.at(0).fixes.size() == 1);
  });
  CHECK(asked);
  CHECK(bench.service.log() == Strings{"RACE", "RACE+fixes"});
}

TEST_CASE("an edit stops the running check, of whatever document") {
  Bench bench(1);
  bench.scheduler.update(document("a.cu", 1, "SLOW a"), Scheduler::Cause::Opened);
  REQUIRE(bench.waitUntil([&] { return bench.started == 1; }));
  bench.scheduler.update(document("b.cu", 2, "kernel b"), Scheduler::Cause::Edited);
  REQUIRE(bench.waitUntil([&] { return !bench.done().empty(); }));
  CHECK(bench.done() == Strings{"/b.cu 2+fixes"});
  // The first one is checked again.
  REQUIRE(bench.waitUntil([&] { return bench.started >= 3; }));
  CHECK(bench.service.log().at(0) == "SLOW a!");
}

TEST_CASE("opening waits for a short check, and stops a long one") {
  Bench bench(1);
  bench.scheduler.update(document("a.cu", 1, "SLOW a"), Scheduler::Cause::Opened);
  REQUIRE(bench.waitUntil([&] { return bench.started == 1; }));
  bench.scheduler.update(document("b.cu", 1, "kernel b"), Scheduler::Cause::Opened);
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  CHECK(bench.done().empty());
  bench.scheduler.update(document("c.cu", 1, "kernel c"), Scheduler::Cause::Opened);
  REQUIRE(bench.waitUntil([&] { return bench.done().size() == 2; }));
  CHECK(bench.done() == Strings{"/c.cu 1+fixes", "/b.cu 1+fixes"});
}

TEST_CASE("a burst of edits is one check") {
  Bench bench(1);
  for (int version = 1; version <= 20; ++version)
    bench.scheduler.update(document("a.cu", version, "kernel a"), Scheduler::Cause::Edited);
  REQUIRE(bench.waitUntil([&] { return !bench.done().empty(); }));
  CHECK(bench.done() == Strings{"/a.cu 20+fixes"});
  CHECK(bench.service.log().size() == 1);
}

TEST_CASE("fixes come by themselves after a pause") {
  Bench bench(1, std::chrono::milliseconds(1));
  bench.scheduler.update(document("a.cu", 1, "RACE"), Scheduler::Cause::Opened);
  REQUIRE(bench.waitUntil([&] { return bench.done().size() == 2; }));
  CHECK(bench.done() == Strings{"/a.cu 1", "/a.cu 1+fixes"});
}

TEST_CASE("waits end when the document changes or closes") {
  Bench bench(0);
  Strings outcomes;
  auto note = [&](Scheduler::Outcome outcome, CheckedPtr) {
    outcomes.push_back(outcome == Scheduler::Outcome::Ready        ? "ready"
                       : outcome == Scheduler::Outcome::Superseded ? "superseded"
                                                                   : "unavailable");
  };
  bench.scheduler.whenChecked("file:///a.cu", false, note);
  bench.scheduler.update(document("a.cu", 1, "THROW"), Scheduler::Cause::Opened);
  bench.scheduler.whenChecked("file:///a.cu", false, note); // runs the check, which fails
  bench.scheduler.whenChecked("file:///a.cu", false, note);
  CHECK(outcomes == Strings{"unavailable", "unavailable", "unavailable"});
  CHECK(bench.done() == Strings{"failed: the fake was told to fail"});
}

TEST_CASE("new settings check everything again") {
  Bench bench(0);
  bench.scheduler.update(document("a.cu", 1, "kernel a"), Scheduler::Cause::Opened);
  bench.scheduler.update(document("b.cu", 1, "kernel b"), Scheduler::Cause::Opened);
  bench.scheduler.drain();
  bench.scheduler.recheckAll({});
  bench.scheduler.drain();
  CHECK(bench.service.log() == Strings{"kernel b", "kernel a", "kernel b", "kernel a"});
}

TEST_CASE("an edited header has that checked again which includes it") {
  Bench bench(0);
  bench.scheduler.update(document("a.cu", 1, "kernel a INCLUDE"), Scheduler::Cause::Opened);
  bench.scheduler.update(document("b.cu", 1, "kernel b"), Scheduler::Cause::Opened);
  bench.scheduler.update(document("c.cu", 1, "THROW c"), Scheduler::Cause::Opened);
  bench.scheduler.drain();
  const Strings first = {"kernel b", "kernel a INCLUDE"}; // it notes no failures
  CHECK(bench.service.log() == first);
  auto edit = [&](const std::string &text, bool changed) {
    bench.scheduler.setUnsaved("/nowhere/common.cuh", std::make_shared<const Text>(text), changed);
    bench.scheduler.drain();
    return bench.service.log().size() - first.size();
  };
  CHECK(edit("RACE", true) == 1);
  CHECK(bench.done().back() == "/a.cu 1");
  CHECK(edit("RACE", false) == 1);
  bench.scheduler.recheckIncluding({"/nowhere/other.cu"});
  bench.scheduler.drain();
  CHECK(edit("", true) == 2);
  CHECK(bench.done().back() == "/a.cu 1+fixes");
}
