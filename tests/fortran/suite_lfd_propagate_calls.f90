! SPDX-License-Identifier: BSD-3-Clause
! Written from the kernel's table when suite is built: fortran/generate/family.cpp.
!> lfd.propagate from Fortran: nsteps complete time steps of electrons and field.
!>
!>     call suite_lfd_propagate_set(call, h, nlpoint, nldisp, beta, dnl, ierr)
!>     call suite_lfd_propagate(call, psi, vH, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
!>         ierr)
!>     call suite_lfd_propagate_put(call, psi, vH, ierr)
!>     call suite_lfd_propagate_continue(call, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
!>         ierr)
!>     call suite_lfd_propagate_get(call, psi, vH, ierr)
!>
!> suite_lfd_propagate_set: what stays from call to call
!>     h        real     (3)                    bohr       grid spacings hx, hy, hz
!>     nlpoint  integer  (nsphere,natom)        1          grid points of each atom's sphere, numbered from 1 in the order of v,
!>                                                         each at most once; zeros pad the end; never set: no pseudopotential
!>     nldisp   real     (3,nsphere,natom)      bohr       displacements r - R of these points (x, y, z), for the phase
!>                                                         exp(-i(A+k).(r-R)) of beta; never set: no pseudopotential
!>     beta     real     (nsphere,nproj,natom)  bohr^-3/2  projectors at these points; never set: no pseudopotential
!>     dnl      real     (nproj,nproj,natom)    Ha         coefficients between projectors, symmetric; 0 for projectors that an
!>                                                         atom lacks; never set: no pseudopotential
!>
!> suite_lfd_propagate: what changes; runs, and returns the results
!>     psi          complex  (Norb,Nz,Ny,Nx)  bohr^-3/2           changed: wavefunctions; single or double precision
!>     vH           real     (Nz,Ny,Nx,2)     Ha                  changed: Hartree field v and its change per field step w; single
!>                                                                or double precision
!>     vloc         real     (Nz,Ny,Nx)       Ha                  local potential of the ions; single or double precision
!>     drive        real     (3,nsteps)       Ha/bohr or bohr^-1  E (length gauge) or A (velocity gauge) at the middle of each
!>                                                                step
!>     f            real     (Norb)           1                   occupations, 0 to 2 (times the k-point weight)
!>     dt           real     scalar           hbar/Ha             time step; may be negative
!>     rho          real     (Nz,Ny,Nx)       bohr^-3             result: electron density after the last step; single or double
!>                                                                precision
!>     dipole       real     (4,nsteps)       bohr                result: after each step: int x rho, int y rho, int z rho, and
!>                                                                the number of electrons, int rho
!>     k            real     (3,Norb)         bohr^-1             Bloch vector of each orbital; never set: 0
!>     kappa        real     scalar           bohr^2              (c dtau)^2 of the field step; never set: 0.9 of the stable limit
!>     gamma        real     scalar           1                   damping of the field per step, 0 <= gamma < 2; never set: 0
!>     field_steps  integer  scalar           1                   field steps per call, or per electronic step; never set: 1
!>     current      real     (3,nsteps)       bohr Ha/hbar        result: after each step: sum_n f_n <psi_n| i[H, r] |psi_n> with
!>                                                                A of that step and V_nl included; equals d/dt int r rho; on
!>                                                                request
!>
!> Between _put and _get psi and vH stay on the device, and _continue runs on that state.
!>
!> An absent input keeps its earlier value; an absent result is not computed. Arrays are on the host, or of
!> type(suite_array) on the device. Host arrays are used in place where the device shares the host's memory: an array must
!> exist while a kernel runs. Between two runs it may be freed if another is set before the next.
module suite_lfd_propagate_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_float, c_float_complex, c_int
  use suite, only: suite_array, suite_call, suite_ok
  use suite_arguments, only: ask, bring, give, give_count, give_indices_2, give_list_1, give_list_2, give_number, keep, run
  use suite_calls, only: suite_settle
  use suite_host_arrays, only: complex128_4, complex64_4, real32_3, real32_4, real64_2, real64_3, real64_4
  implicit none (type, external)
  private

  !> What stays from call to call.
  interface suite_lfd_propagate_set
    procedure propagate_set_host
  end interface
  public :: suite_lfd_propagate_set

  !> The same for arrays on the device.
  interface suite_lfd_propagate_set_device
    procedure propagate_set_device
  end interface
  public :: suite_lfd_propagate_set_device

  !> What changes; runs, and returns the results.
  interface suite_lfd_propagate
    procedure propagate_double, propagate_single, propagate_device
  end interface
  public :: suite_lfd_propagate

  !> State that stays on the device from now on.
  interface suite_lfd_propagate_put
    procedure propagate_put_double, propagate_put_single, propagate_put_device
  end interface
  public :: suite_lfd_propagate_put

  !> Runs on that state; what else changes, and results.
  interface suite_lfd_propagate_continue
    procedure propagate_continue_double, propagate_continue_single, propagate_continue_device
  end interface
  public :: suite_lfd_propagate_continue

  !> Copies the state to the host.
  interface suite_lfd_propagate_get
    procedure propagate_get_double, propagate_get_single, propagate_get_device
  end interface
  public :: suite_lfd_propagate_get

contains

  subroutine propagate_set_host(call, h, nlpoint, nldisp, beta, dnl, ierr)
    type(suite_call), intent(inout) :: call                       !< opened as lfd.propagate
    real(c_double), intent(in) :: h(:)                            !< (3) bohr
    integer, intent(in), optional :: nlpoint(:,:)                 !< (nsphere,natom)
    real(c_double), intent(in), target, optional :: nldisp(:,:,:) !< (3,nsphere,natom) bohr
    real(c_double), intent(in), target, optional :: beta(:,:,:)   !< (nsphere,nproj,natom) bohr^-3/2
    real(c_double), intent(in), target, optional :: dnl(:,:,:)    !< (nproj,nproj,natom) Ha
    integer, intent(out), optional :: ierr                        !< suite_ok, or a failure described by suite_message

    call propagate_set_device(call, h, nlpoint, real64_3(nldisp), real64_3(beta), real64_3(dnl), ierr)
  end subroutine

  subroutine propagate_set_device(call, h, nlpoint, nldisp, beta, dnl, ierr)
    type(suite_call), intent(inout) :: call                   !< opened as lfd.propagate
    real(c_double), intent(in) :: h(:)                        !< (3) bohr
    integer, intent(in), optional :: nlpoint(:,:)             !< (nsphere,natom)
    type(suite_array), intent(in), target, optional :: nldisp !< (3,nsphere,natom) bohr
    type(suite_array), intent(in), target, optional :: beta   !< (nsphere,nproj,natom) bohr^-3/2
    type(suite_array), intent(in), target, optional :: dnl    !< (nproj,nproj,natom) Ha
    integer, intent(out), optional :: ierr                    !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give_list_1(call, "h", h, status)
    call give_indices_2(call, "nlpoint", nlpoint, status)
    call give(call, "nldisp", nldisp, status)
    call give(call, "beta", beta, status)
    call give(call, "dnl", dnl, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine propagate_double(call, psi, vH, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
      ierr)
    type(suite_call), intent(inout) :: call                          !< opened as lfd.propagate
    complex(c_double_complex), intent(inout), target :: psi(:,:,:,:) !< (Norb,Nz,Ny,Nx) bohr^-3/2
    real(c_double), intent(inout), target :: vH(:,:,:,:)             !< (Nz,Ny,Nx,2) Ha
    real(c_double), intent(in), target :: vloc(:,:,:)                !< (Nz,Ny,Nx) Ha
    real(c_double), intent(in) :: drive(:,:)                         !< (3,nsteps) Ha/bohr or bohr^-1
    real(c_double), intent(in) :: f(:)                               !< (Norb)
    real(c_double), intent(in) :: dt                                 !< hbar/Ha
    real(c_double), intent(inout), target :: rho(:,:,:)              !< (Nz,Ny,Nx) bohr^-3
    real(c_double), intent(inout), target :: dipole(:,:)             !< (4,nsteps) bohr
    real(c_double), intent(in), optional :: k(:,:)                   !< (3,Norb) bohr^-1
    real(c_double), intent(in), optional :: kappa                    !< bohr^2
    real(c_double), intent(in), optional :: gamma
    integer, intent(in), optional :: field_steps
    real(c_double), intent(inout), target, optional :: current(:,:)  !< (3,nsteps) bohr Ha/hbar
    real(c_double), intent(out), optional :: seconds                 !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                           !< suite_ok, or a failure described by suite_message

    call propagate_device(call, complex128_4(psi), real64_4(vH), real64_3(vloc), drive, f, dt, real64_3(rho), real64_2(dipole), &
        k, kappa, gamma, field_steps, real64_2(current), seconds, ierr)
  end subroutine

  subroutine propagate_single(call, psi, vH, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
      ierr)
    type(suite_call), intent(inout) :: call                         !< opened as lfd.propagate
    complex(c_float_complex), intent(inout), target :: psi(:,:,:,:) !< (Norb,Nz,Ny,Nx) bohr^-3/2
    real(c_float), intent(inout), target :: vH(:,:,:,:)             !< (Nz,Ny,Nx,2) Ha
    real(c_float), intent(in), target :: vloc(:,:,:)                !< (Nz,Ny,Nx) Ha
    real(c_double), intent(in) :: drive(:,:)                        !< (3,nsteps) Ha/bohr or bohr^-1
    real(c_double), intent(in) :: f(:)                              !< (Norb)
    real(c_double), intent(in) :: dt                                !< hbar/Ha
    real(c_float), intent(inout), target :: rho(:,:,:)              !< (Nz,Ny,Nx) bohr^-3
    real(c_double), intent(inout), target :: dipole(:,:)            !< (4,nsteps) bohr
    real(c_double), intent(in), optional :: k(:,:)                  !< (3,Norb) bohr^-1
    real(c_double), intent(in), optional :: kappa                   !< bohr^2
    real(c_double), intent(in), optional :: gamma
    integer, intent(in), optional :: field_steps
    real(c_double), intent(inout), target, optional :: current(:,:) !< (3,nsteps) bohr Ha/hbar
    real(c_double), intent(out), optional :: seconds                !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                          !< suite_ok, or a failure described by suite_message

    call propagate_device(call, complex64_4(psi), real32_4(vH), real32_3(vloc), drive, f, dt, real32_3(rho), real64_2(dipole), &
        k, kappa, gamma, field_steps, real64_2(current), seconds, ierr)
  end subroutine

  subroutine propagate_device(call, psi, vH, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
      ierr)
    type(suite_call), intent(inout) :: call                    !< opened as lfd.propagate
    type(suite_array), intent(in), target :: psi               !< (Norb,Nz,Ny,Nx) bohr^-3/2
    type(suite_array), intent(in), target :: vH                !< (Nz,Ny,Nx,2) Ha
    type(suite_array), intent(in), target :: vloc              !< (Nz,Ny,Nx) Ha
    real(c_double), intent(in) :: drive(:,:)                   !< (3,nsteps) Ha/bohr or bohr^-1
    real(c_double), intent(in) :: f(:)                         !< (Norb)
    real(c_double), intent(in) :: dt                           !< hbar/Ha
    type(suite_array), intent(in), target :: rho               !< (Nz,Ny,Nx) bohr^-3
    type(suite_array), intent(in), target :: dipole            !< (4,nsteps) bohr
    real(c_double), intent(in), optional :: k(:,:)             !< (3,Norb) bohr^-1
    real(c_double), intent(in), optional :: kappa              !< bohr^2
    real(c_double), intent(in), optional :: gamma
    integer, intent(in), optional :: field_steps
    type(suite_array), intent(in), target, optional :: current !< (3,nsteps) bohr Ha/hbar
    real(c_double), intent(out), optional :: seconds           !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                     !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "psi", psi, status)
    call give(call, "vH", vH, status)
    call give(call, "vloc", vloc, status)
    call give_list_2(call, "drive", drive, status)
    call give_list_1(call, "f", f, status)
    call give_number(call, "dt", dt, status)
    call ask(call, "rho", rho, status)
    call ask(call, "dipole", dipole, status)
    call give_list_2(call, "k", k, status)
    call give_number(call, "kappa", kappa, status)
    call give_number(call, "gamma", gamma, status)
    call give_count(call, "field_steps", field_steps, status)
    call ask(call, "current", current, status)
    call run(call, seconds, status)
    call bring(call, "psi", psi, status)
    call bring(call, "vH", vH, status)
    call bring(call, "rho", rho, status)
    call bring(call, "dipole", dipole, status)
    call bring(call, "current", current, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine propagate_put_double(call, psi, vH, ierr)
    type(suite_call), intent(inout) :: call                       !< opened as lfd.propagate
    complex(c_double_complex), intent(in), target :: psi(:,:,:,:) !< (Norb,Nz,Ny,Nx) bohr^-3/2
    real(c_double), intent(in), target :: vH(:,:,:,:)             !< (Nz,Ny,Nx,2) Ha
    integer, intent(out), optional :: ierr                        !< suite_ok, or a failure described by suite_message

    call propagate_put_device(call, complex128_4(psi), real64_4(vH), ierr)
  end subroutine

  subroutine propagate_put_single(call, psi, vH, ierr)
    type(suite_call), intent(inout) :: call                      !< opened as lfd.propagate
    complex(c_float_complex), intent(in), target :: psi(:,:,:,:) !< (Norb,Nz,Ny,Nx) bohr^-3/2
    real(c_float), intent(in), target :: vH(:,:,:,:)             !< (Nz,Ny,Nx,2) Ha
    integer, intent(out), optional :: ierr                       !< suite_ok, or a failure described by suite_message

    call propagate_put_device(call, complex64_4(psi), real32_4(vH), ierr)
  end subroutine

  subroutine propagate_put_device(call, psi, vH, ierr)
    type(suite_call), intent(inout) :: call      !< opened as lfd.propagate
    type(suite_array), intent(in), target :: psi !< (Norb,Nz,Ny,Nx) bohr^-3/2
    type(suite_array), intent(in), target :: vH  !< (Nz,Ny,Nx,2) Ha
    integer, intent(out), optional :: ierr       !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "psi", psi, status)
    call give(call, "vH", vH, status)
    call keep(call, "psi", psi, status)
    call keep(call, "vH", vH, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine propagate_continue_double(call, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
      ierr)
    type(suite_call), intent(inout) :: call                         !< opened as lfd.propagate
    real(c_double), intent(in), target :: vloc(:,:,:)               !< (Nz,Ny,Nx) Ha
    real(c_double), intent(in) :: drive(:,:)                        !< (3,nsteps) Ha/bohr or bohr^-1
    real(c_double), intent(in) :: f(:)                              !< (Norb)
    real(c_double), intent(in) :: dt                                !< hbar/Ha
    real(c_double), intent(inout), target :: rho(:,:,:)             !< (Nz,Ny,Nx) bohr^-3
    real(c_double), intent(inout), target :: dipole(:,:)            !< (4,nsteps) bohr
    real(c_double), intent(in), optional :: k(:,:)                  !< (3,Norb) bohr^-1
    real(c_double), intent(in), optional :: kappa                   !< bohr^2
    real(c_double), intent(in), optional :: gamma
    integer, intent(in), optional :: field_steps
    real(c_double), intent(inout), target, optional :: current(:,:) !< (3,nsteps) bohr Ha/hbar
    real(c_double), intent(out), optional :: seconds                !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                          !< suite_ok, or a failure described by suite_message

    call propagate_continue_device(call, real64_3(vloc), drive, f, dt, real64_3(rho), real64_2(dipole), k, kappa, gamma, &
        field_steps, real64_2(current), seconds, ierr)
  end subroutine

  subroutine propagate_continue_single(call, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
      ierr)
    type(suite_call), intent(inout) :: call                         !< opened as lfd.propagate
    real(c_float), intent(in), target :: vloc(:,:,:)                !< (Nz,Ny,Nx) Ha
    real(c_double), intent(in) :: drive(:,:)                        !< (3,nsteps) Ha/bohr or bohr^-1
    real(c_double), intent(in) :: f(:)                              !< (Norb)
    real(c_double), intent(in) :: dt                                !< hbar/Ha
    real(c_float), intent(inout), target :: rho(:,:,:)              !< (Nz,Ny,Nx) bohr^-3
    real(c_double), intent(inout), target :: dipole(:,:)            !< (4,nsteps) bohr
    real(c_double), intent(in), optional :: k(:,:)                  !< (3,Norb) bohr^-1
    real(c_double), intent(in), optional :: kappa                   !< bohr^2
    real(c_double), intent(in), optional :: gamma
    integer, intent(in), optional :: field_steps
    real(c_double), intent(inout), target, optional :: current(:,:) !< (3,nsteps) bohr Ha/hbar
    real(c_double), intent(out), optional :: seconds                !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                          !< suite_ok, or a failure described by suite_message

    call propagate_continue_device(call, real32_3(vloc), drive, f, dt, real32_3(rho), real64_2(dipole), k, kappa, gamma, &
        field_steps, real64_2(current), seconds, ierr)
  end subroutine

  subroutine propagate_continue_device(call, vloc, drive, f, dt, rho, dipole, k, kappa, gamma, field_steps, current, seconds, &
      ierr)
    type(suite_call), intent(inout) :: call                    !< opened as lfd.propagate
    type(suite_array), intent(in), target :: vloc              !< (Nz,Ny,Nx) Ha
    real(c_double), intent(in) :: drive(:,:)                   !< (3,nsteps) Ha/bohr or bohr^-1
    real(c_double), intent(in) :: f(:)                         !< (Norb)
    real(c_double), intent(in) :: dt                           !< hbar/Ha
    type(suite_array), intent(in), target :: rho               !< (Nz,Ny,Nx) bohr^-3
    type(suite_array), intent(in), target :: dipole            !< (4,nsteps) bohr
    real(c_double), intent(in), optional :: k(:,:)             !< (3,Norb) bohr^-1
    real(c_double), intent(in), optional :: kappa              !< bohr^2
    real(c_double), intent(in), optional :: gamma
    integer, intent(in), optional :: field_steps
    type(suite_array), intent(in), target, optional :: current !< (3,nsteps) bohr Ha/hbar
    real(c_double), intent(out), optional :: seconds           !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                     !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "vloc", vloc, status)
    call give_list_2(call, "drive", drive, status)
    call give_list_1(call, "f", f, status)
    call give_number(call, "dt", dt, status)
    call ask(call, "rho", rho, status)
    call ask(call, "dipole", dipole, status)
    call give_list_2(call, "k", k, status)
    call give_number(call, "kappa", kappa, status)
    call give_number(call, "gamma", gamma, status)
    call give_count(call, "field_steps", field_steps, status)
    call ask(call, "current", current, status)
    call run(call, seconds, status)
    call bring(call, "rho", rho, status)
    call bring(call, "dipole", dipole, status)
    call bring(call, "current", current, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine propagate_get_double(call, psi, vH, ierr)
    type(suite_call), intent(inout) :: call                          !< opened as lfd.propagate
    complex(c_double_complex), intent(inout), target :: psi(:,:,:,:) !< (Norb,Nz,Ny,Nx) bohr^-3/2
    real(c_double), intent(inout), target :: vH(:,:,:,:)             !< (Nz,Ny,Nx,2) Ha
    integer, intent(out), optional :: ierr                           !< suite_ok, or a failure described by suite_message

    call propagate_get_device(call, complex128_4(psi), real64_4(vH), ierr)
  end subroutine

  subroutine propagate_get_single(call, psi, vH, ierr)
    type(suite_call), intent(inout) :: call                         !< opened as lfd.propagate
    complex(c_float_complex), intent(inout), target :: psi(:,:,:,:) !< (Norb,Nz,Ny,Nx) bohr^-3/2
    real(c_float), intent(inout), target :: vH(:,:,:,:)             !< (Nz,Ny,Nx,2) Ha
    integer, intent(out), optional :: ierr                          !< suite_ok, or a failure described by suite_message

    call propagate_get_device(call, complex64_4(psi), real32_4(vH), ierr)
  end subroutine

  subroutine propagate_get_device(call, psi, vH, ierr)
    type(suite_call), intent(inout) :: call      !< opened as lfd.propagate
    type(suite_array), intent(in), target :: psi !< (Norb,Nz,Ny,Nx) bohr^-3/2
    type(suite_array), intent(in), target :: vH  !< (Nz,Ny,Nx,2) Ha
    integer, intent(out), optional :: ierr       !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call bring(call, "psi", psi, status)
    call bring(call, "vH", vH, status)
    call suite_settle(call, status, ierr)
  end subroutine
end module
