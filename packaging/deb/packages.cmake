# SPDX-License-Identifier: BSD-3-Clause
# Packages for Debian and what derives from it: cmake --workflow --preset deb. One for each component of the installation that this build has, named
# as Debian names such packages. docs/install.md says what they hold. Not where there is no dpkg-deb.
find_program(SUITE_DPKG_DEB dpkg-deb)
mark_as_advanced(SUITE_DPKG_DEB)
if(NOT SUITE_DPKG_DEB OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# suite_describe_package(<component> <name> <summary> <text> [DEPENDS <packages>] [RECOMMENDS <packages>] [SECTION <name>] [ALL])
# ALL: the same files for every architecture.
function(suite_describe_package component name summary text)
  cmake_parse_arguments(deb "ALL" "DEPENDS;RECOMMENDS;SUGGESTS;SECTION" "" ${ARGN})
  string(TOUPPER ${component} upper)
  set(prefix CPACK_DEBIAN_${upper})
  set(${prefix}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(${prefix}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  foreach(field DEPENDS RECOMMENDS SUGGESTS SECTION)
    if(deb_${field})
      set(${prefix}_PACKAGE_${field} "${deb_${field}}" PARENT_SCOPE)
    endif()
  endforeach()
  if(deb_ALL)
    set(${prefix}_PACKAGE_ARCHITECTURE all PARENT_SCOPE)
    set(${prefix}_PACKAGE_SHLIBDEPS OFF PARENT_SCOPE)
  endif()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  # What Debian asks of every package.
  install(FILES ${made}/copyright ${made}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component}
    EXCLUDE_FROM_ALL)
  file(CONFIGURE OUTPUT ${made}/overrides/${name} CONTENT "# The package is not uploaded to Debian, where somebody would have asked for it.
${name}: initial-upload-closes-no-bugs
")
  install(FILES ${made}/overrides/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(made ${PROJECT_BINARY_DIR}/packaging/deb)
set(revision 1)
# The date of the release is that of its heading in CHANGELOG.md; today where it is not released yet.
file(STRINGS ${PROJECT_SOURCE_DIR}/CHANGELOG.md heading REGEX "^## ${PROJECT_VERSION} - " LIMIT_COUNT 1)
string(REGEX REPLACE "^.* - " "" date "${heading}")
execute_process(COMMAND date -R -u -d "${date}" OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# Whoever makes the packages is their maintainer: as in Debian's own tools, who the environment says, or else the user on this machine.
set(name "$ENV{DEBFULLNAME}")
set(address "$ENV{DEBEMAIL}")
if(NOT address)
  execute_process(COMMAND id -un OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  cmake_host_system_information(RESULT host QUERY FQDN)
  set(address "${user}@${host}")
endif()
if(NOT name)
  string(REGEX REPLACE "@.*" "" name "${address}")
endif()
set(SUITE_DEB_MAINTAINER "${name} <${address}>" CACHE STRING "Maintainer of the Debian packages, 'Name <address>'")
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
string(REGEX REPLACE "^.*All rights reserved.\n+" "" licence "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" licence " ${licence}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${made}/copyright @ONLY)
file(CONFIGURE OUTPUT ${made}/changelog.Debian CONTENT "suite (${PROJECT_VERSION}-${revision}) unstable; urgency=medium

  * Release ${PROJECT_VERSION}; CHANGELOG.md in the package suite-doc lists what is new.

 -- ${SUITE_DEB_MAINTAINER}  ${date}
")
execute_process(COMMAND gzip -9nkf ${made}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)

set(CPACK_COMPONENTS_ALL)
set(same "(= ${PROJECT_VERSION}-${revision})")
set(library libsuite${SUITE_SOVERSION})
set(about "suite runs the hot loops of electronic-structure codes as kernels that
can be swapped at run time, and mini-apps made of them: GW quasiparticle
energies, real-time TDDFT, quantum Monte Carlo and all-electron perturbation
theory.")
suite_describe_package(library ${library} "electronic-structure kernels as swappable plugins - library"
  "${about}\n\nThis package has libsuite, which finds plugins, loads them and runs the
kernels in them." SECTION libs RECOMMENDS "suite-plugins")
suite_describe_package(plugins suite-plugins "electronic-structure kernels as swappable plugins - kernels for CPUs"
  "${about}\n\nThis package has the reference implementation of every kernel, and the fast
one for CPUs, built for several instruction sets." SECTION science)
if(TARGET suite_program)
  suite_describe_package(program suite "electronic-structure kernels as swappable plugins - program"
    "${about}\n\nThis package has the program suite, which runs the apps, and verifies,
compares and measures implementations of kernels." SECTION science
    DEPENDS "${library} ${same}, suite-plugins ${same}, suite-data ${same}" SUGGESTS "suite-doc, suite-mpi, suite-opencl")
  suite_describe_package(data suite-data "electronic-structure kernels as swappable plugins - inputs"
    "${about}\n\nThis package has the inputs that 'suite run' finds by their names, and their
data." SECTION science ALL)
endif()
if(TARGET suite_communicator_mpi)
  suite_describe_package(mpi suite-mpi "electronic-structure kernels as swappable plugins - MPI"
    "${about}\n\nThis package has the module that lets the program suite run on several
processes with mpirun." SECTION science DEPENDS "suite ${same}")
endif()
foreach(device "opencl:SUITE_HAS_OPENCL:OpenCL devices" "cuda:SUITE_HAVE_CUDA:NVIDIA GPUs" "hip:SUITE_HAVE_HIP:AMD GPUs"
               "emulated:SUITE_HAVE_EMULATED:the emulation of GPUs,\nwhich finds errors in GPU kernels on a CPU")
  string(REPLACE ":" ";" device "${device}")
  list(GET device 0 component)
  list(GET device 1 feature)
  list(GET device 2 kind)
  if(${feature})
    suite_describe_package(${component} suite-${component} "electronic-structure kernels as swappable plugins - ${component}"
      "${about}\n\nThis package has the kernels for ${kind}." SECTION science DEPENDS "suite-plugins ${same}")
  endif()
endforeach()
suite_describe_package(devel libsuite-dev "electronic-structure kernels as swappable plugins - development"
  "${about}\n\nThis package has what is needed to call kernels from C, C++ and Fortran, and
to write plugins: headers, the Fortran modules and their sources, files for
CMake and pkg-config." SECTION libdevel DEPENDS "${library} ${same}" SUGGESTS "suite-doc, suite-emulated")
suite_describe_package(doc suite-doc "electronic-structure kernels as swappable plugins - documentation"
  "${about}\n\nThis package has the documentation as Markdown, examples of host programs in
Fortran and of plugins." SECTION doc ALL)

set(CPACK_PACKAGE_NAME suite)
set(CPACK_PACKAGE_VENDOR "the suite authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each component has its own
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${SUITE_DEB_MAINTAINER}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_MULTIARCH same)
# Where CPack asks dpkg-shlibdeps itself, it also writes scripts that call ldconfig; packages have a trigger for that (before_packing.cmake).
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
file(WRITE ${made}/shlibs "libsuite ${SUITE_SOVERSION} ${library} (>= ${PROJECT_VERSION})\n")
file(WRITE ${made}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${made}/shlibs ${made}/triggers)
set(CPACK_SUITE_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/require_usr.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/before_packing.cmake)
include(CPack)
