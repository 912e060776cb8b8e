! SPDX-License-Identifier: BSD-3-Clause
!> The static polarizability for the Epsilon code of BerkeleyGW: kernel gw.chi, from the arrays of that code as they lie there.
module epsilon_suite_chi
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_f_pointer, c_loc
  use berkeleygw_kernels, only: close_kernel, host_failure, is_chosen, of_epsilon, opened_kernel, open_chosen
  use suite_gw, only: suite_gw_chi, suite_message, suite_ok
  implicit none (type, external)
  private

  public :: close_chi, epsilon_suite_block, epsilon_suite_has_chi, epsilon_suite_polarizability

  !> The part of the bands of this rank in the polarizability of one q, where an implementation has been chosen.
  interface epsilon_suite_polarizability
    procedure polarizability_complex, polarizability_real
  end interface

  !> Rows and columns of it.
  interface epsilon_suite_block
    procedure block_complex, block_real
  end interface

  interface add_image
    procedure add_complex, add_real
  end interface

  type(opened_kernel) :: chi
  !> (nmtx,nmtx,nspin) of the present q; that of the flavour is allocated.
  complex(c_double_complex), allocatable :: complex_chi(:,:,:)
  real(c_double), allocatable :: real_chi(:,:,:)

contains

  subroutine close_chi()
    call close_kernel(chi)
    if (allocated(complex_chi)) deallocate(complex_chi)
    if (allocated(real_chi)) deallocate(real_chi)
  end subroutine

  !> Whether epsilon_suite_polarizability has summed: then the host need not.
  logical function epsilon_suite_has_chi()
    epsilon_suite_has_chi = allocated(complex_chi) .or. allocated(real_chi)
  end function

  !> -fact sum over k, its images and pairs (v,c) of M(G) conj(M(G1)), for all G and G1, kept until the next call. The sum over
  !> pairs is made once for each k: images are the same numbers in other places.
  subroutine polarizability_complex(fact, gme, group, nst, indt, pht, fail)
    real(c_double), intent(in) :: fact        !< bohr^-3: 4 over volume, number of k and of spins
    complex(c_double_complex), intent(in), target :: gme(:,:,:,:,:,:) !< (nmtx,nc,nv,nspin,nrk,groups) M over sqrt(E_c - E_v)
    integer, intent(in) :: group              !< of frequencies: the last extent of gme
    integer, intent(in) :: nst(:)             !< (nrk) images of each k
    integer, intent(in) :: indt(:,:,:)        !< (at least nmtx, images, nrk) row of gme for each G of an image
    complex(c_double_complex), intent(in) :: pht(:,:,:) !< the same: its phase
    procedure(host_failure) :: fail           !< called with what went wrong
    complex(c_double_complex), pointer :: m(:,:)
    complex(c_double_complex), allocatable :: of_k(:,:)
    real(c_double) :: ones(size(gme, 2) * size(gme, 3))
    character(len=:), allocatable :: message
    integer :: nmtx, npair, ispin, irk, it, ierr
    logical :: reopened

    if (.not. is_chosen(of_epsilon)) return
    nmtx = size(gme, 1)
    npair = size(gme, 2) * size(gme, 3)
    if (allocated(complex_chi)) deallocate(complex_chi)
    allocate(complex_chi(nmtx, nmtx, size(gme, 4)), of_k(nmtx, nmtx), source=(0.0_c_double, 0.0_c_double))
    message = refused(nmtx, size(gme, 5), is_contiguous(gme), size(nst), shape(indt), shape(pht))
    if (message == "") call open_chosen(chi, of_epsilon, "gw.chi", reopened, message)
    ones = 1
    do irk = 1, merge(size(nst), 0, message == "" .and. npair > 0)
      do ispin = 1, size(gme, 4)
        call c_f_pointer(c_loc(gme(1, 1, 1, ispin, irk, group)), m, [nmtx, npair])
        of_k = 0
        call suite_gw_chi(chi%call, of_k, m, ones, fact * ones, ierr=ierr)
        if (ierr /= suite_ok) message = suite_message(chi%call)
        do it = 1, nst(irk)
          if (message /= "") exit
          if (minval(indt(:nmtx, it, irk)) < 1 .or. maxval(indt(:nmtx, it, irk)) > nmtx) then
            message = "an image of k takes G to a vector that is none of the nmtx of this q"
          else
            call add_image(of_k, indt(:nmtx, it, irk), pht(:nmtx, it, irk), complex_chi(:,:,ispin))
          end if
        end do
      end do
    end do
    if (message /= "") call fail(message, .false.)
  end subroutine

  !> The same in the real flavour.
  subroutine polarizability_real(fact, gme, group, nst, indt, pht, fail)
    real(c_double), intent(in) :: fact
    real(c_double), intent(in), target :: gme(:,:,:,:,:,:)
    integer, intent(in) :: group, nst(:), indt(:,:,:)
    real(c_double), intent(in) :: pht(:,:,:)
    procedure(host_failure) :: fail
    real(c_double), pointer :: m(:,:)
    real(c_double), allocatable :: of_k(:,:)
    real(c_double) :: ones(size(gme, 2) * size(gme, 3))
    character(len=:), allocatable :: message
    integer :: nmtx, npair, ispin, irk, it, ierr
    logical :: reopened

    if (.not. is_chosen(of_epsilon)) return
    nmtx = size(gme, 1)
    npair = size(gme, 2) * size(gme, 3)
    if (allocated(real_chi)) deallocate(real_chi)
    allocate(real_chi(nmtx, nmtx, size(gme, 4)), of_k(nmtx, nmtx), source=0.0_c_double)
    message = refused(nmtx, size(gme, 5), is_contiguous(gme), size(nst), shape(indt), shape(pht))
    if (message == "") call open_chosen(chi, of_epsilon, "gw.chi", reopened, message)
    ones = 1
    do irk = 1, merge(size(nst), 0, message == "" .and. npair > 0)
      do ispin = 1, size(gme, 4)
        call c_f_pointer(c_loc(gme(1, 1, 1, ispin, irk, group)), m, [nmtx, npair])
        of_k = 0
        call suite_gw_chi(chi%call, of_k, m, ones, fact * ones, ierr=ierr)
        if (ierr /= suite_ok) message = suite_message(chi%call)
        do it = 1, nst(irk)
          if (message /= "") exit
          if (minval(indt(:nmtx, it, irk)) < 1 .or. maxval(indt(:nmtx, it, irk)) > nmtx) then
            message = "an image of k takes G to a vector that is none of the nmtx of this q"
          else
            call add_image(of_k, indt(:nmtx, it, irk), pht(:nmtx, it, irk), real_chi(:,:,ispin))
          end if
        end do
      end do
    end do
    if (message /= "") call fail(message, .false.)
  end subroutine

  !> Rows and columns of the polarizability of this rank; what lies beyond them in chi becomes 0.
  subroutine block_complex(rows, columns, ispin, chi)
    integer, intent(in) :: rows(:), columns(:), ispin
    complex(c_double_complex), intent(inout) :: chi(:,:)

    chi = 0
    chi(:size(rows), :size(columns)) = complex_chi(rows, columns, ispin)
  end subroutine

  !> The same in the real flavour.
  subroutine block_real(rows, columns, ispin, chi)
    integer, intent(in) :: rows(:), columns(:), ispin
    real(c_double), intent(inout) :: chi(:,:)

    chi = 0
    chi(:size(rows), :size(columns)) = real_chi(rows, columns, ispin)
  end subroutine

  !> of_all(i,j) = of_all(i,j) + ph(i) of_k(ind(i),ind(j)) conj(ph(j))
  pure subroutine add_complex(of_k, ind, ph, of_all)
    complex(c_double_complex), intent(in) :: of_k(:,:), ph(:)
    integer, intent(in) :: ind(:)
    complex(c_double_complex), intent(inout) :: of_all(:,:)
    integer :: j

    do j = 1, size(ind)
      of_all(:, j) = of_all(:, j) + ph * (conjg(ph(j)) * of_k(ind, ind(j)))
    end do
  end subroutine

  pure subroutine add_real(of_k, ind, ph, of_all)
    real(c_double), intent(in) :: of_k(:,:), ph(:)
    integer, intent(in) :: ind(:)
    real(c_double), intent(inout) :: of_all(:,:)
    integer :: j

    do j = 1, size(ind)
      of_all(:, j) = of_all(:, j) + ph * (ph(j) * of_k(ind, ind(j)))
    end do
  end subroutine

  !> Empty, or what does not fit.
  pure function refused(nmtx, nk, is_whole, nrk, indt, pht)
    integer, intent(in) :: nmtx, nk, nrk, indt(3), pht(3)
    logical, intent(in) :: is_whole
    character(len=:), allocatable :: refused
    character(len=200) :: message

    message = ""
    if (.not. is_whole) message = "gme is a section of an array, but must be whole"
    if (nk < nrk) write (message, "(2(a, i0))") "gme has k points ", nk, ", but nst ", nrk
    if (min(indt(1), pht(1)) < nmtx) write (message, "(2(a, i0))") "indt or pht has ", min(indt(1), pht(1)), " rows, but gme ", nmtx
    refused = trim(message)
  end function
end module
