# SPDX-License-Identifier: BSD-3-Clause
# The installed package: CMake config, pkg-config file, what suite_add_plugin needs outside the source tree, documentation.
# Included last, when all targets of the export set suiteTargets exist.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/suite)
set(SUITE_HEADER_DIR ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(${SUITE_CMAKE_DIR}/suiteConfig.cmake.in ${PROJECT_BINARY_DIR}/suiteConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS SUITE_PLUGIN_DIR SUITE_HEADER_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/suiteConfigVersion.cmake COMPATIBILITY ${SUITE_COMPATIBILITY})
install(EXPORT suiteTargets NAMESPACE suite:: DESTINATION ${package_dir} COMPONENT devel)
install(FILES ${PROJECT_BINARY_DIR}/suiteConfig.cmake ${PROJECT_BINARY_DIR}/suiteConfigVersion.cmake
  ${SUITE_CMAKE_DIR}/SuitePlugin.cmake ${SUITE_CMAKE_DIR}/plugin.map ${SUITE_CMAKE_DIR}/sealed.cpp
  ${SUITE_CMAKE_DIR}/SuiteGpu.cmake ${SUITE_CMAKE_DIR}/SuiteLanguage.cmake
  ${SUITE_CMAKE_DIR}/SuiteDebianHip.cmake ${SUITE_CMAKE_DIR}/hip_on_demand.cpp
  ${SUITE_CMAKE_DIR}/gpu_resources.py DESTINATION ${package_dir} COMPONENT devel)

# Relative to the .pc file, so that the installed tree may be moved.
file(RELATIVE_PATH SUITE_PC_TO_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
# Programs find libsuite where it was when they were linked, as CMake's do; below /usr they find it anyway.
set(SUITE_PC_RPATH " -Wl,-rpath,\${libdir}")
if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
  set(SUITE_PC_RPATH "")
endif()
configure_file(${SUITE_CMAKE_DIR}/suite.pc.in ${PROJECT_BINARY_DIR}/suite.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/suite.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)

# The pages lie below share/doc/suite as they do here, beside the examples that they point to.
set(docs ${PROJECT_BINARY_DIR}/share/doc/suite)
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/docs/* ${PROJECT_SOURCE_DIR}/examples/*
  ${PROJECT_SOURCE_DIR}/fortran/examples/* ${PROJECT_SOURCE_DIR}/fortran/hosts/*)
list(PREPEND pages README.md CHANGELOG.md CITATION.cff)
list(TRANSFORM pages PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE originals)
add_custom_command(OUTPUT ${docs}/README.md
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DFOLDER=${docs} "-DFILES=${pages}" -P ${SUITE_CMAKE_DIR}/SuiteDocs.cmake
  DEPENDS ${originals} ${SUITE_CMAKE_DIR}/SuiteDocs.cmake VERBATIM)
add_custom_target(suite_docs ALL DEPENDS ${docs}/README.md)
install(DIRECTORY ${docs}/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)

include(${PROJECT_SOURCE_DIR}/packaging/deb/packages.cmake)

# pip install .: a package without the program, or without an app, would surprise its users.
if(SKBUILD)
  option(SUITE_KERNELS_ONLY "pip: install the library and the kernels without the program" OFF)
  get_property(apps GLOBAL PROPERTY SUITE_FEATURES)
  list(FILTER apps INCLUDE REGEX "^apps?( .*)?: no ")
  list(FILTER apps EXCLUDE REGEX "left out of this build")  # SUITE_ONLY_APPS
  if(apps AND NOT SUITE_KERNELS_ONLY)
    list(JOIN apps "\n  " apps)
    file(READ ${PROJECT_SOURCE_DIR}/tools/packages packages)
    string(REGEX REPLACE ".*\\[main\\]\n([^#]*)#.*" "\\1" packages "${packages}")
    string(REPLACE "\n" " " packages "${packages}")
    message(FATAL_ERROR "The program suite cannot be built as it should:\n  ${apps}\nOn Debian, install what is missing:\n"
      "  apt install ${packages}libfftw3-dev\n"
      "To install the kernels without the program: pip install . -C cmake.define.SUITE_KERNELS_ONLY=ON\n"
      "To use a suite that is installed already: pip install . -C wheel.cmake=false")
  endif()
endif()
