! SPDX-License-Identifier: BSD-3-Clause
!> The host's random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, Proc. SC11 (2011)), a function of a key and a counter
!> without any state. The counter is {4 * electron + block, sweep, walker, 0}, electrons from 0, as qmc.sweep of suite counts, so
!> that the host's walk and that of the kernel are the same. Words of 32 bits are kept in integers of 64.
module host_random
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  implicit none
  private
  public :: move_gaussians, acceptance_uniform, start_fractions

  integer(int64), parameter :: word = int(z"ffffffff", int64)
  integer(int64), parameter :: factor(2) = [int(z"d2511f53", int64), int(z"cd9e8d57", int64)]
  integer(int64), parameter :: weyl(2) = [int(z"9e3779b9", int64), int(z"bb67ae85", int64)]
  real(dp), parameter :: two_pi = 6.28318530717958648_dp

contains

  !> Three Gaussian numbers of variance 1 for the move of an electron (Box, Muller, Ann. Math. Stat. 29, 610 (1958)).
  pure function move_gaussians(seed, walker, sweep, electron) result(g)
    integer(int64), intent(in) :: seed, walker, sweep
    integer, intent(in) :: electron !< from 0
    real(dp) :: g(3), u(4), size1, size2

    u = fractions(draw(seed, walker, sweep, electron, 0))
    size1 = sqrt(-2 * log(u(1)))
    size2 = sqrt(-2 * log(u(3)))
    g = [size1 * cos(two_pi * u(2)), size1 * sin(two_pi * u(2)), size2 * cos(two_pi * u(4))]
  end function

  !> The number that decides on the move, in [0,1), with 53 bits.
  pure real(dp) function acceptance_uniform(seed, walker, sweep, electron)
    integer(int64), intent(in) :: seed, walker, sweep
    integer, intent(in) :: electron
    integer(int64) :: w(4)

    w = draw(seed, walker, sweep, electron, 1)
    acceptance_uniform = real(ishft(w(1), 21) + ishft(w(2), -11), dp) * 2.0_dp**(-53)
  end function

  !> Where an electron starts, as fractions of the lattice vectors: a draw of no electron's move.
  pure function start_fractions(seed, walker, netot, electron) result(s)
    integer(int64), intent(in) :: seed, walker
    integer, intent(in) :: netot, electron
    real(dp) :: s(3), u(4)

    u = fractions(draw(seed, walker, 0_int64, netot + 1 + electron, 0))
    s = u(:3)
  end function

  pure function draw(seed, walker, sweep, electron, block) result(w)
    integer(int64), intent(in) :: seed, walker, sweep
    integer, intent(in) :: electron, block
    integer(int64) :: w(4)

    w = philox([4_int64 * electron + block, sweep, iand(walker, word), ishft(walker, -32)], &
        [iand(seed, word), ishft(seed, -32)])
  end function

  pure function philox(counter, key) result(c)
    integer(int64), intent(in) :: counter(4), key(2)
    integer(int64) :: c(4), k(2), high(2), low(2)
    integer :: round

    c = counter
    k = key
    do round = 1, 10
      call multiply(factor, c(1:3:2), high, low)
      c = [ieor(ieor(high(2), c(2)), k(1)), low(2), ieor(ieor(high(1), c(4)), k(2)), low(1)]
      k = iand(k + weyl, word)
    end do
  end function

  !> High and low word of a product, by halves of b so that nothing overflows.
  elemental subroutine multiply(a, b, high, low)
    integer(int64), intent(in) :: a, b
    integer(int64), intent(out) :: high, low
    integer(int64) :: by_low, by_high

    by_low = a * iand(b, 65535_int64)
    by_high = a * ishft(b, -16) + ishft(by_low, -16)
    high = ishft(by_high, -16)
    low = ior(ishft(iand(by_high, 65535_int64), 16), iand(by_low, 65535_int64))
  end subroutine

  !> In (0,1), with 32 bits.
  elemental real(dp) function fractions(w)
    integer(int64), intent(in) :: w

    fractions = (real(w, dp) + 0.5_dp) * 2.0_dp**(-32)
  end function
end module
