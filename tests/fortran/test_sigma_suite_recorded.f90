! SPDX-License-Identifier: BSD-3-Clause
!> The module for BerkeleyGW on calls that were recorded inside that code: what it had there comes out, and in all else that its
!> routine does with them what the reference has.
!>
!>     test_sigma_suite_recorded FOLDER IMPLEMENTATION...
program test_sigma_suite_recorded
  use checks, only: check, finish_checks
  use recorded_calls, only: recorded
  use sigma_routines, only: check_diagonal, check_routines, choose
  use sigma_suite, only: sigma_suite_close
  implicit none (type, external)

  ! Each of another k or q.
  character(len=4), parameter :: others(4) = ["0009", "0034", "0100", "0150"]
  character(len=512) :: word, folder
  integer :: i, j, served

  call get_command_argument(1, folder)
  served = 0
  do i = 2, command_argument_count()
    call get_command_argument(i, word)
    if (.not. choose(trim(word))) cycle
    served = served + 1
    call check_routines(recorded([path("0001"), path("0002")]), trim(word) // ", two bands at Gamma")
    do j = 1, size(others)
      call check_diagonal(recorded([path(others(j))]), trim(word) // ", call " // others(j))
    end do
  end do
  call check(served >= 2, "reference and cpu are always there")
  call sigma_suite_close()
  call finish_checks()

contains

  character(len=600) function path(number)
    character(len=*), intent(in) :: number

    path = trim(folder) // "/si_small_" // number // ".h5"
  end function
end program
