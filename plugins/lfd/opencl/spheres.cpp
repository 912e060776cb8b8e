// SPDX-License-Identifier: BSD-3-Clause
#include "spheres.hpp"

#include <algorithm>
#include <cmath>

#include "../nonlocal.hpp"
#include "sources.hpp"

namespace suite::lfd::cl {

void SphereArrays::read(const Engine& engine, const Grid& grid, const line::Nonlocal& V) {
  there = has_nonlocal(V);
  if (!there) {
    natom = 0;
    return;
  }
  nsphere = V.nsphere();
  nproj = V.nproj();
  natom = V.natom();
  points = engine.fetch<int32_t>(V.nlpoint.array(), "nlpoint");
  displacements = engine.read(V.nldisp.array(), "nldisp");
  beta = engine.read(V.beta.array(), "beta");
  D = engine.read(V.dnl.array(), "dnl");
  check_spheres(points.data(), nsphere, natom, grid.points());
  const std::vector<int64_t> count = sphere_points(points.data(), nsphere, natom);
  counts.assign(count.begin(), count.end());
  overlaps = projector_overlaps(beta.data(), points.data(), nsphere, nproj, natom, grid.volume_element());
}

Spheres::Spheres(Engine& e, bool blocks)
    : engine_(e),
      blocks_(blocks),
      counts_(e.backend, e.queue, "the sizes of spheres"),
      points_(e.backend, e.queue, "the points of spheres"),
      shifts_(e.backend, e.queue, "the phases of spheres"),
      displacements_(e.backend, e.queue, "the displacements of spheres"),
      beta_(e.backend, e.queue, "the projectors"),
      K_(e.backend, e.queue, "the exponentials of projectors"),
      D_(e.backend, e.queue, "the coefficients of projectors") {}

// For psi, the phase of a point is that of r - R. For chi = e^{i(A+k).r} psi the part of the grid's own r is
// gone, and what is left, -R and the lattice vector of the point's image, counts from the atom's first point.
void Spheres::set(const SphereArrays& arrays, const Grid& grid) {
  arrays_ = &arrays;
  grid_ = grid;
  timed_ = false;
  if (empty()) return;
  const int64_t ns = arrays.nsphere, np = arrays.nproj;
  std::vector<int32_t> points(arrays.points);
  for (int32_t& p : points) p = std::max(p - 1, 0);
  std::vector<double> shifts(arrays.displacements), beta(arrays.beta.size()), D(arrays.D);
  const double dr = grid.volume_element();
  for (double& d : D) d *= dr * dr;
  for (int64_t atom = 0; atom < arrays.natom; ++atom)
    for (int64_t p = 0; p < ns; ++p) {
      for (int64_t q = 0; q < np; ++q)
        beta[static_cast<size_t>((atom * ns + p) * np + q)] =
            arrays.beta[static_cast<size_t>((atom * np + q) * ns + p)];
      if (!blocks_) continue;
      const int64_t point = points[static_cast<size_t>(atom * ns + p)];
      const int64_t at[] = {point / (grid.n[1] * grid.n[2]), point / grid.n[2] % grid.n[1],
                            point % grid.n[2]};
      for (int d = 0; d < 3; ++d) {
        const double r = static_cast<double>(at[d] - grid.n[d] / 2) * grid.h[d];
        double& shift = shifts[static_cast<size_t>(3 * (atom * ns + p) + d)];
        shift -= r;
        const double first = shifts[static_cast<size_t>(3 * atom * ns + d)];
        if (p == 0) continue;
        shift -= first;
        if (!(std::abs(shift) > 1e-12 * (1 + std::abs(first)))) shift = 0;
      }
    }
  if (blocks_)
    for (int64_t atom = 0; atom < arrays.natom && ns > 0; ++atom)
      for (int d = 0; d < 3; ++d) shifts[static_cast<size_t>(3 * atom * ns + d)] = 0;
  counts_.upload(arrays.counts);
  points_.upload(points);
  shifts_.upload(shifts);
  displacements_.upload(arrays.displacements);
  engine_.upload(beta_, beta);
  D_.upload(D);
}

void Spheres::set_time(double tau) {
  if (empty() || (timed_ && tau == tau_)) return;
  const std::vector<std::complex<double>> K = projector_exponentials(
      arrays_->overlaps.data(), arrays_->D.data(), arrays_->nproj, arrays_->natom, tau);
  std::vector<double> numbers;
  for (const std::complex<double>& k : K) {
    numbers.push_back(grid_.volume_element() * k.real());
    numbers.push_back(grid_.volume_element() * k.imag());
  }
  engine_.upload(K_, numbers);
  tau_ = tau;
  timed_ = true;
}

// Work-items that share a sphere's points meet in local memory.
int Spheres::local() const {
  const uint64_t each = 2 * static_cast<uint64_t>(arrays_->nproj) * static_cast<uint64_t>(engine_.vector()) *
                        engine_.real_bytes();
  int local = engine_.local(32);
  while (local > 1 && each * static_cast<uint64_t>(local) > engine_.device.local_bytes / 2) local /= 2;
  return local;
}

std::string Spheres::options(bool u, bool phased) const {
  return define("BLOCKS", blocks_) + define("NPROJ", arrays_->nproj) + define("LOCAL", local()) +
         define("U", u) + define("PHASED", phased);
}

opencl::Range Spheres::range() const {
  const auto group = static_cast<size_t>(local());
  return {{static_cast<size_t>(engine_.vectors(grid_.norb)) * group, 1, 1}, {group, 1, 1}};
}

void Spheres::propagate(cl_mem psi, cl_mem u, bool phased, cl_mem waves, bool descending, double times) {
  const Counts n(grid_);
  engine_.run(spheres_cl, "nonlocal", options(u != nullptr, phased), range(), psi, u ? u : psi,
              counts_.at_least(0), points_.at_least(0), shifts_.at_least(0), beta_.at_least(0),
              K_.at_least(0), waves, static_cast<cl_int>(arrays_->nsphere),
              static_cast<cl_int>(arrays_->natom), cl_int(descending), times, n.nx, n.ny, n.nz, n.norb);
}

void Spheres::energies(cl_mem psi, bool phased, cl_mem waves, cl_mem enl) {
  const Counts n(grid_);
  engine_.run(spheres_cl, "nonlocal_energies", options(false, phased), range(), psi, counts_.at_least(0),
              points_.at_least(0), shifts_.at_least(0), beta_.at_least(0), D_.at_least(0), waves, enl,
              static_cast<cl_int>(arrays_->nsphere), static_cast<cl_int>(arrays_->natom), n.nx, n.ny, n.nz,
              n.norb);
}

void Spheres::currents(cl_mem psi, bool phased, cl_mem waves, cl_mem f, cl_mem partial, int64_t from) {
  const Counts n(grid_);
  engine_.run(spheres_cl, "nonlocal_currents", options(false, phased), range(), psi, counts_.at_least(0),
              points_.at_least(0), shifts_.at_least(0), beta_.at_least(0), D_.at_least(0),
              displacements_.at_least(0), waves, f, partial, static_cast<cl_int>(arrays_->nsphere),
              static_cast<cl_int>(arrays_->natom), n.nx, n.ny, n.nz, n.norb, static_cast<cl_int>(from),
              1 / grid_.volume_element());
}

}  // namespace suite::lfd::cl
