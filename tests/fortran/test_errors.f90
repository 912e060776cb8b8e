! SPDX-License-Identifier: BSD-3-Clause
!> Every way to go wrong ends in a status and a sentence that names the Fortran argument, and the call stays usable.
program test_errors
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_float, c_int32_t, c_int64_t
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use checks, only: check, check_failure, finish_checks
  use suite_gpp
  implicit none (type, external)
  integer, parameter :: ncouls = 6, ngpown = 4, ntband = 5, nw = 2
  complex(c_double_complex), allocatable, target :: wtilde_array(:,:), I_eps_array(:,:), aqsntemp(:,:), asx(:), ach(:)
  complex(c_double_complex), allocatable, target :: acht_n1(:,:), short(:), row(:)
  real(c_double), allocatable, target :: vcoul(:), wx_array(:,:), occ_array(:), wrong(:,:), aqs_real(:,:)
  real(c_float), target :: single(ncouls) = 1
  integer(c_int64_t), target :: long_indices(ngpown) = 1
  type(suite_call) :: gpp, other
  type(suite_device) :: device
  integer(c_int64_t) :: bytes(2), value
  integer :: ierr

  allocate(wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown), aqsntemp(ncouls, ntband), asx(nw), ach(nw), &
      acht_n1(nw, ntband), short(nw - 1), row(2 * nw), vcoul(ncouls), wx_array(nw, ntband), occ_array(ntband), &
      wrong(ncouls, 2), aqs_real(ncouls, ntband))
  wtilde_array = 20
  I_eps_array = 0.5_c_double
  aqsntemp = (0.25_c_double, 0.5_c_double)
  aqs_real = 0.25_c_double
  vcoul = 1
  wx_array = -5
  occ_array = 0
  wrong = 1

  call failures_to_open()
  call failures_to_set()
  call failures_to_run()
  call failures_to_get()
  call failures_of_parameters()
  call kept_addresses()
  call finish_checks()

contains

  subroutine failures_to_open()
    call suite_open(gpp, "gpp.sigmo", "cpu", ierr=ierr)
    call check_failure(ierr, suite_not_found, suite_message(gpp), "gpp.sigmo")
    call suite_open(gpp, "gpp.sigma", "cpo", ierr=ierr)
    call check_failure(ierr, suite_not_found, suite_message(gpp), "cpo")
    call suite_open(gpp, "gpp.sigma", "./nowhere/suite_gpp_mine.so", ierr=ierr)
    call check(ierr /= suite_ok, "a plugin that is not there")
    call check_failure(ierr, ierr, suite_message(gpp), "nowhere/suite_gpp_mine.so")
    call check(.not. suite_is_open(gpp), "a call that failed to open is not open")
    call suite_device_open(device, "abacus", ierr)
    call check_failure(ierr, suite_not_found, suite_message(device), "abacus")
    call suite_device_memory(device, bytes(1), bytes(2), ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(device), "suite_device_memory needs an open device")
    call suite_run(gpp, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "suite_run needs an open call")
    call suite_set(gpp, "vcoul", vcoul, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "passing vcoul needs an open call")
    call suite_close(gpp)
    call check(suite_message(gpp) == "", "closing wipes the message")
  end subroutine

  subroutine failures_to_set()
    call suite_open(gpp, "gpp.sigma", "reference")
    call suite_set(gpp, "vcuol", vcoul, ierr)
    call check_failure(ierr, suite_not_found, suite_message(gpp), "gpp.sigma has no argument 'vcuol'")
    call check_failure(ierr, suite_not_found, suite_message(gpp), " vcoul,")
    call suite_set(gpp, "vcoul", single, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "vcoul takes real64, but real32 was given")
    call suite_set(gpp, "indigp", long_indices, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "indigp takes int32, but int64 was given")
    call suite_set(gpp, "vcoul", wrong, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "vcoul has rank 1 (ncouls), but an array of rank 2")
    call suite_set(gpp, "gamma", vcoul, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "gamma has rank 0")
    call suite_set(gpp, "vcoul", 1.0_c_double, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "vcoul has rank 1")
    call suite_set(gpp, "vcoul", vcoul(1:0), ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "vcoul")
    call suite_set(gpp, "vcoul", vcoul(1:ncouls:2), ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), &
        "vcoul is a section that is not contiguous in memory; pass a whole array or a copy")
    call suite_set(gpp, "wtilde_array", wtilde_array(2:3, :), ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "wtilde_array is a section")
    call suite_set(gpp, "wtilde_array", wtilde_array(:, 2:3), ierr)
    call check(ierr == suite_ok, "whole columns are contiguous")
    call suite_gpp_sigma(gpp, aqsntemp, aqsntemp(::2, :), wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "aqsmtemp is a section")
    call suite_gpp_sigma_set(gpp, wtilde_array(::2, :), I_eps_array, vcoul, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "wtilde_array is a section")
  end subroutine

  subroutine failures_to_run()
    call suite_forget(gpp)
    call suite_run(gpp, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "wtilde_array of gpp.sigma is not set")
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul(:ncouls - 1), ierr=ierr)
    if (ierr == suite_ok) call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "ncouls is ")
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "vcoul")
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul, indigp=[1, 2, 3], ierr=ierr)
    if (ierr == suite_ok) call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "indigp")
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul, indigp=[1, 2, 3, -1], ierr=ierr)
    if (ierr == suite_ok) call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "indigp(4) is -1; it must not be negative")
    call suite_unset(gpp, "indigp")
    call suite_set(gpp, "aqsntemp", aqs_real)
    call suite_run(gpp, ierr=ierr)
    call check(ierr == suite_invalid_argument, "one flavour in a call")
    vcoul(3) = ieee_value(vcoul(3), ieee_quiet_nan)
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul)
    call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "vcoul(3)")
    vcoul(3) = 1
    ! After all of this the call works.
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul)
    call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach, ierr=ierr)
    call check(ierr == suite_ok .and. all(abs(ach) > 0), "the call works after its failures")
  end subroutine

  subroutine failures_to_get()
    call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, short, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "nw is ")
    call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, row(::2), ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "achtemp is a section")
    call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach)
    call suite_get(gpp, "acht_n1", acht_n1, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "acht_n1")
    call suite_get(gpp, "achtemp", short, ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "achtemp has the extents (2,1)")
    call suite_get(gpp, "achtemp", row(::2), ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "achtemp is a section")
    call suite_get(gpp, "achtemp", vcoul(:nw), ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "achtemp is complex128 in this call")
    call suite_get(gpp, "achtmp", ach, ierr)
    call check_failure(ierr, suite_not_found, suite_message(gpp), "has no argument 'achtmp'")
    call suite_get(gpp, "achtemp", row(:nw), ierr)
    call check(ierr == suite_ok .and. all(row(:nw) == ach), "the right shapes still arrive")
  end subroutine

  subroutine failures_of_parameters()
    call suite_open(other, "gpp.sigma", "cpu")
    call suite_set_parameter(other, "no_such_knob", 3, ierr)
    call check_failure(ierr, suite_not_found, suite_message(other), "no parameter 'no_such_knob'")
    call suite_set_parameter(other, "no_such_knob", 3_c_int64_t, ierr)
    call check_failure(ierr, suite_not_found, suite_message(other), "no parameter 'no_such_knob'")
    call suite_get_parameter(other, "no_such_knob", value, ierr)
    call check_failure(ierr, suite_not_found, suite_message(other), "no parameter 'no_such_knob'")
    call suite_choose(other, "variant", "v99", ierr)
    call check_failure(ierr, suite_not_found, suite_message(other), "variant has no choice 'v99'")
    call suite_choose(other, "variant", "best", ierr)
    call check(ierr == suite_ok, "a choice that exists")
    call suite_generate(other, "no such size", 1_c_int64_t, ierr)
    call check(ierr /= suite_ok, "an unknown size")
    call suite_close(other)
  end subroutine

  subroutine kept_addresses()
    type(suite_array) :: bound

    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul)
    call suite_gpp_sigma(gpp, aqsntemp, aqsntemp, wx_array, occ_array, asx, ach)
    call suite_argument(gpp, "wtilde_array", bound)
    call check(bound%rank == 2, "what stays is kept")
    call suite_forget(gpp)
    call suite_argument(gpp, "wtilde_array", bound)
    call check(bound%rank == -1, "suite_forget keeps no input")
    call suite_argument(gpp, "achtemp", bound)
    call check(bound%rank == -1, "suite_forget keeps no result")
    deallocate(wtilde_array)
    call suite_run(gpp, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "is not set")
    call suite_unset(gpp, "gamma", ierr)
    call check(ierr == suite_ok, "unsetting what is not set")
    call suite_unset(gpp, "gama", ierr)
    call check_failure(ierr, suite_not_found, suite_message(gpp), "'gama'")
    call suite_close(gpp)
    call suite_close(gpp)
    call check(.not. suite_is_open(gpp), "closing twice")
  end subroutine
end program
