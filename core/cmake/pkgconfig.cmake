# SPDX-License-Identifier: MIT
# arr_configure_pc(NAME): installs NAME.pc, made of NAME.pc.in in the calling folder. Its paths follow the file, so that an
# installed tree can be moved; those that were given as absolute stay.
function(arr_configure_pc name)
  set(ARR_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(up ${CMAKE_INSTALL_PREFIX})
    cmake_path(RELATIVE_PATH up BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    set(ARR_PC_PREFIX "\${pcfiledir}/${up}")
  endif()
  foreach(part LIBDIR INCLUDEDIR)
    set(ARR_PC_${part} ${CMAKE_INSTALL_${part}})
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${part}}")
      set(ARR_PC_${part} "\${prefix}/${CMAKE_INSTALL_${part}}")
    endif()
  endforeach()
  configure_file(${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
