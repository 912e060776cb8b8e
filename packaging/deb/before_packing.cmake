# SPDX-License-Identifier: BSD-3-Clause
# Read by cpack when the files lie in CPACK_TEMPORARY_INSTALL_DIRECTORY: what Debian asks for and CPack does not do.
file(GLOB_RECURSE manuals ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/man/*.1)
foreach(file IN LISTS manuals)
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# The packages that libsuite needs. dpkg-shlibdeps wants to be called where a package is made.
set(folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/library)
file(GLOB_RECURSE libraries RELATIVE ${folder} ${folder}/usr/lib/libsuite.so.*.*.*)
file(MAKE_DIRECTORY ${folder}/debian)
file(TOUCH ${folder}/debian/control)
execute_process(COMMAND dpkg-shlibdeps -O ${libraries} WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE said ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${folder}/debian)
string(REGEX REPLACE "^shlibs:Depends=|\n$" "" CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "${said}")
