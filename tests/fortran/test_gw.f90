! SPDX-License-Identifier: BSD-3-Clause
!> Family gw through suite_gw: matrix elements against sums over plane waves in Fortran, one external band as a host has it and a
!> batch of spinors; poles against those that eps^-1 was made of; a polarizability against a sum over pairs, in one call and in slabs
!> that stay on the device. Extents all differ, so that a swapped pair would be refused.
!>
!>     test_gw IMPLEMENTATION...
program test_gw
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t
  use checks, only: check, check_failure, finish_checks
  use suite_gw
  implicit none (type, external)
  integer, parameter :: npw_ket = 29, npw_bra = 35, ncouls = 17, ntband = 11, nex = 3, nspinor = 2, ng = 125, ngpown = 5
  integer, parameter :: dp = c_double
  real(dp), parameter :: tolerance = 1.0e-12_dp
  complex(c_double_complex), target :: ket(npw_ket, ntband, nspinor), bra(npw_bra, nex, nspinor), aqs(ncouls, ntband, nex), &
                                       one(ncouls, ntband), phase(ncouls)
  real(dp), target :: ket_real(npw_ket, ntband), bra_real(npw_bra), one_real(ncouls, ntband)
  integer(c_int32_t), target :: g_ket(3, npw_ket), g_bra(3, npw_bra), g(3, ncouls), g_rho(3, ng)
  complex(c_double_complex), target :: rho(ng), epsinv(ncouls, ngpown), I_eps_array(ncouls, ngpown), wtilde_array(ncouls, ngpown)
  real(dp), target :: vcoul(ncouls)
  type(suite_call) :: call
  character(len=64) :: implementation
  integer :: i

  call make_lists()
  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    call elements(trim(implementation))
    call poles(trim(implementation))
    call polarizabilities(trim(implementation))
  end do
  call refuse()
  call finish_checks()

contains

  logical function opened(kernel, name)
    character(len=*), intent(in) :: kernel, name
    integer :: ierr

    call suite_open(call, kernel, name, ierr=ierr)
    opened = ierr == suite_ok
    if (ierr == suite_device_error .or. ierr == suite_not_found) then
      print "(5a)", "SKIPPED ", kernel, " on ", name, ": " // suite_message(call)
    else
      call check(opened, name // " opens: " // suite_message(call))
    end if
  end function

  subroutine elements(name)
    character(len=*), intent(in) :: name
    complex(c_double_complex) :: truth(ncouls, ntband, nex)
    integer :: n, ig

    if (.not. opened("gw.mtxel", name)) return
    call suite_gw_mtxel_set(call, ket(:, :, 1), g_ket, g_bra, g)
    do n = 1, nex
      call suite_gw_mtxel(call, bra(:, n, 1), one)
      truth(:, :, n) = sums(n, 1)
      call check(maxval(abs(one - truth(:, :, n))) <= tolerance * maxval(abs(truth(:, :, n))), name // ": one band at a time")
    end do

    call suite_gw_mtxel_set(call, ket, g_ket, g_bra, g)
    call suite_gw_mtxel(call, bra, aqs, phase, 1_c_int32_t)
    do n = 1, nex
      truth(:, :, n) = conjg(sums(n, 1) + sums(n, 2))
      do ig = 1, ncouls
        truth(ig, :, n) = phase(ig) * truth(ig, :, n)
      end do
    end do
    call check(maxval(abs(aqs - truth)) <= tolerance * maxval(abs(truth)), name // ": spinors, with phases, conjugate")
    call suite_close(call)

    if (.not. opened("gw.mtxel", name)) return
    call suite_gw_mtxel_set(call, ket_real, g_ket, g_bra, g)
    call suite_gw_mtxel(call, bra_real, one_real)
    ket(:, :, 1) = ket_real
    bra(:, 1, 1) = bra_real
    truth(:, :, 1) = sums(1, 1)
    call check(maxval(abs(one_real - truth(:, :, 1))) <= tolerance * maxval(abs(truth(:, :, 1))), name // ": real flavour")
    call suite_close(call)
    call make_bands()
  end subroutine

  !> sum over G2 of conj(c_n(G2+G)) c_n'(G2), of one spinor component.
  function sums(n, s) result(m)
    integer, intent(in) :: n, s
    complex(c_double_complex) :: m(ncouls, ntband)
    integer :: ig, j, k

    m = 0
    do ig = 1, ncouls
      do j = 1, npw_ket
        do k = 1, npw_bra
          if (all(g_bra(:, k) == g_ket(:, j) + g(:, ig))) m(ig, :) = m(ig, :) + conjg(bra(k, n, s)) * ket(j, :, s)
        end do
      end do
    end do
  end function

  !> w of 10 + ig + 3 igp eV in a lattice of unit vectors of length 0.7 bohr^-1, negative w^2 in column 2.
  subroutine poles(name)
    character(len=*), intent(in) :: name
    real(dp), parameter :: q(3) = [0.25_dp, -0.125_dp, 0.3_dp], ryd = 13.60569253_dp
    integer(c_int32_t), parameter :: nq = 8, indigp(ngpown) = [3, 1, 0, 17, 9]
    real(dp) :: bdot(3, 3)
    complex(c_double_complex) :: omega2, w
    integer :: ig, igp, k, column
    real(dp) :: worst_w, worst_I

    if (.not. opened("gw.screening", name)) return
    bdot = 0
    do k = 1, 3
      bdot(k, k) = 0.49_dp
    end do
    do igp = 1, ngpown
      column = indigp(igp)
      do ig = 1, ncouls
        epsinv(ig, igp) = 0.5_dp
        if (column == 0) cycle
        omega2 = 2 * nq * ryd**2 * density(g(:, ig) - g(:, column)) * 0.49_dp &
                 * dot_product(q + g(:, ig), q + g(:, column)) * vcoul(ig)
        epsinv(ig, igp) = merge(1, 0, ig == column) - merge(-1, 1, igp == 2) * omega2 / (10 + ig + 3 * igp)**2
      end do
    end do
    call suite_gw_screening_set(call, g, g_rho, rho, indigp)
    call suite_gw_screening(call, epsinv, bdot, vcoul, q, nq, I_eps_array, wtilde_array, invalid_gpp_mode=2_c_int32_t)
    worst_w = 0
    worst_I = 0
    do igp = 1, ngpown
      do ig = 1, ncouls
        w = 10 + ig + 3 * igp
        if (igp == 2) w = 2 * ryd
        if (indigp(igp) == 0) w = 0
        worst_w = max(worst_w, abs(wtilde_array(ig, igp) - w))
        if (indigp(igp) > 0) &
          worst_I = max(worst_I, abs(I_eps_array(ig, igp) - merge(1, 0, ig == indigp(igp)) + epsinv(ig, igp)))
      end do
    end do
    call check(worst_w <= 1.0e-9_dp, name // ": poles")
    call check(worst_I <= 1.0e-15_dp, name // ": strengths")
    call check(maxval(abs(I_eps_array(:, 3))) <= 0, name // ": padding")
    call suite_close(call)
  end subroutine

  !> A static one of three columns and one at two frequencies, from aqs as it lies there: ntband * nex pairs.
  subroutine polarizabilities(name)
    character(len=*), intent(in) :: name
    integer, parameter :: npair = ntband * nex, nfreq = 2, half = 13
    integer(c_int32_t), parameter :: indigp(3) = [2, 17, 5]
    complex(c_double_complex), target :: z(nfreq)
    complex(c_double_complex), target :: m(ncouls, npair), chi(ncouls, 3), all_chi(ncouls, ncouls, nfreq)
    complex(c_double_complex) :: truth(ncouls, ncouls, nfreq)
    real(dp), target :: delta(npair), weight(npair), m_real(ncouls, npair), chi_real(ncouls, ncouls, nfreq), &
                        chi_imaginary(ncouls, ncouls, nfreq)
    integer :: p

    z = [(0.4_dp, 0.1_dp), (0.0_dp, 0.6_dp)]
    do p = 1, npair
      m(:, p) = ket(:ncouls, mod(p, ntband) + 1, 1) + p * bra(:ncouls, mod(p, nex) + 1, 1)
      delta(p) = 0.3_dp + 0.05_dp * p
      weight(p) = 0.01_dp + 0.001_dp * p
    end do
    if (.not. opened("gw.chi", name)) return
    chi = (1.0_dp, 2.0_dp)
    truth = sums_over_pairs(m, delta, weight, [(0.0_dp, 0.0_dp), (0.0_dp, 0.0_dp)])
    call suite_gw_chi_set(call, indigp)
    call suite_gw_chi(call, chi, m, delta, weight)
    call check(maxval(abs(chi - (1.0_dp, 2.0_dp) - truth(:, indigp, 1))) <= tolerance * maxval(abs(truth)), &
               name // ": static, columns")
    call suite_gw_chi(call, chi, m(:, :0), delta(:0), weight(:0))
    call check(maxval(abs(chi - (1.0_dp, 2.0_dp) - truth(:, indigp, 1))) <= tolerance * maxval(abs(truth)), name // ": no pairs")
    call suite_close(call)

    if (.not. opened("gw.chi", name)) return
    all_chi = 0
    truth = sums_over_pairs(m, delta, weight, z)
    call suite_gw_chi_put(call, all_chi)
    call suite_gw_chi_continue(call, m(:, :half), delta(:half), weight(:half), z)
    call suite_gw_chi_continue(call, m(:, half + 1:), delta(half + 1:), weight(half + 1:), z)
    call suite_gw_chi_get(call, all_chi)
    call check(maxval(abs(all_chi - truth)) <= tolerance * maxval(abs(truth)), name // ": slabs of pairs")
    call suite_close(call)

    if (.not. opened("gw.chi", name)) return
    m_real = m%re
    chi_real = 0
    chi_imaginary = 0
    truth = sums_over_pairs(cmplx(m_real, kind=dp), delta, weight, z)
    call suite_gw_chi(call, chi_real, m_real, delta, weight, z, chi_imaginary)
    call check(maxval(abs(cmplx(chi_real, chi_imaginary, dp) - truth)) <= tolerance * maxval(abs(truth)), name // ": real elements")
    call suite_close(call)
  end subroutine

  function sums_over_pairs(m, delta, weight, z) result(chi)
    complex(c_double_complex), intent(in) :: m(:, :), z(:)
    real(dp), intent(in) :: delta(:), weight(:)
    complex(c_double_complex) :: chi(ncouls, ncouls, size(z))
    integer :: ig, p, iw

    chi = 0
    do iw = 1, size(z)
      do p = 1, size(delta)
        do ig = 1, ncouls
          chi(:, ig, iw) = chi(:, ig, iw) - weight(p) * delta(p) / (delta(p)**2 - z(iw)**2) * m(:, p) * conjg(m(ig, p))
        end do
      end do
    end do
  end function

  complex(c_double_complex) function density(d)
    integer(c_int32_t), intent(in) :: d(3)
    integer :: k

    density = 0
    do k = 1, ng
      if (all(g_rho(:, k) == d)) density = rho(k)
    end do
  end function

  subroutine refuse()
    integer :: ierr

    call suite_open(call, "gw.mtxel", "cpu")
    call suite_gw_mtxel_set(call, ket(:, :, 1), g_ket, g_bra(:, :npw_bra - 1), g)
    call suite_gw_mtxel(call, bra(:, 1, 1), one, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(call), "npw_bra is 34 in g_bra but 35 in bra")
    call suite_close(call)
  end subroutine

  !> Vectors in small cubes, each list in an order of its own; more wanted ones than bra and ket reach in one direction.
  subroutine make_lists()
    integer :: k

    do k = 1, npw_ket
      g_ket(:, k) = [mod(k, 3) - 1, mod(k / 3, 4) - 1, k / 12]
    end do
    do k = 1, npw_bra
      g_bra(:, k) = [mod(k, 4) - 1, mod(k / 4, 3) - 1, k / 12 - 1]
    end do
    do k = 1, ncouls
      g(:, k) = [mod(k, 3) - 1, mod(k / 3, 3) - 1, k / 9]
    end do
    do k = 1, ng
      g_rho(:, k) = [mod(k - 1, 5) - 2, mod((k - 1) / 5, 5) - 2, (k - 1) / 25 - 2]
      rho(k) = cmplx(cos(0.7_dp * k), sin(1.3_dp * k), dp)
    end do
    rho(63) = 4
    do k = 1, ncouls
      vcoul(k) = 0.01_dp + 0.001_dp * k
      phase(k) = cmplx(cos(0.3_dp * k), sin(0.3_dp * k), dp)
    end do
    call make_bands()
  end subroutine

  subroutine make_bands()
    integer :: k, n, s

    do s = 1, nspinor
      do n = 1, ntband
        do k = 1, npw_ket
          ket(k, n, s) = cmplx(sin(1.1_dp * k * n + s), cos(0.9_dp * k - 2 * n * s), dp)
          ket_real(k, n) = real(ket(k, n, 1), dp)
        end do
      end do
      do n = 1, nex
        do k = 1, npw_bra
          bra(k, n, s) = cmplx(cos(0.7_dp * k * n - s), sin(1.7_dp * k + n * s), dp)
        end do
      end do
    end do
    bra_real = real(bra(:, 2, 1), dp)
  end subroutine

end program
