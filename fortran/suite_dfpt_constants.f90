! SPDX-License-Identifier: BSD-3-Clause
!> What of family dfpt stays from call to call: atoms, basis functions, radial grids, batches, points, states.
module suite_dfpt_constants
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int32_t
  use suite
  use suite_arguments, only: put_list, put_table
  use suite_calls, only: suite_own_indices, suite_settle
  use suite_optional_arguments
  implicit none (type, external)
  private

  public :: set_constants, set_points, set_states

contains

  !> Copies of what is given.
  subroutine set_constants(dfpt, batch_points, batch_basis, i_basis, atom_coords, species, basis_atom, basis_fn, basis_l, basis_m, &
      r_grid_min, r_grid_inc, outer_radius, r_radial, radial_points, grid_shell, knots, atom_table, grid_scale, grid_max, &
      multipole_radius, ierr)
    type(suite_call), intent(inout) :: dfpt
    integer, intent(in), optional :: batch_points(:), batch_basis(:), i_basis(:), species(:), basis_atom(:), basis_fn(:), &
        basis_l(:), basis_m(:), radial_points(:), atom_table(:)
    real(c_double), intent(in), optional :: atom_coords(:,:), r_grid_min(:), r_grid_inc(:), outer_radius(:), r_radial(:,:), &
        grid_shell(:,:), knots(:,:), grid_scale(:), grid_max(:), multipole_radius(:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call copy_indices(dfpt, "batch_points", batch_points, status)
    call copy_indices(dfpt, "batch_basis", batch_basis, status)
    call copy_indices(dfpt, "i_basis", i_basis, status)
    if (present(atom_coords)) call put_table(dfpt, "atom_coords", atom_coords, status)
    call copy_indices(dfpt, "species", species, status)
    call copy_indices(dfpt, "basis_atom", basis_atom, status)
    call copy_indices(dfpt, "basis_fn", basis_fn, status)
    call copy_indices(dfpt, "basis_l", basis_l, status)
    call copy_indices(dfpt, "basis_m", basis_m, status)
    if (present(r_radial)) call put_table(dfpt, "r_radial", r_radial, status)
    call copy_indices(dfpt, "radial_points", radial_points, status)
    call copy_indices(dfpt, "atom_table", atom_table, status)
    call copy_list(dfpt, "r_grid_min", r_grid_min, status)
    call copy_list(dfpt, "r_grid_inc", r_grid_inc, status)
    call copy_list(dfpt, "outer_radius", outer_radius, status)
    if (present(grid_shell)) call put_table(dfpt, "grid_shell", grid_shell, status)
    if (present(knots)) call put_table(dfpt, "knots", knots, status)
    call copy_list(dfpt, "grid_scale", grid_scale, status)
    call copy_list(dfpt, "grid_max", grid_max, status)
    call copy_list(dfpt, "multipole_radius", multipole_radius, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  !> In place.
  subroutine set_points(dfpt, coords, basis_wave_spl, wave, wave_right, partition_tab, point_atom, point_shell, &
      projection_weight, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(in), target, optional :: coords(:,:), basis_wave_spl(:,:,:), wave(:), wave_right(:), &
        partition_tab(:), projection_weight(:)
    integer(c_int32_t), intent(in), target, optional :: point_atom(:), point_shell(:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "coords", of_2(coords), status)
    call give(dfpt, "basis_wave_spl", of_3(basis_wave_spl), status)
    call give(dfpt, "wave", of_1(wave), status)
    call give(dfpt, "wave_right", of_1(wave_right), status)
    call give(dfpt, "partition_tab", of_1(partition_tab), status)
    call give(dfpt, "point_atom", of_words_1(point_atom), status)
    call give(dfpt, "point_shell", of_words_1(point_shell), status)
    call give(dfpt, "projection_weight", of_1(projection_weight), status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  !> In place, but for the number.
  subroutine set_states(dfpt, C, eigenvalues, n_occ, ierr)
    type(suite_call), intent(inout) :: dfpt
    real(c_double), intent(in), target, optional :: C(:,:), eigenvalues(:)
    integer, intent(in), optional :: n_occ
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call give(dfpt, "C", of_2(C), status)
    call give(dfpt, "eigenvalues", of_1(eigenvalues), status)
    call give_count(dfpt, "n_occ", n_occ, status)
    call suite_settle(dfpt, status, ierr)
  end subroutine

  subroutine copy_indices(dfpt, name, indices, status)
    type(suite_call), intent(inout) :: dfpt
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: indices(:)
    integer(c_int), intent(inout) :: status

    if (present(indices)) call suite_own_indices(dfpt, name, indices, status)
  end subroutine

  subroutine copy_list(dfpt, name, values, status)
    type(suite_call), intent(inout) :: dfpt
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:)
    integer(c_int), intent(inout) :: status

    if (present(values)) call put_list(dfpt, name, values, status)
  end subroutine
end module
