#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/mutate-barriers on a tree of two files: what is noticed, what is not and why; that it goes on where it was,
# and leaves the tree alone. Run from the repository's root.
set -u
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tree" "$folder/tree/.git"

cat >"$folder/tree/sum.cuh" <<'END'
__device__ int sum(int *s, int v) {
  s[threadIdx.x] = v;
  __syncthreads();
  int total = 0;
  for (int i = 0; i < 64; ++i) total += s[i];
  return total;
}
END
cat >"$folder/tree/k.cu" <<'END'
#include "sum.cuh"
// __syncthreads();
__global__ void needed(int *d) {
  __shared__ int s[64];
  d[threadIdx.x] = sum(s, d[threadIdx.x]);
}
__global__ void spare(int *d) {
  d[threadIdx.x] = 1;
  __syncthreads();
#ifdef NEVER
  __syncthreads();
#endif
}
void go(int *d) { needed<<<1, 64>>>(d); spare<<<1, 64>>>(d); }
END
cp -r "$folder/tree" "$folder/before"

failed=0
expect() { grep -q -- "$1" "$folder/$2" || { echo "FAILED: no '$1' in $2"; failed=1; }; }

script=$PWD/scripts/mutate-barriers
cd "$folder/tree" || exit 1
mutate() {
  WARPDRF_NO_TOOLKIT=1 "$script" --warpdrf "$WARPDRF_PROGRAM" --tree . --results "$folder/results.jsonl" \
    -j1 sum.cuh k.cu >"$folder/out" 2>"$folder/err"
}
mutate
[ $? = 1 ] || { echo "FAILED: exit status"; failed=1; }
expect 'sum.cuh:3 .*deleted: error: race' out
expect 'sum.cuh:3 .*under a branch: error: divergent-barrier' out
expect 'k.cu:9 .*deleted: hint: redundant-barrier at k.cu:9' out
expect 'k.cu:9 .*under a branch: error: divergent-barrier' out
expect 'k.cu:11 .*deleted: NOT NOTICED' out
expect 'k.cu: not compiled there' out
expect '6 mutants, 4 noticed, 2 not' out
expect '\[6/6\]' err
cp "$folder/out" "$folder/first"
mutate
[ -s "$folder/err" ] && { echo "FAILED: it began anew"; failed=1; }
cmp "$folder/out" "$folder/first" || failed=1
diff -r "$folder/tree" "$folder/before" || failed=1
[ $failed = 0 ] || cat "$folder/out" "$folder/err"
exit $failed
