#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# shim.sh CLANG: compiles the kernels of families/ with a real toolkit and the shim, as the front end does
# where it finds one; and what the shim adds must fail without it, or it is not needed any more. Run from
# the repository's root.
set -u
clang=$1
toolkit=${CUDA_PATH:-${CUDA_HOME:-/usr/local/cuda}}
command -v "$clang" >/dev/null || { echo "SKIPPED: no $clang"; exit 77; }
[ -f "$toolkit/include/cuda_runtime.h" ] || { echo "SKIPPED: no CUDA toolkit"; exit 77; }

compile() {
  "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 "--cuda-path=$toolkit" \
    -isystem "$toolkit/include/cccl" -fsyntax-only -w -std=c++17 "$@"
}

failed=0
for file in tests/headers/families/*.cu tests/headers/shim.cu; do
  compile -isystem analysis/frontend/include_toolkit -include warpdrf_nvcc_shim.h "$file" ||
    { echo "FAILED: $file with the toolkit and the shim"; failed=1; }
done
if compile tests/headers/shim.cu 2>/dev/null; then
  echo "FAILED: tests/headers/shim.cu compiles without the shim"
  failed=1
fi
exit $failed
