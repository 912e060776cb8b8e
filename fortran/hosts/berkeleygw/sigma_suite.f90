! SPDX-License-Identifier: BSD-3-Clause
!> The Sigma code of BerkeleyGW on suite: matrix elements (gw.mtxel), plasmon poles (gw.screening) and their sums (gpp.sigma), from
!> the arrays of that code as they lie there. What one rank computes, for one external band or pair at a time. README.md says where
!> the calls go.
!>
!>     use sigma_suite, only: sigma_suite_chosen, sigma_suite_poles, sigma_suite_mtxel, sigma_suite_gpp, bands_of, energies_of
!>     if (sigma_suite_chosen()) call sigma_suite_poles(...) ! once for each q
!>     if (sigma_suite_chosen()) call sigma_suite_mtxel(...) ! for each external band
!>     if (sigma_suite_chosen()) call sigma_suite_gpp(...)   ! for each pair of them and each rank of the pool
!>
!> Kernels are opened by the first call and kept to the end of the program. The sums are added to the arrays of the host.
!> (A host may send this file through a C preprocessor: it has no apostrophes and no pairs of slashes.)
module sigma_suite
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_f_pointer, c_int32_t, c_loc
  use suite_gpp, only: suite_array, suite_call, suite_choose, suite_close, suite_gpp_sigma_energies, suite_gpp_sigma_set, &
      suite_is_open, suite_message, suite_not_found, suite_ok, suite_open, suite_unset
  use suite_gw, only: suite_gw_mtxel, suite_gw_mtxel_set, suite_gw_screening, suite_gw_screening_set
  use suite_host_arrays, only: complex128_1, complex128_2, complex128_3, int32_2, real64_1, real64_2, real64_3
  implicit none (type, external)
  private

  public :: sigma_suite_choose, sigma_suite_chosen, sigma_suite_close, sigma_suite_gpp, sigma_suite_mtxel, sigma_suite_poles, &
      bands_of, energies_of

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

  !> Matrix elements of one external band and all bands of this rank.
  interface sigma_suite_mtxel
    procedure mtxel_complex, mtxel_real
  end interface

  !> The plasmon poles of one q in the columns of this rank.
  interface sigma_suite_poles
    procedure poles_complex, poles_real
  end interface

  !> A kernel, and the names among which its implementation was found.
  type :: opened_kernel
    type(suite_call) :: call
    character(len=:), allocatable :: names
  end type

  !> What matrix elements are between, as gw.mtxel takes it.
  type :: vectors_of_bands
    integer(c_int32_t), allocatable :: ket(:,:), bra(:,:), wanted(:,:) !< (3,*) components
  end type

  !> The poles of the present q. Of the strengths one is allocated, that of the flavour.
  type :: poles_of_q
    complex(c_double_complex), allocatable :: wtilde(:,:), complex_I(:,:) !< (ncouls,ngpown) eV, 1
    real(c_double), allocatable :: real_I(:,:)                           !< (ncouls,ngpown)
    real(c_double), allocatable :: vcoul(:)                              !< (ncouls) Ry
    integer, allocatable :: rows(:)                                      !< (ngpown) row of each owned column; 0: none
    logical :: are_set = .false.                                         !< whether gpp has them
  end type

  real(c_double), parameter :: pi = 3.141592653589793_c_double

  character(len=:), allocatable :: keyword !< what the input names
  type(opened_kernel), target :: gpp, mtxel, screening
  type(vectors_of_bands), target :: vectors
  type(poles_of_q), target :: poles

contains

  !> Which implementation computes: a name that the command suite list prints, or the path of a plugin. Of several words each kernel
  !> takes the first that has it, so that one of a user may stand before cpu. For the keyword of the input.
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
    call suite_close(gpp%call)
    call suite_close(mtxel%call)
    call suite_close(screening%call)
    vectors = vectors_of_bands()
    poles = poles_of_q()
  end subroutine

  !> Opens a kernel at the first call, and again where another implementation has been chosen since.
  subroutine open_chosen(kernel, name, reopened, message)
    type(opened_kernel), intent(inout) :: kernel
    character(len=*), intent(in) :: name
    logical, intent(out) :: reopened
    character(len=*), intent(out) :: message
    character(len=:), allocatable :: names
    integer :: first, blank, ierr

    message = ""
    names = chosen()
    reopened = .true.
    if (suite_is_open(kernel%call)) reopened = kernel%names /= names
    if (.not. reopened) return
    first = 1
    do
      blank = index(names(first:), " ")
      if (blank == 0) blank = len(names) - first + 2
      call suite_open(kernel%call, name, names(first:first + blank - 2), ierr=ierr)
      first = first + blank
      do while (first <= len(names))
        if (names(first:first) /= " ") exit
        first = first + 1
      end do
      if (ierr /= suite_not_found .or. first > len(names)) exit
    end do
    if (ierr /= suite_ok) message = suite_message(kernel%call)
    kernel%names = names
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

  !> M_nn1(G) = <n,k| exp(i(q+G)r) |n1,k-q> of external band number n and all bands n1 of this rank. The bands n1 are transformed
  !> once and kept until the next call with fresh; zkq must stay where it is until then. (It has no attribute contiguous, for which
  !> a compiler copies what a pointer of the host points to.)
  subroutine mtxel_complex(fresh, n, ispin, nspinor, components, nkpt, isrtk, zk, nkptq, isrtkq, zkq, nb, isrtrq, aqs, message)
    logical, intent(in) :: fresh                !< k, k-q, the spin or the wanted G are others than in the last call
    integer, intent(in) :: n                    !< from 1: its place in zk
    integer, intent(in) :: ispin, nspinor
    integer, intent(in) :: components(:,:)      !< (3,ng) of the G vectors
    integer, intent(in) :: nkpt, isrtk(:)       !< plane waves of k, and (at least nkpt) their places in components
    complex(c_double_complex), intent(in) :: zk(:,:) !< (at least n nkpt, nspin nspinor)
    integer, intent(in) :: nkptq, isrtkq(:)     !< the same of k-q
    complex(c_double_complex), intent(in), target :: zkq(:,:) !< (nb nkptq, nspin nspinor)
    integer, intent(in) :: nb                   !< bands n1 of this rank
    integer, intent(in) :: isrtrq(:)            !< (at least the first extent of aqs) places of the wanted G
    complex(c_double_complex), intent(inout), target :: aqs(:,:) !< (ncoul, at least nb): the first nb columns are set
    character(len=*), intent(out) :: message    !< empty, or what went wrong
    complex(c_double_complex), pointer :: ket(:,:,:)
    complex(c_double_complex), target :: bra(nkpt, 1, nspinor)

    message = refused(n, ispin, nspinor, nkpt, shape(zk), nkptq, nb, shape(zkq), shape(aqs), is_contiguous(zkq))
    if (message /= "" .or. nb == 0) return
    call c_f_pointer(c_loc(zkq(1, ispin)), ket, [nkptq, nb, nspinor])
    bra(:, 1, :) = zk((n - 1) * nkpt + 1:n * nkpt, ispin:ispin + nspinor - 1)
    call elements(fresh, complex128_3(ket), complex128_3(bra), components, isrtk(:nkpt), isrtkq(:nkptq), isrtrq(:size(aqs, 1)), &
        complex128_2(aqs(:, :nb)), message)
  end subroutine

  !> The same in the real flavour.
  subroutine mtxel_real(fresh, n, ispin, nspinor, components, nkpt, isrtk, zk, nkptq, isrtkq, zkq, nb, isrtrq, aqs, message)
    logical, intent(in) :: fresh
    integer, intent(in) :: n, ispin, nspinor, components(:,:), nkpt, isrtk(:), nkptq, isrtkq(:), nb, isrtrq(:)
    real(c_double), intent(in) :: zk(:,:)
    real(c_double), intent(in), target :: zkq(:,:)
    real(c_double), intent(inout), target :: aqs(:,:)
    character(len=*), intent(out) :: message
    real(c_double), pointer :: ket(:,:,:)
    real(c_double), target :: bra(nkpt, 1, nspinor)

    message = refused(n, ispin, nspinor, nkpt, shape(zk), nkptq, nb, shape(zkq), shape(aqs), is_contiguous(zkq))
    if (message /= "" .or. nb == 0) return
    call c_f_pointer(c_loc(zkq(1, ispin)), ket, [nkptq, nb, nspinor])
    bra(:, 1, :) = zk((n - 1) * nkpt + 1:n * nkpt, ispin:ispin + nspinor - 1)
    call elements(fresh, real64_3(ket), real64_3(bra), components, isrtk(:nkpt), isrtkq(:nkptq), isrtrq(:size(aqs, 1)), &
        real64_2(aqs(:, :nb)), message)
  end subroutine

  !> Empty, or the extent that does not fit.
  pure function refused(n, ispin, nspinor, nkpt, zk, nkptq, nb, zkq, aqs, is_whole) result(message)
    integer, intent(in) :: n, ispin, nspinor, nkpt, zk(2), nkptq, nb, zkq(2), aqs(2)
    logical, intent(in) :: is_whole
    character(len=200) :: message

    message = ""
    if (.not. is_whole) message = "zkq is a section of an array, but must be whole: it stays in use after the call"
    if (zk(1) < n * nkpt) write (message, "(3(a, i0))") "zk has ", zk(1), " rows, but external band ", n, " ends at ", n * nkpt
    if (zkq(1) /= nb * nkptq) write (message, "(3(a, i0))") "zkq has ", zkq(1), " rows, but ", nb, " bands take ", nb * nkptq
    if (min(zk(2), zkq(2)) < ispin + nspinor - 1) write (message, "(2(a, i0))") "zk or zkq has ", min(zk(2), zkq(2)), &
        " spin components, but the last one wanted is ", ispin + nspinor - 1
    if (aqs(2) < nb) write (message, "(2(a, i0))") "aqs has ", aqs(2), " columns, but there are bands ", nb
  end function

  subroutine elements(fresh, ket, bra, components, isrtk, isrtkq, isrtrq, aqs, message)
    logical, intent(in) :: fresh
    type(suite_array), intent(in) :: ket, bra, aqs
    integer, intent(in) :: components(:,:), isrtk(:), isrtkq(:), isrtrq(:)
    character(len=*), intent(out) :: message
    logical :: reopened
    integer :: ierr

    call open_chosen(mtxel, "gw.mtxel", reopened, message)
    if (message /= "") return
    ierr = suite_ok
    if (fresh .or. reopened) then
      vectors%ket = int(components(:, isrtkq), c_int32_t)
      vectors%bra = int(components(:, isrtk), c_int32_t)
      vectors%wanted = int(components(:, isrtrq), c_int32_t)
      call suite_gw_mtxel_set(mtxel%call, ket, int32_2(vectors%ket), int32_2(vectors%bra), int32_2(vectors%wanted), ierr)
    end if
    if (ierr == suite_ok) call suite_gw_mtxel(mtxel%call, bra, aqs, ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(mtxel%call)
  end subroutine

  !> Poles of one q, kept for all external bands: Hybertsen-Louie, or where eps_imaginary is present Godby-Needs.
  subroutine poles_complex(ncouls, components, isrtrq, rho, bdot, q, coulfact, vcoul, ind, indinv, ph, inv_igp_index, eps, &
      invalid_gpp_mode, message, eps_imaginary, w_imaginary)
    integer, intent(in) :: ncouls
    integer, intent(in) :: components(:,:)  !< (3,ng) of the G vectors
    integer, intent(in) :: isrtrq(:)                !< (at least ncouls) places of the G of this q
    complex(c_double_complex), intent(in) :: rho(:,:) !< (ng,nspin) electrons
    real(c_double), intent(in) :: bdot(:,:)         !< (3,3) bohr^-2
    real(c_double), intent(in) :: q(:)              !< (3) crystal; 0 for q to 0
    real(c_double), intent(in) :: coulfact          !< bohr^-3: 8 pi times what vcoul has in front of 1 over |q+G|^2
    real(c_double), intent(in) :: vcoul(:)          !< (at least ncouls) Ry
    integer, intent(in) :: ind(:)                   !< (at least ncouls) row of each G in eps; beyond eps: 0 there
    integer, intent(in) :: indinv(:)                !< its inverse
    complex(c_double_complex), intent(in) :: ph(:)  !< (at least ncouls) phase of each G
    integer, intent(in) :: inv_igp_index(:)         !< (at least ngpown) of each owned column, its number in epsilon
    complex(c_double_complex), intent(in) :: eps(:,:) !< (neps,ngpown) inverse dielectric matrix, wings as Sigma takes them
    integer, intent(in) :: invalid_gpp_mode
    character(len=*), intent(out) :: message        !< empty, or what went wrong
    complex(c_double_complex), intent(in), optional :: eps_imaginary(:,:) !< (neps,ngpown) at the imaginary frequency
    real(c_double), intent(in), optional :: w_imaginary                   !< eV
    complex(c_double_complex), allocatable, target :: density(:), static(:,:), second(:,:)

    poles = poles_of_q(rows=rows_of(inv_igp_index, indinv, size(eps, 2)), vcoul=vcoul(:ncouls))
    allocate(poles%complex_I(ncouls, size(eps, 2)), poles%wtilde(ncouls, size(eps, 2)))
    density = sum(rho, dim=2)
    call rotate(eps, static)
    if (present(eps_imaginary)) call rotate(eps_imaginary, second)
    call make_poles(components, isrtrq(:ncouls), complex128_1(density), bdot, q, coulfact, complex128_2(static), invalid_gpp_mode, &
        complex128_2(poles%complex_I), message, complex128_2(second), w_imaginary)

  contains

    !> To the G of this q.
    pure subroutine rotate(matrix, rotated)
      complex(c_double_complex), intent(in) :: matrix(:,:)
      complex(c_double_complex), allocatable, intent(out) :: rotated(:,:)
      integer :: ig, column

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

  !> The same in the real flavour.
  subroutine poles_real(ncouls, components, isrtrq, rho, bdot, q, coulfact, vcoul, ind, indinv, ph, inv_igp_index, eps, &
      invalid_gpp_mode, message, eps_imaginary, w_imaginary)
    integer, intent(in) :: ncouls, isrtrq(:), ind(:), indinv(:), inv_igp_index(:), invalid_gpp_mode
    integer, intent(in) :: components(:,:)
    real(c_double), intent(in) :: rho(:,:), bdot(:,:), q(:), coulfact, vcoul(:), ph(:), eps(:,:)
    character(len=*), intent(out) :: message
    real(c_double), intent(in), optional :: eps_imaginary(:,:), w_imaginary
    real(c_double), allocatable, target :: density(:), static(:,:), second(:,:)

    poles = poles_of_q(rows=rows_of(inv_igp_index, indinv, size(eps, 2)), vcoul=vcoul(:ncouls))
    allocate(poles%real_I(ncouls, size(eps, 2)), poles%wtilde(ncouls, size(eps, 2)))
    density = sum(rho, dim=2)
    call rotate(eps, static)
    if (present(eps_imaginary)) call rotate(eps_imaginary, second)
    call make_poles(components, isrtrq(:ncouls), real64_1(density), bdot, q, coulfact, real64_2(static), invalid_gpp_mode, &
        real64_2(poles%real_I), message, real64_2(second), w_imaginary)

  contains

    !> To the G of this q.
    pure subroutine rotate(matrix, rotated)
      real(c_double), intent(in) :: matrix(:,:)
      real(c_double), allocatable, intent(out) :: rotated(:,:)
      integer :: ig, column

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

  subroutine make_poles(components, isrtrq, density, bdot, q, coulfact, epsinv, invalid_gpp_mode, I_eps_array, message, &
      epsinv_imaginary, w_imaginary)
    integer, intent(in) :: components(:,:), isrtrq(:), invalid_gpp_mode
    type(suite_array), intent(in) :: density, epsinv, I_eps_array, epsinv_imaginary
    real(c_double), intent(in) :: bdot(:,:), q(:), coulfact
    character(len=*), intent(out) :: message
    real(c_double), intent(in), optional :: w_imaginary
    integer(c_int32_t), target :: g(3, size(isrtrq)), g_of_rho(3, size(components, 2)) ! integers of a host may have 8 bytes
    real(c_double), target :: v(size(isrtrq))
    real(c_double) :: points
    logical :: reopened
    integer :: nq, ierr

    call open_chosen(screening, "gw.screening", reopened, message)
    if (message /= "" .or. size(poles%rows) == 0) return
    ! The kernel counts q points; here coulfact says what v is divided by, which need not be a whole number for a part of a q.
    points = 8 * pi / (coulfact * volume(bdot))
    nq = max(1, nint(points))
    v = poles%vcoul * (points / nq)
    g_of_rho = int(components, c_int32_t)
    g = g_of_rho(:, isrtrq)
    call suite_choose(screening%call, "model", merge("godby_needs    ", "hybertsen_louie", present(w_imaginary)), ierr)
    if (.not. present(w_imaginary)) call suite_unset(screening%call, "epsinv_imaginary") ! of an earlier q
    if (ierr == suite_ok) call suite_gw_screening_set(screening%call, int32_2(g), int32_2(g_of_rho), density, &
        merge(poles%rows, 0, poles%rows <= size(isrtrq)), ierr)
    if (ierr == suite_ok) call suite_gw_screening(screening%call, epsinv, bdot, real64_1(v), &
        merge(q, 0.0_c_double, dot_product(q, matmul(bdot, q)) > 1.0e-12_c_double), nq, I_eps_array, complex128_2(poles%wtilde), &
        epsinv_imaginary, w_imaginary, invalid_gpp_mode, ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(screening%call)
  end subroutine

  !> With the poles of the last call of sigma_suite_poles.
  subroutine gpp_of_poles_complex(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, &
      acht_n1, achtcor_n1, message)
    logical, intent(in) :: diagonal !< the external bands n and m are the same
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:) !< (ncouls, at least nb)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut    !< eV, 1
    logical, intent(in) :: remainder               !< whether achtcor_n1 is wanted
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    complex(c_double_complex), intent(inout) :: acht_n1(:)              !< (all bands) Ry: CH at iw = 2 is added
    complex(c_double_complex), intent(inout), optional :: achtcor_n1(:) !< (all bands) Ry: half of static CH is subtracted
    character(len=*), intent(out) :: message       !< empty, or what went wrong

    if (.not. allocated(poles%complex_I)) then
      message = "sigma_suite_gpp without poles of its own needs those of sigma_suite_poles, in the same flavour"
      return
    end if
    call set(.not. poles%are_set, complex128_2(poles%wtilde), complex128_2(poles%complex_I), real64_1(poles%vcoul), poles%rows, &
        message)
    if (message /= "") return
    poles%are_set = .true.
    call sums_complex(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, &
        achtcor_n1, message)
  end subroutine

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
    logical, intent(in) :: remainder               !< whether achtcor_n1 is wanted
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    complex(c_double_complex), intent(inout) :: acht_n1(:)              !< (all bands) Ry: CH at iw = 2 is added
    complex(c_double_complex), intent(inout), optional :: achtcor_n1(:) !< (all bands) Ry: half of static CH is subtracted
    character(len=*), intent(out) :: message       !< empty, or what went wrong

    poles%are_set = .false.
    call set(fresh, complex128_2(wtilde_array), complex128_2(I_eps_array), real64_1(vcoul(:size(wtilde_array, 1))), &
        rows_of(inv_igp_index, indinv, size(wtilde_array, 2)), message)
    if (message /= "") return
    call sums_complex(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, &
        achtcor_n1, message)
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
    character(len=*), intent(out) :: message
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

  subroutine gpp_of_poles_real(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, &
      acht_n1, achtcor_n1, message)
    logical, intent(in) :: diagonal !< the external bands n and m are the same
    real(c_double), intent(in), target :: aqsntemp(:,:), aqsmtemp(:,:) !< (ncouls, at least nb)
    type(sigma_suite_bands), intent(in) :: bands
    type(sigma_suite_energies), intent(in) :: energies
    real(c_double), intent(in) :: gamma, sexcut    !< eV, 1
    logical, intent(in) :: remainder               !< whether achtcor_n1 is wanted
    real(c_double), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    real(c_double), intent(inout) :: acht_n1(:)              !< (all bands) Ry: CH at iw = 2 is added
    real(c_double), intent(inout), optional :: achtcor_n1(:) !< (all bands) Ry: half of static CH is subtracted
    character(len=*), intent(out) :: message       !< empty, or what went wrong

    if (.not. allocated(poles%real_I)) then
      message = "sigma_suite_gpp without poles of its own needs those of sigma_suite_poles, in the same flavour"
      return
    end if
    call set(.not. poles%are_set, complex128_2(poles%wtilde), real64_2(poles%real_I), real64_1(poles%vcoul), poles%rows, message)
    if (message /= "") return
    poles%are_set = .true.
    call sums_real(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, &
        achtcor_n1, message)
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
    logical, intent(in) :: remainder               !< whether achtcor_n1 is wanted
    real(c_double), intent(inout), target :: asxtemp(:), achtemp(:) !< (at least nend) Ry: nstart to nend are added to
    real(c_double), intent(inout) :: acht_n1(:)              !< (all bands) Ry: CH at iw = 2 is added
    real(c_double), intent(inout), optional :: achtcor_n1(:) !< (all bands) Ry: half of static CH is subtracted
    character(len=*), intent(out) :: message       !< empty, or what went wrong

    poles%are_set = .false.
    call set(fresh, complex128_2(wtilde_array), real64_2(I_eps_array), real64_1(vcoul(:size(wtilde_array, 1))), &
        rows_of(inv_igp_index, indinv, size(wtilde_array, 2)), message)
    if (message /= "") return
    call sums_real(diagonal, aqsntemp, aqsmtemp, bands, energies, gamma, sexcut, remainder, asxtemp, achtemp, acht_n1, &
        achtcor_n1, message)
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
    character(len=*), intent(out) :: message
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

  subroutine set(fresh, wtilde_array, I_eps_array, vcoul, rows, message)
    logical, intent(in) :: fresh
    type(suite_array), intent(in) :: wtilde_array, I_eps_array, vcoul
    integer, intent(in) :: rows(:)
    character(len=*), intent(out) :: message
    logical :: reopened
    integer :: ierr

    call open_chosen(gpp, "gpp.sigma", reopened, message)
    if (message /= "" .or. .not. (fresh .or. reopened)) return
    call suite_gpp_sigma_set(gpp%call, wtilde_array, I_eps_array, vcoul, rows, ierr)
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
    character(len=*), intent(out) :: message
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
