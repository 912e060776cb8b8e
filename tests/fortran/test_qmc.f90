! SPDX-License-Identifier: BSD-3-Clause
!> Module suite_qmc: every routine in each implementation that is there, on the host and on the device, and what it refuses.
!>
!>     test_qmc IMPLEMENTATION...
program test_qmc
  use checks, only: check, check_failure, finish_checks
  use suite_qmc
  use test_qmc_data, only: a, alpha, cell, dp, gvec, L_u, make_data, nele, netot, nwalker, rele, rhok, star
  use test_qmc_kernels, only: check_qmc
  implicit none (type, external)
  character(len=64) :: implementation
  integer :: i

  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    call check_qmc(trim(implementation))
  end do
  call refuse_host_arrays()
  call refuse_device_arrays()
  call finish_checks()

contains

  subroutine refuse_host_arrays()
    real(dp), target :: value(netot, nwalker), short(netot - 1, nwalker), gradient(3, netot, nwalker), rnew(3, 2, nwalker)
    real(dp), target :: one(2, nwalker)
    type(suite_call) :: qmc
    integer :: ierr

    call make_data()
    value = 0
    call suite_open(qmc, "qmc.jastrow_u", "reference")
    call suite_qmc_jastrow_u(qmc, rele, value, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "cell of qmc.jastrow_u is not set")
    call suite_qmc_jastrow_p_set(qmc, cell, int(gvec), a, int(nele), int(star), ierr=ierr)
    call check_failure(ierr, suite_not_found, suite_message(qmc), "qmc.jastrow_u has no argument 'gvec'")
    call suite_qmc_jastrow_u_set(qmc, cell, alpha, int(nele), 20.0_dp)
    call suite_qmc_jastrow_u(qmc, rele, value, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "L_u is 20 bohr")
    call suite_qmc_jastrow_u_set(qmc, cell, alpha, [4, 5], L_u)
    call suite_qmc_jastrow_u(qmc, rele, value, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "nele is 4, 5 but rele has 8 electrons")
    call suite_qmc_jastrow_u_set(qmc, cell, alpha, int(nele), L_u)
    call suite_qmc_jastrow_u(qmc, rele, short, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "npos is 7; with ie unset it must be netot")
    call suite_qmc_jastrow_u(qmc, rele(:, ::2, :), value, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "rele is a section that is not contiguous in memory")
    call suite_qmc_jastrow_u(qmc, rele, value, gradient=gradient(:, :, :1), ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "nwalker is 2 in rele but 1 in gradient")
    rnew = 0.3_dp
    call suite_qmc_jastrow_u(qmc, rele, one, ie=9, rnew=rnew, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "ie is 9; the electrons are 1 to 8")
    call suite_qmc_jastrow_p(qmc, rele, one, rhok=rhok, ierr=ierr)
    call check_failure(ierr, suite_not_found, suite_message(qmc), "qmc.jastrow_u has no argument 'rhok'")
    call suite_qmc_jastrow_u(qmc, rele, one, ie=1, rnew=rnew)
    call check(all(abs(one(1, :) - one(2, :)) <= 0) .and. any(abs(one) > 0), "after all of this the call works")

    call suite_open(qmc, "qmc.jastrow_p", "reference")
    call suite_qmc_jastrow_p_set(qmc, cell, int(gvec(:, :3)), a, int(nele), int(star))
    call suite_qmc_jastrow_p(qmc, rele, value, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "ngvec is 3 in gvec but 6 in star")
    call suite_open(qmc, "qmc.ewald", "reference")
    call suite_qmc_ewald_set(qmc, cell, [(-1.0_dp, i = 1, netot)], ewald_alpha=-0.5_dp)
    call suite_qmc_ewald(qmc, rele, energy=value, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "ewald_alpha is -0.5")
    call suite_close(qmc)
    call suite_qmc_jastrow_p(qmc, rele, value, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "passing rele needs an open call")
  end subroutine

  subroutine refuse_device_arrays()
    type(suite_device) :: device
    type(suite_array) :: rele_there, value_there
    type(suite_call) :: qmc
    integer :: ierr

    call suite_device_open(device, "cpu")
    call suite_open(qmc, "qmc.jastrow_u", "reference", device)
    call suite_qmc_jastrow_u_set(qmc, cell, alpha, int(nele), L_u)
    call suite_allocate(device, rele_there, suite_real32, shape(rele))
    call suite_allocate(device, value_there, suite_real64, [netot, nwalker])
    call suite_qmc_jastrow_u(qmc, rele_there, value_there, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "rele takes real64, but real32 was given")
    call suite_run(qmc, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(qmc), "rele of qmc.jastrow_u is not set")
    call suite_close(qmc)
    call suite_release(device, rele_there)
    call suite_release(device, value_there)
    call suite_device_close(device)
  end subroutine
end program
