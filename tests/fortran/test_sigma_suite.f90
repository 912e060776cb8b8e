! SPDX-License-Identifier: BSD-3-Clause
!> The module for a host of BerkeleyGW's kind against the reference, in each implementation named on the command line.
program test_sigma_suite
  use checks, only: check, finish_checks
  use sigma_suite, only: sigma_suite_chosen, sigma_suite_close, sigma_suite_keyword
  use sigma_suite_in_complex, only: dp, drive_complex, routine
  use sigma_suite_in_real, only: drive_real, routine_of_reals => routine
  use suite
  implicit none

  character(len=64) :: implementation
  integer :: i, served

  call check(.not. sigma_suite_keyword("number_bands", "cpu"), "other keywords are of the host")
  call check(.not. sigma_suite_chosen(), "nobody has chosen an implementation yet")
  served = 0
  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    if (.not. is_there(trim(implementation))) then
      print "(2a)", "not here: ", trim(implementation)
      cycle
    end if
    served = served + 1
    call check(sigma_suite_keyword("sigma_suite", " " // implementation), "the keyword is known")
    call check(sigma_suite_chosen(), "an implementation is chosen")
    !                       ncouls ranks iw      spin ncrit diagonal remainder grid
    call one_routine("diagonal", 29, 1, 1, 3, 1, 0, .true., .false., .false.)
    call one_routine("static remainder on two ranks", 29, 2, 2, 3, 2, 0, .true., .true., .false.)
    call one_routine("columns outside of the sphere on three ranks", 23, 3, 1, 3, 1, 0, .true., .true., .false.)
    call one_routine("off-diagonal at one energy", 29, 2, 2, 2, 2, 0, .false., .true., .false.)
    call one_routine("partially occupied bands", 29, 2, 1, 2, 1, 2, .true., .false., .false.)
    call one_routine("grid of energies", 27, 1, 1, 5, 2, 1, .false., .true., .true.)
    call one_routine("energies without the second", 29, 1, 3, 4, 1, 0, .true., .true., .false.)
    ! Ranks without a band, and without a column.
    call one_routine("more ranks than bands", 29, 15, 1, 3, 1, 0, .true., .true., .false.)
    call one_routine("more ranks than columns", 29, 31, 1, 3, 2, 0, .false., .true., .false.)
  end do
  call check(served >= 2, "reference and cpu are always there")
  call sigma_suite_close()
  call finish_checks()

contains

  logical function is_there(name)
    character(len=*), intent(in) :: name
    type(suite_call) :: call
    integer :: ierr

    call suite_open(call, "gpp.sigma", name, ierr=ierr)
    is_there = ierr == suite_ok
    if (.not. is_there) print "(a)", suite_message(call)
    call suite_close(call)
  end function

  subroutine one_routine(what, ncouls, nranks, nstart, nend, ispin, ncrit, diagonal, remainder, on_grid)
    character(len=*), intent(in) :: what
    integer, intent(in) :: ncouls, nranks, nstart, nend, ispin, ncrit
    logical, intent(in) :: diagonal, remainder, on_grid
    real(dp) :: of_complex, of_real
    ! The kernel's documented tolerance.
    real(dp), parameter :: tolerance = 1.0e-11_dp

    of_complex = drive_complex(routine(ncouls, nranks, nstart, nend, ispin, ncrit, diagonal, remainder, on_grid))
    of_real = drive_real(routine_of_reals(ncouls, nranks, nstart, nend, ispin, ncrit, diagonal, remainder, on_grid))
    call check(of_complex <= tolerance, trim(implementation) // ", complex: " // what)
    call check(of_real <= tolerance, trim(implementation) // ", real: " // what)
    if (.not. (of_complex <= tolerance .and. of_real <= tolerance)) print "(2es12.3)", of_complex, of_real
  end subroutine
end program
