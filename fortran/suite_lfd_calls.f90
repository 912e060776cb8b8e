! SPDX-License-Identifier: BSD-3-Clause
!> The routines of suite_lfd for arrays that lie on the device (type(suite_array), made by suite_allocate); those for the
!> host's arrays describe them and end here as well. suite_lfd.f90 has the description of all arguments.
module suite_lfd_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
  use suite
  use suite_arguments
  use suite_calls, only: suite_own, suite_refuse, suite_settle
  use suite_lfd_arguments, only: put_nonlocal
  implicit none (type, external)
  private

  public :: set_propagate, set_vloc, get_propagate, set_energy, get_energy
  public :: kin_prop, pot_prop, set_prop, periodic_bc, compute_rho, compute_vxc, compute_v, field_prop, field_solve, nlp_prop

contains

  subroutine set_propagate(lfd, psi, f, vloc, h, dt, drive, vH, rho, k, kappa, gamma, field_steps, nlpoint, nldisp, beta, dnl, &
      want_current, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: psi, vloc, vH, rho
    real(c_double), intent(in) :: f(:), h(:), dt, drive(:,:)
    real(c_double), intent(in), optional :: k(:,:), kappa, gamma
    integer, intent(in), optional :: field_steps, nlpoint(:,:)
    real(c_double), intent(in), optional, target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    logical, intent(in), optional :: want_current
    integer, intent(out), optional :: ierr
    integer(c_int) :: status
    logical :: current

    status = suite_ok
    call put(lfd, "psi", psi, status)
    call put_list(lfd, "f", f, status)
    call put(lfd, "vloc", vloc, status)
    call put_list(lfd, "h", h, status)
    call put_scalar(lfd, "dt", dt, status)
    call put(lfd, "vH", vH, status)
    call put_table(lfd, "k", k, status)
    call put_scalar(lfd, "kappa", kappa, status)
    call put_scalar(lfd, "gamma", gamma, status)
    call put_count(lfd, "field_steps", field_steps, status)
    call put_nonlocal(lfd, nlpoint, nldisp, beta, dnl, status)
    if (rho%rank >= 0) then
      call put(lfd, "rho", rho, status)
    else
      call suite_own(lfd, "rho", vloc%type, vloc%extent(:3), status)
    end if
    current = .false.
    if (present(want_current)) current = want_current
    call put_drive(lfd, drive, current, status)
    call suite_settle(lfd, status, ierr)
  end subroutine

  ! dipole and current, whose lengths follow from drive, are the call's own.
  subroutine put_drive(lfd, drive, current, status)
    type(suite_call), intent(inout) :: lfd
    real(c_double), intent(in) :: drive(:,:)
    logical, intent(in) :: current
    integer(c_int), intent(inout) :: status
    integer(c_int64_t) :: nsteps

    nsteps = size(drive, 2, c_int64_t)
    call put_table(lfd, "drive", drive, status)
    call suite_own(lfd, "dipole", suite_real64, [4_c_int64_t, nsteps], status)
    if (current) then
      call suite_own(lfd, "current", suite_real64, [3_c_int64_t, nsteps], status)
    else
      call unset(lfd, "current", status)
    end if
  end subroutine

  subroutine set_vloc(lfd, vloc, drive, f, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: vloc
    real(c_double), intent(in), optional :: drive(:,:), f(:)
    integer, intent(out), optional :: ierr
    type(suite_array) :: current
    integer(c_int) :: status
    integer :: outcome

    status = suite_ok
    call put(lfd, "vloc", vloc, status)
    if (present(f)) call put_list(lfd, "f", f, status)
    if (present(drive) .and. status == suite_ok) then
      call suite_argument(lfd, "current", current, outcome)
      status = int(outcome, c_int)
      call put_drive(lfd, drive, current%rank >= 0, status)
    end if
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine get_propagate(lfd, rho, dipole, current, psi, vH, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: rho, dipole, current, psi, vH
    integer, intent(out), optional :: ierr
    type(suite_array) :: bound
    integer(c_int) :: status
    integer :: outcome

    status = suite_ok
    call fetch(lfd, "rho", rho, status)
    call fetch(lfd, "dipole", dipole, status)
    if (current%rank >= 0 .and. status == suite_ok) then
      call suite_argument(lfd, "current", bound, outcome)
      status = int(outcome, c_int)
      if (status == suite_ok .and. bound%rank < 0) &
        call suite_refuse(lfd, "current was not asked for; pass want_current=.true. to suite_lfd_set", status)
      call fetch(lfd, "current", current, status)
    end if
    call fetch(lfd, "psi", psi, status)
    call fetch(lfd, "vH", vH, status)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine set_energy(lfd, psi, f, h, vloc, vH, rho, nlpoint, nldisp, beta, dnl, A, k, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: psi, vloc, vH, rho
    real(c_double), intent(in) :: f(:), h(:)
    integer, intent(in), optional :: nlpoint(:,:)
    real(c_double), intent(in), optional, target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    real(c_double), intent(in), optional :: A(:), k(:,:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "psi", psi, status)
    call put_list(lfd, "f", f, status)
    call put_list(lfd, "h", h, status)
    call put(lfd, "vloc", vloc, status)
    call put(lfd, "vH", vH, status)
    call put(lfd, "rho", rho, status)
    call put_nonlocal(lfd, nlpoint, nldisp, beta, dnl, status)
    call put_list(lfd, "A", A, status)
    call put_table(lfd, "k", k, status)
    call suite_own(lfd, "ekin", suite_real64, psi%extent(:1), status)
    call suite_own(lfd, "enl", suite_real64, psi%extent(:1), status)
    call suite_own(lfd, "energy", suite_real64, [5_c_int64_t], status)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine get_energy(lfd, ekin, enl, energy, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: ekin, enl, energy
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call fetch(lfd, "ekin", ekin, status)
    call fetch(lfd, "enl", enl, status)
    call fetch(lfd, "energy", energy, status)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine kin_prop(lfd, psi, h, dt, d, p, A, k, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: psi
    real(c_double), intent(in) :: h(:), dt
    character(len=*), intent(in) :: d, p
    real(c_double), intent(in), optional :: A(:), k(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call choose(lfd, "d", d, status)
    call choose(lfd, "p", p, status)
    call put(lfd, "psi", psi, status)
    call put_list(lfd, "h", h, status)
    call put_scalar(lfd, "dt", dt, status)
    call put_list(lfd, "A", A, status)
    call put_table(lfd, "k", k, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "psi", psi, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine pot_prop(lfd, psi, u, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: psi, u
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "psi", psi, status)
    call put(lfd, "u", u, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "psi", psi, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine set_prop(lfd, v, dt, u, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: v, u
    real(c_double), intent(in) :: dt
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "v", v, status)
    call put_scalar(lfd, "dt", dt, status)
    call put(lfd, "u", u, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "u", u, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine periodic_bc(lfd, psi, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: psi
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "psi", psi, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "psi", psi, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine compute_rho(lfd, psi, f, rho, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: psi, rho
    real(c_double), intent(in) :: f(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "psi", psi, status)
    call put_list(lfd, "f", f, status)
    call put(lfd, "rho", rho, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "rho", rho, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine compute_vxc(lfd, rho, vxc, exc, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: rho, vxc, exc
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "rho", rho, status)
    call put(lfd, "vxc", vxc, status)
    call put(lfd, "exc", exc, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "vxc", vxc, status)
    call fetch(lfd, "exc", exc, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine compute_v(lfd, vloc, vH, h, v, vxc, E, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: vloc, vH, v, vxc
    real(c_double), intent(in) :: h(:)
    real(c_double), intent(in), optional :: E(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "vloc", vloc, status)
    call put(lfd, "vH", vH, status)
    call put(lfd, "vxc", vxc, status)
    call put_list(lfd, "E", E, status)
    call put_list(lfd, "h", h, status)
    call put(lfd, "v", v, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "v", v, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine field_prop(lfd, vH, rho, h, kappa, gamma, field_steps, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: vH, rho
    real(c_double), intent(in) :: h(:)
    real(c_double), intent(in), optional :: kappa, gamma
    integer, intent(in), optional :: field_steps
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "vH", vH, status)
    call put(lfd, "rho", rho, status)
    call put_list(lfd, "h", h, status)
    call put_scalar(lfd, "kappa", kappa, status)
    call put_scalar(lfd, "gamma", gamma, status)
    call put_count(lfd, "field_steps", field_steps, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "vH", vH, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine field_solve(lfd, rho, h, vH, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: rho, vH
    real(c_double), intent(in) :: h(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(lfd, "rho", rho, status)
    call put_list(lfd, "h", h, status)
    call put(lfd, "vH", vH, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "vH", vH, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine

  subroutine nlp_prop(lfd, psi, h, dt, nlpoint, nldisp, beta, dnl, order, A, k, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    type(suite_array), intent(in) :: psi
    real(c_double), intent(in) :: h(:), dt
    integer, intent(in) :: nlpoint(:,:)
    real(c_double), intent(in), target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    character(len=*), intent(in), optional :: order
    real(c_double), intent(in), optional :: A(:), k(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    if (present(order)) call choose(lfd, "order", order, status)
    call put(lfd, "psi", psi, status)
    call put_list(lfd, "h", h, status)
    call put_scalar(lfd, "dt", dt, status)
    call put_nonlocal(lfd, nlpoint, nldisp, beta, dnl, status)
    call put_list(lfd, "A", A, status)
    call put_table(lfd, "k", k, status)
    call run(lfd, seconds, status)
    call fetch(lfd, "psi", psi, status)
    call suite_forget(lfd)
    call suite_settle(lfd, status, ierr)
  end subroutine
end module
