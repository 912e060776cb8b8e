! SPDX-License-Identifier: BSD-3-Clause
!> The module for a host of BerkeleyGW's kind against the reference, in each implementation named on the command line.
program test_sigma_suite
  use checks, only: check, finish_checks
  use sigma_calls, only: made_up
  use sigma_routines, only: check_routines, choose
  use sigma_suite, only: sigma_suite_chosen, sigma_suite_close, sigma_suite_keyword
  implicit none (type, external)

  character(len=64) :: implementation
  integer :: i, served

  call check(.not. sigma_suite_keyword("number_bands", "cpu"), "other keywords are of the host")
  call check(.not. sigma_suite_chosen(), "nobody has chosen an implementation yet")
  served = 0
  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    if (.not. choose(trim(implementation))) cycle
    served = served + 1
    call check_routines(made_up(), trim(implementation))
  end do
  call check(served >= 2, "reference and cpu are always there")
  call sigma_suite_close()
  call finish_checks()
end program
