! SPDX-License-Identifier: BSD-3-Clause
!> The module for SALMON, called as that code's routine does, on made-up orbitals (ix,iy,iz,ispin,io,ik,im): against H psi written
!> down point by point, in each implementation named on the command line that is found.
program test_salmon_suite
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  use checks, only: check, finish_checks
  use salmon_suite, only: salmon_suite_chosen, salmon_suite_close, salmon_suite_hpsi, salmon_suite_potential, &
      salmon_suite_projectors
  use suite, only: suite_call, suite_close, suite_ok, suite_open
  implicit none (type, external)

  interface
    integer(c_int) function setenv(name, value, overwrite) bind(c)
      use, intrinsic :: iso_c_binding, only: c_char, c_int
      implicit none (type, external)
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: overwrite
    end function
  end interface

  integer, parameter :: nd = 4, natom = 2, nlma = 5, nps = 40
  integer, parameter :: is(3) = [1, 3, 2], ie(3) = [9, 10, 8]
  real(c_double), parameter :: hgs(3) = [0.5d0, 0.6d0, 0.55d0]
  real(c_double), parameter :: lap(nd) = [8 / 5d0, -1 / 5d0, 8 / 315d0, -1 / 560d0]
  real(c_double), parameter :: nab(nd) = [4 / 5d0, -1 / 5d0, 4 / 105d0, -1 / 280d0]
  real(c_double) :: coef_lap(nd, 3), coef_nab(nd, 3), rxyz(3, nps, natom), uv(nps, nlma), rinv_uvu(nlma)
  integer :: mps(natom), jxyz(3, nps, natom), ia_tbl(nlma), idx(is(1) - nd:ie(1) + nd), idy(is(2) - nd:ie(2) + nd), &
      idz(is(3) - nd:ie(3) + nd)
  character(len=64) :: name
  integer :: i, d, served

  call random_init(repeatable=.true., image_distinct=.false.)
  do d = 1, 3
    coef_lap(:, d) = lap / hgs(d)**2
    coef_nab(:, d) = nab / hgs(d)
  end do
  call make_projectors()
  call check(.not. salmon_suite_chosen(), "nobody has chosen an implementation yet")
  served = 0
  do i = 1, command_argument_count()
    call get_command_argument(i, name)
    if (.not. is_there(trim(name))) cycle
    served = served + 1
    if (setenv("SALMON_SUITE" // achar(0), trim(name) // achar(0), 1) /= 0) error stop "setenv"
    call check(salmon_suite_chosen(), "an implementation is chosen")
    call check_complex(trim(name), is, [ie(1), ie(2) + 1, ie(3)], periodic=.true.)
    call check_complex(trim(name), is - nd, [ie(1) + nd, ie(2) + nd + 1, ie(3) + nd], periodic=.false.)
    call check_real(trim(name))
    call salmon_suite_close()
  end do
  call check(served >= 2, "reference and cpu are always there")
  call finish_checks()

contains

  logical function is_there(name)
    character(len=*), intent(in) :: name
    type(suite_call) :: call
    integer :: ierr

    call suite_open(call, "lfd.hpsi", name, ierr=ierr)
    is_there = ierr == suite_ok
    if (.not. is_there) print "(3a)", "SKIPPED: ", name, " is not in this build or cannot be opened here"
    call suite_close(call)
  end function

  !> Spheres around two points, the second of fewer points and with an image across the border.
  subroutine make_projectors()
    integer :: ia, j, ix, iy, iz, ilma
    real(c_double) :: r(3)

    mps = [nps, nps - 7]
    ia_tbl = [1, 1, 1, 2, 2]
    rinv_uvu = [0.7d0, -0.2d0, 0.4d0, 1.1d0, -0.6d0]
    jxyz = is(1)
    rxyz = 0
    uv = 0
    do ia = 1, natom
      do j = 1, mps(ia)
        ix = mod(j, 4) + 3 * ia
        iy = mod(j / 4, 4) + 2 * ia
        iz = j / 16 + ia
        r = [real(ix, c_double), real(iy, c_double), real(iz, c_double)]
        jxyz(:, j, ia) = is + modulo([ix, iy, iz], ie - is + 1)
        rxyz(:, j, ia) = hgs * (r - 4.3d0 * ia)
      end do
    end do
    do ilma = 1, nlma
      do j = 1, mps(ia_tbl(ilma))
        uv(j, ilma) = cos(0.3d0 * ilma * j + 1)
      end do
    end do
  end subroutine

  subroutine set_indices(periodic)
    logical, intent(in) :: periodic
    integer :: j

    idx = [(merge(is(1) + modulo(j - is(1), ie(1) - is(1) + 1), j, periodic), j = is(1) - nd, ie(1) + nd)]
    idy = [(merge(is(2) + modulo(j - is(2), ie(2) - is(2) + 1), j, periodic), j = is(2) - nd, ie(2) + nd)]
    idz = [(merge(is(3) + modulo(j - is(3), ie(3) - is(3) + 1), j, periodic), j = is(3) - nd, ie(3) + nd)]
  end subroutine

  !> Two spins, three orbitals, two k points; with projectors, and without after that.
  subroutine check_complex(name, is_array, ie_array, periodic)
    character(len=*), intent(in) :: name
    integer, intent(in) :: is_array(3), ie_array(3)
    logical, intent(in) :: periodic
    integer, parameter :: nspin = 2, no = 3, nk = 2
    complex(c_double_complex), allocatable :: tpsi(:,:,:,:,:,:,:), htpsi(:,:,:,:,:,:,:), exact(:,:,:)
    real(c_double), allocatable :: v(:,:,:,:), random(:,:,:,:,:,:,:,:)
    real(c_double) :: vec_k(3, nk), vec_Ac(3), worst
    character(len=:), allocatable :: message
    integer :: ispin, io, ik, pass

    call set_indices(periodic)
    allocate(tpsi(is_array(1):ie_array(1), is_array(2):ie_array(2), is_array(3):ie_array(3), nspin, no, nk, 1))
    allocate(htpsi, mold=tpsi)
    allocate(random(2, size(tpsi, 1), size(tpsi, 2), size(tpsi, 3), nspin, no, nk, 1))
    allocate(v(is(1):ie(1), is(2):ie(2), is(3):ie(3), nspin))
    call random_number(random)
    tpsi = cmplx(random(1, :, :, :, :, :, :, :), random(2, :, :, :, :, :, :, :), c_double_complex)
    call random_number(v)
    vec_k = reshape([0.3d0, -0.2d0, 0.1d0, 0d0, 0.4d0, -0.5d0], [3, nk])
    vec_Ac = [0.05d0, 0.1d0, -0.02d0]
    do pass = 1, 2
      do ispin = 1, nspin
        call salmon_suite_potential(ispin, nspin, v(:, :, :, ispin))
      end do
      if (pass == 1) call salmon_suite_projectors(mps, jxyz, rxyz, uv, ia_tbl, rinv_uvu)
      htpsi = (7d0, 7d0)
      call salmon_suite_hpsi(tpsi, htpsi, is_array, ie_array, is, ie, idx, idy, idz, hgs, coef_lap, coef_nab, vec_k, vec_Ac, &
          message)
      call check(message == "", name // ": " // message)
      worst = 0
      do ik = 1, nk
        do io = 1, no
          do ispin = 1, nspin
            exact = by_point(tpsi(:, :, :, ispin, io, ik, 1), is_array, v(:, :, :, ispin), vec_k(:, ik) + vec_Ac, pass == 1)
            worst = max(worst, maxval(abs(exact - htpsi(is(1):ie(1), is(2):ie(2), is(3):ie(3), ispin, io, ik, 1))) &
                / maxval(abs(exact)))
          end do
        end do
      end do
      call check(worst < 1d-13, name // ": complex orbitals")
    end do
    call salmon_suite_hpsi(tpsi, htpsi, is_array, ie_array, is, ie, idx, idy, idz, hgs, 1.01d0 * coef_lap, coef_nab, vec_k, &
        vec_Ac, message)
    call check(index(message, "along x are not those of eighth order") > 0, name // ": other coefficients are refused")
  end subroutine

  !> Real orbitals in a box, whose points beyond the grid are zeros.
  subroutine check_real(name)
    character(len=*), intent(in) :: name
    integer, parameter :: no = 3
    real(c_double), allocatable :: rwf(:,:,:,:,:,:,:), htpsi(:,:,:,:,:,:,:), v(:,:,:)
    complex(c_double_complex), allocatable :: exact(:,:,:)
    character(len=:), allocatable :: message
    real(c_double) :: worst
    integer :: io

    call set_indices(.false.)
    allocate(rwf(is(1) - nd:ie(1) + nd, is(2) - nd:ie(2) + nd, is(3) - nd:ie(3) + nd, 1, no, 1, 1), source=0d0)
    allocate(htpsi, mold=rwf)
    allocate(v(is(1):ie(1), is(2):ie(2), is(3):ie(3)))
    call random_number(rwf(is(1):ie(1), is(2):ie(2), is(3):ie(3), :, :, :, :))
    call random_number(v)
    call salmon_suite_potential(1, 1, v)
    call salmon_suite_projectors(mps, jxyz, rxyz, 2 * uv, ia_tbl, rinv_uvu / 4)
    htpsi = 7
    call salmon_suite_hpsi(rwf, htpsi, is - nd, ie + nd, is, ie, idx, idy, idz, hgs, coef_lap, coef_nab, message)
    call check(message == "", name // ": " // message)
    worst = 0
    do io = 1, no
      exact = by_point(cmplx(rwf(:, :, :, 1, io, 1, 1), 0, c_double_complex), is - nd, v, [0d0, 0d0, 0d0], .true.)
      worst = max(worst, maxval(abs(exact - htpsi(is(1):ie(1), is(2):ie(2), is(3):ie(3), 1, io, 1, 1))) / maxval(abs(exact)))
    end do
    call check(worst < 1d-13, name // ": real orbitals")
    call check(all(.not. abs(htpsi(:, :, is(3) - nd:is(3) - 1, :, :, :, :)) > 0), name // ": zeros beyond the grid")
  end subroutine

  !> H psi of one orbital, by its definition.
  function by_point(psi, first, v, q, with_projectors) result(h)
    integer, intent(in) :: first(3)
    complex(c_double_complex), intent(in) :: psi(first(1):, first(2):, first(3):)
    real(c_double), intent(in) :: v(is(1):, is(2):, is(3):), q(3)
    logical, intent(in) :: with_projectors
    complex(c_double_complex), allocatable :: h(:,:,:)
    complex(c_double_complex) :: sum, overlap, b, up(3), down(3)
    integer :: ix, iy, iz, m, d, j, ilma, ia

    allocate(h(is(1):ie(1), is(2):ie(2), is(3):ie(3)))
    do iz = is(3), ie(3)
      do iy = is(2), ie(2)
        do ix = is(1), ie(1)
          sum = (v(ix, iy, iz) + 0.5d0 * dot_product(q, q)) * psi(ix, iy, iz)
          do d = 1, 3
            sum = sum + 205 / (144 * hgs(d)**2) * psi(ix, iy, iz)
          end do
          do m = 1, nd
            up = [psi(idx(ix + m), iy, iz), psi(ix, idy(iy + m), iz), psi(ix, iy, idz(iz + m))]
            down = [psi(idx(ix - m), iy, iz), psi(ix, idy(iy - m), iz), psi(ix, iy, idz(iz - m))]
            do d = 1, 3
              sum = sum - 0.5d0 * coef_lap(m, d) * (up(d) + down(d)) - (0d0, 1d0) * q(d) * coef_nab(m, d) * (up(d) - down(d))
            end do
          end do
          h(ix, iy, iz) = sum
        end do
      end do
    end do
    if (.not. with_projectors) return
    do ilma = 1, nlma
      ia = ia_tbl(ilma)
      overlap = 0
      do j = 1, mps(ia)
        b = exp(cmplx(0, -dot_product(q, rxyz(:, j, ia)), c_double_complex)) * uv(j, ilma)
        overlap = overlap + conjg(b) * psi(jxyz(1, j, ia), jxyz(2, j, ia), jxyz(3, j, ia))
      end do
      do j = 1, mps(ia)
        b = exp(cmplx(0, -dot_product(q, rxyz(:, j, ia)), c_double_complex)) * uv(j, ilma)
        h(jxyz(1, j, ia), jxyz(2, j, ia), jxyz(3, j, ia)) = h(jxyz(1, j, ia), jxyz(2, j, ia), jxyz(3, j, ia)) &
            + b * rinv_uvu(ilma) * overlap
      end do
    end do
  end function
end program
