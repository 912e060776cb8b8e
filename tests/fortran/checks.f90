! SPDX-License-Identifier: BSD-3-Clause
!> Checks that count and name what failed.
module checks
  implicit none
  private
  public :: check, check_failure, finish_checks

  integer :: checked = 0, failed = 0

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what

    checked = checked + 1
    if (holds) return
    failed = failed + 1
    print "(2a)", "FAILED: ", what
  end subroutine

  !> A status other than 0, and a message that holds the given words.
  subroutine check_failure(ierr, expected, message, words)
    integer, intent(in) :: ierr, expected
    character(len=*), intent(in) :: message, words

    checked = checked + 1
    if (ierr == expected .and. index(message, words) > 0) return
    failed = failed + 1
    print "(a,i0,5a,i0,3a)", "FAILED: expected status ", expected, " and '", words, "'", new_line("a"), "        got status ", &
        ierr, " and '", message, "'"
  end subroutine

  subroutine finish_checks()
    print "(i0,a,i0,a)", checked, " checks, ", failed, " failed"
    if (failed > 0 .or. checked == 0) error stop "checks failed"
  end subroutine
end module
