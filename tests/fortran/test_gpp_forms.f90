! SPDX-License-Identifier: BSD-3-Clause
!> The forms of gpp.sigma for host arrays agree with each other: energies apart or subtracted, results complex or real, added or
!> not, one pair or a batch; and suite_open_once keeps what was set.
program test_gpp_forms
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use checks, only: check, check_failure, finish_checks
  use suite_gpp
  implicit none

  integer, parameter :: ncouls = 11, ngpown = 9, ntband = 6, nw = 3, nex = 2
  real(dp), parameter :: rounding = 1.0e-13_dp ! the same sums, added or subtracted once
  complex(dp), target :: w(ncouls, ngpown), I_complex(ncouls, ngpown)
  real(dp), target :: I_real(ncouls, ngpown), v(ncouls), M(ncouls, ntband, nex), wx(nw, ntband, nex), energies(nw, nex), ekq(ntband)
  real(dp), target :: occ(ntband), asx_real(nw, nex), ach_real(nw, nex), static_real(ntband, nex), one_real(ntband)
  real(dp), target :: wide(2 * nw, nex)
  complex(dp), target :: asx(nw, nex), ach(nw, nex), ach_n1(nw, ntband, nex), ach_n1_iw(ntband, nex), static_n1(ntband, nex)
  complex(dp), target :: static_ch(nex)
  complex(dp), target :: asx_again(nw, nex), ach_again(nw, nex)
  type(suite_call) :: gpp
  integer :: i, e, ierr

  call random_number(I_real)
  call random_number(M)
  call random_number(energies)
  I_real = I_real - 0.5_dp
  M = M - 0.5_dp
  energies = 5 * energies
  w = 20
  w(::3, :) = 1.0e12_dp
  I_complex = I_real
  v = 0.1_dp
  ekq = [(2.5_dp * i - 6, i = 1, ntband)]
  occ = [(merge(1, 0, i <= 2), i = 1, ntband)]
  do e = 1, nex
    do i = 1, ntband
      wx(:, i, e) = energies(:, e) - ekq(i)
    end do
  end do

  call check(.not. suite_is_open(gpp), "a call is closed before it is opened")
  call suite_open_once(gpp, "gpp.sigma", "cpu")
  call suite_gpp_sigma_set(gpp, w, I_real, v)
  call suite_gpp_sigma(gpp, M, M, wx, occ, asx, ach, acht_n1=ach_n1, achstemp=static_ch)
  call check(maxval(abs(ach)) > 0.0_dp .and. maxval(abs(asx)) > 0.0_dp, "the sums are not zero")

  ! Opened again, the call still has its screening.
  call suite_open_once(gpp, "gpp.sigma", "cpu")
  call suite_gpp_sigma_energies(gpp, M, M, energies, occ, ekq, asx_again, ach_again, acht_n1_iw=ach_n1_iw, achst_n1=static_n1, &
      iw_n1=2)
  call check(maxval(abs(asx_again - asx)) <= rounding * maxval(abs(asx)), "SX with energies apart")
  call check(maxval(abs(ach_again - ach)) <= rounding * maxval(abs(ach)), "CH with energies apart")
  call check(maxval(abs(ach_n1_iw - ach_n1(2, :, :))) <= rounding * maxval(abs(ach_n1)), "CH of the bands at one energy")
  call check(maxval(abs(sum(static_n1, 1) - static_ch)) <= rounding * maxval(abs(static_ch)), "static CH of the bands adds up")

  ! Back to the differences: energies and ekq are left out then.
  call suite_gpp_sigma(gpp, M, M, wx, occ, asx_again, ach_again)
  call suite_gpp_sigma_energies(gpp, M, M, energies, occ, ekq, asx_again, ach_again, add=.true.)
  call check(maxval(abs(ach_again - 2 * ach)) <= 2 * rounding * maxval(abs(ach)), "CH added to CH")

  wide = 0
  asx_real = 1
  ach_real = 1
  call suite_gpp_sigma_energies(gpp, M, M, energies, occ, ekq, asx_real, ach_real, achst_n1=static_real)
  call check(maxval(abs(ach_real - real(ach))) <= rounding * maxval(abs(ach)), "real CH")
  call check(maxval(abs(static_real - real(static_n1))) <= rounding * maxval(abs(static_n1)), "real static CH of the bands")
  one_real = 3
  call suite_gpp_sigma_energies(gpp, M(:, :, 2), M(:, :, 2), energies(:, 2), occ, ekq, asx_real(:, 2), ach_real(:, 2), &
      acht_n1_iw=one_real, iw_n1=2, add=.true.)
  call check(maxval(abs(ach_real(:, 2) - 2 * real(ach(:, 2)))) <= 2 * rounding * maxval(abs(ach)), "real CH of one pair, added")
  call check(maxval(abs(one_real - 3 - real(ach_n1(2, :, 2)))) <= 4 * epsilon(1.0_dp) * 3, "real CH of the bands, added")

  ! Nothing to sum: no column, then no band.
  asx_again = 7
  call suite_gpp_sigma_set(gpp, w(:, :0), I_real(:, :0), v)
  call suite_gpp_sigma(gpp, M, M, wx, occ, asx_again, ach_again)
  call check(maxval(abs(asx_again)) <= 0.0_dp, "no column gives zeros")
  call suite_gpp_sigma_set(gpp, w, I_real, v)
  call suite_gpp_sigma_energies(gpp, M(:, :0, 1), M(:, :0, 1), energies(:, 1), occ(:0), ekq(:0), asx_again(:, 1), ach_again(:, 1), &
      acht_n1_iw=ach_n1_iw(:0, 1))
  call check(maxval(abs(ach_again(:, 1))) <= 0.0_dp, "no band gives zeros")

  ! What cannot be is said by name.
  call suite_gpp_sigma(gpp, M, M, wx, occ, wide(::2, :), ach_real, ierr=ierr)
  call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "asxtemp is a section that is not contiguous")
  call suite_gpp_sigma_energies(gpp, M, M, energies, occ, ekq, asx, ach, acht_n1_iw=ach_n1_iw, iw_n1=4, ierr=ierr)
  call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "iw_n1 is 4; it must lie from 1 to nw = 3")
  call suite_gpp_sigma_set(gpp, w, I_complex, v)
  call suite_gpp_sigma(gpp, M, M, wx, occ, asx_real, ach_real, ierr=ierr)
  call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "I_eps_array is complex128 but aqsntemp is real64")
  call suite_open_once(gpp, "gpp.sigma", "reference")
  call suite_gpp_sigma(gpp, M, M, wx, occ, asx, ach, ierr=ierr)
  call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "wtilde_array of gpp.sigma is not set")
  call suite_close(gpp)
  call check(.not. suite_is_open(gpp), "a closed call is not open")
  call finish_checks()
end program
