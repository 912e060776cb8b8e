! SPDX-License-Identifier: BSD-3-Clause
!> gpp.sigma from Fortran: the GW self-energy sums of the plasmon-pole model for one k and q, with BerkeleyGW's names,
!> shapes and index order. plugins/gpp/README.md holds the formulas.
!>
!>     use suite_gpp
!>     type(suite_call) :: gpp
!>     call suite_open (gpp, "gpp.sigma", "cpu")
!>     call suite_gpp_set(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array)
!>     call suite_run  (gpp)
!>     call suite_gpp_get(gpp, asxtemp, achtemp)
!>     call suite_close(gpp)
!>
!> or, where arrays move between calls, suite_gpp_sigma: the three middle lines in one, keeping no address.
!> suite_gpp_offdiag, whose procedures come along, has the self-energy matrix between many external bands.
!>
!> One pair of external bands (n,m) comes as aqsntemp(ncouls,ntband), a batch of nex pairs as (ncouls,ntband,nex), real
!> or complex. In what follows a last extent nex is absent where aqsntemp has two dimensions:
!>     wtilde_array  complex (ncouls,ngpown)      eV  plasmon-pole energies; 0: no pole; 1e12: static limit
!>     I_eps_array   as aqs  (ncouls,ngpown)      1   delta_GG' - eps^-1(G,G')
!>     aqsmtemp      as aqs  (ncouls,ntband,nex)  1   M_mn'(G'); the same array as aqsntemp for the diagonal
!>     aqsntemp      as aqs  (ncouls,ntband,nex)  1   M_nn'(G)
!>     vcoul         real    (ncouls)             Ry  v(q+G) / (number of q points * cell volume)
!>     wx_array      real    (nw,ntband,nex)      eV  E_iw - E_n'k-q
!>     occ_array     real    (ntband)             1   occupation of n', 0 to 1
!>     indigp        integer (ngpown)             1   G index of each owned column, 0: padding; 1, 2, ... ngpown if absent
!>     gamma, sexcut real    scalar           eV, 1   gpp_broadening (0.5 if absent), gpp_sexcutoff (4.0 if absent)
!>     asxtemp       complex (nw,nex)             Ry  result SX - X
!>     achtemp       complex (nw,nex)             Ry  result CH
!>     acht_n1       complex (nw,ntband,nex)      Ry  result CH band by band, on request
!>     achstemp      complex (nex)                Ry  result static CH of the bands present, on request
module suite_gpp
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int, c_int64_t, c_loc
  use suite
  use suite_arguments, only: put, unset
  use suite_calls, only: suite_fetch, suite_own, suite_refuse, suite_settle
  use suite_gpp_arguments, only: put_screening
  use suite_gpp_offdiag, only: suite_gpp_get_offdiag, suite_gpp_set_offdiag, suite_gpp_set_offdiag_bands, suite_gpp_sigma_offdiag
  implicit none (type, external)
  private

  public :: suite_gpp_set, suite_gpp_set_bands, suite_gpp_get, suite_gpp_sigma
  public :: suite_gpp_set_offdiag, suite_gpp_set_offdiag_bands, suite_gpp_get_offdiag, suite_gpp_sigma_offdiag
  ! A host code needs no other module.
  public :: suite_call, suite_device, suite_open, suite_close, suite_device_open, suite_device_close, suite_run, &
      suite_start, suite_wait, suite_forget, suite_choose, suite_set_parameter, suite_message, suite_warnings, &
      suite_ok

  !> Gives all inputs to the call. They are used in place on a device that shares the host's memory, so they must stay
  !> where they are until they are set again, suite_forget or suite_close. acht_n1 and achstemp are computed where
  !> want_acht_n1 or want_achstemp ask for them.
  interface suite_gpp_set
    procedure set_complex_batch, set_complex_pair, set_real_batch, set_real_pair
  end interface

  !> The inputs that change from one pair of external bands to the next; the screening (wtilde_array, I_eps_array, vcoul,
  !> indigp) of the last suite_gpp_set stays, with what the kernel derived from it.
  interface suite_gpp_set_bands
    procedure bands_complex_batch, bands_complex_pair, bands_real_batch, bands_real_pair
  end interface

  !> Brings the results back.
  interface suite_gpp_get
    procedure get_batch, get_pair
  end interface

  !> Set, run and get in one, keeping no address: arrays may move or go afterwards.
  interface suite_gpp_sigma
    procedure sigma_complex_batch, sigma_complex_pair, sigma_real_batch, sigma_real_pair
  end interface

contains

  subroutine set_complex_batch(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      indigp, gamma, sexcut, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:,:), aqsntemp(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:,:), occ_array(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer :: status

    call put_screening(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_gpp_set_bands(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, &
        want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine set_complex_pair(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      indigp, gamma, sexcut, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:), aqsntemp(:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer :: status

    call put_screening(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_gpp_set_bands(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, &
        want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine set_real_batch(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      indigp, gamma, sexcut, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:,:), aqsntemp(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:,:), occ_array(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer :: status

    call put_screening(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_gpp_set_bands(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, &
        want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine set_real_pair(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      indigp, gamma, sexcut, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:), aqsntemp(:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer :: status

    call put_screening(gpp, wtilde_array, I_eps_array, vcoul, indigp, gamma, sexcut, status)
    if (status == suite_ok) call suite_gpp_set_bands(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, &
        want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine bands_complex_batch(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: aqsmtemp(:,:,:), aqsntemp(:,:,:)
    real(c_double), intent(in), target :: wx_array(:,:,:), occ_array(:)
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(gpp, "aqsmtemp", aqsmtemp, status)
    call put(gpp, "aqsntemp", aqsntemp, status)
    call put(gpp, "wx_array", wx_array, status)
    call put(gpp, "occ_array", occ_array, status)
    call own_results(gpp, shape(wx_array, c_int64_t), want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine bands_complex_pair(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: aqsmtemp(:,:), aqsntemp(:,:)
    real(c_double), intent(in), target :: wx_array(:,:), occ_array(:)
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(gpp, "aqsmtemp", aqsmtemp, status)
    call put(gpp, "aqsntemp", aqsntemp, status)
    call put(gpp, "wx_array", wx_array, status)
    call put(gpp, "occ_array", occ_array, status)
    call own_results(gpp, [shape(wx_array, c_int64_t), 1_c_int64_t], want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine bands_real_batch(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    real(c_double), intent(in), target :: aqsmtemp(:,:,:), aqsntemp(:,:,:)
    real(c_double), intent(in), target :: wx_array(:,:,:), occ_array(:)
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(gpp, "aqsmtemp", aqsmtemp, status)
    call put(gpp, "aqsntemp", aqsntemp, status)
    call put(gpp, "wx_array", wx_array, status)
    call put(gpp, "occ_array", occ_array, status)
    call own_results(gpp, shape(wx_array, c_int64_t), want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine bands_real_pair(gpp, aqsmtemp, aqsntemp, wx_array, occ_array, want_acht_n1, want_achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    real(c_double), intent(in), target :: aqsmtemp(:,:), aqsntemp(:,:)
    real(c_double), intent(in), target :: wx_array(:,:), occ_array(:)
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call put(gpp, "aqsmtemp", aqsmtemp, status)
    call put(gpp, "aqsntemp", aqsntemp, status)
    call put(gpp, "wx_array", wx_array, status)
    call put(gpp, "occ_array", occ_array, status)
    call own_results(gpp, [shape(wx_array, c_int64_t), 1_c_int64_t], want_acht_n1, want_achstemp, status)
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine get_batch(gpp, asxtemp, achtemp, acht_n1, achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(inout), target :: asxtemp(:,:), achtemp(:,:)
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:,:), achstemp(:)
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call suite_fetch(gpp, "asxtemp", c_loc(asxtemp), suite_complex128, shape(asxtemp, c_int64_t), is_contiguous(asxtemp), status)
    call suite_fetch(gpp, "achtemp", c_loc(achtemp), suite_complex128, shape(achtemp, c_int64_t), is_contiguous(achtemp), status)
    if (present(acht_n1)) then
      call expect_wanted(gpp, "acht_n1", status)
      call suite_fetch(gpp, "acht_n1", c_loc(acht_n1), suite_complex128, shape(acht_n1, c_int64_t), is_contiguous(acht_n1), status)
    end if
    if (present(achstemp)) then
      call expect_wanted(gpp, "achstemp", status)
      call suite_fetch(gpp, "achstemp", c_loc(achstemp), suite_complex128, &
        shape(achstemp, c_int64_t), is_contiguous(achstemp), status)
    end if
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine get_pair(gpp, asxtemp, achtemp, acht_n1, achstemp, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:)
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:), achstemp
    integer, intent(out), optional :: ierr
    integer(c_int) :: status

    status = suite_ok
    call suite_fetch(gpp, "asxtemp", c_loc(asxtemp), suite_complex128, shape(asxtemp, c_int64_t), is_contiguous(asxtemp), status)
    call suite_fetch(gpp, "achtemp", c_loc(achtemp), suite_complex128, shape(achtemp, c_int64_t), is_contiguous(achtemp), status)
    if (present(acht_n1)) then
      call expect_wanted(gpp, "acht_n1", status)
      call suite_fetch(gpp, "acht_n1", c_loc(acht_n1), suite_complex128, shape(acht_n1, c_int64_t), is_contiguous(acht_n1), status)
    end if
    if (present(achstemp)) then
      call expect_wanted(gpp, "achstemp", status)
      call suite_fetch(gpp, "achstemp", c_loc(achstemp), suite_complex128, shape(achstemp, c_int64_t), .true., status)
    end if
    call suite_settle(gpp, status, ierr)
  end subroutine

  subroutine sigma_complex_batch(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      asxtemp, achtemp, indigp, gamma, sexcut, acht_n1, achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:,:), aqsntemp(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:,:), occ_array(:)
    complex(c_double_complex), intent(inout), target :: asxtemp(:,:), achtemp(:,:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:,:), achstemp(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_gpp_set(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
        indigp, gamma, sexcut, present(acht_n1), present(achstemp), status)
    if (status == suite_ok) call suite_run(gpp, seconds, status)
    if (status == suite_ok) call suite_gpp_get(gpp, asxtemp, achtemp, acht_n1, achstemp, status)
    call suite_forget(gpp)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine sigma_complex_pair(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      asxtemp, achtemp, indigp, gamma, sexcut, acht_n1, achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    complex(c_double_complex), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:), aqsntemp(:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:), achstemp
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_gpp_set(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
        indigp, gamma, sexcut, present(acht_n1), present(achstemp), status)
    if (status == suite_ok) call suite_run(gpp, seconds, status)
    if (status == suite_ok) call suite_gpp_get(gpp, asxtemp, achtemp, acht_n1, achstemp, status)
    call suite_forget(gpp)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine sigma_real_batch(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      asxtemp, achtemp, indigp, gamma, sexcut, acht_n1, achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:,:), aqsntemp(:,:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:,:), occ_array(:)
    complex(c_double_complex), intent(inout), target :: asxtemp(:,:), achtemp(:,:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:,:), achstemp(:)
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_gpp_set(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
        indigp, gamma, sexcut, present(acht_n1), present(achstemp), status)
    if (status == suite_ok) call suite_run(gpp, seconds, status)
    if (status == suite_ok) call suite_gpp_get(gpp, asxtemp, achtemp, acht_n1, achstemp, status)
    call suite_forget(gpp)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  subroutine sigma_real_pair(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
      asxtemp, achtemp, indigp, gamma, sexcut, acht_n1, achstemp, seconds, ierr)
    type(suite_call), intent(inout) :: gpp
    complex(c_double_complex), intent(in), target :: wtilde_array(:,:)
    real(c_double), intent(in), target :: I_eps_array(:,:), aqsmtemp(:,:), aqsntemp(:,:)
    real(c_double), intent(in), target :: vcoul(:), wx_array(:,:), occ_array(:)
    complex(c_double_complex), intent(inout), target :: asxtemp(:), achtemp(:)
    integer, intent(in), optional :: indigp(:)
    real(c_double), intent(in), optional :: gamma, sexcut
    complex(c_double_complex), intent(inout), target, optional :: acht_n1(:,:), achstemp
    real(c_double), intent(out), optional :: seconds
    integer, intent(out), optional :: ierr
    integer :: status

    call suite_gpp_set(gpp, wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, &
        indigp, gamma, sexcut, present(acht_n1), present(achstemp), status)
    if (status == suite_ok) call suite_run(gpp, seconds, status)
    if (status == suite_ok) call suite_gpp_get(gpp, asxtemp, achtemp, acht_n1, achstemp, status)
    call suite_forget(gpp)
    call suite_settle(gpp, int(status, c_int), ierr)
  end subroutine

  ! The call owns the memory of the results, so that suite_gpp_get may bring them into any array.
  subroutine own_results(gpp, extents, want_acht_n1, want_achstemp, status)
    type(suite_call), intent(inout) :: gpp
    integer(c_int64_t), intent(in) :: extents(3) !< nw, ntband, nex
    logical, intent(in), optional :: want_acht_n1, want_achstemp
    integer(c_int), intent(inout) :: status

    call suite_own(gpp, "asxtemp", suite_complex128, extents([1, 3]), status)
    call suite_own(gpp, "achtemp", suite_complex128, extents([1, 3]), status)
    if (wanted(want_acht_n1)) then
      call suite_own(gpp, "acht_n1", suite_complex128, extents, status)
    else
      call unset(gpp, "acht_n1", status)
    end if
    if (wanted(want_achstemp)) then
      call suite_own(gpp, "achstemp", suite_complex128, extents([3]), status)
    else
      call unset(gpp, "achstemp", status)
    end if
  end subroutine

  subroutine expect_wanted(gpp, name, status)
    type(suite_call), intent(inout) :: gpp
    character(len=*), intent(in) :: name
    integer(c_int), intent(inout) :: status
    type(suite_array) :: bound
    integer :: outcome

    if (status /= suite_ok) return
    call suite_argument(gpp, name, bound, outcome)
    status = int(outcome, c_int)
    if (status == suite_ok .and. bound%rank < 0) &
      call suite_refuse(gpp, name // " was not asked for; pass want_" // name // "=.true. to suite_gpp_set", status)
  end subroutine

  pure logical function wanted(flag)
    logical, intent(in), optional :: flag

    wanted = .false.
    if (present(flag)) wanted = flag
  end function
end module
