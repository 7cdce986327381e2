// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report's kernels and primitives as the reader of the text sees them: instantiations of a
// template share their place.
#pragma once

#include "server/lsp/convert.h"

namespace warpdrf::lsp {

/// The instantiations of one kernel; at least one.
using Instances = std::vector<const KernelReport *>;

/// The kernels of the document itself, in the order of their places.
std::vector<Instances> kernelsHere(const FileReport &report, const Places &places);

/// "violated", or "3 instantiations: 2 ok, 1 violated".
std::string verdictInWords(const Instances &instances);

/// One primitive or barrier in the document, from whatever kernels reach it.
struct Site {
  const SyncSite *site;
  bool agreed = true; ///< all say the same of the participants
};
std::vector<Site> sitesHere(const FileReport &report, const Places &places);

/// Does less than the complete group take part, or is that unknown?
bool isPartial(const SyncSite &site);

} // namespace warpdrf::lsp
