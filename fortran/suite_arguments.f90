! SPDX-License-Identifier: BSD-3-Clause
!> What the procedures of all families have in common: arguments given and results brought back one after the other, where nothing
!> happens any more when status holds an earlier failure. Inputs that are absent stay as they were set, results that are absent
!> are not computed. A host code does not need it.
!>
!>     status = suite_ok
!>     call give(call, "psi", psi, status)                  ! type(suite_array), in place
!>     call give_list_1(call, "h", [h, h, h], status)       ! numbers that the call copies
!>     call run(call, seconds, status)
!>     call bring(call, "psi", psi, status)
!>     call suite_settle(call, status, ierr)
module suite_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_f_pointer, c_int, c_int32_t, c_int64_t, c_loc, c_ptr
  use suite
  use suite_bindings, only: suite_on_host
  use suite_calls, only: suite_bind, suite_fetch, suite_own_result, suite_refuse
  implicit none (type, external)
  private

  public :: described
  public :: give, ask, bring, ask_sum, bring_sum, keep, unset, run
  public :: give_number, give_count, give_long, give_indices_1, give_indices_2, give_list_1, give_list_2, give_list_3, &
      give_list_5

  ! Until a description crosses the border to C, this value of its spare word says that the memory has gaps.
  integer(c_int32_t), parameter :: has_gaps = 1

  integer(c_int64_t), parameter :: of_a_scalar(0) = [integer(c_int64_t) ::]

contains

  !> A host's array; give and bring refuse one with gaps, by its name.
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

  !> Whether there is an array: one that was never described has rank -1.
  pure logical function is_there(array)
    type(suite_array), intent(in), target, optional :: array

    is_there = .false.
    if (present(array)) is_there = array%rank >= 0
  end function

  !> An argument of the host or the device, where there is one.
  subroutine give(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), target, optional :: array
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok .or. .not. is_there(array)) return
    if (array%place == suite_on_host) then
      call suite_bind(call, name, array%data, array%type, array%extent(:array%rank), array%reserved /= has_gaps, status)
    else
      call suite_set_device(call, name, array, outcome)
      status = int(outcome, c_int)
    end if
  end subroutine

  !> A result that is computed where there is an array for it, and else not.
  subroutine ask(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), target, optional :: array
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (is_there(array)) then
      call give(call, name, array, status)
    else if (status == suite_ok) then
      call suite_unset(call, name, outcome)
      status = int(outcome, c_int)
    end if
  end subroutine

  !> A result into the host's array, where there is one; an array on the device has it already.
  subroutine bring(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), target, optional :: array
    integer(c_int), intent(inout) :: status

    if (status /= suite_ok .or. .not. is_there(array)) return
    if (array%place /= suite_on_host) return
    call suite_fetch(call, name, array%data, array%type, array%extent(:array%rank), array%reserved /= has_gaps, status)
  end subroutine

  !> A result that is a sum: computed where there is an array for it. Where it is added to the host's array (add), or that has its real
  !> part alone, the kernel writes into memory of the call's.
  subroutine ask_sum(call, name, array, add, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), target, optional :: array
    logical, intent(in), optional :: add
    integer(c_int), intent(inout) :: status
    type(c_ptr) :: address

    if (present(array) .and. is_added(add)) then
      if (array%rank >= 0 .and. array%place /= suite_on_host) &
          call suite_refuse(call, name // " lies on the device, where results cannot be added to it", status)
    end if
    if (is_own(array, add)) then
      if (array%reserved == has_gaps) call give(call, name, array, status) ! which refuses it
      call suite_own_result(call, name, array%extent(:array%rank), address, status)
    else
      call ask(call, name, array, status)
    end if
  end subroutine

  subroutine bring_sum(call, name, array, add, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), target, optional :: array
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
    type(suite_array), intent(in), target, optional :: array
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
    type(suite_array), intent(in), target, optional :: array
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok .or. .not. is_there(array)) return
    if (array%place /= suite_on_host) return
    call suite_keep(call, name, outcome)
    status = int(outcome, c_int)
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

  ! Scalars and short lists, which the library copies. Integers of the host's default kind are converted first.

  subroutine give_number(call, name, number, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target, optional :: number
    integer(c_int), intent(inout) :: status

    if (present(number)) call suite_bind(call, name, c_loc(number), suite_real64, of_a_scalar, .true., status)
  end subroutine

  subroutine give_count(call, name, number, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: number
    integer(c_int), intent(inout) :: status
    integer(c_int32_t), target :: word

    if (.not. present(number)) return
    word = int(number, c_int32_t)
    call suite_bind(call, name, c_loc(word), suite_int32, of_a_scalar, .true., status)
  end subroutine

  subroutine give_long(call, name, number, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target, optional :: number
    integer(c_int), intent(inout) :: status

    if (present(number)) call suite_bind(call, name, c_loc(number), suite_int64, of_a_scalar, .true., status)
  end subroutine

  subroutine give_indices_1(call, name, indices, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: indices(:)
    integer(c_int), intent(inout) :: status
    integer(c_int32_t), allocatable, target :: words(:)

    if (.not. present(indices)) return
    words = int(indices, c_int32_t)
    call suite_bind(call, name, c_loc(words), suite_int32, shape(words, c_int64_t), .true., status)
  end subroutine

  subroutine give_indices_2(call, name, indices, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: indices(:,:)
    integer(c_int), intent(inout) :: status
    integer(c_int32_t), allocatable, target :: words(:,:)

    if (.not. present(indices)) return
    words = int(indices, c_int32_t)
    call suite_bind(call, name, c_loc(words), suite_int32, shape(words, c_int64_t), .true., status)
  end subroutine

  subroutine give_list_1(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:)
    integer(c_int), intent(inout) :: status
    real(c_double), allocatable, target :: list(:) ! without the gaps of a section

    if (.not. present(values)) return
    list = values
    call suite_bind(call, name, c_loc(list), suite_real64, shape(list, c_int64_t), .true., status)
  end subroutine

  subroutine give_list_2(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:,:)
    integer(c_int), intent(inout) :: status
    real(c_double), allocatable, target :: list(:,:)

    if (.not. present(values)) return
    list = values
    call suite_bind(call, name, c_loc(list), suite_real64, shape(list, c_int64_t), .true., status)
  end subroutine

  subroutine give_list_3(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:,:,:)
    integer(c_int), intent(inout) :: status
    real(c_double), allocatable, target :: list(:,:,:)

    if (.not. present(values)) return
    list = values
    call suite_bind(call, name, c_loc(list), suite_real64, shape(list, c_int64_t), .true., status)
  end subroutine

  subroutine give_list_5(call, name, values, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), optional :: values(:,:,:,:,:)
    integer(c_int), intent(inout) :: status
    real(c_double), allocatable, target :: list(:,:,:,:,:)

    if (.not. present(values)) return
    list = values
    call suite_bind(call, name, c_loc(list), suite_real64, shape(list, c_int64_t), .true., status)
  end subroutine
end module
