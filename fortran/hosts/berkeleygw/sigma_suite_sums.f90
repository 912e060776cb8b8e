! SPDX-License-Identifier: BSD-3-Clause
!> Plasmon-pole sums for the Sigma code of BerkeleyGW: kernel gpp.sigma, from the arrays of that code as they lie there.
module sigma_suite_sums
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  use berkeleygw_kernels, only: close_kernel, host_failure, of_sigma, opened_kernel, open_chosen
  use sigma_suite_screening, only: poles, rows_of
  use suite_gpp, only: suite_array, suite_gpp_sigma_energies, suite_gpp_sigma_set, suite_message, suite_ok
  use suite_host_arrays, only: complex128_1, complex128_2, real64_1, real64_2
  implicit none (type, external)
  private

  public :: bands_of, close_sums, energies_of, sigma_suite_gpp

  !> The bands n1 of one rank.
  type, public :: sigma_suite_bands
    integer, allocatable :: index(:)       !< (nb) among all bands
    real(c_double), allocatable :: ekq(:)  !< (nb) eV
    real(c_double), allocatable :: occ(:)  !< (nb)
  end type

  !> Energies iw = nstart to nend.
  type, public :: sigma_suite_energies
    integer :: nstart, nend
    real(c_double), allocatable :: values(:) !< eV
  end type

  !> The sums of one pair of external bands and all bands of a rank, with the poles of sigma_suite_poles or with the arrays of the
  !> host.
  interface sigma_suite_gpp
    procedure gpp_complex, gpp_real, gpp_of_poles_complex, gpp_of_poles_real
  end interface

  type(opened_kernel), target :: gpp

contains

  subroutine close_sums()
    call close_kernel(gpp)
  end subroutine

  !> Energies and occupations of the bands of a rank. A band is occupied up to nvband + ncrit; where there are partially occupied
  !> ones (ncrit > 0), only up to the Fermi energy; by one half where it lies there.
  pure type(sigma_suite_bands) function bands_of(indext, ekq, nvband, ncrit, efermi, tol)
    integer, intent(in) :: indext(:)                   !< (nb) among all bands
    real(c_double), intent(in) :: ekq(:)               !< (all bands) eV
    integer, intent(in) :: nvband, ncrit
    real(c_double), intent(in) :: efermi, tol          !< eV
    integer :: n1

    allocate(bands_of%index(size(indext)), bands_of%ekq(size(indext)), bands_of%occ(size(indext)))
    do n1 = 1, size(indext)
      bands_of%index(n1) = indext(n1)
      bands_of%ekq(n1) = ekq(indext(n1))
      bands_of%occ(n1) = 0
      if (indext(n1) > nvband + ncrit) cycle
      if (ncrit /= 0 .and. bands_of%ekq(n1) > efermi + tol) cycle
      bands_of%occ(n1) = merge(0.5_c_double, 1.0_c_double, abs(bands_of%ekq(n1) - efermi) < tol)
    end do
  end function

  !> Where E is evaluated: at the energy of the external band and dw around it, or on a grid.
  pure type(sigma_suite_energies) function energies_of(e_lk, dw, nstart, nend, grid)
    real(c_double), intent(in) :: e_lk, dw             !< eV: e_lk + dw (iw - 2)
    integer, intent(in) :: nstart, nend
    real(c_double), intent(in), optional :: grid(:)    !< (at least nend) eV; an array that is not allocated is absent
    integer :: iw

    energies_of%nstart = nstart
    energies_of%nend = nend
    if (present(grid)) then
      allocate(energies_of%values, source=grid(nstart:nend))
    else
      allocate(energies_of%values, source=[(e_lk + dw * (iw - 2), iw = nstart, nend)])
    end if
  end function

  !> With the poles of the last call of sigma_suite_poles.
  subroutine gpp_of_poles_complex(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, &
      acht_n1, achtcor_n1, fail)
    logical, intent(in) :: diagonal !< the external bands n and m are the same
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:) !< (ncouls, at least nb)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut    !< eV, 1
    logical, intent(in) :: remainder               !< whether achtcor_n1 is wanted
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    complex(c_double_complex), intent(inout) :: acht_n1(:)              !< (all bands) Ry: CH at iw = 2 is added
    complex(c_double_complex), intent(inout), optional :: achtcor_n1(:) !< (all bands) Ry: half of static CH is subtracted
    procedure(host_failure) :: fail         !< called with what went wrong
    character(len=:), allocatable :: message

    if (.not. allocated(poles%complex_I)) then
      call fail("sigma_suite_gpp without poles of its own needs those of sigma_suite_poles, in the same flavour", .false.)
      return
    end if
    call set(.not. poles%are_set, complex128_2(poles%wtilde), complex128_2(poles%complex_I), real64_1(poles%vcoul), poles%rows, &
        message)
    poles%are_set = message == ""
    if (message == "") call sums_complex(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, &
        achtemp, acht_n1, achtcor_n1, message)
    if (message /= "") call fail(message, .false.)
  end subroutine

  !> With poles of the host, which must stay where they are from the call with fresh to the last one without.
  subroutine gpp_complex(fresh, diagonal, wtilde_array, I_eps_array, vcoul, inv_igp_index, indinv, aqsntemp, aqsmtemp, bands, &
      energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, achtcor_n1, fail)
    logical, intent(in) :: fresh    !< poles, vcoul or columns are others than in the last call
    logical, intent(in) :: diagonal !< the external bands n and m are the same
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:) !< (ncouls,ngpown) eV
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:)  !< (ncouls,ngpown)
    real(c_double), intent(in), target :: vcoul(:) !< (at least ncouls) Ry
    integer, intent(in) :: inv_igp_index(:)        !< (at least ngpown) of each owned column, its number in epsilon
    integer, intent(in) :: indinv(:)               !< its row in the matrix elements; not 1 to ncouls: the column is skipped
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:) !< (ncouls, at least nb)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut    !< eV, 1
    logical, intent(in) :: remainder               !< whether achtcor_n1 is wanted
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    complex(c_double_complex), intent(inout) :: acht_n1(:)              !< (all bands) Ry: CH at iw = 2 is added
    complex(c_double_complex), intent(inout), optional :: achtcor_n1(:) !< (all bands) Ry: half of static CH is subtracted
    procedure(host_failure) :: fail         !< called with what went wrong
    character(len=:), allocatable :: message

    poles%are_set = .false.
    call set(fresh, complex128_2(wtilde_array), complex128_2(I_eps_array), real64_1(vcoul(:size(I_eps_array, 1))), &
        rows_of(inv_igp_index, indinv, size(I_eps_array, 2)), message)
    if (message == "") call sums_complex(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, &
        achtemp, acht_n1, achtcor_n1, message)
    if (message /= "") call fail(message, .false.)
  end subroutine

  subroutine sums_complex(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, &
      achtcor_n1, message)
    logical, intent(in) :: diagonal
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut
    logical, intent(in) :: remainder
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:)
    complex(c_double_complex), intent(inout) :: acht_n1(:)
    complex(c_double_complex), intent(inout), optional :: achtcor_n1(:)
    character(len=:), allocatable, intent(out) :: message
    complex(c_double_complex), dimension(size(bands%index)) :: ch_n1, static_n1
    type(suite_array) :: aqsn, aqsm
    integer :: nb

    nb = size(bands%index)
    aqsn = complex128_2(aqsntemp(:, :nb))
    aqsm = aqsn ! the same array twice is packed once
    if (.not. diagonal) aqsm = complex128_2(aqsmtemp(:, :nb))
    call run(aqsn, aqsm, bands, energies, gamma, sexcut, remainder, complex128_1(asxtemp(energies%nstart:energies%nend)), &
        complex128_1(achtemp(energies%nstart:energies%nend)), ch_n1, static_n1, message)
    if (message /= "") return
    acht_n1(bands%index) = acht_n1(bands%index) + ch_n1
    if (remainder .and. present(achtcor_n1)) achtcor_n1(bands%index) = achtcor_n1(bands%index) - 0.5_c_double * static_n1
  end subroutine

  !> The same in the real flavour.
  subroutine gpp_of_poles_real(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, &
      acht_n1, achtcor_n1, fail)
    logical, intent(in) :: diagonal, remainder
    real(c_double), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut
    real(c_double), intent(inout), target :: asxtemp(:), achtemp(:)
    real(c_double), intent(inout) :: acht_n1(:)
    real(c_double), intent(inout), optional :: achtcor_n1(:)
    procedure(host_failure) :: fail
    character(len=:), allocatable :: message

    if (.not. allocated(poles%real_I)) then
      call fail("sigma_suite_gpp without poles of its own needs those of sigma_suite_poles, in the same flavour", .false.)
      return
    end if
    call set(.not. poles%are_set, complex128_2(poles%wtilde), real64_2(poles%real_I), real64_1(poles%vcoul), poles%rows, message)
    poles%are_set = message == ""
    if (message == "") call sums_real(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, &
        achtemp, acht_n1, achtcor_n1, message)
    if (message /= "") call fail(message, .false.)
  end subroutine

  !> The same in the real flavour.
  subroutine gpp_real(fresh, diagonal, wtilde_array, I_eps_array, vcoul, inv_igp_index, indinv, aqsntemp, aqsmtemp, bands, &
      energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, achtcor_n1, fail)
    logical, intent(in) :: fresh, diagonal, remainder
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:), vcoul(:), aqsntemp(:,:), aqsmtemp(:,:)
    integer, intent(in) :: inv_igp_index(:), indinv(:)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut
    real(c_double), intent(inout), target :: asxtemp(:), achtemp(:)
    real(c_double), intent(inout) :: acht_n1(:)
    real(c_double), intent(inout), optional :: achtcor_n1(:)
    procedure(host_failure) :: fail
    character(len=:), allocatable :: message

    poles%are_set = .false.
    call set(fresh, complex128_2(wtilde_array), real64_2(I_eps_array), real64_1(vcoul(:size(I_eps_array, 1))), &
        rows_of(inv_igp_index, indinv, size(I_eps_array, 2)), message)
    if (message == "") call sums_real(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, &
        achtemp, acht_n1, achtcor_n1, message)
    if (message /= "") call fail(message, .false.)
  end subroutine

  subroutine sums_real(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, &
      achtcor_n1, message)
    logical, intent(in) :: diagonal
    real(c_double), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut
    logical, intent(in) :: remainder
    real(c_double), intent(inout), target :: asxtemp(:), achtemp(:)
    real(c_double), intent(inout) :: acht_n1(:)
    real(c_double), intent(inout), optional :: achtcor_n1(:)
    character(len=:), allocatable, intent(out) :: message
    complex(c_double_complex), dimension(size(bands%index)) :: ch_n1, static_n1
    type(suite_array) :: aqsn, aqsm
    integer :: nb

    nb = size(bands%index)
    aqsn = real64_2(aqsntemp(:, :nb))
    aqsm = aqsn ! the same array twice is packed once
    if (.not. diagonal) aqsm = real64_2(aqsmtemp(:, :nb))
    call run(aqsn, aqsm, bands, energies, gamma, sexcut, remainder, real64_1(asxtemp(energies%nstart:energies%nend)), &
        real64_1(achtemp(energies%nstart:energies%nend)), ch_n1, static_n1, message)
    if (message /= "") return
    acht_n1(bands%index) = acht_n1(bands%index) + real(ch_n1)
    if (remainder .and. present(achtcor_n1)) achtcor_n1(bands%index) = achtcor_n1(bands%index) - 0.5_c_double * real(static_n1)
  end subroutine

  subroutine set(fresh, wtilde, I_eps, vcoul, rows, message)
    logical, intent(in) :: fresh
    type(suite_array), intent(in) :: wtilde, I_eps, vcoul
    integer, intent(in) :: rows(:)
    character(len=:), allocatable, intent(out) :: message
    logical :: reopened
    integer :: ierr

    call open_chosen(gpp, of_sigma, "gpp.sigma", reopened, message)
    if (message /= "" .or. .not. (fresh .or. reopened)) return
    call suite_gpp_sigma_set(gpp%call, wtilde, I_eps, vcoul, rows, ierr)
    if (ierr /= suite_ok) message = suite_message(gpp%call)
  end subroutine

  subroutine run(aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, ch_n1, static_n1, message)
    type(suite_array), intent(in) :: aqsntemp, aqsmtemp
    type(sigma_suite_bands), intent(in), target :: bands
    type(sigma_suite_energies), intent(in), target :: energies
    real(c_double), intent(in) :: gamma, sexcut
    logical, intent(in) :: remainder
    type(suite_array), intent(in) :: asxtemp, achtemp
    complex(c_double_complex), intent(out), target :: ch_n1(:), static_n1(:) !< (nb) Ry
    character(len=:), allocatable, intent(out) :: message
    type(suite_array) :: of_bands, of_static ! not described: not computed
    integer :: ierr

    ch_n1 = 0
    static_n1 = 0
    message = ""
    ! CH of the bands is wanted at iw = 2, if that is one of the energies.
    if (energies%nstart <= 2 .and. energies%nend >= 2) of_bands = complex128_1(ch_n1)
    if (remainder) of_static = complex128_1(static_n1)
    call suite_gpp_sigma_energies(gpp%call, aqsntemp, aqsmtemp, real64_1(energies%values), real64_1(bands%occ), &
        real64_1(bands%ekq), asxtemp, achtemp, gamma, sexcut, acht_n1_iw=of_bands, achst_n1=of_static, &
        iw_n1=max(1, 3 - energies%nstart), add=.true., ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(gpp%call)
  end subroutine
end module
