// SPDX-License-Identifier: BSD-3-Clause
// Deterministic inputs of any size for the kernels of this family. Compiled into every implementation.
#include <suite/generate.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "dense.hpp"
#include "ewald.hpp"
#include "jastrow.hpp"
#include "lattice.hpp"
#include "philox.hpp"
#include "sizes.hpp"

namespace suite::qmc {
namespace {

using generate::Random, generate::shape;

constexpr double cells[][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},                            // sc
    {0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0},                // fcc
    {-0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, -0.5},       // bcc
    {-0.5, 0.55, 0.6, 0.5, -0.52, 0.63, 0.47, 0.55, -0.6},  // triclinic, with a cell of 14 faces
    {-0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, -0.5},       // turned
};

// One walker's Slater matrices, electrons, and what else several arguments of a call have in common.
class Inputs {
public:
  Inputs(const Size& s, uint64_t seed, suite_array* arrays) : s_(s), seed_(seed), arrays_(arrays) {
    std::copy_n(cells[s.lattice], 9, cell_);
    if (s.lattice == turned) turn();
    const double radius = s.rs * std::cbrt(4 * std::numbers::pi / 3 * static_cast<double>(s.netot()) / lattice_of(cell_).volume);
    for (double& x : cell_) x *= radius;
    lattice_ = lattice_of(cell_);
    gvec_ = s.ewald_list ? ewald_list() : shortest_reciprocal(lattice_, s.ngvec, &star_);
    if (s.charge) gvec_ = in_rows(gvec_);
    s_.ngvec = std::ssize(gvec_) / 3;
    kvec_ = shortest_reciprocal(lattice_, s.waves());
    if (s.signs)
      for (std::vector<int32_t>* const list : {&gvec_, &kvec_})
        for (size_t i = 0; i < list->size(); ++i)
          if (i / 3 % 3 == 1) (*list)[i] = -(*list)[i];
  }
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
  int64_t which() const { return static_cast<int64_t>(Random(seed_, 1)(0) * static_cast<double>(s_.netot())); }

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
  bool fill_gaussians(std::string_view name, const suite_array& array) const;
  bool fill_pseudopotential(std::string_view name, const suite_array& array) const;
  void fill_branch(const suite_array& from) const;

  Size s_;
  uint64_t seed_;
  suite_array* arrays_;
  double cell_[9];
  Lattice lattice_;
  std::vector<int32_t> gvec_, star_, kvec_;
};

double* reals(const suite_array& array) { return static_cast<double*>(array.data); }
int32_t* integers(const suite_array& array) { return static_cast<int32_t*>(array.data); }

int64_t count_of(const suite_array& array) {
  int64_t count = 1;
  for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
  return count;
}

template <class F> void fill_with(const suite_array& array, F&& f) {
  double* const x = reals(array);
  generate::parallel(count_of(array), [&](int64_t i) { x[i] = f(i); });
}

void Inputs::orbital(int64_t a, const double* r, double* phi, double* gradient, double* laplacian) const {
  double k[3] = {0, 0, 0};
  if (a > 0) reciprocal_vector(lattice_, &kvec_[static_cast<size_t>(3 * ((a - 1) / 2))], k);
  const double phase = k[0] * r[0] + k[1] * r[1] + k[2] * r[2], c = std::cos(phase), sn = std::sin(phase);
  const bool sine = a > 0 && a % 2 == 0;
  *phi = sine ? sn : c;
  if (gradient)
    for (int d = 0; d < 3; ++d) gradient[d] = k[d] * (sine ? c : -sn);
  if (laplacian) *laplacian = -(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) * *phi;
}

void Inputs::slater_matrix(int spin, int64_t walker, double* D) const {
  const int64_t n = spin ? s_.ndn : s_.nup, first = spin ? s_.nup : 0;
  for (int64_t j = 0; j < n; ++j) {
    double r[3];
    position(walker, first + j, r);
    for (int64_t a = 0; a < n; ++a) orbital(a, r, D + a + n * j, nullptr, nullptr);
  }
}

void Inputs::fill_dbar(int spin, const suite_array& array) const {
  const int64_t n = array.extent[0];
  std::vector<double> D(static_cast<size_t>(n * n));
  for (int64_t w = 0; w < array.extent[2]; ++w) {
    slater_matrix(spin, w, D.data());
    invert_transposed(D.data(), n, reals(array) + n * n * w);
  }
}

// As an optimisation finds them: u(0) about -L/8 with the slope of the cusp, then small terms; p attractive
// and decaying. The B-splines take the same numbers as values between knots.
void Inputs::fill_jastrow(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 2);
  const double L = 0.98 * lattice_.inscribed_radius;
  const int C = s_.truncation > 0 ? static_cast<int>(s_.truncation) : 3;
  const int64_t n = array.extent[0];
  if (name == "a")
    fill_with(array, [&](int64_t i) {
      const double star = static_cast<double>(i % n + 1);
      return -0.1 / (star * star) * (0.8 + 0.4 * random(1000 + i));
    });
  if (name == "L_u") *reals(array) = L;
  if (name != "alpha") return;
  const int nset = static_cast<int>(array.extent[1]);
  for (int set = 0; set < nset; ++set) {
    double* const alpha = reals(array) + n * set;
    for (int64_t l = 0; l < n; ++l)
      alpha[l] = -L / 8 * (l == 0 ? 1 : 2 * random(l + n * set) - 1) / small_power(-L, C) / std::pow(L, static_cast<double>(l));
    if (n > 1) apply_cusp(Form::polynomial, alpha, n, L, C, parallel_set(nset, set));
  }
}

void Inputs::fill_rhok(const suite_array& array) const {
  auto* const rhok = static_cast<std::complex<double>*>(array.data);
  const int64_t channels = array.extent[1];
  const bool charges = s_.ewald_list || s_.charge;
  generate::parallel(count_of(array), [&](int64_t i) {
    const int64_t g = i % s_.ngvec, spin = i / s_.ngvec % channels, w = i / (channels * s_.ngvec);
    double G[3], r[3];
    reciprocal_vector(lattice_, &gvec_[static_cast<size_t>(3 * g)], G);
    rhok[i] = 0;
    for (int64_t j = spin ? s_.nup : 0; j < (spin || channels == 1 ? s_.netot() : s_.nup); ++j) {
      position(w, j, r);
      rhok[i] += (charges ? charge_of(j) : 1) * std::polar(1.0, G[0] * r[0] + G[1] * r[1] + G[2] * r[2]);
    }
  });
}

void Inputs::fill_branch(const suite_array& from) const {
  for (int64_t w = 0; w < from.extent[0]; ++w)
    integers(from)[w] = static_cast<int32_t>(w % 2 == 0 ? w + 1 : w % 3 == 0 && s_.nslot > s_.nwalker ? s_.nslot : w);
}

// Ions of a molecule: on a cubic grid of 2.2 bohr, each up to 0.3 bohr off.
void Inputs::ion(int64_t i, double* r) const {
  const Random random(seed_, 5);
  const int64_t at[] = {i % 3, i / 3 % 3, i / 9};
  for (int d = 0; d < 3; ++d) r[d] = 2.2 * static_cast<double>(at[d]) + 0.3 * (2 * random(3 * i + d) - 1);
}

// A basis like those of quantum chemistry: two contracted s shells of the same primitives and a contracted p, then single primitives.
// Electrons are up to 2.5 bohr from an ion in each direction, or, every third with at_ion, at it.
bool Inputs::fill_gaussians(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 6);
  if (name == "rion")
    for (int64_t i = 0; i < s_.nion; ++i) ion(i, reals(array) + 3 * i);
  else if (name == "r")
    for (int64_t i = 0; i < count_of(array) / 3; ++i) {
      double* const r = reals(array) + 3 * i;
      ion(i % s_.nion, r);
      for (int d = 0; d < 3 && !(s_.at_ion && i % 3 == 0); ++d) r[d] += 2.5 * (2 * random(3 * i + d) - 1);
    }
  else if (name == "mo") fill_with(array, [&](int64_t i) { return Random(seed_, 7)(i) - 0.5; });
  else if (name == "shell_cutoff") fill_with(array, [&](int64_t i) { return s_.cutoff * (0.7 + 0.6 * Random(seed_, 8)(i)); });
  else if (name.starts_with("shell_") || name == "exponent" || name == "coefficient") {
    int64_t shell = 0, primitive = 0;
    for (int64_t i = 0; i < s_.nion; ++i)
      for (int64_t l = 0; l <= s_.zeta_of(i); ++l)
        for (int64_t n = 0; n < Size::shells(s_.zeta_of(i), l); ++n, ++shell) {
          if (name == "shell_ion") integers(array)[shell] = static_cast<int32_t>(i + 1);
          if (name == "shell_l") integers(array)[shell] = static_cast<int32_t>(l);
          if (name == "shell_first") integers(array)[shell] = static_cast<int32_t>(primitive + 1);
          for (int64_t k = 0; k < Size::primitives(l, n); ++k, ++primitive) {
            const auto step = static_cast<double>(Size::primitives(l, n) == 1 ? n : k);
            const double exponent = 0.12 * std::pow(Size::primitives(l, n) == 1 ? 2.6 : 3.6, step) * (1 + 0.1 * static_cast<double>(l));
            if (name == "exponent") reals(array)[primitive] = exponent;
            if (name == "coefficient")
              reals(array)[primitive] =
                  std::pow(2 * exponent, 0.75 + 0.5 * static_cast<double>(l)) * (0.2 + random(primitive)) * (n == 1 && k % 2 ? -1 : 1);
          }
        }
    if (name == "shell_first") integers(array)[shell] = static_cast<int32_t>(primitive + 1);
  } else {
    return false;
  }
  return true;
}

// chi of about -1 at its ion, falling to 0 at cutoffs a tenth apart, which in open space most pairs are within; every fifth ion has
// none.
bool Inputs::fill_chi(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 9);
  const int C = s_.truncation > 0 ? static_cast<int>(s_.truncation) : 3;
  const auto cutoff = [&](int64_t set) {
    return (s_.open ? 4 : 1) * lattice_.inscribed_radius * (0.98 - 0.1 * static_cast<double>(set % 4));
  };
  if (name == "set_of_ion")
    for (int64_t i = 0; i < s_.nion; ++i) integers(array)[i] = static_cast<int32_t>(i % 5 == 4 ? 0 : 1 + i % s_.nset);
  else if (name == "L_chi") fill_with(array, cutoff);
  else if (name == "slope") fill_with(array, [](int64_t set) { return -1.0 - static_cast<double>(set); });
  else if (name == "beta")
    fill_with(array, [&](int64_t i) {
      const int64_t l = i % s_.nbeta;
      const double L = cutoff(i / (s_.nbeta * s_.nspin));
      return -(l == 0 ? 1 : random(i) - 0.5) / small_power(-L, C) / std::pow(L, static_cast<double>(l));
    });
  else if (s_.at_ion && (name == "rele" || name == "rnew"))
    for (int64_t i = 0; i < count_of(array) / 3; ++i) {
      const int64_t n = array.extent[1];
      if (i % 3 == 0) position(0, s_.netot() + i % s_.nion, reals(array) + 3 * i);  // where the ions of fill() are
      else position(i / n, i % n, reals(array) + 3 * i);
    }
  else return false;
  return true;
}

// Two terms for each l, of powers 0 and 1, the first ones as steep as those of pseudopotentials. Every third ion of many has none.
// Electrons of at_ion: one at its ion, one exactly at the cutoff, which is outside, one where a cell puts it, and so on; coordinates of
// ions and cutoffs are then whole eighths, so that distances along x have no rounding.
bool Inputs::fill_pseudopotential(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 10);
  const auto eighths = [](double x) { return std::round(8 * x) / 8; };
  const auto cutoff = [&](int64_t set) {
    const double L =
        (s_.open ? 2 : 1) * lattice_.inscribed_radius * (s_.cutoff > 0 ? s_.cutoff : 0.98) * (1 - 0.1 * static_cast<double>(set % 4));
    return s_.at_ion ? eighths(L) : L;
  };
  const auto ion_at = [&](int64_t i, double* r) {
    position(0, s_.netot() + i, r);
    for (int d = 0; d < 3 && s_.at_ion; ++d) r[d] = eighths(r[d]);
  };
  const auto set_of_ion = [&](int64_t i) { return i % 5 == 4 ? 0 : 1 + i % s_.nset; };
  const int64_t per_l = 2;
  if (name == "set_of_ion")
    for (int64_t i = 0; i < s_.nion; ++i) integers(array)[i] = static_cast<int32_t>(set_of_ion(i));
  else if (name == "cutoff") fill_with(array, cutoff);
  else if (name == "rion")
    for (int64_t i = 0; i < s_.nion; ++i) ion_at(i, reals(array) + 3 * i);
  else if (name == "term_set" || name == "term_l" || name == "power")
    for (int64_t t = 0; t < count_of(array); ++t)
      integers(array)[t] = static_cast<int32_t>(name == "term_set" ? 1 + t % s_.nset
                                                : name == "term_l" ? t / s_.nset / per_l
                                                                   : t / s_.nset % per_l - (s_.signs ? 2 : 0));
  else if (name == "exponent") fill_with(array, [&](int64_t t) { return (1 + 4 * random(2 * t)) / std::pow(cutoff(t % s_.nset), 2); });
  else if (name == "coefficient") fill_with(array, [&](int64_t t) { return 10 * (random(2 * t + 1) - 0.4); });
  else if (name == "ratio") fill_with(array, [&](int64_t i) { return Random(seed_, 11)(i) * 2.4 - 1; });
  else if (name == "rele" && s_.at_ion)
    for (int64_t i = 0; i < count_of(array) / 3; ++i) {
      const int64_t ion = i / 3 % s_.nion, set = set_of_ion(ion);
      position(i / s_.netot(), i % s_.netot(), reals(array) + 3 * i);
      if (i % 3 < 2) ion_at(ion, reals(array) + 3 * i);
      if (i % 3 == 1 && set > 0) reals(array)[3 * i] += cutoff(set - 1);
    }
  else return false;
  return true;
}

bool Inputs::fill_scalar(std::string_view name, void* data) const {
  const auto real = [&](double x) { *static_cast<double*>(data) = x; };
  const auto integer = [&](int64_t n) { *static_cast<int32_t*>(data) = static_cast<int32_t>(n); };
  const auto wide = [&](int64_t n) { *static_cast<int64_t*>(data) = n; };
  if (name == "ie") integer(which() + 1);
  if (name == "truncation") integer(s_.truncation);
  if (name == "nsweep") integer(s_.nsweep);
  if (name == "tau") real(s_.tau * s_.rs * s_.rs);
  if (name == "alimit") real(s_.alimit);
  if (name == "ewald_alpha") real(s_.ewald_alpha / std::cbrt(lattice_.volume));
  if (name == "ewald_tolerance") real(s_.ewald_tolerance);
  if (name == "first_sweep" || name == "sweep") wide(5);
  if (name == "seed") wide(static_cast<int64_t>(seed_) + (int64_t{3} << 32));
  return name != "L_u";
}

// Everything but the Slater kernels' own arrays.
void Inputs::fill(std::string_view kernel, std::string_view name, const suite_array& array) {
  if (array.rank == 0 && fill_scalar(name, array.data)) return;
  if (kernel == JastrowChi::name && fill_chi(name, array)) return;
  if (kernel == OrbitalsGaussian::name && fill_gaussians(name, array)) return;
  if (kernel == Pseudopotential::name && fill_pseudopotential(name, array)) return;
  const Random random(seed_, 3);
  if (name == "cell") std::copy_n(cell_, 9, reals(array));
  if (name == "nele") {
    integers(array)[0] = static_cast<int32_t>(s_.nup);
    integers(array)[1] = static_cast<int32_t>(s_.ndn);
  }
  if (name == "charge") fill_with(array, [&](int64_t i) { return charge_of(i); });
  if (name == "rele" || name == "rfrom" || name == "r" || name == "rto" || name == "rnew" || name == "rion")
    for (int64_t i = 0; i < count_of(array) / 3; ++i) {
      const int64_t n = array.extent[1], shift = name == "rto" || name == "rion" ? s_.netot() : 0;
      if (name == "rnew") moved(i / n, which(), i % n, reals(array) + 3 * i);
      else position(i / n, i % n + shift, reals(array) + 3 * i);
    }
  if (name == "alpha" || name == "a" || name == "L_u") fill_jastrow(name, array);
  if (name == "gvec") std::copy(gvec_.begin(), gvec_.end(), integers(array));
  if (name == "star") std::copy(star_.begin(), star_.end(), integers(array));
  if (name == "kvec") std::copy_n(kvec_.begin(), count_of(array), integers(array));
  if (name == "rhok") fill_rhok(array);
  if (name == "accept")
    for (int64_t w = 0; w < array.extent[0]; ++w) integers(array)[w] = w % 3 != 1;
  if (name == "c" && array.type == SUITE_REAL32) {
    auto* const c = static_cast<float*>(array.data);
    generate::parallel(count_of(array), [&](int64_t i) { c[i] = static_cast<float>(random(i) - 0.5); });
  } else if (name == "c") {
    fill_with(array, [&](int64_t i) { return random(i) - 0.5; });
  }
  if (name == "dbar_up" || name == "dbar_dn") {
    if (kernel == Branch::name) fill_with(array, [&](int64_t i) { return random(i) + (name == "dbar_dn"); });
    else fill_dbar(name == "dbar_dn", array);
  }
  if (name == "stream")  // both words of them
    for (int64_t w = 0; w < array.extent[0]; ++w) static_cast<int64_t*>(array.data)[w] = 3 * w + (w % 2 ? int64_t{5} << 32 : 0);
  if (name == "carry" || name == "logpsi") fill_with(array, [&](int64_t i) { return random(i) - 0.5; });
  if (name == "from") fill_branch(array);
}

// Electrons of one spin as a simulation moves them: places are tried around the last one and taken with the
// probability min(1, ratio^2) of Metropolis, so that updates meet the ratios that they meet there. Anywhere
// else ratios of a thousandth are common, and every algorithm loses the digits (docs/theory/qmc.md).
struct Inputs::SlaterWalk {
  SlaterWalk(const Inputs& inputs, int64_t walker, int64_t electrons)
      : of(inputs), w(walker), n(electrons), D(static_cast<size_t>(n * n)), dbar(D.size()) {
    r.resize(static_cast<size_t>(3 * n));
    for (int64_t i = 0; i < n; ++i) of.position(w, i, &r[static_cast<size_t>(3 * i)]);
    of.slater_matrix(0, w, D.data());
    invert_transposed(D.data(), n, dbar.data());
    // From places of no order to those of large |D|.
    std::vector<double> phi(static_cast<size_t>(n));
    for (int64_t i = 0; i < 2 * n; ++i) move(i % n, phi.data(), false);
    invert_transposed(D.data(), n, dbar.data());
  }

  // A move of electron i, to its new column phi; with `always` places are tried, ever closer, until one is
  // taken.
  void move(int64_t i, double* phi, bool always) {
    for (int tries = 0; tries == 0 || always; ++tries, ++draws) {
      double at[3];
      std::copy_n(&r[static_cast<size_t>(3 * i)], 3, at);
      of.step(w, i, 1000 + draws, 0.5 * of.s_.rs / (1 + tries / 8), at);
      for (int64_t a = 0; a < n; ++a) of.orbital(a, at, phi + a, nullptr, nullptr);
      const double ratio = times(i, phi);
      if (!(acceptance_uniform(static_cast<int64_t>(of.seed_) + 7, w, 1000 + draws, i) < ratio * ratio)) continue;
      take(i, phi, ratio);
      std::copy_n(at, 3, &r[static_cast<size_t>(3 * i)]);
      ++draws;
      return;
    }
  }

  const Inputs& of;
  int64_t w, n, draws = 0;
  std::vector<double> r, D, dbar;

private:
  double times(int64_t i, const double* phi) const {
    double sum = 0;
    for (int64_t a = 0; a < n; ++a) sum += dbar[static_cast<size_t>(a + n * i)] * phi[a];
    return sum;
  }
  // Sherman and Morrison.
  void take(int64_t i, const double* phi, double ratio) {
    std::copy_n(phi, n, &D[static_cast<size_t>(n * i)]);
    double* const own = &dbar[static_cast<size_t>(n * i)];
    for (int64_t a = 0; a < n; ++a) own[a] /= ratio;
    for (int64_t j = 0; j < n; ++j) {
      const double factor = j == i ? 0 : times(j, phi);
      for (int64_t a = 0; a < n && j != i; ++a) dbar[static_cast<size_t>(a + n * j)] -= factor * own[a];
    }
  }
};

// Orbitals and derivatives at places tried for electron ie, or for every electron.
void Inputs::fill_tried(const suite_array* phi, const suite_array* dphi, const suite_array* d2phi, const SlaterWalk& walk) const {
  const int64_t n = phi->extent[0], npos = phi->extent[1];
  for (int64_t m = 0; m < npos; ++m) {
    const int64_t electron = s_.one ? which() % n : m, at = m + npos * walk.w;
    double r[3];
    std::copy_n(&walk.r[static_cast<size_t>(3 * electron)], 3, r);
    step(walk.w, electron, m, 0.5 * s_.rs, r);
    for (int64_t a = 0; a < n; ++a) {
      double gradient[3], laplacian;
      orbital(a, r, reals(*phi) + a + n * at, gradient, &laplacian);
      if (d2phi) reals(*d2phi)[a + n * at] = laplacian;
      for (int d = 0; d < 3 && dphi; ++d) reals(*dphi)[a + n * (d + 3 * at)] = gradient[d];
    }
  }
}

// The walker has `waiting` moves in its window, or one less; the electrons come in an order of their own.
void Inputs::fill_window(const suite_array& dbar, const DelayedMoves& delayed, SlaterWalk& walk) const {
  const int64_t n = dbar.extent[0], kmax = delayed.phi->extent[1], w = walk.w;
  const int64_t count = std::max<int64_t>(0, std::min({s_.waiting, kmax, n}) - w % 2);
  int32_t* const electron = integers(*delayed.electron) + (kmax + 1) * w;
  double *const phi = reals(*delayed.phi) + n * kmax * w, *const columns = reals(*delayed.dbar) + n * kmax * w,
                *const binv = reals(*delayed.binv) + kmax * kmax * w;
  std::fill_n(phi, n * kmax, 0.0);
  std::fill_n(columns, n * kmax, 0.0);
  std::fill_n(binv, kmax * kmax, 0.0);
  std::fill_n(electron, kmax + 1, 0);
  electron[0] = static_cast<int32_t>(count);
  std::vector<double> B(static_cast<size_t>(count * count)), inverse(B.size());
  for (int64_t l = 0; l < count; ++l) {
    const int64_t i = (w + l * (n > 2 && n % 2 ? 2 : 1)) % n;
    electron[1 + l] = static_cast<int32_t>(i + 1);
    walk.move(i, phi + n * l, true);
    std::copy_n(reals(dbar) + n * (i + n * w), n, columns + n * l);
  }
  for (int64_t l = 0; l < count; ++l)
    for (int64_t m = 0; m < count; ++m)
      for (int64_t a = 0; a < n; ++a) B[l + count * m] += columns[a + n * l] * phi[a + n * m];
  invert_transposed(B.data(), count, inverse.data());
  for (int64_t l = 0; l < count; ++l)
    for (int64_t m = 0; m < count; ++m) binv[l + kmax * m] = inverse[m + count * l];
}

// The electrons that slater_update moves, in order or by chance, some of them not at all.
void Inputs::choose_electrons(const suite_array& ie) const {
  const auto n = static_cast<double>(s_.nup);
  const Random random(seed_, 4);
  for (int64_t i = 0; i < count_of(ie); ++i)
    integers(ie)[i] = static_cast<int32_t>(s_.ordered            ? 1 + i % ie.extent[0] % s_.nup
                                           : random(2 * i) < 0.2 ? 0
                                                                 : 1 + std::floor(random(2 * i + 1) * n));
}

// The arrays of slater_ratio, slater_update and slater_invert belong together.
void Inputs::fill_slater(std::span<const suite_argument> table, bool update) {
  const auto find = [&](std::string_view name) -> const suite_array* {
    for (size_t i = 0; i < table.size(); ++i)
      if (name == table[i].name && (table[i].intent & SUITE_IN) && arrays_[i].data) return arrays_ + i;
    return nullptr;
  };
  const suite_array *const dbar = find("dbar"), *const phi = find("phi"), *const ie = find("ie");
  const DelayedMoves delayed{find("delayed_phi"), find("delayed_dbar"), find("delayed_binv"), find("delayed_electron")};
  if (!dbar) {  // slater_invert
    const int64_t n = phi->extent[0];
    for (int64_t w = 0; w < phi->extent[2]; ++w) slater_matrix(0, w, reals(*phi) + n * n * w);
    return;
  }
  const int64_t n = dbar->extent[0];
  if (ie && update) choose_electrons(*ie);
  if (ie && !update) *integers(*ie) = static_cast<int32_t>(which() % n + 1);
#pragma omp parallel for schedule(dynamic)
  for (int64_t w = 0; w < dbar->extent[2]; ++w) {
    SlaterWalk walk(*this, w, n);
    std::copy_n(walk.dbar.begin(), n * n, reals(*dbar) + n * n * w);
    if (delayed.phi) fill_window(*dbar, delayed, walk);
    if (phi && !update) fill_tried(phi, find("dphi"), find("d2phi"), walk);
    for (int64_t m = 0; phi && update && m < phi->extent[1]; ++m) {
      const int64_t at = m + phi->extent[1] * w;
      const int32_t i = integers(*ie)[at];
      if (i > 0) walk.move(i - 1, reals(*phi) + n * at, true);
      else std::copy_n(&walk.D[0], n, reals(*phi) + n * at);  // not looked at
    }
  }
}

// An extent of the shapes in qmc.hpp.
int64_t extent(const Size& s, const Inputs& inputs, std::string_view word, bool slater) {
  if (word.ends_with("+1")) return extent(s, inputs, word.substr(0, word.size() - 2), slater) + 1;
  if (word == "nshell") return s.over_shells([](int64_t, int64_t) { return int64_t{1}; });
  if (word == "nprim") return s.over_shells(Size::primitives);
  if (word == "nao") return s.over_shells([](int64_t l, int64_t) { return 2 * l + 1; });
  if (word == "nstar") return inputs.nstar();
  if (word == "nkvec") return s.waves();
  if (word == "nchannel") return s.charge ? 1 : 2;
  if (word == "netot") return s.netot();
  if (word == "npos") return s.npos > 0 ? s.npos : s.one ? 1 : slater ? s.nup : s.netot();
  if (word == "norb") return s.norb > 0 ? s.norb : std::max(s.nup, s.ndn);
  if (word == "nelectron") return s.one ? 1 : s.netot();
  if (word == "mpair") return s.mpair > 0 ? s.mpair : s.nion;
  if (word == "nterm") return s.nset * s.terms();
  if (word == "n") return s.nup;
  if (const int64_t value = s.by_name(word); value >= 0) return value;
  return std::atoll(std::string(word).c_str());
}

void describe(const Size& s, const Inputs& inputs, std::span<const suite_argument> table, suite_array* arrays, bool slater) {
  for (size_t i = 0; i < table.size(); ++i) {
    const suite_argument& argument = table[i];
    arrays[i].rank = -1;
    if (argument.when_unset && !s.wants(argument.name)) continue;
    const int32_t type = argument.type & SUITE_TYPE_SET ? (s.single ? SUITE_REAL32 : SUITE_REAL64) : argument.type;
    shape(arrays, static_cast<int>(i), type, {});
    for (const std::string& word : extents_in(argument.shape)) arrays[i].extent[arrays[i].rank++] = extent(s, inputs, word, slater);
  }
}

template <class Kernel> int generate_for(const char* size, uint64_t seed, suite_array* arrays, suite_error* error) {
  return guarded(error, [&] {
    constexpr bool update = std::is_same_v<Kernel, SlaterUpdate>,
                   slater = update || std::is_same_v<Kernel, SlaterRatio> || std::is_same_v<Kernel, SlaterInvert>;
    constexpr auto& table = rows<Kernel>;
    const Size s = size_of(Kernel::name, size ? size : "small");
    Inputs inputs(s, seed, arrays);
    const bool is_description = std::all_of(arrays, arrays + table.size(), [](const auto& a) { return !a.data; });
    if (is_description) return describe(inputs.size(), inputs, table, arrays, slater);
    for (size_t i = 0; i < table.size(); ++i)
      if ((table[i].intent & SUITE_IN) && arrays[i].data && !slater) inputs.fill(Kernel::name, table[i].name, arrays[i]);
    if (slater) inputs.fill_slater(table, update);
  });
}

}  // namespace

#define SUITE_QMC_GENERATE(Kernel)                                                                    \
  int Kernel::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) { \
    return generate_for<Kernel>(size, seed, arguments, error);                                        \
  }
SUITE_QMC_GENERATE(ClosestImages)
SUITE_QMC_GENERATE(IonDistances)
SUITE_QMC_GENERATE(Ewald)
SUITE_QMC_GENERATE(JastrowU)
SUITE_QMC_GENERATE(JastrowChi)
SUITE_QMC_GENERATE(JastrowP)
SUITE_QMC_GENERATE(StructureFactor)
SUITE_QMC_GENERATE(OrbitalsFree)
SUITE_QMC_GENERATE(OrbitalsBlip)
SUITE_QMC_GENERATE(OrbitalsGaussian)
SUITE_QMC_GENERATE(Pseudopotential)
SUITE_QMC_GENERATE(SlaterRatio)
SUITE_QMC_GENERATE(SlaterUpdate)
SUITE_QMC_GENERATE(SlaterInvert)
SUITE_QMC_GENERATE(Sweep)
SUITE_QMC_GENERATE(LocalEnergy)
SUITE_QMC_GENERATE(Branch)

}  // namespace suite::qmc
