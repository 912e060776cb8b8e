! SPDX-License-Identifier: BSD-3-Clause
!> The host's own local field dynamics: propagation of orbitals psi(Norb,Nz,Ny,Nx) by pairs of points, their density, the
!> Hartree field by damped steps of its wave equation, exchange and correlation. OpenMP over the grid, orbitals innermost.
!> The splitting is that of Nakano, Vashishta, Kalia, Comput. Phys. Commun. 83, 181 (1994); the names are those of QXMD's
!> talks on LFD.
module host_lfd_kernels
  use host_precision, only: dp, wp
  implicit none
  private
  public :: host_qd_steps, field_prop, compute_rho, populations

  real(dp), parameter :: pi = 3.14159265358979324_dp

contains

  !> size(A, 2) time steps in velocity gauge, with the potential vloc of the ions at rest.
  subroutine host_qd_steps(psi, f, vloc, h, dt, A, vH, kappa, gamma, field_steps, rho, dipole)
    complex(wp), intent(inout), contiguous :: psi(:,:,:,:) !< (Norb,Nz,Ny,Nx) bohr^-3/2
    real(dp), intent(in) :: f(:)               !< (Norb)
    real(wp), intent(in), contiguous :: vloc(:,:,:) !< (Nz,Ny,Nx) Ha
    real(dp), intent(in) :: h(3), dt           !< bohr, hbar/Ha
    real(dp), intent(in) :: A(:,:)             !< (3,nsteps) bohr^-1
    real(wp), intent(inout), contiguous :: vH(:,:,:,:) !< (Nz,Ny,Nx,2) Ha
    real(dp), intent(in) :: kappa, gamma
    integer, intent(in) :: field_steps
    real(wp), intent(out), contiguous :: rho(:,:,:) !< (Nz,Ny,Nx) bohr^-3
    real(dp), intent(out) :: dipole(:,:)       !< (4,nsteps) bohr
    integer :: step, d

    call compute_rho(psi, f, rho)
    do step = 1, size(A, 2)
      call pot_prop(psi, vloc, vH(:,:,:,1), rho, dt)
      do d = 1, 3
        call kin_prop(psi, d, 0, h(d), dt, A(d, step))
        call kin_prop(psi, d, 1, h(d), dt, A(d, step))
        call kin_prop(psi, d, 0, h(d), dt, A(d, step))
      end do
      call compute_rho(psi, f, rho)
      call field_prop(vH(:,:,:,1), vH(:,:,:,2), rho, h, kappa, gamma, field_steps)
      call pot_prop(psi, vloc, vH(:,:,:,1), rho, dt)
      call compute_dipole(rho, h, dipole(:, step))
    end do
  end subroutine

  !> The kinetic propagator of direction d: half a step between the points (1,2), (3,4), ... (p = 0), or a whole one
  !> between (2,3), (4,5), ... (N,1) (p = 1).
  subroutine kin_prop(psi, d, p, h, dt, A)
    complex(wp), intent(inout), contiguous :: psi(:,:,:,:)
    integer, intent(in) :: d, p
    real(dp), intent(in) :: h, dt, A
    complex(wp) :: al, bu, bl
    real(dp) :: phi
    integer :: i, j, k, next

    phi = merge(1, 2, p == 0) * dt / (2 * h**2)
    al = cmplx(0.5_dp * (1 + exp(cmplx(0, -phi, dp))), kind=wp)
    bu = cmplx(0.5_dp * (1 - exp(cmplx(0, -phi, dp))) * exp(cmplx(0, A * h, dp)), kind=wp)
    bl = cmplx(0.5_dp * (1 - exp(cmplx(0, -phi, dp))) * exp(cmplx(0, -A * h, dp)), kind=wp)
    select case (d)
    case (1)
      !$omp parallel do collapse(2) private(next)
      do i = 1 + p, size(psi, 4), 2
        do j = 1, size(psi, 3)
          next = modulo(i, size(psi, 4)) + 1
          do k = 1, size(psi, 2)
            call join(psi(:, k, j, i), psi(:, k, j, next), al, bu, bl)
          end do
        end do
      end do
    case (2)
      !$omp parallel do collapse(2) private(next)
      do i = 1, size(psi, 4)
        do j = 1 + p, size(psi, 3), 2
          next = modulo(j, size(psi, 3)) + 1
          do k = 1, size(psi, 2)
            call join(psi(:, k, j, i), psi(:, k, next, i), al, bu, bl)
          end do
        end do
      end do
    case (3)
      !$omp parallel do collapse(2) private(next)
      do i = 1, size(psi, 4)
        do j = 1, size(psi, 3)
          do k = 1 + p, size(psi, 2), 2
            next = modulo(k, size(psi, 2)) + 1
            call join(psi(:, k, j, i), psi(:, next, j, i), al, bu, bl)
          end do
        end do
      end do
    end select
  end subroutine

  ! Two neighbouring points, all orbitals.
  pure subroutine join(here, there, al, bu, bl)
    complex(wp), intent(inout), contiguous :: here(:), there(:)
    complex(wp), intent(in) :: al, bu, bl
    complex(wp) :: old
    integer :: n

    do n = 1, size(here)
      old = here(n)
      here(n) = al * old + bu * there(n)
      there(n) = al * there(n) + bl * old
    end do
  end subroutine

  !> Half a step of the local potential vloc + vH + vxc.
  subroutine pot_prop(psi, vloc, v, rho, dt)
    complex(wp), intent(inout), contiguous :: psi(:,:,:,:)
    real(wp), intent(in), contiguous :: vloc(:,:,:), v(:,:,:), rho(:,:,:)
    real(dp), intent(in) :: dt
    real(dp) :: phase
    complex(wp) :: u
    integer :: i, j, k

    !$omp parallel do collapse(2) private(phase, u, k)
    do i = 1, size(psi, 4)
      do j = 1, size(psi, 3)
        do k = 1, size(psi, 2)
          phase = (real(vloc(k, j, i), dp) + v(k, j, i) + vxc(real(rho(k, j, i), dp))) * dt / 2
          u = cmplx(cos(phase), -sin(phase), wp)
          psi(:, k, j, i) = psi(:, k, j, i) * u
        end do
      end do
    end do
  end subroutine

  !> Exchange and correlation of Perdew and Zunger, Phys. Rev. B 23, 5048 (1981).
  pure real(dp) function vxc(n)
    real(dp), intent(in) :: n
    real(dp) :: rs, root, denominator

    vxc = 0
    if (n < 1.0e-20_dp) return
    rs = (3 / (4 * pi * n))**(1.0_dp / 3)
    vxc = -(3 * n / pi)**(1.0_dp / 3)
    if (rs < 1) then
      vxc = vxc + 0.0311_dp * log(rs) - 0.048_dp - 0.0311_dp / 3 + 2 * 0.0020_dp / 3 * rs * log(rs) &
          + (2 * (-0.0116_dp) - 0.0020_dp) / 3 * rs
    else
      root = sqrt(rs)
      denominator = 1 + 1.0529_dp * root + 0.3334_dp * rs
      vxc = vxc - 0.1423_dp * (1 + 7 * 1.0529_dp * root / 6 + 4 * 0.3334_dp * rs / 3) / denominator**2
    end if
  end function

  subroutine compute_rho(psi, f, rho)
    complex(wp), intent(in), contiguous :: psi(:,:,:,:)
    real(dp), intent(in) :: f(:)
    real(wp), intent(out) :: rho(:,:,:)
    integer :: i, j, k

    !$omp parallel do collapse(2) private(k)
    do i = 1, size(psi, 4)
      do j = 1, size(psi, 3)
        do k = 1, size(psi, 2)
          rho(k, j, i) = real(sum(f * (real(psi(:, k, j, i), dp)**2 + real(aimag(psi(:, k, j, i)), dp)**2)), wp)
        end do
      end do
    end do
  end subroutine

  !> field_steps steps of the field v and its change w: w += kappa (lap v + 4 pi (rho - mean rho)) - gamma w; v += w.
  subroutine field_prop(v, w, rho, h, kappa, gamma, field_steps)
    real(wp), intent(inout), contiguous :: v(:,:,:), w(:,:,:)
    real(wp), intent(in), contiguous :: rho(:,:,:)
    real(dp), intent(in) :: h(3), kappa, gamma
    integer, intent(in) :: field_steps
    real(wp) :: fx, fy, fz, fc, keep
    real(wp) :: source(size(rho, 1), size(rho, 2), size(rho, 3))
    integer :: nx, ny, nz, i, j, k, step

    nz = size(rho, 1)
    ny = size(rho, 2)
    nx = size(rho, 3)
    fx = real(kappa / h(1)**2, wp)
    fy = real(kappa / h(2)**2, wp)
    fz = real(kappa / h(3)**2, wp)
    fc = -2 * (fx + fy + fz)
    keep = real(1 - gamma, wp)
    source = real(4 * pi * kappa * (rho - sum(real(rho, dp)) / size(rho)), wp)
    ! What rounding left of the mean would grow with the square of the steps.
    source = real(source - sum(real(source, dp)) / size(rho), wp)
    do step = 1, field_steps
      !$omp parallel do collapse(2) private(k)
      do i = 1, nx
        do j = 1, ny
          do k = 1, nz
            w(k, j, i) = keep * w(k, j, i) + source(k, j, i) + fc * v(k, j, i) &
                + fx * (v(k, j, modulo(i - 2, nx) + 1) + v(k, j, modulo(i, nx) + 1)) &
                + fy * (v(k, modulo(j - 2, ny) + 1, i) + v(k, modulo(j, ny) + 1, i)) &
                + fz * (v(modulo(k - 2, nz) + 1, j, i) + v(modulo(k, nz) + 1, j, i))
          end do
        end do
      end do
      v = v + w
    end do
  end subroutine

  !> int x rho, int y rho, int z rho, int rho, with the middle of the cell at point N/2 + 1.
  subroutine compute_dipole(rho, h, dipole)
    real(wp), intent(in) :: rho(:,:,:)
    real(dp), intent(in) :: h(3)
    real(dp), intent(out) :: dipole(4)
    real(dp) :: r(3)
    integer :: i, j, k

    dipole = 0
    do i = 1, size(rho, 3)
      do j = 1, size(rho, 2)
        do k = 1, size(rho, 1)
          r = h * ([i, j, k] - 1 - [size(rho, 3), size(rho, 2), size(rho, 1)] / 2)
          dipole = dipole + [r, 1.0_dp] * real(rho(k, j, i), dp)
        end do
      end do
    end do
    dipole = dipole * product(h)
  end subroutine

  !> sum_m |<phi_m|psi_n>|^2: how much of orbital n is still in the space of the orbitals phi(points,m) of the start.
  subroutine populations(psi, phi, h, population)
    complex(wp), intent(in), contiguous :: psi(:,:,:,:)
    real(dp), intent(in) :: phi(:,:), h(3)
    real(dp), intent(out) :: population(:)
    complex(dp) :: overlap(size(psi, 1), size(phi, 2))
    integer :: i, j, k, m, point

    overlap = 0
    point = 0
    do i = 1, size(psi, 4)
      do j = 1, size(psi, 3)
        do k = 1, size(psi, 2)
          point = point + 1
          do m = 1, size(phi, 2)
            overlap(:, m) = overlap(:, m) + phi(point, m) * cmplx(psi(:, k, j, i), kind=dp)
          end do
        end do
      end do
    end do
    population = sum(abs(overlap * product(h))**2, 2)
  end subroutine
end module
