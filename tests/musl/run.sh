#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR [CTEST ARGUMENTS] - compiles the library for musl, and runs tests of it with musl's loader: of the C
# API, of C++ and of DLPack, unit tests, and the examples in C and C++.
#
# Python of this machine belongs to glibc, so the conformance suites cannot open the library. The compiler of kernels is
# that of the library. Exit status 77: a tool is missing.
set -euo pipefail
mkdir -p "$1"
build=$(realpath "$1")/musl
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
for file in /usr/lib/x86_64-linux-musl/libc.so /lib/ld-musl-x86_64.so.1 /usr/src/googletest/CMakeLists.txt; do
  [ -e "$file" ] || { echo "skipped: there is no $file (.ci/setup.sh installs it)"; exit 77; }
done
mkdir -p "$build"
tools=$build/tools log=$build/log.txt
"$here/tools.sh" "$tools" > "$log" 2>&1 || { tail -5 "$log"; echo "skipped: no compiler for musl"; exit 77; }
# Quick to compile: these tests measure nothing.
cmake -G Ninja -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
  -DARR_TOOLS="$tools" -DARR_CUDA=OFF -DARR_FORTRAN=OFF -DARR_UNITY=OFF -DARR_HOST_LEVELS=v2 \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" > "$log" 2>&1 || { tail -20 "$log"; exit 1; }
# Programs by name: there is no target of those that need no other language.
mapfile -t programs < <(ninja -C "$build" -t targets all | sed -nE 's/^((bin|examples)\/[^.]*): C(XX)?_EXECUTABLE.*/\1/p')
ninja -C "$build" arr arr_hostcuda "${programs[@]}" > "$log" 2>&1 || { tail -40 "$log"; exit 1; }
export ARR_HOST_CXX=$tools/bin/c++ PATH=$tools/bin:$PATH
# Tests that need what is not here: gdb and valgrind, which know glibc; a LAPACK, FFTW and the CUDA module; an operator new
# of the program's own, as libc++ is in the library; messages of glibc's loader and of g++, and its order of checks; a C++
# library that fits Debian's older musl (statx). Vectors.OfDivisions: clang's vectoriser reads at a wrong address, which
# only the pass avoids.
without=(gdb valgrind Versions.BuildInfo Libraries.Equations LogOfLibraries.Tells Limits.OneProcess Limits.AddressSpace
  'cpp\.arrays' 'c(pp)?\.(programs|share)' WhileOthersUseAllThreads Variables.ThatAreIgnored Modules.ImagesOfEachKind
  'ComputeTypesOn.*/cuda' tf32.cuda AllocatorFailures.NothingIsLost DLPackRefuse.OutOfMemory Loading.FilesThatAreNoModule
  Modules.LinksUnits CompileError.Line Check.LaunchesOfAGraph Vectors.OfDivisions HostKernelDebug
  'asynchronous.capi_(stress|modules|processes|allocators)')
ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --no-tests=error \
  -R '^((capi|unit|examples\.c|examples\.cpp|bindings\.cpp)\.|abi\.layout$)' -E "$(IFS='|'; echo "${without[*]}")" "$@"
