! SPDX-License-Identifier: BSD-3-Clause
!> A host program in the shape of a quantum molecular dynamics code with local field dynamics: molecular dynamics steps
!> outside, real-time propagation of the electrons inside - once by the host's own OpenMP kernels, once by suite, which keeps
!> the wavefunctions on its device between the steps of the ions ("shadow dynamics"): per step only the potential of the
!> ions goes down, and density, dipole and populations come back.
!> The lines that a developer adds to such a code are the ones marked "! suite".
!>
!>     qxmd_style [N Norb md_steps qd_steps [implementation [device]]]
program qmd_main
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_loc
  use, intrinsic :: iso_fortran_env, only: int64
  use host_ions, only: add_forces, ions, make_orbitals, make_pulse, make_vloc, move_ions, place_ions
  use host_lfd_kernels, only: compute_rho, field_prop, host_qd_steps, populations
  use host_precision, only: dp, wp
  use suite_host_arrays, only: real64_1, real64_2 ! suite
  use suite_lfd ! suite
  implicit none

  real(dp), parameter :: h(3) = [0.50_dp, 0.52_dp, 0.54_dp], dt = 0.03_dp, gamma = 0.15_dp
  integer, parameter :: field_steps = 10
  integer :: Nx, Ny, Nz, N = 16, Norb = 8, md_steps = 10, qd_steps = 20, md
  character(len=256) :: implementation = "cpu", device_name = ""
  complex(wp), allocatable, target :: psi(:,:,:,:), psi_host(:,:,:,:)
  real(wp), allocatable, target :: vloc(:,:,:), vH(:,:,:,:), vH_host(:,:,:,:), rho(:,:,:), rho_host(:,:,:)
  real(dp), allocatable, target :: f(:), A(:,:), dipole(:,:), dipole_host(:,:), phi(:,:)
  real(dp), allocatable, target :: population(:), population_host(:), kinetic(:)
  real(dp) :: kappa, host_seconds, suite_seconds, host_watch_seconds, watch_seconds, difference
  type(ions) :: molecule
  integer(int64) :: t0, t1, rate

  type(suite_device) :: device                                        ! suite
  type(suite_call) :: lfd, watch                                      ! suite
  type(suite_array) :: psi_there, vloc_there, vH_there, rho_there     ! suite
  logical :: watched

  call read_command_line()
  call start_host()
  call system_clock(t0, rate)
  call start_suite()
  call system_clock(t1)
  print "(a,f8.3,2a)", "suite starts in ", seconds_between(t0, t1), " s on ", suite_device_describe(device)
  host_seconds = 0
  suite_seconds = 0
  host_watch_seconds = 0
  watch_seconds = 0
  difference = 0
  print "(a)", "   t (hbar/Ha)    bond (bohr)     dipole x     electrons    excited    difference"

  do md = 1, md_steps
    call move_ions(molecule, qd_steps * dt)
    call make_vloc(molecule, h, vloc)
    call make_pulse((md - 1) * qd_steps, md_steps * qd_steps, dt, A)

    call system_clock(t0)
    call host_qd_steps(psi_host, f, vloc, h, dt, A, vH_host, kappa, gamma, field_steps, rho_host, dipole_host)
    call system_clock(t1)
    host_seconds = host_seconds + seconds_between(t0, t1)
    call populations(psi_host, phi, h, population_host)
    call system_clock(t0)
    host_watch_seconds = host_watch_seconds + seconds_between(t1, t0)

    call system_clock(t0)
    call suite_upload(device, vloc_there, c_loc(vloc))                ! suite
    call suite_lfd_propagate(lfd, psi_there, vH_there, vloc_there, A, f, dt, rho_there, real64_2(dipole), &  ! suite
        kappa=kappa, gamma=gamma, field_steps=field_steps)            ! suite
    call suite_download(device, rho_there, c_loc(rho))                ! suite
    call system_clock(t1)
    suite_seconds = suite_seconds + seconds_between(t0, t1)
    if (watched) call watch_populations()                             ! suite
    call system_clock(t0)
    watch_seconds = watch_seconds + seconds_between(t1, t0)

    call add_forces(molecule, rho, h)
    call compare(real(rho, dp), real(rho_host, dp))
    difference = max(difference, maxval(abs(dipole - dipole_host)) / maxval(abs(dipole_host)))
    if (watched) difference = max(difference, maxval(abs(population - population_host)))
    print "(f12.3,f15.6,f14.6,f14.8,f11.6,es13.2)", md * qd_steps * dt, sqrt(sum((molecule%r(:, 2) - molecule%r(:, 1))**2)), &
        dipole(1, qd_steps), dipole(4, qd_steps), sum(f * (1 - population)), difference
  end do

  call suite_download(device, psi_there, c_loc(psi))                  ! suite, once and only to compare
  difference = max(difference, maxval(abs(psi - psi_host)) / maxval(abs(psi_host)))
  call stop_suite()
  call report()

contains

  subroutine start_host()
    integer :: i, j, k, point

    Nx = N
    Ny = N + 2
    Nz = N + 4
    allocate(psi(Norb, Nz, Ny, Nx), psi_host(Norb, Nz, Ny, Nx), vloc(Nz, Ny, Nx), vH(Nz, Ny, Nx, 2), vH_host(Nz, Ny, Nx, 2))
    allocate(rho(Nz, Ny, Nx), rho_host(Nz, Ny, Nx), f(Norb), A(3, qd_steps), dipole(4, qd_steps), dipole_host(4, qd_steps))
    allocate(phi(Nz * Ny * Nx, Norb), population(Norb), population_host(Norb), kinetic(Norb))
    print "(5(a,i0),2a)", "local field dynamics: ", Nx, " x ", Ny, " x ", Nz, " points, ", Norb, " orbitals, field steps ", &
        field_steps, ", ", merge("double", "single", wp == dp) // " precision"
    f = 2
    kappa = 0.8_dp * (4 - 2 * gamma) / (4 * sum(1 / h**2)) ! 0.8 of what is stable
    call make_orbitals([Nx, Ny, Nz], h, phi)
    point = 0
    do i = 1, Nx
      do j = 1, Ny
        do k = 1, Nz
          point = point + 1
          psi_host(:, k, j, i) = cmplx(phi(point, :), kind=wp)
        end do
      end do
    end do
    call place_ions(molecule)
    call compute_rho(psi_host, f, rho)
    vH_host = 0
    call field_prop(vH_host(:,:,:,1), vH_host(:,:,:,2), rho, h, kappa, gamma, 200)
    call add_forces(molecule, rho, h)
    psi = psi_host
    vH = vH_host
    population = 1
  end subroutine

  !> Wavefunctions and field go to the device, and stay.
  subroutine start_suite()
    integer(c_int32_t) :: orbital_type, field_type
    integer :: ierr

    orbital_type = merge(suite_complex128, suite_complex64, wp == dp)
    field_type = merge(suite_real64, suite_real32, wp == dp)
    call suite_device_open(device, trim(device_name))
    call suite_open(lfd, "lfd.propagate", trim(implementation), device)
    call suite_choose(lfd, "field", "fused")
    call suite_choose(lfd, "functional", "pz81")
    call suite_choose(lfd, "gauge", "velocity")
    call suite_allocate(device, psi_there, orbital_type, shape(psi))
    call suite_allocate(device, vH_there, field_type, shape(vH))
    call suite_allocate(device, vloc_there, field_type, shape(vloc))
    call suite_allocate(device, rho_there, field_type, shape(rho))
    call suite_upload(device, psi_there, c_loc(psi))
    call suite_upload(device, vH_there, c_loc(vH))
    call suite_lfd_propagate_set(lfd, h)
    call suite_open(watch, "lfd.calc_energy", trim(implementation), device, ierr)
    watched = ierr == suite_ok
    if (watched) then
      call set_watch()
    else
      print "(2a)", "populations are not watched: ", suite_message(watch)
    end if
  end subroutine

  !> Populations by lfd.calc_energy: with the orbitals of the start as projectors on all points and 1 as their coefficients,
  !> its nonlocal energy of orbital n is sum_m |<phi_m|psi_n>|^2. They go to the device once; per call Norb numbers return.
  subroutine set_watch()
    integer, allocatable :: nlpoint(:,:)
    real(dp), allocatable, target, save :: nldisp(:,:,:), beta(:,:,:), dnl(:,:,:)
    integer :: i

    allocate(nlpoint(size(phi, 1), 1), nldisp(3, size(phi, 1), 1), dnl(Norb, Norb, 1))
    nlpoint(:, 1) = [(i, i = 1, size(phi, 1))]
    nldisp = 0 ! no phase: A stays out of it
    beta = reshape(phi, [size(phi, 1), Norb, 1])
    dnl = 0
    do i = 1, Norb
      dnl(i, i, 1) = 1
    end do
    call suite_lfd_calc_energy_set(watch, h, nlpoint, nldisp, beta, dnl)
  end subroutine

  subroutine watch_populations()
    real(dp), target :: energy(5)

    call suite_lfd_calc_energy(watch, psi_there, vH_there, vloc_there, rho_there, f, real64_1(kinetic), real64_1(population), &
        real64_1(energy))
  end subroutine

  subroutine stop_suite()
    call suite_close(lfd)
    call suite_close(watch)
    call suite_release(device, psi_there)
    call suite_release(device, vH_there)
    call suite_release(device, vloc_there)
    call suite_release(device, rho_there)
    call suite_device_close(device)
  end subroutine

  subroutine compare(value, expected)
    real(dp), intent(in) :: value(:,:,:), expected(:,:,:)

    difference = max(difference, maxval(abs(value - expected)) / maxval(abs(expected)))
  end subroutine

  subroutine report()
    ! The kernel's documented tolerance, 1e-12 and 1e-4, holds for one call; errors add up over the steps of the ions.
    real(dp) :: tolerance

    tolerance = merge(1.0e-12_dp, 1.0e-4_dp, wp == dp) * max(10, md_steps)
    print "(a,es9.2)", "largest relative difference of density, dipole, populations and wavefunctions ", difference
    print "(3(a,i0),a)", "bytes per step of the ions: potential ", storage_size(vloc) / 8 * size(vloc), " down, density ", &
        storage_size(rho) / 8 * size(rho), " up; wavefunctions ", storage_size(psi) / 8 * size(psi), " stay"
    print "(a,f9.3,a,f9.3,a,f7.1,3a)", "propagation: host kernels ", host_seconds, " s    suite ", suite_seconds, " s    ratio ", &
        host_seconds / suite_seconds, "    (", trim(implementation), ")"
    if (watched) print "(a,f9.3,a,f9.3,a,f7.1)", "populations: host kernel  ", host_watch_seconds, " s    suite ", watch_seconds, &
        " s    ratio ", host_watch_seconds / watch_seconds
    if (.not. difference <= tolerance) error stop "the host's kernels and suite disagree"
  end subroutine

  real(dp) function seconds_between(from, to)
    integer(int64), intent(in) :: from, to

    seconds_between = real(to - from, dp) / rate
  end function

  !> The reference computes on the CPU; every other implementation of suite on the device of its name.
  subroutine read_command_line()
    if (command_argument_count() > 0) then
      if (command_argument_count() < 4) call usage()
      call read_number(1, 4, N)
      call read_number(2, 1, Norb)
      call read_number(3, 1, md_steps)
      call read_number(4, 1, qd_steps)
      if (modulo(N, 2) /= 0) call usage()
      if (command_argument_count() > 4) call get_command_argument(5, implementation)
    end if
    device_name = implementation
    if (implementation == "reference" .or. index(implementation, "/") > 0) device_name = "cpu"
    if (command_argument_count() > 5) call get_command_argument(6, device_name)
  end subroutine

  subroutine read_number(position, least, number)
    integer, intent(in) :: position, least
    integer, intent(inout) :: number
    character(len=256) :: word
    integer :: status

    call get_command_argument(position, word)
    read (word, *, iostat=status) number
    if (status /= 0 .or. number < least) call usage()
  end subroutine

  subroutine usage()
    print "(a)", "usage: qxmd_style [N Norb md_steps qd_steps [implementation [device]]]   " // &
        "with N even and at least 4, the others at least 1"
    stop 2
  end subroutine
end program
