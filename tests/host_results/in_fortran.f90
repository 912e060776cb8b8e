! SPDX-License-Identifier: BSD-3-Clause
!> A host in Fortran that sets its arrays, runs, and looks at them: no suite_get. A kernel of each family; on every
!> implementation its arrays must hold what the reference leaves in them. Usage: in_fortran implementation...
program in_fortran
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int32_t
  use suite
  implicit none (type, external)

  character(len=64) :: implementation
  integer :: i, failures = 0

  if (command_argument_count() < 1) error stop "usage: in_fortran implementation..."
  do i = 1, command_argument_count()
    call get_command_argument(i, implementation)
    call sigma(trim(implementation))
    call pot_prop(trim(implementation))
    call closest_images(trim(implementation))
    call response(trim(implementation))
  end do
  if (failures > 0) error stop "results did not come back"

contains

  !> Two results, one of them through suite_start and suite_wait.
  subroutine sigma(name)
    character(len=*), intent(in) :: name
    integer, parameter :: ncouls = 7, ntband = 3, nex = 2, nw = 2
    complex(c_double_complex), target :: wtilde(ncouls,ncouls), I_eps(ncouls,ncouls), aqs(ncouls,ntband,nex)
    complex(c_double_complex), target :: asx(nw,nex,2), ach(nw,nex,2)
    real(c_double), target :: vcoul(ncouls), wx(nw,ntband,nex), occ(ntband)
    integer(c_int32_t), target :: indigp(ncouls)
    type(suite_call) :: gpp
    integer :: which

    wtilde = waves(size(wtilde), shape(wtilde)) + 12
    I_eps = waves(size(I_eps), shape(I_eps))
    aqs = reshape(waves(size(aqs), [size(aqs), 1]), shape(aqs))
    vcoul = [(1 / real(i, c_double), i = 1, ncouls)]
    wx = reshape([(3 * cos(1.3_c_double * i), i = 1, size(wx))], shape(wx))
    occ = [1, 1, 0]
    indigp = [(i, i = 1, ncouls)]
    asx = huge(1.0_c_double)
    ach = asx
    do which = 1, 2
      call suite_open(gpp, "gpp.sigma", merge(pad("reference"), pad(name), which == 1))
      call suite_set(gpp, "wtilde_array", wtilde)
      call suite_set(gpp, "I_eps_array", I_eps)
      call suite_set(gpp, "vcoul", vcoul)
      call suite_set(gpp, "indigp", indigp)
      call suite_set(gpp, "aqsntemp", aqs)
      call suite_set(gpp, "aqsmtemp", aqs)
      call suite_set(gpp, "wx_array", wx)
      call suite_set(gpp, "occ_array", occ)
      call suite_set(gpp, "asxtemp", asx(:,:,which))
      call suite_set(gpp, "achtemp", ach(:,:,which))
      call suite_start(gpp)
      call suite_wait(gpp)
      call suite_close(gpp)
    end do
    call compare(name, "gpp.sigma, asxtemp", maxval(abs(asx(:,:,2) - asx(:,:,1))) / maxval(abs(asx(:,:,1))))
    call compare(name, "gpp.sigma, achtemp", maxval(abs(ach(:,:,2) - ach(:,:,1))) / maxval(abs(ach(:,:,1))))
  end subroutine

  !> State that a run changes in place, twice.
  subroutine pot_prop(name)
    character(len=*), intent(in) :: name
    integer, parameter :: norb = 3, n = 4
    complex(c_double_complex), target :: psi(norb,n,n,n), u(n,n,n)
    complex(c_double_complex) :: before(norb,n,n,n)
    type(suite_call) :: lfd

    psi = reshape(waves(size(psi), [size(psi), 1]), shape(psi))
    u = reshape(waves(size(u), [size(u), 1]), shape(u))
    u = u / abs(u)
    before = psi
    call suite_open(lfd, "lfd.pot_prop", name)
    call suite_set(lfd, "psi", psi)
    call suite_set(lfd, "u", u)
    call suite_run(lfd)
    call suite_run(lfd)
    call multiply(before, u**2)
    call compare(name, "lfd.pot_prop, psi", maxval(abs(psi - before)) / maxval(abs(before)))
    ! Kept on the device, and asked for after three more.
    call suite_keep(lfd, "psi")
    call suite_run(lfd)
    call suite_run(lfd)
    call suite_run(lfd)
    call suite_get(lfd, "psi", psi)
    call suite_close(lfd)
    call multiply(before, u**3)
    call compare(name, "lfd.pot_prop, psi that was kept", maxval(abs(psi - before)) / maxval(abs(before)))
  end subroutine

  pure subroutine multiply(psi, u)
    complex(c_double_complex), intent(inout) :: psi(:,:,:,:)
    complex(c_double_complex), intent(in) :: u(:,:,:)
    integer :: i

    do i = 1, size(psi, 1)
      psi(i,:,:,:) = psi(i,:,:,:) * u
    end do
  end subroutine

  subroutine closest_images(name)
    character(len=*), intent(in) :: name
    integer, parameter :: n = 5, nwalker = 2
    real(c_double), target :: cell(3,3), r(3,n,nwalker), eevecs(4,n,n,nwalker)
    real(c_double) :: d(3)
    type(suite_call) :: qmc
    real(c_double) :: worst
    integer :: from, to, walker

    cell = reshape([2, 0, 0, 0, 2, 0, 0, 0, 2], [3, 3])
    r = reshape([(modulo(0.77_c_double * i * i, 2.0_c_double), i = 1, size(r))], shape(r))
    eevecs = huge(1.0_c_double)
    call suite_open(qmc, "qmc.closest_images", name)
    call suite_set(qmc, "cell", cell)
    call suite_set(qmc, "rfrom", r)
    call suite_set(qmc, "rto", r)
    call suite_set(qmc, "eevecs", eevecs)
    call suite_run(qmc)
    call suite_close(qmc)
    worst = 0
    do walker = 1, nwalker
      do from = 1, n
        do to = 1, n
          d = r(:,to,walker) - r(:,from,walker)
          d = d - 2 * anint(d / 2)
          worst = max(worst, maxval(abs(eevecs(:,to,from,walker) - [d, norm2(d)])))
        end do
      end do
    end do
    call compare(name, "qmc.closest_images, eevecs", worst)
  end subroutine

  subroutine response(name)
    character(len=*), intent(in) :: name
    integer, parameter :: n = 4, n_occ = 2, n_dir = 3
    real(c_double), target :: C(n,n), eigenvalues(n), H1(n,n,n_dir), C1(n,n_occ,n_dir)
    real(c_double) :: truth(n,n_occ,n_dir)
    type(suite_call) :: dfpt
    integer :: a, j, d

    C = 0
    do a = 1, n
      C(a,a) = 1
    end do
    eigenvalues = [-2, -1, 1, 3]
    do d = 1, n_dir
      do j = 1, n
        H1(:,j,d) = [(cos(0.7_c_double * d * (i * j + i + j)), i = 1, n)]
      end do
    end do
    ! U(a,i) = H1(a,i) / (e_i - e_a) over the empty states a.
    truth = 0
    do d = 1, n_dir
      do j = 1, n_occ
        do a = n_occ + 1, n
          truth(a,j,d) = H1(a,j,d) / (eigenvalues(j) - eigenvalues(a))
        end do
      end do
    end do
    C1 = huge(1.0_c_double)
    call suite_open(dfpt, "dfpt.response", name)
    call suite_set(dfpt, "C", C)
    call suite_set(dfpt, "eigenvalues", eigenvalues)
    call suite_set(dfpt, "n_occ", n_occ)
    call suite_set(dfpt, "H1", H1)
    call suite_set(dfpt, "C1", C1)
    call suite_run(dfpt)
    call suite_close(dfpt)
    call compare(name, "dfpt.response, C1", maxval(abs(C1 - truth)) / maxval(abs(truth)))
  end subroutine

  subroutine compare(name, what, off)
    character(len=*), intent(in) :: name, what
    real(c_double), intent(in) :: off
    real(c_double), parameter :: allowed = 1e-11_c_double !< the widest of the tables

    print "(4a,es8.1)", what, " on ", name, " is off by ", off
    if (off <= allowed) return
    failures = failures + 1
    print "(4a)", "FAILED: ", what, " on ", name
  end subroutine

  pure character(len=64) function pad(word)
    character(len=*), intent(in) :: word

    pad = word
  end function

  !> Numbers without a pattern.
  pure function waves(count, of_shape) result(numbers)
    integer, intent(in) :: count, of_shape(2)
    complex(c_double_complex) :: numbers(of_shape(1),of_shape(2))
    integer :: k

    numbers = reshape([(cmplx(cos(1.7_c_double * k * k), sin(0.9_c_double * k * k), c_double), k = 1, count)], of_shape)
  end function
end program
