#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test.sh BUILD_DIR - makes the wheel, installs it into a new virtual environment, and uses it from Python's ctypes, C,
# CMake, Fortran and Julia.
set -euo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
command -v patchelf >/dev/null || { echo "skipped: patchelf is not installed (.ci/setup.sh installs it)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ARR_LIBRARY LD_LIBRARY_PATH PYTHONPATH
python3 -B "$here/make_wheel.py" "$build" "$work"
python3 -m venv "$work/venv"
python=$work/venv/bin/python
"$python" -m pip install --quiet --no-index --disable-pip-version-check "$work"/libarr-*.whl
cd "$work"

"$python" -c "import ctypes, libarr; print('ctypes:', ctypes.CDLL(libarr.LIBRARY).arr_version())"
# oneTBB is the wheel's own.
library=$("$python" -m libarr --library)
for file in "$library" "$(dirname "$library")/arr-0/libarr_hostcuda.so"; do
  lddtree=$(ldd "$file")
  grep -q "libtbb.so.12 => $work/venv" <<< "$lddtree" || { echo "libtbb.so.12 is not that of the wheel: $lddtree"; exit 1; }
done

# shellcheck disable=SC2046
gcc -std=c99 -Wall -Werror "$root/tests/capi/hello.c" -o hello $("$python" -m libarr --cflags --libs)
echo "C: $(./hello)"
mkdir client
cp "$root/tests/capi/hello.c" client
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(client C)' 'find_package(arr REQUIRED)' \
  'add_executable(client hello.c)' 'target_link_libraries(client arr::arr)' > client/CMakeLists.txt
cmake -S client -B client/build -DCMAKE_PREFIX_PATH="$("$python" -m libarr --cmake)" >/dev/null
cmake --build client/build >/dev/null
echo "CMake: $(client/build/client)"

PKG_CONFIG_PATH=$("$python" -m libarr --pkgconfig)
export PKG_CONFIG_PATH
if [ -f "$PKG_CONFIG_PATH/arr_fortran.pc" ]; then
  printf '%s\n' 'program sums' 'use arr' 'type(arr_array) :: a' 'a = [1.0, 2.0, 3.0]' 'print *, sum(a)' 'end program' \
    > sums.f90
  # shellcheck disable=SC2046
  gfortran sums.f90 -o sums $(pkg-config --cflags --libs arr_fortran)
  echo "Fortran: $(./sums)"
else
  echo "Fortran: skipped, the build has none"
fi
if [ -x "${ARR_JULIA:=$(command -v julia || true)}" ]; then
  JULIA_DEPOT_PATH=$work/depot JULIA_LOAD_PATH=$("$python" -m libarr --julia):@stdlib "$ARR_JULIA" --startup-file=no \
    -e 'using Arr; println("Julia: ", sum(ArrArray([1.0, 2.0, 3.0])))'
else
  echo "Julia: skipped, there is no julia"
fi
