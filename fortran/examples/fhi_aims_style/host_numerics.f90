! SPDX-License-Identifier: BSD-3-Clause
!> What such a code has anyway: splines, spherical harmonics, a generalised eigenproblem.
module host_numerics
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: pi, cubic_spline, cubic, spherical_harmonics, solve_eigenproblem

  real(dp), parameter :: pi = acos(-1.0_dp)

contains

  !> Coefficients a, b, c, e of a + b d + c d^2 + e d^3 behind each knot, 0 <= d <= 1, with the end condition not-a-knot.
  function cubic_spline(f) result(s)
    real(dp), intent(in) :: f(:)
    real(dp) :: s(4, size(f)), bend(size(f)), pivot(size(f))
    integer :: n, k

    n = size(f)
    bend = 0
    bend(2:n - 1) = f(1:n - 2) - 2 * f(2:n - 1) + f(3:n)
    ! Second derivatives m: m(k-1) + 4 m(k) + m(k+1) = 6 bend(k), and not-a-knot makes m(2) = bend(2), m(n-1) = bend(n-1).
    pivot(3) = 4
    do k = 3, n - 2
      if (k > 3) pivot(k) = 4 - 1 / pivot(k - 1)
      bend(k) = 6 * bend(k) - bend(k - 1) / merge(1.0_dp, pivot(max(3, k - 1)), k == 3)
      if (k == n - 2) bend(k) = bend(k) - bend(n - 1)
    end do
    do k = n - 2, 3, -1
      if (k < n - 2) bend(k) = bend(k) - bend(k + 1)
      bend(k) = bend(k) / pivot(k)
    end do
    bend(1) = 2 * bend(2) - bend(3)
    bend(n) = 2 * bend(n - 1) - bend(n - 2)
    s = 0
    s(1, :) = f
    s(2, :n - 1) = f(2:) - f(:n - 1) - (2 * bend(:n - 1) + bend(2:)) / 6
    s(3, :n - 1) = bend(:n - 1) / 2
    s(4, :n - 1) = (bend(2:) - bend(:n - 1)) / 6
  end function

  pure real(dp) function cubic(s, d)
    real(dp), intent(in) :: s(4), d

    cubic = s(1) + d * (s(2) + d * (s(3) + d * s(4)))
  end function

  !> Real orthonormal Y_lm of a unit vector in y(l^2+l+m+1); m < 0 with sin(|m| phi).
  pure subroutine spherical_harmonics(l_max, u, y)
    integer, intent(in) :: l_max
    real(dp), intent(in) :: u(3)
    real(dp), intent(out) :: y((l_max + 1)**2)
    real(dp) :: q(0:l_max), c, s, t, first
    integer :: l, m

    c = 1
    s = 0
    first = 1 / sqrt(4 * pi)
    do m = 0, l_max
      q(m) = first
      if (m < l_max) q(m + 1) = sqrt(2.0_dp * m + 3) * u(3) * q(m)
      do l = m + 2, l_max
        q(l) = sqrt((4.0_dp * l**2 - 1) / (l**2 - m**2)) * (u(3) * q(l - 1) &
            - sqrt(real((l - 1)**2 - m**2, dp) / (4 * (l - 1)**2 - 1)) * q(l - 2))
      end do
      do l = m, l_max
        y(l**2 + l + 1 + m) = q(l) * c
        if (m > 0) y(l**2 + l + 1 - m) = q(l) * s
      end do
      t = c * u(1) - s * u(2)
      s = s * u(1) + c * u(2)
      c = t
      first = first * sqrt((2 * m + 3.0_dp) / (2 * m + 2) * merge(2, 1, m == 0))
    end do
  end subroutine

  !> H C = S C e with eigenvalues from below: Cholesky, then Jacobi's rotations.
  subroutine solve_eigenproblem(H, S, C, e)
    real(dp), intent(in) :: H(:,:), S(:,:)
    real(dp), intent(out) :: C(size(H, 1), size(H, 1)), e(size(H, 1))
    real(dp) :: L(size(H, 1), size(H, 1)), A(size(H, 1), size(H, 1)), V(size(H, 1), size(H, 1)), row(size(H, 1))
    integer :: i, j, n

    n = size(H, 1)
    L = 0
    do j = 1, n
      L(j, j) = S(j, j) - sum(L(j, :j - 1)**2)
      if (.not. L(j, j) > 0) error stop "the basis functions are linearly dependent"
      L(j, j) = sqrt(L(j, j))
      do i = j + 1, n
        L(i, j) = (S(i, j) - sum(L(i, :j - 1) * L(j, :j - 1))) / L(j, j)
      end do
    end do
    A = H
    do i = 1, n ! L^-1 H
      A(i, :) = (A(i, :) - matmul(L(i, :i - 1), A(:i - 1, :))) / L(i, i)
    end do
    A = transpose(A)
    do i = 1, n
      A(i, :) = (A(i, :) - matmul(L(i, :i - 1), A(:i - 1, :))) / L(i, i)
    end do
    call rotate(A, V)
    do i = n, 1, -1 ! L^-T V
      C(i, :) = (V(i, :) - matmul(L(i + 1:, i), C(i + 1:, :))) / L(i, i)
    end do
    e = [(A(i, i), i = 1, n)]
    do i = 1, n - 1
      j = i - 1 + minloc(e(i:), 1)
      e([i, j]) = e([j, i])
      row = C(:, i)
      C(:, i) = C(:, j)
      C(:, j) = row
    end do
  end subroutine

  !> Turns the symmetric A until it is diagonal, and V with it.
  subroutine rotate(A, V)
    real(dp), intent(inout) :: A(:,:)
    real(dp), intent(out) :: V(:,:)
    real(dp) :: t, c, s, theta, old(size(A, 1))
    integer :: sweep, p, q, i

    V = 0
    do i = 1, size(A, 1)
      V(i, i) = 1
    end do
    do sweep = 1, 50
      if (sum(A**2) - sum([(A(i, i)**2, i = 1, size(A, 1))]) <= 1.0e-26_dp * sum(A**2)) return
      do p = 1, size(A, 1) - 1
        do q = p + 1, size(A, 1)
          if (abs(A(p, q)) <= tiny(t)) cycle
          theta = (A(q, q) - A(p, p)) / (2 * A(p, q))
          t = sign(1.0_dp, theta) / (abs(theta) + sqrt(theta**2 + 1))
          c = 1 / sqrt(t**2 + 1)
          s = t * c
          old = A(:, p)
          A(:, p) = c * old - s * A(:, q)
          A(:, q) = s * old + c * A(:, q)
          old = A(p, :)
          A(p, :) = c * old - s * A(q, :)
          A(q, :) = s * old + c * A(q, :)
          old = V(:, p)
          V(:, p) = c * old - s * V(:, q)
          V(:, q) = s * old + c * V(:, q)
        end do
      end do
    end do
  end subroutine
end module
