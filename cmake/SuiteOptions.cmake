# SPDX-License-Identifier: BSD-3-Clause
# What is built, with what flags. SUITE_WITH_<X> is AUTO (use it if found), ON (fail without it) or OFF.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
option(SUITE_WERROR "Treat warnings as errors" OFF)
add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-Wall> $<$<COMPILE_LANGUAGE:C,CXX>:-Wextra>)
# g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(SUITE_WERROR)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()

option(SUITE_UNITY_BUILD "Compile several sources of core, apps and tests at a time" ON)

foreach(feature FORTRAN MPI HDF5 LAPACK)
  set(SUITE_WITH_${feature} AUTO CACHE STRING "AUTO, ON or OFF")
  set_property(CACHE SUITE_WITH_${feature} PROPERTY STRINGS AUTO ON OFF)
endforeach()

# Where things lie in the build tree, and the same below the prefix after install: bin/suite, lib/libsuite.so,
# lib/suite/*.so (plugins), so that one search rule serves both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
set(SUITE_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/suite)
# The loader refuses plugins in folders that others may write: install them so, whatever the umask is.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# A program finds libsuite by its own place, and libraries that lie neither there nor where the dynamic linker looks by their path. Packages
# below /usr need neither. libsuite.so, plugins and modules need no library of ours.
if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
  set(SUITE_PROGRAM_RPATH "")
else()
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
  file(RELATIVE_PATH SUITE_PROGRAM_RPATH /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  string(PREPEND SUITE_PROGRAM_RPATH $ORIGIN/)
endif()

# While the major version is 0, a minor version may change the binary interface: the soname says so, and find_package(suite) too.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(SUITE_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(SUITE_COMPATIBILITY SameMinorVersion)
else()
  set(SUITE_SOVERSION ${PROJECT_VERSION_MAJOR})
  set(SUITE_COMPATIBILITY SameMajorVersion)
endif()

# suite_add_if_present(<folder>): add_subdirectory where the folder has a CMakeLists.txt.
function(suite_add_if_present folder)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
    add_subdirectory(${folder})
  endif()
endfunction()

# suite_note_feature(<name> <state or reason>): a line in the summary at the end of configure.
function(suite_note_feature name state)
  set_property(GLOBAL APPEND PROPERTY SUITE_FEATURES "${name}: ${state}")
endfunction()

function(suite_print_summary)
  get_property(features GLOBAL PROPERTY SUITE_FEATURES)
  message(STATUS "suite ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}")
  foreach(feature IN LISTS features)
    message(STATUS "  ${feature}")
  endforeach()
  list(JOIN features "\n" features)
  file(WRITE ${PROJECT_BINARY_DIR}/features.txt "${features}\n")
endfunction()

# suite_compile_together(): in this folder and those below, eight sources of a target are one for the compiler: the headers of the standard
# library, JSON and Boost.Test take it longer than what we write. Plugins are left out (suite_add_plugin).
macro(suite_compile_together)
  set(CMAKE_UNITY_BUILD ${SUITE_UNITY_BUILD})
  if(SUITE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # g++ takes an included source for a header, where types of unnamed namespaces must not be members.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
endmacro()
