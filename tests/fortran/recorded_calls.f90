! SPDX-License-Identifier: BSD-3-Clause
!> Calls recorded inside BerkeleyGW (tests/data/gpp_fixtures): one file for each external band of the same k and q.
module recorded_calls
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_null_char
  use sigma_calls, only: calls, dp
  implicit none (type, external)
  private
  public :: recorded

  interface ! recorded_call.c; below zero: a failure
    integer(c_int) function recorded_length(path, name) bind(c)
      import c_int, c_char
      implicit none (type, external)
      character(kind=c_char), intent(in) :: path(*), name(*)
    end function
    integer(c_int) function recorded_values(path, name, length, to) bind(c)
      import c_int, c_char
      implicit none (type, external)
      character(kind=c_char), intent(in) :: path(*), name(*)
      integer(c_int), value :: length
      type(*), intent(inout) :: to(*)
    end function
    integer(c_int) function recorded_attribute(path, name, to) bind(c)
      import c_int, c_char, c_double
      implicit none (type, external)
      character(kind=c_char), intent(in) :: path(*), name(*)
      real(c_double), intent(inout) :: to
    end function
  end interface

contains

  type(calls) function recorded(paths) result(c)
    character(len=*), intent(in) :: paths(:)
    integer :: neps, ntband, n

    neps = recorded_length(c_text(paths(1)), c_text("vcoul"))
    ntband = recorded_length(c_text(paths(1)), c_text("ekq"))
    if (neps < 1 .or. ntband < 1) error stop "no recorded call"
    allocate(c%w(neps, neps), c%I_eps(neps, neps), c%M(neps, ntband, size(paths)), c%row(neps), c%v(neps), c%ekq(ntband))
    allocate(c%asx(3, size(paths)), c%ach(3, size(paths)), c%e_lk(size(paths)), c%partner(size(paths)))
    call read_values(1, "wtilde_array", size(c%w), c%w)
    call read_values(1, "I_eps_array", size(c%I_eps), c%I_eps)
    call read_values(1, "igp", neps, c%row)
    call read_values(1, "vcoul", neps, c%v)
    call read_values(1, "ekq", ntband, c%ekq)
    do n = 1, size(paths)
      call read_values(n, "aqsn", neps * ntband, c%M(:, :, n))
      call read_values(n, "asx", 3, c%asx(:, n))
      call read_values(n, "ach", 3, c%ach(:, n))
      c%e_lk(n) = attribute(n, "e_lk")
      c%partner(n) = mod(n, size(paths)) + 1
    end do
    c%nvband = nint(attribute(1, "nvband"))
    c%dw = attribute(1, "dw")
    c%gamma = attribute(1, "gamma")
    c%sexcut = attribute(1, "sexcut")
    c%tol = attribute(1, "tol")

  contains

    subroutine read_values(file, name, length, to)
      integer, intent(in) :: file, length
      character(len=*), intent(in) :: name
      type(*), intent(inout) :: to(*)

      if (recorded_values(c_text(paths(file)), c_text(name), length, to) < 0) error stop "a recorded call lacks an array"
    end subroutine

    real(dp) function attribute(file, name)
      integer, intent(in) :: file
      character(len=*), intent(in) :: name

      if (recorded_attribute(c_text(paths(file)), c_text(name), attribute) < 0) error stop "a recorded call lacks a number"
    end function
  end function

  pure function c_text(text)
    character(len=*), intent(in) :: text
    character(kind=c_char, len=len_trim(text) + 1) :: c_text

    c_text = trim(text) // c_null_char
  end function
end module
