! SPDX-License-Identifier: BSD-3-Clause
!> For families whose routines take part of a kernel's arguments at a time: inputs that are absent stay as they were set, results
!> that are absent are not computed. Beyond suite_arguments; a host code does not need it.
module suite_optional_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_f_pointer, c_int, c_int32_t, c_int64_t, c_loc, c_ptr
  use suite
  use suite_arguments, only: described, fetch, put, put_count, put_indices, put_list, put_scalar, put_table, unset
  use suite_bindings, only: suite_on_host
  use suite_calls, only: suite_bind, suite_own_indices, suite_own_result, suite_refuse
  implicit none (type, external)
  private

  public :: give, ask, bring, keep, ask_sum, bring_sum
  public :: give_number, give_count, give_long, give_indices_1, give_indices_2, give_list_1, give_list_2
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

  !> A result that is a sum: computed where there is an array for it. Where it is added to the host's array (add), or that has its real
  !> part alone, the kernel writes into memory of the call's.
  subroutine ask_sum(call, name, array, add, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), optional :: array
    logical, intent(in), optional :: add
    integer(c_int), intent(inout) :: status
    type(c_ptr) :: address

    if (present(array) .and. is_added(add)) then
      if (array%rank >= 0 .and. array%place /= suite_on_host) &
          call suite_refuse(call, name // " lies on the device, where results cannot be added to it", status)
    end if
    if (is_own(array, add)) then
      if (array%reserved /= 0) call put(call, name, array, status) ! which refuses an array with gaps
      call suite_own_result(call, name, suite_complex128, array%extent(:array%rank), address, status)
    else
      call ask(call, name, array, status)
    end if
  end subroutine

  subroutine bring_sum(call, name, array, add, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), optional :: array
    logical, intent(in), optional :: add
    integer(c_int), intent(inout) :: status
    complex(c_double_complex), pointer :: results(:), sums(:)
    real(c_double), pointer :: real_sums(:)
    type(suite_array) :: bound
    integer(c_int64_t) :: length
    integer :: outcome

    if (status /= suite_ok) return
    if (.not. is_own(array, add)) then
      call bring(call, name, array, status)
      return
    end if
    call suite_argument(call, name, bound, outcome)
    status = int(outcome, c_int)
    if (status /= suite_ok) return
    length = product(array%extent(:array%rank))
    call c_f_pointer(bound%data, results, [length])
    if (array%type == suite_real64) then
      call c_f_pointer(array%data, real_sums, [length])
      if (.not. is_added(add)) real_sums = 0
      real_sums = real_sums + real(results)
    else
      call c_f_pointer(array%data, sums, [length])
      sums = sums + results
    end if
  end subroutine

  pure logical function is_added(add)
    logical, intent(in), optional :: add

    is_added = .false.
    if (present(add)) is_added = add
  end function

  !> Whether a result goes through memory of the call's: on the device it cannot.
  pure logical function is_own(array, add)
    type(suite_array), intent(in), optional :: array
    logical, intent(in), optional :: add

    is_own = .false.
    if (.not. present(array)) return
    if (array%rank < 0 .or. array%place /= suite_on_host) return
    is_own = is_added(add) .or. array%type == suite_real64
  end function

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
