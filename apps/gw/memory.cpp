// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/core.h>

#include "band_store.hpp"
#include "common/memory.hpp"
#include "common/quantities.hpp"
#include "plan.hpp"
#include "screening.hpp"

namespace suite::gw {

namespace {

constexpr double complex_B = 16, MiB = 1048576;
// The program with its plugins and the buffers of HDF5 and of OpenMP; a run of a small crystal takes it.
constexpr double program_B = 31 * MiB;
// gpp.sigma packs M in panels of this size (plugins/gpp/cpu/fast.cpp), beside the list of poles of each thread.
constexpr double panels_B = 100 * MiB;
// gw.mtxel's default of 'memory', and its bands in one vector.
constexpr double kept_B = 8192 * MiB, lanes = 8;

// The largest component of a G within a cutoff along each axis.
Miller largest_components(const Matrix3& bdot, double cutoff) {
  const Vector3 most = sphere_extent(bdot, cutoff);
  return {static_cast<int>(most[0]), static_cast<int>(most[1]), static_cast<int>(most[2])};
}

// The next length that a fast transform has.
int transform_length(int n) {
  for (;; ++n) {
    int rest = n;
    for (int factor : {2, 3, 5, 7})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return n;
  }
}

// The smallest grid without alias on the wanted G, as plugins/gw/grid.hpp finds it: no multiple T of its lengths is as short as a component of a product and a
// wanted G can lie apart, twice the radius of the bands and once that of the wanted.
double grid_points(const Matrix3& bdot, double cutoff, double wanted_cutoff) {
  const Miller bands = largest_components(bdot, cutoff), wanted = largest_components(bdot, wanted_cutoff);
  const double reach = 2 * std::sqrt(cutoff) + std::sqrt(wanted_cutoff), shortest2 = reach * reach * (1 + 1e-9);
  std::array<std::vector<int>, 3> lengths;
  for (size_t i = 0; i < 3; ++i) {
    const int sufficient = 2 * bands[i] + wanted[i] + 1;
    for (int n = std::max(2 * bands[i] + 1, (sufficient + 1) / 2); n < sufficient; ++n)
      if (transform_length(n) == n) lengths[i].push_back(n);
    lengths[i].push_back(transform_length(sufficient));
  }
  const auto no_alias = [&](const Miller& n) {
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if ((x || y || z) && !(length2(bdot, real({x * n[0], y * n[1], z * n[2]})) > shortest2)) return false;
    return true;
  };
  double least = double(lengths[0].back()) * lengths[1].back() * lengths[2].back();
  for (const int x : lengths[0])
    for (const int y : lengths[1])
      for (const int z : lengths[2])
        if (const double points = double(x) * y * z; points < least && no_alias({x, y, z})) least = points;
  return least;
}

double full_vectors(double bands) { return lanes * std::ceil(bands / lanes); }

}  // namespace

MemoryCounts memory_counts(const Plan& plan, int groups, int slices) {
  const Wavefunctions& w = plan.wavefunctions;
  const Matrix3& bdot = w.crystal().bdot;
  MemoryCounts c;
  c.number_B = 8.0 * plan.parts;
  c.bands = plan.settings.nbands;
  c.occupied = w.most_occupied();
  c.external = plan.largest_external();
  c.ncouls = plan.eps.largest();
  if (Coulomb::takes_mean_at_zero(plan.settings))
    c.ncouls = std::max(c.ncouls, static_cast<double>(SmallQMean(plan.eps, plan.wavefunctions.operations()).g().size()));
  c.columns = std::ceil(c.ncouls / slices);
  c.matrices = plan.settings.model == Model::godby_needs ? 2 : 1;
  c.several_q = plan.eps.count() > 1;
  // Samples while poles are made of them: two numbers each, as a pole has.
  if (plan.settings.full_frequency())
    c.kept_matrices = static_cast<int>(plan.eps.frequencies().size()) * (plan.settings.multipole() ? 2 : 1);
  c.exact_ch = plan.settings.exact_ch();
  c.random_points = Coulomb::takes_random_points(plan.settings) ? static_cast<double>(RandomPoints::points) : 0;
  // The first group has as many items as any; of its ranks, that with the most bands.
  const size_t mine = (plan.items.size() + static_cast<size_t>(groups) - 1) / static_cast<size_t>(groups);
  Slice slice{0, slices};
  for (int i = 1; i < slices; ++i)
    if (internal_share(plan, {i, slices}).count() > internal_share(plan, slice).count()) slice.slice = i;
  c.own_bands = static_cast<double>(internal_share(plan, slice).count());
  c.own_occupied = static_cast<double>(occupied_share(w.most_occupied(), plan, slice, exchange_in_turns(mine, slices)).count());
  const auto needed = needed_bands(plan, 0, std::min(mine, plan.items.size()), slice);
  const auto count = [&](const std::vector<std::vector<Range>>& of_file, const Wavefunctions& file) {
    double largest = 0;
    for (size_t k = 0; k < of_file.size(); ++k) {
      const auto n = static_cast<double>(file.plane_waves(static_cast<int>(k % file.kpoints().size()))) * file.spinors();
      for (const Range& bands : of_file[k]) c.stored += n * static_cast<double>(bands.count());
      if (!of_file[k].empty()) largest = std::max(largest, n);
    }
    return largest;
  };
  c.plane_waves = count(needed.inner, w);
  count(needed.outer, plan.outer());
  c.bare = std::max(c.ncouls, w.crystal().volume * std::pow(plan.bare_cutoff(), 1.5) / (6 * std::numbers::pi * std::numbers::pi));
  c.grid = grid_points(bdot, plan.bare_cutoff(), plan.eps.cutoff());
  c.bare_grid = grid_points(bdot, plan.bare_cutoff(), plan.bare_cutoff());
  Miller rho{};
  for (const auto& g : plan.density.rho.gvectors())
    for (int i = 0; i < 3; ++i) rho[i] = std::max(rho[i], std::abs(g[i]));
  c.density_grid = (2.0 * rho[0] + 1) * (2.0 * rho[1] + 1) * (2.0 * rho[2] + 1);
  return c;
}

Memory memory_of(const MemoryCounts& c, int threads) {
  Memory m;
  const double elements = c.ncouls * c.bands * c.external;
  // Exchange: the larger set of bands is kept.
  const double inner = c.external > c.occupied ? c.external : c.own_occupied, outer = c.external > c.occupied ? c.own_occupied : c.external;
  // In real space a complex number is two real bands.
  const auto kept = [&](double grid, double bands) {
    return std::min(complex_B * grid * full_vectors(bands * c.number_B / complex_B), kept_B);
  };
  m.wavefunctions = c.number_B * c.stored;
  m.images = c.number_B * c.plane_waves * std::max(c.own_bands, c.own_occupied);
  m.real_space = kept(c.grid, c.own_bands) + kept(c.bare_grid, inner) + complex_B * (c.grid * c.external + c.bare_grid * outer);
  // Its own M before they are exchanged, or those of exchange: one memory.
  const double before = c.own_bands < c.bands ? c.ncouls * c.own_bands * c.external : 0;
  m.elements = c.number_B * (elements + std::max(c.bare * c.own_occupied * c.external, before));
  // I and w of this process. The check of eps^-1 as a whole has the columns of this process and as many of others. eps^-1 of the first q goes before matrix
  // elements are made, but for the largest matrices; the next q finds what was kept.
  const double made = complex_B * c.ncouls * c.columns * std::max(c.columns < c.ncouls ? 2 : 1, c.matrices),
               kept_later = c.several_q ? 0 : m.real_space + m.elements;
  m.screening = (complex_B * (1 + c.kept_matrices) + c.number_B) * c.ncouls * c.columns + std::max(0.0, made - kept_later);
  // The density in two boxes, of the app and of gw.screening, and <n|exp(iGr)|n>.
  m.panels = std::min(panels_B, 2 * c.number_B * elements);
  m.rest = program_B + complex_B * (1 + threads) * c.density_grid + (c.exact_ch ? complex_B * c.bare * c.external : 0) +
           sizeof(Vector3) * c.random_points;
  for (double* of_each : {&m.images, &m.real_space, &m.elements, &m.screening, &m.panels}) *of_each *= threads;
  return m;
}

std::string memory_text(const Memory& m) {
  return fmt::format("{} (wavefunctions {}, in real space {}, matrix elements {}, screening {}, rest {})", app::bytes_text(m.all()),
                     app::bytes_text(m.wavefunctions + m.images), app::bytes_text(m.real_space), app::bytes_text(m.elements),
                     app::bytes_text(m.screening), app::bytes_text(m.panels + m.rest));
}

void require_memory(const Memory& m) {
  app::require_memory(m.all(), "the run needs " + memory_text(m), "use fewer bands, or more processes on more machines");
}

}  // namespace suite::gw
