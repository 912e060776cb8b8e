! SPDX-License-Identifier: BSD-3-Clause
!> Every routine of suite_qmc in one implementation: against the reference, which gets its arguments one by one and by name, and
!> against what is known without it.
module test_qmc_kernels
  use, intrinsic :: iso_c_binding, only: c_double_complex, c_float, c_int32_t, c_int64_t, c_loc
  use checks, only: check
  use suite_host_arrays, only: int64_1, real64_2
  use suite_qmc
  use test_qmc_data
  use test_qmc_ions, only: check_ions, name_orbitals
  implicit none (type, external)
  private
  public :: check_qmc

contains

  subroutine check_qmc(name)
    character(len=*), intent(in) :: name

    call make_data()
    call images(name)
    call ewald(name)
    call jastrow(name, "u")
    call jastrow(name, "p")
    call structure_factor(name)
    call orbitals(name)
    call blips(name)
    call check_ions(name)
    call ratios(name)
    call updates(name)
    call delayed_updates(name)
    call inverses(name)
    call walks(name)
    call walks_kept(name)
    call walks_on_device(name)
    call branches(name)
    call suite_close(qmc)
    call suite_close(truth)
  end subroutine

  subroutine images(name)
    character(len=*), intent(in) :: name
    real(dp), target :: eevecs(4, netot, npos, nwalker), expected(4, netot, npos, nwalker)
    real(dp) :: seconds

    if (.not. opens("qmc.closest_images", name)) return
    call suite_qmc_closest_images_set(qmc, cell)
    call suite_qmc_closest_images(qmc, rnew, rele, eevecs, seconds)
    call check(seconds >= 0, name // " seconds")
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "rfrom", rnew)
    call suite_set(truth, "rto", rele)
    call suite_set(truth, "eevecs", expected)
    call suite_run(truth)
    call same([eevecs], [expected], name // " closest_images")
    ! The formula: a lattice vector more or less, and never longer.
    call check(all(norm2(eevecs(:3, :, 1, 1), 1) <= norm2(rele(:, :, 1) - spread(rnew(:, 1, 1), 2, netot), 1) + 1.0e-12_dp), &
        name // " images are no farther than the electrons")
  end subroutine

  subroutine ewald(name)
    character(len=*), intent(in) :: name
    real(dp), target :: energy(netot, nwalker), total(nwalker), field(3, netot, nwalker), one(npos, nwalker)
    real(dp), target :: energy_true(netot, nwalker), total_true(nwalker), field_true(3, netot, nwalker), one_true(npos, nwalker)

    if (.not. opens("qmc.ewald", name)) return
    call suite_qmc_ewald_set(qmc, cell, charge, ewald_alpha=0.7_dp, ewald_tolerance=1.0e-13_dp)
    call suite_qmc_ewald(qmc, rele, energy=energy, total=total, field=field)
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "charge", charge)
    call suite_set(truth, "rele", rele)
    call suite_set(truth, "energy", energy_true)
    call suite_set(truth, "total", total_true)
    call suite_set(truth, "field", field_true)
    call suite_run(truth)
    call same([energy], [energy_true], name // " ewald: energy")
    call same(total, total_true, name // " ewald: total")
    call same([field], [field_true], name // " ewald: field")
    call check(maxval(abs(sum(energy, 1) / 2 - total)) <= tolerance * maxval(abs(total)), name // " ewald: halves add up")
    ! One charge; total and field are not asked for any more.
    total = -7
    call suite_qmc_ewald(qmc, rele, energy=one, ie=ie, rnew=rnew)
    call suite_unset(truth, "total")
    call suite_unset(truth, "field")
    call suite_set(truth, "energy", one_true)
    call suite_set(truth, "ie", ie)
    call suite_set(truth, "rnew", rnew)
    call suite_run(truth)
    call same([one], [one_true], name // " ewald of one charge")
    call check(all(total >= -7 .and. total <= -7), name // " ewald leaves what was not asked for")
    call ewald_with_rhok(name, one_true)
  end subroutine

  !> The same of one charge with a structure factor, made from scratch where the charge was elsewhere and brought up to date.
  subroutine ewald_with_rhok(name, one_true)
    character(len=*), intent(in) :: name
    real(dp), intent(in) :: one_true(:,:)
    integer, allocatable :: all_gvec(:,:)
    complex(dp), allocatable, target :: rhok(:,:,:)
    real(dp), target :: one(npos, nwalker), before(3, netot, nwalker), there(3, 1, nwalker)

    all_gvec = half_of_a_box(4)
    allocate(rhok(size(all_gvec, 2), 1, nwalker))
    rhok = 0
    before = rele
    before(:, ie, :) = rnew(:, 1, :)
    there(:, 1, :) = rele(:, ie, :)
    if (.not. opens("qmc.structure_factor", name)) return
    call suite_qmc_structure_factor_set(qmc, cell, all_gvec, int(nele), charge)
    call suite_qmc_structure_factor(qmc, before, rhok)
    call suite_qmc_structure_factor(qmc, before, rhok, ie=ie, rnew=there)
    if (.not. opens("qmc.ewald", name)) return
    ! A range for which this list has all vectors of the sum over G.
    call suite_qmc_ewald_set(qmc, cell, charge, whole_sphere(4) / (2 * 5.98_dp), 1.0e-13_dp, all_gvec)
    call suite_qmc_ewald(qmc, rele, energy=one, ie=ie, rnew=rnew, rhok=rhok)
    call same([one], [one_true], name // " ewald of one charge with its structure factor")
  end subroutine

  !> One of each +-n with |n(i)| <= top, without 0.
  function half_of_a_box(top) result(list)
    integer, intent(in) :: top
    integer, allocatable :: list(:,:)
    integer :: i, j, k, count

    allocate(list(3, ((2 * top + 1)**3 - 1) / 2))
    count = 0
    do i = 0, top
      do j = merge(0, -top, i == 0), top
        do k = merge(1, -top, i == 0 .and. j == 0), top
          count = count + 1
          list(:, count) = [i, j, k]
        end do
      end do
    end do
  end function

  !> All G up to this length have |n(i)| <= top, as n(i) = G.a_i/2 pi.
  real(dp) function whole_sphere(top) result(length)
    integer, intent(in) :: top

    length = 2 * acos(-1.0_dp) * (top + 0.999_dp) / maxval(norm2(cell, 1))
  end function

  subroutine jastrow(name, term)
    character(len=*), intent(in) :: name
    character(len=1), intent(in) :: term
    integer :: n1, n2
    real(dp), allocatable, target :: value(:,:), gradient(:,:,:), laplacian(:,:), dvalue(:,:,:,:), dgradient(:,:,:,:,:), &
        dlaplacian(:,:,:,:), expected(:,:), g_true(:,:,:), l_true(:,:), dv_true(:,:,:,:), dg_true(:,:,:,:,:), dl_true(:,:,:,:)
    real(dp), target :: one(npos, nwalker)

    n1 = merge(nalpha, nstar, term == "u")
    n2 = merge(nset_u, nset_p, term == "u")
    allocate(value(netot, nwalker), gradient(3, netot, nwalker), laplacian(netot, nwalker), dvalue(n1, n2, netot, nwalker), &
        dgradient(3, n1, n2, netot, nwalker), dlaplacian(n1, n2, netot, nwalker))
    allocate(expected, mold=value)
    allocate(g_true, mold=gradient)
    allocate(l_true, mold=laplacian)
    allocate(dv_true, mold=dvalue)
    allocate(dg_true, mold=dgradient)
    allocate(dl_true, mold=dlaplacian)
    if (.not. opens("qmc.jastrow_" // term, name)) return
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "nele", nele)
    call suite_set(truth, "rele", rele)
    call suite_set(truth, "value", expected)
    call suite_set(truth, "gradient", g_true)
    call suite_set(truth, "laplacian", l_true)
    call suite_set(truth, "dvalue", dv_true)
    call suite_set(truth, "dgradient", dg_true)
    call suite_set(truth, "dlaplacian", dl_true)
    if (term == "u") then
      call suite_set(truth, "alpha", alpha)
      call suite_set(truth, "L_u", L_u)
      call suite_set(truth, "truncation", 2)
      call suite_qmc_jastrow_u_set(qmc, cell, alpha, int(nele), L_u, truncation=2)
      call suite_qmc_jastrow_u(qmc, rele, value, gradient=gradient, laplacian=laplacian, dvalue=dvalue, dgradient=dgradient, &
          dlaplacian=dlaplacian)
    else
      call suite_set(truth, "gvec", gvec)
      call suite_set(truth, "star", star)
      call suite_set(truth, "a", a)
      call suite_qmc_jastrow_p_set(qmc, cell, int(gvec), a, int(nele), int(star))
      call suite_qmc_jastrow_p(qmc, rele, value, gradient=gradient, laplacian=laplacian, dvalue=dvalue, dgradient=dgradient, &
          dlaplacian=dlaplacian)
    end if
    call suite_run(truth)
    call same([value], [expected], name // " jastrow_" // term // ": value")
    call same([gradient], [g_true], name // " jastrow_" // term // ": gradient")
    call same([laplacian], [l_true], name // " jastrow_" // term // ": laplacian")
    call same([dvalue], [dv_true], name // " jastrow_" // term // ": dvalue")
    call same([dgradient], [dg_true], name // " jastrow_" // term // ": dgradient")
    call same([dlaplacian], [dl_true], name // " jastrow_" // term // ": dlaplacian")

    ! One electron where it is: the parameters stay, what is absent is not computed.
    gradient = -7
    rnew(:, 1, :) = rele(:, ie, :)
    if (term == "u") then
      call suite_qmc_jastrow_u(qmc, rele, one, ie=ie, rnew=rnew)
    else
      call suite_qmc_jastrow_p(qmc, rele, one, ie=ie, rnew=rnew, rhok=rhok)
    end if
    call same(one(1, :), expected(ie, :), name // " jastrow_" // term // " of one electron")
    call check(all(gradient >= -7 .and. gradient <= -7), name // " leaves what was not asked for")
  end subroutine

  subroutine structure_factor(name)
    character(len=*), intent(in) :: name
    complex(c_double_complex), target :: moved(ngvec, 2, nwalker)
    integer(c_int32_t), target :: accept(nwalker)
    real(dp), target :: after(3, netot, nwalker)

    if (.not. opens("qmc.structure_factor", name)) return
    call suite_qmc_structure_factor_set(qmc, cell, int(gvec), int(nele))
    moved = 0
    call suite_qmc_structure_factor(qmc, rele, moved)
    call same([real(moved), aimag(moved)], [real(rhok_true), aimag(rhok_true)], name // " structure_factor")
    ! Only the second walker's electron moves.
    accept = [0, 1]
    call suite_qmc_structure_factor(qmc, rele, moved, ie=ie, rnew=rone, accept=accept)
    after = rele
    after(:, ie, 2) = rone(:, 1, 2)
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "nele", nele)
    call suite_set(truth, "gvec", gvec)
    call suite_set(truth, "rele", after)
    call suite_set(truth, "rhok", rhok)
    call suite_run(truth)
    call same([real(moved), aimag(moved)], [real(rhok), aimag(rhok)], name // " structure_factor after a move")
    rhok = rhok_true
  end subroutine

  subroutine orbitals(name)
    character(len=*), intent(in) :: name
    real(dp), target :: phi(norb, npos, nwalker), dphi(norb, 3, npos, nwalker), d2phi(norb, npos, nwalker)
    real(dp), target :: phi_true(norb, npos, nwalker), dphi_true(norb, 3, npos, nwalker), d2phi_true(norb, npos, nwalker)

    if (.not. opens("qmc.orbitals_free", name)) return
    call suite_qmc_orbitals_free_set(qmc, cell, int(kvec))
    call suite_qmc_orbitals_free(qmc, rnew, phi, dphi, d2phi)
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "kvec", kvec)
    call name_orbitals(phi_true, dphi_true, d2phi_true)
    call same([phi], [phi_true], name // " orbitals_free: phi")
    call same([dphi], [dphi_true], name // " orbitals_free: dphi")
    call same([d2phi], [d2phi_true], name // " orbitals_free: d2phi")
    call check(all(abs(phi(1, :, :) - 1) <= tolerance) .and. &
        all(abs(phi(2, :, :)**2 + phi(3, :, :)**2 - 1) <= tolerance), name // " orbitals: 1, cosine and sine")
  end subroutine

  subroutine blips(name)
    character(len=*), intent(in) :: name
    real(dp), target :: c(norb, 4, 5, 6), phi(norb, npos, nwalker), dphi(norb, 3, npos, nwalker), d2phi(norb, npos, nwalker)
    real(c_float), target :: c_single(norb, 4, 5, 6)
    real(dp), target :: phi_true(norb, npos, nwalker), dphi_true(norb, 3, npos, nwalker), d2phi_true(norb, npos, nwalker)
    integer :: i

    if (.not. opens("qmc.orbitals_blip", name)) return
    c = reshape([(sin(1.3_dp * i), i = 1, size(c))], shape(c))
    c_single = real(c, c_float)
    call suite_qmc_orbitals_blip_set(qmc, c, cell)
    call suite_qmc_orbitals_blip(qmc, rnew, phi, dphi, d2phi)
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "c", c)
    call name_orbitals(phi_true, dphi_true, d2phi_true)
    call same([phi], [phi_true], name // " orbitals_blip: phi")
    call same([dphi], [dphi_true], name // " orbitals_blip: dphi")
    call same([d2phi], [d2phi_true], name // " orbitals_blip: d2phi")
    call suite_qmc_orbitals_blip_set(qmc, c_single, cell)
    call suite_qmc_orbitals_blip(qmc, rnew, phi)
    c = real(c_single, dp)
    call suite_set(truth, "c", c)
    call suite_run(truth)
    call same([phi], [phi_true], name // " orbitals_blip with a table in single precision")
  end subroutine

  subroutine ratios(name)
    character(len=*), intent(in) :: name
    real(dp), target :: phi(nup, npos, nwalker), dphi(nup, 3, npos, nwalker), d2phi(nup, npos, nwalker)
    real(dp), target :: ratio(npos, nwalker), drift(3, npos, nwalker), laplacian(npos, nwalker)
    integer :: w

    call orbitals_at(rnew, phi, dphi, d2phi)
    if (.not. opens("qmc.slater_ratio", name)) return
    call suite_qmc_slater_ratio(qmc, dbar_up, phi, ratio, ie, dphi, d2phi, drift=drift, laplacian=laplacian)
    do w = 1, nwalker
      call same(ratio(:, w), matmul(dbar_up(:, ie, w), phi(:, :, w)), name // " slater_ratio: ratio")
      call same(drift(2, :, w) * ratio(:, w), matmul(dbar_up(:, ie, w), dphi(:, 2, :, w)), name // " slater_ratio: drift")
      call same(laplacian(:, w) * ratio(:, w), matmul(dbar_up(:, ie, w), d2phi(:, :, w)), name // " slater_ratio: laplacian")
    end do
    call suite_qmc_slater_ratio(qmc, dbar_up, phi, ratio, ie=2)
    call same(ratio(:, 2), matmul(dbar_up(:, 2, 2), phi(:, :, 2)), name // " slater_ratio of another electron")
  end subroutine

  !> Two moves of each walker at once: the inverse of the Slater matrix with two new columns; one walker keeps its first.
  subroutine updates(name)
    character(len=*), intent(in) :: name
    real(dp), target :: dbar(nup, nup, nwalker), expected(nup, nup, nwalker), phi(nup, npos, nwalker), ratio(2, nwalker)
    real(dp), target :: two(nup, 2, nwalker), after(3, netot, nwalker)
    integer(c_int32_t), target :: electrons(2, nwalker)

    if (.not. opens("qmc.slater_update", name)) return
    call orbitals_at(rnew, phi)
    two = phi(:, :2, :)
    electrons = reshape([ie, 1, 0, 3], [2, nwalker])
    dbar = dbar_up
    call suite_qmc_slater_update(qmc, dbar, electrons, two, ratio=ratio)
    after = rele
    after(:, ie, 1) = rnew(:, 1, 1)
    after(:, 1, 1) = rnew(:, 2, 1)
    after(:, 3, 2) = rnew(:, 2, 2)
    call inverse_of(after, 1, nup, expected)
    call same([dbar], [expected], name // " slater_update: dbar", of_inverse)
    call same(ratio(:, 2), [1.0_dp, dot_product(dbar_up(:, 3, 2), two(:, 2, 2))], name // " slater_update: ratio")
    dbar = dbar_up
    ratio = -7
    call suite_qmc_slater_update_put(qmc, dbar)
    call suite_qmc_slater_update_continue(qmc, electrons, two)
    call suite_qmc_slater_update_get(qmc, dbar)
    call same([dbar], [expected], name // " slater_update_get: dbar", of_inverse)
    call check(all(ratio >= -7 .and. ratio <= -7), name // " slater_update leaves what was not asked for")
  end subroutine

  !> The same moves one after the other into a window, and then out of it.
  subroutine delayed_updates(name)
    character(len=*), intent(in) :: name
    real(dp), target :: dbar(nup, nup, nwalker), expected(nup, nup, nwalker), phi(nup, npos, nwalker), one(nup, 1, nwalker)
    real(dp), target :: delayed_phi(nup, kmax, nwalker), delayed_dbar(nup, kmax, nwalker), delayed_binv(kmax, kmax, nwalker)
    real(dp), target :: after(3, netot, nwalker), ratio(1, nwalker), seen(npos, nwalker)
    integer(c_int32_t), target :: delayed_electron(kmax + 1, nwalker), electron(1, nwalker)
    type(suite_call) :: look

    if (.not. opens("qmc.slater_update", name)) return
    call orbitals_at(rnew, phi)
    dbar = dbar_up
    delayed_phi = 0
    delayed_dbar = 0
    delayed_binv = 0
    delayed_electron = 0
    one = phi(:, 1:1, :)
    electron = ie
    call suite_qmc_slater_update(qmc, dbar, electron, one, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ratio)
    call check(all(delayed_electron == spread([1, ie, 0, 0], 2, nwalker)), name // " slater_update: the window has the move")
    after = rele
    after(:, ie, :) = rnew(:, 1, :)
    call inverse_of(after, 1, nup, expected)
    call suite_open(look, "qmc.slater_ratio", name)
    call suite_qmc_slater_ratio(look, dbar, phi, seen, 2, delayed_phi=delayed_phi, delayed_dbar=delayed_dbar, &
        delayed_binv=delayed_binv, delayed_electron=delayed_electron)
    call same(seen(:, 2), matmul(expected(:, 2, 2), phi(:, :, 2)), name // " slater_ratio sees the window", of_inverse)
    call suite_close(look)
    call suite_unset(qmc, "ie")
    call suite_unset(qmc, "phi")
    call suite_qmc_slater_update(qmc, dbar, delayed_phi=delayed_phi, delayed_dbar=delayed_dbar, delayed_binv=delayed_binv, &
        delayed_electron=delayed_electron)
    call check(all(delayed_electron == 0), name // " slater_update of no move: the window is empty")
    call same([dbar], [expected], name // " slater_update of no move: dbar", of_inverse)
  end subroutine

  subroutine inverses(name)
    character(len=*), intent(in) :: name
    real(dp), target :: phi(nup, nup, nwalker), dbar(nup, nup, nwalker), logdet(nwalker), sign(nwalker)
    real(dp), target :: twice(nwalker), turned(nwalker)
    integer :: w, i

    if (.not. opens("qmc.slater_invert", name)) return
    call orbitals_at(rele(:, :nup, :), phi)
    call suite_qmc_slater_invert(qmc, phi, dbar, logdet, sign)
    do w = 1, nwalker
      call same([matmul(transpose(dbar(:, :, w)), phi(:, :, w))], [(merge(1.0_dp, 0.0_dp, modulo(i, nup + 1) == 0), &
          i = 0, nup**2 - 1)], name // " slater_invert: dbar D = 1", of_inverse)
    end do
    call check(all(abs(abs(sign) - 1) <= 0), name // " slater_invert: sign")
    phi(:, 1, :) = -2 * phi(:, 1, :)
    call suite_qmc_slater_invert(qmc, phi, dbar, twice, turned)
    call same(twice, logdet + log(2.0_dp), name // " slater_invert: logdet")
    call check(all(abs(sign + turned) <= 0), name // " slater_invert: sign of the determinant turned")
  end subroutine

  subroutine walks(name)
    character(len=*), intent(in) :: name
    real(dp), target :: r(3, netot, nwalker), up(nup, nup, nwalker), dn(ndn, ndn, nwalker), diffusion(2, nwalker)
    real(dp), target :: r_true(3, netot, nwalker), up_true(nup, nup, nwalker), dn_true(ndn, ndn, nwalker)
    real(dp), target :: logpsi(nwalker), logpsi_true(nwalker), energy(5, nwalker), energy_true(5, nwalker)
    real(dp), target :: velocity(3, netot, nwalker), velocity_true(3, netot, nwalker), J(nwalker), J_true(nwalker)
    real(dp), target :: diffusion_true(2, nwalker)
    integer(c_int32_t), target :: accepted(nwalker), accepted_true(nwalker)
    integer(c_int64_t), target :: stream(nwalker)

    if (.not. opens("qmc.sweep", name)) return
    r = rele
    up = dbar_up
    dn = dbar_dn
    logpsi = 0
    stream = [5_c_int64_t, 2_c_int64_t**40]
    call suite_choose(qmc, "move", "langevin")
    call set_sweep(qmc)
    call suite_qmc_sweep(qmc, r, stream, 0.3_dp, 7_c_int64_t, 20201120_c_int64_t, accepted, up, dn, 0.4_dp, 3, diffusion, logpsi)
    call suite_choose(truth, "move", "langevin")
    r_true = rele
    up_true = dbar_up
    dn_true = dbar_dn
    logpsi_true = 0
    call name_all()
    call suite_set(truth, "rele", r_true)
    call suite_set(truth, "dbar_up", up_true)
    call suite_set(truth, "dbar_dn", dn_true)
    call suite_set(truth, "tau", 0.3_dp)
    call suite_set(truth, "first_sweep", 7_c_int64_t)
    call suite_set(truth, "seed", 20201120_c_int64_t)
    call suite_set(truth, "stream", stream)
    call suite_set(truth, "accepted", accepted_true)
    call suite_set(truth, "nsweep", 3)
    call suite_set(truth, "alimit", 0.4_dp)
    call suite_set(truth, "diffusion", diffusion_true)
    call suite_set(truth, "logpsi", logpsi_true)
    call suite_run(truth)
    call check(all(accepted_true > 0), name // " sweep: there is something to compare")
    call check(all(accepted == accepted_true), name // " sweep: accepted")
    call same([r], [r_true], name // " sweep: rele", 1.0e-9_dp)
    call same([up], [up_true], name // " sweep: dbar_up", of_walk)
    call same([dn], [dn_true], name // " sweep: dbar_dn", of_walk)
    call same([diffusion], [diffusion_true], name // " sweep: diffusion")
    call same(logpsi, logpsi_true, name // " sweep: logpsi", 1.0e-9_dp)

    if (.not. opens("qmc.local_energy", name)) return
    call set_energy(qmc)
    call suite_qmc_local_energy(qmc, rele, energy, dbar_up, dbar_dn, velocity, J)
    call name_all()
    call suite_set(truth, "rele", rele)
    call suite_set(truth, "dbar_up", dbar_up)
    call suite_set(truth, "dbar_dn", dbar_dn)
    call suite_set(truth, "energy", energy_true)
    call suite_set(truth, "velocity", velocity_true)
    call suite_set(truth, "jastrow", J_true)
    call suite_run(truth)
    call same([energy], [energy_true], name // " local_energy: energy")
    call same([velocity], [velocity_true], name // " local_energy: velocity")
    call same(J, J_true, name // " local_energy: jastrow")
  end subroutine

  !> Two runs of one sweep between _put and _get, beside two sweeps of one run.
  subroutine walks_kept(name)
    character(len=*), intent(in) :: name
    real(dp), target :: r(3, netot, nwalker), up(nup, nup, nwalker), dn(ndn, ndn, nwalker), logpsi(nwalker)
    real(dp), target :: r_true(3, netot, nwalker), up_true(nup, nup, nwalker), dn_true(ndn, ndn, nwalker), logpsi_true(nwalker)
    integer(c_int32_t), target :: first(nwalker), second(nwalker), accepted_true(nwalker)
    integer(c_int64_t), target :: stream(nwalker)

    if (.not. opens("qmc.sweep", name)) return
    stream = [3_c_int64_t, 4_c_int64_t]
    r_true = rele
    up_true = dbar_up
    dn_true = dbar_dn
    logpsi_true = 0
    call set_sweep(truth)
    call suite_qmc_sweep(truth, r_true, stream, 0.2_dp, 0_c_int64_t, 3_c_int64_t, accepted_true, up_true, dn_true, nsweep=2, &
        logpsi=logpsi_true)
    r = rele
    up = dbar_up
    dn = dbar_dn
    logpsi = 0
    call set_sweep(qmc)
    call suite_qmc_sweep_put(qmc, r, up, dn, logpsi)
    call suite_qmc_sweep_continue(qmc, stream, 0.2_dp, 0_c_int64_t, 3_c_int64_t, first)
    call suite_qmc_sweep_continue(qmc, stream, 0.2_dp, 1_c_int64_t, 3_c_int64_t, second)
    call suite_qmc_sweep_get(qmc, r, up, dn, logpsi)
    call check(all(first + second == accepted_true), name // " sweeps kept: accepted")
    call same([r], [r_true], name // " sweeps kept: rele", 1.0e-9_dp)
    call same([up], [up_true], name // " sweeps kept: dbar_up", of_walk)
    call same([dn], [dn_true], name // " sweeps kept: dbar_dn", of_walk)
    call same(logpsi, logpsi_true, name // " sweeps kept: logpsi", 1.0e-9_dp)
  end subroutine

  !> The walkers stay on the device in two runs of one sweep; the host sees what it asks for.
  subroutine walks_on_device(name)
    character(len=*), intent(in) :: name
    type(suite_device) :: device
    type(suite_call) :: walk, look
    type(suite_array) :: r_there, up_there, dn_there, accepted_there, energy_there, velocity_there
    real(dp), target :: r(3, netot, nwalker), up(nup, nup, nwalker), dn(ndn, ndn, nwalker)
    real(dp), target :: r_true(3, netot, nwalker), velocity_true(3, netot, nwalker)
    real(dp), target :: energy(5, nwalker), energy_here(5, nwalker), energy_true(5, nwalker)
    integer(c_int32_t), target :: accepted(nwalker), accepted_first(nwalker), accepted_true(nwalker)
    integer(c_int64_t), target :: stream(nwalker)
    integer :: ierr

    stream = [0_c_int64_t, 1_c_int64_t]
    call suite_open(truth, "qmc.sweep", "reference")
    call set_sweep(truth)
    r_true = rele
    up = dbar_up
    dn = dbar_dn
    call suite_qmc_sweep(truth, r_true, stream, 0.2_dp, 0_c_int64_t, 3_c_int64_t, accepted_true, up, dn, nsweep=2)
    call suite_open(truth, "qmc.local_energy", "reference")
    call set_energy(truth)
    call suite_qmc_local_energy(truth, r_true, energy_true, up, dn, velocity_true)

    call suite_device_open(device, backend_of(name), ierr)
    if (ierr == suite_ok) call suite_open(walk, "qmc.sweep", name, device, ierr)
    if (ierr == suite_ok) call suite_open(look, "qmc.local_energy", name, device, ierr)
    if (ierr /= suite_ok) then
      print "(6a)", "SKIPPED walkers on the device of ", name, ": ", suite_message(device), suite_message(walk), suite_message(look)
      return
    end if
    call suite_allocate(device, r_there, suite_real64, shape(rele))
    call suite_allocate(device, up_there, suite_real64, shape(dbar_up))
    call suite_allocate(device, dn_there, suite_real64, shape(dbar_dn))
    call suite_allocate(device, accepted_there, suite_int32, [nwalker])
    call suite_allocate(device, energy_there, suite_real64, [5, nwalker])
    call suite_allocate(device, velocity_there, suite_real64, shape(rele))
    call suite_upload(device, r_there, c_loc(rele))
    call suite_upload(device, up_there, c_loc(dbar_up))
    call suite_upload(device, dn_there, c_loc(dbar_dn))
    call set_sweep(walk)
    call set_energy(look)
    call suite_qmc_sweep(walk, r_there, int64_1(stream), 0.2_dp, 0_c_int64_t, 3_c_int64_t, accepted_there, up_there, dn_there)
    ! Now the results on the host, the walkers as they were set.
    call suite_qmc_sweep_continue(walk, stream, 0.2_dp, 1_c_int64_t, 3_c_int64_t, accepted)
    call suite_qmc_local_energy(look, r_there, energy_there, up_there, dn_there, velocity_there)
    call suite_download(device, velocity_there, c_loc(r))
    call same([r], [velocity_true], name // " local_energy on the device: velocity", 1.0e-9_dp)
    r = -7
    call suite_upload(device, velocity_there, c_loc(r))
    energy_here = 0
    call suite_qmc_local_energy(look, r_there, real64_2(energy_here))
    call suite_download(device, velocity_there, c_loc(r))
    call check(all(r >= -7 .and. r <= -7), name // " local_energy on the device leaves what was not asked for")
    call suite_download(device, r_there, c_loc(r))
    call suite_download(device, energy_there, c_loc(energy))
    call same([r], [r_true], name // " sweeps on the device: rele", 1.0e-9_dp)
    call same([energy], [energy_true], name // " sweeps on the device: energy", 1.0e-9_dp)
    call same([energy_here], [energy_true], name // " sweeps on the device: energy on the host", 1.0e-9_dp)
    call suite_download(device, accepted_there, c_loc(accepted_first))
    call check(all(accepted_first + accepted == accepted_true), name // " sweeps on the device: accepted")
    call suite_close(walk)
    call suite_close(look)
    call suite_release(device, r_there)
    call suite_release(device, up_there)
    call suite_release(device, dn_there)
    call suite_release(device, accepted_there)
    call suite_release(device, energy_there)
    call suite_release(device, velocity_there)
    call suite_device_close(device)
  end subroutine

  subroutine branches(name)
    character(len=*), intent(in) :: name
    integer, parameter :: nslot = 4, ncarry = 3
    real(dp), target :: r(3, netot, nslot), up(nup, nup, nslot), dn(ndn, ndn, nslot), carry(ncarry, nslot)
    integer(c_int32_t), target :: from(3)
    integer :: i

    if (.not. opens("qmc.branch", name)) return
    r = reshape([(1.0_dp * i, i = 1, size(r))], shape(r))
    up = reshape([(2.0_dp * i, i = 1, size(up))], shape(up))
    dn = reshape([(3.0_dp * i, i = 1, size(dn))], shape(dn))
    carry = reshape([(4.0_dp * i, i = 1, size(carry))], shape(carry))
    from = [2, 2, 4]
    call suite_qmc_branch(qmc, r, from, up, dn, carry)
    call check(all(abs(r(:, :, 1) - r(:, :, 2)) <= 0) .and. all(abs(r(:, :, 3) - r(:, :, 4)) <= 0), name // " branch: rele")
    call check(all(abs(up(:, :, 1) - up(:, :, 2)) <= 0) .and. all(abs(dn(:, :, 3) - dn(:, :, 4)) <= 0), name // " branch: dbar")
    call same(carry(:, 1), 4.0_dp * [4, 5, 6], name // " branch: carry")
  end subroutine

  !> The device of an implementation: the processor's for the reference.
  function backend_of(name) result(backend)
    character(len=*), intent(in) :: name
    character(len=:), allocatable :: backend

    backend = name
    if (name == "reference") backend = "cpu"
  end function
end module
