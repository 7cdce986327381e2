// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checker for tests of the server: reports what words in the text say.
//   kernel NAME    a kernel; violated if RACE follows before the next one
//   RACE           a race there, related to every READ before it; fixable by inserting BARRIER;
//   BARRIER        the next RACE is none
//   ALONE          a divergent barrier behind two BARRIERs
//   REDUNDANT      a redundant barrier
//   SYNC           a block barrier that orders READ before RACE
//   VOTE           a collective of lanes 0..15
//   HEADER         a race in the header /nowhere/common.cuh, which the text includes
//   INCLUDE        the text includes /nowhere/common.cuh, and its words if that is unsaved
//   OFF            its line is inactive
//   HELPER NAME    a device function that wants the whole warp
//   UNPROVED, ASM  the kernel before it has that verdict (ASM: unsupported)
//   BROKEN         a parse error; the kernel it follows is not checked
//   THROW          the check fails
//   CRASH          the process dies
//   COUNT          its kernel has as many accesses as there were checks before
//   STEP           what there is so far is told
//   SLOW           the check takes 60 s, or until it is stopped
//   STUCK          the check takes 60 s, stopped or not
#pragma once

#include "server/lsp/check_service.h"
#include "server/lsp/run_service.h"

#include <mutex>

namespace warpdrf::test {

class FakeService : public lsp::CheckService {
public:
  FileReport check(const std::string &path, const std::string &text, const Unsaved &unsaved,
                   const lsp::Settings &settings, bool fixes, std::stop_token stop,
                   const Progress &progress) override;

  /// What was asked so far: the text's first line, "+fixes", "!" if it was stopped.
  std::vector<std::string> log();

private:
  std::mutex mutex;
  std::vector<std::string> calls;
};

/// An interpreter that prints its options, and has chosen an argument. HANG in the text makes it
/// wait until it is stopped, FAIL fails.
class FakeRunService : public lsp::RunService {
public:
  lsp::RunOutcome run(const lsp::RunRequest &request, std::stop_token stop) override;
};

} // namespace warpdrf::test
