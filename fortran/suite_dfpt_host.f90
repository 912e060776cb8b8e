! SPDX-License-Identifier: BSD-3-Clause
!> The routines of suite_dfpt for host arrays.
module suite_dfpt_host
  use, intrinsic :: iso_c_binding, only: c_double
  use suite
  use suite_dfpt_calls
  use suite_optional_arguments
  implicit none (type, external)
  private

  public :: basis_functions_host, densities_host, matrices_host, products_host, components_host, radial_potentials_host, &
      potentials_host, response_to_matrices_host, response_to_products_host

contains

  subroutine basis_functions_host(dfpt, wave, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(inout), target :: wave(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call basis_functions(dfpt, of_1(wave), seconds, ierr)
  end subroutine

  subroutine densities_host(dfpt, rho, density_matrix, C, C1, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(inout), target :: rho(:,:)
    real(c_double), intent(in), target, optional :: density_matrix(:,:,:), C(:,:), C1(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call densities(dfpt, of_2(rho), of_3(density_matrix), of_2(C), of_3(C1), seconds, ierr)
  end subroutine

  subroutine matrices_host(dfpt, H, v, HC, C, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(inout), target :: H(:,:,:)
    real(c_double), intent(in), target, optional :: v(:,:), C(:,:)
    real(c_double), intent(inout), target, optional :: HC(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call matrices(dfpt, of_3(H), of_2(v), of_3(HC), of_2(C), seconds, ierr)
  end subroutine

  subroutine products_host(dfpt, HC, v, C, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(inout), target :: HC(:,:,:)
    real(c_double), intent(in), target, optional :: v(:,:), C(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call products(dfpt, of_3(HC), of_2(v), of_2(C), seconds, ierr)
  end subroutine

  subroutine components_host(dfpt, rho_multipole, rho, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(inout), target :: rho_multipole(:,:,:,:)
    real(c_double), intent(in), target, optional :: rho(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call components(dfpt, of_4(rho_multipole), of_2(rho), seconds, ierr)
  end subroutine

  subroutine radial_potentials_host(dfpt, potential_spl, moments, rho_multipole, density_spl, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(inout), target :: potential_spl(:,:,:,:,:), moments(:,:,:)
    real(c_double), intent(in), target, optional :: rho_multipole(:,:,:,:)
    real(c_double), intent(inout), target, optional :: density_spl(:,:,:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call radial_potentials(dfpt, of_5(potential_spl), of_3(moments), of_4(rho_multipole), of_5(density_spl), seconds, ierr)
  end subroutine

  subroutine potentials_host(dfpt, potential, potential_spl, moments, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(inout), target :: potential(:,:)
    real(c_double), intent(in), target, optional :: potential_spl(:,:,:,:,:), moments(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call potentials(dfpt, of_2(potential), of_5(potential_spl), of_3(moments), seconds, ierr)
  end subroutine

  subroutine response_to_matrices_host(dfpt, H1, C1, density_matrix, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(in), target :: H1(:,:,:)
    real(c_double), intent(inout), target, optional :: C1(:,:,:), density_matrix(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call response_to_matrices(dfpt, of_3(H1), of_3(C1), of_3(density_matrix), seconds, ierr)
  end subroutine

  subroutine response_to_products_host(dfpt, HC1, C1, density_matrix, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(in), target :: HC1(:,:,:)
    real(c_double), intent(inout), target, optional :: C1(:,:,:), density_matrix(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call response_to_products(dfpt, of_3(HC1), of_3(C1), of_3(density_matrix), seconds, ierr)
  end subroutine
end module
