# SPDX-License-Identifier: BSD-3-Clause
# Makes CMake's language HIP usable with Debian 12's packages (hipcc 5.2, clang-15): CMake looks for
# <root>/lib/cmake/hip-lang, Debian has it in lib/x86_64-linux-gnu/cmake. Include it before enable_language(HIP). Where
# ROCm itself is installed, or another compiler is named, it does nothing.
set(debian /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
if(NOT CMAKE_HIP_COMPILER AND NOT CMAKE_HIP_COMPILER_ROCM_ROOT AND NOT DEFINED ENV{ROCM_PATH} AND NOT EXISTS /opt/rocm
   AND EXISTS ${debian}/cmake/hip-lang/hip-lang-config.cmake)
  find_program(SUITE_DEBIAN_HIP_COMPILER NAMES clang++-15)
  if(SUITE_DEBIAN_HIP_COMPILER)
    set(CMAKE_HIP_COMPILER ${SUITE_DEBIAN_HIP_COMPILER} CACHE FILEPATH "HIP compiler" FORCE) # over an earlier NOTFOUND; CMake refuses hipcc itself
  endif()
endif()
if(SUITE_DEBIAN_HIP_COMPILER AND CMAKE_HIP_COMPILER STREQUAL SUITE_DEBIAN_HIP_COMPILER)
  set(shim ${PROJECT_BINARY_DIR}/rocm-shim)
  file(MAKE_DIRECTORY ${shim}/lib)
  file(CREATE_LINK ${debian}/cmake ${shim}/lib/cmake SYMBOLIC)
  set(CMAKE_HIP_COMPILER_ROCM_ROOT ${shim})
  set(ENV{CMAKE_PREFIX_PATH} "${shim}:$ENV{CMAKE_PREFIX_PATH}") # reaches try_compile as well; put it back afterwards
  if(NOT CMAKE_HIP_FLAGS)
    set(CMAKE_HIP_FLAGS "--rocm-path=/usr --rocm-device-lib-path=${debian}/amdgcn/bitcode" CACHE STRING "HIP flags" FORCE)
  endif()
endif()
