// SPDX-License-Identifier: BSD-3-Clause
// Deterministic inputs of any size for the kernels of this family: what generate.cpp and generate_ions.cpp share.
#pragma once

#include <suite/generate.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "ewald.hpp"
#include "lattice.hpp"
#include "philox.hpp"
#include "sizes.hpp"

namespace suite::qmc {

// One walker's Slater matrices, electrons, and what else several arguments of a call have in common.
class Inputs {
public:
  Inputs(const Size& s, uint64_t seed, suite_array* arrays);
  const Size& size() const { return s_; }  // with the number of G
  int64_t nstar() const { return star_.back(); }
  void fill(std::string_view kernel, std::string_view name, const suite_array& array);
  void fill_slater(std::span<const suite_argument> table, bool update);

private:
  // For one move of one electron: where a short-range sum is over closest images, one for each pair; in the
  // order of the three numbers.
  std::vector<int32_t> ewald_list() const {
    const double reach = ewald_reach_of_list(s_.ewald_tolerance > 0 ? s_.ewald_tolerance : 1e-12),
                 alpha = s_.ewald_alpha > 0 ? s_.ewald_alpha / std::cbrt(lattice_.volume) : reach / lattice_.inscribed_radius;
    return in_rows(vectors_within(lattice_.b, 2 * alpha * reach, true, "the list of G"));
  }
  double charge_of(int64_t i) const { return s_.ions && i % 3 == 2 ? 2.0 - 0.5 * (i % 2) : -1.0; }

  // The bcc lattice in other vectors, a_1, a_2 + a_1, a_3 - 2 a_1, and turned by a rational rotation.
  void turn() {
    constexpr double rotation[3][3] = {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}}, along[] = {0, 1, -2};
    double from[9];
    for (int i = 0; i < 9; ++i) from[i] = cell_[i] + along[i / 3] * cell_[i % 3];
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        cell_[3 * i + d] = (rotation[d][0] * from[3 * i] + rotation[d][1] * from[3 * i + 1] + rotation[d][2] * from[3 * i + 2]) / 3;
  }

  // Anywhere, also outside of the cell: fractions from -0.5 to 1.5.
  void position(int64_t walker, int64_t electron, double* r) const {
    const Words words = draw(static_cast<int64_t>(seed_), walker, 0, s_.netot() + 1 + electron, 0);
    for (int d = 0; d < 3; ++d) r[d] = 0;
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) r[d] += (2 * open_uniform(words.w[i]) - 0.5) * lattice_.a[i][d];
  }
  // The m-th place tried for an electron: half of r_s away.
  void moved(int64_t walker, int64_t electron, int64_t m, double* r) const {
    position(walker, electron, r);
    step(walker, electron, m, 0.5 * s_.rs, r);
  }
  void step(int64_t walker, int64_t electron, int64_t m, double size, double* r) const {
    double g[3];
    move_gaussians(static_cast<int64_t>(seed_) + 7, walker, m, electron, g);
    for (int d = 0; d < 3; ++d) r[d] += size * g[d];
  }
  int64_t which() const { return static_cast<int64_t>(generate::Random(seed_, 1)(0) * static_cast<double>(s_.netot())); }

  // phi_a, its gradient and Laplacian at r.
  void orbital(int64_t a, const double* r, double* phi, double* gradient, double* laplacian) const;
  void slater_matrix(int spin, int64_t walker, double* D) const;
  void fill_jastrow(std::string_view name, const suite_array& array) const;
  void fill_rhok(const suite_array& array) const;
  void fill_dbar(int spin, const suite_array& array) const;
  struct SlaterWalk;
  struct DelayedMoves {
    const suite_array *phi, *dbar, *binv, *electron;
  };
  void fill_window(const suite_array& dbar, const DelayedMoves& delayed, SlaterWalk& walk) const;
  void fill_tried(const suite_array* phi, const suite_array* dphi, const suite_array* d2phi, const SlaterWalk& walk) const;
  void choose_electrons(const suite_array& ie) const;
  bool fill_scalar(std::string_view name, void* data) const;
  void ion(int64_t i, double* r) const;
  bool fill_chi(std::string_view name, const suite_array& array) const;
  bool fill_f(std::string_view name, const suite_array& array) const;
  bool fill_shells(std::string_view name, const suite_array& array, bool slater) const;
  bool fill_pseudopotential(std::string_view name, const suite_array& array) const;
  void fill_branch(const suite_array& from) const;

  Size s_;
  uint64_t seed_;
  suite_array* arrays_;
  double cell_[9];
  Lattice lattice_;
  std::vector<int32_t> gvec_, star_, kvec_;
};

inline double* reals(const suite_array& array) { return static_cast<double*>(array.data); }
inline int32_t* integers(const suite_array& array) { return static_cast<int32_t*>(array.data); }

inline int64_t count_of(const suite_array& array) {
  int64_t count = 1;
  for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
  return count;
}

template <class F> void fill_with(const suite_array& array, F&& f) {
  double* const x = reals(array);
  generate::parallel(count_of(array), [&](int64_t i) { x[i] = f(i); });
}

}  // namespace suite::qmc
