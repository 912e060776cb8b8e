! SPDX-License-Identifier: BSD-3-Clause
!> Every routine of suite_dfpt in one implementation: bit for bit as the same call in C, in agreement with the reference, and with
!> what is known without it. What C changes is volatile: it has the address only.
module test_dfpt_kernels
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t, c_loc
  use checks, only: check
  use suite_dfpt
  use suite_arguments, only: described
  use suite_optional_arguments
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
    call responses(name)
    call on_the_device(name)
    call suite_close(dfpt)
    call suite_close(truth)
  end subroutine

  subroutine set_batches(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_set(call, int(batch_points), int(batch_basis), int(i_basis))
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
    call c_gives("coords", of_2(coords))
    call c_gives("atom_coords", of_2(atom_coords))
    call c_gives("species", of_words_1(species))
    call c_gives("basis_atom", of_words_1(basis_atom))
    call c_gives("basis_fn", of_words_1(basis_fn))
    call c_gives("basis_l", of_words_1(basis_l))
    call c_gives("basis_m", of_words_1(basis_m))
    call c_gives("r_grid_min", of_1(r_grid_min))
    call c_gives("r_grid_inc", of_1(r_grid_inc))
    call c_gives("basis_wave_spl", of_3(basis_wave_spl))
    call c_gives("outer_radius", of_1(outer_radius))
    in_c = 0
    call c_gives("wave", of_1(in_c), result=.true.)
    call c_runs("dfpt.basis", name)
    call bits(chi, in_c, name // " basis")
  end subroutine

  subroutine set_functions(call)
    type(suite_call), intent(inout) :: call

    call set_batches(call)
    call suite_dfpt_set(call, atom_coords=atom_coords, species=int(species), basis_atom=int(basis_atom), basis_fn=int(basis_fn), &
        basis_l=int(basis_l), basis_m=int(basis_m), r_grid_min=r_grid_min, r_grid_inc=r_grid_inc, outer_radius=outer_radius)
    call suite_dfpt_points(call, coords, basis_wave_spl)
  end subroutine

  subroutine densities_of_matrices(name)
    character(len=*), intent(in) :: name
    real(dp), target :: n(n_points, n_dir), expected(n_points, n_dir)
    real(dp), target, volatile :: in_c(n_points, n_dir)

    if (.not. opens("dfpt.rho", name)) return
    call set_batches(dfpt)
    call set_batches(truth)
    call suite_dfpt_points(dfpt, wave=wave)
    call suite_dfpt_points(truth, wave=wave)
    call suite_dfpt_rho(dfpt, n, density_matrix)
    call suite_dfpt_rho(truth, expected, density_matrix)
    call same([n], [expected], name // " rho of matrices")
    ! Without the kernel: point 2 has functions 1, 2, 4, 7; point 5 has none.
    associate (chi => wave(5:8), P => density_matrix([1, 2, 4, 7], [1, 2, 4, 7], 2))
      call check(abs(n(2, 2) - dot_product(chi, matmul(P, chi))) <= 1.0e-12_dp, name // " rho is chi P chi")
    end associate
    call check(all(abs(n(5, :)) <= 0), name // " rho where there are no functions")
    call c_gives_batches()
    call c_gives("wave", of_1(wave))
    call c_gives("density_matrix", of_3(density_matrix))
    in_c = 0
    call c_gives("rho", of_2(in_c), result=.true.)
    call c_runs("dfpt.rho", name)
    call bits([n], [in_c], name // " rho of matrices")
    ! Inputs that are absent stay.
    in_c = n
    n = 0
    call suite_dfpt_rho(dfpt, n)
    call bits([n], [in_c], name // " rho again")
  end subroutine

  subroutine densities_of_orbitals(name)
    character(len=*), intent(in) :: name
    real(dp), target :: n(n_points, n_dir), expected(n_points, n_dir), one(n_points, 1)
    real(dp), target, volatile :: in_c(n_points, n_dir)
    real(dp), target :: P(n_basis, n_basis, 1), of_P(n_points, 1)

    if (.not. opens("dfpt.rho", name)) return
    call set_batches(dfpt)
    call set_batches(truth)
    call suite_dfpt_points(dfpt, wave=wave)
    call suite_dfpt_points(truth, wave=wave)
    call suite_dfpt_rho(dfpt, n, C=C, C1=C1)
    call suite_dfpt_rho(truth, expected, C=C, C1=C1)
    call same([n], [expected], name // " rho of orbitals")
    call c_gives_batches()
    call c_gives("wave", of_1(wave))
    call c_gives("C", of_2(C))
    call c_gives("C1", of_3(C1))
    in_c = 0
    call c_gives("rho", of_2(in_c), result=.true.)
    call c_runs("dfpt.rho", name)
    call bits([n], [in_c], name // " rho of orbitals")
    ! One form after the other, in the same call.
    P(:, :, 1) = 2 * matmul(C, transpose(C))
    call suite_dfpt_rho(dfpt, of_P, P)
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
    call set_batches(dfpt)
    call set_batches(truth)
    call suite_dfpt_points(dfpt, wave=wave, partition_tab=partition_tab)
    call suite_dfpt_points(truth, wave=wave, partition_tab=partition_tab)
    H = H1
    expected = H1
    HC = HC1
    HC_true = HC1
    ! v has not been set: the overlap.
    S = 0
    call suite_dfpt_h(dfpt, S)
    call check(abs(S(2, 1, 1) - sum(partition_tab(:4) * wave(1:13:4) * wave(2:14:4)) &
        - sum(partition_tab(6:) * wave(17:47:6) * wave(18:48:6))) <= 1.0e-12_dp, name // " h: the overlap")
    call suite_dfpt_h(dfpt, H, v, HC, C)
    call suite_dfpt_h(truth, expected, v, HC_true, C)
    call same([H], [expected], name // " h: H")
    call same([HC], [HC_true], name // " h: HC")
    do d = 1, n_dir
      call same([HC(:, :, d) - HC1(:, :, d)], [matmul(H(:, :, d) - H1(:, :, d), C)], name // " h adds to H and HC")
    end do
    in_c = H1
    HC_c = HC1
    call c_gives_batches()
    call c_gives("wave", of_1(wave))
    call c_gives("partition_tab", of_1(partition_tab))
    call c_gives("v", of_2(v))
    call c_gives("C", of_2(C))
    call c_gives("H", of_3(in_c), result=.true.)
    call c_gives("HC", of_3(HC_c), result=.true.)
    call c_runs("dfpt.h", name)
    call bits([H], [in_c], name // " h: H")
    call bits([HC], [HC_c], name // " h: HC")
    ! A second set of functions; HC is not asked for any more.
    HC = -7
    call suite_dfpt_points(dfpt, wave_right=wave_right)
    call suite_dfpt_points(truth, wave_right=wave_right)
    call suite_dfpt_h(dfpt, H)
    call suite_dfpt_h(truth, expected)
    call same([H], [expected], name // " h with a second set of functions")
    call check(all(HC >= -7 .and. HC <= -7), name // " h leaves what was not asked for")
  end subroutine

  subroutine products(name)
    character(len=*), intent(in) :: name
    real(dp), target :: HC(n_basis, n_occ, n_dir), expected(n_basis, n_occ, n_dir)
    real(dp), target, volatile :: in_c(n_basis, n_occ, n_dir)

    if (.not. opens("dfpt.h", name)) return
    call set_batches(dfpt)
    call set_batches(truth)
    call suite_dfpt_points(dfpt, wave=wave, partition_tab=partition_tab)
    call suite_dfpt_points(truth, wave=wave, partition_tab=partition_tab)
    HC = HC1
    expected = HC1
    in_c = HC1
    call suite_dfpt_hc(dfpt, HC, v, C)
    call suite_dfpt_hc(truth, expected, v, C)
    call same([HC], [expected], name // " hc")
    call c_gives_batches()
    call c_gives("wave", of_1(wave))
    call c_gives("partition_tab", of_1(partition_tab))
    call c_gives("v", of_2(v))
    call c_gives("C", of_2(C))
    call c_gives("HC", of_3(in_c), result=.true.)
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
    call suite_dfpt_multipoles(dfpt, f, rho)
    call suite_dfpt_multipoles(truth, expected, rho)
    call same([f], [expected], name // " multipoles")
    ! Point 1 lies alone on its shell: Y_00 is 1/sqrt(4 pi).
    call check(abs(f(1, 1, 1, 2) - projection_weight(1) * rho(1, 2) / sqrt(16 * atan(1.0_dp))) <= 1.0e-14_dp, &
        name // " multipoles of one point")
    call c_gives("coords", of_2(coords))
    call c_gives("atom_coords", of_2(atom_coords))
    call c_gives("point_atom", of_words_1(point_atom))
    call c_gives("point_shell", of_words_1(point_shell))
    call c_gives("projection_weight", of_1(projection_weight))
    call c_gives("rho", of_2(rho))
    in_c = 0
    call c_gives("rho_multipole", of_4(in_c), result=.true.)
    call c_runs("dfpt.multipoles", name)
    call bits([f], [in_c], name // " multipoles")
  end subroutine

  subroutine set_shells(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_set(call, atom_coords=atom_coords)
    call suite_dfpt_points(call, coords, point_atom=point_atom, point_shell=point_shell, projection_weight=projection_weight)
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
    call suite_dfpt_poisson(dfpt, spl, m, rho_multipole, f)
    call suite_dfpt_poisson(truth, spl_true, m_true, rho_multipole, f_true)
    call same([spl], [spl_true], name // " poisson: potential_spl")
    call same([m], [m_true], name // " poisson: moments")
    call same([f], [f_true], name // " poisson: density_spl")
    call c_gives("species", of_words_1(species))
    call c_gives("r_radial", of_2(r_radial))
    call c_gives("radial_points", of_words_1(radial_points))
    call c_gives("r_grid_min", of_1(r_grid_min))
    call c_gives("r_grid_inc", of_1(r_grid_inc))
    call c_gives("grid_shell", of_2(grid_shell))
    call c_gives("knots", of_2(knots))
    call c_gives("rho_multipole", of_4(rho_multipole))
    spl_c = 0
    m_c = 0
    f_c = 0
    call c_gives("potential_spl", of_5(spl_c), result=.true.)
    call c_gives("moments", of_3(m_c), result=.true.)
    call c_gives("density_spl", of_5(f_c), result=.true.)
    call c_runs("dfpt.poisson", name)
    call bits([spl], [spl_c], name // " poisson: potential_spl")
    call bits([m], [m_c], name // " poisson: moments")
    call bits([f], [f_c], name // " poisson: density_spl")
    f = -7
    call suite_dfpt_poisson(dfpt, spl, m)
    call bits([spl], [spl_c], name // " poisson again")
    call check(all(f >= -7 .and. f <= -7), name // " poisson leaves what was not asked for")
  end subroutine

  subroutine set_radial(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_set(call, species=int(species), r_grid_min=r_grid_min, r_grid_inc=r_grid_inc, r_radial=r_radial, &
        radial_points=int(radial_points), grid_shell=grid_shell, knots=knots)
  end subroutine

  subroutine potentials(name)
    character(len=*), intent(in) :: name
    real(dp), target :: vs(n_points, n_dir), expected(n_points, n_dir)
    real(dp), target, volatile :: in_c(n_points, n_dir)

    if (.not. opens("dfpt.sum_up", name)) return
    call set_tables(dfpt)
    call set_tables(truth)
    call suite_dfpt_sum_up(dfpt, vs, potential_spl, moments)
    call suite_dfpt_sum_up(truth, expected, potential_spl, moments)
    call same([vs], [expected], name // " sum_up")
    call c_gives("coords", of_2(coords))
    call c_gives("atom_coords", of_2(atom_coords))
    call c_gives("species", of_words_1(species))
    call c_gives("atom_table", of_words_1(atom_table))
    call c_gives("grid_scale", of_1(grid_scale))
    call c_gives("grid_max", of_1(grid_max))
    call c_gives("multipole_radius", of_1(multipole_radius))
    call c_gives("potential_spl", of_5(potential_spl))
    call c_gives("moments", of_3(moments))
    in_c = 0
    call c_gives("potential", of_2(in_c), result=.true.)
    call c_runs("dfpt.sum_up", name)
    call bits([vs], [in_c], name // " sum_up")
    ! Other knots, and moments alone are new.
    call suite_unset(dfpt, "grid_scale")
    call suite_unset(dfpt, "grid_max")
    call suite_unset(truth, "grid_scale")
    call suite_unset(truth, "grid_max")
    call suite_dfpt_set(dfpt, r_grid_min=[0.2_dp, 0.3_dp], r_grid_inc=[1.6_dp, 1.5_dp])
    call suite_dfpt_set(truth, r_grid_min=[0.2_dp, 0.3_dp], r_grid_inc=[1.6_dp, 1.5_dp])
    moments = 2 * moments
    call suite_dfpt_sum_up(dfpt, vs, moments=moments)
    call suite_dfpt_sum_up(truth, expected, moments=moments)
    call same([vs], [expected], name // " sum_up with logarithmic knots")
    moments = moments / 2
  end subroutine

  subroutine set_tables(call)
    type(suite_call), intent(inout) :: call

    call suite_dfpt_set(call, atom_coords=atom_coords, species=int(species), atom_table=int(atom_table), grid_scale=grid_scale, &
        grid_max=grid_max, multipole_radius=multipole_radius)
    call suite_dfpt_points(call, coords)
  end subroutine

  subroutine responses(name)
    character(len=*), intent(in) :: name
    real(dp), dimension(n_basis, n_occ, n_dir), target :: C1, C1_true, HC
    real(dp), dimension(n_basis, n_occ, n_dir), target, volatile :: C1_c
    real(dp), dimension(n_basis, n_basis, n_dir), target :: P1, P1_true
    real(dp), dimension(n_basis, n_basis, n_dir), target, volatile :: P1_c
    integer :: d

    if (.not. opens("dfpt.response", name)) return
    call suite_dfpt_states(dfpt, all_C, eigenvalues, n_occ)
    call suite_dfpt_states(truth, all_C, eigenvalues, n_occ)
    call suite_dfpt_response(dfpt, H1, C1, P1)
    call suite_dfpt_response(truth, H1, C1_true, P1_true)
    call same([C1], [C1_true], name // " response: C1")
    call same([P1], [P1_true], name // " response: density_matrix")
    call c_gives("C", of_2(all_C))
    call c_gives("eigenvalues", of_1(eigenvalues))
    call c_gives("n_occ", a_count(n_occupied))
    call c_gives("H1", of_3(H1))
    C1_c = 0
    P1_c = 0
    call c_gives("C1", of_3(C1_c), result=.true.)
    call c_gives("density_matrix", of_3(P1_c), result=.true.)
    call c_runs("dfpt.response", name)
    call bits([C1], [C1_c], name // " response: C1")
    call bits([P1], [P1_c], name // " response: density_matrix")
    ! The other form, in the same call.
    do d = 1, n_dir
      HC(:, :, d) = matmul(H1(:, :, d), all_C(:, :n_occ))
    end do
    C1 = -7
    call suite_dfpt_response_hc(dfpt, HC, density_matrix=P1)
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
    call suite_set_device(steps(1), "wave", chi)
    call suite_set_device(steps(5), "wave", chi)
    call suite_dfpt_rho(steps(1), n, P)
    call suite_dfpt_multipoles(steps(2), f, n)
    call suite_dfpt_poisson(steps(3), spl, m, f)
    call suite_dfpt_sum_up(steps(4), vs, spl, m)
    call suite_dfpt_h(steps(5), H, vs)
    call suite_dfpt_response(steps(6), H, density_matrix=P)
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

    call set_batches(steps(1))
    call set_shells(steps(2))
    call set_radial(steps(3))
    call set_tables(steps(4))
    call suite_dfpt_set(steps(4), atom_table=[1, 2, 3], multipole_radius=0.9_dp * grid_max)
    call set_batches(steps(5))
    call suite_dfpt_points(steps(5), partition_tab=partition_tab)
    call suite_dfpt_states(steps(6), all_C, eigenvalues, n_occ)
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
    call suite_dfpt_points(steps(1), wave=wave)
    call suite_dfpt_points(steps(5), wave=wave)
    call suite_dfpt_rho(steps(1), n, density_matrix)
    call suite_dfpt_multipoles(steps(2), f, n)
    call suite_dfpt_poisson(steps(3), spl, m, f)
    call suite_dfpt_sum_up(steps(4), vs, spl, m)
    H = 0
    call suite_dfpt_h(steps(5), H, vs)
    call suite_dfpt_response(steps(6), H, density_matrix=P)
    do i = 1, size(steps)
      call suite_close(steps(i))
    end do
  end subroutine
end module
