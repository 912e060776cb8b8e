! SPDX-License-Identifier: BSD-3-Clause
!> For families whose routines take part of a kernel's arguments at a time: inputs that are absent stay as they were set, results
!> that are absent are not computed. Beyond suite_arguments; a host code does not need it.
module suite_optional_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int, c_int32_t, c_int64_t, c_loc
  use suite
  use suite_arguments, only: described, fetch, put, put_count, put_indices, put_list, put_scalar, put_table, unset
  use suite_bindings, only: suite_on_host
  use suite_calls, only: suite_bind, suite_own_indices
  implicit none (type, external)
  private

  public :: give, ask, bring, keep, give_number, give_count, give_long, give_indices_1, give_indices_2, give_list_1, give_list_2
  public :: of_1, of_2, of_3, of_4, of_5, of_words_1, of_words_2, of_longs, of_waves

contains

  !> An argument, where there is one.
  subroutine give(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), optional :: array
    integer(c_int), intent(inout) :: status

    if (.not. present(array)) return
    if (array%rank >= 0) call put(call, name, array, status)
  end subroutine

  !> A result that is computed where there is an array for it, and else not.
  subroutine ask(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), optional :: array
    integer(c_int), intent(inout) :: status

    if (present(array)) then
      call put(call, name, array, status)
    else
      call unset(call, name, status)
    end if
  end subroutine

  !> A result into the host's array, where there is one.
  subroutine bring(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), optional :: array
    integer(c_int), intent(inout) :: status

    if (present(array)) call fetch(call, name, array, status)
  end subroutine

  !> State that runs change where it is, until a bring.
  subroutine keep(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in) :: array
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok .or. array%place /= suite_on_host) return
    call suite_keep(call, name, outcome)
    status = int(outcome, c_int)
  end subroutine

  subroutine give_number(call, name, number, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: number
    integer(c_int), intent(inout) :: status

    if (present(number)) call put_scalar(call, name, number, status)
  end subroutine

  subroutine give_count(call, name, number, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: number
    integer(c_int), intent(inout) :: status

    if (present(number)) call put_count(call, name, number, status)
  end subroutine

  subroutine give_long(call, name, number, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), optional :: number
    integer(c_int), intent(inout) :: status
    integer(c_int64_t), target :: word

    if (.not. present(number)) return
    word = number
    call suite_bind(call, name, c_loc(word), suite_int64, [integer(c_int64_t) ::], .true., status)
  end subroutine

  ! Short lists, which the call copies.

  subroutine give_indices_1(call, name, indices, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: indices(:)
    integer(c_int), intent(inout) :: status

    if (present(indices)) call suite_own_indices(call, name, indices, status)
  end subroutine

  subroutine give_indices_2(call, name, indices, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: indices(:,:)
    integer(c_int), intent(inout) :: status

    if (present(indices)) call put_indices(call, name, indices, status)
  end subroutine

  subroutine give_list_1(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:)
    integer(c_int), intent(inout) :: status

    if (present(values)) call put_list(call, name, values, status)
  end subroutine

  subroutine give_list_2(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:,:)
    integer(c_int), intent(inout) :: status

    if (present(values)) call put_table(call, name, values, status)
  end subroutine

  ! Descriptions of a host's arrays; one that is absent has rank -1.

  type(suite_array) function of_1(array) result(there)
    real(c_double), intent(in), target, optional :: array(:)

    if (present(array)) there = described(c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_2(array) result(there)
    real(c_double), intent(in), target, optional :: array(:,:)

    if (present(array)) there = described(c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_3(array) result(there)
    real(c_double), intent(in), target, optional :: array(:,:,:)

    if (present(array)) there = described(c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_4(array) result(there)
    real(c_double), intent(in), target, optional :: array(:,:,:,:)

    if (present(array)) there = described(c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_5(array) result(there)
    real(c_double), intent(in), target, optional :: array(:,:,:,:,:)

    if (present(array)) there = described(c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_words_1(array) result(there)
    integer(c_int32_t), intent(in), target, optional :: array(:)

    if (present(array)) there = described(c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_words_2(array) result(there)
    integer(c_int32_t), intent(in), target, optional :: array(:,:)

    if (present(array)) there = described(c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_longs(array) result(there)
    integer(c_int64_t), intent(in), target, optional :: array(:)

    if (present(array)) there = described(c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array))
  end function

  type(suite_array) function of_waves(array) result(there)
    complex(c_double_complex), intent(in), target, optional :: array(:,:,:)

    if (present(array)) there = described(c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array))
  end function
end module
