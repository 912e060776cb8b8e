// SPDX-License-Identifier: BSD-3-Clause
#include "spheres.hpp"

#include <algorithm>

#include "sources.hpp"

namespace suite::lfd::cl {

Pseudopotential read(const Engine& engine, const Grid& grid, const line::Nonlocal& arguments) {
  Pseudopotential V;
  V.read(grid, arguments, [&](const auto& argument, const char* name, auto& to) {
    to = engine.fetch<typename std::decay_t<decltype(to)>::value_type>(argument.array(), name);
  });
  return V;
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

// For psi, the phase of a point is that of r - R; for chi, of what Pseudopotential::image_shifts() says.
void Spheres::set(const Pseudopotential& V, const Grid& grid) {
  V_ = &V;
  grid_ = grid;
  timed_ = false;
  if (empty()) return;
  const int64_t ns = V.nsphere, np = V.nproj;
  std::vector<int32_t> points(V.points);
  for (int32_t& p : points) p = std::max(p - 1, 0);
  std::vector<double> beta(V.beta.size()), D(V.D);
  for (double& d : D) d *= V.volume * V.volume;
  for (int64_t atom = 0; atom < V.natom; ++atom)
    for (int64_t p = 0; p < ns; ++p)
      for (int64_t q = 0; q < np; ++q)
        beta[static_cast<size_t>((atom * ns + p) * np + q)] = V.beta[static_cast<size_t>((atom * np + q) * ns + p)];
  counts_.upload(V.counts);
  points_.upload(points);
  shifts_.upload(blocks_ ? V.image_shifts(grid) : V.displacements);
  displacements_.upload(V.displacements);
  engine_.upload(beta_, beta);
  D_.upload(D);
}

void Spheres::set_time(double tau) {
  if (empty() || (timed_ && tau == tau_)) return;
  const std::vector<std::complex<double>> K = V_->exponentials(tau);
  const auto* const numbers = reinterpret_cast<const double*>(K.data());
  engine_.upload(K_, std::vector<double>(numbers, numbers + 2 * K.size()));
  tau_ = tau;
  timed_ = true;
}

// Work-items that share a sphere's points meet in local memory.
int Spheres::local() const {
  const uint64_t each = 2 * static_cast<uint64_t>(V_->nproj) * static_cast<uint64_t>(engine_.vector()) * engine_.real_bytes();
  int local = engine_.local(32);
  while (local > 1 && each * static_cast<uint64_t>(local) > engine_.device.local_bytes / 2) local /= 2;
  return local;
}

std::string Spheres::options(bool u, bool phased) const {
  return define("BLOCKS", blocks_) + define("NPROJ", V_->nproj) + define("LOCAL", local()) + define("U", u) + define("PHASED", phased);
}

opencl::Range Spheres::range() const {
  const auto group = static_cast<size_t>(local());
  return {{static_cast<size_t>(engine_.vectors(grid_.norb)) * group, 1, 1}, {group, 1, 1}};
}

void Spheres::propagate(cl_mem psi, cl_mem u, bool phased, cl_mem waves, bool descending, double times) {
  const Counts n(grid_);
  engine_.run(spheres_cl, "nonlocal", options(u != nullptr, phased), range(), psi, u ? u : psi, counts_.at_least(0), points_.at_least(0),
              shifts_.at_least(0), beta_.at_least(0), K_.at_least(0), waves, static_cast<cl_int>(V_->nsphere),
              static_cast<cl_int>(V_->natom), cl_int(descending), times, n.nx, n.ny, n.nz, n.norb);
}

void Spheres::energies(cl_mem psi, bool phased, cl_mem waves, cl_mem enl) {
  const Counts n(grid_);
  engine_.run(spheres_cl, "nonlocal_energies", options(false, phased), range(), psi, counts_.at_least(0), points_.at_least(0),
              shifts_.at_least(0), beta_.at_least(0), D_.at_least(0), waves, enl, static_cast<cl_int>(V_->nsphere),
              static_cast<cl_int>(V_->natom), n.nx, n.ny, n.nz, n.norb);
}

void Spheres::currents(cl_mem psi, bool phased, cl_mem waves, cl_mem f, cl_mem partial, int64_t from) {
  const Counts n(grid_);
  engine_.run(spheres_cl, "nonlocal_currents", options(false, phased), range(), psi, counts_.at_least(0), points_.at_least(0),
              shifts_.at_least(0), beta_.at_least(0), D_.at_least(0), displacements_.at_least(0), waves, f, partial,
              static_cast<cl_int>(V_->nsphere), static_cast<cl_int>(V_->natom), n.nx, n.ny, n.nz, n.norb, static_cast<cl_int>(from),
              1 / grid_.volume_element());
}

}  // namespace suite::lfd::cl
