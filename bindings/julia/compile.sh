#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile.sh BUILD_DIR - lets Julia compile the package into BUILD_DIR unless it is there; without Julia, says so and succeeds.
#
# Julia compiles a package that has changed with the options of the program that loads it. A test without a compiler
# (test/run.sh) would leave a package in which nothing is inferred, and each program infers the same again for minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
exec 5> "$1/julia_compiled.lock"
command -v flock > /dev/null && flock 5
stamp=$1/julia_depot/compiled/stamp
newer=$(find "$here/src" "$here/ext" "$here/Project.toml" -newer "$stamp" 2> /dev/null) || newer=all
[ -n "$newer" ] || exit 0
rm -rf "$1"/julia_depot/compiled/v*/Arr  # Julia takes what another program has compiled, whatever its options were
said=$1/julia_compiled.log
(source "$here/julia.sh" "$1" && exec "$ARR_JULIA" --startup-file=no --project="$here" -e 'using Arr') 2> >(tee "$said" >&2) || {
  code=$?
  [ $code -eq 77 ] && exit 0
  exit $code
}
wait
# A second method for the same types replaces the first: one of the two is a mistake, and Julia only warns.
if grep -q 'Method definition .* overwritten' "$said"; then
  rm -rf "$1"/julia_depot/compiled/v*/Arr
  exit 1
fi
touch "$stamp"
