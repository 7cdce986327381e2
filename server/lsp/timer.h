// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread that calls functions later: deadlines of waiting requests, the start of progress.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace warpdrf::lsp {

/// Thread-safe. Functions run on the timer's thread, so they must be short.
class Timer {
public:
  Timer();
  ~Timer(); ///< pending functions are dropped
  void after(std::chrono::milliseconds delay, std::function<void()> function);

private:
  using Clock = std::chrono::steady_clock;
  void run(std::stop_token stop);

  std::mutex mutex;
  std::condition_variable_any changed;
  std::multimap<Clock::time_point, std::function<void()>> pending;
  std::jthread thread; ///< last: it uses the others
};

} // namespace warpdrf::lsp
