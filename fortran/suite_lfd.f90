! SPDX-License-Identifier: BSD-3-Clause
!> Family lfd from Fortran: real-time time-dependent density functional theory on a grid, with the names of QXMD's local
!> field dynamics. plugins/lfd/lfd.hpp holds the formulas, docs/theory/lfd.md what of them is inferred. Hartree atomic units.
!>
!>     use suite_lfd
!>     type(suite_call) :: lfd
!>     call suite_open (lfd, "lfd.propagate", "cpu")
!>     call suite_choose(lfd, "field", "fused")                  ! the choices of `suite list lfd.propagate`
!>     call suite_lfd_set(lfd, psi, f, vloc, h, dt, drive, vH)   ! nsteps = size(drive, 2) steps
!>     call suite_run  (lfd)
!>     call suite_lfd_get(lfd, rho, dipole, psi=psi, vH=vH)
!>     call suite_close(lfd)
!>
!> or, where arrays move between calls, suite_lfd_propagate: the three middle lines in one, keeping no address. Every other
!> kernel has one such routine: open "lfd.kin_prop" and call suite_lfd_kin_prop, and so on.
!>
!> On a device with memory of its own psi and vH stay there from suite_lfd_set on: suite_run takes them on from where they
!> are, suite_lfd_set_vloc brings the next potential, and they come back where suite_lfd_get names them. To have several
!> calls work on the same psi, make it with suite_allocate: the routines take type(suite_array) for psi and all fields as
!> well, and then psi and the fields are all such arrays.
!>
!> psi and the fields of one call are all single (complex(c_float_complex), real(c_float)) or all double; everything else is
!> real(c_double) in both. Nx, Ny and Nz are even, or 1 for a direction that does not exist.
!>     psi     complex (Norb,Nz,Ny,Nx)        bohr^-3/2  wavefunctions, orbital index fastest; propagated in place
!>     f       double  (Norb)                 1          occupations, 0 to 2
!>     vloc    real    (Nz,Ny,Nx)             Ha         local potential of the ions
!>     h       double  (3)                    bohr       grid spacings hx, hy, hz
!>     dt      double                         hbar/Ha    time step; may be negative
!>     drive   double  (3,nsteps)             Ha/bohr or bohr^-1   E, or in the velocity gauge A, in the middle of each step
!>     vH      real    (Nz,Ny,Nx,2)           Ha         Hartree field and its change per field step; propagated in place
!>     k       double  (3,Norb)               bohr^-1    Bloch vector of each orbital; 0 if absent
!>     kappa, gamma  double              bohr^2, 1       (c dtau)^2 and damping of a field step; 0.9 of the stable limit, 0
!>     field_steps   integer                  1          field steps of one step of the electrons; 1 if absent
!>     nlpoint integer (nsphere,natom)        1          grid points of each atom's sphere, from 1; 0: padding
!>     nldisp  double  (3,nsphere,natom)      bohr       r - R of these points
!>     beta    double  (nsphere,nproj,natom)  bohr^-3/2  projectors at these points
!>     dnl     double  (nproj,nproj,natom)    Ha         coefficients between projectors. All four of these, or none
!>     A       double  (3)                    bohr^-1    vector potential; 0 if absent
!>     rho     real    (Nz,Ny,Nx)             bohr^-3    electron density; of suite_lfd_get: after the last step
!>     dipole  double  (4,nsteps)             bohr, 1    int x rho, int y rho, int z rho, int rho after each step
!>     current double  (3,nsteps)             bohr Ha/hbar   d/dt of int r rho after each step, on request
!>     ekin, enl     double (Norb)            Ha         <psi_n|T|psi_n>, <psi_n|V_nl|psi_n>
!>     energy  double  (5)                    Ha         kinetic, vloc, nonlocal, Hartree, exchange and correlation
!>
!> f, h, drive, k, A and nlpoint are copied; all other arrays are used in place on a device that shares the host's memory,
!> so they must stay where they are until they are set again, suite_forget or suite_close (the routines that set, run and
!> get in one keep no address). A mistake ends in ierr and a sentence with the names above: "Nz is 12 in psi but 10 in vloc".
module suite_lfd
  use suite
  use suite_lfd_calls, only: compute_rho, compute_v, compute_vxc, field_prop, field_solve, kin_prop, nlp_prop, pot_prop, &
      set_energy, set_prop, set_propagate, set_vloc
  use suite_lfd_device, only: get_device, get_energy_arrays
  use suite_lfd_double
  use suite_lfd_single
  implicit none (type, external)
  private

  public :: suite_lfd_set, suite_lfd_set_vloc, suite_lfd_get, suite_lfd_propagate
  public :: suite_lfd_set_energy, suite_lfd_get_energy, suite_lfd_calc_energy
  public :: suite_lfd_kin_prop, suite_lfd_pot_prop, suite_lfd_set_prop, suite_lfd_periodic_bc, suite_lfd_compute_rho, &
      suite_lfd_compute_vxc, suite_lfd_compute_v, suite_lfd_field_prop, suite_lfd_spectral_field_solve, suite_lfd_nlp_prop
  ! A host code needs no other module.
  public :: suite_call, suite_device, suite_array, suite_open, suite_close, suite_device_open, suite_device_close, &
      suite_device_describe, suite_allocate, suite_release, suite_upload, suite_download, suite_run, suite_start, suite_wait, &
      suite_forget, suite_choose, suite_set_parameter, suite_message, suite_warnings, suite_ok, suite_not_found, &
      suite_unsupported, suite_device_error, suite_invalid_argument, suite_real32, suite_real64, suite_complex64, suite_complex128

  !> Gives all arguments to a call of lfd.propagate:
  !>     suite_lfd_set(lfd, psi, f, vloc, h, dt, drive, vH, k, kappa, gamma, field_steps, nlpoint, nldisp, beta, dnl,
  !>                   want_current, ierr)
  !> With arrays on the device rho follows vH: it stays there as well.
  interface suite_lfd_set
    procedure set_propagate
  end interface

  !> What changes from one run to the next: suite_lfd_set_vloc(lfd, vloc, drive, f, ierr). drive and f where they are given;
  !> another number of steps is welcome. An array on the device that was set and refilled needs no such call.
  interface suite_lfd_set_vloc
    procedure set_vloc
  end interface

  !> Brings results back: suite_lfd_get(lfd, rho, dipole, current, psi, vH, ierr), or where the fields lie on the device
  !> suite_lfd_get(lfd, dipole, current, ierr). current where suite_lfd_set had want_current=.true.
  interface suite_lfd_get
    procedure get_device
  end interface

  !> Gives all arguments to a call of lfd.calc_energy:
  !>     suite_lfd_set_energy(lfd, psi, f, h, vloc, vH, rho, nlpoint, nldisp, beta, dnl, A, k, ierr)
  !> suite_lfd_calc_energy sets, runs and gets in one: the same with ekin, enl, energy after rho.
  interface suite_lfd_set_energy
    procedure set_energy
  end interface

  !> suite_lfd_get_energy(lfd, ekin, enl, energy, ierr)
  interface suite_lfd_get_energy
    procedure get_energy_arrays
  end interface

  !> suite_lfd_kin_prop(lfd, psi, h, dt, d, p, A, k, seconds, ierr): d "x", "y" or "z", p "half" or "full".
  interface suite_lfd_kin_prop
    procedure kin_prop
  end interface

  !> suite_lfd_pot_prop(lfd, psi, u, seconds, ierr): u complex (Nz,Ny,Nx), of suite_lfd_set_prop.
  interface suite_lfd_pot_prop
    procedure pot_prop
  end interface

  !> suite_lfd_set_prop(lfd, v, dt, u, seconds, ierr): u = exp(-i v dt/2).
  interface suite_lfd_set_prop
    procedure set_prop
  end interface

  !> suite_lfd_compute_rho(lfd, psi, f, rho, seconds, ierr)
  interface suite_lfd_compute_rho
    procedure compute_rho
  end interface

  !> suite_lfd_compute_vxc(lfd, rho, vxc, exc, seconds, ierr): exc is optional; arrays on the device: suite_array() for none.
  interface suite_lfd_compute_vxc
    procedure compute_vxc
  end interface

  !> suite_lfd_compute_v(lfd, vloc, vH, h, v, vxc, E, seconds, ierr): vxc and E are optional, as in suite_lfd_compute_vxc.
  interface suite_lfd_compute_v
    procedure compute_v
  end interface

  !> suite_lfd_field_prop(lfd, vH, rho, h, kappa, gamma, field_steps, seconds, ierr)
  interface suite_lfd_field_prop
    procedure field_prop
  end interface

  !> suite_lfd_spectral_field_solve(lfd, rho, h, vH, seconds, ierr)
  interface suite_lfd_spectral_field_solve
    procedure field_solve
  end interface

  !> suite_lfd_nlp_prop(lfd, psi, h, dt, nlpoint, nldisp, beta, dnl, order, A, k, seconds, ierr): order "ascending" or
  !> "descending".
  interface suite_lfd_nlp_prop
    procedure nlp_prop
  end interface
end module
