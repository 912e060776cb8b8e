! SPDX-License-Identifier: BSD-3-Clause
!> gpp.sigma_offdiag from Fortran: the matrix <n|Sigma(E)|m> of the plasmon-pole model between external bands, for one k
!> and q, at energies E that all of them share. A host code gets it with module suite_gpp.
!>
!>     use suite_gpp
!>     type(suite_call) :: gpp
!>     call suite_open (gpp, "gpp.sigma_offdiag", "cpu")
!>     call suite_gpp_set_offdiag(gpp, wtilde_array, I_eps_array, aqs, vcoul, wx_array, occ_array)
!>     call suite_run  (gpp)
!>     call suite_gpp_get_offdiag(gpp, asx, ach)
!>     call suite_close(gpp)
!>
!>     wtilde_array  complex (ncouls,ngpown)      eV  plasmon-pole energies; 0: no pole; 1e12: static limit
!>     I_eps_array   as aqs  (ncouls,ngpown)      1   delta_GG' - eps^-1(G,G')
!>     aqs           real or complex (ncouls,ntband,nex)  1  M_nn'(G) of each external band n; all of them serve as m, too
!>     vcoul         real    (ncouls)             Ry  v(q+G) / (number of q points * cell volume)
!>     wx_array      real    (nw,ntband)          eV  E_iw - E_n'k-q, the same E for all external bands
!>     occ_array     real    (ntband)             1   occupation of n', 0 to 1
!>     indigp        integer (ngpown)             1   G index of each owned column, 0: padding; 1, 2, ... ngpown if absent
!>     gamma, sexcut real    scalar           eV, 1   gpp_broadening (0.5 if absent), gpp_sexcutoff (4.0 if absent)
!>     asx           complex (nex,nex,nw)         Ry  result SX - X, (n,m,iw); at one E not Hermitian in n and m
!>     ach           complex (nex,nex,nw)         Ry  result CH, (n,m,iw)
module suite_gpp_offdiag
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int, c_int64_t, c_loc
  use suite
  use suite_arguments, only: put
  use suite_calls, only: suite_fetch, suite_own, suite_settle
  use suite_gpp_arguments, only: put_screening
  implicit none (type, external)
  private

  public :: suite_gpp_set_offdiag, suite_gpp_set_offdiag_bands, suite_gpp_get_offdiag, suite_gpp_sigma_offdiag

  !> Gives all inputs to the call. They are used in place on a device that shares the host's memory, so they must stay
  !> where they are until they are set again, suite_forget or suite_close.
  interface suite_gpp_set_offdiag
    procedure set_complex, set_real
  end interface

  !> The inputs that change from one k to the next; the screening (wtilde_array, I_eps_array, vcoul, indigp) of the last
  !> suite_gpp_set_offdiag stays, with what the kernel derived from it.
  interface suite_gpp_set_offdiag_bands
    procedure bands_complex, bands_real
  end interface

  !> Set, run and get in one, keeping no address: arrays may move or go afterwards.
  interface suite_gpp_sigma_offdiag
    procedure sigma_complex, sigma_real
  end interface

contains

  subroutine set_complex(gpp, wtilde_array, I_eps_array, aqs, vcoul, wx_array, occ_array, indigp, gamma, sexcut, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:), aqs(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    integer, intent(out), optional :: ierr
    integer :: status

    call put_screening(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_gpp_set_offdiag_bands(gpp, aqs, wx_array, occ_array, status)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine set_real(gpp, wtilde_array, I_eps_array, aqs, vcoul, wx_array, occ_array, indigp, gamma, sexcut, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:), aqs(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    integer, intent(out), optional :: ierr
    integer :: status

    call put_screening(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_gpp_set_offdiag_bands(gpp, aqs, wx_array, occ_array, status)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine bands_complex(gpp, aqs, wx_array, occ_array, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: aqs(:,:,:)
    real(c_double), intent(in), target :: wx_array(:,:), occ_array(:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(gpp, "aqs", aqs, status)
    call put(gpp, "wx_array", wx_array, status)
    call put(gpp, "occ_array", occ_array, status)
    call own_results(gpp, size(aqs, 3, c_int64_t), size(wx_array, 1, c_int64_t), status)
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine bands_real(gpp, aqs, wx_array, occ_array, ierr)
    type(suite_call), intent(inout) :: gpp
    real(c_double), intent(in), target :: aqs(:,:,:)
    real(c_double), intent(in), target :: wx_array(:,:), occ_array(:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(gpp, "aqs", aqs, status)
    call put(gpp, "wx_array", wx_array, status)
    call put(gpp, "occ_array", occ_array, status)
    call own_results(gpp, size(aqs, 3, c_int64_t), size(wx_array, 1, c_int64_t), status)
    call suite_settle(gpp, status, ierr)
  end subroutine

  !> Brings the results back.
  subroutine suite_gpp_get_offdiag(gpp, asx, ach, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(inout), target :: asx(:,:,:), ach(:,:,:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call suite_fetch(gpp, "asx", c_loc(asx), suite_complex128, shape(asx, c_int64_t), is_contiguous(asx), status)
    call suite_fetch(gpp, "ach", c_loc(ach), suite_complex128, shape(ach, c_int64_t), is_contiguous(ach), status)
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine sigma_complex(gpp, wtilde_array, I_eps_array, aqs, vcoul, wx_array, occ_array, asx, ach, indigp, gamma, sexcut, &
      seconds, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:), aqs(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    complex(c_double_complex), intent(inout), target :: asx(:,:,:), ach(:,:,:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_gpp_set_offdiag(gpp, wtilde_array, I_eps_array, aqs, vcoul, wx_array, occ_array, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_run(gpp, seconds, status)
    if (status == suite_ok) call suite_gpp_get_offdiag(gpp, asx, ach, status)
    call suite_forget(gpp)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine sigma_real(gpp, wtilde_array, I_eps_array, aqs, vcoul, wx_array, occ_array, asx, ach, indigp, gamma, sexcut, &
      seconds, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:), aqs(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    complex(c_double_complex), intent(inout), target :: asx(:,:,:), ach(:,:,:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_gpp_set_offdiag(gpp, wtilde_array, I_eps_array, aqs, vcoul, wx_array, occ_array, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_run(gpp, seconds, status)
    if (status == suite_ok) call suite_gpp_get_offdiag(gpp, asx, ach, status)
    call suite_forget(gpp)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  ! The call owns the memory of the results, so that suite_gpp_get_offdiag may bring them into any array.
  subroutine own_results(gpp, nex, nw, status)
    type(suite_call), intent(inout) :: gpp
    integer(c_int64_t), intent(in) :: nex, nw
    integer(c_int), intent(inout) :: status

    call suite_own(gpp, "asx", suite_complex128, [nex, nex, nw], status)
    call suite_own(gpp, "ach", suite_complex128, [nex, nex, nw], status)
  end subroutine
end module
