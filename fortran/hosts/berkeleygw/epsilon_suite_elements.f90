! SPDX-License-Identifier: BSD-3-Clause
!> Matrix elements for the Epsilon code of BerkeleyGW: kernel gw.mtxel, from the arrays of that code as they lie there.
module epsilon_suite_elements
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_f_pointer, c_loc
  use berkeleygw_elements, only: elements_of_bands, close_elements, make_elements
  use berkeleygw_kernels, only: host_failure, is_chosen, of_epsilon
  use suite_host_arrays, only: complex128_2, complex128_3, real64_2, real64_3
  implicit none (type, external)
  private

  public :: close_mtxel, epsilon_suite_mtxel

  !> Matrix elements of one occupied band and all empty bands of this rank, where an implementation has been chosen; where not, the
  !> result is false and nothing is touched.
  interface epsilon_suite_mtxel
    procedure mtxel_complex, mtxel_real
  end interface

  type(elements_of_bands), target :: empty(2) !< the empty bands of one k, of each spin

contains

  subroutine close_mtxel()
    call close_elements(empty(1))
    call close_elements(empty(2))
  end subroutine

  !> <v,k+q| exp(i(q+G)r) |c,k> of occupied band number iv and all empty bands c of this rank, spinor components added. The empty
  !> bands are transformed where iv is 1, or where zc lies in another place than in the last call, and kept for each spin: until the
  !> next iv of 1, k, k+q, the wanted G and zc must stay as they are. (zc has no attribute contiguous, for which a compiler copies
  !> what a pointer of the host points to.)
  logical function mtxel_complex(iv, ispin, nspinor, components, ngv, isortv, zv, ngc, isortc, zc, nc, isrtx, nmtx, &
      elements, fail) result(done)
    integer, intent(in) :: iv                   !< from 1: number of the occupied band on this rank
    integer, intent(in) :: ispin, nspinor
    integer, intent(in) :: components(:,:)      !< (3,ng) of the G vectors
    integer, intent(in) :: ngv, isortv(:)       !< plane waves of k+q, and (at least ngv) their places in components
    complex(c_double_complex), intent(in) :: zv(:,:) !< (at least ngv, nspin nspinor) of the occupied band
    integer, intent(in) :: ngc, isortc(:)       !< the same of k
    complex(c_double_complex), intent(in), target :: zc(:,:) !< (nc ngc, nspin nspinor): band after band
    integer, intent(in) :: nc                   !< empty bands of this rank
    integer, intent(in) :: isrtx(:), nmtx       !< places of the wanted G (at least nmtx), and their number
    complex(c_double_complex), allocatable, intent(out), target :: elements(:,:) !< (nmtx,nc)
    procedure(host_failure) :: fail             !< called with what went wrong
    complex(c_double_complex), pointer :: ket(:,:,:)
    complex(c_double_complex), target :: bra(ngv, 1, nspinor)
    character(len=:), allocatable :: message

    done = is_chosen(of_epsilon)
    if (.not. done) return
    allocate(elements(nmtx, nc))
    message = refused(ispin, nspinor, ngv, shape(zv), ngc, nc, shape(zc), is_contiguous(zc))
    if (message == "" .and. nc > 0) then
      call c_f_pointer(c_loc(zc(1, ispin)), ket, [ngc, nc, nspinor])
      bra(:, 1, :) = zv(:ngv, ispin:ispin + nspinor - 1)
      call make_elements(empty(ispin), of_epsilon, iv == 1, complex128_3(ket), complex128_3(bra), components, &
          isortv(:ngv), isortc(:ngc), isrtx(:nmtx), complex128_2(elements), message)
    end if
    if (message /= "") call fail(message, .false.)
  end function

  !> The same in the real flavour.
  logical function mtxel_real(iv, ispin, nspinor, components, ngv, isortv, zv, ngc, isortc, zc, nc, isrtx, nmtx, &
      elements, fail) result(done)
    integer, intent(in) :: iv, ispin, nspinor, components(:,:), ngv, isortv(:), ngc, isortc(:), nc, isrtx(:), nmtx
    real(c_double), intent(in) :: zv(:,:)
    real(c_double), intent(in), target :: zc(:,:)
    real(c_double), allocatable, intent(out), target :: elements(:,:)
    procedure(host_failure) :: fail
    real(c_double), pointer :: ket(:,:,:)
    real(c_double), target :: bra(ngv, 1, nspinor)
    character(len=:), allocatable :: message

    done = is_chosen(of_epsilon)
    if (.not. done) return
    allocate(elements(nmtx, nc))
    message = refused(ispin, nspinor, ngv, shape(zv), ngc, nc, shape(zc), is_contiguous(zc))
    if (message == "" .and. nc > 0) then
      call c_f_pointer(c_loc(zc(1, ispin)), ket, [ngc, nc, nspinor])
      bra(:, 1, :) = zv(:ngv, ispin:ispin + nspinor - 1)
      call make_elements(empty(ispin), of_epsilon, iv == 1, real64_3(ket), real64_3(bra), components, &
          isortv(:ngv), isortc(:ngc), isrtx(:nmtx), real64_2(elements), message)
    end if
    if (message /= "") call fail(message, .false.)
  end function

  !> Empty, or the extent that does not fit.
  pure function refused(ispin, nspinor, ngv, zv, ngc, nc, zc, is_whole)
    integer, intent(in) :: ispin, nspinor, ngv, zv(2), ngc, nc, zc(2)
    logical, intent(in) :: is_whole
    character(len=:), allocatable :: refused
    character(len=200) :: message

    message = ""
    if (.not. is_whole) message = "zc is a section of an array, but must be whole: it stays in use after the call"
    if (zv(1) < ngv) write (message, "(2(a, i0))") "zv has ", zv(1), " rows, but the band has plane waves ", ngv
    if (zc(1) /= nc * ngc) write (message, "(3(a, i0))") "zc has ", zc(1), " rows, but ", nc, " bands take ", nc * ngc
    if (min(zv(2), zc(2)) < ispin + nspinor - 1) write (message, "(2(a, i0))") "zv or zc has ", min(zv(2), zc(2)), &
        " spin components, but the last one wanted is ", ispin + nspinor - 1
    refused = trim(message)
  end function
end module
