# SPDX-License-Identifier: BSD-3-Clause
# The installed package: CMake config, pkg-config file, and what suite_add_plugin needs outside the source tree.
# Included last, when all targets of the export set suiteTargets exist.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/suite)
set(SUITE_HEADER_DIR ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(${SUITE_CMAKE_DIR}/suiteConfig.cmake.in ${PROJECT_BINARY_DIR}/suiteConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS SUITE_PLUGIN_DIR SUITE_HEADER_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/suiteConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT suiteTargets NAMESPACE suite:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/suiteConfig.cmake ${PROJECT_BINARY_DIR}/suiteConfigVersion.cmake
  ${SUITE_CMAKE_DIR}/SuitePlugin.cmake ${SUITE_CMAKE_DIR}/plugin.map ${SUITE_CMAKE_DIR}/sealed.cpp
  ${SUITE_CMAKE_DIR}/SuiteGpu.cmake ${SUITE_CMAKE_DIR}/SuiteLanguage.cmake
  ${SUITE_CMAKE_DIR}/SuiteDebianHip.cmake ${SUITE_CMAKE_DIR}/hip_on_demand.cpp
  ${SUITE_CMAKE_DIR}/gpu_resources.py DESTINATION ${package_dir})

# Relative to the .pc file, so that the installed tree may be moved.
file(RELATIVE_PATH SUITE_PC_TO_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(${SUITE_CMAKE_DIR}/suite.pc.in ${PROJECT_BINARY_DIR}/suite.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/suite.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
