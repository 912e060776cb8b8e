# SPDX-License-Identifier: BSD-3-Clause
# Makes CMake's language HIP usable with Debian 12's packages (hipcc 5.2): CMake looks for <root>/lib/cmake/hip-lang, Debian has
# it in lib/x86_64-linux-gnu/cmake. Include it before enable_language(HIP). Where ROCm itself is installed, or another compiler is
# named, it does nothing. The compiler is clang-15, or, where CMAKE_HIP_ARCHITECTURES asks for gfx942, which that does not know,
# the newest of clang-19, 18 and 17.
set(debian /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
if(NOT CMAKE_HIP_COMPILER AND NOT CMAKE_HIP_COMPILER_ROCM_ROOT AND NOT DEFINED ENV{ROCM_PATH} AND NOT EXISTS /opt/rocm
   AND EXISTS ${debian}/cmake/hip-lang/hip-lang-config.cmake)
  set(compilers clang++-15)
  if("gfx942" IN_LIST CMAKE_HIP_ARCHITECTURES)
    set(compilers clang++-19 clang++-18 clang++-17)
  endif()
  find_program(SUITE_DEBIAN_HIP_COMPILER NAMES ${compilers})
  if(SUITE_DEBIAN_HIP_COMPILER)
    set(CMAKE_HIP_COMPILER ${SUITE_DEBIAN_HIP_COMPILER} CACHE FILEPATH "HIP compiler" FORCE) # over an earlier NOTFOUND; CMake refuses hipcc itself
  endif()
endif()
if(SUITE_DEBIAN_HIP_COMPILER AND CMAKE_HIP_COMPILER STREQUAL SUITE_DEBIAN_HIP_COMPILER)
  set(shim ${PROJECT_BINARY_DIR}/rocm-shim)
  set(device_library ${debian}/amdgcn/bitcode)
  set(more_flags)
  if(SUITE_DEBIAN_HIP_COMPILER MATCHES "-15$")
    file(MAKE_DIRECTORY ${shim}/lib)
    file(CREATE_LINK ${debian}/cmake ${shim}/lib/cmake SYMBOLIC)
  else()
    # Debian's package names /usr/include as a folder of the system, which then comes before that of the C++ library, whose
    # headers no longer find those of C.
    file(REMOVE ${shim}/lib/cmake) # the link of another compiler; no folder
    file(MAKE_DIRECTORY ${shim}/lib/cmake/hip-lang)
    file(GLOB packages RELATIVE ${debian}/cmake ${debian}/cmake/*)
    list(REMOVE_ITEM packages hip-lang)
    foreach(package IN LISTS packages)
      file(CREATE_LINK ${debian}/cmake/${package} ${shim}/lib/cmake/${package} SYMBOLIC)
    endforeach()
    file(WRITE ${shim}/lib/cmake/hip-lang/hip-lang-config.cmake "include(${debian}/cmake/hip-lang/hip-lang-config.cmake)
set_target_properties(hip-lang::device hip-lang::amdhip64 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES \"\" INTERFACE_SYSTEM_INCLUDE_DIRECTORIES \"\")
")
    # The device library has all of gfx942 but one constant, the number of its instruction set.
    set(device_library ${shim}/bitcode)
    file(MAKE_DIRECTORY ${device_library})
    file(GLOB parts RELATIVE ${debian}/amdgcn/bitcode ${debian}/amdgcn/bitcode/*.bc)
    foreach(part IN LISTS parts)
      file(CREATE_LINK ${debian}/amdgcn/bitcode/${part} ${device_library}/${part} SYMBOLIC)
    endforeach()
    if(NOT EXISTS ${device_library}/oclc_isa_version_942.bc)
      file(WRITE ${shim}/isa_942.ll "target triple = \"amdgcn-amd-amdhsa\"
@__oclc_ISA_version = linkonce_odr protected local_unnamed_addr addrspace(4) constant i32 9402, align 4
")
      execute_process(COMMAND ${SUITE_DEBIAN_HIP_COMPILER} -target amdgcn-amd-amdhsa -nogpulib -x ir -emit-llvm -c ${shim}/isa_942.ll
                              -o ${device_library}/oclc_isa_version_942.bc COMMAND_ERROR_IS_FATAL ANY)
    endif()
    # The kind of code object that Debian's runtime loads.
    set(more_flags " -mcode-object-version=4")
  endif()
  set(CMAKE_HIP_COMPILER_ROCM_ROOT ${shim})
  set(ENV{CMAKE_PREFIX_PATH} "${shim}:$ENV{CMAKE_PREFIX_PATH}") # reaches try_compile as well; put it back afterwards
  if(NOT CMAKE_HIP_FLAGS)
    set(CMAKE_HIP_FLAGS "--rocm-path=/usr --rocm-device-lib-path=${device_library}${more_flags}" CACHE STRING "HIP flags" FORCE)
  endif()
endif()
