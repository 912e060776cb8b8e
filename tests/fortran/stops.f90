! SPDX-License-Identifier: BSD-3-Clause
program stops
  use, intrinsic :: iso_c_binding, only: c_double
  use suite
  implicit none (type, external)
  type(suite_call) :: gpp
  real(c_double), target :: vcoul(3) = 1

  call suite_open(gpp, "gpp.sigma", "reference")
  call suite_set(gpp, "vcuol", vcoul)
  print "(a)", "went on"
end program
