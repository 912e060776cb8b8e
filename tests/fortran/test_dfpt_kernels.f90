! SPDX-License-Identifier: BSD-3-Clause
!> Every routine of suite_dfpt in one implementation: bit for bit as the same call in C, in agreement with the reference, and with
!> what is known without it. What C changes is volatile: it has the address only.
module test_dfpt_kernels
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t, c_loc
  use checks, only: check
  use suite_dfpt
  use suite_arguments, only: described
  use suite_host_arrays, only: int32_1, int32_2, real64_1, real64_2, real64_3, real64_4, real64_5
  use test_dfpt_data
  implicit none (type, external)
  private
  public :: check_dfpt

contains

  subroutine check_dfpt(name)
    character(len=*), intent(in) :: name

    call make_data()
    call basis(name)
    call densities_of_matrices(name)
    call densities_of_orbitals(name)
    call matrices(name)
    call products(name)
    call components(name)
    call radial_potentials(name)
    call potentials(name)
    call plane_waves(name)
    call responses(name)
    call on_the_device(name)
    call suite_close(dfpt)
    call suite_close(truth)
  end subroutine

  subroutine basis(name)
    character(len=*), intent(in) :: name
    real(dp), target :: chi(n_wave), expected(n_wave)
    real(dp), target, volatile :: in_c(n_wave)
    real(dp) :: seconds

    if (.not. opens("dfpt.basis", name)) return
    call set_functions(dfpt)
    call set_functions(truth)
    call suite_dfpt_basis(dfpt, chi, seconds)
    call suite_dfpt_basis(truth, expected)
    call check(seconds >= 0, name // " seconds")
    call same(chi, expected, name // " basis")
    call c_gives_batches()
    call c_gives("coords", real64_2(coords))
    call c_gives("atom_coords", real64_2(atom_coords))
    call c_gives("species", int32_1(species))
    call c_gives("basis_atom", int32_1(basis_atom))
    call c_gives("basis_fn", int32_1(basis_fn))
    call c_gives("basis_l", int32_1(basis_l))
    call c_gives("basis_m", int32_1(basis_m))
    call c_gives("r_grid_min", real64_1(r_grid_min))
    call c_gives("r_grid_inc", real64_1(r_grid_inc))
    call c_gives("basis_wave_spl", real64_3(basis_wave_spl))
    call c_gives("outer_radius", real64_1(outer_radius))
    in_c = 0
    call c_gives("wave", real64_1(in_c), result=.true.)
    call c_runs("dfpt.basis", name)
    call bits(chi, in_c, name // " basis")
  end subroutine

  subroutine set_functions(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_basis_set(call, basis_wave_spl, coords, atom_coords, int(batch_points), int(batch_basis), int(i_basis), &
        int(species), r_grid_min, r_grid_inc, int(basis_atom), int(basis_fn), int(basis_l), int(basis_m), outer_radius)
  end subroutine

  subroutine densities_of_matrices(name)
    character(len=*), intent(in) :: name
    real(dp), target :: n(n_points, n_dir), expected(n_points, n_dir)
    real(dp), target, volatile :: in_c(n_points, n_dir)

    if (.not. opens("dfpt.rho", name)) return
    call set_densities(dfpt)
    call set_densities(truth)
    call suite_dfpt_rho(dfpt, n, density_matrix=density_matrix)
    call suite_dfpt_rho(truth, expected, density_matrix=density_matrix)
    call same([n], [expected], name // " rho of matrices")
    ! Without the kernel: point 2 has functions 1, 2, 4, 7; point 5 has none.
    associate (chi => wave(5:8), P => density_matrix([1, 2, 4, 7], [1, 2, 4, 7], 2))
      call check(abs(n(2, 2) - dot_product(chi, matmul(P, chi))) <= 1.0e-12_dp, name // " rho is chi P chi")
    end associate
    call check(all(abs(n(5, :)) <= 0), name // " rho where there are no functions")
    call c_gives_batches()
    call c_gives("wave", real64_1(wave))
    call c_gives("density_matrix", real64_3(density_matrix))
    in_c = 0
    call c_gives("rho", real64_2(in_c), result=.true.)
    call c_runs("dfpt.rho", name)
    call bits([n], [in_c], name // " rho of matrices")
    ! Inputs that are absent stay.
    in_c = n
    n = 0
    call suite_dfpt_rho(dfpt, n)
    call bits([n], [in_c], name // " rho again")
  end subroutine

  subroutine set_densities(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_rho_set(call, int(batch_points), int(batch_basis), int(i_basis), wave)
  end subroutine

  subroutine densities_of_orbitals(name)
    character(len=*), intent(in) :: name
    real(dp), target :: n(n_points, n_dir), expected(n_points, n_dir), one(n_points, 1)
    real(dp), target, volatile :: in_c(n_points, n_dir)
    real(dp), target :: P(n_basis, n_basis, 1), of_P(n_points, 1)

    if (.not. opens("dfpt.rho", name)) return
    call set_densities(dfpt)
    call set_densities(truth)
    call suite_dfpt_rho(dfpt, n, C=C, C1=C1)
    call suite_dfpt_rho(truth, expected, C=C, C1=C1)
    call same([n], [expected], name // " rho of orbitals")
    call c_gives_batches()
    call c_gives("wave", real64_1(wave))
    call c_gives("C", real64_2(C))
    call c_gives("C1", real64_3(C1))
    in_c = 0
    call c_gives("rho", real64_2(in_c), result=.true.)
    call c_runs("dfpt.rho", name)
    call bits([n], [in_c], name // " rho of orbitals")
    ! One form after the other, in the same call.
    P(:, :, 1) = 2 * matmul(C, transpose(C))
    call suite_unset(dfpt, "C")
    call suite_unset(dfpt, "C1")
    call suite_dfpt_rho(dfpt, of_P, density_matrix=P)
    call suite_unset(dfpt, "density_matrix")
    call suite_dfpt_rho(dfpt, one, C=C)
    call same([one], [of_P], name // " rho of the ground state, of orbitals and of their matrix")
  end subroutine

  subroutine matrices(name)
    character(len=*), intent(in) :: name
    real(dp), target :: H(n_basis, n_basis, n_dir), expected(n_basis, n_basis, n_dir)
    real(dp), target, volatile :: in_c(n_basis, n_basis, n_dir)
    real(dp), target :: HC(n_basis, n_occ, n_dir), HC_true(n_basis, n_occ, n_dir)
    real(dp), target, volatile :: HC_c(n_basis, n_occ, n_dir)
    real(dp), target :: S(n_basis, n_basis, 1)
    integer :: d

    if (.not. opens("dfpt.h", name)) return
    call set_matrices(dfpt)
    call set_matrices(truth)
    H = H1
    expected = H1
    HC = HC1
    HC_true = HC1
    ! v has not been set: the overlap.
    S = 0
    call suite_dfpt_h(dfpt, H=S)
    call check(abs(S(2, 1, 1) - sum(partition_tab(:4) * wave(1:13:4) * wave(2:14:4)) &
        - sum(partition_tab(6:) * wave(17:47:6) * wave(18:48:6))) <= 1.0e-12_dp, name // " h: the overlap")
    call suite_dfpt_h(dfpt, C, v, H, HC)
    call suite_dfpt_h(truth, C, v, expected, HC_true)
    call same([H], [expected], name // " h: H")
    call same([HC], [HC_true], name // " h: HC")
    do d = 1, n_dir
      call same([HC(:, :, d) - HC1(:, :, d)], [matmul(H(:, :, d) - H1(:, :, d), C)], name // " h adds to H and HC")
    end do
    in_c = H1
    HC_c = HC1
    call c_gives_batches()
    call c_gives("wave", real64_1(wave))
    call c_gives("partition_tab", real64_1(partition_tab))
    call c_gives("v", real64_2(v))
    call c_gives("C", real64_2(C))
    call c_gives("H", real64_3(in_c), result=.true.)
    call c_gives("HC", real64_3(HC_c), result=.true.)
    call c_runs("dfpt.h", name)
    call bits([H], [in_c], name // " h: H")
    call bits([HC], [HC_c], name // " h: HC")
    ! A second set of functions; HC is not asked for any more.
    call suite_unset(dfpt, "HC")
    call suite_unset(dfpt, "C")
    call suite_unset(truth, "HC")
    call suite_unset(truth, "C")
    HC = -7
    call set_matrices(dfpt, wave_right)
    call set_matrices(truth, wave_right)
    call suite_dfpt_h(dfpt, H=H)
    call suite_dfpt_h(truth, H=expected)
    call same([H], [expected], name // " h with a second set of functions")
    call check(all(HC >= -7 .and. HC <= -7), name // " h leaves what was not asked for")
  end subroutine

  subroutine set_matrices(call, wave_right)
    type(suite_call), intent(inout) :: call
    real(dp), intent(in), target, optional :: wave_right(:)

    call suite_dfpt_h_set(call, int(batch_points), int(batch_basis), int(i_basis), wave, partition_tab, wave_right)
  end subroutine

  subroutine products(name)
    character(len=*), intent(in) :: name
    real(dp), target :: HC(n_basis, n_occ, n_dir), expected(n_basis, n_occ, n_dir)
    real(dp), target, volatile :: in_c(n_basis, n_occ, n_dir)

    if (.not. opens("dfpt.h", name)) return
    call set_matrices(dfpt)
    call set_matrices(truth)
    HC = HC1
    expected = HC1
    in_c = HC1
    call suite_dfpt_h(dfpt, C, v, HC=HC)
    call suite_dfpt_h(truth, C, v, HC=expected)
    call same([HC], [expected], name // " hc")
    call c_gives_batches()
    call c_gives("wave", real64_1(wave))
    call c_gives("partition_tab", real64_1(partition_tab))
    call c_gives("v", real64_2(v))
    call c_gives("C", real64_2(C))
    call c_gives("HC", real64_3(in_c), result=.true.)
    call c_runs("dfpt.h", name)
    call bits([HC], [in_c], name // " hc")
  end subroutine

  subroutine components(name)
    character(len=*), intent(in) :: name
    real(dp), target :: f(n_lm, n_radial, n_atoms, n_dir)
    real(dp), target, volatile :: in_c(n_lm, n_radial, n_atoms, n_dir)
    real(dp), target :: expected(n_lm, n_radial, n_atoms, n_dir)

    if (.not. opens("dfpt.multipoles", name)) return
    call set_shells(dfpt)
    call set_shells(truth)
    call suite_dfpt_multipoles(dfpt, rho, f)
    call suite_dfpt_multipoles(truth, rho, expected)
    call same([f], [expected], name // " multipoles")
    ! Point 1 lies alone on its shell: Y_00 is 1/sqrt(4 pi).
    call check(abs(f(1, 1, 1, 2) - projection_weight(1) * rho(1, 2) / sqrt(16 * atan(1.0_dp))) <= 1.0e-14_dp, &
        name // " multipoles of one point")
    call c_gives("coords", real64_2(coords))
    call c_gives("atom_coords", real64_2(atom_coords))
    call c_gives("point_atom", int32_1(point_atom))
    call c_gives("point_shell", int32_1(point_shell))
    call c_gives("projection_weight", real64_1(projection_weight))
    call c_gives("rho", real64_2(rho))
    in_c = 0
    call c_gives("rho_multipole", real64_4(in_c), result=.true.)
    call c_runs("dfpt.multipoles", name)
    call bits([f], [in_c], name // " multipoles")
  end subroutine

  subroutine set_shells(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_multipoles_set(call, coords, atom_coords, point_atom, point_shell, projection_weight)
  end subroutine

  subroutine radial_potentials(name)
    character(len=*), intent(in) :: name
    real(dp), dimension(n_lm, 4, n_knots, n_atoms, n_dir), target :: spl, spl_true, f, f_true
    real(dp), dimension(n_lm, 4, n_knots, n_atoms, n_dir), target, volatile :: spl_c, f_c
    real(dp), dimension(n_lm, n_atoms, n_dir), target :: m, m_true
    real(dp), dimension(n_lm, n_atoms, n_dir), target, volatile :: m_c

    if (.not. opens("dfpt.poisson", name)) return
    call set_radial(dfpt)
    call set_radial(truth)
    call suite_dfpt_poisson(dfpt, rho_multipole, spl, m, f)
    call suite_dfpt_poisson(truth, rho_multipole, spl_true, m_true, f_true)
    call same([spl], [spl_true], name // " poisson: potential_spl")
    call same([m], [m_true], name // " poisson: moments")
    call same([f], [f_true], name // " poisson: density_spl")
    call c_gives("species", int32_1(species))
    call c_gives("r_radial", real64_2(r_radial))
    call c_gives("radial_points", int32_1(radial_points))
    call c_gives("r_grid_min", real64_1(r_grid_min))
    call c_gives("r_grid_inc", real64_1(r_grid_inc))
    call c_gives("grid_shell", real64_2(grid_shell))
    call c_gives("knots", real64_2(knots))
    call c_gives("rho_multipole", real64_4(rho_multipole))
    spl_c = 0
    m_c = 0
    f_c = 0
    call c_gives("potential_spl", real64_5(spl_c), result=.true.)
    call c_gives("moments", real64_3(m_c), result=.true.)
    call c_gives("density_spl", real64_5(f_c), result=.true.)
    call c_runs("dfpt.poisson", name)
    call bits([spl], [spl_c], name // " poisson: potential_spl")
    call bits([m], [m_c], name // " poisson: moments")
    call bits([f], [f_c], name // " poisson: density_spl")
    f = -7
    call suite_dfpt_poisson(dfpt, rho_multipole, spl, m)
    call bits([spl], [spl_c], name // " poisson again")
    call check(all(f >= -7 .and. f <= -7), name // " poisson leaves what was not asked for")
  end subroutine

  subroutine set_radial(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_poisson_set(call, r_radial, grid_shell, knots, int(species), r_grid_min, r_grid_inc, int(radial_points))
  end subroutine

  subroutine potentials(name)
    character(len=*), intent(in) :: name
    real(dp), target :: vs(n_points, n_dir), expected(n_points, n_dir)
    real(dp), target, volatile :: in_c(n_points, n_dir)

    if (.not. opens("dfpt.sum_up", name)) return
    call set_tables(dfpt)
    call set_tables(truth)
    call suite_dfpt_sum_up(dfpt, potential_spl, moments, vs)
    call suite_dfpt_sum_up(truth, potential_spl, moments, expected)
    call same([vs], [expected], name // " sum_up")
    call c_gives("coords", real64_2(coords))
    call c_gives("atom_coords", real64_2(atom_coords))
    call c_gives("species", int32_1(species))
    call c_gives("atom_table", int32_1(atom_table))
    call c_gives("grid_scale", real64_1(grid_scale))
    call c_gives("grid_max", real64_1(grid_max))
    call c_gives("multipole_radius", real64_1(multipole_radius))
    call c_gives("potential_spl", real64_5(potential_spl))
    call c_gives("moments", real64_3(moments))
    in_c = 0
    call c_gives("potential", real64_2(in_c), result=.true.)
    call c_runs("dfpt.sum_up", name)
    call bits([vs], [in_c], name // " sum_up")
    ! Other knots, and moments alone are new.
    call suite_unset(dfpt, "grid_scale")
    call suite_unset(dfpt, "grid_max")
    call suite_unset(truth, "grid_scale")
    call suite_unset(truth, "grid_max")
    call suite_dfpt_sum_up_set(dfpt, coords, atom_coords, int(species), int(atom_table), multipole_radius, &
        r_grid_min=[0.2_dp, 0.3_dp], r_grid_inc=[1.6_dp, 1.5_dp])
    call suite_dfpt_sum_up_set(truth, coords, atom_coords, int(species), int(atom_table), multipole_radius, &
        r_grid_min=[0.2_dp, 0.3_dp], r_grid_inc=[1.6_dp, 1.5_dp])
    moments = 2 * moments
    call suite_dfpt_sum_up(dfpt, potential_spl, moments, vs)
    call suite_dfpt_sum_up(truth, potential_spl, moments, expected)
    call same([vs], [expected], name // " sum_up with logarithmic knots")
    moments = moments / 2
  end subroutine

  subroutine set_tables(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_sum_up_set(call, coords, atom_coords, int(species), int(atom_table), multipole_radius, &
        grid_scale=grid_scale, grid_max=grid_max)
  end subroutine

  subroutine plane_waves(name)
    character(len=*), intent(in) :: name
    real(dp), target :: vs(n_points, n_dir), expected(n_points, n_dir)
    real(dp), target, volatile :: in_c(n_points, n_dir)
    integer(c_int32_t), target :: g_index(3, 4) = reshape([1, 0, 0, 0, -1, 2, -3, 1, 0, 0, 0, 1], [3, 4])
    real(dp), target :: reciprocal(3, 3) = reshape( &
        [0.9_dp, 0.1_dp, 0.0_dp, 0.0_dp, 1.1_dp, -0.2_dp, 0.1_dp, 0.0_dp, 1.0_dp], [3, 3])
    real(dp), target :: g_weight(4) = [0.5_dp, 0.1_dp, 0.05_dp, 0.4_dp]

    if (.not. opens("dfpt.reciprocal", name)) return
    call suite_dfpt_reciprocal_set(dfpt, coords, atom_coords, g_index, reciprocal, g_weight)
    call suite_dfpt_reciprocal_set(truth, coords, atom_coords, g_index, reciprocal, g_weight)
    vs = 0.25_dp
    expected = vs
    in_c = vs
    call suite_dfpt_reciprocal(dfpt, moments, vs)
    call suite_dfpt_reciprocal(truth, moments, expected)
    call same([vs], [expected], name // " reciprocal")
    call c_gives("coords", real64_2(coords))
    call c_gives("atom_coords", real64_2(atom_coords))
    call c_gives("g_index", int32_2(g_index))
    call c_gives("reciprocal", real64_2(reciprocal))
    call c_gives("g_weight", real64_1(g_weight))
    call c_gives("moments", real64_3(moments))
    call c_gives("potential", real64_2(in_c), result=.true.)
    call c_runs("dfpt.reciprocal", name)
    call bits([vs], [in_c], name // " reciprocal")
  end subroutine

  subroutine responses(name)
    character(len=*), intent(in) :: name
    real(dp), dimension(n_basis, n_occ, n_dir), target :: C1, C1_true, HC
    real(dp), dimension(n_basis, n_occ, n_dir), target, volatile :: C1_c
    real(dp), dimension(n_basis, n_basis, n_dir), target :: P1, P1_true
    real(dp), dimension(n_basis, n_basis, n_dir), target, volatile :: P1_c
    integer :: d

    if (.not. opens("dfpt.response", name)) return
    call suite_dfpt_response_set(dfpt, n_occ)
    call suite_dfpt_response_set(truth, n_occ)
    call suite_dfpt_response(dfpt, all_C, eigenvalues, H1, C1=C1, density_matrix=P1)
    call suite_dfpt_response(truth, all_C, eigenvalues, H1, C1=C1_true, density_matrix=P1_true)
    call same([C1], [C1_true], name // " response: C1")
    call same([P1], [P1_true], name // " response: density_matrix")
    call c_gives("C", real64_2(all_C))
    call c_gives("eigenvalues", real64_1(eigenvalues))
    call c_gives("n_occ", a_count(n_occupied))
    call c_gives("H1", real64_3(H1))
    C1_c = 0
    P1_c = 0
    call c_gives("C1", real64_3(C1_c), result=.true.)
    call c_gives("density_matrix", real64_3(P1_c), result=.true.)
    call c_runs("dfpt.response", name)
    call bits([C1], [C1_c], name // " response: C1")
    call bits([P1], [P1_c], name // " response: density_matrix")
    ! The other form, in the same call.
    do d = 1, n_dir
      HC(:, :, d) = matmul(H1(:, :, d), all_C(:, :n_occ))
    end do
    C1 = -7
    call suite_unset(dfpt, "H1")
    call suite_dfpt_response(dfpt, all_C, eigenvalues, HC1=HC, density_matrix=P1)
    call same([P1], [P1_true], name // " response_hc: density_matrix")
    call check(all(C1 >= -7 .and. C1 <= -7), name // " response leaves what was not asked for")
  end subroutine

  type(suite_array) function a_count(number)
    integer(c_int32_t), intent(in), target :: number

    a_count = described(c_loc(number), suite_int32, [integer(c_int64_t) ::], .true.)
  end function

  !> From a density matrix to the next, what lies between staying on the device.
  subroutine on_the_device(name)
    character(len=*), intent(in) :: name
    type(suite_device) :: device
    type(suite_call) :: steps(6)
    type(suite_array) :: P, n, f, spl, m, vs, H, chi
    character(len=10), parameter :: kernels(6) = [character(len=10) :: "rho", "multipoles", "poisson", "sum_up", "h", "response"]
    real(dp), target :: P_new(n_basis, n_basis, n_dir), P_true(n_basis, n_basis, n_dir), zero(n_basis, n_basis, n_dir)
    integer :: ierr, i

    call on_the_host(P_true)
    call suite_device_open(device, backend_of(name), ierr)
    do i = 1, size(kernels)
      if (ierr == suite_ok) call suite_open(steps(i), "dfpt." // trim(kernels(i)), name, device, ierr)
    end do
    if (ierr /= suite_ok) then
      print "(3a,*(a))", "SKIPPED the response on the device of ", name, ": ", suite_message(device), &
          (suite_message(steps(i)), i = 1, size(steps))
      return
    end if
    call suite_allocate(device, chi, suite_real64, [n_wave])
    call suite_allocate(device, P, suite_real64, shape(P_new))
    call suite_allocate(device, H, suite_real64, shape(P_new))
    call suite_allocate(device, n, suite_real64, shape(rho))
    call suite_allocate(device, vs, suite_real64, shape(rho))
    call suite_allocate(device, f, suite_real64, shape(rho_multipole))
    call suite_allocate(device, spl, suite_real64, shape(potential_spl))
    call suite_allocate(device, m, suite_real64, shape(moments))
    zero = 0
    call suite_upload(device, chi, c_loc(wave))
    call suite_upload(device, P, c_loc(density_matrix))
    call suite_upload(device, H, c_loc(zero))
    call set_step(steps)
    call suite_dfpt_rho_set(steps(1), int(batch_points), int(batch_basis), int(i_basis), chi)
    call suite_dfpt_h_set(steps(5), int(batch_points), int(batch_basis), int(i_basis), chi, real64_1(partition_tab))
    call suite_dfpt_rho(steps(1), n, density_matrix=P)
    call suite_dfpt_multipoles(steps(2), n, f)
    call suite_dfpt_poisson(steps(3), f, spl, m)
    call suite_dfpt_sum_up(steps(4), spl, m, vs)
    call suite_dfpt_h_device(steps(5), v=vs, H=H)
    call suite_dfpt_response(steps(6), real64_2(all_C), real64_1(eigenvalues), H, density_matrix=P)
    call suite_download(device, P, c_loc(P_new))
    call same([P_new], [P_true], name // " a response on the device")
    do i = 1, size(steps)
      call suite_close(steps(i))
    end do
    call suite_release(device, chi)
    call suite_release(device, P)
    call suite_release(device, H)
    call suite_release(device, n)
    call suite_release(device, vs)
    call suite_release(device, f)
    call suite_release(device, spl)
    call suite_release(device, m)
    call suite_device_close(device)
  end subroutine

  subroutine set_step(steps)
    type(suite_call), intent(inout) :: steps(6)

    call set_shells(steps(2))
    call set_radial(steps(3))
    call suite_dfpt_sum_up_set(steps(4), coords, atom_coords, int(species), [1, 2, 3], 0.9_dp * grid_max, grid_scale=grid_scale, &
        grid_max=grid_max)
    call suite_dfpt_response_set(steps(6), n_occ)
  end subroutine

  !> The same with the host's arrays and the reference.
  subroutine on_the_host(P)
    real(dp), intent(inout), target :: P(:,:,:)
    type(suite_call) :: steps(6)
    real(dp), target :: n(n_points, n_dir), f(n_lm, n_radial, n_atoms, n_dir), spl(n_lm, 4, n_knots, n_atoms, n_dir)
    real(dp), target :: m(n_lm, n_atoms, n_dir), vs(n_points, n_dir), H(n_basis, n_basis, n_dir)
    integer :: i

    call suite_open(steps(1), "dfpt.rho", "reference")
    call suite_open(steps(2), "dfpt.multipoles", "reference")
    call suite_open(steps(3), "dfpt.poisson", "reference")
    call suite_open(steps(4), "dfpt.sum_up", "reference")
    call suite_open(steps(5), "dfpt.h", "reference")
    call suite_open(steps(6), "dfpt.response", "reference")
    call set_step(steps)
    call set_densities(steps(1))
    call set_matrices(steps(5))
    call suite_dfpt_rho(steps(1), n, density_matrix=density_matrix)
    call suite_dfpt_multipoles(steps(2), n, f)
    call suite_dfpt_poisson(steps(3), f, spl, m)
    call suite_dfpt_sum_up(steps(4), spl, m, vs)
    H = 0
    call suite_dfpt_h(steps(5), v=vs, H=H)
    call suite_dfpt_response(steps(6), all_C, eigenvalues, H, density_matrix=P)
    do i = 1, size(steps)
      call suite_close(steps(i))
    end do
  end subroutine
end module
