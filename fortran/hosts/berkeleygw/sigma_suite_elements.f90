! SPDX-License-Identifier: BSD-3-Clause
!> Matrix elements for the Sigma code of BerkeleyGW: kernel gw.mtxel, from the arrays of that code as they lie there.
module sigma_suite_elements
  use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_double_complex, c_f_pointer, c_int32_t, c_loc, c_null_ptr, c_ptr
  use sigma_suite_kernels, only: close_kernel, opened_kernel, open_chosen, sigma_suite_chosen, sigma_suite_failure
  use suite_gw, only: suite_array, suite_gw_mtxel, suite_gw_mtxel_set, suite_message, suite_ok
  use suite_host_arrays, only: complex128_2, complex128_3, int32_2, real64_2, real64_3
  implicit none (type, external)
  private

  public :: close_elements, sigma_suite_mtxel

  !> Matrix elements of one external band and all bands of this rank, where an implementation has been chosen; where not, the result
  !> is false and nothing is touched.
  interface sigma_suite_mtxel
    procedure mtxel_complex, mtxel_real
  end interface

  !> What matrix elements are between, as gw.mtxel takes it, and whose internal bands it has.
  type :: vectors_of_bands
    integer(c_int32_t), allocatable :: ket(:,:), bra(:,:), wanted(:,:) !< (3,*) components
    type(c_ptr) :: address = c_null_ptr
  end type

  type(opened_kernel), target :: mtxel
  type(vectors_of_bands), target :: vectors

contains

  subroutine close_elements()
    call close_kernel(mtxel)
    vectors = vectors_of_bands()
  end subroutine

  !> M_nn1(G) = <n,k| exp(i(q+G)r) |n1,k-q> of external band number n and all bands n1 of this rank. The bands n1 are transformed
  !> where n is 1, or where zkq lies in another place than in the last call, and kept: until then k, k-q, the spin, the wanted G
  !> and zkq must stay as they are. (zkq has no attribute contiguous, for which a compiler copies what a pointer of the host points
  !> to.)
  logical function mtxel_complex(n, ispin, nspinor, components, nkpt, isrtk, zk, nkptq, isrtkq, zkq, nb, isrtrq, aqs, fail) &
      result(done)
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
    procedure(sigma_suite_failure) :: fail      !< called with what went wrong
    complex(c_double_complex), pointer :: ket(:,:,:)
    complex(c_double_complex), target :: bra(nkpt, 1, nspinor)
    character(len=:), allocatable :: message

    done = sigma_suite_chosen()
    if (.not. done) return
    message = refused(n, ispin, nspinor, nkpt, shape(zk), nkptq, nb, shape(zkq), shape(aqs), is_contiguous(zkq))
    if (message == "" .and. nb > 0) then
      call c_f_pointer(c_loc(zkq(1, ispin)), ket, [nkptq, nb, nspinor])
      bra(:, 1, :) = zk((n - 1) * nkpt + 1:n * nkpt, ispin:ispin + nspinor - 1)
      call elements(n == 1, complex128_3(ket), complex128_3(bra), components, isrtk(:nkpt), isrtkq(:nkptq), &
          isrtrq(:size(aqs, 1)), complex128_2(aqs(:, :nb)), message)
    end if
    if (message /= "") call fail(message, .false.)
  end function

  !> The same in the real flavour.
  logical function mtxel_real(n, ispin, nspinor, components, nkpt, isrtk, zk, nkptq, isrtkq, zkq, nb, isrtrq, aqs, fail) &
      result(done)
    integer, intent(in) :: n, ispin, nspinor, components(:,:), nkpt, isrtk(:), nkptq, isrtkq(:), nb, isrtrq(:)
    real(c_double), intent(in) :: zk(:,:)
    real(c_double), intent(in), target :: zkq(:,:)
    real(c_double), intent(inout), target :: aqs(:,:)
    procedure(sigma_suite_failure) :: fail
    real(c_double), pointer :: ket(:,:,:)
    real(c_double), target :: bra(nkpt, 1, nspinor)
    character(len=:), allocatable :: message

    done = sigma_suite_chosen()
    if (.not. done) return
    message = refused(n, ispin, nspinor, nkpt, shape(zk), nkptq, nb, shape(zkq), shape(aqs), is_contiguous(zkq))
    if (message == "" .and. nb > 0) then
      call c_f_pointer(c_loc(zkq(1, ispin)), ket, [nkptq, nb, nspinor])
      bra(:, 1, :) = zk((n - 1) * nkpt + 1:n * nkpt, ispin:ispin + nspinor - 1)
      call elements(n == 1, real64_3(ket), real64_3(bra), components, isrtk(:nkpt), isrtkq(:nkptq), isrtrq(:size(aqs, 1)), &
          real64_2(aqs(:, :nb)), message)
    end if
    if (message /= "") call fail(message, .false.)
  end function

  !> Empty, or the extent that does not fit.
  pure function refused(n, ispin, nspinor, nkpt, zk, nkptq, nb, zkq, aqs, is_whole)
    integer, intent(in) :: n, ispin, nspinor, nkpt, zk(2), nkptq, nb, zkq(2), aqs(2)
    logical, intent(in) :: is_whole
    character(len=:), allocatable :: refused
    character(len=200) :: message

    message = ""
    if (.not. is_whole) message = "zkq is a section of an array, but must be whole: it stays in use after the call"
    if (zk(1) < n * nkpt) write (message, "(3(a, i0))") "zk has ", zk(1), " rows, but external band ", n, " ends at ", n * nkpt
    if (zkq(1) /= nb * nkptq) write (message, "(3(a, i0))") "zkq has ", zkq(1), " rows, but ", nb, " bands take ", nb * nkptq
    if (min(zk(2), zkq(2)) < ispin + nspinor - 1) write (message, "(2(a, i0))") "zk or zkq has ", min(zk(2), zkq(2)), &
        " spin components, but the last one wanted is ", ispin + nspinor - 1
    if (aqs(2) < nb) write (message, "(2(a, i0))") "aqs has ", aqs(2), " columns, but there are bands ", nb
    refused = trim(message)
  end function

  subroutine elements(fresh, ket, bra, components, isrtk, isrtkq, isrtrq, aqs, message)
    logical, intent(in) :: fresh
    type(suite_array), intent(in) :: ket, bra, aqs
    integer, intent(in) :: components(:,:), isrtk(:), isrtkq(:), isrtrq(:)
    character(len=:), allocatable, intent(out) :: message
    logical :: reopened
    integer :: ierr

    call open_chosen(mtxel, "gw.mtxel", reopened, message)
    if (message /= "") return
    ierr = suite_ok
    if (fresh .or. reopened .or. .not. c_associated(ket%data, vectors%address)) then
      vectors%ket = int(components(:, isrtkq), c_int32_t)
      vectors%bra = int(components(:, isrtk), c_int32_t)
      vectors%wanted = int(components(:, isrtrq), c_int32_t)
      vectors%address = ket%data
      call suite_gw_mtxel_set(mtxel%call, ket, int32_2(vectors%ket), int32_2(vectors%bra), int32_2(vectors%wanted), ierr)
    end if
    if (ierr == suite_ok) call suite_gw_mtxel(mtxel%call, bra, aqs, ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(mtxel%call)
  end subroutine
end module
