#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bundled.sh CLANG STANDARD: compiles every bundled header alone, then every kernel of families/ and of
# samples/, as the front end does without a toolkit. Run from the repository's root.
set -u
clang=$1 standard=$2
include=analysis/frontend/include
command -v "$clang" >/dev/null || { echo "SKIPPED: no $clang"; exit 77; }

compile() {
  "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib \
    -isystem "$include" -include warpdrf_cuda.h -fsyntax-only -Wall -Werror \
    -Wno-error=unused -Wno-unknown-cuda-version "-std=$standard" "$@"
}

failed=0
for header in $(cd "$include" && find . -type f ! -name '*.inc' | sed 's|^\./||' | sort); do
  echo "#include <$header>" | compile - || { echo "FAILED: <$header>, $standard"; failed=1; }
done
for file in tests/headers/families/*.cu samples/*.cu; do
  compile "$file" || { echo "FAILED: $file, $standard"; failed=1; }
done
exit $failed
