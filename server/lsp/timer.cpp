// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sleeps until the earliest deadline.
#include "server/lsp/timer.h"

namespace warpdrf::lsp {

Timer::Timer() : thread([this](std::stop_token stop) { run(stop); }) {}

Timer::~Timer() = default;

void Timer::after(std::chrono::milliseconds delay, std::function<void()> function) {
  std::lock_guard lock(mutex);
  pending.emplace(Clock::now() + delay, std::move(function));
  changed.notify_all();
}

void Timer::run(std::stop_token stop) {
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    if (pending.empty()) {
      changed.wait(lock, stop, [&] { return !pending.empty(); });
      continue;
    }
    auto first = pending.begin();
    if (Clock::time_point due = first->first; due > Clock::now()) {
      changed.wait_until(lock, stop, due,
                         [&] { return !pending.empty() && pending.begin()->first < due; });
      continue;
    }
    std::function<void()> function = std::move(first->second);
    pending.erase(first);
    lock.unlock();
    function();
    lock.lock();
  }
}

} // namespace warpdrf::lsp
