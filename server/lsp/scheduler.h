// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what is checked when. The policy, in full:
//  - One check runs at a time, on one worker thread.
//  - The newest edit wins. Editing a document cancels the check that is running, of whatever
//  document: the
//    user looks at the one being edited. The other one is checked again afterwards.
//  - Opening a document cancels a check of another one only if that has been running for long
//  (`longCheck`),
//    so that a session's worth of files opened at once does not make each restart the one before.
//  - Waiting documents are checked in order of their last edit, latest first.
//  - An edit waits `debounce` before it is checked, so that a burst of keystrokes is one check.
//  Opening and
//    changed settings do not wait.
//  - A header that is edited, or a file on disk that changes, means another check of the open
//  documents that include it; for an edit after a pause of `headerDelay`.
//  - A check has two stages: the report, at once; then, for a report with findings, the fixes, each
//  of which
//    costs a re-check. The second starts when nothing else waits and the user has paused for
//    `fixesDelay`, or when somebody asks.
//  - A probe checks a variation of a document's text for somebody who waits for it. It comes before
//    second stages.
//  - While the first check of an opened document runs, what is known so far is told. Later checks
//  leave what
//    the last one said until they have ended: it would come and go.
//  - A result counts only for the version and settings it was computed for; all others are dropped.
//
// `threads = 0` runs everything in `drain()` on the caller's thread, for deterministic tests.
#pragma once

#include "server/lsp/check_service.h"
#include "server/lsp/document.h"
#include "server/lsp/timer.h"

#include <optional>

namespace warpdrf::lsp {

/// The finished check of a version.
struct Checked {
  Snapshot document;
  FileReport report;
  Settings settings;          ///< those it was computed with
  std::uint64_t sequence = 0; ///< the scheduler's number of that version
  bool withFixes = false;
};
using CheckedPtr = std::shared_ptr<const Checked>;

struct SchedulerOptions {
  unsigned threads = 1; ///< 0 or 1
  std::chrono::milliseconds debounce{30};
  std::chrono::milliseconds fixesDelay{300};
  std::chrono::milliseconds longCheck{3000};
  std::chrono::milliseconds requestWait{3000}; ///< how long a request waits for a check
  std::chrono::milliseconds headerDelay{500};
};

class Scheduler {
public:
  /// Told of what happens. `started` and `ended` surround each first-stage check. `known` (of a
  /// part of the document), `finished` and `failed` are called with the scheduler's lock held, so
  /// that after `close` returns nothing more is said of that document; they must not call back.
  struct Listener {
    std::function<void(const Snapshot &)> started;
    std::function<void(const Snapshot &)> ended;
    std::function<void(const Checked &)> known;
    std::function<void(const Checked &)> finished;
    std::function<void(const Snapshot &, const std::string &reason)> failed;
  };

  Scheduler(CheckService &service, SchedulerOptions options, Listener listener);
  ~Scheduler();

  enum class Cause { Opened, Edited };
  void update(const Snapshot &document, Cause cause);
  void close(const std::string &uri);
  bool knows(const std::string &uri);
  /// New settings, or files outside the editor changed: checks all open documents again.
  void recheckAll(const Settings &settings);
  /// The file's content in an editor; null: it is what is on disk, and `changed` says whether that
  /// is something else than before. To be called before `update`.
  void setUnsaved(const std::string &path, std::shared_ptr<const Text> text, bool changed);
  /// Files on disk changed: checks the open documents again that include one of them.
  void recheckIncluding(const std::vector<std::string> &paths);
  /// Ends the check that runs, and begins no other. Requests that wait are answered when their time
  /// is up.
  void shutDown();
  /// Gives up the running first-stage check of the document, until its next change.
  void cancelCheck(const std::string &uri);

  /// What became of a wait for a check.
  enum class Outcome {
    Ready,      ///< the report is that of the version asked about
    Superseded, ///< the document changed or closed meanwhile
    Unavailable ///< not an open CUDA document, the check failed, or it took too long
  };
  using Callback = std::function<void(Outcome, CheckedPtr)>;
  /// Calls back once: now, if the current version has been checked, else when it has or cannot be.
  /// The thread is the caller's, the worker's or the timer's; the lock is not held.
  void whenChecked(const std::string &uri, bool withFixes, Callback callback);

  /// Checks `text` in place of the text that `of` is the check of; calls back like whenChecked,
  /// with the report of `text`.
  void probe(const CheckedPtr &of, std::string text, Callback callback);

  /// Runs what is due; only with `threads = 0`.
  void drain();

private:
  using Clock = std::chrono::steady_clock;
  struct Waiter {
    bool withFixes;
    Callback callback;
  };
  struct Probe {
    std::string text;
    Callback callback;
  };
  struct Entry {
    Snapshot document;
    std::uint64_t sequence = 0; ///< greater: edited later
    Clock::time_point due;
    bool needsCheck = false;
    bool needsFixes = false;
    bool told = false; ///< of the result of some check since it was opened
    Clock::time_point fixesDue;
    CheckedPtr checked; ///< of the current version and settings, or null
    /// What it included when it was last checked.
    std::optional<std::vector<std::string>> includes;
    std::map<std::uint64_t, Waiter> waiters;
    std::map<std::uint64_t, Probe> probes;
  };
  enum class Stage { Check, Probe, Fixes };
  struct Job {
    std::string uri;
    std::uint64_t sequence;
    Stage stage;
    std::uint64_t probe = 0;
    Clock::time_point start;
    bool abandoned = false; ///< cancelled by the user
    std::stop_source stop;
  };
  using Calls = std::vector<std::function<void()>>;

  void work(std::stop_token stop);
  std::optional<Job> pick(bool ignoreDelays, std::optional<Clock::time_point> &next);
  const Entry *pickFixes(bool ignoreDelays, Clock::time_point &due) const;
  void run(std::unique_lock<std::mutex> &lock, Job job);
  void tellKnown(const Job &job, const Snapshot &document, const FileReport &report);
  void settle(const Job &job, Snapshot document, std::optional<FileReport> report,
              const std::string &failure, Calls &calls);
  void settleProbe(const Job &job, Snapshot document, std::optional<FileReport> report,
                   Calls &calls);
  void supersede(Entry &entry, Calls &calls);
  void outdate(Entry &entry, Clock::time_point due, Calls &calls);
  void outdateIncluding(const std::string &path, Clock::time_point due, Calls &calls);
  void stopRunning();
  bool makesWayForOpened(const Job &job, const std::string &uri) const;
  void wake();
  void awaitAnswer(std::unique_lock<std::mutex> &lock, const std::string &uri, std::uint64_t id);
  void timeOut(const std::string &uri, std::uint64_t waiter);

  CheckService &service;
  const SchedulerOptions options;
  const Listener listener;

  std::mutex mutex; ///< guards what follows
  std::condition_variable_any changed;
  std::map<std::string, Entry> entries;                       ///< by URI
  std::map<std::string, std::shared_ptr<const Text>> unsaved; ///< by path
  Settings settings;
  std::uint64_t lastSequence = 0, lastWaiter = 0;
  std::optional<Job> running;
  bool ended = false;     ///< shut down
  bool attention = false; ///< something changed since the worker last looked
  // Last, because their threads use the others; the worker is joined first.
  Timer timer;
  std::jthread worker;
};

} // namespace warpdrf::lsp
