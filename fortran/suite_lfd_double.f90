! SPDX-License-Identifier: BSD-3-Clause
!> The routines of suite_lfd for host arrays in double precision. suite_lfd_single.f90 is this file in single precision, made by
!> generate_arrays.
module suite_lfd_double
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_loc, wp => c_double
  use suite
  use suite_arguments, only: described, of_list, of_table
  use suite_bindings, only: orbital_type => suite_complex128, field_type => suite_real64
  use suite_calls, only: suite_settle
  use suite_lfd_calls
  implicit none (type, external)
  private

  public :: suite_lfd_set, suite_lfd_set_vloc, suite_lfd_get, suite_lfd_propagate
  public :: suite_lfd_set_energy, suite_lfd_calc_energy
  public :: suite_lfd_kin_prop, suite_lfd_pot_prop, suite_lfd_set_prop, suite_lfd_periodic_bc, suite_lfd_compute_rho, &
      suite_lfd_compute_vxc, suite_lfd_compute_v, suite_lfd_field_prop, suite_lfd_spectral_field_solve, suite_lfd_nlp_prop

  interface suite_lfd_set
    procedure set_host
  end interface

  interface suite_lfd_set_vloc
    procedure set_vloc_host
  end interface

  interface suite_lfd_get
    procedure get_host
  end interface

  interface suite_lfd_propagate
    procedure propagate_host
  end interface

  interface suite_lfd_set_energy
    procedure set_energy_host
  end interface

  interface suite_lfd_calc_energy
    procedure calc_energy_host
  end interface

  interface suite_lfd_kin_prop
    procedure kin_prop_host
  end interface

  interface suite_lfd_pot_prop
    procedure pot_prop_host
  end interface

  interface suite_lfd_set_prop
    procedure set_prop_host
  end interface

  interface suite_lfd_periodic_bc
    procedure periodic_bc_host
  end interface

  interface suite_lfd_compute_rho
    procedure compute_rho_host
  end interface

  interface suite_lfd_compute_vxc
    procedure compute_vxc_host
  end interface

  interface suite_lfd_compute_v
    procedure compute_v_host
  end interface

  interface suite_lfd_field_prop
    procedure field_prop_host
  end interface

  interface suite_lfd_spectral_field_solve
    procedure spectral_field_solve_host
  end interface

  interface suite_lfd_nlp_prop
    procedure nlp_prop_host
  end interface

contains

  subroutine set_host(lfd, psi, f, vloc, h, dt, drive, vH, k, kappa, gamma, field_steps, nlpoint, nldisp, beta, dnl, &
      want_current, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(inout), target :: psi(:,:,:,:)
    real(wp), intent(in), target :: vloc(:,:,:)
    real(wp), intent(inout), target :: vH(:,:,:,:)
    real(c_double), intent(in) :: f(:), h(:), dt, drive(:,:)
    real(c_double), intent(in), optional :: k(:,:), kappa, gamma
    integer, intent(in), optional :: field_steps
    integer, intent(in), optional :: nlpoint(:,:)
    real(c_double), intent(in), optional, target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    logical, intent(in), optional :: want_current
    integer, intent(out), optional :: ierr

    call set_propagate(lfd, of_psi(psi), f, of_field(vloc), h, dt, drive, of_vH(vH), suite_array(), k, kappa, gamma, &
        field_steps, nlpoint, nldisp, beta, dnl, want_current, ierr)
  end subroutine

  subroutine set_vloc_host(lfd, vloc, drive, f, ierr)
    type(suite_call), intent(inout) :: lfd
    real(wp), intent(in), target :: vloc(:,:,:)
    real(c_double), intent(in), optional :: drive(:,:), f(:)
    integer, intent(out), optional :: ierr

    call set_vloc(lfd, of_field(vloc), drive, f, ierr)
  end subroutine

  subroutine get_host(lfd, rho, dipole, current, psi, vH, ierr)
    type(suite_call), intent(inout) :: lfd
    real(wp), intent(inout), target :: rho(:,:,:)
    real(c_double), intent(inout), target :: dipole(:,:)
    real(c_double), intent(inout), target, optional :: current(:,:)
    complex(wp), intent(inout), target, optional :: psi(:,:,:,:)
    real(wp), intent(inout), target, optional :: vH(:,:,:,:)
    integer, intent(out), optional :: ierr

    call get_propagate(lfd, of_field(rho), of_table(dipole), of_table(current), of_psi(psi), of_vH(vH), ierr)
  end subroutine

  subroutine propagate_host(lfd, psi, f, vloc, h, dt, drive, vH, rho, dipole, k, kappa, gamma, field_steps, nlpoint, nldisp, &
      beta, dnl, current, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(inout), target :: psi(:,:,:,:)
    real(wp), intent(in), target :: vloc(:,:,:)
    real(wp), intent(inout), target :: vH(:,:,:,:), rho(:,:,:)
    real(c_double), intent(in) :: f(:), h(:), dt, drive(:,:)
    real(c_double), intent(inout), target :: dipole(:,:)
    real(c_double), intent(in), optional :: k(:,:), kappa, gamma
    integer, intent(in), optional :: field_steps
    integer, intent(in), optional :: nlpoint(:,:)
    real(c_double), intent(in), optional, target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    real(c_double), intent(inout), target, optional :: current(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_lfd_set(lfd, psi, f, vloc, h, dt, drive, vH, k, kappa, gamma, field_steps, nlpoint, nldisp, beta, dnl, &
        present(current), status)
    if (status == suite_ok) call suite_run(lfd, seconds, status)
    if (status == suite_ok) call suite_lfd_get(lfd, rho, dipole, current, psi, vH, status)
    call suite_forget(lfd)
    call suite_settle(lfd, int(status, c_int), ierr)
  end subroutine

  subroutine set_energy_host(lfd, psi, f, h, vloc, vH, rho, nlpoint, nldisp, beta, dnl, A, k, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(in), target :: psi(:,:,:,:)
    real(wp), intent(in), target :: vloc(:,:,:), vH(:,:,:,:), rho(:,:,:)
    real(c_double), intent(in) :: f(:), h(:)
    integer, intent(in), optional :: nlpoint(:,:)
    real(c_double), intent(in), optional, target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    real(c_double), intent(in), optional :: A(:), k(:,:)
    integer, intent(out), optional :: ierr

    call set_energy(lfd, of_psi(psi), f, h, of_field(vloc), of_vH(vH), of_field(rho), nlpoint, nldisp, beta, dnl, A, k, ierr)
  end subroutine

  subroutine calc_energy_host(lfd, psi, f, h, vloc, vH, rho, ekin, enl, energy, nlpoint, nldisp, beta, dnl, A, k, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(in), target :: psi(:,:,:,:)
    real(wp), intent(in), target :: vloc(:,:,:), vH(:,:,:,:), rho(:,:,:)
    real(c_double), intent(in) :: f(:), h(:)
    real(c_double), intent(inout), target :: ekin(:), enl(:), energy(:)
    integer, intent(in), optional :: nlpoint(:,:)
    real(c_double), intent(in), optional, target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    real(c_double), intent(in), optional :: A(:), k(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_lfd_set_energy(lfd, psi, f, h, vloc, vH, rho, nlpoint, nldisp, beta, dnl, A, k, status)
    if (status == suite_ok) call suite_run(lfd, seconds, status)
    if (status == suite_ok) call get_energy(lfd, of_list(ekin), of_list(enl), of_list(energy), status)
    call suite_forget(lfd)
    call suite_settle(lfd, int(status, c_int), ierr)
  end subroutine

  subroutine kin_prop_host(lfd, psi, h, dt, d, p, A, k, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(inout), target :: psi(:,:,:,:)
    real(c_double), intent(in) :: h(:), dt
    character(len=*), intent(in) :: d, p
    real(c_double), intent(in), optional :: A(:), k(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call kin_prop(lfd, of_psi(psi), h, dt, d, p, A, k, seconds, ierr)
  end subroutine

  subroutine pot_prop_host(lfd, psi, u, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(inout), target :: psi(:,:,:,:)
    complex(wp), intent(in), target :: u(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call pot_prop(lfd, of_psi(psi), of_phases(u), seconds, ierr)
  end subroutine

  subroutine set_prop_host(lfd, v, dt, u, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    real(wp), intent(in), target :: v(:,:,:)
    real(c_double), intent(in) :: dt
    complex(wp), intent(inout), target :: u(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call set_prop(lfd, of_field(v), dt, of_phases(u), seconds, ierr)
  end subroutine

  subroutine periodic_bc_host(lfd, psi, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(inout), target :: psi(:,:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call periodic_bc(lfd, of_psi(psi), seconds, ierr)
  end subroutine

  subroutine compute_rho_host(lfd, psi, f, rho, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(in), target :: psi(:,:,:,:)
    real(c_double), intent(in) :: f(:)
    real(wp), intent(inout), target :: rho(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call compute_rho(lfd, of_psi(psi), f, of_field(rho), seconds, ierr)
  end subroutine

  subroutine compute_vxc_host(lfd, rho, vxc, exc, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    real(wp), intent(in), target :: rho(:,:,:)
    real(wp), intent(inout), target :: vxc(:,:,:)
    real(wp), intent(inout), target, optional :: exc(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call compute_vxc(lfd, of_field(rho), of_field(vxc), of_field(exc), seconds, ierr)
  end subroutine

  subroutine compute_v_host(lfd, vloc, vH, h, v, vxc, E, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    real(wp), intent(in), target :: vloc(:,:,:), vH(:,:,:,:)
    real(c_double), intent(in) :: h(:)
    real(wp), intent(inout), target :: v(:,:,:)
    real(wp), intent(in), target, optional :: vxc(:,:,:)
    real(c_double), intent(in), optional :: E(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call compute_v(lfd, of_field(vloc), of_vH(vH), h, of_field(v), of_field(vxc), E, seconds, ierr)
  end subroutine

  subroutine field_prop_host(lfd, vH, rho, h, kappa, gamma, field_steps, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    real(wp), intent(inout), target :: vH(:,:,:,:)
    real(wp), intent(in), target :: rho(:,:,:)
    real(c_double), intent(in) :: h(:)
    real(c_double), intent(in), optional :: kappa, gamma
    integer, intent(in), optional :: field_steps
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call field_prop(lfd, of_vH(vH), of_field(rho), h, kappa, gamma, field_steps, seconds, ierr)
  end subroutine

  subroutine spectral_field_solve_host(lfd, rho, h, vH, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    real(wp), intent(in), target :: rho(:,:,:)
    real(c_double), intent(in) :: h(:)
    real(wp), intent(inout), target :: vH(:,:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call field_solve(lfd, of_field(rho), h, of_vH(vH), seconds, ierr)
  end subroutine

  subroutine nlp_prop_host(lfd, psi, h, dt, nlpoint, nldisp, beta, dnl, order, A, k, seconds, ierr)
    type(suite_call), intent(inout) :: lfd
    complex(wp), intent(inout), target :: psi(:,:,:,:)
    real(c_double), intent(in) :: h(:), dt
    integer, intent(in) :: nlpoint(:,:)
    real(c_double), intent(in), target :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    character(len=*), intent(in), optional :: order
    real(c_double), intent(in), optional :: A(:), k(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call nlp_prop(lfd, of_psi(psi), h, dt, nlpoint, nldisp, beta, dnl, order, A, k, seconds, ierr)
  end subroutine

  ! Descriptions of arrays of this precision; one that is absent has rank -1.

  type(suite_array) function of_psi(array) result(there)
    complex(wp), intent(in), target, optional :: array(:,:,:,:)

    if (present(array)) there = described(c_loc(array), orbital_type, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_phases(array) result(there)
    complex(wp), intent(in), target, optional :: array(:,:,:)

    if (present(array)) there = described(c_loc(array), orbital_type, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_field(array) result(there)
    real(wp), intent(in), target, optional :: array(:,:,:)

    if (present(array)) there = described(c_loc(array), field_type, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_vH(array) result(there)
    real(wp), intent(in), target, optional :: array(:,:,:,:)

    if (present(array)) there = described(c_loc(array), field_type, shape(array, c_int64_t), is_contiguous(array))
  end function

end module
