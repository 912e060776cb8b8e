! SPDX-License-Identifier: BSD-3-Clause
!> The host's molecular dynamics: a model molecule of two ions, each a smooth well for the electrons, held together by a
!> spring, in a periodic cell; and the start of its electrons. Made up here, deterministically.
module host_ions
  use host_precision, only: dp, wp
  implicit none
  private
  public :: ions, place_ions, make_vloc, add_forces, move_ions, make_orbitals, make_pulse

  real(dp), parameter :: pi = 3.14159265358979324_dp
  real(dp), parameter :: depth = 2.0_dp, width = 1.2_dp !< of a well: Ha, bohr
  real(dp), parameter :: spring = 0.3_dp, rest = 3.0_dp, mass = 3000.0_dp !< Ha/bohr^2, bohr, electron masses

  type :: ions
    real(dp) :: r(3, 2) = 0, v(3, 2) = 0, force(3, 2) = 0 !< bohr, bohr Ha/hbar, Ha/bohr
  end type

contains

  !> Along x, stretched and flying apart.
  subroutine place_ions(molecule)
    type(ions), intent(out) :: molecule

    molecule%r(:, 1) = [-1.7_dp, 0.1_dp, 0.0_dp]
    molecule%r(:, 2) = [1.7_dp, -0.1_dp, 0.2_dp]
    molecule%v(1, :) = [-4.0e-3_dp, 4.0e-3_dp]
  end subroutine

  subroutine make_vloc(molecule, h, vloc)
    type(ions), intent(in) :: molecule
    real(dp), intent(in) :: h(3)
    real(wp), intent(out) :: vloc(:,:,:) !< (Nz,Ny,Nx) Ha
    integer :: i, j, k, ion
    real(dp) :: v, from(3)

    !$omp parallel do collapse(2) private(k, ion, v, from)
    do i = 1, size(vloc, 3)
      do j = 1, size(vloc, 2)
        do k = 1, size(vloc, 1)
          v = 0
          do ion = 1, 2
            from = distance(molecule%r(:, ion), [i, j, k], h, shape(vloc))
            v = v - depth * exp(-sum(from**2) / (2 * width**2))
          end do
          vloc(k, j, i) = real(v, wp)
        end do
      end do
    end do
  end subroutine

  !> Ehrenfest forces -int rho dv/dR of the density that came back, and the spring.
  subroutine add_forces(molecule, rho, h)
    type(ions), intent(inout) :: molecule
    real(wp), intent(in) :: rho(:,:,:) !< (Nz,Ny,Nx) bohr^-3
    real(dp), intent(in) :: h(3)
    real(dp) :: from(3), bond(3), length, force(3, 2)
    integer :: i, j, k, ion

    force = 0
    do i = 1, size(rho, 3)
      do j = 1, size(rho, 2)
        do k = 1, size(rho, 1)
          do ion = 1, 2
            from = distance(molecule%r(:, ion), [i, j, k], h, shape(rho))
            force(:, ion) = force(:, ion) + from * real(rho(k, j, i), dp) * exp(-sum(from**2) / (2 * width**2))
          end do
        end do
      end do
    end do
    force = force * depth / width**2 * product(h)
    bond = molecule%r(:, 2) - molecule%r(:, 1)
    length = sqrt(sum(bond**2))
    force(:, 1) = force(:, 1) + spring * (length - rest) * bond / length
    force(:, 2) = force(:, 2) - spring * (length - rest) * bond / length
    molecule%force = force
  end subroutine

  !> One step: velocities with the forces that are there, then positions (leapfrog).
  subroutine move_ions(molecule, dt)
    type(ions), intent(inout) :: molecule
    real(dp), intent(in) :: dt

    molecule%v = molecule%v + dt * molecule%force / mass
    molecule%r = molecule%r + dt * molecule%v
  end subroutine

  ! From an ion to the nearest image of a grid point.
  pure function distance(from, point, h, extents)
    real(dp), intent(in) :: from(3), h(3)
    integer, intent(in) :: point(3)   !< i, j, k from 1
    integer, intent(in) :: extents(3) !< Nz, Ny, Nx
    real(dp) :: distance(3), cell(3)

    cell = h * extents(3:1:-1)
    distance = h * (point - 1 - extents(3:1:-1) / 2) - from
    distance = distance - cell * anint(distance / cell)
  end function

  !> Real orthonormal orbitals phi(points,Norb), the points in the order of v(Nz,Ny,Nx): the lowest waves of the empty
  !> cell, products of 1, cos and sin, by wave number.
  subroutine make_orbitals(n, h, phi)
    integer, intent(in) :: n(3) !< Nx, Ny, Nz
    real(dp), intent(in) :: h(3)
    real(dp), intent(out) :: phi(:,:)
    integer :: shell, a, b, c, m, i, j, k, point

    m = 0
    shells: do shell = 0, 3 * maxval(n)
      do a = 0, shell
        do b = 0, shell - a
          c = shell - a - b
          if (any([a, b, c] > n - 2)) cycle
          m = m + 1
          if (m > size(phi, 2)) exit shells
          point = 0
          do i = 1, n(1)
            do j = 1, n(2)
              do k = 1, n(3)
                point = point + 1
                phi(point, m) = wave(a, i, n(1), h(1)) * wave(b, j, n(2), h(2)) * wave(c, k, n(3), h(3))
              end do
            end do
          end do
        end do
      end do
    end do shells
    if (m < size(phi, 2)) error stop "more orbitals than the grid has waves"
  end subroutine

  ! Normalised: 0: constant, odd: cosine, even: sine of wave number (a+1)/2.
  pure real(dp) function wave(a, i, n, h)
    integer, intent(in) :: a, i, n
    real(dp), intent(in) :: h
    real(dp) :: angle

    angle = 2 * pi * ((a + 1) / 2) * (i - 1) / n
    if (a == 0) then
      wave = sqrt(1 / (n * h))
    else
      wave = sqrt(2 / (n * h)) * merge(cos(angle), sin(angle), modulo(a, 2) == 1)
    end if
  end function

  !> The vector potential of a light pulse along x, in the middle of the steps from start + 1 on; it ends after total steps.
  subroutine make_pulse(start, total, dt, A)
    integer, intent(in) :: start, total
    real(dp), intent(in) :: dt
    real(dp), intent(out) :: A(:,:) !< (3,nsteps) bohr^-1
    real(dp) :: t, length
    integer :: step

    A = 0
    length = total * dt
    do step = 1, size(A, 2)
      t = (start + step - 0.5_dp) * dt
      A(1, step) = 0.2_dp * sin(pi * t / length)**2 * sin(1.2_dp * t)
    end do
  end subroutine
end module
