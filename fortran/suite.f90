! SPDX-License-Identifier: BSD-3-Clause
!> suite from Fortran: kernels as swappable plugins, called with the host code's own arrays.
!>
!>     use suite
!>     type(suite_call) :: gpp
!>     call suite_open(gpp, "gpp.sigma", "cpu")
!>     call suite_set(gpp, "vcoul", vcoul)          ! ... one call per argument
!>     call suite_run(gpp, seconds)                 ! achtemp has its result
!>     call suite_close(gpp)
!>
!> Every procedure that can fail ends in an optional ierr (0, or one of the status values below); suite_message(gpp)
!> then holds one sentence that names the argument. Without ierr a failure stops the program with that sentence.
!>
!> On a device that shares the host's memory arguments are used in place, on others a run brings the results back: an array
!> given to suite_set must be there at every run, and be no temporary, until it is set again. Between two runs it may go if it is set
!> again before the second. Declare it with the target attribute. After suite_run the results are in the arrays that were set,
!> whatever the device.
module suite
  use suite_bindings, only: suite_array, suite_max_rank, &
      suite_int32, suite_int64, suite_real32, suite_real64, suite_complex64, suite_complex128, &
      suite_ok, suite_invalid_argument, suite_unsupported, suite_not_found, suite_out_of_memory, suite_device_error, &
      suite_internal
  use suite_devices, only: suite_device, suite_device_open, suite_device_close, suite_device_describe, &
      suite_device_memory, suite_allocate, suite_release, suite_upload, suite_download
  use suite_calls, only: suite_call, suite_open, suite_open_once, suite_close, suite_is_open, suite_run, suite_start, suite_wait, &
      suite_forget, suite_keep, suite_set_device, suite_unset, suite_set_parameter, suite_get_parameter, suite_choose, &
      suite_generate, suite_work, suite_argument, suite_message, suite_warnings, suite_version
  use suite_set_arrays, only: suite_set
  use suite_get_arrays, only: suite_get
  implicit none (type, external)
  public
end module
