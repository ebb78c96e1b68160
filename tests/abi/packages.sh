#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# packages.sh BUILD_DIR - makes the Debian packages, checks them by lintian where there is one, unpacks them, and builds
# and runs a program against what they contain.
set -euo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v dpkg-deb >/dev/null; then
  echo "skipped: dpkg-deb is not installed"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ARR_LIBRARY LD_LIBRARY_PATH

cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
packages=("$work"/packages/*.deb)
[ ${#packages[@]} = 2 ] || { echo "expected libarr0 and libarr-dev, got ${packages[*]}"; exit 1; }
for package in "${packages[@]}"; do
  dpkg-deb -f "$package" Package Version Depends
  dpkg-deb -x "$package" "$work/root"
done

if command -v lintian >/dev/null; then
  # The files of pkg-config are where the prefix of the build has them, not in the folder of one architecture; and CPack
  # calls ldconfig besides the trigger.
  lintian --allow-root --fail-on error,warning \
    --suppress-tags pkg-config-unavailable-for-cross-compilation,maintscript-calls-ldconfig "${packages[@]}"
  echo "lintian: no fault"
else
  echo "lintian: skipped, it is not installed (.ci/setup.sh installs it)"
fi

export PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig
# shellcheck disable=SC2046
gcc -std=c99 -Wall -Werror "$here/../capi/hello.c" -o "$work/hello" $(pkg-config --cflags --libs arr)
echo "unpacked: $(LD_LIBRARY_PATH=$work/root/usr/lib "$work/hello")"
