! SPDX-License-Identifier: BSD-3-Clause
!> What a host of sigma_suite gives it for failures: a routine that ends the program, and one that remembers the sentence.
module sigma_suite_die
  implicit none
  private
  public :: die, remember, said

  character(len=:), allocatable, protected :: said

contains

  subroutine die(str, only_root_writes)
    character(len=*), intent(in) :: str
    logical, intent(in), optional :: only_root_writes

    call remember(str, only_root_writes)
    print "(a)", str
    error stop "sigma_suite failed"
  end subroutine

  subroutine remember(str, only_root_writes)
    character(len=*), intent(in) :: str
    logical, intent(in), optional :: only_root_writes

    ! A failure of one rank alone would be lost if only the first wrote.
    said = "only the root writes: " // str
    if (present(only_root_writes)) then
      if (.not. only_root_writes) said = str
    end if
  end subroutine
end module
