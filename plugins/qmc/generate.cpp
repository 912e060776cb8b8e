// SPDX-License-Identifier: BSD-3-Clause
// Deterministic inputs of any size for the kernels of this family. Compiled into every implementation.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "dense.hpp"
#include "ewald.hpp"
#include "inputs.hpp"
#include "jastrow.hpp"

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

}  // namespace

Inputs::Inputs(const Size& s, uint64_t seed, suite_array* arrays) : s_(s), seed_(seed), arrays_(arrays) {
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
  if (kernel == JastrowF::name && fill_f(name, array)) return;
  if (kernel == OrbitalsGaussian::name && fill_shells(name, array, false)) return;
  if (kernel == OrbitalsSlater::name && fill_shells(name, array, true)) return;
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
namespace {

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
  if (word == "nf_all") return s.nf_en * s.nf_en * s.nf_ee * s.nset_f * s.nset;
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
SUITE_QMC_GENERATE(JastrowF)
SUITE_QMC_GENERATE(JastrowP)
SUITE_QMC_GENERATE(StructureFactor)
SUITE_QMC_GENERATE(OrbitalsFree)
SUITE_QMC_GENERATE(OrbitalsBlip)
SUITE_QMC_GENERATE(OrbitalsGaussian)
SUITE_QMC_GENERATE(OrbitalsSlater)
SUITE_QMC_GENERATE(Pseudopotential)
SUITE_QMC_GENERATE(SlaterRatio)
SUITE_QMC_GENERATE(SlaterUpdate)
SUITE_QMC_GENERATE(SlaterInvert)
SUITE_QMC_GENERATE(Sweep)
SUITE_QMC_GENERATE(LocalEnergy)
SUITE_QMC_GENERATE(Branch)

}  // namespace suite::qmc
