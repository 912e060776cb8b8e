! SPDX-License-Identifier: BSD-3-Clause
!> Family qmc from Fortran: the kernels of quantum Monte Carlo in a periodic cell, with the names of CASINO's input files and
!> published descriptions. plugins/qmc/qmc.hpp holds the formulas, docs/theory/qmc.md where they come from. Hartree atomic units.
!>
!>     use suite_qmc
!>     type(suite_call) :: u
!>     call suite_open   (u, "qmc.jastrow_u", "cpu")
!>     call suite_qmc_set(u, cell, nele, alpha=alpha, L_u=L_u, truncation=3)       ! what stays: copied
!>     call suite_qmc_jastrow_u(u, rele, value, gradient, laplacian)               ! all electrons of all walkers
!>     call suite_close  (u)
!>
!> Every kernel is one routine, suite_qmc_<kernel>: it sets what it is given, runs, and brings the results back.
!>
!> **Inputs that are absent stay as they were set; results that are absent are not computed.** So a host that moves one electron
!> at a time gives everything once, and then only what changes: suite_qmc_jastrow_u(u, value=value, ie=i, rnew=rnew). Inputs and
!> what is both input and result (rhok, dbar, delayed_..., logpsi) are used in place on a device that shares the host's memory:
!> they must stay where they are until they are set again, suite_forget or suite_close, or be given to every call; their
!> contents may change freely there. On a device with memory of its own give what has changed. Where electrons are looked at
!> where they are as well as moved (ie, rnew), open two calls: suite_unset(u, "ie") would have the kernel prepare again.
!>
!> Arrays on the device: all routines also take type(suite_array), made by suite_allocate, for all arrays but the copied ones.
!> To mix both, name some once, suite_set_device(walk, "dbar_up", dbar_there) or suite_set(invert, "phi", phi), and leave them out.
!> Two calls that were given the same array on the device work on the same numbers.
!>
!> Walkers are last everywhere; one walker: rele(3,netot,1). Sizes: netot electrons, norb orbitals, npos positions.
!>
!> Copied by suite_qmc_set; each kernel takes those that it has by name:
!>     cell         double  (3,3)             bohr       lattice vectors, one in each column
!>     nele         integer (2)               1          electrons with spin up and down; in rele spin up comes first
!>     kvec         integer (3,nkvec)         1          k = sum_i kvec(i) b_i, one of each +-k, without 0
!>     alpha        double  (nalpha,nset_u)   bohr^(-C-l) coefficients of u, the one that makes the cusp included; one set of them,
!>                                            two (parallel, antiparallel) or three (up-up, up-down, down-down)
!>     L_u          double                    bohr       cutoff of u, at most the inscribed radius of the Wigner-Seitz cell
!>     truncation   integer                   1          C of u = (r - L_u)^C sum_l alpha(l+1) r^l: 2 or 3; 3 if absent
!>     gvec, star   integer (3,ngvec), (ngvec) 1         G of the p term, one of each +-G, without 0, and the star of each, from 1
!>     a            double  (nstar,nset_p)    1          coefficients of p(r) = sum_G a(star of G) cos(G.r)
!>     charge       double  (netot)           e          of qmc.ewald's particles, -1 for electrons
!>     ewald_alpha, ewald_tolerance double    bohr^-1, 1 range of the screening charge; where both sums end. Chosen if absent
!> In place:
!>     rele         double  (3,netot,nwalker) bohr       positions
!>     ie           integer                   1          the electron that moves, from 1; never set: all, where they are
!>     rnew         double  (3,npos,nwalker)  bohr       positions tried for electron ie
!>     eevecs       double  (4,nto,nfrom,nwalker) bohr   vectors to closest images, and their lengths
!>     value        double  (npos,nwalker)    1          sum_{j/=i} u or p (r_ij); npos = netot where ie was never set
!>     gradient     double  (3,npos,nwalker)  bohr^-1    by r_i
!>     laplacian    double  (npos,nwalker)    bohr^-2    by r_i
!>     dvalue, dgradient, dlaplacian          double (nalpha,nset_u,npos,nwalker), (3,nalpha,...), as dvalue: by the coefficients;
!>                                            (nstar,nset_p,...) of p
!>     rhok         complex (ngvec,2,nwalker) 1          sum_j exp(i G.r_j) by spin; numbers, such as 0, before it is computed
!>     energy       double  (npos,nwalker) of ewald, (5,nwalker) of local_energy: KEI + ewald, KEI, TI, FISQ, ewald; Ha
!>     total, field double  (nwalker), (3,npos,nwalker) Ha, Ha/(e bohr)   energy of the cell; electric field at the particles
!>     phi, dphi, d2phi double (norb,npos,nwalker), (norb,3,npos,nwalker), (norb,npos,nwalker)   orbitals and derivatives
!>     c            double or single (norb,Nz,Ny,Nx) 1   blip coefficients, by suite_qmc_set_blips
!>     dbar, dbar_up, dbar_dn double (n,n,nwalker) 1     inverse Slater matrix, a column per electron of the spin
!>     ratio, drift, laplacian double (npos,nwalker), (3,npos,nwalker), (npos,nwalker)   D(new)/D, grad D/D, lap D/D
!>     logdet, sign double  (nwalker)         1          ln |det D|, its sign
!>     delayed_phi, delayed_dbar double (n,kmax,nwalker); delayed_binv double (kmax,kmax,nwalker); delayed_electron
!>                  integer(c_int32_t) (kmax+1,nwalker): moves that wait, all 0 at first
!>     tau, alimit  double                    hbar/Ha, 1 time step; limit of the drift, 0.5 if never set
!>     nsweep       integer                   1          sweeps of a call, 1 if never set
!>     first_sweep, seed integer(c_int64_t); stream integer(c_int64_t) (nwalker): number of the first sweep in its walk, from 0,
!>                  and what the random numbers are made of
!>     accepted     integer(c_int32_t) (nwalker), diffusion double (2,nwalker) bohr^2, logpsi double (nwalker): of a sweep
!>     velocity, jastrow double (3,netot,nwalker), (nwalker)   bohr^-1, 1   grad_i ln|psi|, J
!>     from         integer(c_int32_t) (nwalker) 1       slots to copy from; rele(3,netot,nslot) and so on, carry(ncarry,nslot)
!>
!> A mistake ends in ierr and a sentence with the names above: "ie is 15; the electrons are 1 to 14".
module suite_qmc
  use suite
  use suite_qmc_calls
  use suite_qmc_constants
  use suite_qmc_host
  implicit none (type, external)
  private

  public :: suite_qmc_set, suite_qmc_set_blips
  public :: suite_qmc_closest_images, suite_qmc_ewald, suite_qmc_jastrow_u, suite_qmc_jastrow_p, suite_qmc_structure_factor, &
      suite_qmc_orbitals_free, suite_qmc_orbitals_blip, suite_qmc_slater_ratio, suite_qmc_slater_update, &
      suite_qmc_slater_flush, suite_qmc_slater_invert, suite_qmc_sweep, suite_qmc_local_energy, suite_qmc_branch
  ! A host code needs no other module.
  public :: suite_call, suite_device, suite_array, suite_open, suite_close, suite_device_open, suite_device_close, &
      suite_device_describe, suite_allocate, suite_release, suite_upload, suite_download, suite_run, suite_start, suite_wait, &
      suite_forget, suite_choose, suite_set_parameter, suite_set, suite_get, suite_set_device, suite_unset, suite_message, &
      suite_warnings, suite_ok, suite_not_found, suite_unsupported, suite_device_error, suite_invalid_argument, suite_int32, &
      suite_int64, suite_real32, suite_real64, suite_complex128

  !> suite_qmc_set(qmc, cell, nele, kvec, alpha, L_u, truncation, gvec, star, a, charge, ewald_alpha, ewald_tolerance, ierr)
  interface suite_qmc_set
    procedure set_constants
  end interface

  !> suite_qmc_set_blips(qmc, c, ierr): in place.
  interface suite_qmc_set_blips
    procedure blips_double, blips_single, blips_there
  end interface

  !> suite_qmc_closest_images(qmc, rfrom, rto, eevecs, seconds, ierr): rto - rfrom + R with the R that makes it shortest.
  interface suite_qmc_closest_images
    procedure closest_images, closest_images_host
  end interface

  !> suite_qmc_ewald(qmc, rele, energy, total, field, ie, rnew, rhok, seconds, ierr): at least one of energy, total and field;
  !> rhok(ngvec,1,nwalker) of suite_qmc_structure_factor with the same gvec and charge (suite_qmc_set) makes a move of one
  !> particle O(netot) + O(ngvec).
  interface suite_qmc_ewald
    procedure ewald, ewald_host
  end interface

  !> suite_qmc_jastrow_u(qmc, rele, value, gradient, laplacian, ie, rnew, dvalue, dgradient, dlaplacian, ierr=ierr)
  interface suite_qmc_jastrow_u
    procedure jastrow, jastrow_host
  end interface

  !> suite_qmc_jastrow_p(qmc, rele, value, gradient, laplacian, ie, rnew, dvalue, dgradient, dlaplacian, rhok, seconds, ierr):
  !> rhok of suite_qmc_structure_factor; never set: computed.
  interface suite_qmc_jastrow_p
    procedure jastrow, jastrow_host
  end interface

  !> suite_qmc_structure_factor(qmc, rele, rhok, ie, rnew, accept, seconds, ierr): of all electrons, or after a move of electron
  !> ie to rnew(3,1,nwalker), before rele is changed; accept integer(c_int32_t) (nwalker), 0: no move.
  interface suite_qmc_structure_factor
    procedure structure_factor, structure_factor_host
  end interface

  !> suite_qmc_orbitals_free(qmc, r, phi, dphi, d2phi, seconds, ierr)
  interface suite_qmc_orbitals_free
    procedure orbitals, orbitals_host
  end interface

  !> suite_qmc_orbitals_blip(qmc, r, phi, dphi, d2phi, seconds, ierr)
  interface suite_qmc_orbitals_blip
    procedure orbitals, orbitals_host
  end interface

  !> suite_qmc_slater_ratio(qmc, dbar, phi, ratio, ie, dphi, d2phi, drift, laplacian, delayed_phi, delayed_dbar, delayed_binv,
  !> delayed_electron, seconds, ierr): ie is the electron of this spin; drift needs dphi, laplacian d2phi.
  interface suite_qmc_slater_ratio
    procedure slater_ratio, slater_ratio_host
  end interface

  !> suite_qmc_slater_update(qmc, dbar, ie, phi, ratio, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, seconds, ierr):
  !> ie integer(c_int32_t) (nupdate,nwalker), 0: no move; phi(n,nupdate,nwalker) the new columns.
  interface suite_qmc_slater_update
    procedure slater_update, slater_update_host
  end interface

  !> suite_qmc_slater_flush(qmc, dbar, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, seconds, ierr), of a call of
  !> qmc.slater_update: dbar takes the moves that wait.
  interface suite_qmc_slater_flush
    procedure slater_flush, slater_flush_host
  end interface

  !> suite_qmc_slater_invert(qmc, phi, dbar, logdet, sign, seconds, ierr): phi(n,n,nwalker).
  interface suite_qmc_slater_invert
    procedure slater_invert, slater_invert_host
  end interface

  !> suite_qmc_sweep(qmc, rele, dbar_up, dbar_dn, tau, first_sweep, seed, stream, accepted, nsweep, alimit, diffusion, logpsi,
  !> seconds, ierr)
  interface suite_qmc_sweep
    procedure sweep, sweep_host
  end interface

  !> suite_qmc_local_energy(qmc, rele, dbar_up, dbar_dn, energy, velocity, jastrow, seconds, ierr)
  interface suite_qmc_local_energy
    procedure local_energy, local_energy_host
  end interface

  !> suite_qmc_branch(qmc, from, rele, dbar_up, dbar_dn, carry, seconds, ierr)
  interface suite_qmc_branch
    procedure branch, branch_host
  end interface
end module
