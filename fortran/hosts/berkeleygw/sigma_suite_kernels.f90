! SPDX-License-Identifier: BSD-3-Clause
!> Which implementation computes for the Sigma code of BerkeleyGW, how its kernels are opened and kept, and where failures go.
module sigma_suite_kernels
  use suite_gpp, only: suite_call, suite_close, suite_is_open, suite_message, suite_not_found, suite_ok, suite_open
  implicit none (type, external)
  private

  public :: sigma_suite_choose, sigma_suite_chosen, sigma_suite_failure, sigma_suite_keyword
  public :: opened_kernel, open_chosen, close_kernel ! for the other files here

  !> A kernel, and the names among which its implementation was found.
  type :: opened_kernel
    type(suite_call) :: call
    character(len=:), allocatable :: names
  end type

  abstract interface
    !> Ends all ranks with a sentence: the routine die of the host. It is called with only_root_writes=.false., because a plugin may
    !> fail on one rank alone.
    subroutine sigma_suite_failure(str, only_root_writes)
      implicit none (type, external)
      character(len=*), intent(in) :: str
      logical, intent(in), optional :: only_root_writes
    end subroutine
  end interface

  character(len=:), allocatable :: of_input !< what the input names

contains

  !> Which implementation computes: a name that the command suite list prints, or the path of a plugin. Of several words each kernel
  !> takes the first that has it, so that one of a user may stand before cpu.
  subroutine sigma_suite_choose(implementation)
    character(len=*), intent(in) :: implementation

    of_input = trim(adjustl(implementation))
  end subroutine

  !> Whether a line of the input was that of this module: its keyword is sigma_suite, its value what sigma_suite_choose takes.
  logical function sigma_suite_keyword(keyword, line) result(found)
    character(len=*), intent(in) :: keyword, line

    found = keyword == "sigma_suite"
    if (found) call sigma_suite_choose(line)
  end function

  !> Whether anybody chose one, in the input or as SIGMA_SUITE in the environment.
  logical function sigma_suite_chosen()
    sigma_suite_chosen = len(chosen()) > 0
  end function

  !> The environment comes first, so that one input runs on any plugin.
  function chosen() result(name)
    character(len=:), allocatable :: name
    integer :: length

    call get_environment_variable("SIGMA_SUITE", length=length)
    allocate(character(len=length) :: name)
    if (length > 0) call get_environment_variable("SIGMA_SUITE", name)
    if (length == 0 .and. allocated(of_input)) name = of_input
  end function

  !> Opens a kernel at the first call, and again where another implementation has been chosen since.
  subroutine open_chosen(kernel, name, reopened, message)
    type(opened_kernel), intent(inout) :: kernel
    character(len=*), intent(in) :: name
    logical, intent(out) :: reopened
    character(len=:), allocatable, intent(out) :: message !< empty, or why there is none
    character(len=:), allocatable :: names
    integer :: first, blank, ierr

    message = ""
    names = chosen()
    reopened = .true.
    if (suite_is_open(kernel%call)) reopened = kernel%names /= names
    if (.not. reopened) return
    first = 1
    do
      blank = index(names(first:), " ")
      if (blank == 0) blank = len(names) - first + 2
      call suite_open(kernel%call, name, names(first:first + blank - 2), ierr=ierr)
      first = first + blank
      do while (first <= len(names))
        if (names(first:first) /= " ") exit
        first = first + 1
      end do
      if (ierr /= suite_not_found .or. first > len(names)) exit
    end do
    if (ierr /= suite_ok) message = suite_message(kernel%call)
    kernel%names = names
  end subroutine

  subroutine close_kernel(kernel)
    type(opened_kernel), intent(inout) :: kernel

    call suite_close(kernel%call)
  end subroutine
end module
