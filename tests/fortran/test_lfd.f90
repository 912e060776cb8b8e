! SPDX-License-Identifier: BSD-3-Clause
!> Module suite_lfd: every routine in both precisions, in each implementation that is there, and what it refuses.
!>
!>     test_lfd IMPLEMENTATION...
program test_lfd
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_float, c_loc
  use checks, only: check, check_failure, finish_checks
  use lfd_in_double, only: check_lfd_double
  use lfd_in_single, only: check_lfd_single
  use suite_host_arrays, only: real64_2
  use suite_lfd
  implicit none (type, external)
  integer, parameter :: Norb = 3, Nz = 4, Ny = 6, Nx = 8, nsteps = 2, dp = c_double
  complex(c_double_complex), target :: psi(Norb, Nz, Ny, Nx)
  real(dp), target :: vloc(Nz, Ny, Nx), vH(Nz, Ny, Nx, 2), rho(Nz, Ny, Nx), short(Nz - 2, Ny, Nx), odd(Nz, Ny, Nx - 1)
  real(c_float), target :: rho_single(Nz, Ny, Nx)
  real(dp), target :: f(Norb), dipole(4, nsteps), current(3, nsteps), drive(3, nsteps)
  real(dp), target :: beta(4, 2, 1), nldisp(3, 4, 1)
  real(dp) :: h(3)
  type(suite_call) :: lfd
  character(len=64) :: implementation
  integer :: i

  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    call check_lfd_double(trim(implementation))
    call check_lfd_single(trim(implementation))
  end do
  call refuse_host_arrays()
  call refuse_device_arrays()
  call finish_checks()

contains

  subroutine refuse_host_arrays()
    integer :: ierr

    call make_data()
    call suite_open(lfd, "lfd.propagate", "reference")
    call suite_lfd_propagate_set(lfd, h)
    call suite_lfd_propagate(lfd, psi, vH, short, drive, f, 0.01_dp, rho, dipole, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "Nz is 4 in psi but 2 in vloc")
    call suite_lfd_propagate(lfd, psi, vH, vloc, drive, f(:2), 0.01_dp, rho, dipole, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "Norb is 3 in psi but 2 in f")
    call suite_lfd_propagate_set(lfd, h(:2), ierr=ierr)
    if (ierr == suite_ok) call suite_lfd_propagate(lfd, psi, vH, vloc, drive, f, 0.01_dp, rho, dipole, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "h")
    call suite_lfd_propagate_set(lfd, h)
    call suite_lfd_propagate(lfd, psi(:, :, :, ::2), vH, vloc, drive, f, 0.01_dp, rho, dipole, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "psi is a section that is not contiguous in memory")
    call suite_lfd_propagate(lfd, psi, vH, vloc(:2, :, :), drive, f, 0.01_dp, rho, dipole, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "vloc is a section that is not contiguous in memory")
    call suite_lfd_propagate_set(lfd, h, beta=beta, nldisp=nldisp)
    call suite_lfd_propagate(lfd, psi, vH, vloc, drive, f, 0.01_dp, rho, dipole, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), &
        "nonlocal pseudopotential needs all of nlpoint, nldisp, beta and dnl")
    call suite_unset(lfd, "beta")
    call suite_unset(lfd, "nldisp")
    call suite_lfd_propagate(lfd, psi, vH, vloc, drive, f, 0.5_dp, rho, dipole, kappa=1.0_dp, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "kappa is 1 bohr^2")
    call suite_unset(lfd, "kappa")
    call suite_lfd_propagate(lfd, psi, vH, vloc, drive, f, 9.0_dp, rho, dipole, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "dt is 9 hbar/Ha")

    ! After all of this the call works.
    call suite_lfd_propagate(lfd, psi, vH, vloc, drive, f, 0.01_dp, rho, dipole, ierr=ierr)
    call check(ierr == suite_ok, "the call works after its failures: " // suite_message(lfd))
    call suite_get(lfd, "current", current, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "current")
    call suite_get(lfd, "rho", odd, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "rho has the extents (4,6,8)")
    call suite_get(lfd, "rho", rho_single, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "rho is real64 in this call, but an array of real32")
    call suite_get(lfd, "dipole", dipole(:, :1), ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "dipole has the extents (4,2)")
    call check(all(rho > 0) .and. all(dipole(4, :) > 0), "the right shapes still arrive")

    call suite_open(lfd, "lfd.kin_prop", "reference")
    call suite_choose(lfd, "d", "w", ierr)
    call check_failure(ierr, suite_not_found, suite_message(lfd), "d has no choice 'w'")
    call suite_lfd_kin_prop(lfd, psi(:, :3, :, :), 0.01_dp, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "psi is a section")
    call suite_lfd_compute_rho(lfd, psi, f, rho, ierr=ierr)
    call check_failure(ierr, suite_not_found, suite_message(lfd), "lfd.kin_prop has no argument 'f'")
    call suite_open(lfd, "lfd.compute_rho", "reference")
    call suite_lfd_compute_rho(lfd, psi, f, odd, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "Nx is 8 in psi but 7 in rho")
    call suite_close(lfd)
  end subroutine

  !> Here the compiler cannot tell the precisions apart.
  subroutine refuse_device_arrays()
    type(suite_device) :: device
    type(suite_array) :: psi_there, vloc_there, vH_there, rho_there
    integer :: ierr

    call suite_device_open(device, "cpu")
    call suite_open(lfd, "lfd.propagate", "reference", device)
    call suite_allocate(device, psi_there, suite_complex128, shape(psi))
    call suite_allocate(device, vloc_there, suite_real32, shape(vloc))
    call suite_allocate(device, vH_there, suite_real64, shape(vH))
    call suite_allocate(device, rho_there, suite_real64, shape(rho))
    call suite_upload(device, psi_there, c_loc(psi))
    call suite_upload(device, vH_there, c_loc(vH))
    rho_single = 0
    call suite_upload(device, vloc_there, c_loc(rho_single))
    call suite_lfd_propagate_set(lfd, h)
    call suite_lfd_propagate(lfd, psi_there, vH_there, vloc_there, drive, f, 0.01_dp, rho_there, real64_2(dipole), ierr=ierr)
    call check(ierr == suite_invalid_argument, "two precisions in one call are refused")
    call check(index(suite_message(lfd), "vloc") > 0, "and vloc is named: " // suite_message(lfd))
    call suite_lfd_propagate(lfd, vloc_there, vH_there, vloc_there, drive, f, 0.01_dp, rho_there, real64_2(dipole), ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "psi takes complex64 or complex128, but real32 was given")
    call suite_forget(lfd)
    call suite_lfd_propagate_set(lfd, h)
    call suite_lfd_propagate(lfd, suite_array(), vH_there, rho_there, drive, f, 0.01_dp, rho_there, real64_2(dipole), ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(lfd), "psi")
    call suite_close(lfd)
    call suite_device_close(device)
  end subroutine

  subroutine make_data()
    psi = (0.1_dp, 0.2_dp)
    f = 1
    vloc = -1
    short = -1
    odd = 0
    vH = 0
    h = [0.5_dp, 0.6_dp, 0.7_dp]
    drive = 0
    beta = 0.5_dp
    nldisp = 0
  end subroutine
end program
