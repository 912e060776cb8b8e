! SPDX-License-Identifier: BSD-3-Clause
!> What the kernels of family gpp have in common in Fortran: the screening, and arrays bound by name. For suite_gpp and
!> suite_gpp_offdiag; a host code needs neither.
module suite_gpp_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int, c_int64_t, c_loc
  use suite
  use suite_calls, only: suite_bind, suite_own_indices
  implicit none (type, external)
  private

  public :: put, put_screening, unset

  !> wtilde_array, I_eps_array, vcoul, indigp (1, 2, ... ngpown if absent), gamma and sexcut.
  interface put_screening
    procedure put_screening_complex, put_screening_real
  end interface

  !> An array, unless status tells of a failure before.
  interface put
    procedure put_real_1, put_real_2, put_real_3, put_complex_2, put_complex_3
  end interface

contains

  subroutine put_screening_complex(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:)
    real(c_double), intent(in), target :: vcoul(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    integer, intent(out) :: ierr
    integer(c_int) :: status
    integer :: my_igp

    status = suite_ok
    call put(gpp, "wtilde_array", wtilde_array, status)
    call put(gpp, "I_eps_array", I_eps_array, status)
    call put(gpp, "vcoul", vcoul, status)
    if (present(indigp)) then
      call suite_own_indices(gpp, "indigp", indigp, status)
    else
      call suite_own_indices(gpp, "indigp", [(my_igp, my_igp = 1, size(wtilde_array, 2))], status)
    end if
    call put_scalar(gpp, "gamma", gamma, status)
    call put_scalar(gpp, "sexcut", sexcut, status)
    ierr = int(status)
  end subroutine

  subroutine put_screening_real(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:)
    real(c_double), intent(in), target :: vcoul(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    integer, intent(out) :: ierr
    integer(c_int) :: status
    integer :: my_igp

    status = suite_ok
    call put(gpp, "wtilde_array", wtilde_array, status)
    call put(gpp, "I_eps_array", I_eps_array, status)
    call put(gpp, "vcoul", vcoul, status)
    if (present(indigp)) then
      call suite_own_indices(gpp, "indigp", indigp, status)
    else
      call suite_own_indices(gpp, "indigp", [(my_igp, my_igp = 1, size(wtilde_array, 2))], status)
    end if
    call put_scalar(gpp, "gamma", gamma, status)
    call put_scalar(gpp, "sexcut", sexcut, status)
    ierr = int(status)
  end subroutine

  subroutine put_real_1(gpp, name, array, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:)
    integer(c_int), intent(inout) :: status

    call suite_bind(gpp, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real_2(gpp, name, array, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(gpp, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real_3(gpp, name, array, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(gpp, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex_2(gpp, name, array, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(gpp, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex_3(gpp, name, array, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(gpp, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  ! An absent scalar takes its default, also where an earlier call had given one.
  subroutine put_scalar(gpp, name, scalar, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target, optional :: scalar
    integer(c_int), intent(inout) :: status

    if (present(scalar)) then
      call suite_bind(gpp, name, c_loc(scalar), suite_real64, [integer(c_int64_t) ::], .true., status)
    else
      call unset(gpp, name, status)
    end if
  end subroutine

  subroutine unset(gpp, name, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    integer(c_int), intent(inout) :: status
    integer :: outcome

    if (status /= suite_ok) return
    call suite_unset(gpp, name, outcome)
    status = int(outcome, c_int)
  end subroutine
end module
