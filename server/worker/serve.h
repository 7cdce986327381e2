// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker's end: a process that does nothing but check files for the language server, so that a
// crash in Clang or the solver costs a retry and not the editor's session. The server's end is
// service.h.
//
// Both speak framed JSON over pipes, one check at a time:
//   server: {"check": N, "path", "text", "settings", "fixes"}   {"cancel": N}
//   worker: {"done": N, "report": "…"} or {"done": N, "error": "…"}, only when the check has really
//   ended; the report of a cancelled check is meaningless
#pragma once

#include "protocol/framing.h"
#include "server/lsp/check_service.h"

namespace warpdrf::worker {

/// Serves until the input ends, then leaves the process at once: a check may be running.
[[noreturn]] void serve(protocol::Input &input, protocol::Output &output,
                        lsp::CheckService &service);

} // namespace warpdrf::worker
