// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where things lie on this machine: a CUDA toolkit, our own bundled declarations, Clang's built-in
// headers. Only looks at files; never runs any of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

/// The root of a CUDA toolkit, i.e. a folder with include/cuda_runtime.h: what the command says
/// (`asked`, from --cuda-path or the configuration), beside the compiler it names (`compiler`,
/// argv[0] of an nvcc command, may be a bare name), then the environment, the usual places and
/// PATH. Empty if there is none, or WARPDRF_NO_TOOLKIT is set to 1. A root that was asked for but
/// is no toolkit is noted.
std::optional<std::string> findToolkit(const std::optional<std::string> &asked,
                                       const std::string &compiler, const std::string &directory,
                                       std::vector<std::string> &notes);

/// CUDA_VERSION of a toolkit's headers, e.g. 12040 for 12.4; 0 if they do not say.
unsigned toolkitVersion(const std::string &root);

/// Our declarations of CUDA for machines without a toolkit; the entry header is warpdrf_cuda.h.
std::string bundledIncludeDir();

/// What nvcc has and Clang's CUDA headers lack, for use with a toolkit: warpdrf_nvcc_shim.h. A
/// folder of its own, because the bundled declarations would shadow the toolkit's.
std::string shimIncludeDir();

/// Clang's built-in headers (stddef.h, __clang_cuda_*.h).
std::string clangResourceDir();

} // namespace warpdrf::frontend
