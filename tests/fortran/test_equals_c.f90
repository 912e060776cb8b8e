! SPDX-License-Identifier: BSD-3-Clause
!> The same arrays through suite_gpp and through suite.h must give the same bits: the modules add nothing and lose
!> nothing. Sizes are odd, extents all differ (a swapped pair would be refused), one column is padding.
program test_equals_c
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_double_complex, c_int, c_int32_t, c_int64_t, c_loc, &
      c_null_char, c_ptr
  use checks, only: check, finish_checks
  use suite_gpp
  implicit none (type, external)
  interface
    integer(c_int) function sigma_in_c(implementation, flavour, sizes, wtilde, I_eps, aqsm, aqsn, vcoul, wx, occ, indigp, &
        gamma, sexcut, asx, ach, acht_n1, achst) bind(c)
      import :: c_char, c_double, c_int, c_int32_t, c_int64_t, c_ptr
      character(kind=c_char), intent(in) :: implementation(*)
      integer(c_int32_t), value :: flavour
      integer(c_int64_t), intent(in) :: sizes(5)
      type(c_ptr), value :: wtilde, I_eps, aqsm, aqsn, asx, ach, acht_n1, achst
      real(c_double), intent(in) :: vcoul(*), wx(*), occ(*)
      integer(c_int32_t), intent(in) :: indigp(*)
      real(c_double), value :: gamma, sexcut
    end function
  end interface
  integer, parameter :: ncouls = 37, ngpown = 11, ntband = 13, nw = 3, dp = c_double
  real(dp), parameter :: gamma = 0.4_dp, sexcut = 3.5_dp
  complex(c_double_complex), allocatable, target :: wtilde_array(:,:), I_eps_array(:,:), aqsmtemp(:,:,:), aqsntemp(:,:,:)
  real(dp), allocatable, target :: I_eps_real(:,:), aqsm_real(:,:,:), aqsn_real(:,:,:), vcoul(:), wx_array(:,:,:), occ_array(:)
  integer, allocatable :: indigp(:)
  complex(c_double_complex), allocatable, target :: asx(:,:), ach(:,:), acht_n1(:,:,:), achst(:)
  complex(c_double_complex), allocatable, target :: asx_c(:,:), ach_c(:,:), acht_n1_c(:,:,:), achst_c(:)
  type(suite_call) :: gpp
  character(len=:), allocatable :: label

  call compare("reference", 2)
  call compare("cpu", 2)
  call compare("reference", 1)
  call compare("cpu", 1)
  call finish_checks()

contains

  subroutine compare(implementation, nex)
    character(len=*), intent(in) :: implementation
    integer, intent(in) :: nex
    real(dp) :: seconds
    integer(c_int) :: status

    call make_data(nex)
    label = implementation // merge(" batch", " pair ", nex > 1)
    if (allocated(asx)) deallocate(asx, ach, acht_n1, achst, asx_c, ach_c, acht_n1_c, achst_c)
    allocate(asx(nw, nex), ach(nw, nex), acht_n1(nw, ntband, nex), achst(nex))
    allocate(asx_c(nw, nex), ach_c(nw, nex), acht_n1_c(nw, ntband, nex), achst_c(nex))
    call suite_open(gpp, "gpp.sigma", implementation)

    ! complex flavour
    status = sigma_in_c(implementation // c_null_char, suite_complex128, sizes(nex), c_loc(wtilde_array), c_loc(I_eps_array), &
        c_loc(aqsmtemp), c_loc(aqsntemp), vcoul, wx_array, occ_array, int(indigp, c_int32_t), gamma, sexcut, &
        c_loc(asx_c), c_loc(ach_c), c_loc(acht_n1_c), c_loc(achst_c))
    call check(status == 0, label // " complex in C")
    call clear()
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul, indigp)
    call complex_sigma(nex, seconds)
    call check(seconds >= 0, label // " seconds")
    call same("complex")
    call clear()
    call suite_start(gpp)
    call suite_wait(gpp, seconds)
    call same("complex, started again")
    call clear()
    call suite_forget(gpp)
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul, indigp)
    call complex_sigma(nex)
    call same("complex, after forgetting")

    ! real flavour, on a call that has run the other one
    status = sigma_in_c(implementation // c_null_char, suite_real64, sizes(nex), c_loc(wtilde_array), c_loc(I_eps_real), &
        c_loc(aqsm_real), c_loc(aqsn_real), vcoul, wx_array, occ_array, int(indigp, c_int32_t), gamma, sexcut, &
        c_loc(asx_c), c_loc(ach_c), c_loc(acht_n1_c), c_loc(achst_c))
    call check(status == 0, label // " real in C")
    call clear()
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_real, vcoul, indigp)
    if (nex > 1) then
      call suite_gpp_sigma(gpp, aqsn_real, aqsm_real, wx_array, occ_array, asx, ach, gamma, sexcut, acht_n1, achst)
    else
      call suite_gpp_sigma(gpp, aqsn_real(:,:,1), aqsm_real(:,:,1), wx_array(:,:,1), occ_array, asx(:,1), ach(:,1), gamma, sexcut, &
          acht_n1(:,:,1), achst)
    end if
    call same("real")

    call set_by_name()
    call new_bands()
    call absent_arguments()
    call suite_close(gpp)
  end subroutine

  subroutine complex_sigma(nex, seconds)
    integer, intent(in) :: nex
    real(dp), intent(out), optional :: seconds

    if (nex > 1) then
      call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx, ach, gamma, sexcut, acht_n1, achst, seconds)
    else
      call suite_gpp_sigma(gpp, aqsntemp(:,:,1), aqsmtemp(:,:,1), wx_array(:,:,1), occ_array, asx(:,1), ach(:,1), gamma, sexcut, &
          acht_n1(:,:,1), achst, seconds)
    end if
  end subroutine

  subroutine clear()
    asx = -1
    ach = -1
    acht_n1 = -1
    achst = -1
  end subroutine

  subroutine same(what)
    character(len=*), intent(in) :: what

    call check(any(abs(asx_c) > 0) .and. any(abs(ach_c) > 0) .and. any(abs(achst_c) > 0), label // ": C gave something, " // what)
    call check(equal_bits(reshape(asx, [size(asx)]), reshape(asx_c, [size(asx)])), label // " asxtemp, " // what)
    call check(equal_bits(reshape(ach, [size(ach)]), reshape(ach_c, [size(ach)])), label // " achtemp, " // what)
    call check(equal_bits(reshape(acht_n1, [size(acht_n1)]), reshape(acht_n1_c, [size(acht_n1)])), label // " acht_n1, " // what)
    call check(equal_bits(achst, achst_c), label // " achstemp, " // what)
  end subroutine

  ! The generic names that module suite offers for every kernel; results bound in place.
  subroutine set_by_name()
    integer(c_int32_t), target :: list(ngpown)

    list = int(indigp, c_int32_t)
    call clear()
    call suite_set(gpp, "wtilde_array", wtilde_array)
    call suite_set(gpp, "I_eps_array", I_eps_real)
    call suite_set(gpp, "aqsmtemp", aqsm_real)
    call suite_set(gpp, "aqsntemp", aqsn_real)
    call suite_set(gpp, "vcoul", vcoul)
    call suite_set(gpp, "wx_array", wx_array)
    call suite_set(gpp, "occ_array", occ_array)
    call suite_set(gpp, "indigp", list)
    call suite_set(gpp, "gamma", gamma)
    call suite_set(gpp, "sexcut", sexcut)
    call suite_set(gpp, "asxtemp", asx)
    call suite_set(gpp, "achtemp", ach)
    call suite_set(gpp, "acht_n1", acht_n1)
    call suite_set(gpp, "achstemp", achst)
    call suite_run(gpp)
    call suite_get(gpp, "asxtemp", asx)
    call suite_get(gpp, "achtemp", ach)
    call suite_get(gpp, "acht_n1", acht_n1)
    call suite_get(gpp, "achstemp", achst)
    call same("real, set by name")
  end subroutine

  ! Other bands on the screening that is there equal a call that starts from nothing.
  subroutine new_bands()
    complex(c_double_complex) :: asx_fresh(nw, size(achst)), ach_fresh(nw, size(achst))

    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul)
    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx, ach)
    aqsmtemp = aqsmtemp * (0.3_dp, 0.8_dp)
    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx, ach)
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul)
    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx_fresh, ach_fresh)
    call check(same_sums(asx_fresh, ach_fresh), label // " new bands on old screening")
  end subroutine

  ! An input that is absent stays as it was set, one that was never set has its default; a result that is absent is not computed.
  subroutine absent_arguments()
    complex(c_double_complex) :: asx_other(nw, size(achst)), ach_other(nw, size(achst))

    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx, ach, acht_n1=acht_n1)
    acht_n1 = -1
    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx, ach, gamma=2.5_dp)
    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx_other, ach_other)
    call check(same_sums(asx_other, ach_other), label // " absent gamma stays")
    call check(all(acht_n1 == -1), label // " absent acht_n1 is left alone")
    call suite_unset(gpp, "gamma")
    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx_other, ach_other)
    call check(.not. same_sums(asx_other, ach_other), label // " gamma matters")
    call suite_gpp_sigma(gpp, aqsntemp, aqsmtemp, wx_array, occ_array, asx, ach, gamma=0.5_dp)
    call check(same_sums(asx_other, ach_other), label // " gamma that was never set is 0.5")
  end subroutine

  logical function same_sums(asx_other, ach_other)
    complex(c_double_complex), intent(in) :: asx_other(:,:), ach_other(:,:)

    same_sums = equal_bits(reshape(asx, [size(asx)]), reshape(asx_other, [size(asx)])) .and. &
        equal_bits(reshape(ach, [size(ach)]), reshape(ach_other, [size(ach)]))
  end function

  logical function equal_bits(a, b)
    complex(c_double_complex), intent(in) :: a(:), b(:)

    equal_bits = all(transfer(a, [0_c_int64_t]) == transfer(b, [0_c_int64_t]))
  end function

  function sizes(nex)
    integer, intent(in) :: nex
    integer(c_int64_t) :: sizes(5)

    sizes = int([ncouls, ngpown, ntband, nex, nw], c_int64_t)
  end function

  subroutine make_data(nex)
    integer, intent(in) :: nex
    integer :: i, n
    real(dp), allocatable :: u(:,:), v(:,:,:), w(:,:,:)

    call random_seed(size=n)
    call random_seed(put=[(20 + 3 * i, i = 1, n)])
    if (allocated(vcoul)) deallocate(wtilde_array, I_eps_array, aqsmtemp, aqsntemp, I_eps_real, aqsm_real, aqsn_real, vcoul, &
        wx_array, occ_array)
    allocate(wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown), aqsmtemp(ncouls, ntband, nex), &
        aqsntemp(ncouls, ntband, nex), vcoul(ncouls), wx_array(nw, ntband, nex), occ_array(ntband))
    allocate(u(ncouls, ngpown), v(ncouls, ntband, nex), w(ncouls, ntband, nex))
    call random_number(u)
    wtilde_array = 2 + 60 * u
    wtilde_array(3, 2) = 1.0e12_dp
    wtilde_array(4, 2) = 0
    call random_number(u)
    I_eps_real = u - 0.4_dp
    I_eps_array = cmplx(I_eps_real, 0.2_dp * u**2, dp)
    call random_number(v)
    call random_number(w)
    aqsm_real = v - 0.5_dp
    aqsn_real = w - 0.5_dp
    aqsmtemp = cmplx(aqsm_real, w**2 - 0.3_dp, dp)
    aqsntemp = cmplx(aqsn_real, v**2 - 0.3_dp, dp)
    call random_number(vcoul)
    call random_number(wx_array)
    wx_array = 40 * (wx_array - 0.6_dp)
    occ_array = merge(1.0_dp, 0.0_dp, [(i <= 4, i = 1, ntband)])
    occ_array(5) = 0.5_dp
    indigp = [(3 * i, i = 1, ngpown)]
    indigp(7) = 0
  end subroutine
end program
