# SPDX-License-Identifier: BSD-3-Clause
# cmake -DNVCC=<nvcc or empty> -DBUILD=<build> -DTARGETS=<targets> -DSUITE=<program> -DTEST=<test_plugins> -P hip_on_nvidia.cmake
# Builds the HIP source of GPU plugins for NVIDIA, looks at what came out, and compares it with the reference (where there
# is an NVIDIA GPU; elsewhere that is skipped aloud).
if(NOT NVCC)
  message("SKIPPED: no nvcc, so that the HIP source cannot be compiled for NVIDIA")
  return()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${TARGETS} --parallel 2
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the HIP source does not compile for NVIDIA:\n${output}")
endif()

set(ENV{SUITE_PLUGIN_PATH} ${BUILD}/hip_on_nvidia)
foreach(plugin gpp ceilings backend)
  if(NOT EXISTS ${BUILD}/hip_on_nvidia/suite_${plugin}_hip.so)
    message(FATAL_ERROR "not built: ${BUILD}/hip_on_nvidia/suite_${plugin}_hip.so")
  endif()
endforeach()
if(EXISTS ${SUITE})
  execute_process(COMMAND ${SUITE} list --json OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
  string(JSON unusable GET "${list}" unusable)
  if(unusable MATCHES "hip_on_nvidia")
    message(FATAL_ERROR "what was built for NVIDIA cannot be used: ${unusable}")
  endif()
  foreach(text "hip_on_nvidia/suite_gpp_hip.so" "hip_on_nvidia/suite_ceilings_hip.so" "HIP by nvcc")
    string(FIND "${list}" "${text}" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "suite list does not name ${text}:\n${list}")
    endif()
  endforeach()
endif()

execute_process(COMMAND ${TEST} --run_test=*hip_on_nvidia_suite_gpp_hip.so* RESULT_VARIABLE status OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
message("${output}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the HIP source on NVIDIA does not agree with the reference")
endif()
