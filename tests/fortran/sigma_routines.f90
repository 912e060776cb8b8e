! SPDX-License-Identifier: BSD-3-Clause
!> What the Sigma routine of a host does with its calls, in both flavours, with one implementation after the other.
module sigma_routines
  use checks, only: check
  use sigma_calls, only: calls, dp
  use sigma_suite, only: sigma_suite_chosen, sigma_suite_keyword
  use sigma_suite_in_complex, only: drive_complex, routine
  use sigma_suite_in_real, only: drive_real, routine_of_reals => routine
  use suite
  implicit none (type, external)
  private
  public :: check_diagonal, check_routines, choose

contains

  !> Whether there is such an implementation; it then is the one that computes.
  logical function choose(implementation) result(is_there)
    character(len=*), intent(in) :: implementation
    type(suite_call) :: call
    integer :: ierr

    call suite_open(call, "gpp.sigma", implementation, ierr=ierr)
    is_there = ierr == suite_ok
    if (.not. is_there) print "(2a)", "not here: ", suite_message(call)
    call suite_close(call)
    if (.not. is_there) return
    call check(sigma_suite_keyword("sigma_suite", " " // implementation), "the keyword is known")
    call check(sigma_suite_chosen(), "an implementation is chosen")
  end function

  subroutine check_routines(c, what)
    type(calls), intent(in) :: c
    character(len=*), intent(in) :: what
    integer :: all, some

    all = size(c%v)
    some = all - all / 5
    !                 ncouls ranks iw   spin ncrit diagonal remainder grid
    call one("diagonal", all, 1, 1, 3, 1, 0, .true., .false., .false.)
    call one("static remainder on two ranks", all, 2, 2, 3, 2, 0, .true., .true., .false.)
    call one("columns outside of the sphere on three ranks", some, 3, 1, 3, 1, 0, .true., .true., .false.)
    call one("off-diagonal at one energy", all, 2, 2, 2, 2, 0, .false., .true., .false.)
    call one("partially occupied bands", all, 2, 1, 2, 1, 2, .true., .false., .false.)
    call one("grid of energies", some, 1, 1, 5, 2, 1, .false., .true., .true.)
    call one("energies without the second", all, 1, 3, 4, 1, 0, .true., .true., .false.)
    ! Ranks without a band, and without a column.
    call one("more ranks than bands", all, size(c%ekq) + 2, 1, 3, 1, 0, .true., .true., .false.)
    call one("more ranks than columns", all, all + 2, 1, 3, 2, 0, .false., .true., .false.)

  contains

    subroutine one(routine_name, ncouls, nranks, nstart, nend, ispin, ncrit, diagonal, remainder, on_grid)
      character(len=*), intent(in) :: routine_name
      integer, intent(in) :: ncouls, nranks, nstart, nend, ispin, ncrit
      logical, intent(in) :: diagonal, remainder, on_grid

      call check_one(c, what // ": " // routine_name, routine(ncouls, nranks, nstart, nend, ispin, ncrit, diagonal, remainder, &
          on_grid))
    end subroutine
  end subroutine

  !> One to three ranks share a diagonal element at three energies.
  subroutine check_diagonal(c, what)
    type(calls), intent(in) :: c
    character(len=*), intent(in) :: what
    integer :: ranks

    do ranks = 1, 3
      call check_one(c, what, routine(size(c%v), ranks, 1, 3, 1, 0, .true., .false., .false.))
    end do
  end subroutine

  subroutine check_one(c, what, r)
    type(calls), intent(in) :: c
    character(len=*), intent(in) :: what
    type(routine), intent(in) :: r
    real(dp) :: of_complex, of_real
    real(dp) :: tolerance

    tolerance = 1.0e-11_dp ! the documented one of the kernel
    ! Of recorded bands the elements between two are a thousandth of what cancels in them, and the sums of many ranks are rounded.
    if (allocated(c%asx) .and. .not. r%diagonal) tolerance = 1.0e-9_dp
    of_complex = drive_complex(c, r)
    of_real = drive_real(c, routine_of_reals(r%ncouls, r%nranks, r%nstart, r%nend, r%ispin, r%ncrit, r%diagonal, r%remainder, &
        r%on_grid))
    call check(of_complex <= tolerance, "complex, " // what)
    call check(of_real <= tolerance, "real, " // what)
    if (.not. (of_complex <= tolerance .and. of_real <= tolerance)) print "(2es12.3)", of_complex, of_real
  end subroutine
end module
