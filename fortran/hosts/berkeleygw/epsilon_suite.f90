! SPDX-License-Identifier: BSD-3-Clause
!> The Epsilon code of BerkeleyGW on suite: matrix elements (gw.mtxel) and the static polarizability (gw.chi), from the arrays of
!> that code as they lie there. What one rank computes. README.md says where the calls go.
!>
!>     use epsilon_suite
!>     if (epsilon_suite_mtxel(..., elements, die)) then          ! for each occupied band: its elements with all empty bands
!>     call epsilon_suite_polarizability(..., die)                ! once for each q, over the bands of this rank
!>     if (epsilon_suite_has_chi()) call epsilon_suite_block(...) ! for each rank: the rows and columns that it owns
!>
!> Kernels are opened by the first call and kept to the end of the program. What goes wrong is the argument of a call of die.
!> Without an implementation, chosen by epsilon_suite_keyword or in the environment, nothing is done.
!> (A host may send these files through a C preprocessor: they have no apostrophes and no pairs of slashes.)
module epsilon_suite
  use berkeleygw_kernels, only: choose, is_chosen, is_keyword, of_epsilon, epsilon_suite_failure => host_failure
  use epsilon_suite_chi, only: close_chi, epsilon_suite_block, epsilon_suite_has_chi, epsilon_suite_polarizability
  use epsilon_suite_elements, only: close_mtxel, epsilon_suite_mtxel
  implicit none (type, external)
  private

  public :: epsilon_suite_block, epsilon_suite_choose, epsilon_suite_chosen, epsilon_suite_close, epsilon_suite_failure, &
      epsilon_suite_has_chi, epsilon_suite_keyword, epsilon_suite_mtxel, epsilon_suite_polarizability

contains

  !> Which implementation computes: a name that the command suite list prints, or the path of a plugin. Of several words each kernel
  !> takes the first that has it, so that one of a user may stand before cpu.
  subroutine epsilon_suite_choose(implementation)
    character(len=*), intent(in) :: implementation

    call choose(of_epsilon, implementation)
  end subroutine

  !> Whether a line of the input was that of this module: its keyword is epsilon_suite, its value what epsilon_suite_choose takes.
  logical function epsilon_suite_keyword(keyword, line) result(found)
    character(len=*), intent(in) :: keyword, line

    found = is_keyword(of_epsilon, keyword, line)
  end function

  !> Whether anybody chose one, in the input or as EPSILON_SUITE in the environment, which comes first.
  logical function epsilon_suite_chosen()
    epsilon_suite_chosen = is_chosen(of_epsilon)
  end function

  !> Gives memory and device back before the end of the program.
  subroutine epsilon_suite_close()
    call close_mtxel()
    call close_chi()
  end subroutine
end module
