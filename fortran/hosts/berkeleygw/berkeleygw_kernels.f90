! SPDX-License-Identifier: BSD-3-Clause
!> Which implementation computes for a program of BerkeleyGW, how its kernels are opened and kept, and where failures go.
module berkeleygw_kernels
  use suite_gpp, only: suite_call, suite_close, suite_is_open, suite_message, suite_not_found, suite_ok, suite_open
  implicit none (type, external)
  private

  public :: of_sigma, of_epsilon, choose, is_chosen, is_keyword, host_failure, opened_kernel, open_chosen, close_kernel

  !> The programs.
  integer, parameter :: of_sigma = 1, of_epsilon = 2
  character(len=*), parameter :: keywords(2) = [character(len=13) :: "sigma_suite", "epsilon_suite"]
  character(len=*), parameter :: variables(2) = [character(len=13) :: "SIGMA_SUITE", "EPSILON_SUITE"]

  !> A kernel, and the names among which its implementation was found.
  type :: opened_kernel
    type(suite_call) :: call
    character(len=:), allocatable :: names
  end type

  type :: choice
    character(len=:), allocatable :: names
  end type

  abstract interface
    !> Ends all ranks with a sentence: the routine die of the host. It is called with only_root_writes=.false., because a plugin may
    !> fail on one rank alone.
    subroutine host_failure(str, only_root_writes)
      implicit none (type, external)
      character(len=*), intent(in) :: str
      logical, intent(in), optional :: only_root_writes
    end subroutine
  end interface

  type(choice) :: of_input(2) !< what the input of each program names

contains

  !> Which implementation computes: a name that the command suite list prints, or the path of a plugin. Of several words each kernel
  !> takes the first that has it, so that one of a user may stand before cpu.
  subroutine choose(program, implementation)
    integer, intent(in) :: program
    character(len=*), intent(in) :: implementation

    of_input(program)%names = trim(adjustl(implementation))
  end subroutine

  !> Whether a line of the input chose one: its keyword is sigma_suite or epsilon_suite.
  logical function is_keyword(program, keyword, line) result(found)
    integer, intent(in) :: program
    character(len=*), intent(in) :: keyword, line

    found = keyword == keywords(program)
    if (found) call choose(program, line)
  end function

  !> Whether anybody chose one, in the input or as SIGMA_SUITE or EPSILON_SUITE in the environment.
  logical function is_chosen(program)
    integer, intent(in) :: program

    is_chosen = len(chosen(program)) > 0
  end function

  !> The environment comes first, so that one input runs on any plugin.
  function chosen(program) result(name)
    integer, intent(in) :: program
    character(len=:), allocatable :: name
    integer :: length

    call get_environment_variable(variables(program), length=length)
    allocate(character(len=length) :: name)
    if (length > 0) call get_environment_variable(variables(program), name)
    if (length == 0 .and. allocated(of_input(program)%names)) name = of_input(program)%names
  end function

  !> Opens a kernel at the first call, and again where another implementation has been chosen since.
  subroutine open_chosen(kernel, program, name, reopened, message)
    type(opened_kernel), intent(inout) :: kernel
    integer, intent(in) :: program
    character(len=*), intent(in) :: name
    logical, intent(out) :: reopened
    character(len=:), allocatable, intent(out) :: message !< empty, or why there is none
    character(len=:), allocatable :: names
    integer :: first, blank, ierr

    message = ""
    names = chosen(program)
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
