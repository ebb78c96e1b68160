#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# leaks.sh WORK_DIR FORTRAN C SOURCE... - builds the binding and its tests under the address and undefined-behaviour
# sanitizers at -O0 and at -O3 and runs them: no handle and no byte is left, whatever the compiler does with results.
set -euo pipefail
test=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1 fortran=$2 compiler=$3
shift 3
files=("$@") && sources=$(dirname "$1")
for level in -O0 -O3; do
  folder=$work/leaks$level
  mkdir -p "$folder"
  cd "$folder"
  flags=("$level" -g '-fsanitize=address,undefined' -fno-sanitize-recover=all -fno-omit-frame-pointer)
  programs=(leaks locals containers results sparse iterative arrays indexing ops errors device allocators fourier linalg polynomials)
  stamp=$(cat "${files[@]}" "$sources"/*.c "$test"/*.f90 "$test/leaks.sh" | cksum)
  if [ "$(cat stamp 2>/dev/null)" != "$stamp" ]; then
    rm -f ./*.o ./*.mod
    "$compiler" "${flags[@]}" -c "$sources"/arr_shim.c "$sources"/arr_ownership.c \
      "$sources"/arr_leaks.c "$sources"/arr_loader_generated.c
    "$fortran" -std=f2018 "${flags[@]}" -c "${files[@]}" "$test/testing.f90" "$test/container_types.f90"
    for program in "${programs[@]}"; do  # the sanitizer must see the C++ library from the start
      "$fortran" -std=f2018 "${flags[@]}" -fno-inline -fopenmp "$test/test_$program.f90" ./*.o \
        -ldl -lpthread -Wl,--no-as-needed -lstdc++ -o "$program"
    done
    echo "$stamp" >stamp
  fi
  for program in "${programs[@]}"; do
    echo "gfortran $level, $program:"
    ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} "./$program"
  done
done
