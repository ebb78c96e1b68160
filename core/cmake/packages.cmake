# SPDX-License-Identifier: MIT
# Debian packages by CPack (`cpack -G DEB --config build/CPackConfig.cmake`): libarr0, the library and the modules that it
# opens, and libarr-dev, everything else.
set(CPACK_PACKAGE_NAME libarr)
set(ARR_PACKAGE_CONTACT "the developers of libarr <libarr@example.org>" CACHE STRING
  "Name and address in Debian packages; whoever distributes them sets their own")
mark_as_advanced(ARR_PACKAGE_CONTACT)
set(CPACK_PACKAGE_CONTACT ${ARR_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "arrays on GPUs and on the host for every language that calls C")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL runtime development)
if(TARGET arr_fortran)
  list(APPEND CPACK_COMPONENTS_ALL fortran)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libarr${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/install/shlibs ${PROJECT_BINARY_DIR}/install/triggers)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libopenblas0-pthread | liblapack3, clang-19 | g++")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libarr-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libarr${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
  "N-dimensional arrays with the semantics of NumPy behind a stable C API.\nThe same calls run on the host and on NVIDIA GPUs; kernels in CUDA C++ run\non both. This package contains the shared library and its modules.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Headers for C and C++, the Fortran modules, the packages of Julia and Rust,\nthe files for CMake and pkg-config, and the documentation of libarr.")
file(WRITE ${PROJECT_BINARY_DIR}/install/shlibs
  "libarr ${PROJECT_VERSION_MAJOR} libarr${PROJECT_VERSION_MAJOR} (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/install/triggers "activate-noawait ldconfig\n")
# Debian's policy asks for these by name, in the folder of each package.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/install/changelog
  "libarr (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md in the folder arr lists the changes.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9nc ${PROJECT_BINARY_DIR}/install/changelog
  OUTPUT_FILE ${PROJECT_BINARY_DIR}/install/changelog.gz)
foreach(component runtime development)
  string(TOUPPER ${component} upper)
  set(documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES ${PROJECT_BINARY_DIR}/install/changelog.gz DESTINATION ${documents} COMPONENT ${component})
  install(FILES LICENSE DESTINATION ${documents} RENAME copyright COMPONENT ${component})
endforeach()
include(CPack)
cpack_add_component_group(runtime)
cpack_add_component_group(development)
cpack_add_component(runtime GROUP runtime)
cpack_add_component(development GROUP development)
cpack_add_component(fortran GROUP development)
