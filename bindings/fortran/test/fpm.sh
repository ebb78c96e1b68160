#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# fpm.sh FPM - builds a project that depends on the package with the Fortran package manager, and runs it. ARR_LIBRARY
# is the library that it opens.
set -euo pipefail
fpm=$1
package=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -x "$fpm" ] || { echo "skipped: fpm is not installed (.ci/setup.sh installs it into .venv)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/app"
cd "$work"
# fpm takes a path as relative to the project.
printf '%s\n' 'name = "client"' '[dependencies]' "arr.path = \"$(realpath --relative-to=. "$package")\"" > fpm.toml
printf '%s\n' 'program client' 'use arr' 'implicit none' 'type(arr_array) :: a' 'a = [1.0, 2.0, 3.0]' \
  'print *, sum(a * a)' 'end program client' > app/main.f90
"$fpm" build --flag "-O0" > build.log 2>&1 || { tail -40 build.log; exit 1; }
result=$("$fpm" run --flag "-O0" 2>> build.log) || { tail -40 build.log; echo "$result"; exit 1; }
echo "fpm: $result"
grep -qE '^ *14(\.0*)?$' <<< "$result"
