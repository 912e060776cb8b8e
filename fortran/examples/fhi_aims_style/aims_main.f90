! SPDX-License-Identifier: BSD-3-Clause
!> A host program in the shape of an all-electron code with numeric atom-centred orbitals: batches of points, its own arrays, its
!> own ground state of a helium atom and hydrogen molecules in a row. Their polarizability comes from the self-consistent response
!> three times: with the host's own loops, with suite's kernels on the host's arrays, and with what only kernels see on the device.
!>
!>     fhi_aims_style [nmolecule [implementation [device]]]
program aims_main
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use, intrinsic :: iso_c_binding, only: c_loc
  use host_grid, only: integration_grid, make_grid
  use host_ground_state, only: converge, dipole, ground_state
  use host_molecule, only: make_molecule, molecule
  use host_first_order, only: first_order, host_cycle, polarizability, stages, start
  use response_by_kernels, only: close_kernels, device_cycle, kernel_cycle, kernels, open_kernels
  use suite_dfpt ! suite
  implicit none

  real(dp), parameter :: mixing = 0.75_dp, tolerance = 1.0e-9_dp, agreement = 1.0e-9_dp
  character(len=256) :: implementation = "cpu", device_name = ""
  integer :: nmolecule = 1
  type(molecule), target :: m
  type(integration_grid), target :: g
  type(ground_state), target :: s
  type(first_order) :: own, by_kernels, on_device
  type(suite_device) :: device ! suite
  type(kernels) :: k           ! suite
  real(dp) :: apart(4)

  call read_command_line()
  m = make_molecule(nmolecule)
  g = make_grid(m)
  print "(5(i0,a))", m%n_atoms, " atoms, ", m%n_basis, " basis functions, ", g%n_points, " points in ", &
      size(g%batch_points) - 1, " batches, ", 2 * m%n_occ, " electrons"
  s = converge(m, g, [0.0_dp, 0.0_dp, 0.0_dp])
  print "(a,i0,a,f0.6,a,*(f10.6))", "ground state in ", s%iterations, " iterations, ", sum(g%partition_tab * s%rho(:, 1)), &
      " electrons, occupied and lowest empty level (Ha)", s%eigenvalues(:m%n_occ + 1)
  call start(m, g, "own loops", own)
  call iterate(own)
  call suite_device_open(device, trim(device_name)) ! suite
  print "(2a)", "suite on ", suite_device_describe(device)
  call open_kernels(m, g, device, trim(implementation), k)
  call start(m, g, "kernels, the host's arrays", by_kernels)
  call iterate(by_kernels)
  call start(m, g, "kernels, on the device", on_device)
  call iterate(on_device)
  apart = [wave_apart(), difference(by_kernels), difference(on_device), field_apart()]
  call close_kernels(device, k)
  call suite_device_close(device)
  call report()

contains

  !> The coupled-perturbed self-consistent field, from no response at all.
  subroutine iterate(this)
    type(first_order), intent(inout), target :: this
    real(dp), target :: next(m%n_basis, m%n_basis, 3)
    real(dp) :: change
    integer :: iteration

    do iteration = 1, 100
      this%iterations = iteration
      if (this%name == "own loops") then
        call host_cycle(m, g, s, this, next)
      else if (this%name == "kernels, on the device") then
        call device_cycle(g, s, device, k, this, next)
      else
        call kernel_cycle(g, s, k, this, next)
      end if
      change = maxval(abs(next - this%density_matrix))
      if (change < tolerance) return
      this%density_matrix = this%density_matrix + mixing * (next - this%density_matrix)
    end do
    error stop "the response does not converge"
  end subroutine

  !> The largest difference of any quantity from the own loops', by the largest value of that quantity.
  real(dp) function difference(this)
    type(first_order), intent(in) :: this

    difference = max(relative([this%rho], [own%rho]), relative([this%potential], [own%potential]), &
        relative([this%H], [own%H]), relative([this%density_matrix], [own%density_matrix]))
    if (this%name == "kernels, on the device") return
    difference = max(difference, relative([this%rho_multipole], [own%rho_multipole]), &
        relative([this%potential_spl], [own%potential_spl]), relative([this%moments], [own%moments]))
  end function

  real(dp) function relative(value, expected)
    real(dp), intent(in) :: value(:), expected(:)

    relative = maxval(abs(value - expected)) / maxval(abs(expected))
  end function

  real(dp) function wave_apart()
    real(dp), target :: wave(g%n_wave)

    call suite_download(device, k%wave, c_loc(wave))
    wave_apart = relative(wave, s%wave)
  end function

  !> Of the same polarizability from the host's ground states in fields along x.
  real(dp) function field_apart()
    real(dp), parameter :: strength = 3.0e-4_dp
    real(dp) :: there(3), back(3), alpha(3, 3)
    type(ground_state) :: polarized

    polarized = converge(m, g, [-strength, 0.0_dp, 0.0_dp])
    there = dipole(g, polarized%rho(:, 1))
    polarized = converge(m, g, [strength, 0.0_dp, 0.0_dp])
    back = dipole(g, polarized%rho(:, 1))
    alpha = polarizability(g, own)
    field_apart = maxval(abs((there - back) / (2 * strength) - alpha(:, 1))) / alpha(1, 1)
  end function

  subroutine report()
    real(dp) :: alpha(3, 3)

    alpha = polarizability(g, on_device)
    print "(a,3(/,3f14.8))", "polarizability (bohr^3)", transpose(alpha)
    print "(2a,6a14)", "milliseconds of an iteration ", "        ", stages
    call show(own)
    call show(by_kernels)
    call show(on_device)
    print "(a,3es9.2)", "largest relative difference from own loops: wave, the host's arrays, on the device ", apart(:3)
    print "(a,2es9.2,a,es9.2)", "checks: tensor not symmetric by, charge of the response ", &
        maxval(abs(alpha - transpose(alpha))) / alpha(1, 1), maxval(abs(matmul(g%partition_tab, on_device%rho))), &
        ", from finite fields along x by ", apart(4)
    if (.not. all(apart(:3) <= agreement) .or. by_kernels%iterations /= own%iterations .or. &
        on_device%iterations /= own%iterations) error stop "the host's loops and suite's kernels disagree"
    if (.not. apart(4) <= 1.0e-4_dp) error stop "the response is not that of the ground state in a field"
  end subroutine

  subroutine show(this)
    type(first_order), intent(in) :: this

    print "(a,i4,a,6f14.4)", this%name, this%iterations, " it.", this%seconds * 1000 / this%iterations
  end subroutine

  !> The reference computes on the CPU; every other implementation of suite on the device of its name.
  subroutine read_command_line()
    character(len=256) :: word
    integer :: status

    if (command_argument_count() > 0) then
      call get_command_argument(1, word)
      read (word, *, iostat=status) nmolecule
      if (status /= 0 .or. nmolecule < 0) call usage()
    end if
    if (command_argument_count() > 1) call get_command_argument(2, implementation)
    device_name = implementation
    if (implementation == "reference" .or. index(implementation, "/") > 0) device_name = "cpu"
    if (command_argument_count() > 2) call get_command_argument(3, device_name)
  end subroutine

  subroutine usage()
    print "(a)", "usage: fhi_aims_style [nmolecule [implementation [device]]]   with nmolecule hydrogen molecules, 0 or more"
    stop 2
  end subroutine
end program
