! SPDX-License-Identifier: BSD-3-Clause
!> Two calls on one device, with arrays that live there.
program test_devices
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t, c_int64_t, c_loc
  use checks, only: check, check_failure, finish_checks
  use suite_gpp
  implicit none (type, external)
  integer, parameter :: ncouls = 19, ngpown = 7, ntband = 5, nw = 2
  complex(c_double_complex), target :: wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown), aqsntemp(ncouls, ntband)
  complex(c_double_complex), target :: back(ncouls, ngpown), asx(nw), ach(nw), asx_there(nw), ach_there(nw)
  real(c_double), target :: vcoul(ncouls), wx_array(nw, ntband), occ_array(ntband)
  type(suite_device) :: device, closed
  type(suite_call) :: first, second
  type(suite_array) :: wtilde_there, I_eps_there
  integer(c_int64_t) :: free, total
  integer :: ierr, i
  real(c_double) :: flops, bytes

  wtilde_array = reshape([(cmplx(3 + 0.7_c_double * i, 0, c_double), i = 1, size(wtilde_array))], shape(wtilde_array))
  I_eps_array = reshape([(cmplx(0.01_c_double * i, 0.02_c_double, c_double), i = 1, size(I_eps_array))], shape(I_eps_array))
  aqsntemp = reshape([(cmplx(sin(1.0_c_double * i), cos(2.0_c_double * i), c_double), i = 1, size(aqsntemp))], shape(aqsntemp))
  vcoul = [(1.0_c_double / i, i = 1, ncouls)]
  wx_array = -4
  occ_array = 0

  call suite_device_open(device, "cpu")
  call check(len(suite_device_describe(device)) > 0, "a device describes itself")
  call check(suite_device_describe(closed) == "", "a device that is not open has no description")
  call suite_device_memory(device, free, total)
  call check(free > 0 .and. total >= free, "a device knows its memory")
  call suite_open(first, "gpp.sigma", "cpu", device)
  call suite_open(second, "gpp.sigma", "reference", device)

  call suite_gpp_sigma_set(first, wtilde_array, I_eps_array, vcoul)
  call suite_gpp_sigma(first, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach)

  call suite_allocate(device, wtilde_there, suite_complex128, shape(wtilde_array))
  call suite_allocate(device, I_eps_there, suite_complex128, shape(I_eps_array, c_int64_t))
  call suite_upload(device, wtilde_there, c_loc(wtilde_array))
  call suite_upload(device, I_eps_there, c_loc(I_eps_array))
  call suite_download(device, wtilde_there, c_loc(back))
  call check(all(back == wtilde_array), "there and back")
  do i = 1, 2
    if (i == 1) call run_with_device_arrays(first)
    if (i == 2) call run_with_device_arrays(second)
    ! 1e-11: the kernel's documented tolerance between implementations.
    call check(maxval(abs(ach_there - ach)) <= 1.0e-11_c_double * maxval(abs(ach)), "arrays on the device give the same CH")
  end do
  call suite_work(first, flops, bytes)
  call run_on_device(second)
  call check(maxval(abs(ach_there - ach)) <= 1.0e-11_c_double * maxval(abs(ach)) .and. all(asx_there == 0), "and so do all of them")
  call check(flops > 0 .and. bytes > 0, "counted work")

  call suite_allocate(device, wtilde_there, suite_complex128, [0, 3], ierr)
  call check(ierr /= suite_ok .and. len(suite_message(device)) > 0, "an empty array is refused")
  call suite_allocate(closed, wtilde_there, suite_complex128, [2, 3], ierr)
  call check_failure(ierr, suite_invalid_argument, suite_message(closed), "suite_allocate needs an open device")
  call suite_open(first, "gpp.sigma", "cpu", closed, ierr)
  call check_failure(ierr, suite_invalid_argument, suite_message(first), "suite_open was given a device that is not open")
  call suite_close(second)
  call suite_release(device, I_eps_there)
  call suite_device_close(device)
  call check(len(suite_version()) >= 5, "the library has a version")
  call finish_checks()

contains

  subroutine run_with_device_arrays(call)
    type(suite_call), intent(inout) :: call

    call suite_gpp_sigma_set(call, wtilde_array, I_eps_array, vcoul)
    call suite_set_device(call, "wtilde_array", wtilde_there)
    call suite_set_device(call, "I_eps_array", I_eps_there%data, suite_complex128, [ncouls, ngpown])
    call suite_set_device(call, "I_eps_array", I_eps_there%data, suite_complex128, int([ncouls, ngpown], c_int64_t))
    call suite_gpp_sigma(call, aqsntemp, aqsntemp, wx_array, occ_array, asx_there, ach_there)
  end subroutine

  !> All arrays on the device: the same procedures take them.
  subroutine run_on_device(call)
    type(suite_call), intent(inout) :: call
    type(suite_array) :: there(6)
    integer :: k

    call suite_allocate(device, there(1), suite_real64, shape(vcoul))
    call suite_allocate(device, there(2), suite_complex128, shape(aqsntemp))
    call suite_allocate(device, there(3), suite_real64, shape(wx_array))
    call suite_allocate(device, there(4), suite_real64, shape(occ_array))
    call suite_allocate(device, there(5), suite_complex128, shape(asx))
    call suite_allocate(device, there(6), suite_complex128, shape(ach))
    call suite_upload(device, there(1), c_loc(vcoul))
    call suite_upload(device, there(2), c_loc(aqsntemp))
    call suite_upload(device, there(3), c_loc(wx_array))
    call suite_upload(device, there(4), c_loc(occ_array))
    call suite_gpp_sigma_set(call, wtilde_there, I_eps_there, there(1))
    call suite_gpp_sigma(call, there(2), there(2), there(3), there(4), there(5), there(6))
    call suite_download(device, there(5), c_loc(asx_there))
    call suite_download(device, there(6), c_loc(ach_there))
    call suite_forget(call)
    do k = 1, size(there)
      call suite_release(device, there(k))
    end do
  end subroutine
end program
