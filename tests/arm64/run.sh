#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR [SUITE...] - compiles the library for arm64, and runs conformance suites and unit tests of it by an
# emulator of the processor.
#
# SUITE: a file of tests/conformance, such as ufunc/ops.py. Without one: those below. The emulator runs the tests, the
# library and the kernels that it makes; the compiler of the kernels is a program of this machine. Exit status 77: a tool
# is missing.
set -euo pipefail
mkdir -p "$1"
build=$(realpath "$1")/arm64
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed (.ci/setup.sh installs it)"; exit 77; }
done
mkdir -p "$build"
sysroot=$build/sysroot log=$build/log.txt
"$here/sysroot.sh" "$sysroot" > "$log" 2>&1 || { tail -5 "$log"; echo "skipped: no packages for arm64"; exit 77; }
cmake -G Ninja -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
  -DARR_SYSROOT="$sysroot" -DARR_CUDA=OFF -DARR_FORTRAN=OFF > "$log" 2>&1 || { tail -20 "$log"; exit 1; }
# The tests of fibers and kernels: assembly, and code made at run time.
units=(unit_host_kernels)
ninja -C "$build" arr arr_hostcuda 1-hello "${units[@]}" > "$log" 2>&1 || { tail -40 "$log"; exit 1; }

# The compiler of this machine does not know the processor that runs the code.
printf '%s\n' '#!/usr/bin/env bash' 'exec aarch64-linux-gnu-g++ "${@/-march=native/-march=armv8-a}"' > "$build/g++"
chmod +x "$build/g++"
export ARR_HOST_CXX=$build/g++ ARR_LIBRARY=$build/lib/libarr.so.0 ARR_CACHE_DIR=$build/cache
export ARR_TEST_ONE_IN=${ARR_TEST_ONE_IN:-64} PYTHONPATH=$sysroot/site PYTHONDONTWRITEBYTECODE=1
libraries=$sysroot/usr/lib/aarch64-linux-gnu
emulator=("$(command -v qemu-aarch64-static)" -L "$sysroot" -E "LD_LIBRARY_PATH=$libraries")
emulate() { "${emulator[@]}" "$@"; }
python=$sysroot/usr/bin/python3.11
export ARR_TEST_PYTHON="${emulator[*]} $python"  # for tests that start Python again

echo "== hello"
emulate "$build/examples/c/1-hello"
echo "== fibers and kernels"
emulate "$build/bin/unit_host_kernels" --gtest_brief=1 --gtest_filter="${ARR_ARM64_FILTER:-HostKernelBlock*:HostKernelWarp*:HostKernelLaunch*:HostKernelWaits*:HostKernelGroups*}"
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(ufunc/ops ufunc/ufuncs ufunc/rounding ufunc/domains reduce/reductions reduce/scans
  sorting/sort indexing/indexing linalg/products linalg/solve elementwise/programs)
failed=()
for suite in "${suites[@]}"; do
  echo "== $suite ($SECONDS s)"
  emulate "$python" -B "$root/tests/conformance/${suite%.py}.py" || failed+=("$suite")
done
[ ${#failed[@]} = 0 ] || { echo "failed on arm64: ${failed[*]}"; exit 1; }
