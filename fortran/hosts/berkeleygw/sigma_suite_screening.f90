! SPDX-License-Identifier: BSD-3-Clause
!> Plasmon poles for the Sigma code of BerkeleyGW: kernel gw.screening, from the arrays of that code as they lie there.
module sigma_suite_screening
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t
  use berkeleygw_kernels, only: close_kernel, host_failure, is_chosen, of_sigma, opened_kernel, open_chosen
  use suite_gw, only: suite_array, suite_choose, suite_gw_screening, suite_gw_screening_set, suite_message, suite_ok, suite_unset
  use suite_host_arrays, only: complex128_1, complex128_2, int32_2, real64_1, real64_2
  implicit none (type, external)
  private

  public :: close_poles, rows_of, sigma_suite_has_poles, sigma_suite_poles

  !> The plasmon poles of one q in the columns of this rank, where an implementation has been chosen and the model is one of plasmon
  !> poles.
  interface sigma_suite_poles
    procedure poles_complex, poles_real
  end interface

  !> Of the strengths one is allocated, that of the flavour.
  type :: poles_of_q
    complex(c_double_complex), allocatable :: wtilde(:,:), complex_I(:,:) !< (ncouls,ngpown) eV, 1
    real(c_double), allocatable :: real_I(:,:)                           !< (ncouls,ngpown)
    real(c_double), allocatable :: vcoul(:)                              !< (ncouls) Ry
    integer, allocatable :: rows(:)                                      !< (ngpown) row of each owned column; 0: none
    logical :: are_made = .false.
    logical :: are_set = .false.                                         !< whether gpp has them
  end type

  !> What freq_dep may be.
  integer, parameter :: hybertsen_louie = 1, godby_needs = 3
  real(c_double), parameter :: pi = 3.141592653589793_c_double

  type(opened_kernel), target :: screening
  type(poles_of_q), target, public :: poles !< of the present q

contains

  subroutine close_poles()
    call close_kernel(screening)
    poles = poles_of_q()
  end subroutine

  !> Whether the last call of sigma_suite_poles made poles: then the host need not, and sigma_suite_gpp sums with them.
  logical function sigma_suite_has_poles()
    sigma_suite_has_poles = poles%are_made
  end function

  !> Poles of one q, kept for all external bands until the next call. What only one of the models needs may be a pointer to nothing
  !> with the other.
  subroutine poles_complex(freq_dep, ncouls, components, isrtrq, rho, bdot, q, coulfact, vcoul, ind, indinv, ph, inv_igp_index, &
      eps, epsR, dFreqBrd, invalid_gpp_mode, fail)
    integer, intent(in) :: freq_dep         !< 1: Hybertsen-Louie, 3: Godby-Needs, others: nothing is done
    integer, intent(in) :: ncouls
    integer, intent(in) :: components(:,:)  !< (3,ng) of the G vectors
    integer, intent(in) :: isrtrq(:)        !< (at least ncouls) places of the G of this q
    complex(c_double_complex), pointer, intent(in) :: rho(:,:) !< Hybertsen-Louie: (ng,nspin) electrons
    real(c_double), intent(in) :: bdot(:,:) !< (3,3) bohr^-2
    real(c_double), intent(in) :: q(:)      !< (3) crystal; 0 for q to 0
    real(c_double), intent(in) :: coulfact  !< bohr^-3: 8 pi times what vcoul has in front of 1 over |q+G|^2
    real(c_double), intent(in) :: vcoul(:)  !< (at least ncouls) Ry
    integer, intent(in) :: ind(:)           !< (at least ncouls) row of each G in eps; beyond eps: 0 there
    integer, intent(in) :: indinv(:)        !< its inverse
    complex(c_double_complex), intent(in) :: ph(:) !< (at least ncouls) phase of each G
    integer, intent(in) :: inv_igp_index(:) !< (at least ngpown) of each owned column, its number in epsilon
    complex(c_double_complex), pointer, intent(in) :: eps(:,:)    !< Hybertsen-Louie: (neps,ngpown) inverse dielectric matrix
    complex(c_double_complex), pointer, intent(in) :: epsR(:,:,:) !< Godby-Needs: (neps,ngpown,2) the same at 0 and at dFreqBrd(2)
    complex(c_double_complex), pointer, intent(in) :: dFreqBrd(:) !< Godby-Needs: (2) eV
    integer, intent(in) :: invalid_gpp_mode
    procedure(host_failure) :: fail  !< called with what went wrong
    complex(c_double_complex), allocatable, target :: density(:), first(:,:), second(:,:)

    poles = poles_of_q()
    if (.not. (is_chosen(of_sigma) .and. (freq_dep == hybertsen_louie .or. freq_dep == godby_needs))) return
    if (freq_dep == hybertsen_louie) call rotate(eps, first)
    if (freq_dep == godby_needs) call rotate(epsR(:,:,1), first)
    if (freq_dep == godby_needs) call rotate(epsR(:,:,2), second)
    allocate(poles%complex_I(ncouls, size(first, 2)))
    allocate(density(size(components, 2)), source=(0.0_c_double, 0.0_c_double))
    if (freq_dep == hybertsen_louie) density = sum(rho, dim=2)
    call make_poles(freq_dep, components, isrtrq(:ncouls), complex128_1(density), bdot, q, coulfact, vcoul, complex128_2(first), &
        complex128_2(second), dFreqBrd, invalid_gpp_mode, complex128_2(poles%complex_I), fail)

  contains

    !> To the G of this q.
    subroutine rotate(matrix, rotated)
      complex(c_double_complex), intent(in) :: matrix(:,:)
      complex(c_double_complex), allocatable, intent(out) :: rotated(:,:)
      integer :: ig, column

      poles%rows = rows_of(inv_igp_index, indinv, size(matrix, 2))
      allocate(rotated(ncouls, size(matrix, 2)))
      rotated = 0
      do column = 1, size(matrix, 2)
        if (poles%rows(column) < 1 .or. poles%rows(column) > ncouls) cycle
        do ig = 1, ncouls
          if (ind(ig) >= 1 .and. ind(ig) <= size(matrix, 1)) &
            rotated(ig, column) = ph(ig) * conjg(ph(poles%rows(column))) * matrix(ind(ig), column)
        end do
      end do
    end subroutine
  end subroutine

  !> The same in the real flavour; of Godby-Needs the real parts.
  subroutine poles_real(freq_dep, ncouls, components, isrtrq, rho, bdot, q, coulfact, vcoul, ind, indinv, ph, inv_igp_index, eps, &
      epsR, dFreqBrd, invalid_gpp_mode, fail)
    integer, intent(in) :: freq_dep, ncouls, isrtrq(:), ind(:), indinv(:), inv_igp_index(:), invalid_gpp_mode
    integer, intent(in) :: components(:,:)
    real(c_double), intent(in) :: bdot(:,:), q(:), coulfact, vcoul(:), ph(:)
    real(c_double), pointer, intent(in) :: rho(:,:), eps(:,:)
    complex(c_double_complex), pointer, intent(in) :: epsR(:,:,:), dFreqBrd(:)
    procedure(host_failure) :: fail
    real(c_double), allocatable, target :: density(:), first(:,:), second(:,:)

    poles = poles_of_q()
    if (.not. (is_chosen(of_sigma) .and. (freq_dep == hybertsen_louie .or. freq_dep == godby_needs))) return
    if (freq_dep == hybertsen_louie) call rotate(eps, first)
    if (freq_dep == godby_needs) call rotate(real(epsR(:,:,1), c_double), first)
    if (freq_dep == godby_needs) call rotate(real(epsR(:,:,2), c_double), second)
    allocate(poles%real_I(ncouls, size(first, 2)))
    allocate(density(size(components, 2)), source=0.0_c_double)
    if (freq_dep == hybertsen_louie) density = sum(rho, dim=2)
    call make_poles(freq_dep, components, isrtrq(:ncouls), real64_1(density), bdot, q, coulfact, vcoul, real64_2(first), &
        real64_2(second), dFreqBrd, invalid_gpp_mode, real64_2(poles%real_I), fail)

  contains

    !> To the G of this q.
    subroutine rotate(matrix, rotated)
      real(c_double), intent(in) :: matrix(:,:)
      real(c_double), allocatable, intent(out) :: rotated(:,:)
      integer :: ig, column

      poles%rows = rows_of(inv_igp_index, indinv, size(matrix, 2))
      allocate(rotated(ncouls, size(matrix, 2)))
      rotated = 0
      do column = 1, size(matrix, 2)
        if (poles%rows(column) < 1 .or. poles%rows(column) > ncouls) cycle
        do ig = 1, ncouls
          if (ind(ig) >= 1 .and. ind(ig) <= size(matrix, 1)) &
            rotated(ig, column) = ph(ig) * ph(poles%rows(column)) * matrix(ind(ig), column)
        end do
      end do
    end subroutine
  end subroutine

  subroutine make_poles(freq_dep, components, isrtrq, density, bdot, q, coulfact, vcoul, epsinv, epsinv_imaginary, dFreqBrd, &
      invalid_gpp_mode, I_eps_array, fail)
    integer, intent(in) :: freq_dep, components(:,:), isrtrq(:), invalid_gpp_mode
    type(suite_array), intent(in) :: density, epsinv, epsinv_imaginary, I_eps_array
    real(c_double), intent(in) :: bdot(:,:), q(:), coulfact, vcoul(:)
    complex(c_double_complex), pointer, intent(in) :: dFreqBrd(:)
    procedure(host_failure) :: fail
    integer(c_int32_t), target :: g(3, size(isrtrq)), g_of_rho(3, size(components, 2)) ! integers of a host may have 8 bytes
    real(c_double), target :: v(size(isrtrq))
    real(c_double), allocatable :: w_imaginary ! not allocated: absent
    real(c_double) :: points
    character(len=:), allocatable :: message
    logical :: reopened
    integer :: nq, ierr

    poles%vcoul = vcoul(:size(isrtrq))
    allocate(poles%wtilde(size(isrtrq), size(poles%rows)))
    poles%are_made = .true.
    call open_chosen(screening, of_sigma, "gw.screening", reopened, message)
    if (message /= "") call fail(message, .false.)
    if (message /= "" .or. size(poles%rows) == 0) return
    ! The kernel counts q points; here coulfact says what v is divided by, which need not be a whole number for a part of a q.
    points = 8 * pi / (coulfact * volume(bdot))
    nq = max(1, nint(points))
    v = poles%vcoul * (points / nq)
    g_of_rho = int(components, c_int32_t)
    g = g_of_rho(:, isrtrq)
    call suite_choose(screening%call, "model", merge("godby_needs    ", "hybertsen_louie", freq_dep == godby_needs), ierr)
    if (freq_dep == godby_needs) w_imaginary = abs(dFreqBrd(2))
    if (freq_dep /= godby_needs) call suite_unset(screening%call, "epsinv_imaginary") ! of an earlier q
    if (ierr == suite_ok) call suite_gw_screening_set(screening%call, int32_2(g), int32_2(g_of_rho), density, &
        merge(poles%rows, 0, poles%rows <= size(isrtrq)), ierr)
    if (ierr == suite_ok) call suite_gw_screening(screening%call, epsinv, bdot, real64_1(v), &
        merge(q, 0.0_c_double, dot_product(q, matmul(bdot, q)) > 1.0e-12_c_double), nq, I_eps_array, complex128_2(poles%wtilde), &
        epsinv_imaginary, w_imaginary, invalid_gpp_mode, ierr=ierr)
    if (ierr /= suite_ok) call fail(suite_message(screening%call), .false.)
  end subroutine

  !> The row of each owned column in the matrix elements; 0: none.
  pure function rows_of(inv_igp_index, indinv, ngpown) result(rows)
    integer, intent(in) :: inv_igp_index(:), indinv(:), ngpown
    integer :: rows(ngpown)
    integer :: my_igp

    rows = 0
    do my_igp = 1, ngpown
      if (inv_igp_index(my_igp) >= 1) rows(my_igp) = max(0, indinv(inv_igp_index(my_igp)))
    end do
  end function

  !> Of the cell, bohr^3, from scalar products of the reciprocal lattice vectors.
  pure real(c_double) function volume(bdot)
    real(c_double), intent(in) :: bdot(:,:)

    volume = (2 * pi)**3 / sqrt(bdot(1, 1) * (bdot(2, 2) * bdot(3, 3) - bdot(2, 3) * bdot(3, 2)) &
        - bdot(1, 2) * (bdot(2, 1) * bdot(3, 3) - bdot(2, 3) * bdot(3, 1)) &
        + bdot(1, 3) * (bdot(2, 1) * bdot(3, 2) - bdot(2, 2) * bdot(3, 1)))
  end function
end module
