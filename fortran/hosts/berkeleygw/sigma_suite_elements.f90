! SPDX-License-Identifier: BSD-3-Clause
!> Matrix elements for the Sigma code of BerkeleyGW: kernel gw.mtxel, from the arrays of that code as they lie there.
module sigma_suite_elements
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_f_pointer, c_loc
  use berkeleygw_elements, only: elements_of_bands, close_elements, make_elements
  use berkeleygw_kernels, only: host_failure, is_chosen, of_sigma
  use suite_host_arrays, only: complex128_2, complex128_3, real64_2, real64_3
  implicit none (type, external)
  private

  public :: close_mtxel, sigma_suite_mtxel

  !> Matrix elements of one external band and all bands of this rank, where an implementation has been chosen; where not, the result
  !> is false and nothing is touched.
  interface sigma_suite_mtxel
    procedure mtxel_complex, mtxel_real
  end interface

  type(elements_of_bands), target :: internal !< the internal bands of one k-q

contains

  subroutine close_mtxel()
    call close_elements(internal)
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
    procedure(host_failure) :: fail      !< called with what went wrong
    complex(c_double_complex), pointer :: ket(:,:,:)
    complex(c_double_complex), target :: bra(nkpt, 1, nspinor)
    character(len=:), allocatable :: message

    done = is_chosen(of_sigma)
    if (.not. done) return
    message = refused(n, ispin, nspinor, nkpt, shape(zk), nkptq, nb, shape(zkq), shape(aqs), is_contiguous(zkq))
    if (message == "" .and. nb > 0) then
      call c_f_pointer(c_loc(zkq(1, ispin)), ket, [nkptq, nb, nspinor])
      bra(:, 1, :) = zk((n - 1) * nkpt + 1:n * nkpt, ispin:ispin + nspinor - 1)
      call make_elements(internal, of_sigma, n == 1, complex128_3(ket), complex128_3(bra), components, isrtk(:nkpt), &
          isrtkq(:nkptq), isrtrq(:size(aqs, 1)), complex128_2(aqs(:, :nb)), message)
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
    procedure(host_failure) :: fail
    real(c_double), pointer :: ket(:,:,:)
    real(c_double), target :: bra(nkpt, 1, nspinor)
    character(len=:), allocatable :: message

    done = is_chosen(of_sigma)
    if (.not. done) return
    message = refused(n, ispin, nspinor, nkpt, shape(zk), nkptq, nb, shape(zkq), shape(aqs), is_contiguous(zkq))
    if (message == "" .and. nb > 0) then
      call c_f_pointer(c_loc(zkq(1, ispin)), ket, [nkptq, nb, nspinor])
      bra(:, 1, :) = zk((n - 1) * nkpt + 1:n * nkpt, ispin:ispin + nspinor - 1)
      call make_elements(internal, of_sigma, n == 1, real64_3(ket), real64_3(bra), components, isrtk(:nkpt), &
          isrtkq(:nkptq), isrtrq(:size(aqs, 1)), real64_2(aqs(:, :nb)), message)
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

end module
