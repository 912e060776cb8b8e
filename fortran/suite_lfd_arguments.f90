! SPDX-License-Identifier: BSD-3-Clause
!> What the routines of family lfd have in common: arrays bound and brought back by description, and small arguments that
!> the call copies. For the modules of family lfd; a host code does not need it.
module suite_lfd_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int32_t, c_int64_t, c_loc, c_ptr
  use suite
  use suite_bindings, only: suite_on_host
  use suite_calls, only: suite_bind, suite_fetch, suite_own_indices, suite_own_reals
  implicit none (type, external)
  private

  public :: described, of_list, of_table
  public :: put, fetch, put_list, put_table, put_indices, put_scalar, put_count, put_nonlocal, unset, run, choose

  !> Arrays that stay where they are.
  interface put
    procedure put_array, put_real_3
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

  !> Numbers that are double in every call; rank -1 where they are absent.
  type(suite_array) function of_list(array)
    real(c_double), intent(in), target, optional :: array(:)

    if (present(array)) of_list = described(c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_table(array)
    real(c_double), intent(in), target, optional :: array(:,:)

    if (present(array)) of_table = described(c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array))
  end function

  !> A host's or a device's array; one that was never described (rank -1) makes the argument unset. As everywhere below,
  !> nothing happens when status tells of an earlier failure.
  subroutine put_array(lfd, name, array, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    type(suite_array), intent(in) :: array
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok) return
    if (array%rank < 0) then
      call unset(lfd, name, status)
    else if (array%place == suite_on_host) then
      call suite_bind(lfd, name, array%data, array%type, array%extent(:array%rank), array%reserved /= has_gaps, status)
    else
      call suite_set_device(lfd, name, array, outcome)
      status = int(outcome, c_int)
    end if
  end subroutine

  subroutine put_real_3(lfd, name, array, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target, optional :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    if (present(array)) then
      call suite_bind(lfd, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
    else
      call unset(lfd, name, status)
    end if
  end subroutine

  !> Brings a result into host memory; an array on the device has it already.
  subroutine fetch(lfd, name, array, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    type(suite_array), intent(in) :: array
    integer(c_int), intent(inout) :: status

    if (status /= suite_ok .or. array%rank < 0 .or. array%place /= suite_on_host) return
    call suite_fetch(lfd, name, array%data, array%type, array%extent(:array%rank), array%reserved /= has_gaps, status)
  end subroutine

  !> Numbers that the call copies, so that they may be expressions such as [h, h, h]; an absent array becomes unset.
  subroutine put_list(lfd, name, values, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:)
    integer(c_int), intent(inout) :: status

    if (present(values)) then
      call suite_own_reals(lfd, name, values, shape(values, c_int64_t), status)
    else
      call unset(lfd, name, status)
    end if
  end subroutine

  subroutine put_table(lfd, name, values, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:,:)
    integer(c_int), intent(inout) :: status

    if (present(values)) then
      call suite_own_reals(lfd, name, reshape(values, [size(values)]), shape(values, c_int64_t), status)
    else
      call unset(lfd, name, status)
    end if
  end subroutine

  subroutine put_indices(lfd, name, indices, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: indices(:,:)
    integer(c_int), intent(inout) :: status

    if (present(indices)) then
      call suite_own_indices(lfd, name, reshape(indices, [size(indices)]), status, shape(indices, c_int64_t))
    else
      call unset(lfd, name, status)
    end if
  end subroutine

  !> An absent scalar takes its default, also where an earlier call had given one.
  subroutine put_scalar(lfd, name, scalar, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target, optional :: scalar
    integer(c_int), intent(inout) :: status

    if (present(scalar)) then
      call suite_bind(lfd, name, c_loc(scalar), suite_real64, [integer(c_int64_t) ::], .true., status)
    else
      call unset(lfd, name, status)
    end if
  end subroutine

  subroutine put_count(lfd, name, scalar, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: scalar
    integer(c_int), intent(inout) :: status
    integer(c_int32_t), target :: word

    if (present(scalar)) then
      word = int(scalar, c_int32_t)
      call suite_bind(lfd, name, c_loc(word), suite_int32, [integer(c_int64_t) ::], .true., status)
    else
      call unset(lfd, name, status)
    end if
  end subroutine

  !> The nonlocal pseudopotential: all four arrays, or none.
  subroutine put_nonlocal(lfd, nlpoint, nldisp, beta, dnl, status)
    type(suite_call), intent(inout) :: lfd
    integer, intent(in), optional :: nlpoint(:,:)
    real(c_double), intent(in), target, optional :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    integer(c_int), intent(inout) :: status

    call put_indices(lfd, "nlpoint", nlpoint, status)
    call put(lfd, "nldisp", nldisp, status)
    call put(lfd, "beta", beta, status)
    call put(lfd, "dnl", dnl, status)
  end subroutine

  subroutine unset(lfd, name, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok) return
    call suite_unset(lfd, name, outcome)
    status = int(outcome, c_int)
  end subroutine

  subroutine choose(lfd, parameter, choice, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: parameter, choice
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok) return
    call suite_choose(lfd, parameter, choice, outcome)
    status = int(outcome, c_int)
  end subroutine

  subroutine run(lfd, seconds, status)
    type(suite_call), intent(inout) :: lfd
    real(c_double), intent(out), optional :: seconds
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (present(seconds)) seconds = 0
    if (status /= suite_ok) return
    call suite_run(lfd, seconds, outcome)
    status = int(outcome, c_int)
  end subroutine
end module
