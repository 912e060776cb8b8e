! SPDX-License-Identifier: BSD-3-Clause
! What the fragments of Fortran in the pages are compiled with: a heading names the declarations in front of the fragment (blocks.py).

! gpp.sigma
use suite_gpp
use, intrinsic :: iso_c_binding, only: dp => c_double
complex(dp) :: wtilde_array(8,4), I_eps_array(8,4), aqsntemp(8,5), aqsmtemp(8,5), asxtemp(2), achtemp(2)
real(dp) :: vcoul(8), wx_array(2,5), occ_array(5)

! gpp.sigma_offdiag
use suite_gpp
use, intrinsic :: iso_c_binding, only: dp => c_double
type(suite_call) :: gpp
complex(dp) :: wtilde_array(8,4), I_eps_array(8,4), aqs(8,5,3), asx(3,3,2), ach(3,3,2)
real(dp) :: vcoul(8), wx_array(2,5), occ_array(5)

! lfd.propagate
use suite_lfd
use, intrinsic :: iso_c_binding, only: dp => c_double
complex(dp) :: psi(2,4,4,4)
real(dp) :: h(3), vH(4,4,4,3), vloc(4,4,4), drive(3,6), f(2), dt, rho(4,4,4), dipole(4,6)

! lfd.propagate in parts
use suite_lfd
use, intrinsic :: iso_c_binding, only: dp => c_double
type(suite_call) :: lfd
integer :: md, md_steps
complex(dp) :: psi(2,4,4,4)
real(dp) :: vH(4,4,4,3), vloc(4,4,4), drive(3,6), f(2), dt, rho(4,4,4), dipole(4,6)

! lfd.propagate on the device
use suite_lfd
use, intrinsic :: iso_c_binding, only: c_loc, dp => c_double
type(suite_call) :: lfd
type(suite_device) :: device
type(suite_array) :: psi_there, vH_there, vloc_there, rho_there
integer :: md, md_steps
complex(dp), target :: psi(2,4,4,4)
real(dp), target :: h(3), vloc(4,4,4), drive(3,6), f(2), dt, rho(4,4,4), dipole(4,6)

! lfd.hpsi
use suite_lfd
use, intrinsic :: iso_c_binding, only: dp => c_double
type(suite_call) :: call
integer :: ghost(2,3)
complex(dp) :: psi(1,12,12,12,3), hpsi(1,12,12,12,3)
real(dp) :: h(3), v(4,4,4,1), A(3), k(3,3)

! qmc.jastrow_u
use suite_qmc
use, intrinsic :: iso_c_binding, only: dp => c_double
integer :: nele(2), truncation
real(dp) :: cell(3,3), alpha(5,2), L_u, rele(3,14,2), value(14,2), gradient(3,14,2)

! qmc one electron
use suite_qmc
use, intrinsic :: iso_c_binding, only: dp => c_double
type(suite_call) :: u, ratio
integer :: i
real(dp) :: rele(3,14,2), value(1,2), rnew(3,1,2), dbar(7,7,2), phi(7,1,2), q(1,2)

! qmc of a molecule
use suite_qmc
use, intrinsic :: iso_c_binding, only: dp => c_double
type(suite_call) :: orbitals, chi
integer :: nele(2), shell_ion(12), shell_l(12), shell_first(13), set_of_ion(3)
real(dp) :: rion(3,3), exponent(17), coefficient(17), mo(24,5), rele(3,10,100), phi(5,10,100), dphi(5,3,10,100), d2phi(5,10,100)
real(dp) :: beta(9,1,2), L_chi(2), value(10,100), gradient(3,10,100), laplacian(10,100)

! qmc of pseudopotentials
use suite_qmc
use, intrinsic :: iso_c_binding, only: dp => c_double, c_int64_t
type(suite_call) :: ecp
external :: ratios_at
integer :: set_of_ion(3), term_set(4), term_l(4), power(4), ion(2,8,100)
integer(c_int64_t) :: seed, sweep, stream(100)
real(dp) :: rion(3,3), cutoff(1), exponent(4), coefficient(4), rele(3,8,100), energy(8,100)
real(dp), dimension(12,2,8,100) :: weight, ratio
real(dp) :: points(3,12,2,8,100)

! qmc.slater_update
use suite_qmc
type(suite_call) :: update
type(suite_array) :: dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron

! qmc.sweep
use suite_qmc
use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t, dp => c_double
type(suite_call) :: walk, energies
type(suite_array) :: rele_there, up_there, dn_there
integer :: block, nblock
integer(c_int64_t) :: stream(2), n, seed
integer(c_int32_t) :: accepted(2)
real(dp) :: tau, energy(5,2)

! dfpt.rho
use suite_dfpt
use, intrinsic :: iso_c_binding, only: dp => c_double
integer :: batch_points(3), batch_basis(3), i_basis(9)
real(dp) :: wave(90), rho(20,3), density_matrix(5,5,3)

! dfpt on the device
use suite_dfpt
type(suite_call) :: density, multipoles, poisson, sum_up, matrices
type(suite_array) :: rho_there, P_there, rho_multipole_there, potential_spl_there, moments_there, potential_there, H1_there

! two implementations
use suite_gpp
type(suite_call) :: first, second

! openacc
use suite_gpp
use, intrinsic :: iso_c_binding, only: c_loc, dp => c_double
type(suite_call) :: gpp
complex(dp), target :: wtilde_array(8,4)
