! SPDX-License-Identifier: BSD-3-Clause
!> The host's own loops of variational Monte Carlo for the electron gas, one electron and one walker at a time: a row of vectors
!> to closest images, u and p of the pairs in it, the ratio of determinants, the update of the inverse after Sherman and
!> Morrison, and the local energy. Formulas: Drummond, Towler, Needs, Phys. Rev. B 70, 235119 (2004), and plugins/qmc/qmc.hpp.
module host_vmc_kernels
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use host_gas, only: gas, pi
  use host_random, only: acceptance_uniform, move_gaussians
  implicit none
  private
  public :: host_walker, start_walker, invert_slater, host_sweep, host_energy, slater_matrix, orbitals

  !> What the host keeps of a walker.
  type :: host_walker
    real(dp), allocatable :: rele(:,:)     !< (3,netot) bohr
    real(dp), allocatable :: eevecs(:,:,:) !< (4,netot,netot): eevecs(:,j,i) from electron i to the closest image of j
    real(dp), allocatable :: dbar(:,:,:)   !< (n,n,2): a column per electron
    complex(dp), allocatable :: expg(:,:)  !< (ngvec,netot) exp(i G.r)
  end type

contains

  subroutine start_walker(g, rele, walker)
    type(gas), intent(in) :: g
    real(dp), intent(in) :: rele(:,:)
    type(host_walker), intent(out) :: walker
    integer :: i

    walker%rele = rele
    allocate(walker%eevecs(4, g%netot, g%netot), walker%expg(size(g%star), g%netot))
    do i = 1, g%netot
      call closest_images(g, rele(:, i), rele, walker%eevecs(:, :, i))
      walker%expg(:, i) = waves(g, g%gvec, rele(:, i))
    end do
    allocate(walker%dbar(g%nele(1), g%nele(1), 2))
    call invert_slater(g, walker%rele, walker%dbar)
  end subroutine

  !> One sweep: every electron tries to move to r + sqrt(tau) g (Metropolis et al. (1953)).
  subroutine host_sweep(g, walker, tau, seed, stream, sweep, accepted)
    type(gas), intent(in) :: g
    type(host_walker), intent(inout) :: walker
    real(dp), intent(in) :: tau
    integer(int64), intent(in) :: seed, stream, sweep
    integer, intent(inout) :: accepted
    real(dp) :: rnew(3), row(4, g%netot), phi(g%nele(1)), ratio, change
    complex(dp) :: expnew(size(g%star))
    integer :: i, spin, column

    do i = 1, g%netot
      spin = merge(1, 2, i <= g%nele(1))
      column = i - merge(0, g%nele(1), spin == 1)
      rnew = walker%rele(:, i) + sqrt(tau) * move_gaussians(seed, stream, sweep, i - 1)
      call closest_images(g, rnew, walker%rele, row)
      expnew = waves(g, g%gvec, rnew)
      change = sum_of_u(g, i, row) - sum_of_u(g, i, walker%eevecs(:, :, i)) &
          + sum_of_p(g, i, expnew, walker%expg) - sum_of_p(g, i, walker%expg(:, i), walker%expg)
      phi = orbitals(g, rnew)
      ratio = dot_product(walker%dbar(:, column, spin), phi)
      if (.not. acceptance_uniform(seed, stream, sweep, i - 1) < (ratio * exp(change))**2) cycle
      accepted = accepted + 1
      call update_slater(walker%dbar(:, :, spin), column, phi, ratio)
      walker%rele(:, i) = rnew
      walker%expg(:, i) = expnew
      row(:, i) = 0
      walker%eevecs(:, :, i) = row
      walker%eevecs(1:3, i, :) = -row(1:3, :)
      walker%eevecs(4, i, :) = row(4, :)
    end do
  end subroutine

  !> Vectors from r to the closest images of all electrons, and their lengths: into the cell by fractions and, where that is not
  !> enough, a search among 27 cells.
  subroutine closest_images(g, r, rele, eevecs)
    type(gas), intent(in) :: g
    real(dp), intent(in) :: r(3), rele(:,:)
    real(dp), intent(out) :: eevecs(:,:) !< (4,netot)
    real(dp) :: d(3), t(3), best(3), shifts(3, 27), edge
    integer :: j, m

    edge = g%cell(1, 1)
    do m = 0, 26
      shifts(:, m + 1) = matmul(g%cell, real([modulo(m, 3), modulo(m / 3, 3), m / 9] - 1, dp))
    end do
    do j = 1, size(rele, 2)
      d = rele(:, j) - r
      if (g%cubic) then
        best = d - edge * anint(d / edge)
      else
        d = d - matmul(g%cell, anint(matmul(d, g%recip) / (2 * pi)))
        best = d
        do m = 1, 27
          t = d + shifts(:, m)
          if (sum(t**2) < sum(best**2)) best = t
        end do
      end if
      eevecs(:, j) = [best, sqrt(sum(best**2))]
    end do
  end subroutine

  !> exp(i G.r) of all G = sum_i n(i) b_i, by powers of three exponentials.
  pure function waves(g, n, r) result(e)
    type(gas), intent(in) :: g
    integer, intent(in) :: n(:,:)
    real(dp), intent(in) :: r(3)
    complex(dp) :: e(size(n, 2)), power(-maxval(abs(n)):maxval(abs(n)), 3)
    real(dp) :: phase
    integer :: d, m

    do d = 1, 3
      phase = dot_product(g%recip(:, d), r)
      power(0, d) = 1
      do m = 1, ubound(power, 1)
        power(m, d) = power(m - 1, d) * cmplx(cos(phase), sin(phase), dp)
        power(-m, d) = conjg(power(m, d))
      end do
    end do
    do m = 1, size(n, 2)
      e(m) = power(n(1, m), 1) * power(n(2, m), 2) * power(n(3, m), 3)
    end do
  end function

  !> sum_{j/=i} u(r_ij) over a row.
  pure real(dp) function sum_of_u(g, i, row)
    type(gas), intent(in) :: g
    integer, intent(in) :: i
    real(dp), intent(in) :: row(:,:)
    integer :: j, set

    sum_of_u = 0
    do j = 1, g%netot
      if (j == i .or. row(4, j) >= g%L_u) cycle
      set = merge(1, 2, (i <= g%nele(1)) .eqv. (j <= g%nele(1)))
      sum_of_u = sum_of_u + (row(4, j) - g%L_u)**3 &
          * (g%alpha(1, set) + row(4, j) * (g%alpha(2, set) + row(4, j) * g%alpha(3, set)))
    end do
  end function

  !> sum_{j/=i} p(r_ij), pair by pair, from the exponentials that are kept of every electron.
  pure real(dp) function sum_of_p(g, i, expi, expg)
    type(gas), intent(in) :: g
    integer, intent(in) :: i
    complex(dp), intent(in) :: expi(:), expg(:,:)
    complex(dp) :: weighted(size(expi))
    integer :: j, m

    weighted = expi * g%a(g%star, 1)
    sum_of_p = 0
    do j = 1, g%netot
      if (j == i) cycle
      do m = 1, size(expi)
        sum_of_p = sum_of_p + real(weighted(m), dp) * real(expg(m, j), dp) + aimag(weighted(m)) * aimag(expg(m, j))
      end do
    end do
  end function

  !> 1, cos k.r, sin k.r of the plane waves that a spin fills.
  pure function orbitals(g, r) result(phi)
    type(gas), intent(in) :: g
    real(dp), intent(in) :: r(3)
    real(dp) :: phi(g%nele(1))
    complex(dp) :: e(size(g%kvec, 2))

    e = waves(g, g%kvec, r)
    phi(1) = 1
    phi(2::2) = real(e(:g%nele(1) / 2), dp)
    phi(3::2) = aimag(e(:g%nele(1) / 2))
  end function

  !> Sherman, Morrison, Ann. Math. Stat. 21, 124 (1950).
  pure subroutine update_slater(dbar, i, phi, ratio)
    real(dp), intent(inout) :: dbar(:,:)
    integer, intent(in) :: i
    real(dp), intent(in) :: phi(:), ratio
    integer :: j

    do j = 1, size(dbar, 2)
      if (j /= i) dbar(:, j) = dbar(:, j) - dot_product(dbar(:, j), phi) / ratio * dbar(:, i)
    end do
    dbar(:, i) = dbar(:, i) / ratio
  end subroutine

  !> D(a,j) = phi_a(r_j) of a spin.
  function slater_matrix(g, rele, spin) result(d)
    type(gas), intent(in) :: g
    real(dp), intent(in) :: rele(:,:)
    integer, intent(in) :: spin
    real(dp) :: d(g%nele(1), g%nele(1))
    integer :: j

    do j = 1, g%nele(1)
      d(:, j) = orbitals(g, rele(:, j + merge(0, g%nele(1), spin == 1)))
    end do
  end function

  !> dbar with sum_a dbar(a,i) D(a,j) = delta_ij, by Gauss-Jordan elimination with pivots.
  subroutine invert_slater(g, rele, dbar)
    type(gas), intent(in) :: g
    real(dp), intent(in) :: rele(:,:)
    real(dp), intent(out) :: dbar(:,:,:)
    real(dp) :: d(g%nele(1), g%nele(1)), keep(g%nele(1))
    integer :: spin, k, pivot, j, n

    n = g%nele(1)
    do spin = 1, 2
      ! Columns are combined until D is 1; what was 1 is then D^-1.
      d = slater_matrix(g, rele, spin)
      dbar(:, :, spin) = 0
      do k = 1, n
        dbar(k, k, spin) = 1
      end do
      do k = 1, n
        pivot = k - 1 + maxloc(abs(d(k, k:)), 1)
        keep = d(:, k)
        d(:, k) = d(:, pivot)
        d(:, pivot) = keep
        keep = dbar(:, k, spin)
        dbar(:, k, spin) = dbar(:, pivot, spin)
        dbar(:, pivot, spin) = keep
        dbar(:, k, spin) = dbar(:, k, spin) / d(k, k)
        d(:, k) = d(:, k) / d(k, k)
        do j = 1, n
          if (j == k) cycle
          dbar(:, j, spin) = dbar(:, j, spin) - d(k, j) * dbar(:, k, spin)
          d(:, j) = d(:, j) - d(k, j) * d(:, k)
        end do
      end do
      dbar(:, :, spin) = transpose(dbar(:, :, spin))
    end do
  end subroutine

  !> KEI + ewald, KEI, TI, FISQ and ewald, in Ha.
  function host_energy(g, walker) result(energy)
    type(gas), intent(in) :: g
    type(host_walker), intent(in) :: walker
    real(dp) :: energy(5), gj(3), lj, gd(3), ld
    integer :: i

    energy = 0
    do i = 1, g%netot
      call jastrow_derivatives(g, walker, i, gj, lj)
      call slater_derivatives(g, walker, i, gd, ld)
      energy(2) = energy(2) - 0.5_dp * (ld + 2 * dot_product(gd, gj) + lj + sum(gj**2))
      energy(3) = energy(3) - 0.25_dp * (ld - sum(gd**2) + lj)
      energy(4) = energy(4) + 0.5_dp * sum((gd + gj)**2)
    end do
    energy(5) = ewald_energy(g, walker)
    energy(1) = energy(2) + energy(5)
  end function

  !> Gradient and Laplacian of J by r_i.
  subroutine jastrow_derivatives(g, walker, i, gradient, laplacian)
    type(gas), intent(in) :: g
    type(host_walker), intent(in) :: walker
    integer, intent(in) :: i
    real(dp), intent(out) :: gradient(3), laplacian
    real(dp) :: r, x, p, p1, p2, first, second, vector(3, size(g%star))
    complex(dp) :: wave
    integer :: j, m, set

    gradient = 0
    laplacian = 0
    vector = matmul(g%recip, real(g%gvec, dp))
    do j = 1, g%netot
      if (j == i) cycle
      do m = 1, size(g%star)
        wave = g%a(g%star(m), 1) * walker%expg(m, i) * conjg(walker%expg(m, j))
        gradient = gradient - aimag(wave) * vector(:, m)
        laplacian = laplacian - real(wave, dp) * sum(vector(:, m)**2)
      end do
      r = walker%eevecs(4, j, i)
      if (r >= g%L_u) cycle
      set = merge(1, 2, (i <= g%nele(1)) .eqv. (j <= g%nele(1)))
      x = r - g%L_u
      p = g%alpha(1, set) + r * (g%alpha(2, set) + r * g%alpha(3, set))
      p1 = g%alpha(2, set) + 2 * r * g%alpha(3, set)
      p2 = 2 * g%alpha(3, set)
      first = x**2 * (3 * p + x * p1)
      second = x * (6 * p + 6 * x * p1 + x**2 * p2)
      gradient = gradient - first / r * walker%eevecs(1:3, j, i)
      laplacian = laplacian + second + 2 * first / r
    end do
  end subroutine

  !> grad D/D and lap D/D of electron i where it is.
  subroutine slater_derivatives(g, walker, i, gradient, laplacian)
    type(gas), intent(in) :: g
    type(host_walker), intent(in) :: walker
    integer, intent(in) :: i
    real(dp), intent(out) :: gradient(3), laplacian
    complex(dp) :: e(size(g%kvec, 2)), c
    real(dp) :: k(3)
    integer :: spin, column, m

    spin = merge(1, 2, i <= g%nele(1))
    column = i - merge(0, g%nele(1), spin == 1)
    e = waves(g, g%kvec, walker%rele(:, i))
    gradient = 0
    laplacian = 0
    do m = 1, g%nele(1) / 2
      c = cmplx(walker%dbar(2 * m, column, spin), -walker%dbar(2 * m + 1, column, spin), dp)
      k = matmul(g%recip, real(g%kvec(:, m), dp))
      gradient = gradient - aimag(c * e(m)) * k
      laplacian = laplacian - real(c * e(m), dp) * sum(k**2)
    end do
  end subroutine

  !> Ewald's sums (Ann. Phys. 369, 253 (1921)) for charges -1 with their background: short-ranged by images of the closest ones,
  !> the rest from the structure factor.
  real(dp) function ewald_energy(g, walker) result(energy)
    type(gas), intent(in) :: g
    type(host_walker), intent(in) :: walker
    real(dp), parameter :: s = 6 ! erfc(6) is 2e-17
    real(dp) :: alpha, cut, far, xi, G2, d
    real(dp), allocatable :: images(:,:)
    integer, allocatable :: n(:,:)
    complex(dp), allocatable :: rho(:)
    integer :: i, j, m

    alpha = 5 / g%volume**(1 / 3.0_dp)
    cut = s / alpha
    far = cut + 1.1_dp * g%volume**(1 / 3.0_dp) ! no closest image is farther than 0.9 of it
    images = matmul(g%cell, real(integers_within(g%cell, far, .false.), dp))
    n = integers_within(g%recip, 2 * alpha * s, .true.)
    xi = -2 * alpha / sqrt(pi) - pi / (alpha**2 * g%volume)
    do m = 1, size(images, 2)
      d = sqrt(sum(images(:, m)**2))
      if (d > 0) xi = xi + erfc(alpha * d) / d
    end do
    energy = 0
    do i = 1, g%netot
      do j = i + 1, g%netot
        do m = 1, size(images, 2)
          d = sqrt(sum((walker%eevecs(1:3, j, i) + images(:, m))**2))
          if (d < cut) energy = energy + erfc(alpha * d) / d
        end do
      end do
    end do
    energy = energy - pi / (alpha**2 * g%volume) * (g%netot * (g%netot - 1)) / 2
    allocate(rho(size(n, 2)))
    rho = 0
    do i = 1, g%netot
      rho = rho + waves(g, n, walker%rele(:, i))
    end do
    do m = 1, size(n, 2)
      G2 = sum(matmul(g%recip, real(n(:, m), dp))**2)
      xi = xi + 8 * pi / g%volume * exp(-G2 / (4 * alpha**2)) / G2
      energy = energy + 4 * pi / g%volume * exp(-G2 / (4 * alpha**2)) / G2 * (abs(rho(m))**2 - g%netot)
    end do
    energy = energy + xi * g%netot / 2
  end function

  !> Integers n with |sum_i n(i) v_i| <= radius; with half, one of each +- and without 0.
  function integers_within(v, radius, half) result(n)
    real(dp), intent(in) :: v(3, 3), radius
    logical, intent(in) :: half
    integer, allocatable :: n(:,:)
    integer :: i, j, k, m, count, pass

    m = ceiling(1.3_dp * radius / minval(sqrt(sum(v**2, 1)))) ! 1.23 in the face-centred and body-centred lattices
    do pass = 1, 2
      count = 0
      do i = -m, m
        do j = -m, m
          do k = -m, m
            if (half .and. (i < 0 .or. (i == 0 .and. (j < 0 .or. (j == 0 .and. k <= 0))))) cycle
            if (sum(matmul(v, real([i, j, k], dp))**2) > radius**2) cycle
            count = count + 1
            if (pass == 2) n(:, count) = [i, j, k]
          end do
        end do
      end do
      if (pass == 1) allocate(n(3, count))
    end do
  end function
end module
