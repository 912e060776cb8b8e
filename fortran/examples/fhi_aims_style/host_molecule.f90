! SPDX-License-Identifier: BSD-3-Clause
!> The system: a helium atom and hydrogen molecules in a row, with numeric atom-centred orbitals, which are Slater functions here,
!> tabulated on logarithmic grids as any other would be.
module host_molecule
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use host_numerics, only: cubic_spline
  implicit none
  private
  public :: molecule, make_molecule

  integer, parameter :: n_grid = 660

  type :: molecule
    integer :: n_atoms, n_basis, n_occ
    real(dp), allocatable :: atom_coords(:,:)   !< (3,n_atoms) bohr
    integer, allocatable :: species(:)          !< (n_atoms)
    real(dp) :: charge(2) = [1, 2]              !< of the species' nuclei: hydrogen, helium
    integer, allocatable :: basis_atom(:), basis_fn(:), basis_l(:), basis_m(:) !< (n_basis)
    real(dp) :: r_grid_min(2) = [1.0e-4_dp, 0.5e-4_dp], r_grid_inc(2) = [1.02_dp, 1.02_dp]
    real(dp), allocatable :: basis_wave_spl(:,:,:) !< (4,n_grid,n_basis_fns) bohr^-3/2
    real(dp), allocatable :: basis_kin_spl(:,:,:)  !< the same of -1/2 lap
    real(dp), allocatable :: outer_radius(:)       !< (n_basis_fns) bohr
  contains
    procedure :: r_grid
  end type

  !> r^power exp(-zeta r) Y_lm: of hydrogen 1 to 3, of helium 4 to 6.
  integer, parameter :: power(6) = [0, 1, 1, 0, 1, 1], l_of(6) = [0, 0, 1, 0, 0, 1]
  real(dp), parameter :: zeta(6) = [1.2_dp, 1.1_dp, 1.1_dp, 1.7_dp, 1.4_dp, 1.3_dp]
  real(dp), parameter :: bond = 1.4_dp, gap = 4.0_dp !< bohr, in a molecule and between neighbours

contains

  function make_molecule(n_molecules) result(m)
    integer, intent(in) :: n_molecules
    type(molecule) :: m
    integer :: atom, i

    m%n_atoms = 1 + 2 * n_molecules
    m%n_occ = 1 + n_molecules
    allocate(m%atom_coords(3, m%n_atoms), source=0.0_dp)
    m%species = [2, (1, atom = 2, m%n_atoms)]
    do i = 1, n_molecules
      ! A little off the axis, so that no element of a tensor is 0 for symmetry.
      m%atom_coords(:, 2 * i) = [gap + (i - 1) * (bond + gap), 0.3_dp * i, 0.1_dp]
      m%atom_coords(:, 2 * i + 1) = m%atom_coords(:, 2 * i) + bond * [0.96_dp, 0.28_dp, 0.0_dp]
    end do
    call make_radial_functions(m)
    call make_basis(m)
  end function

  !> Point i of the logarithmic grid of a species.
  elemental real(dp) function r_grid(m, species, i)
    class(molecule), intent(in) :: m
    integer, intent(in) :: species, i

    r_grid = m%r_grid_min(species) * m%r_grid_inc(species)**(i - 1)
  end function

  subroutine make_radial_functions(m)
    type(molecule), intent(inout) :: m
    real(dp) :: r(n_grid), u(n_grid), kinetic(n_grid)
    integer :: fn, i, p, l, species

    allocate(m%basis_wave_spl(4, n_grid, size(zeta)), m%basis_kin_spl(4, n_grid, size(zeta)), m%outer_radius(size(zeta)))
    do fn = 1, size(zeta)
      species = merge(1, 2, fn <= 3)
      p = power(fn)
      l = l_of(fn)
      r = m%r_grid(species, [(i, i = 1, n_grid)])
      u = sqrt((2 * zeta(fn))**(2 * p + 3) / gamma(2 * p + 3.0_dp)) * r**p * exp(-zeta(fn) * r)
      kinetic = -0.5_dp * ((p / r - zeta(fn))**2 - p / r**2 + 2 / r * (p / r - zeta(fn)) - l * (l + 1) / r**2) * u
      m%basis_wave_spl(:, :, fn) = cubic_spline(u)
      m%basis_kin_spl(:, :, fn) = cubic_spline(kinetic)
      m%outer_radius(fn) = maxval(r, mask=abs(u) > 1.0e-6_dp)
    end do
  end subroutine

  subroutine make_basis(m)
    type(molecule), intent(inout) :: m
    integer :: atom, fn, k, l

    allocate(m%basis_atom(0), m%basis_fn(0), m%basis_l(0), m%basis_m(0))
    do atom = 1, m%n_atoms
      do fn = 3 * m%species(atom) - 2, 3 * m%species(atom)
        l = l_of(fn)
        m%basis_atom = [m%basis_atom, (atom, k = -l, l)]
        m%basis_fn = [m%basis_fn, (fn, k = -l, l)]
        m%basis_l = [m%basis_l, (l, k = -l, l)]
        m%basis_m = [m%basis_m, (k, k = -l, l)]
      end do
    end do
    m%n_basis = size(m%basis_atom)
  end subroutine
end module
