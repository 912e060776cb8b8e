! SPDX-License-Identifier: BSD-3-Clause
program test_layout
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_intptr_t, c_loc, c_ptr, c_sizeof
  use checks, only: check, finish_checks
  use suite_bindings
  implicit none (type, external)
  interface
    integer(c_int64_t) function layout_of(what) bind(c)
      import :: c_int, c_int64_t
      integer(c_int), value :: what
    end function
    integer(c_int) function value_of(what) bind(c)
      import :: c_int
      integer(c_int), value :: what
    end function
  end interface
  type(suite_array), target :: array
  type(suite_error) :: error
  type(suite_cost), target :: cost
  integer, parameter :: values(0:15) = [suite_ok, suite_invalid_argument, suite_unsupported, suite_not_found, &
      suite_out_of_memory, suite_device_error, suite_internal, suite_int32, suite_int64, suite_real32, suite_real64, &
      suite_complex64, suite_complex128, suite_on_host, suite_on_device, suite_max_rank]
  integer :: i

  call check(c_sizeof(array) == layout_of(0), "size of suite_array")
  call check(from(c_loc(array), c_loc(array%extent)) == layout_of(1), "place of suite_array%extent")
  call check(from(c_loc(array), c_loc(array%type)) == layout_of(2), "place of suite_array%type")
  call check(from(c_loc(array), c_loc(array%rank)) == layout_of(3), "place of suite_array%rank")
  call check(from(c_loc(array), c_loc(array%place)) == layout_of(4), "place of suite_array%place")
  call check(from(c_loc(array), c_loc(array%reserved)) == layout_of(5), "place of suite_array%reserved")
  call check(c_sizeof(error) == layout_of(6), "size of suite_error")
  call check(c_sizeof(cost) == layout_of(7), "size of suite_cost")
  call check(from(c_loc(cost), c_loc(cost%bytes)) == layout_of(8), "place of suite_cost%bytes")
  do i = 0, ubound(values, 1)
    call check(values(i) == value_of(int(i, c_int)), "value of a constant")
  end do
  call finish_checks()

contains

  integer(c_int64_t) function from(begin, member)
    type(c_ptr), intent(in) :: begin, member

    from = int(transfer(member, 0_c_intptr_t) - transfer(begin, 0_c_intptr_t), c_int64_t)
  end function
end program
