! SPDX-License-Identifier: BSD-3-Clause
!> What suite_lfd brings back to the host while psi and the fields stay on the device.
module suite_lfd_device
  use, intrinsic :: iso_c_binding, only: c_double
  use suite
  use suite_arguments, only: of_list, of_table
  use suite_lfd_calls, only: get_energy, get_propagate
  implicit none (type, external)
  private

  public :: get_device, get_energy_arrays

contains

  subroutine get_device(lfd, dipole, current, ierr)
    type(suite_call), intent(inout) :: lfd
    real(c_double), intent(inout), target :: dipole(:,:)
    real(c_double), intent(inout), target, optional :: current(:,:)
    integer, intent(out), optional :: ierr

    call get_propagate(lfd, suite_array(), of_table(dipole), of_table(current), suite_array(), suite_array(), ierr)
  end subroutine

  subroutine get_energy_arrays(lfd, ekin, enl, energy, ierr)
    type(suite_call), intent(inout) :: lfd
    real(c_double), intent(inout), target :: ekin(:), enl(:), energy(:)
    integer, intent(out), optional :: ierr

    call get_energy(lfd, of_list(ekin), of_list(enl), of_list(energy), ierr)
  end subroutine
end module
