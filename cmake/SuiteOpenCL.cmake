# SPDX-License-Identifier: BSD-3-Clause
# Finds OpenCL's headers and loader as SUITE_WITH_OPENCL (AUTO, ON, OFF) asks. Sets SUITE_HAS_OPENCL. Whether there is a
# device is asked at run time.
set(SUITE_WITH_OPENCL AUTO CACHE STRING "AUTO, ON or OFF")
set_property(CACHE SUITE_WITH_OPENCL PROPERTY STRINGS AUTO ON OFF)
set(SUITE_HAS_OPENCL FALSE)
if(SUITE_WITH_OPENCL STREQUAL OFF)
  suite_note_feature(OpenCL "off (SUITE_WITH_OPENCL=OFF)")
else()
  find_package(OpenCL 1.2)
  if(OpenCL_FOUND)
    set(SUITE_HAS_OPENCL TRUE)
    suite_note_feature(OpenCL "${OpenCL_VERSION_STRING}, ${OpenCL_LIBRARIES}")
  elseif(SUITE_WITH_OPENCL STREQUAL ON)
    message(FATAL_ERROR "SUITE_WITH_OPENCL is ON, but OpenCL was not found (Debian: apt install ocl-icd-opencl-dev opencl-headers)")
  else()
    suite_note_feature(OpenCL "headers or loader not found; the opencl plugins are not built")
  endif()
endif()
