#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# musl.sh [INCLUDE] - compiles the public headers, the C examples and the C parts of the Fortran package against the
# headers of musl, which are in INCLUDE, without code: a libstdc++ for musl, which the library needs, is not in Debian.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
include=${1:-/usr/include/x86_64-linux-musl}
[ -f "$include/stdlib.h" ] || { echo "skipped: no headers of musl in $include (.ci/setup.sh installs them)"; exit 77; }
compile() { # STANDARD FILE
  gcc -nostdinc -isystem "$include" -isystem "$(gcc -print-file-name=include)" -std="$1" -Wall -Wextra -Werror \
    -D_POSIX_C_SOURCE=200809L -D_BSD_SOURCE -I"$root/capi/include" -fsyntax-only -x c "$2"
}
# The flags hide nothing: what only glibc has is not there.
if echo '#include <execinfo.h>' | compile c99 - 2>/dev/null; then
  echo "$include is not of musl: it has execinfo.h"
  exit 1
fi
count=0
for header in "$root"/capi/include/arr/*.h; do
  case $header in */easy.h) standard=c11 ;; *) standard=c99 ;; esac
  compile $standard - <<< "#include \"$header\""
  count=$((count + 1))
done
for source in "$root"/examples/c/*.c "$root"/examples/programs/c/*.c "$root"/tests/capi/{hello,easy_c}.c; do
  compile c11 "$source"
  count=$((count + 1))
done
for source in "$root"/bindings/fortran/src/*.c; do
  compile gnu11 "$source"
  count=$((count + 1))
done
echo "$count files compile with the headers of musl"
