// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles: points in the order of their shells, found once; a shell's components are summed by one
// thread with its points in the lanes.
#include <numeric>

#include "points.hpp"

namespace suite::dfpt {
namespace {

class Cpu : public cpu::WithThreads<> {
public:
  using cpu::WithThreads<>::WithThreads;

  void prepare(const suite_array* a) {
    const Multipoles c(a);
    l_max_ = check_multipoles(c);
    n_points_ = c.n_points();
    n_atoms_ = c.n_atoms();
    n_radial_ = c.n_radial();
    n_dir_ = c.n_dir();
    const auto place = [&](int64_t p) { return int64_t{c.point_atom(p) - 1} * n_radial_ + c.point_shell(p) - 1; };
    first_.assign(at(n_atoms_ * n_radial_ + 1), 0);
    for (int64_t p = 0; p < n_points_; ++p) ++first_[at(place(p) + 1)];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    order_.resize(at(n_points_));
    std::vector<int64_t> next(first_.begin(), first_.end() - 1);
    for (int64_t p = 0; p < n_points_; ++p) order_[at(next[at(place(p))]++)] = p;
  }

  void execute(const suite_array* a) {
    const Multipoles c(a);
    const int team = cpu::useful_threads(threads_, n_atoms_, 20 * real(components(l_max_) * n_points_) / real(n_atoms_));
    with_l_max(l_max_, [&](auto l_max) {
      cpu::each(team, n_atoms_, [&](int64_t atom, int) {
        for (int64_t s = 0; s < n_radial_; ++s)
          for (int64_t d = 0; d < n_dir_; d += 3) {
            if (d + 3 <= n_dir_) shell<decltype(l_max)::value, 3>(c, atom, s, d);
            else
              for (int64_t e = d; e < n_dir_; ++e) shell<decltype(l_max)::value, 1>(c, atom, s, e);
          }
      });
    });
  }

private:
  // Directions d, .., d+many-1 of one shell.
  template <int l_max, int many> void shell(const Multipoles& c, int64_t atom, int64_t s, int64_t d) const {
    constexpr int n_lm = components(l_max);
    Vector sums[many][n_lm] = {};
    const double *const coords = c.coords.data(), *const rho = c.rho.data(), *const weight = c.projection_weight.data();
    const int64_t begin = first_[at(atom * n_radial_ + s)], end = first_[at(atom * n_radial_ + s + 1)];
    for (int64_t i = begin; i < end; i += lanes) {
      Vector x{}, y{}, z{}, f[many] = {};
      for (int lane = 0; lane < lanes; ++lane) {
        const int64_t p = order_[at(std::min(i + lane, end - 1))];
        x[lane] = coords[3 * p];
        y[lane] = coords[3 * p + 1];
        z[lane] = coords[3 * p + 2];
        if (i + lane < end)
          for (int q = 0; q < many; ++q) f[q][lane] = weight[p] * rho[n_points_ * (d + q) + p];
      }
      const Displacement displacement = displacement_to(x, y, z, &c.atom_coords(0, atom));
      Vector Y[n_lm];
      harmonics_of<l_max>(displacement, 0, Y);
      for (int q = 0; q < many; ++q)
        for (int lm = 0; lm < n_lm; ++lm) sums[q][lm] += f[q] * Y[lm];
    }
    for (int q = 0; q < many; ++q) {
      double* const to = c.rho_multipole.data() + n_lm * (s + n_radial_ * (atom + n_atoms_ * (d + q)));
      for (int lm = 0; lm < n_lm; ++lm) to[lm] = cpu::sum(sums[q][lm]);
    }
  }

  int l_max_ = 0;
  int64_t n_points_ = 0, n_atoms_ = 0, n_radial_ = 0, n_dir_ = 0;
  std::vector<int64_t> first_, order_;  // of each shell, and its points
};

}  // namespace

extern const suite_kernel_table multipoles_table;
constexpr suite_kernel_table multipoles_table = kernel_table<Multipoles, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
