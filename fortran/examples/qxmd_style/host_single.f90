! SPDX-License-Identifier: BSD-3-Clause
!> The precision of the host's wavefunctions and fields; host_double.f90 is the other choice.
module host_precision
  implicit none
  integer, parameter :: dp = kind(1.0d0), wp = kind(1.0)
end module
