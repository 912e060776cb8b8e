! SPDX-License-Identifier: BSD-3-Clause
!> What the modules of all families have in common: arguments given and results brought back one after the other, where nothing
!> happens any more when status tells of an earlier failure. A host code does not need it.
!>
!>     status = suite_ok
!>     call put(call, "psi", psi, status)              ! any array, in place
!>     call put_list(call, "h", [h, h, h], status)     ! numbers that the call copies
!>     call suite_settle(call, status, ierr)
module suite_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int32_t, c_int64_t, c_loc, c_ptr
  use suite
  use suite_bindings, only: suite_on_host
  use suite_calls, only: suite_bind, suite_fetch, suite_own_indices, suite_own_reals
  use suite_put_arrays, only: put
  implicit none (type, external)
  private

  public :: described
  public :: put, fetch, put_list, put_table, put_indices, put_scalar, put_count, unset, run

  !> Arrays that stay where they are: of the host, or described.
  interface put
    procedure put_array
  end interface

  ! Until a description crosses the border to C, this value of its spare word says that the memory has gaps.
  integer(c_int32_t), parameter :: has_gaps = 1

contains

  !> A host's array; put and fetch refuse one with gaps, by its name.
  type(suite_array) function described(address, type, extents, contiguous)
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    logical, intent(in) :: contiguous

    described%data = address
    described%type = type
    described%rank = size(extents, kind=c_int32_t)
    described%extent(:size(extents)) = extents
    if (.not. contiguous) described%reserved = has_gaps
  end function

  !> A host's or a device's array; one that was never described (rank -1) makes the argument unset.
  subroutine put_array(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in) :: array
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok) return
    if (array%rank < 0) then
      call unset(call, name, status)
    else if (array%place == suite_on_host) then
      call suite_bind(call, name, array%data, array%type, array%extent(:array%rank), array%reserved /= has_gaps, status)
    else
      call suite_set_device(call, name, array, outcome)
      status = int(outcome, c_int)
    end if
  end subroutine

  !> Brings a result into host memory; an array on the device has it already.
  subroutine fetch(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in) :: array
    integer(c_int), intent(inout) :: status

    if (status /= suite_ok .or. array%rank < 0 .or. array%place /= suite_on_host) return
    call suite_fetch(call, name, array%data, array%type, array%extent(:array%rank), array%reserved /= has_gaps, status)
  end subroutine

  !> Numbers that the call copies, so that they may be expressions such as [h, h, h]; an absent array becomes unset.
  subroutine put_list(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:)
    integer(c_int), intent(inout) :: status

    if (present(values)) then
      call suite_own_reals(call, name, values, shape(values, c_int64_t), status)
    else
      call unset(call, name, status)
    end if
  end subroutine

  subroutine put_table(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:,:)
    integer(c_int), intent(inout) :: status

    if (present(values)) then
      call suite_own_reals(call, name, reshape(values, [size(values)]), shape(values, c_int64_t), status)
    else
      call unset(call, name, status)
    end if
  end subroutine

  subroutine put_indices(call, name, indices, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: indices(:,:)
    integer(c_int), intent(inout) :: status

    if (present(indices)) then
      call suite_own_indices(call, name, reshape(indices, [size(indices)]), status, shape(indices, c_int64_t))
    else
      call unset(call, name, status)
    end if
  end subroutine

  !> An absent scalar takes its default, also where an earlier call had given one.
  subroutine put_scalar(call, name, scalar, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target, optional :: scalar
    integer(c_int), intent(inout) :: status

    if (present(scalar)) then
      call suite_bind(call, name, c_loc(scalar), suite_real64, [integer(c_int64_t) ::], .true., status)
    else
      call unset(call, name, status)
    end if
  end subroutine

  subroutine put_count(call, name, scalar, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: scalar
    integer(c_int), intent(inout) :: status
    integer(c_int32_t), target :: word

    if (present(scalar)) then
      word = int(scalar, c_int32_t)
      call suite_bind(call, name, c_loc(word), suite_int32, [integer(c_int64_t) ::], .true., status)
    else
      call unset(call, name, status)
    end if
  end subroutine

  subroutine unset(call, name, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok) return
    call suite_unset(call, name, outcome)
    status = int(outcome, c_int)
  end subroutine

  subroutine run(call, seconds, status)
    type(suite_call), intent(inout) :: call
    real(c_double), intent(out), optional :: seconds
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (present(seconds)) seconds = 0
    if (status /= suite_ok) return
    call suite_run(call, seconds, outcome)
    status = int(outcome, c_int)
  end subroutine
end module
