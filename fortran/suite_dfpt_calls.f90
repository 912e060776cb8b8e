! SPDX-License-Identifier: BSD-3-Clause
!> The routines of suite_dfpt for arrays that lie on the device (type(suite_array), made by suite_allocate); those for the
!> host's arrays describe them and end here as well. suite_dfpt.f90 has the description of all arguments. Arguments are given in
!> the order of the kernel's table, where the library looks first.
module suite_dfpt_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use suite
  use suite_arguments, only: run, unset
  use suite_calls, only: suite_settle
  use suite_optional_arguments, only: ask, bring, give
  implicit none (type, external)
  private

  public :: basis_functions, densities, matrices, products, components, radial_potentials, potentials, &
      response_to_matrices, response_to_products

contains

  subroutine basis_functions(dfpt, wave, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: wave
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "wave", wave, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "wave", wave, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  !> A density is made of a matrix or of orbitals: what is given of one makes the other unset.
  subroutine densities(dfpt, rho, density_matrix, C, C1, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: rho
    type(suite_array), intent(in), optional :: density_matrix, C, C1
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    if (given(C) .or. given(C1)) call unset(dfpt, "density_matrix", status)
    call give(dfpt, "density_matrix", density_matrix, status)
    if (given(density_matrix) .and. .not. given(C)) call unset(dfpt, "C", status)
    if (given(density_matrix) .and. .not. given(C1)) call unset(dfpt, "C1", status)
    call give(dfpt, "C", C, status)
    call give(dfpt, "C1", C1, status)
    call give(dfpt, "rho", rho, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "rho", rho, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine matrices(dfpt, H, v, HC, C, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: H
    type(suite_array), intent(in), optional :: v, HC, C
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "v", v, status)
    if (given(HC)) then
      call give(dfpt, "C", C, status)
    else
      call unset(dfpt, "C", status)
    end if
    call give(dfpt, "H", H, status)
    call ask(dfpt, "HC", HC, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "H", H, status)
    call bring(dfpt, "HC", HC, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine products(dfpt, HC, v, C, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: HC
    type(suite_array), intent(in), optional :: v, C
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "v", v, status)
    call give(dfpt, "C", C, status)
    call unset(dfpt, "H", status)
    call give(dfpt, "HC", HC, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "HC", HC, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine components(dfpt, rho_multipole, rho, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: rho_multipole
    type(suite_array), intent(in), optional :: rho
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "rho", rho, status)
    call give(dfpt, "rho_multipole", rho_multipole, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "rho_multipole", rho_multipole, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine radial_potentials(dfpt, potential_spl, moments, rho_multipole, density_spl, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: potential_spl, moments
    type(suite_array), intent(in), optional :: rho_multipole, density_spl
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "rho_multipole", rho_multipole, status)
    call give(dfpt, "potential_spl", potential_spl, status)
    call give(dfpt, "moments", moments, status)
    call ask(dfpt, "density_spl", density_spl, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "potential_spl", potential_spl, status)
    call bring(dfpt, "moments", moments, status)
    call bring(dfpt, "density_spl", density_spl, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine potentials(dfpt, potential, potential_spl, moments, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: potential
    type(suite_array), intent(in), optional :: potential_spl, moments
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "potential_spl", potential_spl, status)
    call give(dfpt, "moments", moments, status)
    call give(dfpt, "potential", potential, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "potential", potential, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine response_to_matrices(dfpt, H1, C1, density_matrix, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: H1
    type(suite_array), intent(in), optional :: C1, density_matrix
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "H1", H1, status)
    call unset(dfpt, "HC1", status)
    call respond(dfpt, C1, density_matrix, status, seconds)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine response_to_products(dfpt, HC1, C1, density_matrix, seconds, ierr)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in) :: HC1
    type(suite_array), intent(in), optional :: C1, density_matrix
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call unset(dfpt, "H1", status)
    call give(dfpt, "HC1", HC1, status)
    call respond(dfpt, C1, density_matrix, status, seconds)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine respond(dfpt, C1, density_matrix, status, seconds)
    type(suite_call), intent(inout) :: dfpt
    type(suite_array), intent(in), optional :: C1, density_matrix
    integer(c_int), intent(inout) :: status
    real(c_double), intent(out), optional :: seconds

    call ask(dfpt, "C1", C1, status)
    call ask(dfpt, "density_matrix", density_matrix, status)
    call run(dfpt, seconds, status)
    call bring(dfpt, "C1", C1, status)
    call bring(dfpt, "density_matrix", density_matrix, status)
  end subroutine

  !> An array, and not only the place for one.
  logical function given(array)
    type(suite_array), intent(in), optional :: array

    given = .false.
    if (present(array)) given = array%rank >= 0
  end function
end module
