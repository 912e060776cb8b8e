! SPDX-License-Identifier: BSD-3-Clause
!> Family dfpt from Fortran: the kernels of all-electron density-functional perturbation theory with numeric atom-centred
!> orbitals on batches of points, with the names of FHI-aims' manual and of its developers' papers. plugins/dfpt/dfpt.hpp holds the
!> formulas, docs/theory/dfpt.md where they come from. Hartree atomic units; all indices count from 1.
!>
!>     use suite_dfpt
!>     type(suite_call) :: density
!>     call suite_open       (density, "dfpt.rho", "cpu")
!>     call suite_dfpt_set   (density, batch_points, batch_basis, i_basis)          ! what stays: copied
!>     call suite_dfpt_points(density, wave=wave)                                   ! what stays: in place
!>     call suite_dfpt_rho   (density, rho, density_matrix)                         ! rho(n_points,n_dir)
!>     call suite_close      (density)
!>
!> Every kernel is one routine, suite_dfpt_<kernel>: it sets what it is given, runs, and brings the results back.
!>
!> **Inputs that are absent stay as they were set; results that are absent are not computed.** So the loop of a response sets
!> everything once and then names only what changes. Inputs, and H and HC, which the kernel adds to, are used in place on a
!> device that shares the host's memory: they must stay where they are until they are set again, suite_forget or suite_close, or
!> be given to every call; contents may change freely but for those marked (kept), of which the kernel keeps derived data: set
!> them again after a change. On a device with memory of its own give what has changed.
!>
!> Arrays on the device: the kernels' routines also take type(suite_array), made by suite_allocate. To mix both, or for what
!> stays, name some once, suite_set_device(density, "wave", wave_there), and leave them out. Two calls that were given the same
!> array on the device work on the same numbers.
!>
!> n_dir densities, potentials or matrices at once: three directions of a field, or 1; a matrix P(n_basis,n_basis) goes in by
!> P3(1:n_basis,1:n_basis,1:1) => P. n_lm = (l_max+1)^2, component (l,m) is number l^2+l+m+1; Y_lm real and orthonormal.
!>
!> Copied by suite_dfpt_set; each kernel takes those that it has by name (all kept):
!>     batch_points integer (n_batches+1)     1          first point of each batch; last: n_points + 1
!>     batch_basis  integer (n_batches+1)     1          first entry of each batch in i_basis; last: n_list + 1
!>     i_basis      integer (n_list)          1          basis functions of each batch, rising
!>     atom_coords  double  (3,n_atoms)       bohr       nuclei
!>     species      integer (n_atoms)         1          of each atom
!>     basis_atom, basis_fn, basis_l, basis_m integer (n_basis): atom, radial function, l up to 8, m of each basis function
!>     r_grid_min, r_grid_inc double (n_species) bohr, 1 first knot of the species' logarithmic grid, ratio of neighbours
!>     outer_radius double  (n_basis_fns)     bohr       where each radial function ends
!>     r_radial     double  (n_radial,n_species) bohr    radii of the shells of points around a nucleus, rising
!>     radial_points integer (n_species)      1          how many of them the species has
!>     grid_shell   double  (n_grid,n_species) 1         shell's number at each point of the logarithmic grid
!>     knots        double  (n_knots,n_species) bohr     radii of the tables' knots
!>     atom_table   integer (n_atoms)         1          each atom's table and moments in dfpt.sum_up
!>     grid_scale, grid_max double (n_species) bohr      where knots are uniform by shells, instead of r_grid_min, r_grid_inc
!>     multipole_radius double (n_species)    bohr       where the far field begins: no radius of points,
!>                                                      which rounding would put on either side of it
!> In place, by suite_dfpt_points (kept):
!>     coords       double  (3,n_points)      bohr       points, batch after batch
!>     basis_wave_spl double (4,n_grid,n_basis_fns) bohr^-3/2 splines of the radial functions u/r
!>     wave, wave_right double (n_wave)       bohr^-3/2  chi at the points, function fastest, of suite_dfpt_basis; wave_right: for
!>                                                       (chi_m chi'_n + chi'_m chi_n)/2 in suite_dfpt_h
!>     partition_tab double (n_points)        bohr^3     integration weights
!>     point_atom, point_shell integer(c_int32_t) (n_points): atom and shell of each point
!>     projection_weight double (n_points)    1          4 pi angular weight, partition
!> In place, by suite_dfpt_states, for dfpt.response:
!>     C            double  (n_basis,n_states) 1         coefficients of all states, occupied ones first
!>     eigenvalues  double  (n_states)        Ha
!>     n_occ        integer                   1          number of occupied ones; copied
!> In place, by the kernels' own routines:
!>     rho          double  (n_points,n_dir)  bohr^-3    densities
!>     density_matrix double (n_basis,n_basis,n_dir) 1   symmetric
!>     C, C1        double  (n_basis,n_occ), (n_basis,n_occ,n_dir)   occupied orbitals, and of first order
!>     v, potential double  (n_points,n_dir)  Ha         potentials; v never set: 1, for the overlap
!>     H, H1        double  (n_basis,n_basis,n_dir) Ha   matrices; suite_dfpt_h adds to H
!>     HC, HC1      double  (n_basis,n_occ,n_dir) Ha     their products with occupied orbitals; suite_dfpt_hc adds to HC
!>     rho_multipole double (n_lm,n_radial,n_atoms,n_dir) bohr^-3   components on the shells
!>     potential_spl, density_spl double (n_lm,4,n_knots,n_atoms,n_dir) Ha, bohr^-3   splines
!>     moments      double  (n_lm,n_atoms,n_dir) Ha bohr^(l+1)   multipole moments, v = moment/r^(l+1)
!>
!> A mistake ends in ierr and a sentence with the names above: "n_basis is 5 in density_matrix but i_basis(7) is 6".
module suite_dfpt
  use suite
  use suite_dfpt_calls
  use suite_dfpt_constants
  use suite_dfpt_host
  implicit none (type, external)
  private

  public :: suite_dfpt_set, suite_dfpt_points, suite_dfpt_states
  public :: suite_dfpt_basis, suite_dfpt_rho, suite_dfpt_h, suite_dfpt_hc, suite_dfpt_multipoles, suite_dfpt_poisson, &
      suite_dfpt_sum_up, suite_dfpt_response, suite_dfpt_response_hc
  ! A host code needs no other module.
  public :: suite_call, suite_device, suite_array, suite_open, suite_close, suite_device_open, suite_device_close, &
      suite_device_describe, suite_allocate, suite_release, suite_upload, suite_download, suite_run, suite_start, suite_wait, &
      suite_forget, suite_choose, suite_set_parameter, suite_set, suite_get, suite_set_device, suite_unset, suite_message, &
      suite_warnings, suite_ok, suite_not_found, suite_unsupported, suite_device_error, suite_invalid_argument, suite_int32, &
      suite_int64, suite_real32, suite_real64

  !> suite_dfpt_set(dfpt, batch_points, batch_basis, i_basis, atom_coords, species, basis_atom, basis_fn, basis_l, basis_m,
  !> r_grid_min, r_grid_inc, outer_radius, r_radial, radial_points, grid_shell, knots, atom_table, grid_scale, grid_max,
  !> multipole_radius, ierr)
  interface suite_dfpt_set
    procedure set_constants
  end interface

  !> suite_dfpt_points(dfpt, coords, basis_wave_spl, wave, wave_right, partition_tab, point_atom, point_shell, projection_weight,
  !> ierr): in place.
  interface suite_dfpt_points
    procedure set_points
  end interface

  !> suite_dfpt_states(dfpt, C, eigenvalues, n_occ, ierr), of a call of dfpt.response: in place.
  interface suite_dfpt_states
    procedure set_states
  end interface

  !> suite_dfpt_basis(dfpt, wave, seconds, ierr): basis functions at the points; with kinetic radial tables -1/2 lap chi.
  interface suite_dfpt_basis
    procedure basis_functions, basis_functions_host
  end interface

  !> suite_dfpt_rho(dfpt, rho, density_matrix, C, C1, seconds, ierr): rho_d(r) = sum_mn P_d(m,n) chi_m chi_n of density_matrix, or
  !> 4 sum_i psi_i psi1_i of C and C1, or 2 sum_i psi_i^2 of C alone. What is given of one form makes the other unset.
  interface suite_dfpt_rho
    procedure densities, densities_host
  end interface

  !> suite_dfpt_h(dfpt, H, v, HC, C, seconds, ierr): H_d(m,n) += sum_points W v_d chi_m chi_n; with HC also the products.
  interface suite_dfpt_h
    procedure matrices, matrices_host
  end interface

  !> suite_dfpt_hc(dfpt, HC, v, C, seconds, ierr), of a call of dfpt.h: HC_d(m,i) += sum_points W v_d chi_m psi_i, no matrix.
  interface suite_dfpt_hc
    procedure products, products_host
  end interface

  !> suite_dfpt_multipoles(dfpt, rho_multipole, rho, seconds, ierr)
  interface suite_dfpt_multipoles
    procedure components, components_host
  end interface

  !> suite_dfpt_poisson(dfpt, potential_spl, moments, rho_multipole, density_spl, seconds, ierr)
  interface suite_dfpt_poisson
    procedure radial_potentials, radial_potentials_host
  end interface

  !> suite_dfpt_sum_up(dfpt, potential, potential_spl, moments, seconds, ierr)
  interface suite_dfpt_sum_up
    procedure potentials, potentials_host
  end interface

  !> suite_dfpt_response(dfpt, H1, C1, density_matrix, seconds, ierr): C1 or density_matrix or both.
  interface suite_dfpt_response
    procedure response_to_matrices, response_to_matrices_host
  end interface

  !> suite_dfpt_response_hc(dfpt, HC1, C1, density_matrix, seconds, ierr), of a call of dfpt.response.
  interface suite_dfpt_response_hc
    procedure response_to_products, response_to_products_host
  end interface
end module
