# SPDX-License-Identifier: BSD-3-Clause
# cmake -DCMAKE_TOOLCHAIN_FILE=cmake/toolchains/aarch64.cmake -DSUITE_SYSROOT=<folder>: cross-compiles for 64-bit ARM on Debian. Needs
# g++-aarch64-linux-gnu; SUITE_SYSROOT holds the libraries (tools/check-aarch64 makes one); qemu-user-static runs what was compiled, the programs of
# the build among it. SUITE_EMULATED_CPU: what QEMU pretends to be.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(SUITE_SYSROOT "" CACHE PATH "Root of an arm64 system with the libraries that are linked")
set(SUITE_EMULATED_CPU max,sve256=on CACHE STRING "CPU for qemu-aarch64-static -cpu")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SUITE_SYSROOT SUITE_EMULATED_CPU)
set(CMAKE_SYSROOT ${SUITE_SYSROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-cpu;${SUITE_EMULATED_CPU};-L;${SUITE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# HDF5's compiler wrapper on this machine tells where this machine's HDF5 is; Debian keeps that of the sysroot in folders of its own.
set(HDF5_C_COMPILER_EXECUTABLE OFF CACHE STRING "no wrapper")
set(CMAKE_INCLUDE_PATH /usr/include/hdf5/serial)
set(CMAKE_LIBRARY_PATH /usr/lib/aarch64-linux-gnu/hdf5/serial)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
