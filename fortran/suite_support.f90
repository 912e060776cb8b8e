! SPDX-License-Identifier: BSD-3-Clause
!> What the modules of suite share: texts across the border, descriptions of arrays, and how a failure is reported.
module suite_support
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int, c_int32_t, c_int64_t, c_null_char, c_ptr
  use suite_bindings, only: c_strlen, suite_array, suite_error, suite_invalid_argument, suite_max_rank, suite_ok
  implicit none (type, external)
  private

  public :: finish, report, need_open, describe, complain, c_text, copy_text, fortran_text

contains

  !> Ends every procedure with an optional ierr: keeps the sentence of a failure and reports it.
  subroutine finish(status, error, message, ierr)
    integer(c_int), intent(in) :: status
    type(suite_error), intent(in) :: error
    character(len=*), intent(inout) :: message
    integer, intent(out), optional :: ierr

    if (status /= suite_ok) call copy_text(error, message)
    call report(status, message, ierr)
  end subroutine

  !> Hands the status to the caller, or stops the program with the sentence where the caller did not ask for ierr.
  subroutine report(status, message, ierr)
    integer(c_int), intent(in) :: status
    character(len=*), intent(in) :: message
    integer, intent(out), optional :: ierr

    if (present(ierr)) then
      ierr = int(status)
    else if (status /= suite_ok) then
      error stop "suite: " // trim(message)
    end if
  end subroutine

  !> suite_ok where the handle is open, else the sentence "<who> needs an open <what>".
  integer(c_int) function need_open(handle, who, what, error) result(status)
    type(c_ptr), intent(in) :: handle
    character(len=*), intent(in) :: who, what
    type(suite_error), intent(inout) :: error

    status = suite_ok
    if (.not. c_associated(handle)) status = complain(error, who // " needs an open " // what)
  end function

  integer(c_int) function complain(error, sentence) result(status)
    type(suite_error), intent(inout) :: error
    character(len=*), intent(in) :: sentence
    integer :: i

    status = suite_invalid_argument
    do i = 1, min(len(sentence), size(error%message) - 1)
      error%message(i) = sentence(i:i)
    end do
    error%message(i) = c_null_char
  end function

  !> Describes memory as C sees it.
  integer(c_int) function describe(address, type, extents, array, name, error) result(status)
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    type(suite_array), intent(out) :: array
    character(len=*), intent(in) :: name
    type(suite_error), intent(inout) :: error
    character(len=12) :: digits

    status = suite_ok
    if (size(extents) > suite_max_rank) then
      write (digits, "(i0)") size(extents)
      status = complain(error, name // " has " // trim(digits) // " dimensions; at most 6 are allowed")
      return
    end if
    array%data = address
    array%type = type
    array%rank = size(extents, kind=c_int32_t)
    array%extent(:size(extents)) = extents
  end function

  pure function c_text(text) result(characters)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: characters(len_trim(text) + 1)
    integer :: i

    do i = 1, len_trim(text)
      characters(i) = text(i:i)
    end do
    characters(len_trim(text) + 1) = c_null_char
  end function

  pure subroutine copy_text(error, text)
    type(suite_error), intent(in) :: error
    character(len=*), intent(out) :: text
    integer :: i

    text = ""
    do i = 1, min(len(text), size(error%message))
      if (error%message(i) == c_null_char) exit
      text(i:i) = error%message(i)
    end do
  end subroutine

  function fortran_text(address) result(text)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i

    text = ""
    if (.not. c_associated(address)) return
    call c_f_pointer(address, characters, [c_strlen(address)])
    do i = 1, size(characters)
      text = text // characters(i)
    end do
  end function
end module
