# SPDX-License-Identifier: MIT
# build_tarballs.jl - BinaryBuilder's script of the package libarr_jll; Arr uses the library of that package if a program
# loads both: `using libarr_jll, Arr`.
using BinaryBuilder, Pkg

name = "libarr"
version = v"0.1.0"
sources = [DirectorySource(normpath(joinpath(@__DIR__, "..", "..", "..")))]

script = raw"""
cd ${WORKSPACE}/srcdir
cmake -S . -B build -G Ninja -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TARGET_TOOLCHAIN} \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib -DARR_HOST_LEVELS=all \
    -DARR_TESTS=OFF -DARR_EXAMPLES=OFF -DARR_CUDA=OFF -DARR_FORTRAN=OFF -DARR_WERROR=OFF
cmake --build build --parallel ${nproc}
cmake --install build
install_license LICENSE
"""

# The library is C++, but its interface is C: programs may have been compiled with the other strings of libstdc++.
platforms = [Platform("x86_64", "linux"; libc = "glibc"), Platform("aarch64", "linux"; libc = "glibc")]
products = [LibraryProduct("libarr", :libarr)]
dependencies = [Dependency("oneTBB_jll"), Dependency("Zlib_jll"), Dependency("OpenBLAS_jll"),
    Dependency("CompilerSupportLibraries_jll")]

build_tarballs(ARGS, name, version, sources, script, platforms, products, dependencies;
    julia_compat = "1.6", preferred_gcc_version = v"12")
