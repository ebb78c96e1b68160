#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install.sh BUILD_DIR - installs into a prefix, moves the prefix, and builds programs of every language against it: by
# find_package(arr) and by pkg-config arr, C++, Fortran, the examples, and the packages of Julia and Rust. All must run. Also checks
# SONAME and size of the installed files.
set -euo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ARR_LIBRARY LD_LIBRARY_PATH
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
libdir=$(dirname "$(find "$prefix" -name libarr.so.0)")

mkdir "$work/client"
cp "$here/../capi/hello.c" "$root/bindings/cpp/test/installed.cpp" "$work/client"
cat > "$work/client/hello.f90" <<'FORTRAN'
program hello
    use arr
    implicit none
    type(arr_array) :: a
    a = [1.0, 2.0, 3.0]
    print *, sum(a)
end program
FORTRAN
fortran=$(find "$prefix" -name arr.mod)
cat > "$work/client/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(client C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(arr 0.1 REQUIRED)
add_executable(client hello.c)
target_link_libraries(client arr::arr)
add_executable(client_cpp installed.cpp)
target_link_libraries(client_cpp arr::arr)
if(FORTRAN)
  enable_language(Fortran)
  find_package(arr REQUIRED COMPONENTS fortran)
  add_executable(client_fortran hello.f90)
  target_link_libraries(client_fortran arr::fortran)
endif()
CMAKE
cmake -S "$work/client" -B "$work/client/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DFORTRAN="${fortran:+ON}" >/dev/null
cmake --build "$work/client/build" >/dev/null
echo "find_package: $("$work/client/build/client")"
echo "find_package, C++: $("$work/client/build/client_cpp")"
[ -z "$fortran" ] || echo "find_package, Fortran: $("$work/client/build/client_fortran")"

# The files of pkg-config have moved with the prefix.
export PKG_CONFIG_PATH=$libdir/pkgconfig
flags=$(pkg-config --cflags --libs arr)
# shellcheck disable=SC2086
gcc -std=c99 -Wall -Werror "$work/client/hello.c" -o "$work/by_pkg_config" $flags
echo "pkg-config: $("$work/by_pkg_config")"
if [ -n "$fortran" ]; then
  # shellcheck disable=SC2046
  gfortran "$work/client/hello.f90" -o "$work/fortran" $(pkg-config --cflags --libs arr_fortran)
  echo "pkg-config, Fortran: $("$work/fortran")"
fi

# The examples take the installed library.
languages=(c cpp ${fortran:+fortran})
"$root/examples/installed.sh" "$work/examples" "${languages[@]}" >/dev/null
cmake --build "$work/examples" --target arr_examples >/dev/null
for language in "${languages[@]}"; do
  echo "examples, $language: $("$root/examples/$language/run.sh" "$work/examples" hello | tail -1)"
done

# Packages of sources find the library that was installed with them.
if [ -x "${ARR_JULIA:=$(command -v julia || true)}" ]; then
  JULIA_DEPOT_PATH=$work/depot JULIA_LOAD_PATH=$prefix/share/arr/julia:@stdlib "$ARR_JULIA" --startup-file=no \
    -e 'using Arr; println("Julia: ", sum(ArrArray([1.0, 2.0, 3.0])))'
else
  echo "Julia: skipped, there is no julia"
fi
if [ -x "${ARR_CARGO:=$(command -v cargo || true)}" ]; then
  mkdir -p "$work/crate/src"
  printf '[package]\nname = "client"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\narr = { path = "%s" }\n' \
    "$prefix/share/arr/rust/arr" > "$work/crate/Cargo.toml"
  echo 'fn main() { println!("Rust: {}", arr::Array::<f64>::ones([3]).unwrap().sum(..)); }' > "$work/crate/src/main.rs"
  (cd "$work/crate" && "$ARR_CARGO" run --offline --quiet)
else
  echo "Rust: skipped, there is no cargo"
fi

# Libraries that libarr opens itself lie beside it.
for companion in $(cd "$build/lib" && ls libarr_cuda.so libarr_hostcuda.so libarr_host_fission.so 2>/dev/null); do
  [ -f "$libdir/arr-0/$companion" ] || { echo "$companion is not in $libdir/arr-0"; exit 1; }
done
if [ -f "$libdir/arr-0/libarr_cuda.so" ] && ! "$work/client/build/client_cpp" cuda | grep "arr-0/libarr_cuda.so: loaded"; then
  echo "the CUDA module that was installed is not the one that is found"; exit 1
fi
kernel=$("$work/client/build/client_cpp" kernel)
[ "$kernel" = 42 ] || { echo "the module for raw kernels that was installed does not run one: $kernel"; exit 1; }
find "$prefix/share/gdb/auto-load" -name 'libarr.so.*-gdb.py' | grep -q . || { echo "gdb's printers are not installed"; exit 1; }
[ -f "$prefix/share/doc/arr/LICENSE" ] || { echo "the licence is not installed"; exit 1; }
for page in reference/sorting.md reference/headers/sort.md guides/c.md; do
  [ -f "$prefix/share/doc/arr/$page" ] || { echo "$page is not installed"; exit 1; }
done

if cmake -S "$root" -B "$work/static" -DBUILD_SHARED_LIBS=OFF >"$work/static.log" 2>&1 ||
  ! grep "libarr is a shared library only" "$work/static.log" >/dev/null; then
  echo "BUILD_SHARED_LIBS=OFF is not refused"; exit 1
fi

soname=$(readelf -d "$libdir/libarr.so.0" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = libarr.so.0 ] || { echo "SONAME is $soname, expected libarr.so.0"; exit 1; }
readelf -V "$libdir/libarr.so.0" | grep 'ARR_0\.1' >/dev/null || { echo "no symbol version ARR_0.1"; exit 1; }
if readelf -d "$libdir/libarr.so.0" | grep -E 'NEEDED.*(cuda|nvrtc|cublas|cufft|fftw|openblas)'; then
  echo "a library that must be opened at run time is linked"; exit 1
fi
strip -o "$work/stripped" "$libdir/libarr.so.0"
size=$(stat -c %s "$work/stripped")
echo "libarr.so stripped: $((size / 1024)) KiB"
[ "$size" -lt $((25 * 1024 * 1024)) ] || { echo "more than 25 MiB"; exit 1; }
