#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compile.sh PROGRAM CLANG: the device code of raised CUDA and HIP tests compiles, on declarations of our own;
# HLSL does so where there is glslangValidator.
# Run from the repository's root.
set -u
program=$1 clang=$2
command -v "$clang" >/dev/null || { echo "SKIPPED: no $clang"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

failed=0
check() { "$@" || { echo "FAILED: $*"; failed=1; }; }
check "$program" fuzz --seed 0 --count 10 --contract fmr -o "$folder"
for test in "$folder"/*.mlir; do
  check "$program" raise --to cuda -o "$folder" "$test"
  check "$program" raise --to hip -o "$folder" "$test"
  check "$program" raise --to hlsl -o "$folder" "$test"
done
for architecture in sm_75 sm_90; do
  for test in "$folder"/*.cu; do
    check "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=$architecture -nocudainc -nocudalib \
      -isystem analysis/frontend/include -include warpdrf_cuda.h -O2 -S -o "$test.s" \
      -Wno-unknown-cuda-version "$test"
  done
done
for test in "$folder"/*.hip; do
  check "$clang" -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -fdeclspec \
    -I tests/conformance -O2 -S -o "$test.s" "$test"
done
if command -v glslangValidator >/dev/null; then
  for test in "$folder"/*.hlsl; do
    check glslangValidator -D --target-env vulkan1.1 -S comp -e main "$test" -o "$test.spv"
  done
else
  echo "HLSL is not compiled: no glslangValidator"
fi
exit $failed
