# SPDX-License-Identifier: BSD-3-Clause
# Read by cpack. Folders and RUNPATHs are decided when suite is configured.
if(CPACK_GENERATOR STREQUAL DEB AND NOT CPACK_SUITE_PREFIX STREQUAL /usr)
  message(FATAL_ERROR "this build is configured for ${CPACK_SUITE_PREFIX}; Debian packages need /usr: cmake --workflow --preset deb")
endif()
