# SPDX-License-Identifier: MIT
# embed.cmake - embeds a text file as a C++ string constant.
#
#   arr_embed(TARGET FILE NAME [NAMESPACE])
#
# adds to TARGET a generated source that defines `extern const char NAME[]` and
# `extern const std::size_t NAME_size` (without the closing NUL) in NAMESPACE (default arr), and the
# header "NAME.h" that declares them, on TARGET's include path. Made again when FILE changes.
# The same file is the script that the build runs, so one file has both.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # Bytes in, numbers out: no quoting rule of any language can get in the way.
  file(READ "${IN}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
    "\\1\n" bytes "${bytes}")
  get_filename_component(from "${IN}" NAME)
  file(WRITE "${OUT}.h" "// Generated from ${from} by core/cmake/embed.cmake; do not edit.
#pragma once
#include <cstddef>
namespace ${NAMESPACE} {
extern const char ${NAME}[];
extern const std::size_t ${NAME}_size;
}  // namespace ${NAMESPACE}
")
  # A byte above 0x7f would narrow in a char array; hex digits come in pairs, so look at pairs.
  string(REGEX MATCH ",?0x[89a-f]." foreign "${bytes}")
  if(foreign)
    message(FATAL_ERROR "arr_embed: ${from} is not ASCII text")
  endif()
  file(WRITE "${OUT}.cpp" "// Generated from ${from} by core/cmake/embed.cmake; do not edit.
#include \"${NAME}.h\"
namespace ${NAMESPACE} {
const char ${NAME}[] = {\n${bytes}0};
const std::size_t ${NAME}_size = ${size};
}  // namespace ${NAMESPACE}
")
  return()
endif()

set(_ARR_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(arr_embed target file name)
  set(namespace ${ARGV3})
  if(NOT namespace)
    set(namespace arr)
  endif()
  get_target_property(home ${target} BINARY_DIR)
  set(dir ${home}/embed)
  get_filename_component(in ${file} ABSOLUTE)
  file(MAKE_DIRECTORY ${dir})
  add_custom_command(
    OUTPUT ${dir}/${name}.cpp ${dir}/${name}.h
    COMMAND ${CMAKE_COMMAND} -DIN=${in} -DOUT=${dir}/${name} -DNAME=${name} -DNAMESPACE=${namespace}
            -P ${_ARR_EMBED_SCRIPT}
    DEPENDS ${in} ${_ARR_EMBED_SCRIPT}
    COMMENT "Embedding ${file}"
    VERBATIM)
  # A folder below TARGET's has the rule; TARGET must know that it comes first.
  add_custom_target(${target}_${name} DEPENDS ${dir}/${name}.cpp ${dir}/${name}.h)
  add_dependencies(${target} ${target}_${name})
  target_sources(${target} PRIVATE ${dir}/${name}.cpp ${dir}/${name}.h)
  target_include_directories(${target} PRIVATE ${dir})
endfunction()
