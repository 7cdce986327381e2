// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policy is told in scheduler.h. A pattern used throughout: callbacks of waiting requests are
// collected under the lock and called after it is released, since they may ask the scheduler again.
#include "server/lsp/scheduler.h"

#include <algorithm>

namespace warpdrf::lsp {

static void callAll(std::vector<std::function<void()>> &calls) {
  for (auto &call : calls)
    call();
  calls.clear();
}

Scheduler::Scheduler(CheckService &service, SchedulerOptions options, Listener listener)
    : service(service), options(options), listener(std::move(listener)) {
  if (options.threads > 0)
    worker = std::jthread([this](std::stop_token stop) { work(stop); });
}

Scheduler::~Scheduler() {
  shutDown();
  worker = {}; // stops and joins before the state goes
}

void Scheduler::shutDown() {
  {
    std::lock_guard lock(mutex);
    ended = true;
    stopRunning();
  }
  service.shutDown();
}

void Scheduler::stopRunning() {
  if (running)
    running->stop.request_stop();
}

void Scheduler::wake() {
  attention = true;
  changed.notify_all();
}

/// Ends all waits for the entry's present version.
void Scheduler::supersede(Entry &entry, Calls &calls) {
  for (auto &[id, waiter] : entry.waiters)
    calls.push_back(
        [callback = std::move(waiter.callback)] { callback(Outcome::Superseded, nullptr); });
  for (auto &[id, probe] : entry.probes)
    calls.push_back(
        [callback = std::move(probe.callback)] { callback(Outcome::Superseded, nullptr); });
  entry.waiters.clear();
  entry.probes.clear();
  entry.checked = nullptr;
  entry.needsFixes = false;
}

/// The document is to be checked once more, though its text is the same.
void Scheduler::outdate(Entry &entry, Clock::time_point due, Calls &calls) {
  supersede(entry, calls);
  // A new number, so that a check begun under other circumstances is recognised as outdated.
  entry.sequence = ++lastSequence;
  entry.needsCheck = true;
  entry.due = due;
  if (running && running->uri == entry.document.uri)
    stopRunning();
}

void Scheduler::outdateIncluding(const std::string &path, Clock::time_point due, Calls &calls) {
  std::map<std::uint64_t, Entry *> byAge;
  for (auto &[uri, entry] : entries) {
    // Of a document that was never checked nobody knows.
    const bool does =
        !entry.includes || std::ranges::find(*entry.includes, path) != entry.includes->end();
    if (does && entry.document.path != path)
      byAge[entry.sequence] = &entry;
  }
  for (auto &[age, entry] : byAge)
    outdate(*entry, due, calls);
}

void Scheduler::setUnsaved(const std::string &path, std::shared_ptr<const Text> text,
                           bool isChanged) {
  Calls calls;
  {
    std::lock_guard lock(mutex);
    if (text)
      unsaved[path] = std::move(text);
    else
      unsaved.erase(path);
    if (isChanged)
      outdateIncluding(path, Clock::now() + options.headerDelay, calls);
    wake();
  }
  callAll(calls);
}

void Scheduler::recheckIncluding(const std::vector<std::string> &paths) {
  Calls calls;
  {
    std::lock_guard lock(mutex);
    for (const std::string &path : paths)
      outdateIncluding(path, Clock::now(), calls);
    wake();
  }
  callAll(calls);
}

bool Scheduler::makesWayForOpened(const Job &job, const std::string &uri) const {
  return job.stage != Stage::Check || job.uri == uri ||
         Clock::now() - job.start > options.longCheck;
}

void Scheduler::update(const Snapshot &document, Cause cause) {
  Calls calls;
  {
    std::lock_guard lock(mutex);
    Entry &entry = entries[document.uri];
    supersede(entry, calls);
    entry.document = document;
    entry.sequence = ++lastSequence;
    entry.needsCheck = true;
    entry.due = Clock::now();
    bool edited = cause == Cause::Edited;
    entry.told &= edited;
    if (edited)
      entry.due += options.debounce;
    if (edited || (running && makesWayForOpened(*running, document.uri)))
      stopRunning();
    wake();
  }
  callAll(calls);
}

void Scheduler::close(const std::string &uri) {
  Calls calls;
  {
    std::lock_guard lock(mutex);
    auto it = entries.find(uri);
    if (it == entries.end())
      return;
    supersede(it->second, calls);
    entries.erase(it);
    if (running && running->uri == uri)
      stopRunning();
  }
  callAll(calls);
}

bool Scheduler::knows(const std::string &uri) {
  std::lock_guard lock(mutex);
  return entries.contains(uri);
}

void Scheduler::recheckAll(const Settings &newSettings) {
  Calls calls;
  {
    std::lock_guard lock(mutex);
    settings = newSettings;
    std::map<std::uint64_t, Entry *> byAge;
    for (auto &[uri, entry] : entries)
      byAge[entry.sequence] = &entry;
    for (auto &[age, entry] : byAge)
      outdate(*entry, Clock::now(), calls);
    stopRunning();
    wake();
  }
  callAll(calls);
}

void Scheduler::cancelCheck(const std::string &uri) {
  std::lock_guard lock(mutex);
  if (running && running->uri == uri && running->stage == Stage::Check) {
    running->abandoned = true;
    stopRunning();
  }
}

void Scheduler::whenChecked(const std::string &uri, bool withFixes, Callback callback) {
  std::unique_lock lock(mutex);
  auto it = entries.find(uri);
  if (it == entries.end() || (!it->second.checked && !it->second.needsCheck)) {
    lock.unlock();
    return callback(Outcome::Unavailable, nullptr);
  }
  Entry &entry = it->second;
  if (entry.checked && (!withFixes || entry.checked->withFixes)) {
    CheckedPtr checked = entry.checked;
    lock.unlock();
    return callback(Outcome::Ready, checked);
  }
  std::uint64_t id = ++lastWaiter;
  entry.waiters[id] = {withFixes, std::move(callback)};
  awaitAnswer(lock, uri, id);
}

void Scheduler::probe(const CheckedPtr &of, std::string text, Callback callback) {
  const std::string &uri = of->document.uri;
  std::unique_lock lock(mutex);
  auto it = entries.find(uri);
  if (it == entries.end() || it->second.sequence != of->sequence) {
    lock.unlock();
    return callback(Outcome::Superseded, nullptr);
  }
  std::uint64_t id = ++lastWaiter;
  it->second.probes[id] = {std::move(text), std::move(callback)};
  if (running && running->stage == Stage::Fixes)
    stopRunning();
  awaitAnswer(lock, uri, id);
}

/// Lets the work begin; the request with this id is answered in bounded time, whatever becomes of
/// it.
void Scheduler::awaitAnswer(std::unique_lock<std::mutex> &lock, const std::string &uri,
                            std::uint64_t id) {
  wake();
  lock.unlock();
  if (options.threads == 0)
    drain();
  else
    timer.after(options.requestWait, [this, uri, id] { timeOut(uri, id); });
}

void Scheduler::timeOut(const std::string &uri, std::uint64_t id) {
  std::unique_lock lock(mutex);
  auto entry = entries.find(uri);
  if (entry == entries.end())
    return;
  Callback callback;
  CheckedPtr checked;
  if (auto waiter = entry->second.waiters.extract(id)) {
    callback = std::move(waiter.mapped().callback);
    checked = entry->second.checked; // a report without fixes is better than nothing
  } else if (auto probe = entry->second.probes.extract(id)) {
    callback = std::move(probe.mapped().callback);
  }
  lock.unlock();
  if (callback)
    callback(checked ? Outcome::Ready : Outcome::Unavailable, checked);
}

/// The next job, if it is due; else `next` is when it will be (if there is one). The document
/// edited last goes first even while it waits for its debounce: a check begun meanwhile would only
/// be in its way.
std::optional<Scheduler::Job> Scheduler::pick(bool ignoreDelays,
                                              std::optional<Clock::time_point> &next) {
  if (ended)
    return std::nullopt;
  const Entry *best = nullptr, *probed = nullptr;
  for (const auto &[uri, entry] : entries) {
    if (entry.needsCheck && (!best || entry.sequence > best->sequence))
      best = &entry;
    if (!entry.probes.empty())
      probed = &entry;
  }
  Job job;
  Clock::time_point due;
  if (best) {
    job.stage = Stage::Check;
    due = best->due;
  } else if (probed) {
    best = probed;
    job.stage = Stage::Probe;
    job.probe = probed->probes.begin()->first;
  } else {
    best = pickFixes(ignoreDelays, due);
    job.stage = Stage::Fixes;
  }
  if (!best)
    return std::nullopt;
  if (!ignoreDelays && due > Clock::now()) {
    next = due;
    return std::nullopt;
  }
  job.uri = best->document.uri;
  job.sequence = best->sequence;
  return job;
}

/// The document whose second stage is due first.
const Scheduler::Entry *Scheduler::pickFixes(bool ignoreDelays, Clock::time_point &due) const {
  const Entry *best = nullptr;
  for (const auto &[uri, entry] : entries) {
    bool asked = std::any_of(entry.waiters.begin(), entry.waiters.end(),
                             [](const auto &waiter) { return waiter.second.withFixes; });
    // Without a worker nobody pauses: fixes are computed when asked for.
    if (!entry.needsFixes || (ignoreDelays && !asked))
      continue;
    Clock::time_point when = asked ? Clock::time_point() : entry.fixesDue;
    if (!best || when < due) {
      best = &entry;
      due = when;
    }
  }
  return best;
}

/// Runs one check with the lock released.
void Scheduler::run(std::unique_lock<std::mutex> &lock, Job job) {
  const Entry &entry = entries[job.uri];
  Snapshot document = entry.document;
  if (job.stage == Stage::Probe)
    document.text = std::make_shared<const Text>(entry.probes.at(job.probe).text);
  Settings with = settings;
  CheckService::Unsaved others;
  for (const auto &[path, text] : unsaved)
    if (path != document.path)
      others[path] = text->str();
  CheckService::Progress tell;
  if (job.stage == Stage::Check && !entry.told)
    tell = [&](const FileReport &known) { tellKnown(job, document, known); };
  job.start = Clock::now();
  running = job;
  lock.unlock();

  if (job.stage == Stage::Check)
    listener.started(document);
  std::optional<FileReport> report;
  std::string failure;
  try {
    report = service.check(document.path, document.text->str(), others, with,
                           job.stage == Stage::Fixes, job.stop.get_token(), tell);
  } catch (const std::exception &error) {
    failure = error.what();
  }
  if (job.stage == Stage::Check)
    listener.ended(document);

  Calls calls;
  lock.lock();
  job.abandoned = running->abandoned;
  running.reset();
  settle(job, std::move(document), std::move(report), failure, calls);
  lock.unlock();
  callAll(calls);
  lock.lock();
}

void Scheduler::tellKnown(const Job &job, const Snapshot &document, const FileReport &report) {
  std::lock_guard lock(mutex);
  auto it = entries.find(job.uri);
  if (it == entries.end() || it->second.sequence != job.sequence || job.stop.stop_requested())
    return;
  listener.known({document, report, settings, job.sequence, false});
}

/// Whether the second stage could find anything: fixes are for warnings and errors.
static bool fixable(const FileReport &report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding &finding) {
    return !finding.suppressed && finding.severity >= Severity::Warning;
  });
}

/// Files the result, if the document is still what it was computed for.
void Scheduler::settle(const Job &job, Snapshot document, std::optional<FileReport> report,
                       const std::string &failure, Calls &calls) {
  auto it = entries.find(job.uri);
  if (it == entries.end() || it->second.sequence != job.sequence)
    return;
  Entry &entry = it->second;
  bool stopped = job.stop.stop_requested();
  if (stopped && !job.abandoned)
    return; // it made way for something more urgent, and is still marked as needed
  if (job.stage == Stage::Probe)
    return settleProbe(job, std::move(document), std::move(report), calls);
  bool first = job.stage == Stage::Check;
  (first ? entry.needsCheck : entry.needsFixes) = false;
  entry.told = true;

  if (report && !stopped) {
    auto checked = std::make_shared<Checked>();
    checked->document = std::move(document);
    checked->report = std::move(*report);
    checked->settings = settings;
    checked->sequence = job.sequence;
    checked->withFixes = !first || !fixable(checked->report);
    entry.checked = checked;
    entry.includes = checked->report.includes;
    entry.needsFixes = !checked->withFixes;
    entry.fixesDue = Clock::now() + options.fixesDelay;
    listener.finished(*checked);
  } else if (first) {
    entry.includes.emplace(); // not again and again, while another document is edited
    listener.failed(document, stopped ? "cancelled" : failure);
  }
  for (auto waiter = entry.waiters.begin(); waiter != entry.waiters.end();) {
    // A failed second stage leaves the first one's report, which serves as well as can be.
    if (entry.checked && waiter->second.withFixes && entry.needsFixes) {
      ++waiter;
      continue;
    }
    calls.push_back([callback = std::move(waiter->second.callback), checked = entry.checked] {
      callback(checked ? Outcome::Ready : Outcome::Unavailable, checked);
    });
    waiter = entry.waiters.erase(waiter);
  }
}

void Scheduler::settleProbe(const Job &job, Snapshot document, std::optional<FileReport> report,
                            Calls &calls) {
  auto probe = entries[job.uri].probes.extract(job.probe);
  if (!probe)
    return; // it took too long, and was answered
  std::shared_ptr<Checked> checked;
  if (report) {
    checked = std::make_shared<Checked>();
    checked->document = std::move(document);
    checked->report = std::move(*report);
    checked->settings = settings;
  }
  calls.push_back([callback = std::move(probe.mapped().callback), checked] {
    callback(checked ? Outcome::Ready : Outcome::Unavailable, checked);
  });
}

void Scheduler::work(std::stop_token stop) {
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    std::optional<Clock::time_point> next;
    attention = false;
    if (auto job = pick(false, next))
      run(lock, std::move(*job));
    else if (next)
      changed.wait_until(lock, stop, *next, [&] { return attention; });
    else
      changed.wait(lock, stop, [&] { return attention; });
  }
}

void Scheduler::drain() {
  std::unique_lock lock(mutex);
  std::optional<Clock::time_point> next;
  while (auto job = pick(true, next))
    run(lock, std::move(*job));
}

} // namespace warpdrf::lsp
