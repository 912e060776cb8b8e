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
  use sigma_suite_elements, only: close_elements, sigma_suite_mtxel
  use sigma_suite_kernels, only: sigma_suite_choose, sigma_suite_chosen, sigma_suite_failure, sigma_suite_keyword
  use sigma_suite_screening, only: close_poles, sigma_suite_has_poles, sigma_suite_poles
  use sigma_suite_sums, only: bands_of, close_sums, energies_of, sigma_suite_bands, sigma_suite_energies, sigma_suite_gpp
  implicit none (type, external)
  private

  public :: sigma_suite_choose, sigma_suite_chosen, sigma_suite_failure, sigma_suite_keyword, sigma_suite_close, sigma_suite_gpp, &
      sigma_suite_has_poles, sigma_suite_mtxel, sigma_suite_poles, bands_of, energies_of, sigma_suite_bands, sigma_suite_energies

contains

  !> Gives memory and device back before the end of the program.
  subroutine sigma_suite_close()
    call close_sums()
    call close_elements()
    call close_poles()
  end subroutine
end module
