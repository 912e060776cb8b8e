! SPDX-License-Identifier: BSD-3-Clause
!> Matrix elements and plasmon poles of the module for BerkeleyGW against sums in Fortran, on the G vectors and densities of gallium
!> arsenide (complex flavour) and of silicon (real).
!>
!>     test_sigma_suite_bands RHO_OF_GAAS RHO_OF_SILICON IMPLEMENTATION...
program test_sigma_suite_bands
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use checks, only: check, finish_checks
  use crystal_of_rho, only: crystal, read_crystal
  use sigma_suite, only: sigma_suite_choose, sigma_suite_close
  use sigma_suite_bands_in_complex, only: error_of_mtxel_complex, error_of_poles_complex, model, mtxel_refusal_complex
  use sigma_suite_bands_in_real, only: error_of_mtxel_real, error_of_poles_real, model_of_reals => model, mtxel_refusal_real
  use suite
  implicit none

  type(crystal) :: gaas, silicon
  character(len=512) :: word
  integer :: i, served

  call get_command_argument(1, word)
  gaas = read_crystal(trim(word))
  call get_command_argument(2, word)
  silicon = read_crystal(trim(word))
  call check(mtxel_refusal_complex(12) == "nothing was done", "without a choice the host computes")
  call check(mtxel_refusal_real(12) == "nothing was done", "without a choice the host computes, real")
  served = 0
  do i = 3, command_argument_count()
    call get_command_argument(i, word)
    if (.not. is_there("gw.mtxel", trim(word))) cycle
    if (.not. is_there("gw.screening", trim(word))) cycle
    if (.not. is_there("gpp.sigma", trim(word))) cycle
    served = served + 1
    call sigma_suite_choose(trim(word))
    call matrix_elements("one rank", 1, 1, 1)
    call matrix_elements("two spins on three ranks", 2, 1, 3)
    call matrix_elements("a rank without a band", 1, 1, 12)
    call check(error_of_mtxel_complex(gaas, 1, 2, 2) <= 1.0e-12_dp, trim(word) // ": two spinor components")
    call check(mtxel_refusal_complex(11) == "zkq has 11 rows, but 4 bands take 12", trim(word) // ": " // mtxel_refusal_complex(11))
    call check(mtxel_refusal_real(11) == mtxel_refusal_complex(11), trim(word) // ": the refusal of reals")
    !                                        q                                weight  mode Godby-Needs ranks
    call poles("invalid modes at 2 Ry", [0.25_dp, -0.375_dp, 0.5_dp], 1.0_dp, 2, .false., 2)
    call poles("invalid modes left out", [0.25_dp, -0.375_dp, 0.5_dp], 1.0_dp, 0, .false., 1)
    call poles("q to 0, static invalid modes", [0.0_dp, 0.0_dp, 0.0_dp], 1.0_dp, 3, .false., 3)
    call poles("Godby-Needs", [0.5_dp, 0.5_dp, 0.0_dp], 1.0_dp, 3, .true., 2)
    call poles("a part of a q", [0.25_dp, 0.0_dp, 0.0_dp], 0.3_dp, 2, .false., 1)
    call poles("more ranks than columns", [0.5_dp, 0.5_dp, 0.5_dp], 1.0_dp, 3, .false., 120)
  end do
  call check(served >= 2, "reference and cpu are always there")
  call sigma_suite_choose("nonsense")
  call check(index(mtxel_refusal_complex(12), "no implementation 'nonsense' of gw.mtxel") == 1, mtxel_refusal_complex(12))
  call sigma_suite_choose("nonsense cpu")
  call matrix_elements("the first name that has the kernel", 1, 1, 1)
  call sigma_suite_close()
  call finish_checks()

contains

  logical function is_there(kernel, name)
    character(len=*), intent(in) :: kernel, name
    type(suite_call) :: call
    integer :: ierr

    call suite_open(call, kernel, name, ierr=ierr)
    is_there = ierr == suite_ok
    if (.not. is_there) print "(2a)", "not here: ", suite_message(call)
    call suite_close(call)
  end function

  !> The kernel's documented tolerance.
  subroutine matrix_elements(what, nspin, nspinor, nranks)
    character(len=*), intent(in) :: what
    integer, intent(in) :: nspin, nspinor, nranks
    real(dp) :: of_complex, of_real

    of_complex = error_of_mtxel_complex(gaas, nspin, nspinor, nranks)
    call check(of_complex <= 1.0e-12_dp, trim(word) // ", matrix elements, complex: " // what)
    of_real = error_of_mtxel_real(silicon, nspin, nspinor, nranks)
    call check(of_real <= 1.0e-12_dp, trim(word) // ", matrix elements, real: " // what)
    if (.not. (of_complex <= 1.0e-12_dp .and. of_real <= 1.0e-12_dp)) print "(2es12.3)", of_complex, of_real
  end subroutine

  !> gpp.sigma's tolerance is 1e-11, and the poles it is given differ by the rounding of their two formulas.
  subroutine poles(what, q, weight, mode, godby_needs, nranks)
    character(len=*), intent(in) :: what
    real(dp), intent(in) :: q(3), weight
    integer, intent(in) :: mode, nranks
    logical, intent(in) :: godby_needs
    real(dp) :: of_complex, of_real
    real(dp), parameter :: tolerance = 1.0e-10_dp

    of_complex = error_of_poles_complex(gaas, model(q, weight, mode, godby_needs, nranks))
    of_real = error_of_poles_real(silicon, model_of_reals(q, weight, mode, godby_needs, nranks))
    call check(of_complex <= tolerance, trim(word) // ", poles, complex: " // what)
    call check(of_real <= tolerance, trim(word) // ", poles, real: " // what)
    if (.not. (of_complex <= tolerance .and. of_real <= tolerance)) print "(2es12.3)", of_complex, of_real
  end subroutine
end program
