! SPDX-License-Identifier: BSD-3-Clause
!> What was asked for in the environment and cannot be had is told, a line each.
program test_warnings
  use, intrinsic :: iso_c_binding, only: c_double
  use checks, only: check, finish_checks
  use suite
  implicit none (type, external)
  type(suite_call) :: gpp

  call check(suite_warnings() == "", "there is nothing to tell before a kernel was opened")
  call suite_open(gpp, "gpp.sigma", "reference")
  call check(suite_warnings() == &
             "SUITE_TRACE: cannot create /nonexistent/trace.json: No such file or directory; nothing is traced" &
      // new_line("a") // "SUITE_CAPTURE_KERNEL is 'gpp.sigmo', but only these kernels were opened: gpp.sigma", suite_warnings())
  call suite_close(gpp)
  call finish_checks()
end program
