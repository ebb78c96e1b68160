#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools.sh DIR - makes in DIR what libarr needs on musl: a compiler with libc++ (PyPI's package ziglang), and for it
# oneTBB and zlib (Debian's sources) and GoogleTest (the source in libgtest-dev).
#
# apt works in folders of its own below DIR: nothing is installed, and the machine's own lists stay as they are.
set -euo pipefail
[ $# = 1 ] || { echo "usage: tools.sh DIR" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
dir=$(realpath "$1")
compiler=ziglang==0.17.1
wanted="$compiler onetbb zlib"
[ "$(cat "$dir/contents.txt" 2>/dev/null)" != "$wanted" ] || exit 0

"$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: --upgrade \
  --target "$dir/python" "$compiler"
export ZIG_GLOBAL_CACHE_DIR=$dir/cache
mkdir -p "$dir/bin"
# Zig writes the names of x86-64's levels with _, and leaves out assertions where it optimises.
for name in cc c++; do
  printf '#!/usr/bin/env bash\nexport ZIG_GLOBAL_CACHE_DIR=%q\nexec %q %s -target x86_64-linux-musl -UNDEBUG "${@/%s}"\n' \
    "$dir/cache" "$dir/python/ziglang/zig" $name '-march=x86-64-/-march=x86_64_' > "$dir/bin/$name"
done
# The linker of kernels, which on a system with musl finds its C library without help.
printf '#!/usr/bin/env bash\nexec %q -L/usr/lib/x86_64-linux-musl "$@"\n' "$(command -v ld)" > "$dir/bin/ld"
# Zig's __cpu_model, which __builtin_cpu_supports() reads, stays empty.
mkdir -p "$dir/lib"
(cd "$dir/lib" && ar x "$(gcc -print-libgcc-file-name)" cpuinfo.o)
for name in ar ranlib; do
  printf '#!/usr/bin/env bash\nexec %q %s "$@"\n' "$dir/python/ziglang/zig" $name > "$dir/bin/$name"
done
chmod +x "$dir"/bin/*

apt=$dir/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/sources"
for list in /etc/apt/sources.list.d/*.sources; do
  sed 's/^Types:.*/Types: deb-src/' "$list" > "$apt/sources/${list##*/}"
done
[ ! -f /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > "$apt/sources/main.list"
options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/sources" -o "Dir::State::Lists=$apt/lists"
         -o "Dir::Cache=$apt/cache" -o Acquire::Retries=3 -o APT::Sandbox::User=root)
apt-get -q "${options[@]}" update
(cd "$apt" && apt-get -q "${options[@]}" --download-only source onetbb zlib &&
  dpkg-source -x onetbb_*.dsc onetbb && dpkg-source -x zlib_*.dsc zlib)

build() { # SOURCE OPTION...
  local source=$1
  shift
  cmake -G Ninja -S "$source" -B "$dir/build" -DCMAKE_TOOLCHAIN_FILE="$root/tests/musl/toolchain.cmake" \
    -DARR_TOOLS="$dir" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX="$dir" "$@"
  ninja -C "$dir/build" install
  rm -rf "$dir/build"
}
build "$apt/onetbb" -DTBB_TEST=OFF -DTBBMALLOC_BUILD=OFF -DTBB_STRICT=OFF -DTBB_DISABLE_HWLOC_AUTOMATIC_SEARCH=ON
# By its own script: Debian's source lacks files that its CMakeLists.txt names.
(cd "$apt/zlib" && CC=$dir/bin/cc AR=$dir/bin/ar RANLIB=$dir/bin/ranlib CFLAGS="-O2 -fPIC" \
  ./configure --static --prefix="$dir" && make install)
build /usr/src/googletest -DBUILD_GMOCK=OFF
rm -rf "$apt"
echo "$wanted" > "$dir/contents.txt"
