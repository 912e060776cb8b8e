! SPDX-License-Identifier: BSD-3-Clause
!> The electron gas that the tests of suite_qmc look at, and what they share. Extents differ, so that a swapped pair would be
!> refused.
module test_qmc_data
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t
  use checks, only: check
  use suite_qmc
  implicit none (type, external)
  private
  public :: dp, nup, ndn, netot, nwalker, npos, nkvec, norb, kmax, nalpha, nset_u, ngvec, nstar, nset_p, ie
  public :: cell, rele, rnew, rone, alpha, L_u, a, charge, nele, kvec, gvec, star, rhok, rhok_true, dbar_up, dbar_dn, qmc, truth
  public :: tolerance, of_inverse, of_walk, make_data, opens, set_sweep, set_energy, name_all, orbitals_at, inverse_of, same

  integer, parameter :: dp = c_double
  integer, parameter :: nup = 5, ndn = 3, netot = nup + ndn, nwalker = 2, npos = 3, nkvec = 4, norb = 7, kmax = 3
  integer, parameter :: nalpha = 4, nset_u = 2, ngvec = 6, nstar = 4, nset_p = 3
  ! The documented tolerances between implementations; update, inverse and sweep have their own.
  real(dp), parameter :: tolerance = 1.0e-11_dp, of_inverse = 1.0e-9_dp, of_walk = 1.0e-7_dp
  real(dp), target :: cell(3, 3), rele(3, netot, nwalker), rnew(3, npos, nwalker), rone(3, 1, nwalker)
  real(dp), target :: alpha(nalpha, nset_u), L_u, a(nstar, nset_p), charge(netot)
  integer(c_int32_t), target :: nele(2), kvec(3, nkvec), gvec(3, ngvec), star(ngvec)
  complex(c_double_complex), target :: rhok(ngvec, 2, nwalker), rhok_true(ngvec, 2, nwalker)
  real(dp), target :: dbar_up(nup, nup, nwalker), dbar_dn(ndn, ndn, nwalker)
  integer, parameter :: ie = 4
  type(suite_call) :: qmc, truth

contains

  subroutine make_data()
    integer :: i, j, w

    cell = reshape([9.0_dp, 0.5_dp, 0.0_dp, -1.0_dp, 8.0_dp, 0.7_dp, 0.3_dp, 0.0_dp, 10.0_dp], [3, 3])
    nele = [nup, ndn]
    do w = 1, nwalker
      do j = 1, netot
        rele(:, j, w) = matmul(cell, [(modulo(0.37_dp * i * j + 0.19_dp * w * i**2 + 0.071_dp * j**2, 1.0_dp), i = 1, 3)])
      end do
      do j = 1, npos
        rnew(:, j, w) = matmul(cell, [(modulo(0.61_dp * i * j + 0.23_dp * w, 1.0_dp), i = 1, 3)])
      end do
    end do
    rone = rnew(:, 2:2, :)
    alpha = reshape([0.02_dp, 0.01_dp, -0.003_dp, 0.0004_dp, 0.05_dp, 0.02_dp, -0.001_dp, 0.0002_dp], shape(alpha))
    L_u = 3.5_dp
    kvec = reshape([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0], shape(kvec))
    gvec = reshape([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1, 2], shape(gvec))
    star = [1, 1, 2, 3, 3, 4]
    a = reshape([(-0.1_dp / i, i = 1, size(a))], shape(a))
    charge = [(merge(-1.0_dp, 2.0_dp, i /= 3), i = 1, netot)]
    call suite_open(truth, "qmc.structure_factor", "reference")
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "nele", nele)
    call suite_set(truth, "gvec", gvec)
    call suite_set(truth, "rele", rele)
    call suite_set(truth, "rhok", rhok_true)
    rhok_true = 0
    call suite_run(truth)
    rhok = rhok_true
    call inverse_of(rele, 1, nup, dbar_up)
    call inverse_of(rele, nup + 1, ndn, dbar_dn)
  end subroutine

  !> Opens the kernel in this implementation and in the reference, or says what is not there.
  logical function opens(kernel, name)
    character(len=*), intent(in) :: kernel, name
    integer :: ierr

    call suite_open(qmc, kernel, name, ierr=ierr)
    opens = ierr == suite_ok
    if (ierr == suite_not_found .or. ierr == suite_device_error) then
      print "(4a)", "SKIPPED ", kernel, ": ", suite_message(qmc)
    else
      call check(opens, kernel // " opens on " // name // ": " // suite_message(qmc))
    end if
    if (opens) call suite_open(truth, kernel, "reference")
  end function

  !> Of a call of qmc.sweep, and of one of qmc.local_energy.
  subroutine set_sweep(call)
    type(suite_call), intent(inout) :: call

    call suite_qmc_sweep_set(call, cell, int(kvec), int(nele), alpha, L_u, 2, int(gvec), int(star), a)
  end subroutine

  subroutine set_energy(call)
    type(suite_call), intent(inout) :: call

    call suite_qmc_local_energy_set(call, cell, int(kvec), int(nele), alpha, L_u, 2, int(gvec), int(star), a)
  end subroutine

  subroutine name_all()
    integer(c_int32_t) :: two

    two = 2
    call suite_set(truth, "cell", cell)
    call suite_set(truth, "nele", nele)
    call suite_set(truth, "kvec", kvec)
    call suite_set(truth, "alpha", alpha)
    call suite_set(truth, "L_u", L_u)
    call suite_set(truth, "truncation", two)
    call suite_set(truth, "gvec", gvec)
    call suite_set(truth, "star", star)
    call suite_set(truth, "a", a)
  end subroutine

  subroutine orbitals_at(r, phi, dphi, d2phi)
    real(dp), intent(in), target :: r(:,:,:)
    real(dp), intent(inout), target :: phi(:,:,:)
    real(dp), intent(inout), target, optional :: dphi(:,:,:,:), d2phi(:,:,:)
    real(dp), allocatable, target :: whole(:,:,:)
    type(suite_call) :: orbital

    whole = r
    call suite_open(orbital, "qmc.orbitals_free", "reference")
    call suite_qmc_orbitals_free_set(orbital, cell, int(kvec))
    call suite_qmc_orbitals_free(orbital, whole, phi, dphi, d2phi)
    call suite_close(orbital)
  end subroutine

  subroutine inverse_of(r, first, n, dbar)
    real(dp), intent(in) :: r(:,:,:)
    integer, intent(in) :: first, n
    real(dp), intent(inout), target :: dbar(:,:,:)
    real(dp), target :: phi(n, n, nwalker)
    type(suite_call) :: invert

    call orbitals_at(r(:, first:first + n - 1, :), phi)
    call suite_open(invert, "qmc.slater_invert", "reference")
    call suite_qmc_slater_invert(invert, phi, dbar)
    call suite_close(invert)
  end subroutine

  subroutine same(value, expected, what, within)
    real(dp), intent(in) :: value(:), expected(:)
    character(len=*), intent(in) :: what
    real(dp), intent(in), optional :: within
    real(dp) :: limit

    limit = tolerance
    if (present(within)) limit = within
    call check(maxval(abs(expected)) > 0, what // ": there is something to compare")
    call check(maxval(abs(value - expected)) <= limit * maxval(abs(expected)), what)
  end subroutine
end module
