! SPDX-License-Identifier: BSD-3-Clause
!> The host's own plasmon-pole kernel: plain loops, complex arithmetic, OpenMP over the columns G'. It follows
!> Hybertsen and Louie, Phys. Rev. B 34, 5390 (1986), with the cutoffs that BerkeleyGW documents.
module host_gpp_kernel
  use host_data, only: dp
  implicit none
  private
  public :: host_gpp_sigma

contains

  subroutine host_gpp_sigma(wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, gamma, sexcut, &
      asxtemp, achtemp)
    complex(dp), intent(in) :: wtilde_array(:,:) !< (ncouls,ngpown) eV
    complex(dp), intent(in) :: I_eps_array(:,:)  !< (ncouls,ngpown)
    complex(dp), intent(in) :: aqsmtemp(:,:), aqsntemp(:,:) !< (ncouls,ntband)
    real(dp), intent(in) :: vcoul(:)             !< (ncouls) Ry
    real(dp), intent(in) :: wx_array(:,:)        !< (nw,ntband) eV
    real(dp), intent(in) :: occ_array(:)         !< (ntband)
    real(dp), intent(in) :: gamma, sexcut        !< eV, 1
    complex(dp), intent(out) :: asxtemp(:), achtemp(:) !< (nw) Ry
    complex(dp) :: matngmatmgp, delta, sch, ssx, sum_sx, sum_ch
    real(dp) :: x, distance2, delta2
    real(dp), parameter :: limitone = 1.0_dp / 4.0e-6_dp, tol_zero = 1.0e-12_dp
    integer :: my_igp, n1, ig, iw

    asxtemp = 0
    achtemp = 0
    !$omp parallel do schedule(dynamic) reduction(+:asxtemp, achtemp) &
    !$omp private(n1, iw, ig, x, sum_sx, sum_ch, matngmatmgp, delta, distance2, delta2, sch, ssx)
    do my_igp = 1, size(wtilde_array, 2)
      do n1 = 1, size(aqsntemp, 2)
        do iw = 1, size(wx_array, 1)
          x = wx_array(iw, n1)
          if (abs(x) < 1.0e-12_dp) x = 1.0e-12_dp
          sum_sx = 0
          sum_ch = 0
          do ig = 1, size(wtilde_array, 1)
            matngmatmgp = aqsntemp(ig, n1) * conjg(aqsmtemp(my_igp, n1))
            distance2 = abs(x - wtilde_array(ig, my_igp))**2
            delta = wtilde_array(ig, my_igp) / (x - wtilde_array(ig, my_igp))
            delta2 = abs(delta)**2
            sch = 0
            ssx = 0
            if (distance2 > gamma**2 .and. delta2 < limitone) then
              sch = delta * I_eps_array(ig, my_igp)
              ssx = wtilde_array(ig, my_igp)**2 * I_eps_array(ig, my_igp) / (x**2 - wtilde_array(ig, my_igp)**2)
            else if (delta2 > tol_zero) then
              ssx = -I_eps_array(ig, my_igp) * delta / (4 * (delta + 0.5_dp))
            end if
            if (abs(ssx) > sexcut * abs(I_eps_array(ig, my_igp)) .and. x < 0) ssx = 0
            sum_sx = sum_sx + matngmatmgp * ssx
            sum_ch = sum_ch + matngmatmgp * sch
          end do
          asxtemp(iw) = asxtemp(iw) - occ_array(n1) * vcoul(my_igp) * sum_sx
          achtemp(iw) = achtemp(iw) + 0.5_dp * vcoul(my_igp) * sum_ch
        end do
      end do
    end do
  end subroutine
end module
