! SPDX-License-Identifier: BSD-3-Clause
!> H psi for SALMON, by kernel lfd.hpsi, from that code's own arrays as they lie there: orbitals (ix,iy,iz,ispin,io,ik,im), the
!> local potential of each spin, projectors uv(j,ilma) at the points jxyz(:,j,ia). Where the environment names no implementation in
!> SALMON_SUITE, the host computes as before.
module salmon_suite
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_f_pointer, c_loc
  use suite_host_arrays, only: complex128_5, real64_3, real64_4, real64_5
  use suite_lfd, only: suite_array, suite_call, suite_choose, suite_close, suite_is_open, suite_lfd_hpsi, suite_lfd_hpsi_set, &
      suite_message, suite_ok, suite_open
  implicit none (type, external)
  private

  public :: salmon_suite_chosen, salmon_suite_close, salmon_suite_hpsi, salmon_suite_potential, salmon_suite_projectors

  !> H psi of all orbitals of this rank; an empty message where all is well.
  interface salmon_suite_hpsi
    procedure hpsi_complex, hpsi_real
  end interface

  character(len=*), parameter :: variable = "SALMON_SUITE"
  integer, parameter :: nd = 4 !< neighbours on each side, in all stencils of the host
  integer, parameter :: real_orbitals = 1, complex_orbitals = 2, bloch_orbitals = 3

  !> What the kernel was last told, so that it is told again only what has changed.
  type :: told
    integer :: is(3) = 0, is_array(3) = 0, ie(3) = 0, ie_array(3) = 0, columns = 0, boundary(3) = -1, nspin = 0, kind = 0
    real(c_double) :: h(3) = 0
  end type

  type :: projectors
    integer, allocatable :: mps(:), jxyz(:,:,:), ia_tbl(:)
    real(c_double), allocatable :: rxyz(:,:,:), uv(:,:), rinv_uvu(:)
  end type

  type(suite_call), save :: kernel
  type(told), save :: last
  type(projectors), save :: atoms
  logical, save :: has_projectors = .false., told_projectors = .false.
  real(c_double), allocatable, target, save :: v(:,:,:,:)
  integer, allocatable, target, save :: nlpoint(:,:)
  real(c_double), allocatable, target, save :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)

contains

  !> Whether SALMON_SUITE names an implementation: what `suite list lfd.hpsi` prints, or the path of a plugin.
  logical function salmon_suite_chosen() result(chosen)
    chosen = len(implementation()) > 0
  end function

  function implementation() result(name)
    character(len=:), allocatable :: name
    integer :: length

    call get_environment_variable(variable, length=length)
    allocate(character(len=length) :: name)
    if (length > 0) call get_environment_variable(variable, name)
  end function

  !> Gives back the kernel with its memory on the device.
  subroutine salmon_suite_close()
    call drop_kernel()
    has_projectors = .false.
    if (allocated(v)) deallocate(v)
  end subroutine

  !> The local potential of one spin, V_local(ispin)%f. It is copied: those of several spins do not lie one after the other.
  subroutine salmon_suite_potential(ispin, nspin, f)
    integer, intent(in) :: ispin, nspin
    real(c_double), intent(in) :: f(:,:,:) !< (is:ie) in all directions, Ha

    if (allocated(v)) then
      if (any(shape(v) /= [shape(f), nspin])) deallocate(v)
    end if
    if (.not. allocated(v)) allocate(v(size(f, 1), size(f, 2), size(f, 3), nspin))
    v(:, :, :, ispin) = f
  end subroutine

  !> The projectors of ppg, before each salmon_suite_hpsi that is to apply them; without a call of this none are applied, once. They
  !> are compared with those of the call before, since ions may have moved.
  subroutine salmon_suite_projectors(mps, jxyz, rxyz, uv, ia_tbl, rinv_uvu)
    integer, intent(in) :: mps(:)               !< points of each atom
    integer, intent(in) :: jxyz(:,:,:)          !< (3,at least the largest mps,natom) points, in the host's numbers
    real(c_double), intent(in) :: rxyz(:,:,:)   !< as jxyz: r - R, bohr
    real(c_double), intent(in) :: uv(:,:)       !< (as jxyz,nlma)
    integer, intent(in) :: ia_tbl(:)            !< (nlma) the atom of each projector
    real(c_double), intent(in) :: rinv_uvu(:)   !< (nlma)

    has_projectors = .true.
    if (allocated(atoms%uv)) then
      if (all(shape(atoms%uv) == shape(uv)) .and. size(atoms%mps) == size(mps) .and. all(shape(atoms%jxyz) == shape(jxyz))) then
        if (all(atoms%mps == mps) .and. all(atoms%ia_tbl == ia_tbl) .and. all(atoms%jxyz == jxyz)) then
          if (all_equal(atoms%rinv_uvu, rinv_uvu, size(rinv_uvu)) .and. all_equal(atoms%uv, uv, size(uv)) &
              .and. all_equal(atoms%rxyz, rxyz, size(rxyz))) return
        end if
      end if
    end if
    atoms%mps = mps
    atoms%jxyz = jxyz
    atoms%rxyz = rxyz
    atoms%uv = uv
    atoms%ia_tbl = ia_tbl
    atoms%rinv_uvu = rinv_uvu
    told_projectors = .false.
  end subroutine

  pure logical function all_equal(a, b, n)
    integer, intent(in) :: n
    real(c_double), intent(in) :: a(n), b(n)

    all_equal = all(.not. (a < b .or. a > b))
  end function

  !> htpsi = H tpsi of complex orbitals. Elements of htpsi beyond the grid become 0.
  subroutine hpsi_complex(tpsi, htpsi, is_array, ie_array, is, ie, idx, idy, idz, hgs, coef_lap, coef_nab, vec_k, vec_Ac, message)
    complex(c_double_complex), intent(in), contiguous, target :: tpsi(:,:,:,:,:,:,:) !< (ix,iy,iz,ispin,io,ik,im)
    complex(c_double_complex), intent(inout), contiguous, target :: htpsi(:,:,:,:,:,:,:)
    integer, intent(in) :: is_array(3), ie_array(3), is(3), ie(3) !< of mg
    integer, intent(in) :: idx(is(1)-nd:), idy(is(2)-nd:), idz(is(3)-nd:)
    real(c_double), intent(in) :: hgs(3)                          !< bohr
    real(c_double), intent(in) :: coef_lap(:,:), coef_nab(:,:)    !< (4,3) of stencil
    real(c_double), intent(in) :: vec_k(:,:)                      !< (3,ik) of the k points of tpsi, bohr^-1; none where isolated
    real(c_double), intent(in) :: vec_Ac(3)                       !< bohr^-1
    character(len=:), allocatable, intent(out) :: message
    complex(c_double_complex), pointer :: psi(:,:,:,:,:), hpsi(:,:,:,:,:)
    real(c_double), allocatable :: k(:,:)
    integer :: extents(5), ik, im, per_k, column, ierr

    extents = [1, size(tpsi, 1), size(tpsi, 2), size(tpsi, 3), product(shape(tpsi(1, 1, 1, :, :, :, :)))]
    call tell(merge(bloch_orbitals, complex_orbitals, size(vec_k, 2) > 0), is_array, ie_array, is, ie, idx, idy, idz, hgs, &
        coef_lap, coef_nab, shape(tpsi), message)
    if (message /= "") return
    call c_f_pointer(c_loc(tpsi), psi, extents)
    call c_f_pointer(c_loc(htpsi), hpsi, extents)
    if (size(vec_k, 2) == 0) then
      call suite_lfd_hpsi(kernel, complex128_5(psi), real64_4(v), complex128_5(hpsi), ierr=ierr)
    else
      allocate(k(3, extents(5)))
      per_k = size(tpsi, 4) * size(tpsi, 5)
      column = 0
      do im = 1, size(tpsi, 7)
        do ik = 1, size(tpsi, 6)
          k(:, column + 1:column + per_k) = spread(vec_k(:, ik) + vec_Ac, 2, per_k)
          column = column + per_k
        end do
      end do
      call suite_lfd_hpsi(kernel, complex128_5(psi), real64_4(v), complex128_5(hpsi), k=k, ierr=ierr)
    end if
    if (ierr /= suite_ok) message = suite_message(kernel)
  end subroutine

  !> The same of real orbitals, which have neither k nor a vector potential.
  subroutine hpsi_real(tpsi, htpsi, is_array, ie_array, is, ie, idx, idy, idz, hgs, coef_lap, coef_nab, message)
    real(c_double), intent(in), contiguous, target :: tpsi(:,:,:,:,:,:,:)
    real(c_double), intent(inout), contiguous, target :: htpsi(:,:,:,:,:,:,:)
    integer, intent(in) :: is_array(3), ie_array(3), is(3), ie(3), idx(is(1)-nd:), idy(is(2)-nd:), idz(is(3)-nd:)
    real(c_double), intent(in) :: hgs(3), coef_lap(:,:), coef_nab(:,:)
    character(len=:), allocatable, intent(out) :: message
    real(c_double), pointer :: psi(:,:,:,:,:), hpsi(:,:,:,:,:)
    integer :: extents(5), ierr

    extents = [1, size(tpsi, 1), size(tpsi, 2), size(tpsi, 3), product(shape(tpsi(1, 1, 1, :, :, :, :)))]
    call tell(real_orbitals, is_array, ie_array, is, ie, idx, idy, idz, hgs, coef_lap, coef_nab, shape(tpsi), message)
    if (message /= "") return
    call c_f_pointer(c_loc(tpsi), psi, extents)
    call c_f_pointer(c_loc(htpsi), hpsi, extents)
    call suite_lfd_hpsi(kernel, real64_5(psi), real64_4(v), real64_5(hpsi), ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(kernel)
  end subroutine

  !> Opens the kernel and tells it what has changed since the last call.
  subroutine tell(kind, is_array, ie_array, is, ie, idx, idy, idz, hgs, coef_lap, coef_nab, extents, message)
    integer, intent(in) :: kind, extents(7), is_array(3), ie_array(3), is(3), ie(3), idx(is(1)-nd:), idy(is(2)-nd:), idz(is(3)-nd:)
    real(c_double), intent(in) :: hgs(3), coef_lap(:,:), coef_nab(:,:)
    character(len=:), allocatable, intent(out) :: message
    type(told) :: now
    integer :: ghost(2,3), ierr, i
    integer, allocatable :: spin(:)

    message = wrong_coefficients(hgs, coef_lap, coef_nab)
    if (.not. allocated(v)) message = "salmon_suite_potential has not been called"
    ! A kernel keeps what it has been told, k and projectors too: where there are none any more, it is a new one.
    if (kind /= last%kind .or. (.not. has_projectors .and. told_projectors)) call drop_kernel()
    if (message == "" .and. .not. suite_is_open(kernel)) call open_kernel(message)
    if (message /= "") return
    now = told(is, is_array, ie, ie_array, product(extents(4:)), &
        [edge(is(1), idx), edge(is(2), idy), edge(is(3), idz)], size(v, 4), kind, hgs)
    if (differs(now, last)) then
      ghost(1, :) = is - is_array
      ghost(2, :) = ie_array - ie
      spin = [(1 + mod(i - 1, now%nspin), i = 1, now%columns)]
      call suite_lfd_hpsi_set(kernel, hgs, spin=spin, ghost=ghost, boundary=now%boundary, ierr=ierr)
      if (ierr /= suite_ok) message = suite_message(kernel)
      if (any(now%is /= last%is) .or. any(now%ie /= last%ie)) told_projectors = .false.
      last = now
    end if
    if (message == "" .and. has_projectors .and. .not. told_projectors) call tell_projectors(is, ie, hgs, message)
    has_projectors = .false.
  end subroutine

  subroutine drop_kernel()
    call suite_close(kernel)
    last = told()
    told_projectors = .false.
  end subroutine

  subroutine open_kernel(message)
    character(len=:), allocatable, intent(inout) :: message
    integer :: ierr

    call suite_open(kernel, "lfd.hpsi", implementation(), ierr=ierr)
    if (ierr == suite_ok) call suite_choose(kernel, "axes", "xyz", ierr)
    if (ierr == suite_ok) call suite_choose(kernel, "differences", "eighth", ierr)
    if (ierr /= suite_ok) message = suite_message(kernel)
  end subroutine

  !> 2: the host reads points beyond the grid where they are; 0: on the grid's other side.
  pure integer function edge(first, index)
    integer, intent(in) :: first, index(first-nd:)

    edge = merge(2, 0, index(first - 1) == first - 1)
  end function

  pure logical function differs(a, b)
    type(told), intent(in) :: a, b

    differs = any(a%is /= b%is) .or. any(a%ie /= b%ie) .or. any(a%is_array /= b%is_array) .or. any(a%ie_array /= b%ie_array) &
        .or. a%columns /= b%columns .or. any(a%boundary /= b%boundary) .or. a%nspin /= b%nspin .or. .not. all_equal(a%h, b%h, 3)
  end function

  !> Empty, or which coefficients are not those of eighth order.
  function wrong_coefficients(hgs, coef_lap, coef_nab) result(message)
    real(c_double), intent(in) :: hgs(3), coef_lap(:,:), coef_nab(:,:)
    character(len=:), allocatable :: message
    real(c_double), parameter :: lap(nd) = [8 / 5d0, -1 / 5d0, 8 / 315d0, -1 / 560d0]
    real(c_double), parameter :: nab(nd) = [4 / 5d0, -1 / 5d0, 4 / 105d0, -1 / 280d0]
    integer :: d

    message = ""
    do d = 3, 1, -1
      if (any(abs(coef_lap(:, d) * hgs(d)**2 - lap) > 1d-12) .or. any(abs(coef_nab(:, d) * hgs(d) - nab) > 1d-12)) &
          message = "the stencil's coefficients along " // "xyz"(d:d) // " are not those of eighth order, which lfd.hpsi has"
    end do
  end function

  !> The projectors of each atom together, where the host has one list of all.
  subroutine tell_projectors(is, ie, hgs, message)
    integer, intent(in) :: is(3), ie(3)
    real(c_double), intent(in) :: hgs(3)
    character(len=:), allocatable, intent(inout) :: message
    integer :: natom, nsphere, nproj, ia, ilma, j, points(size(atoms%mps)), n(3), ierr

    natom = size(atoms%mps)
    nsphere = max(1, maxval(atoms%mps))
    points = 0
    do ilma = 1, size(atoms%ia_tbl)
      points(atoms%ia_tbl(ilma)) = points(atoms%ia_tbl(ilma)) + 1
    end do
    nproj = max(1, maxval(points))
    if (allocated(nlpoint)) deallocate(nlpoint, nldisp, beta, dnl)
    allocate(nlpoint(nsphere, natom), source=0)
    allocate(nldisp(3, nsphere, natom), beta(nsphere, nproj, natom), dnl(nproj, nproj, natom), source=0d0)
    n = ie - is + 1
    do ia = 1, natom
      do j = 1, atoms%mps(ia)
        associate (at => atoms%jxyz(:, j, ia) - is)
          nlpoint(j, ia) = 1 + at(1) + n(1) * (at(2) + n(2) * at(3))
        end associate
        nldisp(:, j, ia) = atoms%rxyz(:, j, ia)
      end do
    end do
    points = 0
    do ilma = 1, size(atoms%ia_tbl)
      ia = atoms%ia_tbl(ilma)
      points(ia) = points(ia) + 1
      beta(:atoms%mps(ia), points(ia), ia) = atoms%uv(:atoms%mps(ia), ilma)
      dnl(points(ia), points(ia), ia) = atoms%rinv_uvu(ilma) / product(hgs)
    end do
    call suite_lfd_hpsi_set(kernel, hgs, nlpoint=nlpoint, nldisp=nldisp, beta=beta, dnl=dnl, ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(kernel)
    told_projectors = ierr == suite_ok
  end subroutine
end module
