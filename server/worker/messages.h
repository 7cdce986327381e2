// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages between server and worker (serve.h), written and read.
#pragma once

#include "server/lsp/check_service.h"

#include <optional>

namespace warpdrf::worker {

struct CheckMessage {
  unsigned number = 0;
  std::string path;
  std::string text;
  lsp::Settings settings;
  bool fixes = false;
  bool parts = false; ///< what is known meanwhile is wanted, too
  lsp::CheckService::Unsaved unsaved;
};

/// A report of the whole, or of what is known so far.
struct DoneMessage {
  unsigned number = 0;
  FileReport report;
  std::string error; ///< why there is no report; else ""
  bool more = false; ///< this is not the last one
};

std::string print(const CheckMessage &message);
std::string print(const DoneMessage &message);
std::string printCancel(unsigned number);

/// Nothing if the text is another message or damaged.
std::optional<CheckMessage> readCheck(const std::string &text);
std::optional<DoneMessage> readDone(const std::string &text);
std::optional<unsigned> readCancel(const std::string &text);

} // namespace warpdrf::worker
