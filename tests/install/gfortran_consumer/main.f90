! SPDX-License-Identifier: BSD-3-Clause
program consumer
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  use suite_gpp
  implicit none
  integer, parameter :: ncouls = 9, ngpown = 4, ntband = 3, nw = 2
  complex(c_double_complex), target :: wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown)
  complex(c_double_complex), target :: aqs(ncouls, ntband), asx(nw), ach(nw)
  real(c_double), target :: vcoul(ncouls), wx_array(nw, ntband), occ_array(ntband)
  real(c_double) :: expected
  type(suite_call) :: gpp
  integer :: indigp(ngpown)

  ! All poles alike: CH = 1/2 I w/(x - w) v sum_n' |sum_G M|^2 can be told by hand.
  wtilde_array = 10
  I_eps_array = 0.5_c_double
  aqs = 0.1_c_double
  vcoul = 2
  wx_array = -5
  occ_array = 0
  indigp = [1, 2, 3, 4]
  call suite_open(gpp, "gpp.sigma", "cpu")
  call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul, indigp)
  call suite_gpp_sigma(gpp, aqs, aqs, wx_array, occ_array, asx, ach)
  call suite_close(gpp)
  expected = 0.5_c_double * 0.5_c_double * 10 / (-15.0_c_double) * 2 * 0.01_c_double * ncouls * ngpown * ntband
  if (.not. all(abs(ach - expected) <= 1e-13_c_double * abs(expected))) error stop "wrong CH"
  print "(a,f12.8)", "gpp.sigma ran on cpu: ", real(ach(1))
end program
