// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks files in parallel, each in a process of its own.
#pragma once

#include "analysis/report/report.h"

namespace warpdrf::cli {

class StoredResults;

/// Checks each file by `warpdrf check --worker FILE` and the arguments of this run, `jobs` at a
/// time. The reports are in the order of the files; one whose worker failed has that as its parse
/// error. A file with a result in `stored`, if that is not null, needs no worker.
std::vector<FileReport> checkInWorkers(const std::vector<std::string> &files,
                                       const std::vector<std::string> &arguments, unsigned jobs,
                                       StoredResults *stored);

} // namespace warpdrf::cli
