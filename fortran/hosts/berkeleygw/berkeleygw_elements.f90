! SPDX-License-Identifier: BSD-3-Clause
!> Matrix elements for the programs of BerkeleyGW: kernel gw.mtxel, whose kets stay on the grid between calls.
module berkeleygw_elements
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_null_ptr, c_ptr
  use berkeleygw_kernels, only: close_kernel, opened_kernel, open_chosen
  use suite_gw, only: suite_array, suite_gw_mtxel, suite_gw_mtxel_set, suite_message, suite_ok
  use suite_host_arrays, only: int32_2
  implicit none (type, external)
  private

  public :: close_elements, make_elements

  !> What matrix elements are between, as gw.mtxel takes it, and whose kets it has.
  type, public :: elements_of_bands
    private
    type(opened_kernel) :: mtxel
    integer(c_int32_t), allocatable :: ket(:,:), bra(:,:), wanted(:,:) !< (3,*) components
    type(c_ptr) :: address = c_null_ptr
  end type

contains

  subroutine close_elements(of)
    type(elements_of_bands), intent(inout) :: of

    call close_kernel(of%mtxel)
    if (allocated(of%ket)) deallocate(of%ket, of%bra, of%wanted)
    of%address = c_null_ptr
  end subroutine

  !> <bra| exp(i(q+G)r) |ket> of one bra and all kets, which are transformed where they are fresh or lie in another place than in
  !> the last call, and kept.
  subroutine make_elements(of, program, fresh, ket, bra, components, isrt_bra, isrt_ket, isrt_wanted, aqs, message)
    type(elements_of_bands), intent(inout), target :: of
    integer, intent(in) :: program
    logical, intent(in) :: fresh
    type(suite_array), intent(in) :: ket, bra, aqs
    integer, intent(in) :: components(:,:), isrt_bra(:), isrt_ket(:), isrt_wanted(:) !< places of G vectors in components
    character(len=:), allocatable, intent(out) :: message
    logical :: reopened
    integer :: ierr

    call open_chosen(of%mtxel, program, "gw.mtxel", reopened, message)
    if (message /= "") return
    ierr = suite_ok
    if (fresh .or. reopened .or. .not. c_associated(ket%data, of%address)) then
      of%ket = int(components(:, isrt_ket), c_int32_t)
      of%bra = int(components(:, isrt_bra), c_int32_t)
      of%wanted = int(components(:, isrt_wanted), c_int32_t)
      of%address = ket%data
      call suite_gw_mtxel_set(of%mtxel%call, ket, int32_2(of%ket), int32_2(of%bra), int32_2(of%wanted), ierr)
    end if
    if (ierr == suite_ok) call suite_gw_mtxel(of%mtxel%call, bra, aqs, ierr=ierr)
    if (ierr /= suite_ok) message = suite_message(of%mtxel%call)
  end subroutine
end module
