! SPDX-License-Identifier: BSD-3-Clause
!> Calls: a kernel open on a device, its arguments and parameters, and running it.
module suite_calls
  use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_double_complex, c_f_pointer, c_funloc, c_int, c_int32_t, &
      c_int64_t, c_loc, c_null_ptr, c_ptr
  use suite_bindings
  use suite_devices, only: message_of_device, suite_device, suite_device_handle
  use suite_support, only: c_text, complain, copy_text, describe, finish, fortran_text, need_open, report
  implicit none (type, external)
  private

  public :: suite_open, suite_open_once, suite_close, suite_is_open, suite_run, suite_start, suite_wait, suite_forget, suite_keep
  public :: suite_set_device, suite_unset, suite_set_parameter, suite_get_parameter, suite_choose
  public :: suite_generate, suite_work, suite_argument, suite_message, suite_warnings, suite_version
  public :: suite_set_described, suite_get_described ! for the generic suite_set and suite_get
  ! For family modules such as suite_gpp.
  public :: suite_bind, suite_fetch, suite_own_result, suite_refuse, suite_settle

  !> Memory of one result that goes through the call's own.
  type :: owned_memory
    character(len=64) :: name = ""
    complex(c_double_complex), pointer :: values(:) => null()
  end type

  !> A kernel open on a device, with its arguments.
  type, public :: suite_call
    private
    type(c_ptr) :: handle = c_null_ptr
    character(len=512) :: message = ""
    character(len=:), allocatable :: kernel, implementation !< as they were opened
    type(owned_memory), allocatable :: owned(:)
  end type

  !> What suite_warnings collects.
  type :: collected_text
    character(len=:), allocatable :: text
  end type

  !> The sentence of the last failure of a call or device; empty when there was none.
  interface suite_message
    procedure message_of_call, message_of_device
  end interface

  !> An argument that already lies on the device, such as data of an OpenACC or OpenMP target region.
  interface suite_set_device
    procedure set_device_int32, set_device_int64, set_device_array
  end interface

  !> A tuning knob; named choices are made by suite_choose.
  interface suite_set_parameter
    procedure set_parameter_int32, set_parameter_int64
  end interface

contains

  !> Opens kernel "gpp.sigma" in implementation "cpu", "reference", "cuda:1", or from a plugin's path (it holds a '/').
  subroutine suite_open(call, kernel, implementation, device, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: kernel, implementation
    type(suite_device), intent(in), optional :: device !< else the call opens one of its own
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    type(c_ptr) :: on
    integer(c_int) :: status

    call suite_close(call)
    on = c_null_ptr
    status = suite_ok
    if (present(device)) then
      on = suite_device_handle(device)
      if (.not. c_associated(on)) status = complain(error, "suite_open was given a device that is not open")
    end if
    if (status == suite_ok) status = c_open(c_text(kernel), c_text(implementation), on, call%handle, error)
    if (status == suite_ok) then
      call%kernel = trim(kernel)
      call%implementation = trim(implementation)
    end if
    call finish(status, error, call%message, ierr)
  end subroutine

  !> suite_open, unless the call is open with this kernel and implementation already: for a routine that is called many times and
  !> has no place to open and close it. Kernel, compiled programs and memory on the device stay from one time to the next.
  subroutine suite_open_once(call, kernel, implementation, device, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: kernel, implementation
    type(suite_device), intent(in), optional :: device !< that of the first time; else the call opens one of its own
    integer, intent(out), optional :: ierr

    if (suite_is_open(call)) then
      if (call%kernel == kernel .and. call%implementation == implementation) then
        if (present(ierr)) ierr = suite_ok
        return
      end if
    end if
    call suite_open(call, kernel, implementation, device, ierr)
  end subroutine

  subroutine suite_close(call)
    type(suite_call), intent(inout) :: call

    if (c_associated(call%handle)) call c_close(call%handle)
    call%handle = c_null_ptr
    call%message = ""
    call disown(call)
  end subroutine

  subroutine disown(call)
    type(suite_call), intent(inout) :: call
    integer :: i

    if (.not. allocated(call%owned)) return
    do i = 1, size(call%owned)
      if (associated(call%owned(i)%values)) deallocate(call%owned(i)%values)
    end do
    deallocate(call%owned)
  end subroutine

  pure logical function suite_is_open(call)
    type(suite_call), intent(in) :: call

    suite_is_open = c_associated(call%handle)
  end function

  !> Binds memory to an argument. Does nothing when status already holds a failure, so that a row of calls needs one
  !> suite_settle at its end.
  subroutine suite_bind(call, name, address, type, extents, contiguous, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    logical, intent(in) :: contiguous
    integer(c_int), intent(inout) :: status
    type(suite_array) :: array
    type(suite_error) :: error

    if (status /= suite_ok) return
    status = describe_argument(call, name, address, type, extents, contiguous, array, error)
    if (status == suite_ok) status = c_set(call%handle, c_text(name), array, error)
    if (status /= suite_ok) call copy_text(error, call%message)
  end subroutine

  !> Brings a result back, in the same manner.
  subroutine suite_fetch(call, name, address, type, extents, contiguous, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    logical, intent(in) :: contiguous
    integer(c_int), intent(inout) :: status
    type(suite_array) :: array
    type(suite_error) :: error

    if (status /= suite_ok) return
    status = describe_argument(call, name, address, type, extents, contiguous, array, error)
    if (status == suite_ok) status = c_get(call%handle, c_text(name), array, error)
    if (status /= suite_ok) call copy_text(error, call%message)
  end subroutine

  !> Binds memory of the call's own, complex128, to a result, in the same manner, and says where it is.
  subroutine suite_own_result(call, name, extents, address, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    type(c_ptr), intent(out) :: address
    integer(c_int), intent(inout) :: status
    integer(c_int64_t) :: count
    integer :: i

    address = c_null_ptr
    if (status /= suite_ok) return
    if (.not. allocated(call%owned)) allocate(call%owned(0))
    do i = 1, size(call%owned)
      if (call%owned(i)%name == name) exit
    end do
    if (i > size(call%owned)) call%owned = [call%owned, owned_memory(name)]
    count = max(1_c_int64_t, product(extents))
    if (associated(call%owned(i)%values)) then
      if (size(call%owned(i)%values, kind=c_int64_t) < count) deallocate(call%owned(i)%values)
    end if
    if (.not. associated(call%owned(i)%values)) allocate(call%owned(i)%values(count))
    address = c_loc(call%owned(i)%values)
    call suite_bind(call, name, address, suite_complex128, extents, .true., status)
  end subroutine

  !> Makes a row fail with a sentence.
  subroutine suite_refuse(call, sentence, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: sentence
    integer(c_int), intent(inout) :: status
    type(suite_error) :: error

    if (status /= suite_ok) return
    status = complain(error, sentence)
    call copy_text(error, call%message)
  end subroutine

  !> Ends a row: hands its status to the caller, or stops with the sentence where the caller did not ask for ierr.
  subroutine suite_settle(call, status, ierr)
    type(suite_call), intent(in) :: call
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: ierr

    call report(status, call%message, ierr)
  end subroutine

  subroutine suite_set_described(call, name, address, type, extents, contiguous, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    logical, intent(in) :: contiguous
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call suite_bind(call, name, address, type, extents, contiguous, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine suite_get_described(call, name, address, type, extents, contiguous, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    logical, intent(in) :: contiguous
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call suite_fetch(call, name, address, type, extents, contiguous, status)
    call suite_settle(call, status, ierr)
  end subroutine

  !> Makes an optional argument absent again.
  subroutine suite_unset(call, name, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: ierr
    type(suite_array) :: bound
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_unset", "call", error)
    if (status == suite_ok) then
      status = c_argument_array(call%handle, c_text(name), bound, error)
      if (status == suite_ok .and. bound%rank >= 0) then
        bound%data = c_null_ptr
        bound%extent = 1 ! an array without elements would be taken for one that is set
        status = c_set(call%handle, c_text(name), bound, error)
      end if
    end if
    call finish(status, error, call%message, ierr)
  end subroutine

  !> An array made by suite_allocate.
  subroutine set_device_array(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(in), target :: array
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_set_device of " // trim(name), "call", error)
    if (status == suite_ok) status = c_set(call%handle, c_text(name), array, error)
    call finish(status, error, call%message, ierr)
  end subroutine

  subroutine set_device_int64(call, name, address, type, extents, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address !< in the device's memory
    integer(c_int32_t), intent(in) :: type !< suite_real64, suite_complex128, ...
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    integer, intent(out), optional :: ierr
    type(suite_array) :: array
    type(suite_error) :: error
    integer(c_int) :: status

    status = describe_argument(call, name, address, type, extents, .true., array, error)
    array%place = suite_on_device
    if (status == suite_ok) status = c_set(call%handle, c_text(name), array, error)
    call finish(status, error, call%message, ierr)
  end subroutine

  subroutine set_device_int32(call, name, address, type, extents, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int32_t), intent(in) :: extents(:) !< (rank)
    integer, intent(out), optional :: ierr

    call set_device_int64(call, name, address, type, int(extents, c_int64_t), ierr)
  end subroutine

  !> The result that was set stays where it is computed until suite_get brings it: for state that the host does not look at
  !> after each run. Until the argument is set again. Changes nothing where memory is shared.
  subroutine suite_keep(call, name, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_keep of " // trim(name), "call", error)
    if (status == suite_ok) status = c_keep(call%handle, c_text(name), error)
    call finish(status, error, call%message, ierr)
  end subroutine

  !> Drops every address that the call keeps.
  subroutine suite_forget(call)
    type(suite_call), intent(inout) :: call

    if (c_associated(call%handle)) call c_forget(call%handle)
  end subroutine

  subroutine suite_run(call, seconds, ierr)
    type(suite_call), intent(inout) :: call
    real(c_double), intent(out), optional :: seconds !< of the kernel, by the device's clock
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    real(c_double) :: elapsed
    integer(c_int) :: status

    elapsed = 0
    status = need_open(call%handle, "suite_run", "call", error)
    if (status == suite_ok) status = c_run(call%handle, elapsed, error)
    if (present(seconds)) seconds = elapsed
    call finish(status, error, call%message, ierr)
  end subroutine

  !> The first half of suite_run: enqueues the work. Arguments stay untouched until suite_wait.
  subroutine suite_start(call, ierr)
    type(suite_call), intent(inout) :: call
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_start", "call", error)
    if (status == suite_ok) status = c_start(call%handle, error)
    call finish(status, error, call%message, ierr)
  end subroutine

  subroutine suite_wait(call, seconds, ierr)
    type(suite_call), intent(inout) :: call
    real(c_double), intent(out), optional :: seconds !< of the kernel, by the device's clock
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    real(c_double) :: elapsed
    integer(c_int) :: status

    elapsed = 0
    status = need_open(call%handle, "suite_wait", "call", error)
    if (status == suite_ok) status = c_wait(call%handle, elapsed, error)
    if (present(seconds)) seconds = elapsed
    call finish(status, error, call%message, ierr)
  end subroutine

  subroutine set_parameter_int64(call, parameter, value, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: parameter
    integer(c_int64_t), intent(in) :: value
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_set_parameter", "call", error)
    if (status == suite_ok) status = c_set_parameter(call%handle, c_text(parameter), value, error)
    call finish(status, error, call%message, ierr)
  end subroutine

  subroutine set_parameter_int32(call, parameter, value, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: parameter
    integer(c_int32_t), intent(in) :: value
    integer, intent(out), optional :: ierr

    call set_parameter_int64(call, parameter, int(value, c_int64_t), ierr)
  end subroutine

  subroutine suite_get_parameter(call, parameter, value, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: parameter
    integer(c_int64_t), intent(out) :: value
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    value = 0
    status = need_open(call%handle, "suite_get_parameter", "call", error)
    if (status == suite_ok) status = c_get_parameter(call%handle, c_text(parameter), value, error)
    call finish(status, error, call%message, ierr)
  end subroutine

  !> A named choice: call suite_choose(gpp, "variant", "v9").
  subroutine suite_choose(call, parameter, choice, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: parameter, choice
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_choose", "call", error)
    if (status == suite_ok) status = c_choose(call%handle, c_text(parameter), c_text(choice), error)
    call finish(status, error, call%message, ierr)
  end subroutine

  !> Sets arguments made up by the kernel itself: deterministic, of a named size ("small", "ncouls=512,nw=3").
  subroutine suite_generate(call, size, seed, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: size
    integer(c_int64_t), intent(in) :: seed
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_generate", "call", error)
    if (status == suite_ok) status = c_generate(call%handle, c_text(size), seed, error)
    call finish(status, error, call%message, ierr)
  end subroutine

  !> Counted floating-point operations and least memory traffic of one run.
  subroutine suite_work(call, flops, bytes, ierr)
    type(suite_call), intent(inout) :: call
    real(c_double), intent(out) :: flops, bytes
    integer, intent(out), optional :: ierr
    type(suite_cost) :: cost
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_work", "call", error)
    if (status == suite_ok) status = c_call_cost(call%handle, cost, error)
    flops = cost%flops
    bytes = cost%bytes
    call finish(status, error, call%message, ierr)
  end subroutine

  !> The array now bound to an argument; rank -1 when there is none.
  subroutine suite_argument(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    type(suite_array), intent(out) :: array
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(call%handle, "suite_argument", "call", error)
    if (status == suite_ok) status = c_argument_array(call%handle, c_text(name), array, error)
    call finish(status, error, call%message, ierr)
  end subroutine

  function message_of_call(call) result(text)
    type(suite_call), intent(in) :: call
    character(len=:), allocatable :: text

    text = trim(call%message)
  end function

  !> Version of the library, "0.1.0".
  function suite_version() result(text)
    character(len=:), allocatable :: text

    text = fortran_text(c_version())
  end function

  !> What the user should know of this process, a line each, with new_line("a") between them; empty where there is nothing:
  !> a trace or captures that somebody asked for (SUITE_TRACE, SUITE_CAPTURE) and did not get, two OpenMP runtimes.
  function suite_warnings() result(text)
    character(len=:), allocatable :: text
    type(collected_text), target :: lines

    lines%text = ""
    call c_warnings(c_funloc(add_line), c_loc(lines))
    text = lines%text
  end function

  subroutine add_line(with, warning) bind(c, name="")
    type(c_ptr), value :: with, warning
    type(collected_text), pointer :: lines

    call c_f_pointer(with, lines)
    if (len(lines%text) > 0) lines%text = lines%text // new_line("a")
    lines%text = lines%text // fortran_text(warning)
  end subroutine

  integer(c_int) function describe_argument(call, name, address, type, extents, contiguous, array, error) result(status)
    type(suite_call), intent(in) :: call
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:)
    logical, intent(in) :: contiguous
    type(suite_array), intent(out) :: array
    type(suite_error), intent(inout) :: error

    ! Sentences are put together only where they are needed: this runs for every argument of every call.
    status = suite_ok
    if (.not. c_associated(call%handle)) status = need_open(call%handle, "passing " // trim(name), "call", error)
    if (status /= suite_ok) return
    ! An empty section counts as contiguous: C then names the extent that is 0.
    if (.not. contiguous .and. all(extents > 0)) then
      status = complain(error, trim(name) // " is a section that is not contiguous in memory; pass a whole array or a copy")
    else
      status = describe(address, type, extents, array, name(:len_trim(name)), error)
    end if
  end function
end module
