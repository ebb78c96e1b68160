# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# scratch.sh - what new_row.sh and new_family.sh share: a copy of the tree, its library, and programs in the languages.
# A script sources it, with `build` set to a build folder or "", which gives the compiler.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
say() { printf '== %s (%ss)\n' "$*" "$SECONDS"; }

# scratch_needs TOOL ... - exits 77 where one is not there.
scratch_needs() {
  local missing=() tool
  for tool in "$@"; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  [ ${#missing[@]} = 0 ] || { echo "skipped: not installed: ${missing[*]}"; exit 77; }
}

# scratch_copy - sets work, a folder that goes at the end, and copy, the tree in it.
scratch_copy() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  copy=$work/arr
  mkdir "$copy"
  (cd "$root" && if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then git ls-files -co --exclude-standard -z
    else find . -type f -not -path './build*' -print0; fi | tar --null --ignore-failed-read -T - -cf -) | tar -xf - -C "$copy"
}

# scratch_generate - runs the generators, and checks that they have nothing left to do.
scratch_generate() {
  "$copy/tests/house/fresh.py" --fix
  "$copy/tests/house/fresh.py" || { echo "the generators have not made everything that they check"; exit 1; }
}

in_file() { grep -qE "$2" "$copy/$1" || { echo "$1 does not have $2"; exit 1; }; }

setting() { [ -n "$build" ] && sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }

# scratch_library [OPTION ...] -- TARGET ... - builds the library, nothing optimised, and the targets; sets folder.
scratch_library() {
  local options=() compiler library
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  # Paths relative to the copy let a compiler cache serve the files that are the same in every copy.
  export CCACHE_BASEDIR=$copy CCACHE_NOHASHDIR=1
  compiler=$(setting CMAKE_CXX_COMPILER)
  cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DARR_HOST_LEVELS=v2 -DARR_TESTS=OFF -DARR_EXAMPLES=OFF \
    ${compiler:+-DCMAKE_CXX_COMPILER="$compiler"} "${options[@]}" > "$work/configure.log" || { cat "$work/configure.log"; exit 1; }
  cmake --build "$copy/build" --target "$@" -j 2 > "$work/build.log" || { tail -40 "$work/build.log"; exit 1; }
  library=$(find "$copy/build" -name 'libarr.so' | head -1)
  [ -n "$library" ] || { echo "no libarr.so was built"; exit 1; }
  folder=$(dirname "$library")
  export ARR_LIBRARY=$library LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# scratch_languages FOLDER - runs the programs program.{c,cpp,jl,rs,f90} of a folder, those that it has, with the library.
scratch_languages() {
  local programs=$1 fortran=$copy/bindings/fortran sources s files parts
  cd "$work"
  "${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$copy/capi/include" "$programs/program.c" -L"$folder" -larr -o program_c
  ./program_c
  if [ -f "$programs/program.cpp" ]; then
    "${CXX:-c++}" -std=c++20 -Wall -Wextra -Werror -I"$copy/capi/include" -I"$copy/bindings/cpp/include" "$programs/program.cpp" \
      -L"$folder" -larr -o program_cpp
    ./program_cpp
  fi
  "${JULIA:-julia}" --startup-file=no "$programs/program.jl" "$copy"
  mkdir -p program/src
  cp "$programs/program.rs" program/src/main.rs
  printf '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\narr-sys = { path = "%s" }\n[workspace]\n' \
    "$copy/bindings/rust/arr-sys" > program/Cargo.toml
  CARGO_TARGET_DIR=$work/target cargo run --quiet --offline --manifest-path program/Cargo.toml
  # Module arr from its sources in the order of their list, linked against the library instead of the loader.
  sources=$(sed -n '/^set(_sources/,/)/p' "$fortran/CMakeLists.txt" | tr -d '()\n' | sed 's/^set_sources//')
  mapfile -t files < <(for s in $sources; do ls "$fortran/src/$s".[fF]90; done)
  mapfile -t parts < <(grep -oE 'src/arr_[a-z_]+\.c\b' "$fortran/CMakeLists.txt" | grep -v loader)
  for s in "${parts[@]}"; do "${CC:-cc}" -c "$fortran/$s" -o "$(basename "$s" .c).o"; done
  mapfile -t parts < <(for s in "${parts[@]}"; do echo "$(basename "$s" .c).o"; done)
  "${FC:-gfortran}" -std=f2018 "${files[@]}" "${parts[@]}" "$programs/program.f90" -L"$folder" -larr -o program_f
  ./program_f
}
