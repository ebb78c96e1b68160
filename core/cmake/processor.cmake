# SPDX-License-Identifier: MIT
# processor.cmake - gives C and C++ the same meaning on every processor.
#
# Elsewhere than on x86-64, compilers fuse a * b + c into one rounding by default, and char has no sign.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off;-fsigned-char>")
endif()
