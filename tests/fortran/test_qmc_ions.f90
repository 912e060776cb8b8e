! SPDX-License-Identifier: BSD-3-Clause
!> The kernels with ions of suite_qmc in one implementation, against the reference.
module test_qmc_ions
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
  use checks, only: check
  use suite_qmc
  use test_qmc_data
  implicit none (type, external)
  private
  public :: check_ions, name_orbitals

contains

  subroutine check_ions(name)
    character(len=*), intent(in) :: name

    call gaussians(name)
    call slaters(name)
    call ions(name)
    call pairs_at_ions(name)
    call pseudopotentials(name)
  end subroutine

  !> A water-like basis: s and p shells, one of them contracted.
  subroutine gaussians(name)
    character(len=*), intent(in) :: name
    integer, parameter :: nao = 8, nmo = 3
    real(dp), target :: rion(3, 3), exponent(6), coefficient(6), mo(nao, nmo), shell_cutoff(6)
    integer(c_int32_t), target :: shell_ion(6), shell_l(6), shell_first(7)
    real(dp), target :: phi(nmo, npos, nwalker), dphi(nmo, 3, npos, nwalker), d2phi(nmo, npos, nwalker)
    real(dp), target :: phi_true(nmo, npos, nwalker), dphi_true(nmo, 3, npos, nwalker), d2phi_true(nmo, npos, nwalker)
    integer :: i

    rion = rnew(:, :, 1) + 0.4_dp
    shell_ion = [1, 1, 1, 2, 3, 3]
    shell_l = [0, 0, 1, 0, 0, 0]
    shell_first = [1, 2, 3, 4, 5, 6, 7]
    exponent = [0.9_dp, 0.3_dp, 0.7_dp, 0.5_dp, 0.4_dp, 0.2_dp]
    coefficient = [(0.3_dp + 0.1_dp * i, i = 1, 6)]
    shell_cutoff = 30
    mo = reshape([(cos(1.1_dp * i), i = 1, size(mo))], shape(mo))
    if (.not. opens("qmc.orbitals_gaussian", name)) return
    call suite_qmc_orbitals_gaussian_set(qmc, rion=rion, shell_ion=int(shell_ion), shell_l=int(shell_l), &
        shell_first=int(shell_first), exponent=exponent, coefficient=coefficient, mo=mo, shell_cutoff=shell_cutoff)
    call suite_qmc_orbitals_gaussian(qmc, rnew, phi, dphi, d2phi)
    call suite_set(truth, "rion", rion)
    call suite_set(truth, "shell_ion", shell_ion)
    call suite_set(truth, "shell_l", shell_l)
    call suite_set(truth, "shell_first", shell_first)
    call suite_set(truth, "exponent", exponent)
    call suite_set(truth, "coefficient", coefficient)
    call suite_set(truth, "mo", mo)
    call suite_set(truth, "shell_cutoff", shell_cutoff)
    call name_orbitals(phi_true, dphi_true, d2phi_true)
    call same([phi], [phi_true], name // " orbitals_gaussian: phi")
    call same([dphi], [dphi_true], name // " orbitals_gaussian: dphi")
    call same([d2phi], [d2phi_true], name // " orbitals_gaussian: d2phi")
  end subroutine

  !> The same of Slater functions, with a power of r for each.
  subroutine slaters(name)
    character(len=*), intent(in) :: name
    integer, parameter :: nao = 8, nmo = 3
    real(dp), target :: rion(3, 3), exponent(6), coefficient(6), mo(nao, nmo), shell_cutoff(6)
    integer(c_int32_t), target :: shell_ion(6), shell_l(6), shell_first(7), power(6)
    real(dp), target :: phi(nmo, npos, nwalker), dphi(nmo, 3, npos, nwalker), d2phi(nmo, npos, nwalker)
    real(dp), target :: phi_true(nmo, npos, nwalker), dphi_true(nmo, 3, npos, nwalker), d2phi_true(nmo, npos, nwalker)
    integer :: i

    rion = rnew(:, :, 1) + 0.4_dp
    shell_ion = [1, 1, 1, 2, 3, 3]
    shell_l = [0, 0, 1, 0, 0, 0]
    shell_first = [1, 2, 3, 4, 5, 6, 7]
    power = [0, 1, 0, 2, 0, 3]
    exponent = [1.9_dp, 1.3_dp, 0.7_dp, 1.5_dp, 1.4_dp, 2.2_dp]
    coefficient = [(0.3_dp + 0.1_dp * i, i = 1, 6)]
    shell_cutoff = 30
    mo = reshape([(cos(1.1_dp * i), i = 1, size(mo))], shape(mo))
    if (.not. opens("qmc.orbitals_slater", name)) return
    call suite_qmc_orbitals_slater_set(qmc, rion=rion, shell_ion=int(shell_ion), shell_l=int(shell_l), &
        shell_first=int(shell_first), power=int(power), exponent=exponent, coefficient=coefficient, mo=mo, &
        shell_cutoff=shell_cutoff)
    call suite_qmc_orbitals_slater(qmc, rnew, phi, dphi, d2phi)
    call suite_set(truth, "rion", rion)
    call suite_set(truth, "shell_ion", shell_ion)
    call suite_set(truth, "shell_l", shell_l)
    call suite_set(truth, "shell_first", shell_first)
    call suite_set(truth, "power", power)
    call suite_set(truth, "exponent", exponent)
    call suite_set(truth, "coefficient", coefficient)
    call suite_set(truth, "mo", mo)
    call suite_set(truth, "shell_cutoff", shell_cutoff)
    call name_orbitals(phi_true, dphi_true, d2phi_true)
    call same([phi], [phi_true], name // " orbitals_slater: phi")
    call same([dphi], [dphi_true], name // " orbitals_slater: dphi")
    call same([d2phi], [d2phi_true], name // " orbitals_slater: d2phi")
  end subroutine

  !> Vectors to two ions, and a chi term with a cusp at the first.
  subroutine ions(name)
    character(len=*), intent(in) :: name
    real(dp), target :: rion(3, 2), beta(3, 1, 2), L_chi(2), slope(2)
    integer(c_int32_t), target :: set_of_ion(2)
    real(dp), target :: eivecs(4, 2, npos, nwalker), expected(4, 2, npos, nwalker)
    real(dp), target :: value(netot, nwalker), gradient(3, netot, nwalker), laplacian(netot, nwalker), one(npos, nwalker)
    real(dp), target :: value_true(netot, nwalker), g_true(3, netot, nwalker), l_true(netot, nwalker), one_true(npos, nwalker)

    rion = rele(:, 2:3, 1) + 0.3_dp
    beta = reshape([0.02_dp, 0.0_dp, -0.003_dp, 0.05_dp, 0.0_dp, -0.001_dp], shape(beta))
    L_chi = [3.5_dp, 3.0_dp]
    slope = [-1.0_dp, 0.0_dp]
    set_of_ion = [1, 2]
    if (.not. opens("qmc.ion_distances", name)) return
    call suite_qmc_ion_distances_set(qmc, rion=rion, cell=cell)
    call suite_qmc_ion_distances(qmc, rnew, eivecs)
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "rion", rion)
    call suite_set(truth, "r", rnew)
    call suite_set(truth, "eivecs", expected)
    call suite_run(truth)
    call same([eivecs], [expected], name // " ion_distances")

    if (.not. opens("qmc.jastrow_chi", name)) return
    call suite_qmc_jastrow_chi_set(qmc, rion=rion, nele=int(nele), set_of_ion=int(set_of_ion), beta=beta, L_chi=L_chi, cell=cell, &
        slope=slope, truncation=2)
    call suite_qmc_jastrow_chi(qmc, rele, value, gradient=gradient, laplacian=laplacian)
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "rion", rion)
    call suite_set(truth, "nele", nele)
    call suite_set(truth, "set_of_ion", set_of_ion)
    call suite_set(truth, "beta", beta)
    call suite_set(truth, "L_chi", L_chi)
    call suite_set(truth, "slope", slope)
    call suite_set(truth, "truncation", 2)
    call suite_set(truth, "rele", rele)
    call suite_set(truth, "value", value_true)
    call suite_set(truth, "gradient", g_true)
    call suite_set(truth, "laplacian", l_true)
    call suite_run(truth)
    call same([value], [value_true], name // " jastrow_chi: value")
    call same([gradient], [g_true], name // " jastrow_chi: gradient")
    call same([laplacian], [l_true], name // " jastrow_chi: laplacian")
    call suite_qmc_jastrow_chi(qmc, rele, one, ie=ie, rnew=rnew)
    call suite_unset(truth, "gradient")
    call suite_unset(truth, "laplacian")
    call suite_set(truth, "value", one_true)
    call suite_set(truth, "ie", ie)
    call suite_set(truth, "rnew", rnew)
    call suite_run(truth)
    call same([one], [one_true], name // " jastrow_chi of one electron")
  end subroutine

  !> An f term of pairs of two kinds, with its derivatives by gamma.
  subroutine pairs_at_ions(name)
    character(len=*), intent(in) :: name
    integer, parameter :: nf_all = 2 * 2 * 3 * 2
    real(dp), target :: rion(3, 2), gamma(2, 2, 3, 2, 1), L_f(1)
    integer(c_int32_t), target :: set_of_ion(2)
    real(dp), target :: value(netot, nwalker), gradient(3, netot, nwalker), dvalue(nf_all, netot, nwalker), one(npos, nwalker)
    real(dp), target :: value_true(netot, nwalker), g_true(3, netot, nwalker), d_true(nf_all, netot, nwalker)
    real(dp), target :: one_true(npos, nwalker)
    integer :: i

    rion = rele(:, 2:3, 1) + 0.3_dp
    gamma = reshape([(0.01_dp * cos(1.3_dp * i), i = 1, nf_all)], shape(gamma))
    gamma(1, 2, :, :, :) = gamma(2, 1, :, :, :)
    L_f = 5
    set_of_ion = 1
    if (.not. opens("qmc.jastrow_f", name)) return
    call suite_qmc_jastrow_f_set(qmc, rion=rion, nele=int(nele), set_of_ion=int(set_of_ion), gamma=gamma, L_f=L_f)
    call suite_qmc_jastrow_f(qmc, rele, value, gradient=gradient, dvalue=dvalue)
    call suite_set(truth, "rion", rion)
    call suite_set(truth, "nele", nele)
    call suite_set(truth, "set_of_ion", set_of_ion)
    call suite_set(truth, "gamma", gamma)
    call suite_set(truth, "L_f", L_f)
    call suite_set(truth, "rele", rele)
    call suite_set(truth, "value", value_true)
    call suite_set(truth, "gradient", g_true)
    call suite_set(truth, "dvalue", d_true)
    call suite_run(truth)
    call same([value], [value_true], name // " jastrow_f: value")
    call same([gradient], [g_true], name // " jastrow_f: gradient")
    call same([dvalue], [d_true], name // " jastrow_f: dvalue")
    call suite_qmc_jastrow_f(qmc, rele, one, ie=ie, rnew=rnew)
    call suite_unset(truth, "gradient")
    call suite_unset(truth, "dvalue")
    call suite_set(truth, "value", one_true)
    call suite_set(truth, "ie", ie)
    call suite_set(truth, "rnew", rnew)
    call suite_run(truth)
    call same([one], [one_true], name // " jastrow_f of one electron")
  end subroutine

  !> The points around two ions, then the energies with ratios.
  subroutine pseudopotentials(name)
    character(len=*), intent(in) :: name
    integer, parameter :: npoint = 12
    real(dp), target :: rion(3, 2), cutoff(1), exponent(3), coefficient(3)
    integer(c_int32_t), target :: set_of_ion(2), term_set(3), term_l(3), power(3)
    integer(c_int64_t), target :: stream(nwalker)
    real(dp), target, dimension(npoint, 2, netot, nwalker) :: weight, weight_true, ratio, negative, negative_true
    real(dp), target :: points(3, npoint, 2, netot, nwalker), points_true(3, npoint, 2, netot, nwalker)
    real(dp), target :: energy(netot, nwalker), energy_true(netot, nwalker)
    integer(c_int32_t), target :: ion(2, netot, nwalker), ion_true(2, netot, nwalker)
    integer :: i

    rion = rele(:, 2:3, 1) + 0.3_dp
    cutoff = 4.0_dp
    set_of_ion = 1
    term_set = 1
    term_l = [0, 1, 2]
    power = [0, 1, 0]
    exponent = [0.5_dp, 0.4_dp, 0.3_dp]
    coefficient = [2.0_dp, -1.0_dp, 0.7_dp]
    stream = [3_c_int64_t, 8_c_int64_t]
    ratio = reshape([(cos(0.3_dp * i), i = 1, size(ratio))], shape(ratio))
    if (.not. opens("qmc.pseudopotential", name)) return
    call suite_qmc_pseudopotential_set(qmc, rion=rion, set_of_ion=int(set_of_ion), cutoff=cutoff, term_set=int(term_set), &
        term_l=int(term_l), power=int(power), exponent=exponent, coefficient=coefficient, cell=cell)
    call suite_qmc_pseudopotential(qmc, rele, weight, seed=5_c_int64_t, sweep=2_c_int64_t, stream=stream, points=points, ion=ion)
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "rion", rion)
    call suite_set(truth, "set_of_ion", set_of_ion)
    call suite_set(truth, "cutoff", cutoff)
    call suite_set(truth, "term_set", term_set)
    call suite_set(truth, "term_l", term_l)
    call suite_set(truth, "power", power)
    call suite_set(truth, "exponent", exponent)
    call suite_set(truth, "coefficient", coefficient)
    call suite_set(truth, "rele", rele)
    call suite_set(truth, "seed", 5_c_int64_t)
    call suite_set(truth, "sweep", 2_c_int64_t)
    call suite_set(truth, "stream", stream)
    call suite_set(truth, "weight", weight_true)
    call suite_set(truth, "points", points_true)
    call suite_set(truth, "ion", ion_true)
    call suite_run(truth)
    call same([weight], [weight_true], name // " pseudopotential: weight")
    call same([points], [points_true], name // " pseudopotential: points")
    call check(all(ion == ion_true) .and. any(ion == 2), name // " pseudopotential: ion")
    call suite_qmc_pseudopotential(qmc, rele, weight, seed=5_c_int64_t, sweep=2_c_int64_t, stream=stream, ratio=ratio, &
        energy=energy, negative=negative)
    call suite_set(truth, "ratio", ratio)
    call suite_set(truth, "energy", energy_true)
    call suite_set(truth, "negative", negative_true)
    call suite_run(truth)
    call same([energy], [energy_true], name // " pseudopotential: energy")
    call same([negative], [negative_true], name // " pseudopotential: negative")
  end subroutine

  !> Results of the reference's call of orbitals, which it then makes.
  subroutine name_orbitals(phi, dphi, d2phi)
    real(dp), intent(inout), target :: phi(:,:,:), dphi(:,:,:,:), d2phi(:,:,:)

    call suite_set(truth, "r", rnew)
    call suite_set(truth, "phi", phi)
    call suite_set(truth, "dphi", dphi)
    call suite_set(truth, "d2phi", d2phi)
    call suite_run(truth)
  end subroutine

end module
