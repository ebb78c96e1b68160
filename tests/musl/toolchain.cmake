# SPDX-License-Identifier: MIT
# Compiles for musl on x86-64 with clang and libc++ of the package ziglang. ARR_TOOLS: where tests/musl/tools.sh put them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARR_TOOLS)
set(CMAKE_C_COMPILER ${ARR_TOOLS}/bin/cc)
set(CMAKE_CXX_COMPILER ${ARR_TOOLS}/bin/c++)
set(CMAKE_AR ${ARR_TOOLS}/bin/ar)
set(CMAKE_RANLIB ${ARR_TOOLS}/bin/ranlib)
# Zig links programs without dlopen() otherwise.
set(CMAKE_EXE_LINKER_FLAGS_INIT "${ARR_TOOLS}/lib/cpuinfo.o -dynamic")
set(CMAKE_SHARED_LINKER_FLAGS_INIT ${ARR_TOOLS}/lib/cpuinfo.o)
set(CMAKE_FIND_ROOT_PATH ${ARR_TOOLS})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
