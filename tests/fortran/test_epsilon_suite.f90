! SPDX-License-Identifier: BSD-3-Clause
!> Matrix elements and polarizability of the module for BerkeleyGW's Epsilon against sums in Fortran, on the G vectors of gallium
!> arsenide (complex flavour) and of silicon (real).
!>
!>     test_epsilon_suite RHO_OF_GAAS RHO_OF_SILICON IMPLEMENTATION...
program test_epsilon_suite
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use checks, only: check, finish_checks
  use crystal_of_rho, only: crystal, read_crystal
  use epsilon_suite, only: epsilon_suite_choose, epsilon_suite_chosen, epsilon_suite_close, epsilon_suite_has_chi, &
      epsilon_suite_keyword
  use epsilon_suite_in_complex, only: chi_refusal_complex, elements_refusal_complex, error_of_chi_complex, error_of_elements_complex
  use epsilon_suite_in_real, only: chi_refusal_real, elements_refusal_real, error_of_chi_real, error_of_elements_real
  use sigma_suite, only: sigma_suite_chosen
  use suite
  implicit none

  type(crystal) :: gaas, silicon
  character(len=512) :: word
  integer :: i, served
  real(dp), parameter :: tolerance = 1.0e-12_dp !< the documented one of gw.mtxel and gw.chi

  call get_command_argument(1, word)
  gaas = read_crystal(trim(word))
  call get_command_argument(2, word)
  silicon = read_crystal(trim(word))
  call check(elements_refusal_complex(12) == "nothing was done", "without a choice the host computes")
  call check(elements_refusal_real(12) == "nothing was done", "without a choice the host computes, real")
  call check(.not. epsilon_suite_keyword("sigma_suite", "cpu"), "the keyword of Sigma is none of Epsilon")
  call check(.not. epsilon_suite_chosen(), "nobody has chosen an implementation yet")
  served = 0
  do i = 3, command_argument_count()
    call get_command_argument(i, word)
    if (.not. is_there("gw.mtxel", trim(word))) cycle
    if (.not. is_there("gw.chi", trim(word))) cycle
    served = served + 1
    call check(epsilon_suite_keyword("epsilon_suite", " " // trim(word)), "its own keyword")
    call elements("one spin", 1, 1, 5)
    call elements("two spins", 2, 1, 4)
    call elements("two spinor components", 1, 2, 3)
    call elements("a rank without an empty band", 1, 1, 0)
    call chi("one spin", 13, 4, 3, 1)
    call chi("two spins", 33, 7, 2, 2)
    call chi("a rank without pairs", 8, 0, 2, 1)
    call check(elements_refusal_complex(11) == "zc has 11 rows, but 4 bands take 12", trim(word) // ": " // &
        elements_refusal_complex(11))
    call check(elements_refusal_real(11) == elements_refusal_complex(11), trim(word) // ": the refusal of reals")
    call check(chi_refusal_complex(4) == "an image of k takes G to a vector that is none of the nmtx of this q", &
        chi_refusal_complex(4))
    call check(chi_refusal_real(0) == chi_refusal_complex(0), "the refusal of reals")
  end do
  call check(served >= 2, "reference and cpu are always there")
  call check(.not. sigma_suite_chosen(), "a choice for Epsilon is none for Sigma")
  call epsilon_suite_close()
  call check(.not. epsilon_suite_has_chi(), "nothing stays after the end")
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

  subroutine elements(what, nspin, nspinor, nc)
    character(len=*), intent(in) :: what
    integer, intent(in) :: nspin, nspinor, nc

    call compare("elements: " // what, error_of_elements_complex(gaas, nspin, nspinor, nc), &
        error_of_elements_real(silicon, nspin, nspinor, nc))
  end subroutine

  subroutine chi(what, nmtx, nc, nv, nspin)
    character(len=*), intent(in) :: what
    integer, intent(in) :: nmtx, nc, nv, nspin

    call compare("polarizability: " // what, error_of_chi_complex(nmtx, nc, nv, nspin), error_of_chi_real(nmtx, nc, nv, nspin))
  end subroutine

  subroutine compare(what, of_complex, of_real)
    character(len=*), intent(in) :: what
    real(dp), intent(in) :: of_complex, of_real

    call check(of_complex <= tolerance, trim(word) // ", " // what // ", complex")
    call check(of_real <= tolerance, trim(word) // ", " // what // ", real")
    if (.not. (of_complex <= tolerance .and. of_real <= tolerance)) print "(2es12.3)", of_complex, of_real
  end subroutine
end program
