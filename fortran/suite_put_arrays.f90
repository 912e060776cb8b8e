! SPDX-License-Identifier: BSD-3-Clause
! Written by generate_arrays.
!> call put(call, name, array, status): gives a host's array of any element type and rank 1 to 6 to a call, unless status tells
!> of an earlier failure. For suite_arguments.
module suite_put_arrays
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_float, c_float_complex, c_int, c_int32_t, c_int64_t, c_loc
  use suite_bindings, only: suite_complex128, suite_complex64, suite_int32, suite_int64, suite_real32, suite_real64
  use suite_calls, only: suite_bind, suite_call
  implicit none (type, external)
  private

  interface put
    procedure put_int32_1, put_int32_2, put_int32_3, put_int32_4, put_int32_5, put_int32_6, &
        put_int64_1, put_int64_2, put_int64_3, put_int64_4, put_int64_5, put_int64_6, &
        put_real32_1, put_real32_2, put_real32_3, put_real32_4, put_real32_5, put_real32_6, &
        put_real64_1, put_real64_2, put_real64_3, put_real64_4, put_real64_5, put_real64_6, &
        put_complex64_1, put_complex64_2, put_complex64_3, put_complex64_4, put_complex64_5, put_complex64_6, &
        put_complex128_1, put_complex128_2, put_complex128_3, put_complex128_4, put_complex128_5, put_complex128_6
  end interface
  public :: put

contains

  subroutine put_int32_1(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int32_2(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int32_3(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int32_4(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int32_5(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int32_6(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), target :: array(:,:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int64_1(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int64_2(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int64_3(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int64_4(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int64_5(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_int64_6(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), target :: array(:,:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_int64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real32_1(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real32_2(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real32_3(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real32_4(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real32_5(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real32_6(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_float), intent(in), target :: array(:,:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real32, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real64_1(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real64_2(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real64_3(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real64_4(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real64_5(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_real64_6(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    real(c_double), intent(in), target :: array(:,:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_real64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex64_1(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex64_2(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex64_3(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex64_4(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex64_5(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex64_6(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_float_complex), intent(in), target :: array(:,:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex64, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex128_1(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex128_2(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex128_3(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex128_4(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex128_5(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine

  subroutine put_complex128_6(call, name, array, status)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    complex(c_double_complex), intent(in), target :: array(:,:,:,:,:,:)
    integer(c_int), intent(inout) :: status

    call suite_bind(call, name, c_loc(array), suite_complex128, shape(array, c_int64_t), is_contiguous(array), status)
  end subroutine
end module
