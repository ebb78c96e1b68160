#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install.sh BUILD_DIR - installs into a temporary prefix and builds a client against it twice, by
# find_package(arr) and by pkg-config arr; both must run. Also checks SONAME and size of what users get.
set -euo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
libdir=$(dirname "$(find "$work/prefix" -name libarr.so.0)")

mkdir "$work/client"
cp "$here/../capi/hello.c" "$work/client"
cat > "$work/client/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(client C)
find_package(arr 0.1 REQUIRED)
add_executable(client hello.c)
target_link_libraries(client arr::arr)
CMAKE
cmake -S "$work/client" -B "$work/client/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/client/build" >/dev/null
echo "find_package: $("$work/client/build/client")"

export PKG_CONFIG_PATH=$libdir/pkgconfig
# The prefix moved since configure: tell pkg-config, as a relocated package does.
flags=$(pkg-config --define-variable=prefix="$work/prefix" --cflags --libs arr)
# shellcheck disable=SC2086
gcc -std=c99 -Wall -Werror "$work/client/hello.c" -o "$work/by_pkg_config" $flags -Wl,-rpath,"$libdir"
echo "pkg-config: $("$work/by_pkg_config")"

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
