! SPDX-License-Identifier: BSD-3-Clause
! Written from the kernel's table when suite is built: fortran/generate/family.cpp.
!> qmc.slater_update from Fortran: update of inverse Slater matrices after accepted moves, immediate or delayed.
!>
!>     call suite_qmc_slater_update(call, dbar, ie, phi, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ratio, &
!>         seconds, ierr)
!>     call suite_qmc_slater_update_put(call, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ierr)
!>     call suite_qmc_slater_update_continue(call, ie, phi, ratio, seconds, ierr)
!>     call suite_qmc_slater_update_get(call, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ierr)
!>
!> suite_qmc_slater_update: what changes; runs, and returns the results
!>     dbar              real     (n,n,nwalker)        1  changed: inverse Slater matrix, one column per electron
!>     ie                integer  (nupdate,nwalker)    1  electrons moved; 0: no move; never set: no moves; dbar is brought up to
!>                                                        date
!>     phi               real     (n,nupdate,nwalker)  1  new columns of the moved electrons; never set: no moves; dbar is brought
!>                                                        up to date
!>     delayed_phi       real     (n,kmax,nwalker)     1  changed: new columns phi(r_j) of the delayed moves; never set: no
!>                                                        delayed moves
!>     delayed_dbar      real     (n,kmax,nwalker)     1  changed: columns of dbar for the moved electrons; never set: no delayed
!>                                                        moves
!>     delayed_binv      real     (kmax,kmax,nwalker)  1  changed: inverse of B(l,m) = sum_a delayed_dbar(a,l) delayed_phi(a,m);
!>                                                        never set: no delayed moves
!>     delayed_electron  integer  (kmax+1,nwalker)     1  changed: number of delayed moves, then their electrons in order, padded
!>                                                        with 0; never set: no delayed moves
!>     ratio             real     (nupdate,nwalker)    1  result: ratio of determinants of each move, 1 for no move; on request
!>
!> Between _put and _get dbar, delayed_phi, delayed_dbar, delayed_binv and delayed_electron stay on the device, and _continue runs
!> on that state.
!>
!> An absent input keeps its earlier value; an absent result is not computed. Arrays are on the host, or of
!> type(suite_array) on the device. Host arrays are used in place where the device shares the host's memory: an array must
!> exist while a kernel runs. Between two runs it may be freed if another is set before the next.
module suite_qmc_slater_update_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int32_t
  use suite, only: suite_array, suite_call, suite_ok
  use suite_arguments, only: ask, bring, give, keep, run
  use suite_calls, only: suite_settle
  use suite_host_arrays, only: int32_2, real64_2, real64_3
  implicit none (type, external)
  private

  !> What changes; runs, and returns the results.
  interface suite_qmc_slater_update
    procedure slater_update_host, slater_update_device
  end interface
  public :: suite_qmc_slater_update

  !> State that stays on the device from now on.
  interface suite_qmc_slater_update_put
    procedure slater_update_put_host, slater_update_put_device
  end interface
  public :: suite_qmc_slater_update_put

  !> Runs on that state; what else changes, and results.
  interface suite_qmc_slater_update_continue
    procedure slater_update_continue_host
  end interface
  public :: suite_qmc_slater_update_continue

  !> The same for arrays on the device.
  interface suite_qmc_slater_update_continue_device
    procedure slater_update_continue_device
  end interface
  public :: suite_qmc_slater_update_continue_device

  !> Copies the state to the host.
  interface suite_qmc_slater_update_get
    procedure slater_update_get_host, slater_update_get_device
  end interface
  public :: suite_qmc_slater_update_get

contains

  subroutine slater_update_host(call, dbar, ie, phi, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ratio, &
      seconds, ierr)
    type(suite_call), intent(inout) :: call                                      !< opened as qmc.slater_update
    real(c_double), intent(inout), target :: dbar(:,:,:)                         !< (n,n,nwalker)
    integer(c_int32_t), intent(in), target, optional :: ie(:,:)                  !< (nupdate,nwalker)
    real(c_double), intent(in), target, optional :: phi(:,:,:)                   !< (n,nupdate,nwalker)
    real(c_double), intent(inout), target, optional :: delayed_phi(:,:,:)        !< (n,kmax,nwalker)
    real(c_double), intent(inout), target, optional :: delayed_dbar(:,:,:)       !< (n,kmax,nwalker)
    real(c_double), intent(inout), target, optional :: delayed_binv(:,:,:)       !< (kmax,kmax,nwalker)
    integer(c_int32_t), intent(inout), target, optional :: delayed_electron(:,:) !< (kmax+1,nwalker)
    real(c_double), intent(inout), target, optional :: ratio(:,:)                !< (nupdate,nwalker)
    real(c_double), intent(out), optional :: seconds                             !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                                       !< suite_ok, or a failure described by suite_message

    call slater_update_device(call, real64_3(dbar), int32_2(ie), real64_3(phi), real64_3(delayed_phi), real64_3(delayed_dbar), &
        real64_3(delayed_binv), int32_2(delayed_electron), real64_2(ratio), seconds, ierr)
  end subroutine

  subroutine slater_update_device(call, dbar, ie, phi, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ratio, &
      seconds, ierr)
    type(suite_call), intent(inout) :: call                             !< opened as qmc.slater_update
    type(suite_array), intent(in), target :: dbar                       !< (n,n,nwalker)
    type(suite_array), intent(in), target, optional :: ie               !< (nupdate,nwalker)
    type(suite_array), intent(in), target, optional :: phi              !< (n,nupdate,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_phi      !< (n,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_dbar     !< (n,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_binv     !< (kmax,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_electron !< (kmax+1,nwalker)
    type(suite_array), intent(in), target, optional :: ratio            !< (nupdate,nwalker)
    real(c_double), intent(out), optional :: seconds                    !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                              !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "dbar", dbar, status)
    call give(call, "ie", ie, status)
    call give(call, "phi", phi, status)
    call give(call, "delayed_phi", delayed_phi, status)
    call give(call, "delayed_dbar", delayed_dbar, status)
    call give(call, "delayed_binv", delayed_binv, status)
    call give(call, "delayed_electron", delayed_electron, status)
    call ask(call, "ratio", ratio, status)
    call run(call, seconds, status)
    call bring(call, "dbar", dbar, status)
    call bring(call, "delayed_phi", delayed_phi, status)
    call bring(call, "delayed_dbar", delayed_dbar, status)
    call bring(call, "delayed_binv", delayed_binv, status)
    call bring(call, "delayed_electron", delayed_electron, status)
    call bring(call, "ratio", ratio, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine slater_update_put_host(call, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ierr)
    type(suite_call), intent(inout) :: call                                   !< opened as qmc.slater_update
    real(c_double), intent(in), target :: dbar(:,:,:)                         !< (n,n,nwalker)
    real(c_double), intent(in), target, optional :: delayed_phi(:,:,:)        !< (n,kmax,nwalker)
    real(c_double), intent(in), target, optional :: delayed_dbar(:,:,:)       !< (n,kmax,nwalker)
    real(c_double), intent(in), target, optional :: delayed_binv(:,:,:)       !< (kmax,kmax,nwalker)
    integer(c_int32_t), intent(in), target, optional :: delayed_electron(:,:) !< (kmax+1,nwalker)
    integer, intent(out), optional :: ierr                                    !< suite_ok, or a failure described by suite_message

    call slater_update_put_device(call, real64_3(dbar), real64_3(delayed_phi), real64_3(delayed_dbar), real64_3(delayed_binv), &
        int32_2(delayed_electron), ierr)
  end subroutine

  subroutine slater_update_put_device(call, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ierr)
    type(suite_call), intent(inout) :: call                             !< opened as qmc.slater_update
    type(suite_array), intent(in), target :: dbar                       !< (n,n,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_phi      !< (n,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_dbar     !< (n,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_binv     !< (kmax,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_electron !< (kmax+1,nwalker)
    integer, intent(out), optional :: ierr                              !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "dbar", dbar, status)
    call give(call, "delayed_phi", delayed_phi, status)
    call give(call, "delayed_dbar", delayed_dbar, status)
    call give(call, "delayed_binv", delayed_binv, status)
    call give(call, "delayed_electron", delayed_electron, status)
    call keep(call, "dbar", dbar, status)
    call keep(call, "delayed_phi", delayed_phi, status)
    call keep(call, "delayed_dbar", delayed_dbar, status)
    call keep(call, "delayed_binv", delayed_binv, status)
    call keep(call, "delayed_electron", delayed_electron, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine slater_update_continue_host(call, ie, phi, ratio, seconds, ierr)
    type(suite_call), intent(inout) :: call                       !< opened as qmc.slater_update
    integer(c_int32_t), intent(in), target, optional :: ie(:,:)   !< (nupdate,nwalker)
    real(c_double), intent(in), target, optional :: phi(:,:,:)    !< (n,nupdate,nwalker)
    real(c_double), intent(inout), target, optional :: ratio(:,:) !< (nupdate,nwalker)
    real(c_double), intent(out), optional :: seconds              !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                        !< suite_ok, or a failure described by suite_message

    call slater_update_continue_device(call, int32_2(ie), real64_3(phi), real64_2(ratio), seconds, ierr)
  end subroutine

  subroutine slater_update_continue_device(call, ie, phi, ratio, seconds, ierr)
    type(suite_call), intent(inout) :: call                  !< opened as qmc.slater_update
    type(suite_array), intent(in), target, optional :: ie    !< (nupdate,nwalker)
    type(suite_array), intent(in), target, optional :: phi   !< (n,nupdate,nwalker)
    type(suite_array), intent(in), target, optional :: ratio !< (nupdate,nwalker)
    real(c_double), intent(out), optional :: seconds         !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                   !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "ie", ie, status)
    call give(call, "phi", phi, status)
    call ask(call, "ratio", ratio, status)
    call run(call, seconds, status)
    call bring(call, "ratio", ratio, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine slater_update_get_host(call, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ierr)
    type(suite_call), intent(inout) :: call                                      !< opened as qmc.slater_update
    real(c_double), intent(inout), target :: dbar(:,:,:)                         !< (n,n,nwalker)
    real(c_double), intent(inout), target, optional :: delayed_phi(:,:,:)        !< (n,kmax,nwalker)
    real(c_double), intent(inout), target, optional :: delayed_dbar(:,:,:)       !< (n,kmax,nwalker)
    real(c_double), intent(inout), target, optional :: delayed_binv(:,:,:)       !< (kmax,kmax,nwalker)
    integer(c_int32_t), intent(inout), target, optional :: delayed_electron(:,:) !< (kmax+1,nwalker)
    integer, intent(out), optional :: ierr                                       !< suite_ok, or a failure described by suite_message

    call slater_update_get_device(call, real64_3(dbar), real64_3(delayed_phi), real64_3(delayed_dbar), real64_3(delayed_binv), &
        int32_2(delayed_electron), ierr)
  end subroutine

  subroutine slater_update_get_device(call, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ierr)
    type(suite_call), intent(inout) :: call                             !< opened as qmc.slater_update
    type(suite_array), intent(in), target :: dbar                       !< (n,n,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_phi      !< (n,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_dbar     !< (n,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_binv     !< (kmax,kmax,nwalker)
    type(suite_array), intent(in), target, optional :: delayed_electron !< (kmax+1,nwalker)
    integer, intent(out), optional :: ierr                              !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call bring(call, "dbar", dbar, status)
    call bring(call, "delayed_phi", delayed_phi, status)
    call bring(call, "delayed_dbar", delayed_dbar, status)
    call bring(call, "delayed_binv", delayed_binv, status)
    call bring(call, "delayed_electron", delayed_electron, status)
    call suite_settle(call, status, ierr)
  end subroutine
end module
