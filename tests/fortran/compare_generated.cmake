# SPDX-License-Identifier: BSD-3-Clause
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PYTHON} ${SOURCE}/generate_arrays ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
foreach(name suite_set_arrays.f90 suite_get_arrays.f90 suite_lfd_single.f90)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${SOURCE}/${name} ${FOLDER}/${name} RESULT_VARIABLE differ)
  if(differ)
    message(FATAL_ERROR "fortran/${name} is not what fortran/generate_arrays writes; run it")
  endif()
endforeach()
