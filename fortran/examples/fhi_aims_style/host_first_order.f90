! SPDX-License-Identifier: BSD-3-Clause
!> The response to a homogeneous field along x, y and z at once: what an iteration works on, and the host's own iteration.
module host_first_order
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use host_dfpt_kernels
  use host_grid, only: integration_grid, n_lm
  use host_ground_state, only: ground_state
  use host_molecule, only: molecule
  implicit none
  private
  public :: first_order, start, host_cycle, total_potential, polarizability, stamp, now, stages

  character(len=10), parameter :: stages(6) = [character(len=10) :: "rho", "multipoles", "poisson", "sum_up", "h", "response"]

  !> Quantities of first order by direction, and seconds of each stage.
  type :: first_order
    character(len=28) :: name
    real(dp), allocatable :: density_matrix(:,:,:)    !< (n_basis,n_basis,3)
    real(dp), allocatable :: rho(:,:), potential(:,:) !< (n_points,3)
    real(dp), allocatable :: rho_multipole(:,:,:,:), potential_spl(:,:,:,:,:), moments(:,:,:)
    real(dp), allocatable :: H(:,:,:)                 !< (n_basis,n_basis,3)
    real(dp) :: seconds(6), last_stamp
    integer :: iterations
  end type

contains

  subroutine start(m, g, name, this)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    character(len=*), intent(in) :: name
    type(first_order), intent(out) :: this

    this%name = name
    this%seconds = 0
    allocate(this%density_matrix(m%n_basis, m%n_basis, 3), source=0.0_dp)
    allocate(this%H(m%n_basis, m%n_basis, 3))
    allocate(this%rho(g%n_points, 3), this%potential(g%n_points, 3))
    allocate(this%rho_multipole(n_lm, size(g%r_radial, 1), m%n_atoms, 3), this%moments(n_lm, m%n_atoms, 3), &
        this%potential_spl(n_lm, 4, size(g%knots, 1), m%n_atoms, 3))
  end subroutine

  !> From this%density_matrix to the next.
  subroutine host_cycle(m, g, s, this, next)
    type(molecule), intent(in) :: m
    type(integration_grid), intent(in) :: g
    type(ground_state), intent(in) :: s
    type(first_order), intent(inout) :: this
    real(dp), intent(out) :: next(:,:,:)

    call stamp(this, 0)
    call host_rho(g, s%wave, this%density_matrix, this%rho)
    call stamp(this, 1)
    call host_multipoles(m, g, this%rho, this%rho_multipole)
    call stamp(this, 2)
    call host_poisson(m, g, this%rho_multipole, this%potential_spl, this%moments)
    call stamp(this, 3)
    call host_sum_up(m, g, this%potential_spl, this%moments, this%potential)
    call stamp(this, 4)
    this%H = 0
    call host_h(g, s%wave, total_potential(g, s, this) * spread(g%partition_tab, 2, 3), this%H)
    call stamp(this, 5)
    call host_response(s%C, s%eigenvalues, m%n_occ, this%H, next)
    call stamp(this, 6)
  end subroutine

  !> -r + v_es + f_xc rho
  function total_potential(g, s, this) result(v)
    type(integration_grid), intent(in) :: g
    type(ground_state), intent(in) :: s
    type(first_order), intent(in) :: this
    real(dp) :: v(g%n_points, 3)

    v = this%potential + spread(s%f_xc, 2, 3) * this%rho - transpose(g%coords)
  end function

  !> alpha(i,j) = int r_i rho_j, bohr^3
  function polarizability(g, this) result(alpha)
    type(integration_grid), intent(in) :: g
    type(first_order), intent(in) :: this
    real(dp) :: alpha(3, 3)

    alpha = matmul(g%coords * spread(g%partition_tab, 1, 3), this%rho)
  end function

  !> The end of a stage, or with 0 the beginning of the first.
  subroutine stamp(this, stage)
    type(first_order), intent(inout) :: this
    integer, intent(in) :: stage
    real(dp) :: t

    t = now()
    if (stage > 0) this%seconds(stage) = this%seconds(stage) + t - this%last_stamp
    this%last_stamp = t
  end subroutine

  real(dp) function now()
    integer(int64) :: ticks, rate

    call system_clock(ticks, rate)
    now = real(ticks, dp) / real(rate, dp)
  end function
end module
