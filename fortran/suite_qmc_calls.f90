! SPDX-License-Identifier: BSD-3-Clause
!> The routines of suite_qmc for arrays that lie on the device (type(suite_array), made by suite_allocate); those for the
!> host's arrays describe them and end here as well. suite_qmc.f90 has the description of all arguments. Arguments are given in
!> the order of the kernel's table, where the library looks first.
module suite_qmc_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
  use suite
  use suite_arguments, only: run, unset
  use suite_calls, only: suite_settle
  use suite_optional_arguments, only: ask, bring, give, give_count, give_long, give_number
  implicit none (type, external)
  private

  public :: closest_images, ewald, jastrow, structure_factor, orbitals, slater_ratio, slater_update, slater_flush, &
      slater_invert, sweep, local_energy, branch

contains

  subroutine closest_images(qmc, rfrom, rto, eevecs, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: eevecs
    type(suite_array), intent(in), optional :: rfrom, rto
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "rfrom", rfrom, status)
    call give(qmc, "rto", rto, status)
    call give(qmc, "eevecs", eevecs, status)
    call run(qmc, seconds, status)
    call bring(qmc, "eevecs", eevecs, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine ewald(qmc, rele, energy, total, field, ie, rnew, rhok, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: rele
    type(suite_array), intent(in), optional :: energy, total, field, rnew, rhok
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "rele", rele, status)
    call give_count(qmc, "ie", ie, status)
    call give(qmc, "rnew", rnew, status)
    call give(qmc, "rhok", rhok, status)
    call ask(qmc, "energy", energy, status)
    call ask(qmc, "total", total, status)
    call ask(qmc, "field", field, status)
    call run(qmc, seconds, status)
    call bring(qmc, "energy", energy, status)
    call bring(qmc, "total", total, status)
    call bring(qmc, "field", field, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine jastrow(qmc, rele, value, gradient, laplacian, ie, rnew, dvalue, dgradient, dlaplacian, rhok, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: value
    type(suite_array), intent(in), optional :: rele, gradient, laplacian, rnew, dvalue, dgradient, dlaplacian, rhok
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "rele", rele, status)
    call give_count(qmc, "ie", ie, status)
    call give(qmc, "rnew", rnew, status)
    call give(qmc, "rhok", rhok, status)
    call give(qmc, "value", value, status)
    call ask(qmc, "gradient", gradient, status)
    call ask(qmc, "laplacian", laplacian, status)
    call ask(qmc, "dvalue", dvalue, status)
    call ask(qmc, "dgradient", dgradient, status)
    call ask(qmc, "dlaplacian", dlaplacian, status)
    call run(qmc, seconds, status)
    call bring(qmc, "value", value, status)
    call bring(qmc, "gradient", gradient, status)
    call bring(qmc, "laplacian", laplacian, status)
    call bring(qmc, "dvalue", dvalue, status)
    call bring(qmc, "dgradient", dgradient, status)
    call bring(qmc, "dlaplacian", dlaplacian, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine structure_factor(qmc, rele, rhok, ie, rnew, accept, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: rhok
    type(suite_array), intent(in), optional :: rele, rnew, accept
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "rele", rele, status)
    call give_count(qmc, "ie", ie, status)
    call give(qmc, "rnew", rnew, status)
    call give(qmc, "accept", accept, status)
    call give(qmc, "rhok", rhok, status)
    call run(qmc, seconds, status)
    call bring(qmc, "rhok", rhok, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine orbitals(qmc, r, phi, dphi, d2phi, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: phi
    type(suite_array), intent(in), optional :: r, dphi, d2phi
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "r", r, status)
    call give(qmc, "phi", phi, status)
    call ask(qmc, "dphi", dphi, status)
    call ask(qmc, "d2phi", d2phi, status)
    call run(qmc, seconds, status)
    call bring(qmc, "phi", phi, status)
    call bring(qmc, "dphi", dphi, status)
    call bring(qmc, "d2phi", d2phi, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine slater_ratio(qmc, dbar, phi, ratio, ie, dphi, d2phi, drift, laplacian, delayed_phi, delayed_dbar, delayed_binv, &
      delayed_electron, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: ratio
    type(suite_array), intent(in), optional :: dbar, phi, dphi, d2phi, drift, laplacian, delayed_phi, delayed_dbar, &
        delayed_binv, delayed_electron
    integer, intent(in), optional :: ie
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "dbar", dbar, status)
    call give_count(qmc, "ie", ie, status)
    call give(qmc, "phi", phi, status)
    call give(qmc, "dphi", dphi, status)
    call give(qmc, "d2phi", d2phi, status)
    call give(qmc, "delayed_phi", delayed_phi, status)
    call give(qmc, "delayed_dbar", delayed_dbar, status)
    call give(qmc, "delayed_binv", delayed_binv, status)
    call give(qmc, "delayed_electron", delayed_electron, status)
    call give(qmc, "ratio", ratio, status)
    call ask(qmc, "drift", drift, status)
    call ask(qmc, "laplacian", laplacian, status)
    call run(qmc, seconds, status)
    call bring(qmc, "ratio", ratio, status)
    call bring(qmc, "drift", drift, status)
    call bring(qmc, "laplacian", laplacian, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine slater_update(qmc, dbar, ie, phi, ratio, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, seconds, &
      ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: phi
    type(suite_array), intent(in), optional :: dbar, ie, ratio, delayed_phi, delayed_dbar, delayed_binv, delayed_electron
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "dbar", dbar, status)
    call give(qmc, "ie", ie, status)
    call give(qmc, "phi", phi, status)
    call give(qmc, "delayed_phi", delayed_phi, status)
    call give(qmc, "delayed_dbar", delayed_dbar, status)
    call give(qmc, "delayed_binv", delayed_binv, status)
    call give(qmc, "delayed_electron", delayed_electron, status)
    call ask(qmc, "ratio", ratio, status)
    call run(qmc, seconds, status)
    call bring(qmc, "dbar", dbar, status)
    call bring(qmc, "ratio", ratio, status)
    call bring(qmc, "delayed_phi", delayed_phi, status)
    call bring(qmc, "delayed_dbar", delayed_dbar, status)
    call bring(qmc, "delayed_binv", delayed_binv, status)
    call bring(qmc, "delayed_electron", delayed_electron, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine slater_flush(qmc, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: delayed_electron
    type(suite_array), intent(in), optional :: dbar, delayed_phi, delayed_dbar, delayed_binv
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call unset(qmc, "ie", status)
    call unset(qmc, "phi", status)
    call unset(qmc, "ratio", status)
    call give(qmc, "dbar", dbar, status)
    call give(qmc, "delayed_phi", delayed_phi, status)
    call give(qmc, "delayed_dbar", delayed_dbar, status)
    call give(qmc, "delayed_binv", delayed_binv, status)
    call give(qmc, "delayed_electron", delayed_electron, status)
    call run(qmc, seconds, status)
    call bring(qmc, "dbar", dbar, status)
    call bring(qmc, "delayed_phi", delayed_phi, status)
    call bring(qmc, "delayed_dbar", delayed_dbar, status)
    call bring(qmc, "delayed_binv", delayed_binv, status)
    call bring(qmc, "delayed_electron", delayed_electron, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine slater_invert(qmc, phi, dbar, logdet, sign, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: dbar
    type(suite_array), intent(in), optional :: phi, logdet, sign
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "phi", phi, status)
    call give(qmc, "dbar", dbar, status)
    call ask(qmc, "logdet", logdet, status)
    call ask(qmc, "sign", sign, status)
    call run(qmc, seconds, status)
    call bring(qmc, "dbar", dbar, status)
    call bring(qmc, "logdet", logdet, status)
    call bring(qmc, "sign", sign, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine sweep(qmc, rele, dbar_up, dbar_dn, tau, first_sweep, seed, stream, accepted, nsweep, alimit, diffusion, logpsi, &
      seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: accepted
    type(suite_array), intent(in), optional :: rele, dbar_up, dbar_dn, stream, diffusion, logpsi
    integer, intent(in), optional :: nsweep
    real(c_double), intent(in), optional :: tau, alimit
    integer(c_int64_t), intent(in), optional :: first_sweep, seed
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "rele", rele, status)
    call give(qmc, "dbar_up", dbar_up, status)
    call give(qmc, "dbar_dn", dbar_dn, status)
    call give_number(qmc, "tau", tau, status)
    call give_number(qmc, "alimit", alimit, status)
    call give_count(qmc, "nsweep", nsweep, status)
    call give_long(qmc, "first_sweep", first_sweep, status)
    call give_long(qmc, "seed", seed, status)
    call give(qmc, "stream", stream, status)
    call give(qmc, "accepted", accepted, status)
    call ask(qmc, "diffusion", diffusion, status)
    call give(qmc, "logpsi", logpsi, status)
    call run(qmc, seconds, status)
    call bring(qmc, "rele", rele, status)
    call bring(qmc, "dbar_up", dbar_up, status)
    call bring(qmc, "dbar_dn", dbar_dn, status)
    call bring(qmc, "accepted", accepted, status)
    call bring(qmc, "diffusion", diffusion, status)
    call bring(qmc, "logpsi", logpsi, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine local_energy(qmc, rele, dbar_up, dbar_dn, energy, velocity, jastrow, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: energy
    type(suite_array), intent(in), optional :: rele, dbar_up, dbar_dn, velocity, jastrow
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "rele", rele, status)
    call give(qmc, "dbar_up", dbar_up, status)
    call give(qmc, "dbar_dn", dbar_dn, status)
    call give(qmc, "energy", energy, status)
    call ask(qmc, "velocity", velocity, status)
    call ask(qmc, "jastrow", jastrow, status)
    call run(qmc, seconds, status)
    call bring(qmc, "energy", energy, status)
    call bring(qmc, "velocity", velocity, status)
    call bring(qmc, "jastrow", jastrow, status)
    call suite_settle(qmc, status, ierr)
  end subroutine

  subroutine branch(qmc, from, rele, dbar_up, dbar_dn, carry, seconds, ierr)
    type(suite_call), intent(inout) :: qmc
    type(suite_array), intent(in) :: from
    type(suite_array), intent(in), optional :: rele, dbar_up, dbar_dn, carry
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(qmc, "from", from, status)
    call give(qmc, "rele", rele, status)
    call give(qmc, "dbar_up", dbar_up, status)
    call give(qmc, "dbar_dn", dbar_dn, status)
    call give(qmc, "carry", carry, status)
    call run(qmc, seconds, status)
    call bring(qmc, "rele", rele, status)
    call bring(qmc, "dbar_up", dbar_up, status)
    call bring(qmc, "dbar_dn", dbar_dn, status)
    call bring(qmc, "carry", carry, status)
    call suite_settle(qmc, status, ierr)
  end subroutine
end module
