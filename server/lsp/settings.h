// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's settings, from `initializationOptions` and `workspace/didChangeConfiguration`; either
// the keys themselves or an object `warpdrf` that holds them.
#pragma once

#include "protocol/decode.h"

namespace warpdrf::lsp {

struct Settings {
  std::vector<std::string> flags; ///< appended to the compile command, as after `--`
  std::string arch;               ///< "sm_80"; "" leaves it to the compile command
  std::string contract = "cuda";  ///< cuda, smr, fmr
  bool strict = false;            ///< masks as in the paper
  bool noToolkit = false;         ///< use the bundled CUDA declarations
  bool showParseErrors = false;   ///< each of them, instead of one summary
  bool inlayHints = true;         ///< who takes part, where that is not the whole warp
  bool divergentCode = false;     ///< drawn differently, by semantic tokens

  bool operator==(const Settings &) const = default;
};

/// Reads over the defaults. A wrong value is an error in `error` and leaves its default; the others
/// still count.
Settings settingsFromJson(const protocol::Json &json, std::string &error);
protocol::Json settingsToJson(const Settings &settings);

} // namespace warpdrf::lsp
