! SPDX-License-Identifier: BSD-3-Clause
! Written from the kernel's table when suite is built: fortran/generate/family.cpp.
!> dfpt.h from Fortran: matrices of local potentials, or their products with orbitals.
!>
!>     call suite_dfpt_h_set(call, batch_points, batch_basis, i_basis, wave, partition_tab, wave_right, ierr)
!>     call suite_dfpt_h(call, C, v, H, HC, seconds, ierr)
!>
!> suite_dfpt_h_set: what stays from call to call
!>     batch_points   integer  (n_batches+1)  1          first point of each batch, from 1; last element: n_points + 1
!>     batch_basis    integer  (n_batches+1)  1          first entry of each batch in i_basis, from 1; last element: n_list + 1
!>     i_basis        integer  (n_list)       1          basis functions of each batch, from 1, ascending within a batch
!>     wave           real     (n_wave)       bohr^-3/2  chi at the points, from dfpt.basis
!>     partition_tab  real     (n_points)     bohr^3     integration weights W of the points
!>     wave_right     real     (n_wave)       bohr^-3/2  a second set of functions at the points; never set: wave
!>
!> suite_dfpt_h: what changes; runs, and returns the results
!>     C   real  (n_basis,n_occ)          1   coefficients of the occupied orbitals (two electrons each); never set: no orbitals
!>     v   real  (n_points,n_dir)         Ha  potentials; never set: 1
!>     H   real  (n_basis,n_basis,n_dir)  Ha  changed: matrices of the potentials, symmetric; never set: not computed
!>     HC  real  (n_basis,n_occ,n_dir)    Ha  changed: products of the matrices with the occupied orbitals; never set: not
!>                                            computed
!>
!> An absent input keeps its earlier value; an absent result is not computed. Arrays are on the host, or of
!> type(suite_array) on the device. Host arrays are used in place where the device shares the host's memory: an array must
!> exist while a kernel runs. Between two runs it may be freed if another is set before the next.
module suite_dfpt_h_calls
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use suite, only: suite_array, suite_call, suite_ok
  use suite_arguments, only: bring, give, give_indices_1, run
  use suite_calls, only: suite_settle
  use suite_host_arrays, only: real64_1, real64_2, real64_3
  implicit none (type, external)
  private

  !> What stays from call to call.
  interface suite_dfpt_h_set
    procedure h_set_host, h_set_device
  end interface
  public :: suite_dfpt_h_set

  !> What changes; runs, and returns the results.
  interface suite_dfpt_h
    procedure h_host
  end interface
  public :: suite_dfpt_h

  !> The same for arrays on the device.
  interface suite_dfpt_h_device
    procedure h_device
  end interface
  public :: suite_dfpt_h_device

contains

  subroutine h_set_host(call, batch_points, batch_basis, i_basis, wave, partition_tab, wave_right, ierr)
    type(suite_call), intent(inout) :: call                       !< opened as dfpt.h
    integer, intent(in) :: batch_points(:)                        !< (n_batches+1)
    integer, intent(in) :: batch_basis(:)                         !< (n_batches+1)
    integer, intent(in) :: i_basis(:)                             !< (n_list)
    real(c_double), intent(in), target :: wave(:)                 !< (n_wave) bohr^-3/2
    real(c_double), intent(in), target :: partition_tab(:)        !< (n_points) bohr^3
    real(c_double), intent(in), target, optional :: wave_right(:) !< (n_wave) bohr^-3/2
    integer, intent(out), optional :: ierr                        !< suite_ok, or a failure described by suite_message

    call h_set_device(call, batch_points, batch_basis, i_basis, real64_1(wave), real64_1(partition_tab), real64_1(wave_right), &
        ierr)
  end subroutine

  subroutine h_set_device(call, batch_points, batch_basis, i_basis, wave, partition_tab, wave_right, ierr)
    type(suite_call), intent(inout) :: call                       !< opened as dfpt.h
    integer, intent(in) :: batch_points(:)                        !< (n_batches+1)
    integer, intent(in) :: batch_basis(:)                         !< (n_batches+1)
    integer, intent(in) :: i_basis(:)                             !< (n_list)
    type(suite_array), intent(in), target :: wave                 !< (n_wave) bohr^-3/2
    type(suite_array), intent(in), target :: partition_tab        !< (n_points) bohr^3
    type(suite_array), intent(in), target, optional :: wave_right !< (n_wave) bohr^-3/2
    integer, intent(out), optional :: ierr                        !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give_indices_1(call, "batch_points", batch_points, status)
    call give_indices_1(call, "batch_basis", batch_basis, status)
    call give_indices_1(call, "i_basis", i_basis, status)
    call give(call, "wave", wave, status)
    call give(call, "partition_tab", partition_tab, status)
    call give(call, "wave_right", wave_right, status)
    call suite_settle(call, status, ierr)
  end subroutine

  subroutine h_host(call, C, v, H, HC, seconds, ierr)
    type(suite_call), intent(inout) :: call                      !< opened as dfpt.h
    real(c_double), intent(in), target, optional :: C(:,:)       !< (n_basis,n_occ)
    real(c_double), intent(in), target, optional :: v(:,:)       !< (n_points,n_dir) Ha
    real(c_double), intent(inout), target, optional :: H(:,:,:)  !< (n_basis,n_basis,n_dir) Ha
    real(c_double), intent(inout), target, optional :: HC(:,:,:) !< (n_basis,n_occ,n_dir) Ha
    real(c_double), intent(out), optional :: seconds             !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                       !< suite_ok, or a failure described by suite_message

    call h_device(call, real64_2(C), real64_2(v), real64_3(H), real64_3(HC), seconds, ierr)
  end subroutine

  subroutine h_device(call, C, v, H, HC, seconds, ierr)
    type(suite_call), intent(inout) :: call               !< opened as dfpt.h
    type(suite_array), intent(in), target, optional :: C  !< (n_basis,n_occ)
    type(suite_array), intent(in), target, optional :: v  !< (n_points,n_dir) Ha
    type(suite_array), intent(in), target, optional :: H  !< (n_basis,n_basis,n_dir) Ha
    type(suite_array), intent(in), target, optional :: HC !< (n_basis,n_occ,n_dir) Ha
    real(c_double), intent(out), optional :: seconds      !< s: kernel time by the device's clock
    integer, intent(out), optional :: ierr                !< suite_ok, or a failure described by suite_message
    integer(c_int) :: status

    status = suite_ok
    call give(call, "C", C, status)
    call give(call, "v", v, status)
    call give(call, "H", H, status)
    call give(call, "HC", HC, status)
    call run(call, seconds, status)
    call bring(call, "H", H, status)
    call bring(call, "HC", HC, status)
    call suite_settle(call, status, ierr)
  end subroutine
end module
