#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# leaks.sh WORK_DIR FORTRAN C SOURCE... - builds the binding and test_leaks.f90 under the address sanitizer
# at -O0 and at -O3 and runs it: no handle and no byte is left, whatever the compiler does with function results.
set -euo pipefail
test=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1 fortran=$2 compiler=$3
shift 3
files=("$@") && sources=$(dirname "$1")
for level in -O0 -O3; do
  folder=$work/leaks$level
  mkdir -p "$folder"
  cd "$folder"
  flags=("$level" -g -fsanitize=address -fno-omit-frame-pointer)
  stamp=$(cat "${files[@]}" "$sources"/*.c "$test/testing.f90" "$test/test_leaks.f90" "$test/leaks.sh" | cksum)
  if [ "$(cat stamp 2>/dev/null)" != "$stamp" ]; then
    rm -f ./*.o ./*.mod
    "$compiler" "${flags[@]}" -c "$sources"/arr_shim.c "$sources"/arr_loader_generated.c
    "$fortran" -std=f2018 "${flags[@]}" "${files[@]}" "$test/testing.f90" "$test/test_leaks.f90" ./*.o \
      -ldl -lpthread -Wl,--no-as-needed -lstdc++ -o leaks  # the sanitizer must see the C++ library from the start
    echo "$stamp" >stamp
  fi
  echo "gfortran $level:"
  ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} ./leaks
done
