// SPDX-License-Identifier: BSD-3-Clause
// qmc.pseudopotential: electron by electron, ion by ion, point by point.
#include "../semilocal.hpp"
#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Pseudopotential c(arguments);
    Lattice lattice;
    if (c.cell) lattice = lattice_of(c.cell.data());
    const auto fetch = [](const auto& from, const char*, auto& to) { to = copy_of(from); };
    const Semilocal potential = semilocal_of(semilocal_arguments(c, fetch), c.cell ? &lattice : nullptr);
    const SphereRule rule = sphere_rule(c.npoint());
    const QuadratureCall call = check_pseudopotential(c);
    for (int64_t w = 0; w < c.nwalker(); ++w)
      for (int64_t e = 0; e < c.nelectron(); ++e) {
        const double* const at = &c.rele(0, call.electron(e), w);
        int64_t pairs = 0;
        for (int64_t ion = 0; ion < c.nion(); ++ion) {
          const int set = potential.set_of_ion[static_cast<size_t>(ion)];
          if (set < 0) continue;
          Vector d = difference(at, &c.rion(0, ion));
          if (c.cell) closest_image(lattice.images, d.x[0], d.x[1], d.x[2]);
          const double r = std::sqrt(dot(d, d));
          if (!(r < potential.cutoff[static_cast<size_t>(set)])) continue;
          if (pairs < c.mpair()) put_pair(c, call, potential, rule, {set, ion, d, r}, pairs, e, w);
          ++pairs;
        }
        check_pairs(pairs, c.mpair(), call.electron(e), w);
        for (int64_t p = pairs; p < c.mpair(); ++p) put_none(c, at, p, e, w);
        if (c.ratio) put_terms(c, pairs, e, w);
      }
  }

private:
  struct Pair {
    int set;
    int64_t ion;
    Vector d;
    double r;
  };
  static void put_pair(const Pseudopotential& c, const QuadratureCall& call, const Semilocal& potential, const SphereRule& rule,
                       const Pair& pair, int64_t p, int64_t e, int64_t w) {
    double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, v[l_channels];
    const int64_t i = call.electron(e);
    if (call.turns) random_rotation(draw(c.seed, c.stream(w), c.sweep, rotation_number(c.netot(), i, c.nion(), pair.ion), 0), m);
    radial_functions(potential, pair.set, pair.r, v);
    const Vector axis = pair.r > 0 ? Vector{{pair.d.x[0] / pair.r, pair.d.x[1] / pair.r, pair.d.x[2] / pair.r}} : Vector{{0, 0, 1}};
    if (c.ion) c.ion(p, e, w) = static_cast<int32_t>(pair.ion + 1);
    for (int64_t q = 0; q < c.npoint(); ++q) {
      const auto& point = rule.point[static_cast<size_t>(q)];
      Vector n;
      for (int k = 0; k < 3; ++k) n.x[k] = m[k][0] * point[0] + m[k][1] * point[1] + m[k][2] * point[2];
      c.weight(q, p, e, w) =
          rule.weight[static_cast<size_t>(q)] * legendre_sum(v, potential.largest_l[static_cast<size_t>(pair.set)], dot(axis, n));
      for (int k = 0; k < 3 && c.points; ++k) c.points(k, q, p, e, w) = c.rele(k, i, w) + (pair.r * n.x[k] - pair.d.x[k]);
    }
  }
  static void put_none(const Pseudopotential& c, const double* at, int64_t p, int64_t e, int64_t w) {
    if (c.ion) c.ion(p, e, w) = 0;
    for (int64_t q = 0; q < c.npoint(); ++q) {
      c.weight(q, p, e, w) = 0;
      for (int k = 0; k < 3 && c.points; ++k) c.points(k, q, p, e, w) = at[k];
    }
  }
  static void put_terms(const Pseudopotential& c, int64_t pairs, int64_t e, int64_t w) {
    double sum = 0;
    for (int64_t p = 0; p < c.mpair(); ++p)
      for (int64_t q = 0; q < c.npoint(); ++q) {
        const double term = p < pairs ? c.weight(q, p, e, w) * c.ratio(q, p, e, w) : 0;
        sum += term;
        if (c.negative) c.negative(q, p, e, w) = std::min(term, 0.0);
      }
    if (c.energy) c.energy(e, w) = sum;
  }
};

}  // namespace

extern const suite_kernel_table pseudopotential_table;
constexpr suite_kernel_table pseudopotential_table = kernel_table<Pseudopotential, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
