! SPDX-License-Identifier: BSD-3-Clause
!> What a GW host code has at hand when it reaches its sigma loop: screening of one q, matrix elements of one external
!> band, band energies. Made up here, deterministically, with the proportions of real silicon data.
module host_data
  implicit none
  private

  integer, parameter, public :: dp = kind(1.0d0)
  public :: make_screening, make_matrix_elements, make_energies

contains

  !> The plasmon poles and inverse dielectric matrix of q point iq. About 30 % of the poles are invalid and stand at
  !> 1e12 eV (static limit), 5 % are zero, as in silicon.
  subroutine make_screening(iq, wtilde_array, I_eps_array, vcoul)
    integer, intent(in) :: iq
    complex(dp), intent(out) :: wtilde_array(:,:) !< (ncouls,ngpown) eV
    complex(dp), intent(out) :: I_eps_array(:,:)  !< (ncouls,ngpown)
    real(dp), intent(out) :: vcoul(:)             !< (ncouls) Ry
    integer :: ig, my_igp
    real(dp) :: u, decay

    call seed(iq)
    do ig = 1, size(vcoul)
      vcoul(ig) = 2.0_dp / (1.0_dp + real(ig, dp)**(2.0_dp / 3.0_dp)) / size(vcoul)
    end do
    do my_igp = 1, size(wtilde_array, 2)
      do ig = 1, size(wtilde_array, 1)
        decay = 1.0_dp / (1.0_dp + abs(ig - my_igp))
        I_eps_array(ig, my_igp) = decay * cmplx(random() - 0.2_dp, 0.3_dp * (random() - 0.5_dp), dp)
        u = random()
        if (u < 0.30_dp) then
          wtilde_array(ig, my_igp) = 1.0e12_dp
        else if (u < 0.35_dp) then
          wtilde_array(ig, my_igp) = 0.0_dp
        else
          wtilde_array(ig, my_igp) = 5.0_dp + 200.0_dp * random()**2
        end if
      end do
    end do
  end subroutine

  !> Matrix elements <n k| exp(i(q+G).r) |n' k-q> of external band n with all bands n'.
  subroutine make_matrix_elements(iq, in, aqs)
    integer, intent(in) :: iq, in
    complex(dp), intent(out) :: aqs(:,:) !< (ncouls,ntband)
    integer :: ig, n1

    call seed(1000 * iq + in)
    do n1 = 1, size(aqs, 2)
      do ig = 1, size(aqs, 1)
        aqs(ig, n1) = cmplx(random() - 0.5_dp, random() - 0.5_dp, dp) / (1.0_dp + 0.02_dp * ig)
      end do
    end do
  end subroutine

  !> Evaluation energies, band energies, and occupations: a quarter of the bands is occupied.
  subroutine make_energies(in, energies, ekq, occ_array)
    integer, intent(in) :: in
    real(dp), intent(out) :: energies(:)   !< (nw) eV
    real(dp), intent(out) :: ekq(:)        !< (ntband) eV
    real(dp), intent(out) :: occ_array(:)  !< (ntband)
    integer :: n1, iw, nvband
    real(dp) :: e_lk

    nvband = max(1, size(occ_array) / 4)
    e_lk = -1.0_dp + 1.7_dp * in
    do n1 = 1, size(occ_array)
      ekq(n1) = merge(-12.0_dp * (nvband - n1) / nvband, 0.6_dp + 0.35_dp * (n1 - nvband), n1 <= nvband)
      occ_array(n1) = merge(1.0_dp, 0.0_dp, n1 <= nvband)
    end do
    energies = [(e_lk + 1.0_dp * (iw - 1), iw = 1, size(energies))]
  end subroutine

  subroutine seed(value)
    integer, intent(in) :: value
    integer :: n, i

    call random_seed(size=n)
    call random_seed(put=[(value + 37 * i, i = 1, n)])
  end subroutine

  real(dp) function random()
    call random_number(random)
  end function
end module
