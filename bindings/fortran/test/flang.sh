#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# flang.sh MODULE_DIR FILE... - reads the sources of the package, in the order of their modules, by flang 19: its checks of
# the language are others than gfortran's. It makes no code, because flang 19 has none for arrays of any rank
# (dimension(..)). Exits 77 where there is no flang.
set -euo pipefail
folder=$1
shift
flang=
for name in flang-new-19 flang-19 flang-new flang; do
  if command -v "$name" >/dev/null && "$name" --version 2>/dev/null | grep -q 'flang.* version'; then flang=$name; break; fi
done
[ -n "$flang" ] || { echo "skipped: no flang (Debian's package flang-19; .ci/setup.sh installs it)"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
count=0 failed=0
for file; do
  count=$((count + 1))
  if ! "$flang" -fsyntax-only -cpp -module-dir . -I. "$file" > log 2>&1; then
    grep -A2 'error:' log | head -20
    echo "$file: $flang does not accept it"
    failed=$((failed + 1))
  fi
done
echo "$count files, $failed that $("$flang" --version | head -1) does not accept"
[ "$failed" = 0 ]
