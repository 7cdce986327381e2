// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the commands of workspace/executeCommand (commands.h), for those who offer them.
#pragma once

namespace warpdrf::lsp {

inline constexpr const char *explainCommand = "warpdrf.explain";
inline constexpr const char *runInInterpreterCommand = "warpdrf.runInInterpreter";
inline constexpr const char *showWitnessCommand = "warpdrf.showWitness";

} // namespace warpdrf::lsp
