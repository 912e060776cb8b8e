! SPDX-License-Identifier: BSD-3-Clause
!> gpp.sigma where the Sigma code of BerkeleyGW has its plasmon-pole sums: what one rank computes of one pair of external bands,
!> for the bands of one rank of its pool at a time, with the arrays of that routine as they lie there. README.md says where the
!> call goes.
!>
!>     use sigma_suite, only: sigma_suite_chosen, sigma_suite_gpp, bands_of, energies_of
!>     if (sigma_suite_chosen()) call sigma_suite_gpp(...)
!>
!> The kernel is opened by the first call and kept to the end of the program. Results are added to the arrays of the host.
!> (A host may send this file through a C preprocessor: it has no apostrophes and no pairs of slashes.)
module sigma_suite
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  use suite_gpp, only: suite_array, suite_call, suite_close, suite_gpp_sigma_energies, suite_gpp_sigma_set, suite_message, &
      suite_ok, suite_open_once
  use suite_host_arrays, only: complex128_1, complex128_2, real64_1, real64_2
  implicit none (type, external)
  private

  public :: sigma_suite_choose, sigma_suite_chosen, sigma_suite_close, sigma_suite_gpp, bands_of, energies_of

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

  !> The sums of one pair of external bands and all bands of a rank, in the real and the complex flavour.
  interface sigma_suite_gpp
    procedure gpp_complex, gpp_real
  end interface

  character(len=:), allocatable :: keyword !< what the input names
  type(suite_call) :: gpp

contains

  !> Which implementation computes the sums: a name that the command suite list prints, or the path of a plugin. For the keyword of
  !> the input.
  subroutine sigma_suite_choose(implementation)
    character(len=*), intent(in) :: implementation

    keyword = trim(adjustl(implementation))
  end subroutine

  !> Whether anybody chose one, in the input or as SIGMA_SUITE in the environment.
  logical function sigma_suite_chosen()
    sigma_suite_chosen = len(chosen()) > 0
  end function

  !> The environment comes first, so that one input runs on any plugin.
  function chosen() result(name)
    character(len=:), allocatable :: name
    integer :: length

    call get_environment_variable("SIGMA_SUITE", length=length)
    allocate(character(len=length) :: name)
    if (length > 0) call get_environment_variable("SIGMA_SUITE", name)
    if (length == 0 .and. allocated(keyword)) name = keyword
  end function

  !> Gives memory and device back before the end of the program.
  subroutine sigma_suite_close()
    call suite_close(gpp)
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

  subroutine gpp_complex(fresh, diagonal, wtilde_array, I_eps_array, vcoul, inv_igp_index, indinv, aqsntemp, aqsmtemp, bands, &
      energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, achtcor_n1, message)
    logical, intent(in) :: fresh    !< wtilde_array, I_eps_array, vcoul or the columns are others than in the last call
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
    logical, intent(in) :: remainder                  !< whether achtcor_n1 is wanted
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    complex(c_double_complex), intent(inout) :: acht_n1(:)               !< (all bands) Ry: CH at iw = 2 is added
    complex(c_double_complex), intent(inout), optional :: achtcor_n1(:)  !< (all bands) Ry: half of static CH is subtracted
    character(len=*), intent(out) :: message       !< empty, or what went wrong
    complex(c_double_complex), dimension(size(bands%index)) :: ch_n1, static_n1
    type(suite_array) :: aqsn, aqsm
    integer :: nb

    nb = size(bands%index)
    call set(fresh, complex128_2(wtilde_array), complex128_2(I_eps_array), real64_1(vcoul(:size(wtilde_array, 1))), &
        rows_of(inv_igp_index, indinv, size(wtilde_array, 2)), message)
    if (message /= "") return
    aqsn = complex128_2(aqsntemp(:, :nb))
    aqsm = aqsn ! the same array twice is packed once
    if (.not. diagonal) aqsm = complex128_2(aqsmtemp(:, :nb))
    call run(aqsn, aqsm, bands, energies, gamma, sexcut, remainder, complex128_1(asxtemp(energies%nstart:energies%nend)), &
        complex128_1(achtemp(energies%nstart:energies%nend)), ch_n1, static_n1, message)
    if (message /= "") return
    acht_n1(bands%index) = acht_n1(bands%index) + ch_n1
    if (remainder .and. present(achtcor_n1)) achtcor_n1(bands%index) = achtcor_n1(bands%index) - 0.5_c_double * static_n1
  end subroutine

  subroutine gpp_real(fresh, diagonal, wtilde_array, I_eps_array, vcoul, inv_igp_index, indinv, aqsntemp, aqsmtemp, bands, &
      energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, achtcor_n1, message)
    logical, intent(in) :: fresh    !< wtilde_array, I_eps_array, vcoul or the columns are others than in the last call
    logical, intent(in) :: diagonal !< the external bands n and m are the same
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:) !< (ncouls,ngpown) eV
    real(c_double), intent(in), target :: I_eps_array(:,:)  !< (ncouls,ngpown)
    real(c_double), intent(in), target :: vcoul(:) !< (at least ncouls) Ry
    integer, intent(in) :: inv_igp_index(:)        !< (at least ngpown) of each owned column, its number in epsilon
    integer, intent(in) :: indinv(:)               !< its row in the matrix elements; not 1 to ncouls: the column is skipped
    real(c_double), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:) !< (ncouls, at least nb)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut    !< eV, 1
    logical, intent(in) :: remainder                  !< whether achtcor_n1 is wanted
    real(c_double), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    real(c_double), intent(inout) :: acht_n1(:)               !< (all bands) Ry: CH at iw = 2 is added
    real(c_double), intent(inout), optional :: achtcor_n1(:)  !< (all bands) Ry: half of static CH is subtracted
    character(len=*), intent(out) :: message       !< empty, or what went wrong
    complex(c_double_complex), dimension(size(bands%index)) :: ch_n1, static_n1
    type(suite_array) :: aqsn, aqsm
    integer :: nb

    nb = size(bands%index)
    call set(fresh, complex128_2(wtilde_array), real64_2(I_eps_array), real64_1(vcoul(:size(wtilde_array, 1))), &
        rows_of(inv_igp_index, indinv, size(wtilde_array, 2)), message)
    if (message /= "") return
    aqsn = real64_2(aqsntemp(:, :nb))
    aqsm = aqsn ! the same array twice is packed once
    if (.not. diagonal) aqsm = real64_2(aqsmtemp(:, :nb))
    call run(aqsn, aqsm, bands, energies, gamma, sexcut, remainder, real64_1(asxtemp(energies%nstart:energies%nend)), &
        real64_1(achtemp(energies%nstart:energies%nend)), ch_n1, static_n1, message)
    if (message /= "") return
    acht_n1(bands%index) = acht_n1(bands%index) + real(ch_n1)
    if (remainder .and. present(achtcor_n1)) achtcor_n1(bands%index) = achtcor_n1(bands%index) - 0.5_c_double * real(static_n1)
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

  subroutine set(fresh, wtilde_array, I_eps_array, vcoul, rows, message)
    logical, intent(in) :: fresh
    type(suite_array), intent(in) :: wtilde_array, I_eps_array, vcoul
    integer, intent(in) :: rows(:)
    character(len=*), intent(out) :: message
    integer :: ierr

    message = ""
    call suite_open_once(gpp, "gpp.sigma", chosen(), ierr=ierr)
    if (ierr == suite_ok .and. fresh) call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul, rows, ierr)
    if (ierr /= suite_ok) message = suite_message(gpp)
  end subroutine

  subroutine run(aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, ch_n1, static_n1, message)
    type(suite_array), intent(in) :: aqsntemp, aqsmtemp
    type(sigma_suite_bands), intent(in), target :: bands
    type(sigma_suite_energies), intent(in), target :: energies
    real(c_double), intent(in) :: gamma, sexcut
    logical, intent(in) :: remainder
    type(suite_array), intent(in) :: asxtemp, achtemp
    complex(c_double_complex), intent(out), target :: ch_n1(:), static_n1(:) !< (nb) Ry
    character(len=*), intent(out) :: message
    type(suite_array) :: of_bands, of_static ! not described: not computed
    integer :: ierr

    ch_n1 = 0
    static_n1 = 0
    message = ""
    ! CH of the bands is wanted at iw = 2, if that is one of the energies.
    if (energies%nstart <= 2 .and. energies%nend >= 2) of_bands = complex128_1(ch_n1)
    if (remainder) of_static = complex128_1(static_n1)
    call suite_gpp_sigma_energies(gpp, aqsntemp, aqsmtemp, real64_1(energies%values), real64_1(bands%occ), real64_1(bands%ekq), &
        asxtemp, achtemp, gamma, sexcut, acht_n1_iw=of_bands, achst_n1=of_static, iw_n1=max(1, 3 - energies%nstart), add=.true., &
        ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(gpp)
  end subroutine
end module
