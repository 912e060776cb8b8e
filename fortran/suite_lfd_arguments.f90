! SPDX-License-Identifier: BSD-3-Clause
!> What the routines of family lfd have in common beyond suite_arguments. A host code does not need it.
module suite_lfd_arguments
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use suite
  use suite_arguments, only: put, put_indices, unset
  implicit none (type, external)
  private

  public :: put_nonlocal

contains

  !> The nonlocal pseudopotential: all four arrays, or none.
  subroutine put_nonlocal(lfd, nlpoint, nldisp, beta, dnl, status)
    type(suite_call), intent(inout) :: lfd
    integer, intent(in), optional :: nlpoint(:,:)
    real(c_double), intent(in), target, optional :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    integer(c_int), intent(inout) :: status

    call put_indices(lfd, "nlpoint", nlpoint, status)
    call put_optional(lfd, "nldisp", nldisp, status)
    call put_optional(lfd, "beta", beta, status)
    call put_optional(lfd, "dnl", dnl, status)
  end subroutine

  subroutine put_optional(lfd, name, array, status)
    type(suite_call), intent(inout) :: lfd
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target, optional :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    if (present(array)) then
      call put(lfd, name, array, status)
    else
      call unset(lfd, name, status)
    end if
  end subroutine
end module
