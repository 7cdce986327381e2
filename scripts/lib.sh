# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the scripts share; sourced, not run. Leaves the shell in the repository's root.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n==> %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root: directly, or through sudo where that asks for no password.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif have sudo && sudo -n true 2>/dev/null; then
    sudo -n --preserve-env=DEBIAN_FRONTEND "$@"
  else
    die "needs root for: $* (run as root, or allow sudo without a password)"
  fi
}
