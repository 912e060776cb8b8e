! SPDX-License-Identifier: BSD-3-Clause
!> One iteration of the response with the host's loops replaced by suite's kernels: with the host's arrays, or with everything
!> that only kernels see on the device.
module response_by_kernels
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use, intrinsic :: iso_c_binding, only: c_loc
  use host_ground_state, only: ground_state
  use host_grid, only: integration_grid, n_lm
  use host_molecule, only: molecule
  use host_first_order, only: first_order, stamp, total_potential
  use suite_dfpt
  use suite_host_arrays, only: real64_1, real64_2
  implicit none
  private
  public :: kernels, open_kernels, close_kernels, kernel_cycle, device_cycle

  type :: kernels
    type(suite_call) :: basis, rho, multipoles, poisson, sum_up, h, response
    type(suite_array) :: wave, density_matrix, density, rho_multipole, potential_spl, moments, potential, v, H1 !< on the device
  end type

contains

  !> What stays is given here: names only where a kernel has them.
  subroutine open_kernels(m, g, device, implementation, k)
    type(molecule), intent(in), target :: m
    type(integration_grid), intent(in), target :: g
    type(suite_device), intent(inout) :: device
    character(len=*), intent(in) :: implementation
    type(kernels), intent(inout) :: k
    integer :: atom

    call suite_open(k%basis, "dfpt.basis", implementation, device)
    call suite_open(k%rho, "dfpt.rho", implementation, device)
    call suite_open(k%multipoles, "dfpt.multipoles", implementation, device)
    call suite_open(k%poisson, "dfpt.poisson", implementation, device)
    call suite_open(k%sum_up, "dfpt.sum_up", implementation, device)
    call suite_open(k%h, "dfpt.h", implementation, device)
    call suite_open(k%response, "dfpt.response", implementation, device)
    call allocate_there(m, g, device, k)
    call suite_dfpt_basis_set(k%basis, m%basis_wave_spl, g%coords, m%atom_coords, g%batch_points, g%batch_basis, g%i_basis, &
        m%species, m%r_grid_min, m%r_grid_inc, m%basis_atom, m%basis_fn, m%basis_l, m%basis_m, m%outer_radius)
    call suite_dfpt_basis(k%basis, k%wave)
    call suite_dfpt_rho_set(k%rho, g%batch_points, g%batch_basis, g%i_basis, k%wave)
    call suite_dfpt_multipoles_set(k%multipoles, g%coords, m%atom_coords, g%point_atom, g%point_shell, g%projection_weight)
    call suite_dfpt_poisson_set(k%poisson, g%r_radial, g%grid_shell, g%knots, m%species, m%r_grid_min, m%r_grid_inc, &
        g%radial_points)
    call suite_dfpt_sum_up_set(k%sum_up, g%coords, m%atom_coords, m%species, [(atom, atom = 1, m%n_atoms)], g%multipole_radius, &
        grid_scale=g%grid_scale, grid_max=g%grid_max)
    call suite_dfpt_h_set(k%h, g%batch_points, g%batch_basis, g%i_basis, k%wave, real64_1(g%partition_tab)) ! host and device
    call suite_dfpt_response_set(k%response, m%n_occ)
  end subroutine

  subroutine allocate_there(m, g, device, k)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    type(suite_device), intent(inout) :: device
    type(kernels), intent(inout) :: k

    call suite_allocate(device, k%wave, suite_real64, [g%n_wave])
    call suite_allocate(device, k%density_matrix, suite_real64, [m%n_basis, m%n_basis, 3])
    call suite_allocate(device, k%density, suite_real64, [g%n_points, 3])
    call suite_allocate(device, k%rho_multipole, suite_real64, [n_lm, size(g%r_radial, 1), m%n_atoms, 3])
    call suite_allocate(device, k%potential_spl, suite_real64, [n_lm, 4, size(g%knots, 1), m%n_atoms, 3])
    call suite_allocate(device, k%moments, suite_real64, [n_lm, m%n_atoms, 3])
    call suite_allocate(device, k%potential, suite_real64, [g%n_points, 3])
    call suite_allocate(device, k%v, suite_real64, [g%n_points, 3])
    call suite_allocate(device, k%H1, suite_real64, [m%n_basis, m%n_basis, 3])
  end subroutine

  !> From this%density_matrix to the next.
  subroutine kernel_cycle(g, s, k, this, next)
    type(integration_grid), intent(in) :: g
    type(ground_state), intent(in), target :: s
    type(kernels), intent(inout) :: k
    type(first_order), intent(inout), target :: this
    real(dp), intent(inout), target :: next(:,:,:)
    real(dp), allocatable, target :: v(:,:)

    call stamp(this, 0)
    call suite_dfpt_rho(k%rho, this%rho, density_matrix=this%density_matrix)                          ! suite
    call stamp(this, 1)
    call suite_dfpt_multipoles(k%multipoles, this%rho, this%rho_multipole)                            ! suite
    call stamp(this, 2)
    call suite_dfpt_poisson(k%poisson, this%rho_multipole, this%potential_spl, this%moments)          ! suite
    call stamp(this, 3)
    call suite_dfpt_sum_up(k%sum_up, this%potential_spl, this%moments, this%potential)                ! suite
    call stamp(this, 4)
    v = total_potential(g, s, this)
    this%H = 0
    call suite_dfpt_h(k%h, v=v, H=this%H)                                                             ! suite
    call stamp(this, 5)
    call suite_dfpt_response(k%response, s%C, s%eigenvalues, this%H, density_matrix=next)             ! suite
    call stamp(this, 6)
  end subroutine

  !> The same where density, potential and matrices of first order are needed by the host, and nothing else comes back.
  subroutine device_cycle(g, s, device, k, this, next)
    type(integration_grid), intent(in) :: g
    type(ground_state), intent(in), target :: s
    type(suite_device), intent(inout) :: device
    type(kernels), intent(inout) :: k
    type(first_order), intent(inout), target :: this
    real(dp), intent(inout), target :: next(:,:,:)
    real(dp), allocatable, target :: v(:,:)

    call stamp(this, 0)
    call suite_upload(device, k%density_matrix, c_loc(this%density_matrix))
    call suite_dfpt_rho(k%rho, k%density, density_matrix=k%density_matrix)                            ! suite
    call stamp(this, 1)
    call suite_dfpt_multipoles(k%multipoles, k%density, k%rho_multipole)                              ! suite
    call stamp(this, 2)
    call suite_dfpt_poisson(k%poisson, k%rho_multipole, k%potential_spl, k%moments)                   ! suite
    call stamp(this, 3)
    call suite_dfpt_sum_up(k%sum_up, k%potential_spl, k%moments, k%potential)                         ! suite
    call stamp(this, 4)
    call suite_download(device, k%density, c_loc(this%rho))
    call suite_download(device, k%potential, c_loc(this%potential))
    v = total_potential(g, s, this)
    this%H = 0
    call suite_upload(device, k%v, c_loc(v))
    call suite_upload(device, k%H1, c_loc(this%H))
    call suite_dfpt_h_device(k%h, v=k%v, H=k%H1)                                                      ! suite
    call suite_download(device, k%H1, c_loc(this%H))
    call stamp(this, 5)
    call suite_dfpt_response(k%response, real64_2(s%C), real64_1(s%eigenvalues), k%H1, &              ! suite
        density_matrix=k%density_matrix)                                                              ! suite
    call suite_download(device, k%density_matrix, c_loc(next))
    call stamp(this, 6)
  end subroutine

  subroutine close_kernels(device, k)
    type(suite_device), intent(inout) :: device
    type(kernels), intent(inout) :: k

    call suite_close(k%basis)
    call suite_close(k%rho)
    call suite_close(k%multipoles)
    call suite_close(k%poisson)
    call suite_close(k%sum_up)
    call suite_close(k%h)
    call suite_close(k%response)
    call suite_release(device, k%wave)
    call suite_release(device, k%density_matrix)
    call suite_release(device, k%density)
    call suite_release(device, k%rho_multipole)
    call suite_release(device, k%potential_spl)
    call suite_release(device, k%moments)
    call suite_release(device, k%potential)
    call suite_release(device, k%v)
    call suite_release(device, k%H1)
  end subroutine
end module
