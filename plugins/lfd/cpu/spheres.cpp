// SPDX-License-Identifier: BSD-3-Clause
#include "spheres.hpp"

#include <algorithm>
#include <cmath>

#include "../nonlocal.hpp"

namespace suite::lfd {
namespace {

// Numbers the lattice vectors by which r - R differs from the grid's own.
void number_images(const Grid& g, Sphere& s) {
  s.shift.clear();
  for (size_t p = 0; p < s.point.size(); ++p) {
    const int64_t at[] = {s.point[p] / (g.n[1] * g.n[2]), s.point[p] / g.n[2] % g.n[1], s.point[p] % g.n[2]};
    Three shift;
    for (int d = 0; d < 3; ++d) shift.x[d] = s.displacement[p].x[d] - static_cast<double>(at[d] - g.n[d] / 2) * g.h[d];
    if (p == 0) s.shift.push_back(shift);
    const auto same = [&](const Three& known) {
      for (int d = 0; d < 3; ++d)
        if (!(std::abs(known.x[d] - shift.x[d]) <= 1e-12 * (1 + std::abs(shift.x[d])))) return false;
      return true;
    };
    const auto known = std::find_if(s.shift.begin(), s.shift.end(), same);
    s.image[p] = static_cast<int32_t>(known - s.shift.begin());
    if (known == s.shift.end()) s.shift.push_back(shift);
  }
  for (size_t i = s.shift.size(); i-- > 0;)
    for (int d = 0; d < 3; ++d) s.shift[i].x[d] -= s.shift[0].x[d];
}

// [point][nproj] of beta(nsphere,nproj), in tiles that stay in a near cache where projectors are many and
// long.
std::vector<double> transposed(const double* beta, int64_t nsphere, int64_t nproj, int64_t count) {
  constexpr int64_t tile = 32;
  std::vector<double> rows(static_cast<size_t>(count * nproj));
  for (int64_t first = 0; first < count; first += tile)
    for (int64_t q = 0; q < nproj; ++q)
      for (int64_t p = first; p < std::min(first + tile, count); ++p) rows[p * nproj + q] = beta[p + nsphere * q];
  return rows;
}

}  // namespace

Spheres::Spheres(const Grid& grid, const line::Nonlocal& V, double tau, bool images) {
  if (!has_nonlocal(V)) return;
  const int64_t nsphere = V.nsphere(), natom = V.natom();
  nproj = V.nproj();
  const int32_t* const points = V.nlpoint.data();
  const double *const displacements = V.nldisp.data(), *const projectors = V.beta.data(), *const D = V.dnl.data();
  check_spheres(points, nsphere, natom, grid.points());
  const double volume = grid.volume_element();
  const std::vector<int64_t> count = sphere_points(points, nsphere, natom);
  const std::vector<double> S = tau == 0 ? std::vector<double>(static_cast<size_t>(nproj * nproj * natom))
                                         : projector_overlaps(projectors, points, nsphere, nproj, natom, volume);
  const std::vector<std::complex<double>> K = projector_exponentials(S.data(), D, nproj, natom, tau);
  for (int64_t atom = 0; atom < natom; ++atom) {
    Sphere s;
    for (int64_t p = 0; p < count[atom]; ++p) {
      s.point.push_back(points[p + nsphere * atom] - 1);
      const double* const r = displacements + 3 * (p + nsphere * atom);
      s.displacement.push_back({{r[0], r[1], r[2]}});
    }
    s.beta = transposed(projectors + nsphere * nproj * atom, nsphere, nproj, count[atom]);
    s.single_beta.assign(s.beta.begin(), s.beta.end());
    for (int64_t i = 0; i < nproj * nproj; ++i) {
      s.K.push_back(volume * K[atom * nproj * nproj + i]);
      s.D.push_back(D[atom * nproj * nproj + i]);
    }
    s.image.assign(s.point.size(), 0);
    s.shift.assign(1, Three{});
    if (images && !s.point.empty()) number_images(grid, s);
    atoms.push_back(std::move(s));
  }
}

}  // namespace suite::lfd
