! SPDX-License-Identifier: BSD-3-Clause
!> The host's own self-consistent field in the local-density approximation: Dirac's exchange and Wigner's correlation,
!> e_c = -0.44/(r_s + 7.8).
module host_ground_state
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use host_dfpt_kernels
  use host_grid, only: integration_grid, n_lm
  use host_molecule, only: molecule
  use host_numerics, only: pi, solve_eigenproblem
  implicit none
  private
  public :: ground_state, converge, dipole

  real(dp), parameter :: no_density = 1.0e-12_dp

  type :: ground_state
    real(dp), allocatable :: wave(:)                 !< (n_wave)
    real(dp), allocatable :: C(:,:), eigenvalues(:)  !< (n_basis,n_basis), (n_basis) Ha
    real(dp), allocatable :: rho(:,:)                !< (n_points,1)
    real(dp), allocatable :: f_xc(:)                 !< (n_points) Ha bohr^3, dv_xc/drho
    integer :: iterations = 0
  end type

contains

  !> field: Ha/bohr, of the potential field.r
  function converge(m, g, field) result(s)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: field(3)
    type(ground_state) :: s
    real(dp), allocatable :: kinetic(:), T(:,:,:), overlap(:,:,:), H(:,:,:), P(:,:,:), rho_new(:,:), v(:,:), external(:)
    real(dp), parameter :: mixing = 0.7_dp, tolerance = 1.0e-10_dp
    real(dp) :: change
    integer :: n, iteration

    n = m%n_basis
    allocate(s%wave(g%n_wave), kinetic(g%n_wave), s%C(n, n), s%eigenvalues(n), H(n, n, 1), P(n, n, 1))
    allocate(T(n, n, 1), overlap(n, n, 1), source=0.0_dp)
    allocate(s%rho(g%n_points, 1), s%f_xc(g%n_points), rho_new(g%n_points, 1), v(g%n_points, 1))
    call host_basis(m, g, m%basis_wave_spl, s%wave)
    call host_basis(m, g, m%basis_kin_spl, kinetic)
    call host_h(g, s%wave, spread(g%partition_tab, 2, 1), overlap)
    call host_h(g, s%wave, spread(g%partition_tab, 2, 1), T, kinetic)
    external = matmul(field, g%coords(:, :g%n_points)) + nuclei(m, g)
    s%rho = 0
    do iteration = 1, 200
      call electrostatic_potential(m, g, s%rho, v)
      v(:, 1) = v(:, 1) + external + v_xc(s%rho(:, 1))
      H = T
      call host_h(g, s%wave, v * spread(g%partition_tab, 2, 1), H)
      call solve_eigenproblem(H(:, :, 1), overlap(:, :, 1), s%C, s%eigenvalues)
      P(:, :, 1) = 2 * matmul(s%C(:, :m%n_occ), transpose(s%C(:, :m%n_occ)))
      call host_rho(g, s%wave, P, rho_new)
      change = sqrt(sum(g%partition_tab * (rho_new(:, 1) - s%rho(:, 1))**2))
      s%rho = s%rho + merge(mixing, 1.0_dp, iteration > 1) * (rho_new - s%rho)
      if (change < tolerance) exit
    end do
    if (.not. change < tolerance) error stop "the host's ground state does not converge"
    s%iterations = iteration
    s%rho = rho_new
    s%f_xc = f_xc(s%rho(:, 1))
  end function

  subroutine electrostatic_potential(m, g, rho, v)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: rho(:,:)
    real(dp), intent(out) :: v(:,:)
    real(dp), allocatable :: rho_multipole(:,:,:,:), potential_spl(:,:,:,:,:), moments(:,:,:)

    allocate(rho_multipole(n_lm, size(g%r_radial, 1), m%n_atoms, 1), potential_spl(n_lm, 4, size(g%knots, 1), m%n_atoms, 1), &
        moments(n_lm, m%n_atoms, 1))
    call host_multipoles(m, g, rho, rho_multipole)
    call host_poisson(m, g, rho_multipole, potential_spl, moments)
    call host_sum_up(m, g, potential_spl, moments, v)
  end subroutine

  !> The nuclei's potential at the points.
  function nuclei(m, g) result(v)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    real(dp) :: v(g%n_points)
    integer :: atom

    v = 0
    do atom = 1, m%n_atoms
      v = v - m%charge(m%species(atom)) / norm2(g%coords - spread(m%atom_coords(:, atom), 2, g%n_points), 1)
    end do
  end function

  elemental real(dp) function v_xc(rho)
    real(dp), intent(in) :: rho
    real(dp) :: rs

    v_xc = 0
    if (rho < no_density) return
    rs = (3 / (4 * pi * rho))**(1 / 3.0_dp)
    v_xc = -(3 * rho / pi)**(1 / 3.0_dp) - 0.44_dp / (rs + 7.8_dp) - rs / 3 * 0.44_dp / (rs + 7.8_dp)**2
  end function

  !> dv_xc/drho
  elemental real(dp) function f_xc(rho)
    real(dp), intent(in) :: rho
    real(dp) :: rs

    f_xc = 0
    if (rho < no_density) return
    rs = (3 / (4 * pi * rho))**(1 / 3.0_dp)
    f_xc = -(3 * rho / pi)**(1 / 3.0_dp) / (3 * rho) &
        - 0.88_dp / 9 * rs / rho * (1 / (rs + 7.8_dp)**2 + rs / (rs + 7.8_dp)**3)
  end function

  !> int r rho
  function dipole(g, rho)
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: rho(:)
    real(dp) :: dipole(3)

    dipole = matmul(g%coords, g%partition_tab * rho)
  end function
end module
