! SPDX-License-Identifier: BSD-3-Clause
!> The host's system: the unpolarised electron gas in a simple cubic or face-centred cubic cell, the plane waves that its
!> electrons fill, and a Jastrow factor with u and p terms after the random-phase approximation. Hartree atomic units.
module host_gas
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: gas, make_gas, closed_shells, pi

  real(dp), parameter :: pi = 3.14159265358979324_dp

  type :: gas
    real(dp) :: cell(3, 3), recip(3, 3) !< a_i, b_i in columns, a_i.b_j = 2 pi delta_ij
    real(dp) :: rs, volume
    integer :: netot, nele(2)
    logical :: cubic                    !< simple cubic: wrapped fractions give the closest image
    integer, allocatable :: kvec(:,:)   !< (3,nkvec) of the orbitals 1, cos k.r, sin k.r, ...
    integer :: truncation = 3
    real(dp) :: L_u
    real(dp), allocatable :: alpha(:,:) !< (3,2): u of parallel and antiparallel spins
    integer, allocatable :: gvec(:,:), star(:)
    real(dp), allocatable :: a(:,:)     !< (nstar,1)
  end type

contains

  type(gas) function make_gas(lattice, netot, rs, nstar) result(g)
    character(len=*), intent(in) :: lattice !< sc or fcc
    integer, intent(in) :: netot, nstar
    real(dp), intent(in) :: rs
    integer, allocatable :: vectors(:,:), stars(:)
    integer :: i, last

    g%cubic = lattice == "sc"
    g%netot = netot
    g%nele = netot / 2
    g%rs = rs
    g%volume = 4 * pi / 3 * rs**3 * netot
    if (g%cubic) then
      g%cell = reshape([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3]) * g%volume**(1 / 3.0_dp)
      g%L_u = g%cell(1, 1) / 2
    else
      g%cell = reshape([0, 1, 1, 1, 0, 1, 1, 1, 0], [3, 3]) * (g%volume / 2)**(1 / 3.0_dp)
      g%L_u = sqrt(sum(g%cell(:, 1)**2)) / 2
    end if
    do i = 1, 3
      g%recip(:, i) = 2 * pi / g%volume * cross(g%cell(:, modulo(i, 3) + 1), g%cell(:, modulo(i + 1, 3) + 1))
    end do
    if (.not. g%cubic) g%recip = sign(1.0_dp, dot_product(g%cell(:, 1), g%recip(:, 1))) * g%recip
    call shortest_vectors(g%recip, max(g%nele(1) / 2, 100), vectors, stars)
    g%kvec = vectors(:, :max(1, g%nele(1) / 2))
    last = count(stars <= nstar)
    g%gvec = vectors(:, :last)
    g%star = stars(:last)
    call make_jastrow(g, nstar)
  end function

  !> u of three coefficients: right at 0 and L_u/2, and with Kato's cusp; what is of longer range goes to p.
  subroutine make_jastrow(g, nstar)
    type(gas), intent(inout) :: g
    integer, intent(in) :: nstar
    real(dp) :: slope, strength, range, kappa, G2
    integer :: set, s

    strength = sqrt(g%rs**3 / 3) ! of -strength/r at large r: one over the plasma frequency
    kappa = 2 / g%L_u
    allocate(g%alpha(3, 2), g%a(nstar, 1))
    do set = 1, 2
      slope = merge(0.25_dp, 0.5_dp, set == 1)
      range = sqrt(strength / (2 * slope))
      g%alpha(1, set) = (-strength / range + strength * 2 * kappa / sqrt(pi)) / (-g%L_u)**3
      g%alpha(2, set) = slope / (-g%L_u)**3 + 3 * g%alpha(1, set) / g%L_u
      g%alpha(3, set) = (short_range(g%L_u / 2) / (-g%L_u / 2)**3 - g%alpha(1, set) - g%alpha(2, set) * g%L_u / 2) &
          / (g%L_u / 2)**2
    end do
    do s = 1, nstar
      G2 = sum(matmul(g%recip, real(g%gvec(:, findloc(g%star, s, 1)), dp))**2)
      g%a(s, 1) = -8 * pi * strength / (g%volume * G2) * exp(-G2 / (4 * kappa**2))
    end do

  contains

    real(dp) function short_range(r)
      real(dp), intent(in) :: r

      short_range = strength / r * (exp(-r / range) - 1 + erf(kappa * r))
    end function
  end subroutine

  !> The numbers of plane waves that fill closed shells, up to the first that is at least `least`.
  function closed_shells(lattice, least) result(counts)
    character(len=*), intent(in) :: lattice
    integer, intent(in) :: least
    integer, allocatable :: counts(:), vectors(:,:), stars(:)
    integer :: i
    type(gas) :: g

    g = make_gas(lattice, 2, 1.0_dp, 1)
    call shortest_vectors(g%recip, least / 2 + 1, vectors, stars)
    counts = [1]
    do i = 1, size(stars)
      if (counts(size(counts)) >= least) exit
      if (i < size(stars)) then
        if (stars(i + 1) == stars(i)) cycle
      end if
      counts = [counts, 2 * i + 1]
    end do
  end function

  !> At least `least` reciprocal vectors, one of each +-, without 0, by length, with whole stars (vectors of one length).
  subroutine shortest_vectors(recip, least, vectors, stars)
    real(dp), intent(in) :: recip(3, 3)
    integer, intent(in) :: least
    integer, allocatable, intent(out) :: vectors(:,:), stars(:)
    integer, allocatable :: found(:,:), order(:)
    real(dp), allocatable :: length(:)
    integer :: n(3), m, i, j, k, count, kept
    real(dp) :: inside

    ! All within a sphere that holds twice as many, of which the last star that is whole is kept.
    m = ceiling((2.0_dp * least)**(1 / 3.0_dp)) + 3
    allocate(found(3, (2 * m + 1)**3), length((2 * m + 1)**3))
    inside = (m * 0.7_dp)**2 * minval(sum(recip**2, 1))
    count = 0
    do i = 0, m
      do j = -m, m
        do k = -m, m
          n = [i, j, k]
          if (i == 0 .and. (j < 0 .or. (j == 0 .and. k <= 0))) cycle
          if (sum(matmul(recip, real(n, dp))**2) > inside) cycle
          count = count + 1
          found(:, count) = n
          length(count) = sum(matmul(recip, real(n, dp))**2)
        end do
      end do
    end do
    order = sorted(length(:count))
    allocate(vectors(3, count), stars(count))
    vectors = found(:, order)
    length(:count) = length(order)
    stars(1) = 1
    do i = 2, count
      stars(i) = stars(i - 1) + merge(1, 0, length(i) > length(i - 1) * (1 + 1.0e-9_dp))
    end do
    kept = least
    do while (stars(kept + 1) == stars(kept))
      kept = kept + 1
    end do
    vectors = vectors(:, :kept)
    stars = stars(:kept)
  end subroutine

  !> Positions in ascending order of the values; equal ones as they come.
  function sorted(values) result(order)
    real(dp), intent(in) :: values(:)
    integer :: order(size(values)), scratch(size(values))
    integer :: width, low, middle, high, a, b, i

    order = [(i, i = 1, size(values))]
    width = 1
    do while (width < size(values))
      do low = 1, size(values), 2 * width
        middle = min(low + width, size(values) + 1)
        high = min(low + 2 * width, size(values) + 1)
        a = low
        b = middle
        do i = low, high - 1
          if (takes_first()) then
            scratch(i) = order(a)
            a = a + 1
          else
            scratch(i) = order(b)
            b = b + 1
          end if
        end do
      end do
      order = scratch
      width = 2 * width
    end do

  contains

    logical function takes_first()
      takes_first = .false.
      if (a >= middle) return
      takes_first = .true.
      if (b >= high) return
      ! Rounding must not split a star: what comes first stays first.
      takes_first = values(order(a)) <= values(order(b)) * (1 + 1.0e-9_dp)
    end function
  end function

  pure function cross(x, y) result(z)
    real(dp), intent(in) :: x(3), y(3)
    real(dp) :: z(3)

    z = cshift(x, 1) * cshift(y, 2) - cshift(x, 2) * cshift(y, 1)
  end function
end module
