# SPDX-License-Identifier: BSD-3-Clause
# Finds OpenCL's headers and loader as SUITE_WITH_OPENCL (AUTO, ON, OFF) asks. Sets SUITE_HAS_OPENCL. Whether there is a
# device is asked at run time.
set(SUITE_WITH_OPENCL AUTO CACHE STRING "AUTO, ON or OFF")
set_property(CACHE SUITE_WITH_OPENCL PROPERTY STRINGS AUTO ON OFF)
set(SUITE_HAS_OPENCL FALSE)
if(SUITE_WITH_OPENCL STREQUAL OFF)
  suite_note_feature(OpenCL "off (SUITE_WITH_OPENCL=OFF)")
else()
  # CMake asks the header for its version once; the answer of when there was none must not stay.
  if(NOT OpenCL_INCLUDE_DIR)
    foreach(version 3_0 2_2 2_1 2_0 1_2 1_1 1_0)
      unset(OPENCL_VERSION_${version} CACHE)
    endforeach()
  endif()
  find_package(OpenCL 1.2)
  if(OpenCL_FOUND)
    set(SUITE_HAS_OPENCL TRUE)
    suite_note_feature(OpenCL "${OpenCL_VERSION_STRING}, ${OpenCL_LIBRARIES}")
  elseif(SUITE_WITH_OPENCL STREQUAL ON)
    message(FATAL_ERROR "SUITE_WITH_OPENCL is ON, but OpenCL was not found (Debian: apt install ocl-icd-opencl-dev opencl-headers)")
  else()
    suite_note_feature(OpenCL "headers or loader not found: the opencl plugins are not built")
  endif()
endif()

# suite_add_opencl_plugin(<family> [LIBRARIES <target>...] [OPTIONS <flag>...]): suite_<family>_opencl.so of all .cpp of the
# folder, of the family's above it and of the folder device beside it; nothing where there is no OpenCL. The folder's .cl files, and the family's .h, which C++ and
# OpenCL C both read, become one header of string literals, <name>_cl in "sources.hpp", so that the plugin is one file.
function(suite_add_opencl_plugin family)
  cmake_parse_arguments(cl "" "" "LIBRARIES;OPTIONS" ${ARGN})
  if(NOT SUITE_HAS_OPENCL)
    return()
  endif()
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cl ${CMAKE_CURRENT_SOURCE_DIR}/../*.h)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/sources.hpp)
  add_custom_command(OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DHEADER=${header} "-DFILES=${files}" -P ${PROJECT_SOURCE_DIR}/cmake/SuiteEmbed.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/SuiteEmbed.cmake VERBATIM)
  suite_find_device_sources(sources cpp)
  suite_add_plugin(${family}_opencl SOURCES ${sources} ${header} LIBRARIES OpenCL::OpenCL ${cl_LIBRARIES} OPTIONS ${cl_OPTIONS} UNITY)
  target_include_directories(suite_${family}_opencl PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  target_compile_definitions(suite_${family}_opencl PRIVATE SUITE_DEVICE_OPENCL)
endfunction()
