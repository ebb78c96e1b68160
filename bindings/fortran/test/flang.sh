#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# flang.sh WORK_DIR PROGRAMS FILE... - compiles the package by flang 19, the FILEs in the order of their modules, and then
# the tests PROGRAMS ("arrays ops ..."), which it runs. flang's rules of the language are others than gfortran's, and it
# finalizes the results of functions. Exits 77 where there is no flang.
set -euo pipefail
test=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1 programs=$2
shift 2
sources=$(dirname "$1")
flang=
for name in flang-new-19 flang-19 flang-new flang; do
  if command -v "$name" >/dev/null && "$name" --version 2>/dev/null | grep -q 'flang.* version'; then flang=$name; break; fi
done
[ -n "$flang" ] || { echo "skipped: no flang (Debian's package flang-19; .ci/setup.sh installs it)"; exit 77; }
mkdir -p "$work"
cd "$work"
# It makes code for arguments of any rank, dimension(..), only if asked.
flags=(-O1 -cpp -std=f2018 -mmlir -allow-assumed-rank -I. -module-dir .)
stamp=$(cat "$@" "$sources"/*.[ch] "$test"/*.f90 "$test/flang.sh" | cksum)
if [ "$(cat stamp 2>/dev/null)" != "$stamp" ]; then
  rm -f ./*.o ./*.mod stamp
  for file in "$@" "$test/testing.f90" "$test/container_types.f90"; do
    object=$(basename "${file%.*}").o
    "$flang" "${flags[@]}" -c "$file" -o "$object" || { echo "$file: $flang does not compile it"; exit 1; }
  done
  for file in "$sources"/*.c; do "${CC:-cc}" -std=gnu11 -O2 -c "$file" -o "$(basename "${file%.c}")_c.o"; done
  for program in $programs; do
    "$flang" "${flags[@]}" "$test/test_$program.f90" ./*.o -ldl -lpthread -lstdc++ -o "$program"
  done
  echo "$stamp" > stamp
fi
failed=0
for program in $programs; do
  status=0
  "./$program" > "$program.log" 2>&1 || status=$?
  case $status in
    0) echo "$program: $(tail -1 "$program.log")" ;;
    77) echo "$program: $(grep -h skipped "$program.log" || true)" ;;
    *) cat "$program.log"; echo "$program: status $status"; failed=$((failed + 1)) ;;
  esac
done
echo "$# files, $(wc -w <<< "$programs") programs, $failed of them failed, by $("$flang" --version | head -1)"
[ "$failed" = 0 ]
