! SPDX-License-Identifier: BSD-3-Clause
! Written from the kernel's table when suite is built: fortran/generate/family.cpp.
!> gpp.sigma from Fortran: self-energy sums SX-X and CH of the plasmon-pole model for one k and q.
!>
!>     call suite_gpp_sigma_set(call, wtilde_array, I_eps_array, vcoul, indigp, ierr)
!>     call suite_gpp_sigma(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, acht_n1, achstemp, &
!>         seconds, ierr)
!>     call suite_gpp_sigma_energies(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, sexcut, &
!>         acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
!>
!> suite_gpp_sigma_set: what stays from call to call
!>     wtilde_array  complex          (ncouls,ngpown)  eV  plasmon-pole energies w(G,G'); real and >= 0 but for invalid_gpp_mode
!>                                                         1; 0: no pole; 1e12: static limit
!>     I_eps_array   real or complex  (ncouls,ngpown)  1   delta_GG' - eps^-1(G,G')
!>     vcoul         real             (ncouls)         Ry  v(q+G) divided by the number of q points and the cell volume
!>     indigp        integer          (ngpown)         1   G index (from 1) of each owned column G'; 0 (padding) and beyond
!>                                                         ncouls: skipped; never set: 1, 2, ... ngpown
!>
!> suite_gpp_sigma: what changes; runs, and returns the results
!>     aqsntemp   real or complex  (ncouls,ntband[,nex])  1   M_nn'(G) = <nk|exp(i(q+G)r)|n'k-q> of each external band n
!>     aqsmtemp   real or complex  (ncouls,ntband[,nex])  1   M_mn'(G') of each external band m; the same array as aqsntemp for
!>                                                            the diagonal
!>     wx_array   real             (nw,ntband[,nex])      eV  E_iw - E_n'k-q
!>     occ_array  real             (ntband)               1   occupation f_n', 0 to 1; SX counts where f > 0
!>     asxtemp    complex          (nw[,nex])             Ry  result: SX - X
!>     achtemp    complex          (nw[,nex])             Ry  result: CH
!>     gamma      real             scalar                 eV  gpp_broadening; never set: 0.5
!>     sexcut     real             scalar                 1   gpp_sexcutoff; never set: 4.0
!>     acht_n1    complex          (nw,ntband[,nex])      Ry  result: CH band by band: achtemp is its sum over n'; on request
!>     achstemp   complex          (nex)                  Ry  result: static CH of the bands present, -1/2 sum M conj(M) v I, for
!>                                                            the static remainder; on request
!>
!> suite_gpp_sigma_energies: the same, instead of wx_array, and more on request
!>     energies    real     (nw[,nex])      eV  E_iw, with ekq instead of wx_array
!>     ekq         real     (ntband)        eV  E_n'k-q
!>     acht_n1_iw  complex  (ntband[,nex])  Ry  result: CH band by band at one energy, iw_n1; on request
!>     achst_n1    complex  (ntband[,nex])  Ry  result: static CH band by band: achstemp is its sum over n'; on request
!>     iw_n1       integer  scalar          1   the energy of acht_n1_iw, from 1; never set: 1
!>
!> add: whether results are added to the host's arrays.
!> ngpown,ntband may be 0: sums over nothing are 0.
!> With real inputs complex results may be real arrays, which get their real parts.
!> An absent input keeps its earlier value; an absent result is not computed. Arrays are on the host, or of
!> type(suite_array) on the device. Host arrays are used in place where the device shares the host's memory: an array must
!> exist while a kernel runs. Between two runs it may be freed if another is set before the next.
module suite_gpp_sigma_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int
  use suite, only: suite_array, suite_call, suite_ok
  use suite_arguments, only: ask_sum, bring_sum, give, give_count, give_indices_1, give_number, run, unset
  use suite_calls, only: suite_settle
  use suite_host_arrays, only: complex128_1, complex128_2, complex128_3, real64_1, real64_2, real64_3
  implicit none (type, external)
  private

  !> What stays from call to call.
  interface suite_gpp_sigma_set
    procedure sigma_set_complex, sigma_set_real, sigma_set_device
  end interface
  public :: suite_gpp_sigma_set

  !> What changes; runs, and returns the results.
  interface suite_gpp_sigma
    procedure sigma_complex_batch, sigma_complex_pair, sigma_real_batch, sigma_real_batch_all_real, sigma_real_pair, &
        sigma_real_pair_all_real, sigma_device
  end interface
  public :: suite_gpp_sigma

  !> The same, with energies and ekq instead of wx_array.
  interface suite_gpp_sigma_energies
    procedure sigma_energies_complex_batch, sigma_energies_complex_pair, sigma_energies_real_batch, &
        sigma_energies_real_batch_all_real, sigma_energies_real_pair, sigma_energies_real_pair_all_real, sigma_energies_device
  end interface
  public :: suite_gpp_sigma_energies

contains

  subroutine sigma_set_complex(call, wtilde_array, I_eps_array, vcoul, indigp, ierr)
    type(suite_call), intent(inout) :: call                            !< opened as gpp.sigma
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:) !< (ncouls,ngpown) eV
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:)  !< (ncouls,ngpown)
    real(c_double), intent(in), target :: vcoul(:)                     !< (ncouls) Ry
    integer, intent(in), optional :: indigp(:)                         !< (ngpown)
    integer, intent(out), optional :: ierr                             !< suite_ok, or a failure described by suite_message

    call sigma_set_device(call, complex128_2(wtilde_array), complex128_2(I_eps_array), real64_1(vcoul), indigp, ierr)
  end subroutine

  subroutine sigma_set_real(call, wtilde_array, I_eps_array, vcoul, indigp, ierr)
    type(suite_call), intent(inout) :: call                            !< opened as gpp.sigma
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:) !< (ncouls,ngpown) eV
    real(c_double), intent(in), target :: I_eps_array(:,:)             !< (ncouls,ngpown)
    real(c_double), intent(in), target :: vcoul(:)                     !< (ncouls) Ry
    integer, intent(in), optional :: indigp(:)                         !< (ngpown)
    integer, intent(out), optional :: ierr                             !< suite_ok, or a failure described by suite_message

    call sigma_set_device(call, complex128_2(wtilde_array), real64_2(I_eps_array), real64_1(vcoul), indigp, ierr)
  end subroutine

  subroutine sigma_set_device(call, wtilde_array, I_eps_array, vcoul, indigp, ierr)
    type(suite_call), intent(inout) :: call               !< opened as gpp.sigma
    type(suite_array), intent(in), target :: wtilde_array !< (ncouls,ngpown) eV
    type(suite_array), intent(in), target :: I_eps_array  !< (ncouls,ngpown)
    type(suite_array), intent(in), target :: vcoul        !< (ncouls) Ry
    integer, intent(in), optional :: indigp(:)            !< (ngpown)
    integer, intent(out), optional :: ierr                !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "wtilde_array", wtilde_array, status)
    call give(call, "I_eps_array", I_eps_array, status)
    call give(call, "vcoul", vcoul, status)
    call give_indices_1(call, "indigp", indigp, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine sigma_complex_batch(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, acht_n1, &
      achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: call                                      !< opened as gpp.sigma
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:,:)             !< (ncouls,ntband,nex)
    complex(c_double_complex), intent(in), target :: aqsmtemp(:,:,:)             !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: wx_array(:,:,:)                        !< (nw,ntband,nex) eV
    real(c_double), intent(in), target :: occ_array(:)                           !< (ntband)
    complex(c_double_complex), intent(inout), target :: asxtemp(:,:)             !< (nw,nex) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:,:)             !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma                                !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:,:) !< (nw,ntband,nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)    !< (nex) Ry
    real(c_double), intent(out), optional :: seconds                             !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                       !< suite_ok, or a failure described by suite_message

    call sigma_device(call, complex128_3(aqsntemp), complex128_3(aqsmtemp), real64_3(wx_array), real64_1(occ_array), &
        complex128_2(asxtemp), complex128_2(achtemp), gamma, sexcut, complex128_3(acht_n1), complex128_1(achstemp), seconds, &
        ierr)
  end subroutine

  subroutine sigma_complex_pair(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, acht_n1, &
      achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: call                                    !< opened as gpp.sigma
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:)             !< (ncouls,ntband)
    complex(c_double_complex), intent(in), target :: aqsmtemp(:,:)             !< (ncouls,ntband)
    real(c_double), intent(in), target :: wx_array(:,:)                        !< (nw,ntband) eV
    real(c_double), intent(in), target :: occ_array(:)                         !< (ntband)
    complex(c_double_complex), intent(inout), target :: asxtemp(:)             !< (nw) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:)             !< (nw) Ry
    real(c_double), intent(in), optional :: gamma                              !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:) !< (nw,ntband) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)  !< (nex) Ry
    real(c_double), intent(out), optional :: seconds                           !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                     !< suite_ok, or a failure described by suite_message

    call sigma_device(call, complex128_2(aqsntemp), complex128_2(aqsmtemp), real64_2(wx_array), real64_1(occ_array), &
        complex128_1(asxtemp), complex128_1(achtemp), gamma, sexcut, complex128_2(acht_n1), complex128_1(achstemp), seconds, &
        ierr)
  end subroutine

  subroutine sigma_real_batch(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, acht_n1, &
      achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: call                                      !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:,:)                        !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: aqsmtemp(:,:,:)                        !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: wx_array(:,:,:)                        !< (nw,ntband,nex) eV
    real(c_double), intent(in), target :: occ_array(:)                           !< (ntband)
    complex(c_double_complex), intent(inout), target :: asxtemp(:,:)             !< (nw,nex) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:,:)             !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma                                !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:,:) !< (nw,ntband,nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)    !< (nex) Ry
    real(c_double), intent(out), optional :: seconds                             !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                       !< suite_ok, or a failure described by suite_message

    call sigma_device(call, real64_3(aqsntemp), real64_3(aqsmtemp), real64_3(wx_array), real64_1(occ_array), &
        complex128_2(asxtemp), complex128_2(achtemp), gamma, sexcut, complex128_3(acht_n1), complex128_1(achstemp), seconds, &
        ierr)
  end subroutine

  subroutine sigma_real_batch_all_real(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, &
      acht_n1, achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: call                           !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:,:)             !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: aqsmtemp(:,:,:)             !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: wx_array(:,:,:)             !< (nw,ntband,nex) eV
    real(c_double), intent(in), target :: occ_array(:)                !< (ntband)
    real(c_double), intent(inout), target :: asxtemp(:,:)             !< (nw,nex) Ry
    real(c_double), intent(inout), target :: achtemp(:,:)             !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma                     !< eV
    real(c_double), intent(in), optional :: sexcut
    real(c_double), intent(inout), target, optional :: acht_n1(:,:,:) !< (nw,ntband,nex) Ry
    real(c_double), intent(inout), target, optional :: achstemp(:)    !< (nex) Ry
    real(c_double), intent(out), optional :: seconds                  !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                            !< suite_ok, or a failure described by suite_message

    call sigma_device(call, real64_3(aqsntemp), real64_3(aqsmtemp), real64_3(wx_array), real64_1(occ_array), real64_2(asxtemp), &
        real64_2(achtemp), gamma, sexcut, real64_3(acht_n1), real64_1(achstemp), seconds, ierr)
  end subroutine

  subroutine sigma_real_pair(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, acht_n1, &
      achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: call                                    !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:)                        !< (ncouls,ntband)
    real(c_double), intent(in), target :: aqsmtemp(:,:)                        !< (ncouls,ntband)
    real(c_double), intent(in), target :: wx_array(:,:)                        !< (nw,ntband) eV
    real(c_double), intent(in), target :: occ_array(:)                         !< (ntband)
    complex(c_double_complex), intent(inout), target :: asxtemp(:)             !< (nw) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:)             !< (nw) Ry
    real(c_double), intent(in), optional :: gamma                              !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:) !< (nw,ntband) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)  !< (nex) Ry
    real(c_double), intent(out), optional :: seconds                           !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                     !< suite_ok, or a failure described by suite_message

    call sigma_device(call, real64_2(aqsntemp), real64_2(aqsmtemp), real64_2(wx_array), real64_1(occ_array), &
        complex128_1(asxtemp), complex128_1(achtemp), gamma, sexcut, complex128_2(acht_n1), complex128_1(achstemp), seconds, &
        ierr)
  end subroutine

  subroutine sigma_real_pair_all_real(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, acht_n1, &
      achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: call                         !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:)             !< (ncouls,ntband)
    real(c_double), intent(in), target :: aqsmtemp(:,:)             !< (ncouls,ntband)
    real(c_double), intent(in), target :: wx_array(:,:)             !< (nw,ntband) eV
    real(c_double), intent(in), target :: occ_array(:)              !< (ntband)
    real(c_double), intent(inout), target :: asxtemp(:)             !< (nw) Ry
    real(c_double), intent(inout), target :: achtemp(:)             !< (nw) Ry
    real(c_double), intent(in), optional :: gamma                   !< eV
    real(c_double), intent(in), optional :: sexcut
    real(c_double), intent(inout), target, optional :: acht_n1(:,:) !< (nw,ntband) Ry
    real(c_double), intent(inout), target, optional :: achstemp(:)  !< (nex) Ry
    real(c_double), intent(out), optional :: seconds                !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                          !< suite_ok, or a failure described by suite_message

    call sigma_device(call, real64_2(aqsntemp), real64_2(aqsmtemp), real64_2(wx_array), real64_1(occ_array), real64_1(asxtemp), &
        real64_1(achtemp), gamma, sexcut, real64_2(acht_n1), real64_1(achstemp), seconds, ierr)
  end subroutine

  subroutine sigma_device(call, aqsntemp, aqsmtemp, wx_array, occ_array, asxtemp, achtemp, gamma, sexcut, acht_n1, achstemp, &
      seconds, ierr)
    type(suite_call), intent(inout) :: call                     !< opened as gpp.sigma
    type(suite_array), intent(in), target :: aqsntemp           !< (ncouls,ntband,nex)
    type(suite_array), intent(in), target :: aqsmtemp           !< (ncouls,ntband,nex)
    type(suite_array), intent(in), target :: wx_array           !< (nw,ntband,nex) eV
    type(suite_array), intent(in), target :: occ_array          !< (ntband)
    type(suite_array), intent(in), target :: asxtemp            !< (nw,nex) Ry
    type(suite_array), intent(in), target :: achtemp            !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma               !< eV
    real(c_double), intent(in), optional :: sexcut
    type(suite_array), intent(in), target, optional :: acht_n1  !< (nw,ntband,nex) Ry
    type(suite_array), intent(in), target, optional :: achstemp !< (nex) Ry
    real(c_double), intent(out), optional :: seconds            !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                      !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call unset(call, "energies", status)
    call unset(call, "ekq", status)
    call unset(call, "acht_n1_iw", status)
    call unset(call, "achst_n1", status)
    call give(call, "aqsntemp", aqsntemp, status)
    call give(call, "aqsmtemp", aqsmtemp, status)
    call give(call, "wx_array", wx_array, status)
    call give(call, "occ_array", occ_array, status)
    call ask_sum(call, "asxtemp", asxtemp, .false., status)
    call ask_sum(call, "achtemp", achtemp, .false., status)
    call give_number(call, "gamma", gamma, status)
    call give_number(call, "sexcut", sexcut, status)
    call ask_sum(call, "acht_n1", acht_n1, .false., status)
    call ask_sum(call, "achstemp", achstemp, .false., status)
    call run(call, seconds, status)
    call bring_sum(call, "asxtemp", asxtemp, .false., status)
    call bring_sum(call, "achtemp", achtemp, .false., status)
    call bring_sum(call, "acht_n1", acht_n1, .false., status)
    call bring_sum(call, "achstemp", achstemp, .false., status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine sigma_energies_complex_batch(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, sexcut, &
      acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
    type(suite_call), intent(inout) :: call                                       !< opened as gpp.sigma
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:,:)              !< (ncouls,ntband,nex)
    complex(c_double_complex), intent(in), target :: aqsmtemp(:,:,:)              !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: energies(:,:)                           !< (nw,nex) eV
    real(c_double), intent(in), target :: occ_array(:)                            !< (ntband)
    real(c_double), intent(in), target :: ekq(:)                                  !< (ntband) eV
    complex(c_double_complex), intent(inout), target :: asxtemp(:,:)              !< (nw,nex) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:,:)              !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma                                 !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:,:)  !< (nw,ntband,nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)     !< (nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: acht_n1_iw(:,:) !< (ntband,nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: achst_n1(:,:)   !< (ntband,nex) Ry
    integer, intent(in), optional :: iw_n1
    logical, intent(in), optional :: add                                          !< .true.: to the host's arrays
    real(c_double), intent(out), optional :: seconds                              !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                        !< suite_ok, or a failure described by suite_message

    call sigma_energies_device(call, complex128_3(aqsntemp), complex128_3(aqsmtemp), real64_2(energies), real64_1(occ_array), &
        real64_1(ekq), complex128_2(asxtemp), complex128_2(achtemp), gamma, sexcut, complex128_3(acht_n1), &
        complex128_1(achstemp), complex128_2(acht_n1_iw), complex128_2(achst_n1), iw_n1, add, seconds, ierr)
  end subroutine

  subroutine sigma_energies_complex_pair(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, sexcut, &
      acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
    type(suite_call), intent(inout) :: call                                     !< opened as gpp.sigma
    complex(c_double_complex), intent(in), target :: aqsntemp(:,:)              !< (ncouls,ntband)
    complex(c_double_complex), intent(in), target :: aqsmtemp(:,:)              !< (ncouls,ntband)
    real(c_double), intent(in), target :: energies(:)                           !< (nw) eV
    real(c_double), intent(in), target :: occ_array(:)                          !< (ntband)
    real(c_double), intent(in), target :: ekq(:)                                !< (ntband) eV
    complex(c_double_complex), intent(inout), target :: asxtemp(:)              !< (nw) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:)              !< (nw) Ry
    real(c_double), intent(in), optional :: gamma                               !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:)  !< (nw,ntband) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)   !< (nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: acht_n1_iw(:) !< (ntband) Ry
    complex(c_double_complex), intent(inout), target, optional :: achst_n1(:)   !< (ntband) Ry
    integer, intent(in), optional :: iw_n1
    logical, intent(in), optional :: add                                        !< .true.: to the host's arrays
    real(c_double), intent(out), optional :: seconds                            !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                      !< suite_ok, or a failure described by suite_message

    call sigma_energies_device(call, complex128_2(aqsntemp), complex128_2(aqsmtemp), real64_1(energies), real64_1(occ_array), &
        real64_1(ekq), complex128_1(asxtemp), complex128_1(achtemp), gamma, sexcut, complex128_2(acht_n1), &
        complex128_1(achstemp), complex128_1(acht_n1_iw), complex128_1(achst_n1), iw_n1, add, seconds, ierr)
  end subroutine

  subroutine sigma_energies_real_batch(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, sexcut, &
      acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
    type(suite_call), intent(inout) :: call                                       !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:,:)                         !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: aqsmtemp(:,:,:)                         !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: energies(:,:)                           !< (nw,nex) eV
    real(c_double), intent(in), target :: occ_array(:)                            !< (ntband)
    real(c_double), intent(in), target :: ekq(:)                                  !< (ntband) eV
    complex(c_double_complex), intent(inout), target :: asxtemp(:,:)              !< (nw,nex) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:,:)              !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma                                 !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:,:)  !< (nw,ntband,nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)     !< (nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: acht_n1_iw(:,:) !< (ntband,nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: achst_n1(:,:)   !< (ntband,nex) Ry
    integer, intent(in), optional :: iw_n1
    logical, intent(in), optional :: add                                          !< .true.: to the host's arrays
    real(c_double), intent(out), optional :: seconds                              !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                        !< suite_ok, or a failure described by suite_message

    call sigma_energies_device(call, real64_3(aqsntemp), real64_3(aqsmtemp), real64_2(energies), real64_1(occ_array), &
        real64_1(ekq), complex128_2(asxtemp), complex128_2(achtemp), gamma, sexcut, complex128_3(acht_n1), &
        complex128_1(achstemp), complex128_2(acht_n1_iw), complex128_2(achst_n1), iw_n1, add, seconds, ierr)
  end subroutine

  subroutine sigma_energies_real_batch_all_real(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, &
      sexcut, acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
    type(suite_call), intent(inout) :: call                            !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:,:)              !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: aqsmtemp(:,:,:)              !< (ncouls,ntband,nex)
    real(c_double), intent(in), target :: energies(:,:)                !< (nw,nex) eV
    real(c_double), intent(in), target :: occ_array(:)                 !< (ntband)
    real(c_double), intent(in), target :: ekq(:)                       !< (ntband) eV
    real(c_double), intent(inout), target :: asxtemp(:,:)              !< (nw,nex) Ry
    real(c_double), intent(inout), target :: achtemp(:,:)              !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma                      !< eV
    real(c_double), intent(in), optional :: sexcut
    real(c_double), intent(inout), target, optional :: acht_n1(:,:,:)  !< (nw,ntband,nex) Ry
    real(c_double), intent(inout), target, optional :: achstemp(:)     !< (nex) Ry
    real(c_double), intent(inout), target, optional :: acht_n1_iw(:,:) !< (ntband,nex) Ry
    real(c_double), intent(inout), target, optional :: achst_n1(:,:)   !< (ntband,nex) Ry
    integer, intent(in), optional :: iw_n1
    logical, intent(in), optional :: add                               !< .true.: to the host's arrays
    real(c_double), intent(out), optional :: seconds                   !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                             !< suite_ok, or a failure described by suite_message

    call sigma_energies_device(call, real64_3(aqsntemp), real64_3(aqsmtemp), real64_2(energies), real64_1(occ_array), &
        real64_1(ekq), real64_2(asxtemp), real64_2(achtemp), gamma, sexcut, real64_3(acht_n1), real64_1(achstemp), &
        real64_2(acht_n1_iw), real64_2(achst_n1), iw_n1, add, seconds, ierr)
  end subroutine

  subroutine sigma_energies_real_pair(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, sexcut, &
      acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
    type(suite_call), intent(inout) :: call                                     !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:)                         !< (ncouls,ntband)
    real(c_double), intent(in), target :: aqsmtemp(:,:)                         !< (ncouls,ntband)
    real(c_double), intent(in), target :: energies(:)                           !< (nw) eV
    real(c_double), intent(in), target :: occ_array(:)                          !< (ntband)
    real(c_double), intent(in), target :: ekq(:)                                !< (ntband) eV
    complex(c_double_complex), intent(inout), target :: asxtemp(:)              !< (nw) Ry
    complex(c_double_complex), intent(inout), target :: achtemp(:)              !< (nw) Ry
    real(c_double), intent(in), optional :: gamma                               !< eV
    real(c_double), intent(in), optional :: sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:)  !< (nw,ntband) Ry
    complex(c_double_complex), intent(inout), target, optional :: achstemp(:)   !< (nex) Ry
    complex(c_double_complex), intent(inout), target, optional :: acht_n1_iw(:) !< (ntband) Ry
    complex(c_double_complex), intent(inout), target, optional :: achst_n1(:)   !< (ntband) Ry
    integer, intent(in), optional :: iw_n1
    logical, intent(in), optional :: add                                        !< .true.: to the host's arrays
    real(c_double), intent(out), optional :: seconds                            !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                      !< suite_ok, or a failure described by suite_message

    call sigma_energies_device(call, real64_2(aqsntemp), real64_2(aqsmtemp), real64_1(energies), real64_1(occ_array), &
        real64_1(ekq), complex128_1(asxtemp), complex128_1(achtemp), gamma, sexcut, complex128_2(acht_n1), &
        complex128_1(achstemp), complex128_1(acht_n1_iw), complex128_1(achst_n1), iw_n1, add, seconds, ierr)
  end subroutine

  subroutine sigma_energies_real_pair_all_real(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, &
      sexcut, acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
    type(suite_call), intent(inout) :: call                          !< opened as gpp.sigma
    real(c_double), intent(in), target :: aqsntemp(:,:)              !< (ncouls,ntband)
    real(c_double), intent(in), target :: aqsmtemp(:,:)              !< (ncouls,ntband)
    real(c_double), intent(in), target :: energies(:)                !< (nw) eV
    real(c_double), intent(in), target :: occ_array(:)               !< (ntband)
    real(c_double), intent(in), target :: ekq(:)                     !< (ntband) eV
    real(c_double), intent(inout), target :: asxtemp(:)              !< (nw) Ry
    real(c_double), intent(inout), target :: achtemp(:)              !< (nw) Ry
    real(c_double), intent(in), optional :: gamma                    !< eV
    real(c_double), intent(in), optional :: sexcut
    real(c_double), intent(inout), target, optional :: acht_n1(:,:)  !< (nw,ntband) Ry
    real(c_double), intent(inout), target, optional :: achstemp(:)   !< (nex) Ry
    real(c_double), intent(inout), target, optional :: acht_n1_iw(:) !< (ntband) Ry
    real(c_double), intent(inout), target, optional :: achst_n1(:)   !< (ntband) Ry
    integer, intent(in), optional :: iw_n1
    logical, intent(in), optional :: add                             !< .true.: to the host's arrays
    real(c_double), intent(out), optional :: seconds                 !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                           !< suite_ok, or a failure described by suite_message

    call sigma_energies_device(call, real64_2(aqsntemp), real64_2(aqsmtemp), real64_1(energies), real64_1(occ_array), &
        real64_1(ekq), real64_1(asxtemp), real64_1(achtemp), gamma, sexcut, real64_2(acht_n1), real64_1(achstemp), &
        real64_1(acht_n1_iw), real64_1(achst_n1), iw_n1, add, seconds, ierr)
  end subroutine

  subroutine sigma_energies_device(call, aqsntemp, aqsmtemp, energies, occ_array, ekq, asxtemp, achtemp, gamma, sexcut, &
      acht_n1, achstemp, acht_n1_iw, achst_n1, iw_n1, add, seconds, ierr)
    type(suite_call), intent(inout) :: call                       !< opened as gpp.sigma
    type(suite_array), intent(in), target :: aqsntemp             !< (ncouls,ntband,nex)
    type(suite_array), intent(in), target :: aqsmtemp             !< (ncouls,ntband,nex)
    type(suite_array), intent(in), target :: energies             !< (nw,nex) eV
    type(suite_array), intent(in), target :: occ_array            !< (ntband)
    type(suite_array), intent(in), target :: ekq                  !< (ntband) eV
    type(suite_array), intent(in), target :: asxtemp              !< (nw,nex) Ry
    type(suite_array), intent(in), target :: achtemp              !< (nw,nex) Ry
    real(c_double), intent(in), optional :: gamma                 !< eV
    real(c_double), intent(in), optional :: sexcut
    type(suite_array), intent(in), target, optional :: acht_n1    !< (nw,ntband,nex) Ry
    type(suite_array), intent(in), target, optional :: achstemp   !< (nex) Ry
    type(suite_array), intent(in), target, optional :: acht_n1_iw !< (ntband,nex) Ry
    type(suite_array), intent(in), target, optional :: achst_n1   !< (ntband,nex) Ry
    integer, intent(in), optional :: iw_n1
    logical, intent(in), optional :: add                          !< .true.: to the host's arrays
    real(c_double), intent(out), optional :: seconds              !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                        !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call unset(call, "wx_array", status)
    call give(call, "aqsntemp", aqsntemp, status)
    call give(call, "aqsmtemp", aqsmtemp, status)
    call give(call, "energies", energies, status)
    call give(call, "occ_array", occ_array, status)
    call give(call, "ekq", ekq, status)
    call ask_sum(call, "asxtemp", asxtemp, add, status)
    call ask_sum(call, "achtemp", achtemp, add, status)
    call give_number(call, "gamma", gamma, status)
    call give_number(call, "sexcut", sexcut, status)
    call ask_sum(call, "acht_n1", acht_n1, add, status)
    call ask_sum(call, "achstemp", achstemp, add, status)
    call ask_sum(call, "acht_n1_iw", acht_n1_iw, add, status)
    call ask_sum(call, "achst_n1", achst_n1, add, status)
    call give_count(call, "iw_n1", iw_n1, status)
    call run(call, seconds, status)
    call bring_sum(call, "asxtemp", asxtemp, add, status)
    call bring_sum(call, "achtemp", achtemp, add, status)
    call bring_sum(call, "acht_n1", acht_n1, add, status)
    call bring_sum(call, "achstemp", achstemp, add, status)
    call bring_sum(call, "acht_n1_iw", acht_n1_iw, add, status)
    call bring_sum(call, "achst_n1", achst_n1, add, status)
    call suite_settle(call, status, ierr)
  end subroutine
end module
