! SPDX-License-Identifier: BSD-3-Clause
!> What the Sigma routine of a host has at one k and q: poles in the columns of epsilon, matrix elements, energies. Made up here,
!> deterministically; recorded_calls.f90 has real ones.
module sigma_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  implicit none (type, external)
  private
  public :: made_up

  integer, parameter, public :: dp = c_double

  type, public :: calls
    complex(c_double_complex), allocatable :: w(:,:), I_eps(:,:) !< (neps,neps): row, number of a column in epsilon. eV, 1
    integer, allocatable :: row(:)                               !< (neps) of a column: its place among the rows
    complex(c_double_complex), allocatable :: M(:,:,:)           !< (neps,ntband,externals)
    integer, allocatable :: partner(:)                           !< (externals) band m of <n|Sigma|m>; those with one are computed
    real(dp), allocatable :: v(:)                                !< (neps) Ry
    real(dp), allocatable :: ekq(:), e_lk(:)                     !< (ntband), (externals) eV
    integer :: nvband
    real(dp) :: dw, gamma, sexcut, tol
    complex(c_double_complex), allocatable :: asx(:,:), ach(:,:) !< (3,externals) Ry, if they are known
  end type

contains

  type(calls) function made_up() result(c)
    integer, parameter :: neps = 29, ntband = 13, externals = 6
    integer :: ig, igp, n1, n

    allocate(c%w(neps, neps), c%I_eps(neps, neps), c%M(neps, ntband, externals))
    do igp = 1, neps
      do ig = 1, neps
        c%w(ig, igp) = 4 + 60 * chance(ig, igp, 1)
        if (chance(ig, igp, 2) < 0.3_dp) c%w(ig, igp) = 1.0e12_dp
        if (chance(ig, igp, 3) < 0.1_dp) c%w(ig, igp) = 0
        c%I_eps(ig, igp) = cmplx(chance(ig, igp, 4) - 0.5_dp, chance(ig, igp, 5) - 0.5_dp, dp)
      end do
    end do
    c%row = [(mod(igp * 5, neps) + 1, igp = 1, neps)]
    do n = 1, externals
      do n1 = 1, ntband
        c%M(:, n1, n) = [(cmplx(chance(ig, n1, 10 * n) - 0.5_dp, chance(ig, n1, 10 * n + 1) - 0.5_dp, dp), ig = 1, neps)]
      end do
    end do
    c%partner = [4, 5, 6, 0, 0, 0]
    c%v = [(2 / (1 + real(ig, dp)), ig = 1, neps)]
    c%ekq = [(1.9_dp * (n1 - 3) - 1, n1 = 1, ntband)]
    c%e_lk = [(-2.3_dp + 2.1_dp * n, n = 1, externals)]
    c%nvband = 3
    c%dw = 0.7_dp
    c%gamma = 0.5_dp
    c%sexcut = 4.0_dp
    c%tol = 1.0e-6_dp
  end function

  !> A number from 0 to 1 that depends on its arguments alone.
  pure real(dp) function chance(i, j, k)
    integer, intent(in) :: i, j, k

    chance = modulo(sin(12.9898_dp * i + 78.233_dp * j + 37.719_dp * k) * 43758.5453_dp, 1.0_dp)
  end function
end module
