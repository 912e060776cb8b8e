! SPDX-License-Identifier: BSD-3-Clause
program test_echo
  use checks, only: check, finish_checks
  use echo_of_int32, only: echo_int32
  use echo_of_int64, only: echo_int64
  use echo_of_real32, only: echo_real32
  use echo_of_real64, only: echo_real64
  use echo_of_complex64, only: echo_complex64
  use echo_of_complex128, only: echo_complex128
  use suite
  implicit none (type, external)
  type(suite_call) :: call
  character(len=1024) :: plugin

  call get_command_argument(1, plugin)
  call suite_open(call, "echo.copy", trim(plugin))
  call check(suite_is_open(call), "the plugin opens by its path")
  call echo_int32(call)
  call echo_int64(call)
  call echo_real32(call)
  call echo_real64(call)
  call echo_complex64(call)
  call echo_complex128(call)
  call suite_close(call)
  call finish_checks()
end program
