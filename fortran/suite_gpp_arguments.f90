! SPDX-License-Identifier: BSD-3-Clause
!> What the kernels of family gpp have in common in Fortran: the screening. For suite_gpp and suite_gpp_offdiag; a host code
!> does not need it.
module suite_gpp_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int
  use suite
  use suite_arguments, only: put, put_scalar
  use suite_calls, only: suite_own_indices
  implicit none (type, external)
  private

  public :: put_screening

  !> wtilde_array, I_eps_array, vcoul, indigp (1, 2, ... ngpown if absent), gamma and sexcut.
  interface put_screening
    procedure put_screening_complex, put_screening_real
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
end module
