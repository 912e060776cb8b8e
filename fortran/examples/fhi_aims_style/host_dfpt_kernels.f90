! SPDX-License-Identifier: BSD-3-Clause
!> The host's own loops, batch by batch and point by point, for everything that family dfpt computes.
module host_dfpt_kernels
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use host_grid, only: integration_grid, l_max, n_lm
  use host_molecule, only: molecule
  use host_numerics, only: cubic, cubic_spline, pi, spherical_harmonics
  implicit none
  private
  public :: host_basis, host_rho, host_h, host_multipoles, host_poisson, host_sum_up, host_response

contains

  !> wave, function fastest, batch after batch; of basis_kin_spl: -1/2 lap chi.
  subroutine host_basis(m, g, radial_spl, wave)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: radial_spl(:,:,:)
    real(dp), intent(out) :: wave(:)
    integer :: b, i, k, n

    n = 0
    do b = 1, size(g%batch_points) - 1
      do i = g%batch_points(b), g%batch_points(b + 1) - 1
        do k = g%batch_basis(b), g%batch_basis(b + 1) - 1
          n = n + 1
          wave(n) = basis_function(m, radial_spl, g%i_basis(k), g%coords(:, i))
        end do
      end do
    end do
  end subroutine

  real(dp) function basis_function(m, radial_spl, i, point)
    type(molecule), intent(in) :: m
    real(dp), intent(in) :: radial_spl(:,:,:), point(3)
    integer, intent(in) :: i
    real(dp) :: vector(3), r, x, y(4)
    integer :: species, knot

    basis_function = 0
    vector = point - m%atom_coords(:, m%basis_atom(i))
    r = norm2(vector)
    if (r >= m%outer_radius(m%basis_fn(i))) return
    species = m%species(m%basis_atom(i))
    x = log(r / m%r_grid_min(species)) / log(m%r_grid_inc(species))
    knot = min(size(radial_spl, 2) - 2, int(x))
    call spherical_harmonics(1, vector / r, y)
    basis_function = cubic(radial_spl(:, knot + 1, m%basis_fn(i)), x - knot) * y(m%basis_l(i)**2 + m%basis_l(i) + 1 + m%basis_m(i))
  end function

  subroutine host_rho(g, wave, density_matrix, rho)
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: wave(:), density_matrix(:,:,:)
    real(dp), intent(out) :: rho(:,:)
    real(dp), allocatable :: P(:,:)
    integer :: b, i, d, n, before

    do d = 1, size(rho, 2)
      before = 0
      do b = 1, size(g%batch_points) - 1
        associate (list => g%i_basis(g%batch_basis(b):g%batch_basis(b + 1) - 1))
          n = size(list)
          P = density_matrix(list, list, d)
          do i = g%batch_points(b), g%batch_points(b + 1) - 1
            rho(i, d) = dot_product(wave(before + 1:before + n), matmul(P, wave(before + 1:before + n)))
            before = before + n
          end do
        end associate
      end do
    end do
  end subroutine

  !> H_d += sum_points weight_d chi chi'; symmetric, with wave_right made so.
  subroutine host_h(g, wave, weight, H, wave_right)
    type(integration_grid), intent(in) :: g
    real(dp), intent(in), target :: wave(:), weight(:,:) !< (n_points,n_dir): partition_tab times v
    real(dp), intent(inout) :: H(:,:,:)
    real(dp), intent(in), target, optional :: wave_right(:)
    real(dp), pointer :: left(:,:), right(:,:)
    real(dp), allocatable :: part(:,:)
    integer :: b, d, n, before, points, first

    do d = 1, size(H, 3)
      before = 0
      do b = 1, size(g%batch_points) - 1
        associate (list => g%i_basis(g%batch_basis(b):g%batch_basis(b + 1) - 1))
          n = size(list)
          first = g%batch_points(b)
          points = g%batch_points(b + 1) - first
          left(1:n, 1:points) => wave(before + 1:before + n * points)
          right => left
          if (present(wave_right)) right(1:n, 1:points) => wave_right(before + 1:before + n * points)
          part = matmul(left * spread(weight(first:first + points - 1, d), 1, n), transpose(right))
          H(list, list, d) = H(list, list, d) + (part + transpose(part)) / 2
          before = before + n * points
        end associate
      end do
    end do
  end subroutine

  subroutine host_multipoles(m, g, rho, rho_multipole)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: rho(:,:)
    real(dp), intent(out) :: rho_multipole(:,:,:,:)
    real(dp) :: vector(3), y(n_lm)
    integer :: i, d

    rho_multipole = 0
    do i = 1, g%n_points
      vector = g%coords(:, i) - m%atom_coords(:, g%point_atom(i))
      call spherical_harmonics(l_max, vector / norm2(vector), y)
      do d = 1, size(rho, 2)
        associate (f => rho_multipole(:, g%point_shell(i), g%point_atom(i), d))
          f = f + g%projection_weight(i) * rho(i, d) * y
        end associate
      end do
    end do
  end subroutine

  subroutine host_poisson(m, g, rho_multipole, potential_spl, moments)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: rho_multipole(:,:,:,:)
    real(dp), intent(out) :: potential_spl(:,:,:,:,:), moments(:,:,:)
    integer :: atom, d, l, lm

    do d = 1, size(moments, 3)
      do atom = 1, m%n_atoms
        do l = 0, l_max
          do lm = l**2 + 1, (l + 1)**2
            call radial_potential(m, g, m%species(atom), l, rho_multipole(lm, :, atom, d), potential_spl(lm, :, :, atom, d), &
                moments(lm, atom, d))
          end do
        end do
      end do
    end do
  end subroutine

  !> Of one component (Delley, J. Chem. Phys. 92, 508 (1990)): to the logarithmic grid, two integrals there, to the knots.
  subroutine radial_potential(m, g, species, l, shells, potential_spl, moment)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    integer, intent(in) :: species, l
    real(dp), intent(in) :: shells(:)
    real(dp), intent(out) :: potential_spl(:,:), moment
    real(dp), dimension(size(g%grid_shell, 1)) :: r, f, within, beyond, v
    real(dp) :: spline(4, 0:size(shells) + 1), table(size(g%knots, 1)), h
    integer :: i, k, n

    n = g%radial_points(species)
    spline = cubic_spline([merge(at_nucleus(g%r_radial(:3, species), shells(:3)), 0.0_dp, l == 0), shells(:n), 0.0_dp])
    r = m%r_grid(species, [(i, i = 1, size(r))])
    do i = 1, size(r)
      k = int(g%grid_shell(i, species))
      f(i) = 0
      if (g%grid_shell(i, species) <= n) f(i) = cubic(spline(:, k), g%grid_shell(i, species) - k)
    end do
    h = log(m%r_grid_inc(species))
    within = f(1) * r(1)**(l + 3) / (l + 3) + integral(f * r**(l + 3) * h)
    beyond = integral(f(size(r):1:-1) * r(size(r):1:-1)**(2 - l) * h) ! inwards: differences would lose every digit
    beyond = beyond(size(r):1:-1)
    v = 4 * pi / (2 * l + 1) * (within / r**(l + 1) + beyond * r**l)
    moment = 4 * pi / (2 * l + 1) * within(size(r))
    do k = 1, size(table)
      associate (radius => g%knots(k, species))
        if (radius > g%r_radial(n, species)) then
          table(k) = moment / radius**(l + 1)
        else if (radius < r(1)) then
          table(k) = v(1) * (radius / r(1))**l
        else
          table(k) = interpolated(v, log(radius / r(1)) / h)
        end if
      end associate
    end do
    potential_spl = cubic_spline(table)
  end subroutine

  !> The parabola through three points, at 0.
  real(dp) function at_nucleus(r, f)
    real(dp), intent(in) :: r(3), f(3)

    at_nucleus = f(1) * r(2) * r(3) / ((r(1) - r(2)) * (r(1) - r(3))) + f(2) * r(1) * r(3) / ((r(2) - r(1)) * (r(2) - r(3))) &
        + f(3) * r(1) * r(2) / ((r(3) - r(1)) * (r(3) - r(2)))
  end function

  !> From the first point to each, every interval by the cubic through its four nearest points.
  function integral(f) result(sums)
    real(dp), intent(in) :: f(:)
    real(dp) :: sums(size(f))
    integer :: i, n

    n = size(f)
    sums(1) = 0
    sums(2) = (9 * f(1) + 19 * f(2) - 5 * f(3) + f(4)) / 24
    do i = 3, n - 1
      sums(i) = sums(i - 1) + (13 * (f(i - 1) + f(i)) - f(i - 2) - f(i + 1)) / 24
    end do
    sums(n) = sums(n - 1) + (9 * f(n) + 19 * f(n - 1) - 5 * f(n - 2) + f(n - 3)) / 24
  end function

  !> The polynomial through the six points nearest to x, which counts them from 0.
  real(dp) function interpolated(f, x)
    real(dp), intent(in) :: f(0:), x
    real(dp) :: weight
    integer :: i, j, first

    first = max(0, min(size(f) - 6, int(x) - 2))
    interpolated = 0
    do i = first, first + 5
      weight = 1
      do j = first, first + 5
        if (j /= i) weight = weight * (x - j) / (i - j)
      end do
      interpolated = interpolated + weight * f(i)
    end do
  end function

  subroutine host_sum_up(m, g, potential_spl, moments, potential)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    real(dp), intent(in) :: potential_spl(:,:,:,:,:), moments(:,:,:)
    real(dp), intent(out) :: potential(:,:)
    real(dp) :: vector(3), r, x, y(n_lm), values(n_lm)
    integer :: i, d, atom, knot, l, lm

    potential = 0
    do i = 1, g%n_points
      do atom = 1, m%n_atoms
        vector = g%coords(:, i) - m%atom_coords(:, atom)
        r = norm2(vector)
        call spherical_harmonics(l_max, vector / r, y)
        associate (scale => g%grid_scale(m%species(atom)), last => g%grid_max(m%species(atom)))
          x = (size(g%knots, 1) - 1) * sqrt((1 - exp(-r / scale)) / (1 - exp(-last / scale)))
          knot = min(size(g%knots, 1) - 2, int(x))
          do d = 1, size(potential, 2)
            if (r < g%multipole_radius(m%species(atom))) then
              do lm = 1, n_lm
                values(lm) = cubic(potential_spl(lm, :, knot + 1, atom, d), x - knot)
              end do
            else
              do l = 0, l_max
                values(l**2 + 1:(l + 1)**2) = moments(l**2 + 1:(l + 1)**2, atom, d) / r**(l + 1)
              end do
            end if
            potential(i, d) = potential(i, d) + dot_product(values, y)
          end do
        end associate
      end do
    end do
  end subroutine

  subroutine host_response(C, eigenvalues, n_occ, H1, density_matrix)
    real(dp), intent(in) :: C(:,:), eigenvalues(:), H1(:,:,:)
    integer, intent(in) :: n_occ
    real(dp), intent(out) :: density_matrix(:,:,:)
    real(dp) :: U(size(C, 2) - n_occ, n_occ), C1(size(C, 1), n_occ)
    integer :: d, i

    do d = 1, size(H1, 3)
      U = matmul(transpose(C(:, n_occ + 1:)), matmul(H1(:, :, d), C(:, :n_occ)))
      do i = 1, n_occ
        U(:, i) = U(:, i) / (eigenvalues(i) - eigenvalues(n_occ + 1:))
      end do
      C1 = matmul(C(:, n_occ + 1:), U)
      density_matrix(:, :, d) = 2 * matmul(C1, transpose(C(:, :n_occ)))
      density_matrix(:, :, d) = density_matrix(:, :, d) + transpose(density_matrix(:, :, d))
    end do
  end subroutine
end module
