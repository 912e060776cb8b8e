! SPDX-License-Identifier: BSD-3-Clause
!> The same walk with the host's loops replaced by suite's kernels, one call per kernel and electron: the way into a host code
!> whose moves stay its own. The host keeps rele and eevecs; the inverse Slater matrices live on the device.
module walk_by_kernels
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_loc
  use host_gas, only: gas
  use host_random, only: acceptance_uniform, move_gaussians
  use suite_host_arrays, only: real64_2, real64_3, real64_4
  use suite_qmc
  implicit none
  private
  public :: kernel_walker, open_kernels, start_kernel_walker, kernel_inverses, kernel_sweep, kernel_energy, close_kernels

  !> One walker and the calls that move it. Components of two: spin up and down.
  type :: kernel_walker
    real(dp), allocatable :: rele(:,:,:)      !< (3,netot,1) bohr
    real(dp), allocatable :: eevecs(:,:,:)    !< (4,netot,netot)
    complex(dp), allocatable :: rhok(:,:,:)   !< (ngvec,2,1)
    real(dp), allocatable :: rnew(:,:,:), rtry(:,:,:), row(:,:,:,:), phi(:,:,:) !< of the move that is tried
    type(suite_array) :: dbar(2)              !< (n,n,1) on the device
    type(suite_call) :: images, u, p, rho, rho_move, orbital, ratio(2), update(2)
    ! All electrons at once, for energies.
    type(suite_call) :: u_all, p_all, orbital_all, ratio_all(2), invert(2), ewald
  end type

contains

  subroutine open_kernels(g, device, implementation, w)
    type(gas), intent(in) :: g
    type(suite_device), intent(inout) :: device
    character(len=*), intent(in) :: implementation
    type(kernel_walker), intent(inout), target :: w
    integer :: spin, n

    n = g%nele(1)
    call suite_open(w%images, "qmc.closest_images", implementation, device)
    call suite_open(w%u, "qmc.jastrow_u", implementation, device)
    call suite_open(w%u_all, "qmc.jastrow_u", implementation, device)
    call suite_open(w%p, "qmc.jastrow_p", implementation, device)
    call suite_open(w%p_all, "qmc.jastrow_p", implementation, device)
    call suite_open(w%rho, "qmc.structure_factor", implementation, device)
    call suite_open(w%rho_move, "qmc.structure_factor", implementation, device)
    call suite_open(w%orbital, "qmc.orbitals_free", implementation, device)
    call suite_open(w%orbital_all, "qmc.orbitals_free", implementation, device)
    call suite_open(w%ewald, "qmc.ewald", implementation, device)
    call suite_qmc_closest_images_set(w%images, g%cell)
    call suite_qmc_jastrow_u_set(w%u, g%cell, g%alpha, g%nele, g%L_u, g%truncation)
    call suite_qmc_jastrow_u_set(w%u_all, g%cell, g%alpha, g%nele, g%L_u, g%truncation)
    call suite_qmc_jastrow_p_set(w%p, g%cell, g%gvec, g%a, g%nele, g%star)
    call suite_qmc_jastrow_p_set(w%p_all, g%cell, g%gvec, g%a, g%nele, g%star)
    call suite_qmc_structure_factor_set(w%rho, g%cell, g%gvec, g%nele)
    call suite_qmc_structure_factor_set(w%rho_move, g%cell, g%gvec, g%nele)
    call suite_qmc_orbitals_free_set(w%orbital, g%cell, g%kvec)
    call suite_qmc_orbitals_free_set(w%orbital_all, g%cell, g%kvec)
    call suite_qmc_ewald_set(w%ewald, g%cell, spread(-1.0_dp, 1, g%netot))
    do spin = 1, 2
      call suite_allocate(device, w%dbar(spin), suite_real64, [n, n, 1])
      call suite_open(w%ratio(spin), "qmc.slater_ratio", implementation, device)
      call suite_open(w%ratio_all(spin), "qmc.slater_ratio", implementation, device)
      call suite_open(w%update(spin), "qmc.slater_update", implementation, device)
      call suite_open(w%invert(spin), "qmc.slater_invert", implementation, device)
      call suite_qmc_slater_update_put(w%update(spin), w%dbar(spin)) ! stays there
    end do
    allocate(w%rnew(3, 2, 1), w%rtry(3, 1, 1), w%row(4, g%netot, 1, 1), w%phi(n, 1, 1), w%eevecs(4, g%netot, g%netot), &
        w%rhok(size(g%star), 2, 1), w%rele(3, g%netot, 1))
    w%rhok = 0 ! both input and result: what is there must be numbers
  end subroutine

  !> The walker's arrays for new positions.
  subroutine start_kernel_walker(g, device, rele, w)
    type(gas), intent(in) :: g
    type(suite_device), intent(inout) :: device
    real(dp), intent(in) :: rele(:,:)
    type(kernel_walker), intent(inout), target :: w
    integer :: i

    w%rele(:, :, 1) = rele
    do i = 1, g%netot
      w%rtry(:, 1, 1) = rele(:, i)
      call suite_qmc_closest_images(w%images, w%rtry, w%rele, w%row)
      w%row(:, i, 1, 1) = 0
      w%eevecs(:, :, i) = w%row(:, :, 1, 1)
    end do
    call suite_qmc_structure_factor(w%rho, w%rele, w%rhok)
    call kernel_inverses(g, device, w)
  end subroutine

  !> The inverse Slater matrices from scratch.
  subroutine kernel_inverses(g, device, w)
    type(gas), intent(in) :: g
    type(suite_device), intent(inout) :: device
    type(kernel_walker), intent(inout), target :: w
    real(dp), target :: phi(g%nele(1), g%nele(1), 1), dbar(g%nele(1), g%nele(1), 1)
    integer :: spin

    do spin = 1, 2
      call suite_qmc_orbitals_free(w%orbital_all, of_spin(g, w%rele, spin), phi)
      call suite_qmc_slater_invert(w%invert(spin), phi, dbar)
      call suite_upload(device, w%dbar(spin), c_loc(dbar))
    end do
  end subroutine

  !> One sweep. Where electron i is and where it goes are two positions of one call.
  subroutine kernel_sweep(g, w, tau, seed, stream, sweep, accepted)
    type(gas), intent(in) :: g
    type(kernel_walker), intent(inout), target :: w
    real(dp), intent(in) :: tau
    integer(int64), intent(in) :: seed, stream, sweep
    integer, intent(inout) :: accepted
    real(dp), target :: u(2, 1), p(2, 1), ratio(1, 1)
    integer(c_int32_t), target :: moved(1, 1)
    integer :: i, spin, column

    do i = 1, g%netot
      spin = merge(1, 2, i <= g%nele(1))
      column = i - merge(0, g%nele(1), spin == 1)
      w%rtry(:, 1, 1) = w%rele(:, i, 1) + sqrt(tau) * move_gaussians(seed, stream, sweep, i - 1)
      w%rnew(:, 1, 1) = w%rele(:, i, 1)
      w%rnew(:, 2, 1) = w%rtry(:, 1, 1)
      call suite_qmc_closest_images(w%images, w%rtry, w%rele, w%row)                                        ! suite
      call suite_qmc_jastrow_u(w%u, w%rele, u, ie=i, rnew=w%rnew)                                           ! suite
      call suite_qmc_jastrow_p(w%p, w%rele, p, ie=i, rnew=w%rnew, rhok=w%rhok)                              ! suite
      call suite_qmc_orbitals_free(w%orbital, w%rtry, w%phi)                                                ! suite
      call suite_qmc_slater_ratio(w%ratio(spin), w%dbar(spin), real64_3(w%phi), real64_2(ratio), ie=column) ! suite
      if (.not. acceptance_uniform(seed, stream, sweep, i - 1) &
          < (ratio(1, 1) * exp(u(2, 1) - u(1, 1) + p(2, 1) - p(1, 1)))**2) cycle
      accepted = accepted + 1
      moved = int(column, c_int32_t)
      call suite_qmc_slater_update_continue(w%update(spin), moved, w%phi)                                   ! suite
      call suite_qmc_structure_factor(w%rho_move, w%rele, w%rhok, ie=i, rnew=w%rtry)                        ! suite
      w%rele(:, i, 1) = w%rtry(:, 1, 1)
      w%row(:, i, 1, 1) = 0
      w%eevecs(:, :, i) = w%row(:, :, 1, 1)
      w%eevecs(1:3, i, :) = -w%row(1:3, :, 1, 1)
      w%eevecs(4, i, :) = w%row(4, :, 1, 1)
    end do
  end subroutine

  !> KEI + ewald, KEI, TI, FISQ and ewald, in Ha, put together by the host from the kernels' parts.
  function kernel_energy(g, w) result(energy)
    type(gas), intent(in) :: g
    type(kernel_walker), intent(inout), target :: w
    real(dp) :: energy(5)
    real(dp), target :: value(g%netot, 1), gj(3, g%netot, 1), lj(g%netot, 1), gp(3, g%netot, 1), lp(g%netot, 1), total(1)
    real(dp), target :: gd(3, g%nele(1), 1), ld(g%nele(1), 1), one(g%nele(1), 1)
    real(dp), target :: phi(g%nele(1), g%nele(1), 1), dphi(g%nele(1), 3, g%nele(1), 1), d2phi(g%nele(1), g%nele(1), 1)
    integer :: spin, i, first

    call suite_qmc_jastrow_u(w%u_all, w%rele, value, gradient=gj, laplacian=lj)
    call suite_qmc_jastrow_p(w%p_all, w%rele, value, rhok=w%rhok, gradient=gp, laplacian=lp)
    call suite_qmc_ewald(w%ewald, w%rele, total=total)
    gj = gj + gp
    lj = lj + lp
    energy = 0
    do spin = 1, 2
      call suite_qmc_orbitals_free(w%orbital_all, of_spin(g, w%rele, spin), phi, dphi, d2phi)
      call suite_qmc_slater_ratio(w%ratio_all(spin), w%dbar(spin), real64_3(phi), real64_2(one), dphi=real64_4(dphi), &
          d2phi=real64_3(d2phi), drift=real64_3(gd), laplacian=real64_2(ld))
      first = merge(0, g%nele(1), spin == 1)
      do i = 1, g%nele(1)
        associate (g_j => gj(:, first + i, 1), l_j => lj(first + i, 1), g_d => gd(:, i, 1), l_d => ld(i, 1))
          energy(2) = energy(2) - 0.5_dp * (l_d + 2 * dot_product(g_d, g_j) + l_j + sum(g_j**2))
          energy(3) = energy(3) - 0.25_dp * (l_d - sum(g_d**2) + l_j)
          energy(4) = energy(4) + 0.5_dp * sum((g_d + g_j)**2)
        end associate
      end do
    end do
    energy(5) = total(1)
    energy(1) = energy(2) + energy(5)
  end function

  !> Positions of one spin.
  function of_spin(g, rele, spin) result(r)
    type(gas), intent(in) :: g
    real(dp), intent(in) :: rele(:,:,:)
    integer, intent(in) :: spin
    real(dp) :: r(3, g%nele(1), size(rele, 3))

    r = rele(:, merge(1, g%nele(1) + 1, spin == 1):merge(g%nele(1), g%netot, spin == 1), :)
  end function

  subroutine close_kernels(device, w)
    type(suite_device), intent(inout) :: device
    type(kernel_walker), intent(inout) :: w
    integer :: spin

    do spin = 1, 2
      call suite_close(w%ratio(spin))
      call suite_close(w%ratio_all(spin))
      call suite_close(w%update(spin))
      call suite_close(w%invert(spin))
      call suite_release(device, w%dbar(spin))
    end do
    call suite_close(w%images)
    call suite_close(w%u)
    call suite_close(w%u_all)
    call suite_close(w%p)
    call suite_close(w%p_all)
    call suite_close(w%rho)
    call suite_close(w%rho_move)
    call suite_close(w%orbital)
    call suite_close(w%orbital_all)
    call suite_close(w%ewald)
  end subroutine
end module
