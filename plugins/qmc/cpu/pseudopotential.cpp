// SPDX-License-Identifier: BSD-3-Clause
// qmc.pseudopotential: a row of ions for each electron, then for each ion that is close the points of the rule in the lanes.
#include "../semilocal.hpp"
#include "ion_rows.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const Pseudopotential c(arguments);
    Lattice lattice;
    if (c.cell) lattice = lattice_of(c.cell.data());
    rows_.prepare(c.cell ? &lattice : nullptr, c.rion.data(), c.nion());
    const auto fetch = [](const auto& from, const char*, auto& to) { to = copy_of(from); };
    potential_ = semilocal_of(semilocal_arguments(c, fetch), c.cell ? &lattice : nullptr);
    // The rule by component, filled up with zeros to whole vectors.
    const SphereRule rule = sphere_rule(c.npoint());
    const auto width = static_cast<size_t>(padded(c.npoint()));
    for (auto& numbers : rule_) numbers.assign(width, 0);
    for (size_t q = 0; q < rule.point.size(); ++q) {
      for (size_t d = 0; d < 3; ++d) rule_[d][q] = rule.point[q][d];
      rule_[3][q] = rule.weight[q];
    }
  }

  void execute(const suite_array* arguments) {
    const Pseudopotential c(arguments);
    const QuadratureCall call = check_pseudopotential(c);
    const int64_t count = c.nelectron() * c.nwalker(), nion = c.nion();
    const int team = useful_threads(threads_, count, 10 + 2 * real(nion) + 2 * real(c.npoint() * c.mpair()));
    scratch_.reserve(team, 4 * nion);
    most_.assign(static_cast<size_t>(count), 0);
    rows_.use([&](const auto& row) {
      share(team, count, [&](int64_t begin, int64_t end, int thread) {
        double* const fours = scratch_.of(thread);
        for (int64_t k = begin; k < end; ++k) {
          const int64_t w = k / c.nelectron(), e = k - w * c.nelectron();
          row(&c.rele(0, call.electron(e), w), fours);
          most_[static_cast<size_t>(k)] = put_electron(c, call, fours, e, w);
        }
      });
    });
    for (int64_t k = 0; k < count; ++k)
      check_pairs(most_[static_cast<size_t>(k)], c.mpair(), call.electron(k % c.nelectron()), k / c.nelectron());
  }

private:
  // Returns the number of ions within whose cutoff the electron is.
  int64_t put_electron(const Pseudopotential& c, const QuadratureCall& call, const double* fours, int64_t e, int64_t w) const {
    const int64_t i = call.electron(e), npoint = c.npoint(), mpair = c.mpair();
    int64_t pairs = 0;
    double sum = 0;
    for (int64_t ion = 0; ion < c.nion(); ++ion) {
      const int set = potential_.set_of_ion[static_cast<size_t>(ion)];
      const double* const d = fours + 4 * ion;
      if (set < 0 || !(d[3] < potential_.cutoff[static_cast<size_t>(set)])) continue;
      if (pairs < mpair) {
        if (c.ion) c.ion(pairs, e, w) = static_cast<int32_t>(ion + 1);
        double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (call.turns) random_rotation(draw(c.seed, c.stream(w), c.sweep, rotation_number(c.netot(), i, c.nion(), ion), 0), m);
        put_points(c, set, d, m, &c.rele(0, i, w), pairs, e, w);
        if (c.ratio) sum += terms(c, pairs, e, w);
      }
      ++pairs;
    }
    for (int64_t p = pairs; p < mpair; ++p) {
      if (c.ion) c.ion(p, e, w) = 0;
      std::fill_n(&c.weight(0, p, e, w), npoint, 0.0);
      for (int64_t q = 0; q < npoint && c.points; ++q) std::copy_n(&c.rele(0, i, w), 3, &c.points(0, q, p, e, w));
      if (c.negative) std::fill_n(&c.negative(0, p, e, w), npoint, 0.0);
    }
    if (c.energy) c.energy(e, w) = sum;
    return pairs;
  }

  // d: the vector from the ion and its length; m: the rotation of the rule.
  void put_points(const Pseudopotential& c, int set, const double* d, const double (&m)[3][3], const double* at, int64_t p, int64_t e,
                  int64_t w) const {
    const int64_t npoint = c.npoint();
    const double r = d[3];
    const int top = potential_.largest_l[static_cast<size_t>(set)];
    double v[l_channels];
    radial_functions(potential_, set, r, v);
    // d.(M n) = (d M).n, so that the cosines need no directions.
    double axis[3];
    for (int k = 0; k < 3; ++k) axis[k] = r > 0 ? (d[0] * m[0][k] + d[1] * m[1][k] + d[2] * m[2][k]) / r : m[2][k];
    for (int64_t q = 0; q < npoint; q += lanes) {
      const Vector x = load(&rule_[0][static_cast<size_t>(q)]), y = load(&rule_[1][static_cast<size_t>(q)]),
                   z = load(&rule_[2][static_cast<size_t>(q)]);
      const Vector cosine = axis[0] * x + axis[1] * y + axis[2] * z;
      const Vector weight = load(&rule_[3][static_cast<size_t>(q)]) * legendre_sum(v, top, cosine);
      const int64_t some = std::min<int64_t>(lanes, npoint - q);
      store_first(&c.weight(q, p, e, w), weight, some);
      if (!c.points) continue;
      Vector to[3];
      for (int k = 0; k < 3; ++k) to[k] = at[k] + (r * (m[k][0] * x + m[k][1] * y + m[k][2] * z) - d[k]);
      double* const to_points = &c.points(0, q, p, e, w);
      for (int64_t l = 0; l < some; ++l)
        for (int k = 0; k < 3; ++k) to_points[3 * l + k] = to[k][l];
    }
  }

  static double terms(const Pseudopotential& c, int64_t p, int64_t e, int64_t w) {
    const double *const weight = &c.weight(0, p, e, w), *const ratio = &c.ratio(0, p, e, w);
    double* const negative = c.negative ? &c.negative(0, p, e, w) : nullptr;
    double sum = 0;
    for (int64_t q = 0; q < c.npoint(); ++q) {
      const double term = weight[q] * ratio[q];
      sum += term;
      if (negative) negative[q] = std::min(term, 0.0);
    }
    return sum;
  }

  int64_t threads_;
  IonRows rows_{"qmc.pseudopotential"};
  Semilocal potential_;
  std::vector<double> rule_[4];
  std::vector<int64_t> most_;
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table pseudopotential_table;
constexpr suite_kernel_table pseudopotential_table = kernel_table<Pseudopotential, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
