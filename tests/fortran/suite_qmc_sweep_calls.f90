! SPDX-License-Identifier: BSD-3-Clause
! Written from the kernel's table when suite is built: fortran/generate/family.cpp.
!> qmc.sweep from Fortran: nsweep sweeps over all electrons of every walker, one electron at a time.
!>
!>     call suite_qmc_sweep_set(call, cell, kvec, nele, alpha, L_u, truncation, gvec, star, a, ierr)
!>     call suite_qmc_sweep(call, rele, stream, tau, first_sweep, seed, accepted, dbar_up, dbar_dn, alimit, nsweep, diffusion, &
!>         logpsi, seconds, ierr)
!>     call suite_qmc_sweep_put(call, rele, dbar_up, dbar_dn, logpsi, ierr)
!>     call suite_qmc_sweep_continue(call, stream, tau, first_sweep, seed, accepted, alimit, nsweep, diffusion, seconds, ierr)
!>     call suite_qmc_sweep_get(call, rele, dbar_up, dbar_dn, logpsi, ierr)
!>
!> suite_qmc_sweep_set: what stays from call to call
!>     cell        real     (3,3)            bohr         lattice vectors, one per column
!>     kvec        integer  (3,nkvec)        1            k = sum_i kvec(i) b_i: one of each pair +-k, without 0
!>     nele        integer  (2)              1            numbers of electrons with spin up and down
!>     alpha       real     (nalpha,nset_u)  bohr^(-C-l)  coefficients of u, including the one fixed by the cusp condition; never
!>                                                        set: no u term
!>     L_u         real     scalar           bohr         cutoff of u, at most the inscribed radius of the Wigner-Seitz cell;
!>                                                        never set: no u term
!>     truncation  integer  scalar           1            C of the polynomial form, 2 or 3; never set: 3
!>     gvec        integer  (3,ngvec)        1            G = sum_i gvec(i) b_i of the p term: one of each pair +-G, without 0;
!>                                                        never set: no p term
!>     star        integer  (ngvec)          1            the star of each G, from 1; never set: no p term
!>     a           real     (nstar,nset_p)   1            coefficients of p; never set: no p term
!>
!> suite_qmc_sweep: what changes; runs, and returns the results
!>     rele         real        (3,netot,nwalker)  bohr     changed: positions, spin up first
!>     stream       integer(8)  (nwalker)          1        number of each walker's random-number stream, from 0
!>     tau          real        scalar             hbar/Ha  time step: variance of the diffusion in each direction
!>     first_sweep  integer(8)  scalar             1        number of the first sweep in its walk, from 0
!>     seed         integer(8)  scalar             1        seed of the random numbers
!>     accepted     integer     (nwalker)          1        result: number of accepted moves
!>     dbar_up      real        (nup,nup,nwalker)  1        changed: inverse Slater matrix of spin up; never set: nele(1) = 0
!>     dbar_dn      real        (ndn,ndn,nwalker)  1        changed: inverse Slater matrix of spin down; never set: nele(2) = 0
!>     alimit       real        scalar             1        a of the drift limit; never set: 0.5
!>     nsweep       integer     scalar             1        number of sweeps in this call; never set: 1
!>     diffusion    real        (2,nwalker)        bohr^2   result: sums of tau g^2 over accepted and over all moves, for the
!>                                                          effective time step; on request
!>     logpsi       real        (nwalker)          1        changed: incremented by ln |psi'/psi|; never set: not computed
!>
!> Between _put and _get rele, dbar_up, dbar_dn and logpsi stay on the device, and _continue runs on that state.
!>
!> An absent input keeps its earlier value; an absent result is not computed. Arrays are on the host, or of
!> type(suite_array) on the device. Host arrays are used in place where the device shares the host's memory: an array must
!> exist while a kernel runs. Between two runs it may be freed if another is set before the next.
module suite_qmc_sweep_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int32_t, c_int64_t
  use suite, only: suite_array, suite_call, suite_ok
  use suite_arguments, only: ask, bring, give, give_count, give_indices_1, give_indices_2, give_list_2, give_long, give_number, &
      keep, run
  use suite_calls, only: suite_settle
  use suite_host_arrays, only: int32_1, int64_1, real64_1, real64_2, real64_3
  implicit none (type, external)
  private

  !> What stays from call to call.
  interface suite_qmc_sweep_set
    procedure sweep_set_lists
  end interface
  public :: suite_qmc_sweep_set

  !> What changes; runs, and returns the results.
  interface suite_qmc_sweep
    procedure sweep_host, sweep_device
  end interface
  public :: suite_qmc_sweep

  !> State that stays on the device from now on.
  interface suite_qmc_sweep_put
    procedure sweep_put_host, sweep_put_device
  end interface
  public :: suite_qmc_sweep_put

  !> Runs on that state; what else changes, and results.
  interface suite_qmc_sweep_continue
    procedure sweep_continue_host, sweep_continue_device
  end interface
  public :: suite_qmc_sweep_continue

  !> Copies the state to the host.
  interface suite_qmc_sweep_get
    procedure sweep_get_host, sweep_get_device
  end interface
  public :: suite_qmc_sweep_get

contains

  subroutine sweep_set_lists(call, cell, kvec, nele, alpha, L_u, truncation, gvec, star, a, ierr)
    type(suite_call), intent(inout) :: call            !< opened as qmc.sweep
    real(c_double), intent(in) :: cell(:,:)            !< (3,3) bohr
    integer, intent(in) :: kvec(:,:)                   !< (3,nkvec)
    integer, intent(in) :: nele(:)                     !< (2)
    real(c_double), intent(in), optional :: alpha(:,:) !< (nalpha,nset_u) bohr^(-C-l)
    real(c_double), intent(in), optional :: L_u        !< bohr
    integer, intent(in), optional :: truncation
    integer, intent(in), optional :: gvec(:,:)         !< (3,ngvec)
    integer, intent(in), optional :: star(:)           !< (ngvec)
    real(c_double), intent(in), optional :: a(:,:)     !< (nstar,nset_p)
    integer, intent(out), optional :: ierr             !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give_list_2(call, "cell", cell, status)
    call give_indices_2(call, "kvec", kvec, status)
    call give_indices_1(call, "nele", nele, status)
    call give_list_2(call, "alpha", alpha, status)
    call give_number(call, "L_u", L_u, status)
    call give_count(call, "truncation", truncation, status)
    call give_indices_2(call, "gvec", gvec, status)
    call give_indices_1(call, "star", star, status)
    call give_list_2(call, "a", a, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine sweep_host(call, rele, stream, tau, first_sweep, seed, accepted, dbar_up, dbar_dn, alimit, nsweep, diffusion, &
      logpsi, seconds, ierr)
    type(suite_call), intent(inout) :: call                           !< opened as qmc.sweep
    real(c_double), intent(inout), target :: rele(:,:,:)              !< (3,netot,nwalker) bohr
    integer(c_int64_t), intent(in), target :: stream(:)               !< (nwalker)
    real(c_double), intent(in) :: tau                                 !< hbar/Ha
    integer(c_int64_t), intent(in) :: first_sweep
    integer(c_int64_t), intent(in) :: seed
    integer(c_int32_t), intent(inout), target :: accepted(:)          !< (nwalker)
    real(c_double), intent(inout), target, optional :: dbar_up(:,:,:) !< (nup,nup,nwalker)
    real(c_double), intent(inout), target, optional :: dbar_dn(:,:,:) !< (ndn,ndn,nwalker)
    real(c_double), intent(in), optional :: alimit
    integer, intent(in), optional :: nsweep
    real(c_double), intent(inout), target, optional :: diffusion(:,:) !< (2,nwalker) bohr^2
    real(c_double), intent(inout), target, optional :: logpsi(:)      !< (nwalker)
    real(c_double), intent(out), optional :: seconds                  !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                            !< suite_ok, or a failure described by suite_message

    call sweep_device(call, real64_3(rele), int64_1(stream), tau, first_sweep, seed, int32_1(accepted), real64_3(dbar_up), &
        real64_3(dbar_dn), alimit, nsweep, real64_2(diffusion), real64_1(logpsi), seconds, ierr)
  end subroutine

  subroutine sweep_device(call, rele, stream, tau, first_sweep, seed, accepted, dbar_up, dbar_dn, alimit, nsweep, diffusion, &
      logpsi, seconds, ierr)
    type(suite_call), intent(inout) :: call                      !< opened as qmc.sweep
    type(suite_array), intent(in), target :: rele                !< (3,netot,nwalker) bohr
    type(suite_array), intent(in), target :: stream              !< (nwalker)
    real(c_double), intent(in) :: tau                            !< hbar/Ha
    integer(c_int64_t), intent(in) :: first_sweep
    integer(c_int64_t), intent(in) :: seed
    type(suite_array), intent(in), target :: accepted            !< (nwalker)
    type(suite_array), intent(in), target, optional :: dbar_up   !< (nup,nup,nwalker)
    type(suite_array), intent(in), target, optional :: dbar_dn   !< (ndn,ndn,nwalker)
    real(c_double), intent(in), optional :: alimit
    integer, intent(in), optional :: nsweep
    type(suite_array), intent(in), target, optional :: diffusion !< (2,nwalker) bohr^2
    type(suite_array), intent(in), target, optional :: logpsi    !< (nwalker)
    real(c_double), intent(out), optional :: seconds             !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                       !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "rele", rele, status)
    call give(call, "stream", stream, status)
    call give_number(call, "tau", tau, status)
    call give_long(call, "first_sweep", first_sweep, status)
    call give_long(call, "seed", seed, status)
    call ask(call, "accepted", accepted, status)
    call give(call, "dbar_up", dbar_up, status)
    call give(call, "dbar_dn", dbar_dn, status)
    call give_number(call, "alimit", alimit, status)
    call give_count(call, "nsweep", nsweep, status)
    call ask(call, "diffusion", diffusion, status)
    call give(call, "logpsi", logpsi, status)
    call run(call, seconds, status)
    call bring(call, "rele", rele, status)
    call bring(call, "accepted", accepted, status)
    call bring(call, "dbar_up", dbar_up, status)
    call bring(call, "dbar_dn", dbar_dn, status)
    call bring(call, "diffusion", diffusion, status)
    call bring(call, "logpsi", logpsi, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine sweep_put_host(call, rele, dbar_up, dbar_dn, logpsi, ierr)
    type(suite_call), intent(inout) :: call                        !< opened as qmc.sweep
    real(c_double), intent(in), target :: rele(:,:,:)              !< (3,netot,nwalker) bohr
    real(c_double), intent(in), target, optional :: dbar_up(:,:,:) !< (nup,nup,nwalker)
    real(c_double), intent(in), target, optional :: dbar_dn(:,:,:) !< (ndn,ndn,nwalker)
    real(c_double), intent(in), target, optional :: logpsi(:)      !< (nwalker)
    integer, intent(out), optional :: ierr                         !< suite_ok, or a failure described by suite_message

    call sweep_put_device(call, real64_3(rele), real64_3(dbar_up), real64_3(dbar_dn), real64_1(logpsi), ierr)
  end subroutine

  subroutine sweep_put_device(call, rele, dbar_up, dbar_dn, logpsi, ierr)
    type(suite_call), intent(inout) :: call                    !< opened as qmc.sweep
    type(suite_array), intent(in), target :: rele              !< (3,netot,nwalker) bohr
    type(suite_array), intent(in), target, optional :: dbar_up !< (nup,nup,nwalker)
    type(suite_array), intent(in), target, optional :: dbar_dn !< (ndn,ndn,nwalker)
    type(suite_array), intent(in), target, optional :: logpsi  !< (nwalker)
    integer, intent(out), optional :: ierr                     !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "rele", rele, status)
    call give(call, "dbar_up", dbar_up, status)
    call give(call, "dbar_dn", dbar_dn, status)
    call give(call, "logpsi", logpsi, status)
    call keep(call, "rele", rele, status)
    call keep(call, "dbar_up", dbar_up, status)
    call keep(call, "dbar_dn", dbar_dn, status)
    call keep(call, "logpsi", logpsi, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine sweep_continue_host(call, stream, tau, first_sweep, seed, accepted, alimit, nsweep, diffusion, seconds, ierr)
    type(suite_call), intent(inout) :: call                           !< opened as qmc.sweep
    integer(c_int64_t), intent(in), target :: stream(:)               !< (nwalker)
    real(c_double), intent(in) :: tau                                 !< hbar/Ha
    integer(c_int64_t), intent(in) :: first_sweep
    integer(c_int64_t), intent(in) :: seed
    integer(c_int32_t), intent(inout), target :: accepted(:)          !< (nwalker)
    real(c_double), intent(in), optional :: alimit
    integer, intent(in), optional :: nsweep
    real(c_double), intent(inout), target, optional :: diffusion(:,:) !< (2,nwalker) bohr^2
    real(c_double), intent(out), optional :: seconds                  !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                            !< suite_ok, or a failure described by suite_message

    call sweep_continue_device(call, int64_1(stream), tau, first_sweep, seed, int32_1(accepted), alimit, nsweep, &
        real64_2(diffusion), seconds, ierr)
  end subroutine

  subroutine sweep_continue_device(call, stream, tau, first_sweep, seed, accepted, alimit, nsweep, diffusion, seconds, ierr)
    type(suite_call), intent(inout) :: call                      !< opened as qmc.sweep
    type(suite_array), intent(in), target :: stream              !< (nwalker)
    real(c_double), intent(in) :: tau                            !< hbar/Ha
    integer(c_int64_t), intent(in) :: first_sweep
    integer(c_int64_t), intent(in) :: seed
    type(suite_array), intent(in), target :: accepted            !< (nwalker)
    real(c_double), intent(in), optional :: alimit
    integer, intent(in), optional :: nsweep
    type(suite_array), intent(in), target, optional :: diffusion !< (2,nwalker) bohr^2
    real(c_double), intent(out), optional :: seconds             !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                       !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "stream", stream, status)
    call give_number(call, "tau", tau, status)
    call give_long(call, "first_sweep", first_sweep, status)
    call give_long(call, "seed", seed, status)
    call ask(call, "accepted", accepted, status)
    call give_number(call, "alimit", alimit, status)
    call give_count(call, "nsweep", nsweep, status)
    call ask(call, "diffusion", diffusion, status)
    call run(call, seconds, status)
    call bring(call, "accepted", accepted, status)
    call bring(call, "diffusion", diffusion, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine sweep_get_host(call, rele, dbar_up, dbar_dn, logpsi, ierr)
    type(suite_call), intent(inout) :: call                           !< opened as qmc.sweep
    real(c_double), intent(inout), target :: rele(:,:,:)              !< (3,netot,nwalker) bohr
    real(c_double), intent(inout), target, optional :: dbar_up(:,:,:) !< (nup,nup,nwalker)
    real(c_double), intent(inout), target, optional :: dbar_dn(:,:,:) !< (ndn,ndn,nwalker)
    real(c_double), intent(inout), target, optional :: logpsi(:)      !< (nwalker)
    integer, intent(out), optional :: ierr                            !< suite_ok, or a failure described by suite_message

    call sweep_get_device(call, real64_3(rele), real64_3(dbar_up), real64_3(dbar_dn), real64_1(logpsi), ierr)
  end subroutine

  subroutine sweep_get_device(call, rele, dbar_up, dbar_dn, logpsi, ierr)
    type(suite_call), intent(inout) :: call                    !< opened as qmc.sweep
    type(suite_array), intent(in), target :: rele              !< (3,netot,nwalker) bohr
    type(suite_array), intent(in), target, optional :: dbar_up !< (nup,nup,nwalker)
    type(suite_array), intent(in), target, optional :: dbar_dn !< (ndn,ndn,nwalker)
    type(suite_array), intent(in), target, optional :: logpsi  !< (nwalker)
    integer, intent(out), optional :: ierr                     !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call bring(call, "rele", rele, status)
    call bring(call, "dbar_up", dbar_up, status)
    call bring(call, "dbar_dn", dbar_dn, status)
    call bring(call, "logpsi", logpsi, status)
    call suite_settle(call, status, ierr)
  end subroutine
end module
