! SPDX-License-Identifier: BSD-3-Clause
!> Arrays for the tests of suite_dfpt, and what those share. Extents differ, so that a swapped pair would be refused; the second
!> of three batches is one point without functions.
module test_dfpt_data
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int32_t, c_null_char
  use checks, only: check
  use suite_dfpt
  use suite_host_arrays, only: int32_1
  implicit none (type, external)
  private
  public :: dp, n_points, n_wave, n_basis, n_occ, n_states, n_dir, n_atoms, n_lm, n_radial, n_knots, dfpt, truth
  public :: batch_points, batch_basis, i_basis, species, basis_atom, basis_fn, basis_l, basis_m, radial_points, atom_table, &
      point_atom, point_shell, n_occupied
  public :: coords, atom_coords, r_grid_min, r_grid_inc, basis_wave_spl, outer_radius, wave, wave_right, partition_tab, &
      projection_weight, r_radial, grid_shell, knots, grid_scale, grid_max, multipole_radius
  public :: rho, density_matrix, C, C1, v, rho_multipole, potential_spl, moments, all_C, eigenvalues, H1, HC1
  public :: make_data, opens, backend_of, c_gives, c_gives_batches, c_runs, same, bits

  integer, parameter :: dp = c_double
  integer, parameter :: n_points = 11, n_wave = 52, n_basis = 7, n_occ = 2, n_states = 5, n_dir = 3, n_atoms = 3, n_lm = 4
  integer, parameter :: n_radial = 6, n_grid = 18, n_knots = 8
  integer(c_int32_t), target :: batch_points(4) = [1, 5, 6, 12], batch_basis(4) = [1, 5, 5, 11]
  integer(c_int32_t), target :: i_basis(10) = [1, 2, 4, 7, 1, 2, 3, 5, 6, 7], species(n_atoms) = [1, 2, 1]
  integer(c_int32_t), target :: basis_atom(n_basis) = [1, 1, 1, 1, 2, 2, 3], basis_fn(n_basis) = [1, 2, 2, 2, 3, 4, 1]
  integer(c_int32_t), target :: basis_l(n_basis) = [0, 1, 1, 1, 0, 2, 0], basis_m(n_basis) = [0, -1, 0, 1, 0, -2, 0]
  integer(c_int32_t), target :: radial_points(2) = [6, 5], atom_table(n_atoms) = [2, 3, 1]
  integer(c_int32_t), target :: point_atom(n_points) = [1, 1, 2, 3, 2, 1, 3, 3, 2, 1, 2]
  integer(c_int32_t), target :: point_shell(n_points) = [1, 2, 3, 4, 5, 6, 1, 2, 4, 4, 5], n_occupied = n_occ
  real(dp), target :: r_grid_min(2) = [0.01_dp, 0.008_dp], r_grid_inc(2) = [1.5_dp, 1.6_dp]
  real(dp), target :: outer_radius(4) = [4.0_dp, 5.0_dp, 3.5_dp, 6.0_dp], multipole_radius(2) = [2.5_dp, 3.0_dp]
  real(dp), target :: coords(3, n_points), atom_coords(3, n_atoms), basis_wave_spl(4, n_grid, 4), wave(n_wave), wave_right(n_wave)
  real(dp), target :: partition_tab(n_points), projection_weight(n_points), r_radial(n_radial, 2), grid_shell(n_grid, 2)
  real(dp), target :: knots(n_knots, 2), grid_scale(2), grid_max(2)
  real(dp), target :: rho(n_points, n_dir), density_matrix(n_basis, n_basis, n_dir), C(n_basis, n_occ), C1(n_basis, n_occ, n_dir)
  real(dp), target :: v(n_points, n_dir), rho_multipole(n_lm, n_radial, n_atoms, n_dir), moments(n_lm, n_atoms, n_dir)
  real(dp), target :: potential_spl(n_lm, 4, n_knots, n_atoms, n_dir), all_C(n_basis, n_states), eigenvalues(n_states)
  real(dp), target :: H1(n_basis, n_basis, n_dir), HC1(n_basis, n_occ, n_dir)
  type(suite_call) :: dfpt, truth

  interface
    integer(c_int) function run_in_c(kernel, implementation, n, names, arrays, is_result) bind(c)
      import :: c_char, c_int, c_int32_t, suite_array
      character(kind=c_char), intent(in) :: kernel(*), implementation(*), names(*)
      integer(c_int32_t), value :: n
      type(suite_array), intent(in) :: arrays(*)
      integer(c_int32_t), intent(in) :: is_result(*)
    end function
  end interface

  integer, parameter :: name_length = 32
  character(len=:), allocatable :: names
  type(suite_array), allocatable :: arrays(:)
  integer(c_int32_t), allocatable :: is_result(:)

contains

  subroutine make_data()
    integer :: i, d

    atom_coords = reshape([0.0_dp, 0.1_dp, -0.2_dp, 1.9_dp, 0.3_dp, 0.4_dp, -0.5_dp, 2.2_dp, 0.6_dp], [3, n_atoms])
    do i = 1, n_points
      coords(:, i) = atom_coords(:, point_atom(i)) + 1.3_dp * numbers(3, i)
    end do
    basis_wave_spl = reshape(numbers(size(basis_wave_spl), 31), shape(basis_wave_spl))
    wave = numbers(n_wave, 41)
    wave_right = numbers(n_wave, 42)
    partition_tab = 1 + 0.5_dp * numbers(n_points, 43)
    projection_weight = 1 + 0.5_dp * numbers(n_points, 44)
    do i = 1, 2
      grid_scale(i) = 2.0_dp + i
      r_radial(:, i) = -grid_scale(i) * log(1 - [(d / 7.0_dp, d = 1, n_radial)]**2)
      grid_max(i) = r_radial(n_radial, i)
      knots(:, i) = -grid_scale(i) * log(1 - [(d * 6 / 7.0_dp / (n_knots - 1), d = 0, n_knots - 1)]**2)
      grid_shell(:, i) = 7 * sqrt(1 - exp(-r_grid_min(i) * r_grid_inc(i)**[(d, d = 0, n_grid - 1)] / grid_scale(i)))
    end do
    rho = reshape(numbers(size(rho), 51), shape(rho))
    density_matrix = symmetric(52)
    C = reshape(numbers(size(C), 53), shape(C))
    C1 = reshape(numbers(size(C1), 54), shape(C1))
    v = reshape(numbers(size(v), 55), shape(v))
    rho_multipole = reshape(numbers(size(rho_multipole), 56), shape(rho_multipole))
    moments = reshape(numbers(size(moments), 57), shape(moments))
    potential_spl = reshape(numbers(size(potential_spl), 58), shape(potential_spl))
    all_C = reshape(numbers(size(all_C), 59), shape(all_C))
    eigenvalues = [-0.9_dp, -0.4_dp, 0.1_dp, 0.35_dp, 0.8_dp]
    H1 = symmetric(60)
    HC1 = reshape(numbers(size(HC1), 61), shape(HC1))
  end subroutine

  !> Between -1 and 1.
  function numbers(n, seed) result(x)
    integer, intent(in) :: n, seed
    real(dp) :: x(n)
    integer :: i

    x = [(sin(0.7_dp * seed + 1.7_dp * i + 0.013_dp * seed * i), i = 1, n)]
  end function

  function symmetric(seed) result(A)
    integer, intent(in) :: seed
    real(dp) :: A(n_basis, n_basis, n_dir)
    integer :: d

    do d = 1, n_dir
      A(:, :, d) = reshape(numbers(n_basis**2, seed + 10 * d), [n_basis, n_basis])
      A(:, :, d) = A(:, :, d) + transpose(A(:, :, d))
    end do
  end function

  !> Opens the kernel in this implementation and in the reference, or says what is not there; the next call in C is new.
  logical function opens(kernel, name)
    character(len=*), intent(in) :: kernel, name
    integer :: ierr

    names = ""
    arrays = [suite_array ::]
    is_result = [integer(c_int32_t) ::]
    call suite_open(dfpt, kernel, name, ierr=ierr)
    opens = ierr == suite_ok
    if (ierr == suite_not_found .or. ierr == suite_device_error) then
      print "(4a)", "SKIPPED ", kernel, ": ", suite_message(dfpt)
    else
      call check(opens, kernel // " opens on " // name // ": " // suite_message(dfpt))
    end if
    if (opens) call suite_open(truth, kernel, "reference")
  end function

  !> The device of an implementation: the processor's for the reference.
  function backend_of(name) result(backend)
    character(len=*), intent(in) :: name
    character(len=:), allocatable :: backend

    backend = name
    if (name == "reference") backend = "cpu"
  end function

  !> An argument of the next call in C; one that was given already is replaced.
  subroutine c_gives(name, array, result)
    character(len=*), intent(in) :: name
    type(suite_array), intent(in) :: array
    logical, intent(in), optional :: result
    character(len=name_length) :: padded
    integer :: i

    padded = name // c_null_char
    do i = 1, size(arrays)
      if (names((i - 1) * name_length + 1:i * name_length) /= padded) cycle
      arrays(i) = array
      return
    end do
    names = names // padded
    arrays = [arrays, array]
    is_result = [is_result, merge(1_c_int32_t, 0_c_int32_t, present(result))]
  end subroutine

  subroutine c_gives_batches()
    call c_gives("batch_points", int32_1(batch_points))
    call c_gives("batch_basis", int32_1(batch_basis))
    call c_gives("i_basis", int32_1(i_basis))
  end subroutine

  subroutine c_runs(kernel, implementation)
    character(len=*), intent(in) :: kernel, implementation

    call check(run_in_c(kernel // c_null_char, implementation // c_null_char, size(arrays, kind=c_int32_t), names, arrays, &
        is_result) == 0, implementation // " " // kernel // " in C")
  end subroutine

  subroutine same(value, expected, what)
    real(dp), intent(in) :: value(:), expected(:)
    character(len=*), intent(in) :: what

    call check(maxval(abs(expected)) > 0, what // ": there is something to compare")
    call check(maxval(abs(value - expected)) <= 1.0e-11_dp * maxval(abs(expected)), what)
  end subroutine

  !> Bit for bit.
  subroutine bits(value, expected, what)
    real(dp), intent(in) :: value(:), expected(:)
    character(len=*), intent(in) :: what

    call check(maxval(abs(expected)) > 0 .and. all(value == expected), what // " equals C bit for bit")
  end subroutine
end module
