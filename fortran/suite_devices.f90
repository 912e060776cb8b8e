! SPDX-License-Identifier: BSD-3-Clause
!> Devices and the arrays that live on them.
module suite_devices
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_int32_t, c_int64_t, c_null_ptr, c_ptr
  use suite_bindings, only: c_allocate, c_device_close, c_device_describe, c_device_memory, c_device_open, c_download, &
      c_release, c_upload, suite_array, suite_error, suite_on_host, suite_ok
  use suite_support, only: c_text, describe, finish, fortran_text, need_open
  implicit none (type, external)
  private

  public :: suite_device_open, suite_device_close, suite_device_describe, suite_device_memory, suite_device_handle
  public :: suite_allocate, suite_release, suite_upload, suite_download, message_of_device

  !> An open device: its memory, queue and clock, shared by any number of calls.
  type, public :: suite_device
    private
    type(c_ptr) :: handle = c_null_ptr
    character(len=512) :: message = ""
  end type

  !> Gives an array memory on the device.
  interface suite_allocate
    procedure allocate_int32, allocate_int64
  end interface

contains

  !> Opens "cpu", "cuda", "cuda:1" (device 1).
  subroutine suite_device_open(device, backend, ierr)
    type(suite_device), intent(inout) :: device
    character(len=*), intent(in) :: backend
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    call suite_device_close(device)
    status = c_device_open(c_text(backend), device%handle, error)
    call finish(status, error, device%message, ierr)
  end subroutine

  !> Calls that were opened on the device keep it alive until they are closed.
  subroutine suite_device_close(device)
    type(suite_device), intent(inout) :: device

    if (c_associated(device%handle)) call c_device_close(device%handle)
    device%handle = c_null_ptr
    device%message = ""
  end subroutine

  !> "AMD EPYC, 2 cores, AVX-512"; empty for a device that is not open.
  function suite_device_describe(device) result(text)
    type(suite_device), intent(in) :: device
    character(len=:), allocatable :: text

    text = ""
    if (c_associated(device%handle)) text = fortran_text(c_device_describe(device%handle))
  end function

  subroutine suite_device_memory(device, free, total, ierr)
    type(suite_device), intent(inout) :: device
    integer(c_int64_t), intent(out) :: free, total !< bytes
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    free = 0
    total = 0
    status = need_open(device%handle, "suite_device_memory", "device", error)
    if (status == suite_ok) status = c_device_memory(device%handle, free, total, error)
    call finish(status, error, device%message, ierr)
  end subroutine

  !> Gives array, of one of the types suite_int32 ... suite_complex128, memory on the device.
  subroutine allocate_int64(device, array, type, extents, ierr)
    type(suite_device), intent(inout) :: device
    type(suite_array), intent(out) :: array
    integer(c_int32_t), intent(in) :: type
    integer(c_int64_t), intent(in) :: extents(:) !< (rank)
    integer, intent(out), optional :: ierr
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(device%handle, "suite_allocate", "device", error)
    if (status == suite_ok) status = describe(c_null_ptr, type, extents, array, "suite_allocate: the array", error)
    if (status == suite_ok) status = c_allocate(device%handle, array, error)
    call finish(status, error, device%message, ierr)
  end subroutine

  subroutine allocate_int32(device, array, type, extents, ierr)
    type(suite_device), intent(inout) :: device
    type(suite_array), intent(out) :: array
    integer(c_int32_t), intent(in) :: type
    integer(c_int32_t), intent(in) :: extents(:) !< (rank)
    integer, intent(out), optional :: ierr

    call allocate_int64(device, array, type, int(extents, c_int64_t), ierr)
  end subroutine

  subroutine suite_release(device, array)
    type(suite_device), intent(inout) :: device
    type(suite_array), intent(inout) :: array

    if (c_associated(device%handle) .and. c_associated(array%data)) call c_release(device%handle, array)
    array = suite_array()
  end subroutine

  !> Fills a device array from host memory of the same type and extents: call suite_upload(device, there, c_loc(host)).
  subroutine suite_upload(device, there, host, ierr)
    type(suite_device), intent(inout) :: device
    type(suite_array), intent(in) :: there
    type(c_ptr), intent(in) :: host
    integer, intent(out), optional :: ierr
    type(suite_array) :: here
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(device%handle, "suite_upload", "device", error)
    if (status == suite_ok) then
      here = there
      here%data = host
      here%place = suite_on_host
      status = c_upload(device%handle, there, here, error)
    end if
    call finish(status, error, device%message, ierr)
  end subroutine

  !> Copies a device array to host memory of the same type and extents.
  subroutine suite_download(device, there, host, ierr)
    type(suite_device), intent(inout) :: device
    type(suite_array), intent(in) :: there
    type(c_ptr), intent(in) :: host
    integer, intent(out), optional :: ierr
    type(suite_array) :: here
    type(suite_error) :: error
    integer(c_int) :: status

    status = need_open(device%handle, "suite_download", "device", error)
    if (status == suite_ok) then
      here = there
      here%data = host
      here%place = suite_on_host
      status = c_download(device%handle, here, there, error)
    end if
    call finish(status, error, device%message, ierr)
  end subroutine

  function message_of_device(device) result(text)
    type(suite_device), intent(in) :: device
    character(len=:), allocatable :: text

    text = trim(device%message)
  end function

  !> The C side's suite_device.
  pure type(c_ptr) function suite_device_handle(device)
    type(suite_device), intent(in) :: device

    suite_device_handle = device%handle
  end function
end module
