! SPDX-License-Identifier: BSD-3-Clause
!> What of family qmc stays from call to call: the cell, the trial wavefunction's parameters, lists of vectors.
module suite_qmc_constants
  use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int
  use suite
  use suite_arguments, only: put, put_indices, put_list, put_table
  use suite_calls, only: suite_own_indices, suite_settle
  use suite_optional_arguments, only: give_count, give_number
  implicit none (type, external)
  private

  public :: set_constants, blips_double, blips_single, blips_there

contains

  !> Copies of what is given.
  subroutine set_constants(qmc, cell, nele, kvec, alpha, L_u, truncation, gvec, star, a, charge, ewald_alpha, ewald_tolerance, &
      ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), optional :: cell(:,:), alpha(:,:), L_u, a(:,:), charge(:), ewald_alpha, ewald_tolerance
    integer, intent(in), optional :: nele(:), kvec(:,:), truncation, gvec(:,:), star(:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    if (present(cell)) call put_table(qmc, "cell", cell, status)
    if (present(nele)) call suite_own_indices(qmc, "nele", nele, status)
    if (present(kvec)) call put_indices(qmc, "kvec", kvec, status)
    if (present(alpha)) call put_table(qmc, "alpha", alpha, status)
    call give_number(qmc, "L_u", L_u, status)
    call give_count(qmc, "truncation", truncation, status)
    if (present(gvec)) call put_indices(qmc, "gvec", gvec, status)
    if (present(star)) call suite_own_indices(qmc, "star", star, status)
    if (present(a)) call put_table(qmc, "a", a, status)
    if (present(charge)) call put_list(qmc, "charge", charge, status)
    call give_number(qmc, "ewald_alpha", ewald_alpha, status)
    call give_number(qmc, "ewald_tolerance", ewald_tolerance, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine blips_double(qmc, c, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target :: c(:,:,:,:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(qmc, "c", c, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine blips_single(qmc, c, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_float), intent(in), target :: c(:,:,:,:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(qmc, "c", c, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine blips_there(qmc, c, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: c
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(qmc, "c", c, status)
    call suite_settle(qmc, status, ierr)
  end subroutine
end module
