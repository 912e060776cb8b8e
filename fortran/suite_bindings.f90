! SPDX-License-Identifier: BSD-3-Clause
!> suite/abi.h and suite/suite.h as Fortran sees them: the structs that cross the border and the C functions.
!> Host codes use module suite; this one is for it and for tests.
module suite_bindings
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int, c_int32_t, c_int64_t, c_null_ptr, c_ptr
  implicit none (type, external)
  private

  public :: suite_array, suite_error, suite_cost
  public :: c_device_open, c_device_close, c_device_describe, c_device_memory
  public :: c_allocate, c_release, c_upload, c_download
  public :: c_open, c_close, c_set, c_get, c_forget, c_keep, c_run, c_start, c_wait
  public :: c_set_parameter, c_get_parameter, c_choose, c_generate, c_call_cost, c_argument_array, c_version, c_warnings, c_strlen

  integer, parameter, public :: suite_max_rank = 6

  ! What a failing call returns in ierr.
  integer(c_int), parameter, public :: suite_ok = 0, suite_invalid_argument = 1, suite_unsupported = 2, &
      suite_not_found = 3, suite_out_of_memory = 4, suite_device_error = 5, suite_internal = 6

  ! Element types.
  integer(c_int32_t), parameter, public :: suite_int32 = 1, suite_int64 = 2, suite_real32 = 3, suite_real64 = 4, &
      suite_complex64 = 5, suite_complex128 = 6

  ! Where the data of an array lies.
  integer(c_int32_t), parameter, public :: suite_on_host = 0, suite_on_device = 1

  !> An array as it crosses the border: contiguous, first index fastest.
  type, bind(c) :: suite_array
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: extent(suite_max_rank) = 1 !< those beyond rank are 1
    integer(c_int32_t) :: type = 0, rank = -1, place = suite_on_host, reserved = 0
  end type

  !> The sentence that a failing C function leaves.
  type, bind(c) :: suite_error
    character(kind=c_char) :: message(512)
  end type

  !> Counted work of one run.
  type, bind(c) :: suite_cost
    real(c_double) :: flops = 0, bytes = 0
  end type

  interface
    integer(c_int) function c_device_open(backend, device, error) bind(c, name="suite_device_open")
      import :: c_char, c_int, c_ptr, suite_error
      character(kind=c_char), intent(in) :: backend(*)
      type(c_ptr), intent(out) :: device
      type(suite_error), intent(inout) :: error
    end function

    subroutine c_device_close(device) bind(c, name="suite_device_close")
      import :: c_ptr
      type(c_ptr), value :: device
    end subroutine

    type(c_ptr) function c_device_describe(device) bind(c, name="suite_device_describe")
      import :: c_ptr
      type(c_ptr), value :: device
    end function

    integer(c_int) function c_device_memory(device, free, total, error) bind(c, name="suite_device_memory")
      import :: c_int, c_int64_t, c_ptr, suite_error
      type(c_ptr), value :: device
      integer(c_int64_t), intent(out) :: free, total
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_allocate(device, array, error) bind(c, name="suite_allocate")
      import :: c_int, c_ptr, suite_array, suite_error
      type(c_ptr), value :: device
      type(suite_array), intent(inout) :: array
      type(suite_error), intent(inout) :: error
    end function

    subroutine c_release(device, array) bind(c, name="suite_release")
      import :: c_ptr, suite_array
      type(c_ptr), value :: device
      type(suite_array), intent(inout) :: array
    end subroutine

    integer(c_int) function c_upload(device, there, host, error) bind(c, name="suite_upload")
      import :: c_int, c_ptr, suite_array, suite_error
      type(c_ptr), value :: device
      type(suite_array), intent(in) :: there, host
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_download(device, host, there, error) bind(c, name="suite_download")
      import :: c_int, c_ptr, suite_array, suite_error
      type(c_ptr), value :: device
      type(suite_array), intent(in) :: host, there
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_open(kernel, implementation, device, call, error) bind(c, name="suite_open")
      import :: c_char, c_int, c_ptr, suite_error
      character(kind=c_char), intent(in) :: kernel(*), implementation(*)
      type(c_ptr), value :: device
      type(c_ptr), intent(out) :: call
      type(suite_error), intent(inout) :: error
    end function

    subroutine c_close(call) bind(c, name="suite_close")
      import :: c_ptr
      type(c_ptr), value :: call
    end subroutine

    integer(c_int) function c_set(call, argument, array, error) bind(c, name="suite_set")
      import :: c_char, c_int, c_ptr, suite_array, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: argument(*)
      type(suite_array), intent(in) :: array
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_get(call, argument, array, error) bind(c, name="suite_get")
      import :: c_char, c_int, c_ptr, suite_array, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: argument(*)
      type(suite_array), intent(in) :: array
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_keep(call, argument, error) bind(c, name="suite_keep")
      import :: c_char, c_int, c_ptr, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: argument(*)
      type(suite_error), intent(inout) :: error
    end function

    subroutine c_forget(call) bind(c, name="suite_forget")
      import :: c_ptr
      type(c_ptr), value :: call
    end subroutine

    integer(c_int) function c_run(call, seconds, error) bind(c, name="suite_run")
      import :: c_double, c_int, c_ptr, suite_error
      type(c_ptr), value :: call
      real(c_double), intent(out) :: seconds
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_start(call, error) bind(c, name="suite_start")
      import :: c_int, c_ptr, suite_error
      type(c_ptr), value :: call
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_wait(call, seconds, error) bind(c, name="suite_wait")
      import :: c_double, c_int, c_ptr, suite_error
      type(c_ptr), value :: call
      real(c_double), intent(out) :: seconds
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_set_parameter(call, parameter, value, error) bind(c, name="suite_set_parameter")
      import :: c_char, c_int, c_int64_t, c_ptr, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: parameter(*)
      integer(c_int64_t), value :: value
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_get_parameter(call, parameter, value, error) bind(c, name="suite_get_parameter")
      import :: c_char, c_int, c_int64_t, c_ptr, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: parameter(*)
      integer(c_int64_t), intent(out) :: value
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_choose(call, parameter, choice, error) bind(c, name="suite_choose")
      import :: c_char, c_int, c_ptr, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: parameter(*), choice(*)
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_generate(call, size, seed, error) bind(c, name="suite_generate")
      import :: c_char, c_int, c_int64_t, c_ptr, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: size(*)
      integer(c_int64_t), value :: seed
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_call_cost(call, cost, error) bind(c, name="suite_call_cost")
      import :: c_int, c_ptr, suite_cost, suite_error
      type(c_ptr), value :: call
      type(suite_cost), intent(out) :: cost
      type(suite_error), intent(inout) :: error
    end function

    integer(c_int) function c_argument_array(call, argument, array, error) bind(c, name="suite_argument_array")
      import :: c_char, c_int, c_ptr, suite_array, suite_error
      type(c_ptr), value :: call
      character(kind=c_char), intent(in) :: argument(*)
      type(suite_array), intent(out) :: array
      type(suite_error), intent(inout) :: error
    end function

    type(c_ptr) function c_version() bind(c, name="suite_version")
      import :: c_ptr
    end function

    !> Calls seen(with, warning) for each, two addresses that are arguments by value.
    subroutine c_warnings(seen, with) bind(c, name="suite_warnings")
      import :: c_funptr, c_ptr
      type(c_funptr), value :: seen
      type(c_ptr), value :: with
    end subroutine

    integer(c_int64_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface
end module
