! SPDX-License-Identifier: BSD-3-Clause
! Written by generate_arrays.
!> call suite_set(call, name, array, ierr): gives an argument to a call, for every element type and rank 0 to 6.
module suite_set_arrays
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_float, c_float_complex, c_int32_t, c_int64_t, c_loc
  use suite_bindings, only: suite_complex128, suite_complex64, suite_int32, suite_int64, suite_real32, suite_real64
  use suite_calls, only: suite_set_described, suite_call
  implicit none (type, external)
  private

  interface suite_set
    procedure set_int32_0, set_int32_1, set_int32_2, set_int32_3, set_int32_4, set_int32_5, set_int32_6, &
        set_int64_0, set_int64_1, set_int64_2, set_int64_3, set_int64_4, set_int64_5, set_int64_6, &
        set_real32_0, set_real32_1, set_real32_2, set_real32_3, set_real32_4, set_real32_5, set_real32_6, &
        set_real64_0, set_real64_1, set_real64_2, set_real64_3, set_real64_4, set_real64_5, set_real64_6, &
        set_complex64_0, set_complex64_1, set_complex64_2, set_complex64_3, set_complex64_4, set_complex64_5, set_complex64_6, &
        set_complex128_0, set_complex128_1, set_complex128_2, set_complex128_3, set_complex128_4, set_complex128_5, set_complex128_6
  end interface
  public :: suite_set

contains

  subroutine set_int32_0(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), .true., ierr)
  end subroutine

  subroutine set_int32_1(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int32_2(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int32_3(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int32_4(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int32_5(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int32_6(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int64_0(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), .true., ierr)
  end subroutine

  subroutine set_int64_1(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int64_2(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int64_3(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int64_4(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int64_5(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_int64_6(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real32_0(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), .true., ierr)
  end subroutine

  subroutine set_real32_1(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real32_2(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real32_3(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real32_4(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real32_5(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real32_6(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real64_0(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), .true., ierr)
  end subroutine

  subroutine set_real64_1(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real64_2(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real64_3(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real64_4(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real64_5(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_real64_6(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex64_0(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), .true., ierr)
  end subroutine

  subroutine set_complex64_1(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex64_2(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex64_3(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex64_4(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex64_5(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex64_6(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex128_0(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), .true., ierr)
  end subroutine

  subroutine set_complex128_1(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex128_2(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex128_3(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex128_4(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex128_5(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine

  subroutine set_complex128_6(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierr

    call suite_set_described(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), ierr)
  end subroutine
end module
