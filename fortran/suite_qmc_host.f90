! SPDX-License-Identifier: BSD-3-Clause
!> The routines of suite_qmc for host arrays.
module suite_qmc_host
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t, c_int64_t
  use suite
  use suite_optional_arguments
  use suite_qmc_calls
  implicit none (type, external)
  private

  public :: closest_images_host, ewald_host, jastrow_host, structure_factor_host, orbitals_host, slater_ratio_host, &
      slater_update_host, slater_flush_host, slater_invert_host, sweep_host, local_energy_host, branch_host

contains

  subroutine closest_images_host(qmc, rfrom, rto, eevecs, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target, optional :: rfrom(:,:,:), rto(:,:,:)
    real(c_double), intent(inout), target :: eevecs(:,:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call closest_images(qmc, of_3(rfrom), of_3(rto), of_4(eevecs), seconds, ierr)
  end subroutine

  subroutine ewald_host(qmc, rele, energy, total, field, ie, rnew, rhok, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target :: rele(:,:,:)
    real(c_double), intent(in), target, optional :: rnew(:,:,:)
    complex(c_double_complex), intent(in), target, optional :: rhok(:,:,:)
    real(c_double), intent(inout), target, optional :: energy(:,:), total(:), field(:,:,:)
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call ewald(qmc, of_3(rele), of_2(energy), of_1(total), of_3(field), ie, of_3(rnew), of_waves(rhok), seconds, ierr)
  end subroutine

  subroutine jastrow_host(qmc, rele, value, gradient, laplacian, ie, rnew, dvalue, dgradient, dlaplacian, rhok, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target, optional :: rele(:,:,:), rnew(:,:,:)
    complex(c_double_complex), intent(in), target, optional :: rhok(:,:,:)
    real(c_double), intent(inout), target :: value(:,:)
    real(c_double), intent(inout), target, optional :: gradient(:,:,:), laplacian(:,:), dvalue(:,:,:,:), &
        dgradient(:,:,:,:,:), dlaplacian(:,:,:,:)
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call jastrow(qmc, of_3(rele), of_2(value), of_3(gradient), of_2(laplacian), ie, of_3(rnew), of_4(dvalue), &
        of_5(dgradient), of_4(dlaplacian), of_waves(rhok), seconds, ierr)
  end subroutine

  subroutine structure_factor_host(qmc, rele, rhok, ie, rnew, accept, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target, optional :: rele(:,:,:), rnew(:,:,:)
    integer(c_int32_t), intent(in), target, optional :: accept(:)
    complex(c_double_complex), intent(inout), target :: rhok(:,:,:)
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call structure_factor(qmc, of_3(rele), of_waves(rhok), ie, of_3(rnew), of_words_1(accept), seconds, ierr)
  end subroutine

  subroutine orbitals_host(qmc, r, phi, dphi, d2phi, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target, optional :: r(:,:,:)
    real(c_double), intent(inout), target :: phi(:,:,:)
    real(c_double), intent(inout), target, optional :: dphi(:,:,:,:), d2phi(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call orbitals(qmc, of_3(r), of_3(phi), of_4(dphi), of_3(d2phi), seconds, ierr)
  end subroutine

  subroutine slater_ratio_host(qmc, dbar, phi, ratio, ie, dphi, d2phi, drift, laplacian, delayed_phi, delayed_dbar, &
      delayed_binv, delayed_electron, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target, optional :: dbar(:,:,:), phi(:,:,:), dphi(:,:,:,:), d2phi(:,:,:), delayed_phi(:,:,:), &
        delayed_dbar(:,:,:), delayed_binv(:,:,:)
    integer(c_int32_t), intent(in), target, optional :: delayed_electron(:,:)
    real(c_double), intent(inout), target :: ratio(:,:)
    real(c_double), intent(inout), target, optional :: drift(:,:,:), laplacian(:,:)
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call slater_ratio(qmc, of_3(dbar), of_3(phi), of_2(ratio), ie, of_4(dphi), of_3(d2phi), of_3(drift), of_2(laplacian), &
        of_3(delayed_phi), of_3(delayed_dbar), of_3(delayed_binv), of_words_2(delayed_electron), seconds, ierr)
  end subroutine

  subroutine slater_update_host(qmc, dbar, ie, phi, ratio, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, &
      seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target :: phi(:,:,:)
    integer(c_int32_t), intent(in), target, optional :: ie(:,:)
    real(c_double), intent(inout), target, optional :: dbar(:,:,:), delayed_phi(:,:,:), delayed_dbar(:,:,:), &
        delayed_binv(:,:,:)
    integer(c_int32_t), intent(inout), target, optional :: delayed_electron(:,:)
    real(c_double), intent(inout), target, optional :: ratio(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call slater_update(qmc, of_3(dbar), of_words_2(ie), of_3(phi), of_2(ratio), of_3(delayed_phi), of_3(delayed_dbar), &
        of_3(delayed_binv), of_words_2(delayed_electron), seconds, ierr)
  end subroutine

  subroutine slater_flush_host(qmc, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    integer(c_int32_t), intent(inout), target :: delayed_electron(:,:)
    real(c_double), intent(inout), target, optional :: dbar(:,:,:), delayed_phi(:,:,:), delayed_dbar(:,:,:), &
        delayed_binv(:,:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call slater_flush(qmc, of_3(dbar), of_3(delayed_phi), of_3(delayed_dbar), of_3(delayed_binv), &
        of_words_2(delayed_electron), seconds, ierr)
  end subroutine

  subroutine slater_invert_host(qmc, phi, dbar, logdet, sign, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target, optional :: phi(:,:,:)
    real(c_double), intent(inout), target :: dbar(:,:,:)
    real(c_double), intent(inout), target, optional :: logdet(:), sign(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call slater_invert(qmc, of_3(phi), of_3(dbar), of_1(logdet), of_1(sign), seconds, ierr)
  end subroutine

  subroutine sweep_host(qmc, rele, dbar_up, dbar_dn, tau, first_sweep, seed, stream, accepted, nsweep, alimit, diffusion, &
      logpsi, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    integer(c_int64_t), intent(in), target, optional :: stream(:)
    real(c_double), intent(inout), target, optional :: rele(:,:,:), dbar_up(:,:,:), dbar_dn(:,:,:), logpsi(:)
    integer(c_int32_t), intent(inout), target :: accepted(:)
    real(c_double), intent(inout), target, optional :: diffusion(:,:)
    integer, intent(in), optional :: nsweep
    real(c_double), intent(in), optional :: tau, alimit
    integer(c_int64_t), intent(in), optional :: first_sweep, seed
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call sweep(qmc, of_3(rele), of_3(dbar_up), of_3(dbar_dn), tau, first_sweep, seed, of_longs(stream), of_words_1(accepted), &
        nsweep, alimit, of_2(diffusion), of_1(logpsi), seconds, ierr)
  end subroutine

  subroutine local_energy_host(qmc, rele, dbar_up, dbar_dn, energy, velocity, jastrow, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    real(c_double), intent(in), target, optional :: rele(:,:,:), dbar_up(:,:,:), dbar_dn(:,:,:)
    real(c_double), intent(inout), target :: energy(:,:)
    real(c_double), intent(inout), target, optional :: velocity(:,:,:), jastrow(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call local_energy(qmc, of_3(rele), of_3(dbar_up), of_3(dbar_dn), of_2(energy), of_3(velocity), of_1(jastrow), seconds, &
        ierr)
  end subroutine

  subroutine branch_host(qmc, from, rele, dbar_up, dbar_dn, carry, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    integer(c_int32_t), intent(in), target :: from(:)
    real(c_double), intent(inout), target, optional :: rele(:,:,:), dbar_up(:,:,:), dbar_dn(:,:,:), carry(:,:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr

    call branch(qmc, of_words_1(from), of_3(rele), of_3(dbar_up), of_3(dbar_dn), of_2(carry), seconds, ierr)
  end subroutine
end module
