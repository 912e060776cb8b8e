! SPDX-License-Identifier: BSD-3-Clause
!> A host program in the shape of a quantum Monte Carlo code: variational Monte Carlo of the electron gas, electron by electron,
!> with its own rele(3,netot,nwalker), eevecs(4,netot,netot) and random numbers. It walks the same walk three times: with its own
!> loops, with suite's kernels called one electron at a time, and with whole sweeps of all walkers at once, the walkers staying on
!> the device.
!>
!>     casino_style [sc|fcc netot nwalker nblock [implementation [device]]]
program casino_main
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t, c_loc
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use host_gas, only: closed_shells, gas, make_gas
  use host_random, only: start_fractions
  use host_vmc_kernels, only: host_energy, host_sweep, host_walker, invert_slater, start_walker
  use suite_host_arrays, only: real64_2, real64_3 ! suite
  use suite_qmc                                   ! suite
  use walk_by_kernels, only: close_kernels, kernel_energy, kernel_inverses, kernel_sweep, kernel_walker, open_kernels, &
      start_kernel_walker
  implicit none

  real(dp), parameter :: rs = 5
  integer, parameter :: nstar = 10, decorr_period = 3, equil_nstep = 10, dbarrc = 10 !< sweeps, sweeps, blocks
  integer(int64), parameter :: seed = 20201107
  character(len=256) :: lattice = "sc", implementation = "cpu", device_name = ""
  integer :: netot = 14, nwalker = 4, nblock = 20

  !> One way of walking: energies of every block and walker, accepted moves, and what it took.
  type :: walk
    character(len=24) :: name
    real(dp), allocatable :: energy(:,:,:) !< (5,nblock,nwalker) Ha
    integer :: accepted = 0
    real(dp) :: moving = 0, measuring = 0  !< seconds
  end type

  type(gas) :: g
  type(walk) :: own, by_electron, by_sweep
  real(dp), allocatable, target :: rele(:,:,:)      !< (3,netot,nwalker) bohr, the start
  real(dp), allocatable :: eevecs_own(:,:,:)        !< (4,netot,netot), the last of the last walker
  real(dp) :: tau, apart
  type(suite_device) :: device                      ! suite

  call read_command_line()
  call start_host()
  call walk_with_own_loops(own)
  call suite_device_open(device, trim(device_name)) ! suite
  print "(2a)", "suite on ", suite_device_describe(device)
  call walk_one_electron_at_a_time(by_electron)
  call walk_in_sweeps(by_sweep)
  call suite_device_close(device)
  call report()

contains

  subroutine start_host()
    integer :: i, walker

    g = make_gas(trim(lattice), netot, rs, nstar)
    tau = (0.4_dp * rs)**2
    allocate(rele(3, netot, nwalker))
    do walker = 1, nwalker
      do i = 1, netot
        rele(:, i, walker) = matmul(g%cell, start_fractions(seed, walker - 1_int64, netot, i - 1))
      end do
    end do
    print "(3a,4(i0,a),f0.1,a)", "electron gas, ", trim(lattice), " cell: ", netot, " electrons, ", size(g%star), &
        " G vectors of p, ", nwalker, " walkers, ", nblock, " blocks of 3 sweeps, r_s = ", rs, " bohr"
  end subroutine

  subroutine start(this, name)
    type(walk), intent(out) :: this
    character(len=*), intent(in) :: name

    this%name = name
    allocate(this%energy(5, nblock, nwalker))
  end subroutine

  !> Block 0 is the way from the start; the others end in an energy.
  integer(int64) function first_sweep(block)
    integer, intent(in) :: block

    first_sweep = merge(0, equil_nstep + (block - 1) * decorr_period, block == 0)
  end function

  integer function sweeps_of(block)
    integer, intent(in) :: block

    sweeps_of = merge(equil_nstep, decorr_period, block == 0)
  end function

  subroutine walk_with_own_loops(this)
    type(walk), intent(out) :: this
    type(host_walker) :: w
    integer :: walker, block, sweep
    real(dp) :: t

    call start(this, "own loops")
    do walker = 1, nwalker
      call start_walker(g, rele(:, :, walker), w)
      do block = 0, nblock
        t = now()
        if (modulo(block, dbarrc) == dbarrc - 1) call invert_slater(g, w%rele, w%dbar)
        do sweep = 0, sweeps_of(block) - 1
          call host_sweep(g, w, tau, seed, walker - 1_int64, first_sweep(block) + sweep, this%accepted)
        end do
        this%moving = this%moving + now() - t
        if (block == 0) cycle
        t = now()
        this%energy(:, block, walker) = host_energy(g, w)
        this%measuring = this%measuring + now() - t
      end do
    end do
    eevecs_own = w%eevecs
  end subroutine

  subroutine walk_one_electron_at_a_time(this)
    type(walk), intent(out) :: this
    type(kernel_walker), target :: w
    integer :: walker, block, sweep
    real(dp) :: t

    call start(this, "kernels, one electron")
    call open_kernels(g, device, trim(implementation), w)
    do walker = 1, nwalker
      call start_kernel_walker(g, device, rele(:, :, walker), w)
      do block = 0, nblock
        t = now()
        if (modulo(block, dbarrc) == dbarrc - 1) call kernel_inverses(g, device, w)
        do sweep = 0, sweeps_of(block) - 1
          call kernel_sweep(g, w, tau, seed, walker - 1_int64, first_sweep(block) + sweep, this%accepted)
        end do
        this%moving = this%moving + now() - t
        if (block == 0) cycle
        t = now()
        this%energy(:, block, walker) = kernel_energy(g, w)
        this%measuring = this%measuring + now() - t
      end do
    end do
    ! Lengths: of two images equally close either may be the closest.
    apart = maxval(abs(w%eevecs(4, :, :) - eevecs_own(4, :, :))) / g%L_u
    call close_kernels(device, w)
  end subroutine

  !> All walkers at once; only numbers per walker come back.
  subroutine walk_in_sweeps(this)
    type(walk), intent(out) :: this
    type(suite_array) :: rele_there, dbar_there(2)
    type(suite_call) :: sweeps, energies
    real(dp), target :: energy(5, nwalker)
    integer(c_int32_t), target :: accepted(nwalker)
    integer(c_int64_t), target :: stream(nwalker)
    integer :: block, walker, spin
    real(dp) :: t

    call start(this, "kernels, whole sweeps")
    stream = [(walker - 1_c_int64_t, walker = 1, nwalker)]
    call suite_open(sweeps, "qmc.sweep", trim(implementation), device)
    call suite_open(energies, "qmc.local_energy", trim(implementation), device)
    call suite_qmc_sweep_set(sweeps, g%cell, g%kvec, g%nele, g%alpha, g%L_u, g%truncation, g%gvec, g%star, g%a)
    call suite_qmc_local_energy_set(energies, g%cell, g%kvec, g%nele, g%alpha, g%L_u, g%truncation, g%gvec, g%star, g%a)
    call suite_allocate(device, rele_there, suite_real64, shape(rele))
    call suite_upload(device, rele_there, c_loc(rele))
    do spin = 1, 2
      call suite_allocate(device, dbar_there(spin), suite_real64, [g%nele(spin), g%nele(spin), nwalker])
    end do
    call inverses_of_all(rele_there, dbar_there)
    call suite_qmc_sweep_put(sweeps, rele_there, dbar_there(1), dbar_there(2))
    do block = 0, nblock
      t = now()
      if (modulo(block, dbarrc) == dbarrc - 1) call inverses_of_all(rele_there, dbar_there)
      call suite_qmc_sweep_continue(sweeps, stream, tau, first_sweep(block), seed, accepted, nsweep=sweeps_of(block))
      this%moving = this%moving + now() - t
      this%accepted = this%accepted + int(sum(accepted))
      if (block == 0) cycle
      t = now()
      call suite_qmc_local_energy(energies, rele_there, real64_2(energy), dbar_there(1), dbar_there(2))
      this%measuring = this%measuring + now() - t
      this%energy(:, block, :) = energy
    end do
    call suite_close(sweeps)
    call suite_close(energies)
    call suite_release(device, rele_there)
    call suite_release(device, dbar_there(1))
    call suite_release(device, dbar_there(2))
  end subroutine

  !> Slater matrices of all walkers and their inverses, on the device; the host sees the positions only.
  subroutine inverses_of_all(rele_there, dbar_there)
    type(suite_array), intent(in) :: rele_there, dbar_there(2)
    real(dp), allocatable, target :: r(:,:,:), phi(:,:,:), positions(:,:,:)
    type(suite_call) :: orbital, invert
    integer :: spin, first

    allocate(positions, mold=rele)
    call suite_download(device, rele_there, c_loc(positions))
    call suite_open(orbital, "qmc.orbitals_free", trim(implementation), device)
    call suite_open(invert, "qmc.slater_invert", trim(implementation), device)
    call suite_qmc_orbitals_free_set(orbital, g%cell, g%kvec)
    do spin = 1, 2
      first = merge(0, g%nele(1), spin == 1)
      r = positions(:, first + 1:first + g%nele(spin), :)
      if (.not. allocated(phi)) allocate(phi(g%nele(spin), g%nele(spin), nwalker))
      call suite_qmc_orbitals_free(orbital, r, phi)
      call suite_qmc_slater_invert(invert, real64_3(phi), dbar_there(spin))
    end do
    call suite_close(orbital)
    call suite_close(invert)
  end subroutine

  subroutine report()
    real(dp) :: moves

    moves = real(netot, dp) * nwalker * (equil_nstep + nblock * decorr_period)
    print "(a,f7.4,a)", "accepted moves: ", own%accepted / moves, " of all"
    print "(2a)", "                            energy (Ha)       error       KEI        TI      FISQ     ewald", &
        "   moves (s)  energies (s)  us/move"
    call show(own, moves)
    call show(by_electron, moves)
    call show(by_sweep, moves)
    print "(a,f7.1,a,f7.1,3a)", "moves: own loops / one electron ", own%moving / by_electron%moving, &
        "    own loops / whole sweeps ", own%moving / by_sweep%moving, "    (", trim(implementation), ")"
    print "(a,3es9.2)", "largest relative difference from own loops: one electron, whole sweeps, eevecs ", &
        difference(by_electron), difference(by_sweep), apart
    ! The walks are the same, so what is left is rounding; a block renews the inverse Slater matrices every dbarrc.
    if (by_electron%accepted /= own%accepted .or. .not. difference(by_electron) <= 1.0e-10_dp .or. .not. apart <= 1.0e-10_dp) &
      error stop "the host's loops and suite's kernels disagree"
    if (by_sweep%accepted /= own%accepted .or. .not. difference(by_sweep) <= 1.0e-10_dp) &
      error stop "the host's loops and suite's sweeps disagree"
  end subroutine

  !> Of the largest of the parts of an energy, so that a total near 0 asks for no more than there is.
  real(dp) function difference(this)
    type(walk), intent(in) :: this

    difference = maxval(abs(this%energy - own%energy)) / maxval(abs(own%energy(2:, :, :)))
  end function

  subroutine show(this, moves)
    type(walk), intent(in) :: this
    real(dp), intent(in) :: moves
    real(dp) :: mean(5), error
    integer :: n

    n = nblock * nwalker
    mean = sum(sum(this%energy, 3), 2) / n
    ! Without what blocks remember of each other: that is for a code's own statistics.
    error = sqrt(sum((this%energy(1, :, :) - mean(1))**2) / max(1, n - 1) / n)
    print "(a,f15.10,f12.6,4f10.4,f12.4,f14.4,f9.2)", this%name, mean(1), error, mean(2:), this%moving, this%measuring, &
        this%moving / moves * 1.0e6_dp
  end subroutine

  real(dp) function now()
    integer(int64) :: ticks, rate

    call system_clock(ticks, rate)
    now = real(ticks, dp) / real(rate, dp)
  end function

  !> The reference computes on the CPU; every other implementation of suite on the device of its name.
  subroutine read_command_line()
    integer, allocatable :: closed(:)

    if (command_argument_count() > 0) then
      if (command_argument_count() < 4) call usage()
      call get_command_argument(1, lattice)
      if (lattice /= "sc" .and. lattice /= "fcc") call usage()
      call read_number(2, 2, netot)
      call read_number(3, 1, nwalker)
      call read_number(4, 1, nblock)
      if (command_argument_count() > 4) call get_command_argument(5, implementation)
    end if
    device_name = implementation
    if (implementation == "reference" .or. index(implementation, "/") > 0) device_name = "cpu"
    if (command_argument_count() > 5) call get_command_argument(6, device_name)
    closed = closed_shells(trim(lattice), (netot + 1) / 2)
    if (modulo(netot, 2) == 0 .and. any(2 * closed == netot)) return
    print "(i0,2a,*(i0,:,a))", netot, " electrons leave a shell of plane waves open in this cell; the next that close it are ", &
        "", 2 * closed(max(1, size(closed) - 1)), " and ", 2 * closed(size(closed))
    call usage()
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
    print "(a)", "usage: casino_style [sc|fcc netot nwalker nblock [implementation [device]]]   " // &
        "with netot electrons that fill closed shells, such as 14, 38, 54 (sc) or 18, 54, 678 (fcc)"
    stop 2
  end subroutine
end program
