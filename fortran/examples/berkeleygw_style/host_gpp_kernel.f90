! SPDX-License-Identifier: BSD-3-Clause
!> The host's own plasmon-pole kernel: complex arithmetic, occupied and empty bands apart, OpenMP over the columns G'.
!> It follows Hybertsen and Louie, Phys. Rev. B 34, 5390 (1986), with the cutoffs that BerkeleyGW documents.
module host_gpp_kernel
  use host_data, only: dp
  implicit none
  private
  public :: host_gpp_sigma

  real(dp), parameter :: limitone = 1.0_dp / 4.0e-6_dp, tol_zero = 1.0e-12_dp

contains

  subroutine host_gpp_sigma(wtilde_array, I_eps_array, aqsmtemp, aqsntemp, vcoul, wx_array, occ_array, gamma, sexcut, &
      asxtemp, achtemp, acht_n1)
    complex(dp), intent(in) :: wtilde_array(:,:) !< (ncouls,ngpown) eV
    complex(dp), intent(in) :: I_eps_array(:,:)  !< (ncouls,ngpown)
    complex(dp), intent(in) :: aqsmtemp(:,:), aqsntemp(:,:) !< (ncouls,ntband)
    real(dp), intent(in) :: vcoul(:)             !< (ncouls) Ry
    real(dp), intent(in) :: wx_array(:,:)        !< (nw,ntband) eV
    real(dp), intent(in) :: occ_array(:)         !< (ntband)
    real(dp), intent(in) :: gamma, sexcut        !< eV, 1
    complex(dp), intent(out) :: asxtemp(:), achtemp(:) !< (nw) Ry
    complex(dp), intent(out) :: acht_n1(:)       !< (ntband) Ry: of achtemp(1), to log how CH converges with the bands
    complex(dp) :: mygpvar, sum_sx, sum_ch
    real(dp) :: x
    integer :: my_igp, n1, iw

    asxtemp = 0
    achtemp = 0
    acht_n1 = 0
    !$omp parallel do schedule(dynamic) reduction(+:asxtemp, achtemp, acht_n1) private(n1, iw, x, mygpvar, sum_sx, sum_ch)
    do my_igp = 1, size(wtilde_array, 2)
      do n1 = 1, size(aqsntemp, 2)
        mygpvar = conjg(aqsmtemp(my_igp, n1)) * vcoul(my_igp)
        do iw = 1, size(wx_array, 1)
          x = wx_array(iw, n1)
          if (abs(x) < 1.0e-12_dp) x = 1.0e-12_dp
          if (occ_array(n1) > 0) then
            call occupied(wtilde_array(:, my_igp), I_eps_array(:, my_igp), aqsntemp(:, n1), x, gamma, sexcut, sum_sx, sum_ch)
            asxtemp(iw) = asxtemp(iw) - occ_array(n1) * mygpvar * sum_sx
          else
            call empty(wtilde_array(:, my_igp), I_eps_array(:, my_igp), aqsntemp(:, n1), x, gamma, sum_ch)
          end if
          achtemp(iw) = achtemp(iw) + 0.5_dp * mygpvar * sum_ch
          if (iw == 1) acht_n1(n1) = acht_n1(n1) + 0.5_dp * mygpvar * sum_ch
        end do
      end do
    end do
  end subroutine

  ! Sums over G of one column G' and one occupied band, which contributes to SX and CH.
  pure subroutine occupied(wtilde, I_eps, aqsn, x, gamma, sexcut, sum_sx, sum_ch)
    complex(dp), intent(in), contiguous :: wtilde(:), I_eps(:), aqsn(:)
    real(dp), intent(in) :: x, gamma, sexcut
    complex(dp), intent(out) :: sum_sx, sum_ch
    complex(dp) :: wdiff, delw, cden, sch, ssx
    real(dp) :: wdiffr, delwr
    integer :: ig

    sum_sx = 0
    sum_ch = 0
    do ig = 1, size(wtilde)
      wdiff = x - wtilde(ig)
      wdiffr = real(wdiff * conjg(wdiff))
      delw = wtilde(ig) * conjg(wdiff) / wdiffr
      delwr = real(delw * conjg(delw))
      sch = 0
      ssx = 0
      if (wdiffr > gamma**2 .and. delwr < limitone) then
        cden = x**2 - wtilde(ig)**2
        sch = delw * I_eps(ig)
        ssx = wtilde(ig)**2 * I_eps(ig) * conjg(cden) / real(cden * conjg(cden))
      else if (delwr > tol_zero) then
        cden = 4 * (delw + 0.5_dp)
        ssx = -I_eps(ig) * delw * conjg(cden) / real(cden * conjg(cden))
      end if
      if (x < 0 .and. real(ssx * conjg(ssx)) > sexcut**2 * real(I_eps(ig) * conjg(I_eps(ig)))) ssx = 0
      sum_sx = sum_sx + aqsn(ig) * ssx
      sum_ch = sum_ch + aqsn(ig) * sch
    end do
  end subroutine

  ! The same for an empty band, which contributes to CH only.
  pure subroutine empty(wtilde, I_eps, aqsn, x, gamma, sum_ch)
    complex(dp), intent(in), contiguous :: wtilde(:), I_eps(:), aqsn(:)
    real(dp), intent(in) :: x, gamma
    complex(dp), intent(out) :: sum_ch
    complex(dp) :: wdiff, delw, sch
    real(dp) :: wdiffr
    integer :: ig

    sum_ch = 0
    do ig = 1, size(wtilde)
      wdiff = x - wtilde(ig)
      wdiffr = real(wdiff * conjg(wdiff))
      delw = wtilde(ig) * conjg(wdiff) / wdiffr
      sch = merge(delw * I_eps(ig), (0.0_dp, 0.0_dp), wdiffr > gamma**2 .and. real(delw * conjg(delw)) < limitone)
      sum_ch = sum_ch + aqsn(ig) * sch
    end do
  end subroutine
end module
