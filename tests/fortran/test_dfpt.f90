! SPDX-License-Identifier: BSD-3-Clause
!> Module suite_dfpt: every routine in each implementation that is there, on the host and on the device, and what it refuses.
!>
!>     test_dfpt IMPLEMENTATION...
program test_dfpt
  use checks, only: check, check_failure, finish_checks
  use suite_dfpt
  use test_dfpt_data
  use test_dfpt_kernels, only: check_dfpt
  implicit none (type, external)
  character(len=64) :: implementation
  integer :: i

  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    call check_dfpt(trim(implementation))
  end do
  call make_data()
  call refuse_densities()
  call refuse_matrices()
  call refuse_functions()
  call refuse_potentials()
  call refuse_responses()
  call refuse_device_arrays()
  call finish_checks()

contains

  subroutine refuse_densities()
    real(dp), target :: n(n_points, n_dir), one(n_points, 1), copy(2 * n_points, n_dir)
    type(suite_call) :: density
    integer :: ierr

    call suite_open(density, "dfpt.rho", "reference")
    call suite_dfpt_rho(density, n, density_matrix=density_matrix, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "batch_points of dfpt.rho is not set")
    call suite_dfpt_poisson_set(density, r_radial, grid_shell, knots, int(species), r_grid_min, r_grid_inc, int(radial_points), &
        ierr)
    call check_failure(ierr, suite_not_found, suite_message(density), "dfpt.rho has no argument 'r_radial'")
    call set_density(density, wave(2:))
    call suite_dfpt_rho(density, n, density_matrix=density_matrix, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "n_wave is 51")
    call set_density(density, wave)
    call suite_unset(density, "density_matrix")
    call suite_dfpt_rho(density, n, ierr=ierr, C1=C1)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "C1 is set but C is not")
    call suite_dfpt_rho(density, n, C=C, C1=C1(:, :, :2), ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "n_dir is 2 in C1 but 3 in rho")
    call suite_dfpt_rho(density, copy(::2, :), C=C, C1=C1, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "rho is a section that is not contiguous in memory")
    call suite_dfpt_rho_set(density, int(batch_points), int(batch_basis), [1, 2, 4, 8, 1, 2, 3, 5, 6, 7], wave)
    call suite_dfpt_rho(density, n, C=C, C1=C1, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "i_basis(4) is 8")
    call suite_dfpt_rho_set(density, [1, 5, 4, 12], int(batch_basis), int(i_basis), wave)
    call suite_dfpt_rho(density, n, C=C, C1=C1, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "batch_points(3) is 4")
    call set_density(density, wave)
    call suite_unset(density, "C")
    call suite_unset(density, "C1")
    call suite_dfpt_rho(density, n, density_matrix=density_matrix)
    call suite_dfpt_rho(density, one, density_matrix=density_matrix(:, :, 2:2))
    call check(all(abs(one(:, 1) - n(:, 2)) <= 0), "after all of this the call works")
    call suite_close(density)
    call suite_dfpt_rho(density, n, density_matrix=density_matrix, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "needs an open call")
  end subroutine

  subroutine set_density(density, functions)
    type(suite_call), intent(inout) :: density
    real(dp), intent(in), target :: functions(:)

    call suite_dfpt_rho_set(density, int(batch_points), int(batch_basis), int(i_basis), functions)
  end subroutine

  subroutine refuse_matrices()
    real(dp), target :: H(n_basis, n_basis, n_dir), HC(n_basis, n_occ, n_dir)
    type(suite_call) :: matrices
    integer :: ierr

    H = 0
    HC = 0
    call suite_open(matrices, "dfpt.h", "reference")
    call suite_dfpt_h_set(matrices, int(batch_points), int(batch_basis), int(i_basis), wave, partition_tab)
    call suite_dfpt_h(matrices, v=v(:10, :), H=H, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(matrices), "v is a section that is not contiguous")
    call suite_dfpt_h(matrices, v=v, H=H, HC=HC, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(matrices), "HC is set but C is not")
    call suite_dfpt_h_set(matrices, int(batch_points), int(batch_basis), int(i_basis), wave, partition_tab, wave_right)
    call suite_dfpt_h(matrices, C, v, HC=HC, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(matrices), "wave_right and HC are set")
    call suite_close(matrices)
  end subroutine

  subroutine refuse_functions()
    real(dp), target :: chi(n_wave), f(n_lm, n_radial, n_atoms, n_dir), odd(5, n_radial, n_atoms, n_dir)
    integer(kind(point_shell)), target :: elsewhere(n_points)
    type(suite_call) :: functions, components
    integer :: ierr

    call suite_open(functions, "dfpt.basis", "reference")
    call set_functions(functions, [0, -1, 0, 2, 0, -2, 0], outer_radius)
    call suite_dfpt_basis(functions, chi, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(functions), "basis_m(4) is 2 where l is 1")
    call set_functions(functions, int(basis_m), 100 * outer_radius)
    call suite_dfpt_basis(functions, chi, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(functions), "outer_radius(1) is 400 bohr")
    call suite_close(functions)

    call suite_open(components, "dfpt.multipoles", "reference")
    elsewhere = point_shell
    elsewhere(3) = 7
    call suite_dfpt_multipoles_set(components, coords, atom_coords, point_atom, elsewhere, projection_weight)
    call suite_dfpt_multipoles(components, rho, f, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(components), "point_shell(3) is 7")
    call suite_dfpt_multipoles_set(components, coords, atom_coords, point_atom, point_shell, projection_weight)
    call suite_dfpt_multipoles(components, rho, odd, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(components), "n_lm is 5")
    call suite_close(components)
  end subroutine

  subroutine set_functions(functions, m, radius)
    type(suite_call), intent(inout) :: functions
    integer, intent(in) :: m(:)
    real(dp), intent(in) :: radius(:)

    call suite_dfpt_basis_set(functions, basis_wave_spl, coords, atom_coords, int(batch_points), int(batch_basis), int(i_basis), &
        int(species), r_grid_min, r_grid_inc, int(basis_atom), int(basis_fn), int(basis_l), m, radius)
  end subroutine

  subroutine refuse_potentials()
    real(dp), target :: spl(n_lm, 4, n_knots, n_atoms, n_dir), m(n_lm, n_atoms, n_dir), vs(n_points, n_dir)
    type(suite_call) :: poisson, sum_up
    integer :: ierr

    call suite_open(poisson, "dfpt.poisson", "reference")
    call suite_dfpt_poisson_set(poisson, r_radial, grid_shell, knots, int(species), r_grid_min, r_grid_inc, [6, 3])
    call suite_dfpt_poisson(poisson, rho_multipole, spl, m, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(poisson), "radial_points(2) is 3")
    call suite_dfpt_poisson_set(poisson, r_radial, grid_shell, -knots, int(species), r_grid_min, r_grid_inc, int(radial_points))
    call suite_dfpt_poisson(poisson, rho_multipole, spl, m, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(poisson), "knots(2,1) is")
    call suite_close(poisson)

    call suite_open(sum_up, "dfpt.sum_up", "reference")
    call suite_dfpt_sum_up_set(sum_up, coords, atom_coords, int(species), int(atom_table), multipole_radius, grid_scale=grid_scale)
    call suite_dfpt_sum_up(sum_up, potential_spl, moments, vs, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(sum_up), "grid_scale is set but grid_max is not")
    call suite_dfpt_sum_up_set(sum_up, coords, atom_coords, int(species), [1, 2, 4], multipole_radius, grid_max=grid_max)
    call suite_dfpt_sum_up(sum_up, potential_spl, moments, vs, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(sum_up), "atom_table(3) is 4; the tables are 1 to 3")
    call suite_close(sum_up)
  end subroutine

  subroutine refuse_responses()
    real(dp), target :: P(n_basis, n_basis, n_dir), level(n_states)
    type(suite_call) :: response
    integer :: ierr

    call suite_open(response, "dfpt.response", "reference")
    call suite_dfpt_response(response, all_C, eigenvalues, H1, density_matrix=P, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(response), "n_occ of dfpt.response is not set")
    call suite_dfpt_response_set(response, 6)
    call suite_dfpt_response(response, all_C, eigenvalues, H1, density_matrix=P, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(response), "n_occ is 6; of 5 states")
    call suite_dfpt_response_set(response, n_occ)
    call suite_dfpt_response(response, all_C, eigenvalues, H1, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(response), "neither C1 nor density_matrix is set")
    level = eigenvalues
    level(3) = level(2)
    call suite_dfpt_response(response, all_C, level, H1, density_matrix=P, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(response), "without a gap")
    call suite_close(response)
  end subroutine

  subroutine refuse_device_arrays()
    type(suite_device) :: device
    type(suite_array) :: wave_there, rho_there
    type(suite_call) :: density
    integer :: ierr

    call suite_device_open(device, "cpu")
    call suite_open(density, "dfpt.rho", "reference", device)
    call suite_allocate(device, wave_there, suite_real32, [n_wave])
    call suite_allocate(device, rho_there, suite_real64, shape(rho))
    call suite_dfpt_rho_set(density, int(batch_points), int(batch_basis), int(i_basis), wave_there, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "wave takes real64, but real32 was given")
    call suite_dfpt_rho(density, rho_there, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(density), "wave of dfpt.rho is not set")
    call suite_close(density)
    call suite_release(device, wave_there)
    call suite_release(device, rho_there)
    call suite_device_close(device)
  end subroutine
end program
