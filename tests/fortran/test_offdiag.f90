! SPDX-License-Identifier: BSD-3-Clause
!> The self-energy matrix through suite_gpp: element (n,m,iw) is what gpp.sigma gives for that pair, and every implementation
!> agrees with the reference. Extents all differ, so that a swapped pair would be refused; one column is padding.
!>
!>     test_offdiag IMPLEMENTATION...
program test_offdiag
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  use checks, only: check, check_failure, finish_checks
  use suite_gpp
  implicit none (type, external)
  integer, parameter :: ncouls = 37, ngpown = 11, ntband = 13, nw = 3, nex = 5, dp = c_double
  ! Documented tolerance between implementations.
  real(dp), parameter :: tolerance = 1.0e-11_dp, gamma = 0.4_dp, sexcut = 3.5_dp
  complex(c_double_complex), target :: wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown), aqs(ncouls, ntband, nex)
  real(dp), target :: I_eps_real(ncouls, ngpown), aqs_real(ncouls, ntband, nex)
  real(dp), target :: vcoul(ncouls), wx_array(nw, ntband), occ_array(ntband)
  complex(c_double_complex), target :: asx(nex, nex, nw), ach(nex, nex, nw), asx_truth(nex, nex, nw), ach_truth(nex, nex, nw)
  type(suite_call) :: gpp
  character(len=64) :: implementation
  integer :: indigp(ngpown), i

  call make_data()
  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    call compare(trim(implementation))
  end do
  call refuse()
  call finish_checks()

contains

  subroutine compare(name)
    character(len=*), intent(in) :: name
    real(dp) :: seconds
    integer :: ierr

    call suite_open(gpp, "gpp.sigma_offdiag", name, ierr=ierr)
    if (ierr == suite_device_error .or. ierr == suite_not_found) then
      print "(4a)", "SKIPPED ", name, ": ", suite_message(gpp)
      return
    end if
    call check(ierr == suite_ok, name // " opens: " // suite_message(gpp))
    call pair_by_pair(.false.)
    call suite_gpp_sigma_offdiag_set(gpp, wtilde_array, I_eps_array, vcoul, indigp)
    call suite_gpp_sigma_offdiag(gpp, aqs, wx_array, occ_array, asx, ach, gamma, sexcut, seconds)
    call check(seconds >= 0, name // " seconds")
    call same(name // " complex")

    ! Other bands on the screening that is there.
    aqs = aqs * (0.3_dp, 0.8_dp)
    aqs(:, :, 2) = 2 * aqs(:, :, 2)
    call pair_by_pair(.false.)
    call suite_gpp_sigma_offdiag(gpp, aqs, wx_array, occ_array, asx, ach)
    call same(name // " complex, new bands")

    ! The other flavour, on a call that has run the first.
    call pair_by_pair(.true.)
    call suite_gpp_sigma_offdiag_set(gpp, wtilde_array, I_eps_real, vcoul, indigp)
    call suite_gpp_sigma_offdiag(gpp, aqs_real, wx_array, occ_array, asx, ach, gamma, sexcut, seconds)
    call same(name // " real")
    call suite_close(gpp)
  end subroutine

  !> asx_truth and ach_truth by the reference of gpp.sigma, for one pair (n,m) after the other.
  subroutine pair_by_pair(real_flavour)
    logical, intent(in) :: real_flavour
    type(suite_call) :: pair
    complex(c_double_complex), target :: sx(nw), ch(nw)
    integer :: n, m

    call suite_open(pair, "gpp.sigma", "reference")
    if (real_flavour) then
      call suite_gpp_sigma_set(pair, wtilde_array, I_eps_real, vcoul, indigp)
    else
      call suite_gpp_sigma_set(pair, wtilde_array, I_eps_array, vcoul, indigp)
    end if
    do m = 1, nex
      do n = 1, nex
        if (real_flavour) then
          call suite_gpp_sigma(pair, aqs_real(:,:,n), aqs_real(:,:,m), wx_array, occ_array, sx, ch, gamma, sexcut)
        else
          call suite_gpp_sigma(pair, aqs(:,:,n), aqs(:,:,m), wx_array, occ_array, sx, ch, gamma, sexcut)
        end if
        asx_truth(n, m, :) = sx
        ach_truth(n, m, :) = ch
      end do
    end do
    call suite_close(pair)
    asx = -1
    ach = -1
  end subroutine

  subroutine same(what)
    character(len=*), intent(in) :: what

    call check(maxval(abs(asx_truth)) > 0 .and. maxval(abs(ach_truth)) > 0, what // ": there is something to compare")
    call check(maxval(abs(asx - asx_truth)) <= tolerance * maxval(abs(asx_truth)), what // ": asx")
    call check(maxval(abs(ach - ach_truth)) <= tolerance * maxval(abs(ach_truth)), what // ": ach")
  end subroutine

  subroutine refuse()
    integer :: ierr

    call suite_open(gpp, "gpp.sigma_offdiag", "cpu")
    call suite_gpp_sigma_offdiag_set(gpp, wtilde_array, I_eps_array, vcoul(:ncouls - 1))
    call suite_gpp_sigma_offdiag(gpp, aqs, wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "ncouls is 37 in wtilde_array but 36 in vcoul")
    call suite_gpp_sigma_offdiag(gpp, aqs(:, ::2, :), wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_invalid_argument, suite_message(gpp), "aqs is a section that is not contiguous in memory")
    call suite_gpp_sigma_offdiag_set(gpp, wtilde_array, I_eps_array, vcoul)
    call suite_gpp_sigma_offdiag(gpp, aqs, wx_array, occ_array, asx, ach(:, :, :2), ierr=ierr)
    call check(ierr /= suite_ok, "a result of another shape is refused")
    call suite_close(gpp)
    call suite_open(gpp, "gpp.sigma", "cpu")
    call suite_gpp_sigma_offdiag(gpp, aqs, wx_array, occ_array, asx, ach, ierr=ierr)
    call check_failure(ierr, suite_not_found, suite_message(gpp), "gpp.sigma has no argument 'aqs'")
    call suite_close(gpp)
  end subroutine

  subroutine make_data()
    integer :: j, length
    real(dp) :: u(ncouls, ngpown), v(ncouls, ntband, nex)

    call random_seed(size=length)
    call random_seed(put=[(20 + 3 * j, j = 1, length)])
    call random_number(u)
    wtilde_array = 2 + 60 * u
    wtilde_array(3, 2) = 1.0e12_dp
    wtilde_array(4, 2) = 0
    call random_number(u)
    I_eps_real = u - 0.4_dp
    I_eps_array = cmplx(I_eps_real, 0.2_dp * u**2, dp)
    call random_number(v)
    aqs_real = v - 0.5_dp
    aqs = cmplx(aqs_real, v**2 - 0.3_dp, dp)
    call random_number(vcoul)
    call random_number(wx_array)
    wx_array = 40 * (wx_array - 0.6_dp)
    occ_array = merge(1.0_dp, 0.0_dp, [(j <= 4, j = 1, ntband)])
    occ_array(5) = 0.5_dp
    indigp = [(3 * j, j = 1, ngpown)]
    indigp(7) = 0
  end subroutine
end program
