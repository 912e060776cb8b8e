! SPDX-License-Identifier: BSD-3-Clause
!> A host program in the shape of a GW code's sigma loop: q points outside, external bands inside, one at a time. For each of them
!> its routine makes the plasmon poles again, in arrays of its own, and the sums over all bands and G vectors - once by the host's
!> own OpenMP kernel, once by suite.
!> The lines that a developer adds to such a code are the ones marked "! suite".
!>
!>     berkeleygw_style [ntband ncouls ngpown nw [implementation]]
program sigma_main
  use, intrinsic :: iso_fortran_env, only: int64
  use host_data, only: dp, make_energies, make_matrix_elements, make_screening
  use host_gpp_kernel, only: host_gpp_sigma
  use suite_gpp ! suite
  implicit none

  integer, parameter :: nq = 2, nexternal = 3
  real(dp), parameter :: gamma = 0.5_dp, sexcut = 4.0_dp, ryd = 13.60569253_dp
  integer :: ntband = 96, ncouls = 1024, ngpown = 256, nw = 2, iq, in, iw
  character(len=256) :: implementation = "cpu"
  complex(dp), allocatable :: asx(:,:), ach(:,:), ach_n1(:), asx_host(:,:), ach_host(:,:), ach_n1_host(:)
  real(dp) :: host_seconds, suite_seconds, difference
  integer(int64) :: t0, t1, rate
  type(suite_call) :: gpp ! suite

  call read_command_line()
  allocate(asx(nw, nexternal), ach(nw, nexternal), asx_host(nw, nexternal), ach_host(nw, nexternal))
  allocate(ach_n1(ntband), ach_n1_host(ntband))
  asx = 0
  ach = 0
  asx_host = 0
  ach_host = 0
  ach_n1 = 0
  ach_n1_host = 0
  host_seconds = 0
  suite_seconds = 0
  print "(a,i0,a,i0,a,i0,a,i0,a,i0,a,i0,a)", "sigma loop: ", nq, " q, ", nexternal, " external bands, ntband=", ntband, &
      " ncouls=", ncouls, " ngpown=", ngpown, " nw=", nw, " (diagonal)"

  do iq = 1, nq
    do in = 1, nexternal
      call one_external_band()
    end do
  end do

  call suite_close(gpp) ! suite
  if (suite_warnings() /= "") print "(a)", suite_warnings() ! suite

  print "(a)", " band  iw      SX-X (eV)        CH (eV)    SX-X suite (eV)  CH suite (eV)"
  do in = 1, nexternal
    do iw = 1, nw
      print "(2i4,4f17.9)", in, iw, ryd * real(asx_host(iw, in)), ryd * real(ach_host(iw, in)), &
          ryd * real(asx(iw, in)), ryd * real(ach(iw, in))
    end do
  end do
  difference = max(maxval(abs(asx - asx_host)) / maxval(abs(asx_host)), maxval(abs(ach - ach_host)) / maxval(abs(ach_host)), &
      maxval(abs(ach_n1 - ach_n1_host)) / maxval(abs(ach_n1_host)))
  print "(a,es9.2)", "largest relative difference ", difference
  print "(a,f9.3,a,f9.3,a,f7.1,3a)", "host kernel ", host_seconds, " s    suite ", suite_seconds, " s    ratio ", &
      host_seconds / suite_seconds, "    (", trim(implementation), ")"
  ! 1e-11: the kernel's documented tolerance.
  if (.not. difference <= 1.0e-11_dp) error stop "the two kernels disagree"

contains

  !> Of one q and one external band: adds to asx, ach and ach_n1.
  subroutine one_external_band()
    complex(dp) :: asxtemp(nw), achtemp(nw), acht_n1(ntband)
    complex(dp), allocatable, target :: wtilde_array(:,:), I_eps_array(:,:)
    complex(dp), allocatable :: aqsntemp(:,:)
    real(dp), target :: vcoul(ncouls)
    real(dp) :: energies(nw), ekq(ntband), occ_array(ntband), wx_array(nw, ntband)
    integer :: n1

    allocate(wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown), aqsntemp(ncouls, ntband))
    call make_screening(iq, wtilde_array, I_eps_array, vcoul)
    call make_matrix_elements(iq, in, aqsntemp)
    call make_energies(in, energies, ekq, occ_array)

    call system_clock(t0, rate)
    do n1 = 1, ntband
      wx_array(:, n1) = energies - ekq(n1)
    end do
    call host_gpp_sigma(wtilde_array, I_eps_array, aqsntemp, aqsntemp, vcoul, wx_array, occ_array, gamma, sexcut, &
        asxtemp, achtemp, acht_n1)
    asx_host(:, in) = asx_host(:, in) + asxtemp
    ach_host(:, in) = ach_host(:, in) + achtemp
    ach_n1_host = ach_n1_host + acht_n1
    call system_clock(t1)
    host_seconds = host_seconds + real(t1 - t0, dp) / rate

    call system_clock(t0)
    call suite_open_once(gpp, "gpp.sigma", trim(implementation))                                         ! suite
    call suite_gpp_sigma_set(gpp, wtilde_array, I_eps_array, vcoul)                                      ! suite
    call suite_gpp_sigma_energies(gpp, aqsntemp, aqsntemp, energies, occ_array, ekq, asx(:, in), ach(:, in), & ! suite
        gamma, sexcut, acht_n1_iw=ach_n1, iw_n1=1, add=.true.)                                           ! suite
    call system_clock(t1)
    suite_seconds = suite_seconds + real(t1 - t0, dp) / rate
  end subroutine

  subroutine read_command_line()
    integer :: status
    character(len=256) :: word

    if (command_argument_count() == 0) return
    if (command_argument_count() < 4) call usage()
    call get_command_argument(1, word)
    read (word, *, iostat=status) ntband
    if (status /= 0 .or. ntband < 1) call usage()
    call get_command_argument(2, word)
    read (word, *, iostat=status) ncouls
    if (status /= 0 .or. ncouls < 1) call usage()
    call get_command_argument(3, word)
    read (word, *, iostat=status) ngpown
    if (status /= 0 .or. ngpown < 1 .or. ngpown > ncouls) call usage()
    call get_command_argument(4, word)
    read (word, *, iostat=status) nw
    if (status /= 0 .or. nw < 1) call usage()
    if (command_argument_count() > 4) call get_command_argument(5, implementation)
  end subroutine

  subroutine usage()
    print "(a)", "usage: berkeleygw_style [ntband ncouls ngpown nw [implementation]]   with ngpown <= ncouls, all at least 1"
    stop 2
  end subroutine
end program
