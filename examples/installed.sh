#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# installed.sh BUILD_DIR LANGUAGE... - configures BUILD_DIR so that the examples use the library that pkg-config finds. Exit
# status 1: it finds none of this version, or none for Fortran where that is among the languages.
set -euo pipefail
build=$1
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$(sed -n 's/^project(arr VERSION \([0-9.]*\).*/\1/p' "$here/../CMakeLists.txt")
command -v pkg-config >/dev/null && pkg-config --exists "arr = $version" || exit 1
libdir=$(pkg-config --variable=libdir arr)
# The places that run.sh of each language looks at.
mkdir -p "$build/bindings/fortran"
ln -sfn "$libdir" "$build/lib"
if [ -f "$here/../build/env.sh" ]; then ln -sfn "$here/../build/env.sh" "$build/env.sh"; fi
if [[ " $* " == *" fortran "* ]]; then
  pkg-config --exists "arr_fortran = $version" || exit 1
  modules=$(pkg-config --cflags-only-I arr_fortran)
  ln -sfn "$libdir/libarr_fortran.a" "$build/bindings/fortran/libarr_fortran.a"
  ln -sfn "$(echo "${modules#-I}" | xargs)" "$build/bindings/fortran/modules"
fi
echo "the installed library: $libdir/libarr.so.0"
cmake -S "$here" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -Darr_DIR="$libdir/cmake/arr"
