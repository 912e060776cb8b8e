! SPDX-License-Identifier: BSD-3-Clause
!> The points: shells around the nuclei with Lebedev's 50 directions, weights that share space among the atoms (Stratmann,
!> Scuseria, Frisch, Chem. Phys. Lett. 257, 213 (1996)), and batches of neighbours, made by halving the set along its longest
!> side.
module host_grid
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use host_molecule, only: molecule
  use host_numerics, only: pi
  implicit none
  private
  public :: integration_grid, make_grid, l_max, n_lm

  integer, parameter :: l_max = 4, n_lm = (l_max + 1)**2
  integer, parameter :: n_shells = 34, n_knots = 96, batch_size = 100
  real(dp), parameter :: outermost = 11 !< bohr

  type :: integration_grid
    integer :: n_points, n_wave
    real(dp), allocatable :: coords(:,:), partition_tab(:), projection_weight(:) !< (3,n_points), (n_points), ...
    integer, allocatable :: point_atom(:), point_shell(:)
    integer, allocatable :: batch_points(:), batch_basis(:), i_basis(:) !< of batch b: first to before that of b + 1
    ! Of the species, all alike: shells and the tables of multipole potentials.
    real(dp), allocatable :: r_radial(:,:), grid_shell(:,:), knots(:,:), grid_scale(:), grid_max(:)
    !> Just below the last shell: its points would be near or far by the rounding of their distance.
    real(dp), allocatable :: multipole_radius(:)
    integer, allocatable :: radial_points(:)
  end type

contains

  function make_grid(m) result(g)
    type(molecule), intent(in) :: m
    type(integration_grid) :: g

    call make_shells(m, g)
    call make_points(m, g)
    call make_batches(g)
    call find_functions(m, g)
  end function

  !> Uniform in i: sqrt(1 - exp(-r/scale)) = i/(n_shells+1).
  subroutine make_shells(m, g)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(inout) :: g
    real(dp) :: scale, last
    integer :: i, species, n_grid

    n_grid = size(m%basis_wave_spl, 2)
    last = real(n_shells, dp) / (n_shells + 1)
    scale = -outermost / log(1 - last**2)
    g%r_radial = spread(-scale * log(1 - [(real(i, dp) / (n_shells + 1), i = 1, n_shells)]**2), 2, 2)
    g%knots = spread(-scale * log(1 - [(last * i / (n_knots - 1), i = 0, n_knots - 1)]**2), 2, 2)
    g%grid_scale = [scale, scale]
    g%grid_max = [outermost, outermost]
    g%multipole_radius = g%grid_max * (1 - 1.0e-8_dp)
    g%radial_points = [n_shells, n_shells]
    allocate(g%grid_shell(n_grid, 2))
    do species = 1, 2
      g%grid_shell(:, species) = (n_shells + 1) * sqrt(1 - exp(-m%r_grid(species, [(i, i = 1, n_grid)]) / scale))
    end do
  end subroutine

  subroutine make_points(m, g)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(inout) :: g
    real(dp) :: direction(3, 50), angular(50), r(3), share, dr
    integer :: atom, s, k

    call lebedev_50(direction, angular)
    allocate(g%coords(3, m%n_atoms * n_shells * 50), g%partition_tab(m%n_atoms * n_shells * 50))
    allocate(g%projection_weight, mold=g%partition_tab)
    allocate(g%point_atom(size(g%partition_tab)), g%point_shell(size(g%partition_tab)))
    g%n_points = 0
    do atom = 1, m%n_atoms
      do s = 1, n_shells
        dr = g%grid_scale(1) * 2 * s / (real(n_shells + 1, dp)**2 - s**2)
        do k = 1, 50
          r = m%atom_coords(:, atom) + g%r_radial(s, 1) * direction(:, k)
          share = share_of(m, atom, r)
          if (share <= 1.0e-12_dp) cycle
          g%n_points = g%n_points + 1
          g%coords(:, g%n_points) = r
          g%projection_weight(g%n_points) = 4 * pi * angular(k) * share
          g%partition_tab(g%n_points) = 4 * pi * angular(k) * share * g%r_radial(s, 1)**2 * dr
          g%point_atom(g%n_points) = atom
          g%point_shell(g%n_points) = s
        end do
      end do
    end do
  end subroutine

  !> Exact to l = 11; weights of the octahedron's vertices, edges and faces, and of (k,k,3k).
  subroutine lebedev_50(direction, weight)
    real(dp), intent(out) :: direction(3, 50), weight(50)
    integer :: x, y, z, n, zeros

    n = 0
    do x = -1, 1
      do y = -1, 1
        do z = -1, 1
          zeros = count([x, y, z] == 0)
          if (zeros == 3) cycle
          call add(real([x, y, z], dp), merge(merge(4 / 315.0_dp, 64 / 2835.0_dp, zeros == 2), 27 / 1280.0_dp, zeros > 0))
          if (zeros > 0) cycle
          call add([3.0_dp * x, 1.0_dp * y, 1.0_dp * z], 14641 / 725760.0_dp)
          call add([1.0_dp * x, 3.0_dp * y, 1.0_dp * z], 14641 / 725760.0_dp)
          call add([1.0_dp * x, 1.0_dp * y, 3.0_dp * z], 14641 / 725760.0_dp)
        end do
      end do
    end do

  contains

    subroutine add(along, w)
      real(dp), intent(in) :: along(3), w

      n = n + 1
      direction(:, n) = along / norm2(along)
      weight(n) = w
    end subroutine
  end subroutine

  !> Of atom a in point r; all atoms' shares add up to 1.
  real(dp) function share_of(m, a, r)
    type(molecule), intent(in) :: m
    integer, intent(in) :: a
    real(dp), intent(in) :: r(3)
    real(dp) :: cell(m%n_atoms), distance(m%n_atoms), q
    integer :: i, j

    distance = norm2(m%atom_coords - spread(r, 2, m%n_atoms), 1)
    cell = 1
    do i = 1, m%n_atoms
      do j = 1, m%n_atoms
        if (j == i) cycle
        q = (distance(i) - distance(j)) / norm2(m%atom_coords(:, i) - m%atom_coords(:, j)) / 0.64_dp
        q = min(1.0_dp, max(-1.0_dp, q))
        cell(i) = cell(i) * (1 - (35 * q - 35 * q**3 + 21 * q**5 - 5 * q**7) / 16) / 2
      end do
    end do
    share_of = cell(a) / sum(cell)
  end function

  !> Sorts the points into batches.
  subroutine make_batches(g)
    type(integration_grid), intent(inout) :: g
    integer, allocatable :: order(:)
    integer :: i

    order = [(i, i = 1, g%n_points)]
    g%batch_points = [1]
    call halve(1, g%n_points)
    g%coords = g%coords(:, order)
    g%partition_tab = g%partition_tab(order)
    g%projection_weight = g%projection_weight(order)
    g%point_atom = g%point_atom(order)
    g%point_shell = g%point_shell(order)

  contains

    recursive subroutine halve(first, last)
      integer, intent(in) :: first, last
      integer :: axis

      if (last - first < batch_size) then
        g%batch_points = [g%batch_points, last + 1]
        return
      end if
      axis = maxloc(maxval(g%coords(:, order(first:last)), 2) - minval(g%coords(:, order(first:last)), 2), 1)
      call sort(order(first:last), g%coords(axis, :))
      call halve(first, (first + last) / 2)
      call halve((first + last) / 2 + 1, last)
    end subroutine
  end subroutine

  !> By merging.
  recursive subroutine sort(list, key)
    integer, intent(inout) :: list(:)
    real(dp), intent(in) :: key(:)
    integer :: left(size(list) / 2), i, j, k

    if (size(list) < 2) return
    call sort(list(:size(left)), key)
    call sort(list(size(left) + 1:), key)
    left = list(:size(left))
    i = 1
    j = size(left) + 1
    do k = 1, size(list)
      if (i > size(left)) return
      if (j <= size(list)) then
        if (key(list(j)) < key(left(i))) then
          list(k) = list(j)
          j = j + 1
          cycle
        end if
      end if
      list(k) = left(i)
      i = i + 1
    end do
  end subroutine

  !> The basis functions that reach a batch.
  subroutine find_functions(m, g)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(inout) :: g
    logical :: reaches(m%n_basis)
    real(dp) :: closest
    integer :: b, i, first, last

    g%batch_basis = [1]
    allocate(g%i_basis(0))
    g%n_wave = 0
    do b = 1, size(g%batch_points) - 1
      first = g%batch_points(b)
      last = g%batch_points(b + 1) - 1
      do i = 1, m%n_basis
        closest = minval(norm2(g%coords(:, first:last) - spread(m%atom_coords(:, m%basis_atom(i)), 2, last - first + 1), 1))
        reaches(i) = closest < m%outer_radius(m%basis_fn(i))
      end do
      g%i_basis = [g%i_basis, pack([(i, i = 1, m%n_basis)], reaches)]
      g%batch_basis = [g%batch_basis, size(g%i_basis) + 1]
      g%n_wave = g%n_wave + count(reaches) * (last - first + 1)
    end do
  end subroutine
end module
