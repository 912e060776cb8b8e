! SPDX-License-Identifier: BSD-3-Clause
!> The Sigma code of BerkeleyGW on suite: matrix elements (gw.mtxel), plasmon poles (gw.screening) and their sums (gpp.sigma), from
!> the arrays of that code as they lie there. What one rank computes, for one external band or pair at a time. README.md says where
!> the calls go.
!>
!>     use sigma_suite
!>     call sigma_suite_poles(..., die)                           ! once for each q
!>     if (.not. sigma_suite_mtxel(..., die)) call mtxel(...)     ! for each external band
!>     if (sigma_suite_has_poles()) call sigma_suite_gpp(..., die) ! for each pair of them and each rank of the pool
!>
!> Kernels are opened by the first call and kept to the end of the program. The sums are added to the arrays of the host. What goes
!> wrong is the argument of a call of die. Without an implementation, chosen by sigma_suite_keyword or in the environment, nothing
!> is done.
!> (A host may send these files through a C preprocessor: they have no apostrophes and no pairs of slashes.)
module sigma_suite
  use berkeleygw_kernels, only: choose, is_chosen, is_keyword, of_sigma, sigma_suite_failure => host_failure
  use sigma_suite_elements, only: close_mtxel, sigma_suite_mtxel
  use sigma_suite_screening, only: close_poles, sigma_suite_has_poles, sigma_suite_poles
  use sigma_suite_sums, only: bands_of, close_sums, energies_of, sigma_suite_bands, sigma_suite_energies, sigma_suite_gpp
  implicit none (type, external)
  private

  public :: sigma_suite_choose, sigma_suite_chosen, sigma_suite_failure, sigma_suite_keyword, sigma_suite_close, sigma_suite_gpp, &
      sigma_suite_has_poles, sigma_suite_mtxel, sigma_suite_poles, bands_of, energies_of, sigma_suite_bands, sigma_suite_energies

contains

  !> Which implementation computes: a name that the command suite list prints, or the path of a plugin. Of several words each kernel
  !> takes the first that has it, so that one of a user may stand before cpu.
  subroutine sigma_suite_choose(implementation)
    character(len=*), intent(in) :: implementation

    call choose(of_sigma, implementation)
  end subroutine

  !> Whether a line of the input was that of this module: its keyword is sigma_suite, its value what sigma_suite_choose takes.
  logical function sigma_suite_keyword(keyword, line) result(found)
    character(len=*), intent(in) :: keyword, line

    found = is_keyword(of_sigma, keyword, line)
  end function

  !> Whether anybody chose one, in the input or as SIGMA_SUITE in the environment, which comes first.
  logical function sigma_suite_chosen()
    sigma_suite_chosen = is_chosen(of_sigma)
  end function

  !> Gives memory and device back before the end of the program.
  subroutine sigma_suite_close()
    call close_sums()
    call close_mtxel()
    call close_poles()
  end subroutine
end module
