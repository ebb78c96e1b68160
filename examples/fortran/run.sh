#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR PROGRAM [ARGUMENTS] - builds (under BUILD_DIR) and runs hello, heat or share.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
case $2 in
  hello) program=1-hello ;; heat) program=2-heat ;; share) program=3-share ;;
  *) echo "run.sh: no program '$2': expected hello, heat or share" >&2; exit 2 ;;
esac
shift 2
# Module files belong to the compiler of the build.
fortran=${FC:-$(sed -n 's/^CMAKE_Fortran_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")}
fortran=${fortran:-gfortran}
command -v "$fortran" >/dev/null || { echo "skipped: no Fortran compiler ($fortran)"; exit 77; }

archive=$build/bindings/fortran/libarr_fortran.a
cmake --build "$build" --target arr_fortran >"$build/examples_fortran.log" 2>&1 || {
  tail -30 "$build/examples_fortran.log" >&2; exit 1; }
out=$build/examples/fortran
mkdir -p "$out"
sanitize=$(sed -n 's/^ARR_SANITIZE:[A-Z]*=//p' "$build/CMakeCache.txt")
if [ ! -x "$out/$program" ] || [ "$out/$program" -ot "$archive" ] || [ "$out/$program" -ot "$here/$program.f90" ]; then
  "$fortran" -std=f2018 -Wall -Werror -O2 ${sanitize:+-fsanitize=$sanitize} -I "$build/bindings/fortran/modules" \
    -J "$out" "$here/$program.f90" "$archive" ${sanitize:+-Wl,--no-as-needed -lstdc++} -ldl -lpthread -o "$out/$program"
fi
export ARR_LIBRARY=${ARR_LIBRARY:-$build/lib/libarr.so.0}
exec "$out/$program" "$@"
