// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf/status`, our one notification beyond LSP: what is known of a document's check, for a
// status bar.
//   { uri, version, state: "checking" | "checked" | "failed", message?,
//     kernels, ok, violated, unproved, unsupported, arch, commandSource, timeMs }
// The counts are there once checked; `message` says why a check failed.
#pragma once

#include "server/lsp/scheduler.h"

namespace warpdrf::lsp {

inline constexpr const char *statusMethod = "warpdrf/status";

protocol::Json statusChecking(const Snapshot &document);
protocol::Json statusChecked(const Checked &checked);
protocol::Json statusFailed(const Snapshot &document, const std::string &message);

} // namespace warpdrf::lsp
