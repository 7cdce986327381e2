// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/run_queue.h"

namespace warpdrf::lsp {

RunQueue::RunQueue(RunService &service, Progress &progress)
    : service(service), progress(progress), thread([this](std::stop_token stop) { work(stop); }) {}

RunQueue::~RunQueue() {
  shutDown();
  thread = {}; // stops and joins before the state goes
}

void RunQueue::add(const Snapshot &document, RunRequest request, std::stop_token cancelled,
                   Done done) {
  {
    std::lock_guard lock(mutex);
    if (!ended && waiting.size() < mostWaiting) {
      waiting.push_back({document, std::move(request), std::move(cancelled), std::move(done)});
      changed.notify_all();
      return;
    }
  }
  done({"too many runs wait already", "", ""});
}

void RunQueue::stopRunning() {
  std::lock_guard lock(mutex);
  if (running)
    running->request_stop();
}

void RunQueue::shutDown() {
  std::deque<Job> dropped;
  {
    std::lock_guard lock(mutex);
    ended = true;
    if (running)
      running->request_stop();
    dropped.swap(waiting);
  }
  for (const Job &job : dropped)
    job.done({"the server is shutting down", "", ""});
}

void RunQueue::work(std::stop_token stop) {
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    if (waiting.empty()) {
      changed.wait(lock, stop, [&] { return !waiting.empty(); });
      continue;
    }
    Job job = std::move(waiting.front());
    waiting.pop_front();
    std::stop_source source;
    running = source;
    lock.unlock();
    run(job, source);
    lock.lock();
    running.reset();
  }
}

void RunQueue::run(Job &job, std::stop_source &stop) {
  if (job.cancelled.stop_requested())
    return;
  std::stop_callback link(job.cancelled, [&] { stop.request_stop(); });
  progress.started(job.document);
  RunOutcome outcome;
  try {
    outcome = service.run(job.request, stop.get_token());
  } catch (const std::exception &error) {
    outcome.failure = error.what();
  }
  progress.ended();
  if (stop.stop_requested())
    outcome.failure = "cancelled";
  try {
    job.done(outcome);
  } catch (const std::exception &error) { // what a run prints may be anything
    job.done({std::string("the run's result cannot be read: ") + error.what(), "", ""});
  }
}

} // namespace warpdrf::lsp
