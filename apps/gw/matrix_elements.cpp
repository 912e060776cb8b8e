// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_elements.hpp"

#include <algorithm>
#include <limits>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <suite/plugin.hpp>

#include "common/memory.hpp"
#include "common/quantities.hpp"

// The loops over grid points are built for several vector lengths and chosen at load.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SUITE_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SUITE_VECTOR_CLONES
#endif

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

// conj(a) b, element by element; written out because std::complex's product checks for infinities.
SUITE_VECTOR_CLONES void conjugate_product(const double* __restrict a, const double* __restrict b, double* __restrict out, size_t count) {
  for (size_t i = 0; i < 2 * count; i += 2) {
    out[i] = a[i] * b[i] + a[i + 1] * b[i + 1];
    out[i + 1] = a[i] * b[i + 1] - a[i + 1] * b[i];
  }
}

const double* numbers(const Complex* z) { return reinterpret_cast<const double*>(z); }
double* numbers(Complex* z) { return reinterpret_cast<double*>(z); }

#ifdef _OPENMP
int max_threads() { return omp_get_max_threads(); }
int this_thread() { return omp_get_thread_num(); }
#else
int max_threads() { return 1; }
int this_thread() { return 0; }
#endif

// Extent of a set of G vectors in each direction.
struct Box {
  Miller low{std::numeric_limits<int>::max() / 4, std::numeric_limits<int>::max() / 4, std::numeric_limits<int>::max() / 4};
  Miller high{-low[0], -low[1], -low[2]};
  void add(const Miller& g) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], g[i]);
      high[i] = std::max(high[i], g[i]);
    }
  }
};

Box box_of(const std::vector<Miller>& list) {
  Box box;
  for (const auto& g : list) box.add(g);
  return box;
}

// Makes need[i] large enough that no component bra - ket of a product falls on one of the wanted G.
void require_grid(Miller& need, const Box& bra, const Box& ket, const Box& wanted, const Miller& umklapp) {
  for (int i = 0; i < 3; ++i) {
    const int product_low = bra.low[i] - ket.high[i], product_high = bra.high[i] - ket.low[i];
    const int wanted_low = wanted.low[i] - umklapp[i], wanted_high = wanted.high[i] - umklapp[i];
    need[i] = std::max({need[i], product_high - wanted_low + 1, wanted_high - product_low + 1});
  }
}

}  // namespace

// The grids are those of the whole plan, so that results do not depend on how it is divided over processes.
void MatrixElements::choose_grids() {
  const Wavefunctions& w = plan_.wavefunctions;
  std::vector<std::vector<Miller>> lists;
  for (size_t k = 0; k < w.kpoints().size(); ++k) lists.push_back(w.gvectors(static_cast<int>(k)));
  std::vector<Box> bra, ket(plan_.k_full.size()), bare, screened(plan_.q_full.size());
  for (const auto& external : plan_.externals) bra.push_back(box_of(lists[external.k]));
  for (int f = 0; f < plan_.k_full.size(); ++f) {
    const auto& point = plan_.k_full[f];
    for (const auto& g : lists[point.irreducible]) ket[f].add(rotated(point, w.operations()[point.operation], g));
  }
  for (int q = 0; q < plan_.q_full.size(); ++q) {
    const auto& point = plan_.q_full[q];
    bare.push_back(box_of(sphere(w.crystal().bdot, point.at, plan_.bare_cutoff())));
    for (const auto& g : plan_.eps.gvectors(point.irreducible)) screened[q].add(rotated(point, w.operations()[point.operation], g));
  }
  Miller small{1, 1, 1}, large{1, 1, 1};
  const Box origin = box_of(sphere(w.crystal().bdot, {0, 0, 0}, plan_.bare_cutoff()));
  for (const auto& box : bra) require_grid(large, box, box, origin, {0, 0, 0});  // <n|exp(iGr)|n>
  for (const auto& item : plan_.items) {
    require_grid(large, bra[item.external], ket[item.inner], bare[item.q], item.umklapp);
    require_grid(large, bra[item.external], ket[item.inner], screened[item.q], item.umklapp);
    require_grid(small, bra[item.external], ket[item.inner], screened[item.q], item.umklapp);
  }
  for (int i = 0; i < 3; ++i) {
    small[i] = fast_size(small[i]);
    large[i] = fast_size(large[i]);
  }
  small_ = std::make_unique<Transform>(small);
  large_ = std::make_unique<Transform>(large);
}

// Fails before memory is taken that the machine does not have.
void MatrixElements::require_memory(const std::vector<char>& inner, const std::vector<char>& external) const {
  const double occupied = plan_.wavefunctions.occupied(), nbands = plan_.settings.nbands;
  const double small = 16.0 * small_->size(), large = 16.0 * large_->size();
  double bytes = 0;
  for (char needed : inner)
    if (needed) bytes += occupied * large + (nbands - occupied) * small;
  for (size_t e = 0; e < external.size(); ++e)
    if (external[e]) bytes += plan_.externals[e].count() * (small + (plan_.settings.exact_ch() ? 2 : 1) * large);
  app::require_memory(bytes, "the wavefunctions in real space need " + app::bytes_text(bytes),
                      "use fewer bands, or more processes on more machines");
}

// The coefficients at a full k point from those stored for its irreducible one.
Wavefunctions::Sphere MatrixElements::unfold(const Wavefunctions::Sphere& stored, const FullGrid::Point& point, int nbands) const {
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  const size_t n = stored.g.size();
  Wavefunctions::Sphere out{std::vector<Miller>(n), std::vector<Complex>(nbands * n)};
  for (size_t i = 0; i < n; ++i) {
    out.g[i] = rotated(point, operation, stored.g[i]);
    const Complex phase = std::polar(1.0, operation.phase(operation(stored.g[i])));
    for (int band = 0; band < nbands; ++band) {
      const Complex c = stored.c[band * n + i] * phase;
      out.c[band * n + i] = point.reversed ? std::conj(c) : c;
    }
  }
  return out;
}

MatrixElements::MatrixElements(const Plan& plan, size_t first, size_t end) : plan_(plan) {
  const Wavefunctions& w = plan.wavefunctions;
  const int nbands = plan.settings.nbands, occupied = w.occupied();
  choose_grids();
  const size_t nexternal = plan.externals.size();
  std::vector<char> inner(plan.k_full.size()), external(nexternal);
  for (size_t i = first; i < end; ++i) {
    inner[plan.items[i].inner] = 1;
    external[plan.items[i].external] = 1;
  }
  require_memory(inner, external);
  inner_occupied_.resize(inner.size());
  inner_empty_.resize(inner.size());
  external_small_.resize(nexternal);
  external_large_.resize(nexternal);
  density_.resize(nexternal);
  for (size_t thread = 0; thread < static_cast<size_t>(max_threads()); ++thread)
    works_.push_back(allocate_complex(std::max(large_->size(), small_->size())));

  for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
    int bands = 0;
    for (int f = 0; f < plan.k_full.size(); ++f)
      if (inner[f] && plan.k_full[f].irreducible == k) bands = nbands;
    for (size_t e = 0; e < nexternal; ++e)
      if (external[e] && plan.externals[e].k == k) bands = std::max(bands, plan.externals[e].end);
    if (bands == 0) continue;
    const auto stored = w.read(k, bands);
    for (int f = 0; f < plan.k_full.size(); ++f) {
      if (!inner[f] || plan.k_full[f].irreducible != k) continue;
      const auto unfolded = unfold(stored, plan.k_full[f], nbands);
      inner_occupied_[f] = to_real_space(*large_, unfolded, 0, occupied);
      inner_empty_[f] = to_real_space(*small_, unfolded, occupied, nbands);
    }
    for (size_t e = 0; e < nexternal; ++e)
      if (external[e] && plan.externals[e].k == k) add_external(e, stored);
  }
}

void MatrixElements::add_external(size_t e, const Wavefunctions::Sphere& stored) {
  const auto& external = plan_.externals[e];
  external_small_[e] = to_real_space(*small_, stored, external.first, external.end);
  external_large_[e] = to_real_space(*large_, stored, external.first, external.end);
  if (!plan_.settings.exact_ch()) return;
  const size_t size = large_->size();
  density_[e] = {allocate_complex(size * external.count()), external.first, external.end};
  for (int n = 0; n < external.count(); ++n) {
    Complex* rho = density_[e].u.get() + n * size;
    const Complex* u = external_large_[e].u.get() + n * size;
    conjugate_product(numbers(u), numbers(u), numbers(rho), size);
    (*large_)(rho);
  }
}

MatrixElements::Orbitals MatrixElements::to_real_space(const Transform& transform, const Wavefunctions::Sphere& sphere, int first,
                                                       int end) const {
  const size_t size = transform.size(), n = sphere.g.size();
  Orbitals out{nullptr, first, end};
  if (end <= first) return out;
  out.u = allocate_complex(size * (end - first));
  std::vector<size_t> at(n);
  for (size_t i = 0; i < n; ++i) at[i] = transform.index(sphere.g[i]);
#pragma omp parallel for schedule(static)
  for (int band = first; band < end; ++band) {
    Complex* u = out.u.get() + size * (band - first);
    std::fill(u, u + size, Complex(0));
    // += because on a grid smaller than the sphere two components share a place; values on grid points stay
    // exact.
    for (size_t i = 0; i < n; ++i) u[at[i]] += sphere.c[band * n + i];
    transform(u);
  }
  return out;
}

void MatrixElements::compute(const Plan::Item& item, const Screening& screening, Complex* m, double* exchange) const {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  const bool by_image = plan_.screening_by_image, conjugate = point.reversed && !by_image;
  const int nbare = static_cast<int>(screening.g.size()), ncouls = screening.ncouls;
  const int nbands = plan_.settings.nbands, occupied = plan_.wavefunctions.occupied();
  const int nex = plan_.externals[item.external].count();

  std::vector<uint32_t> at_large(nbare), at_small(ncouls);
  std::vector<Complex> phase_large(nbare), phase_small(ncouls);
  for (int ig = 0; ig < nbare; ++ig) {
    const Miller g = by_image ? screening.g[ig] : rotated(point, operation, screening.g[ig]);
    const Complex phase = by_image ? 1.0 : std::polar(1.0, operation.phase(operation(screening.g[ig])));
    at_large[ig] = static_cast<uint32_t>(large_->index(g - item.umklapp));
    phase_large[ig] = phase / static_cast<double>(large_->size());
    if (ig >= ncouls) continue;
    at_small[ig] = static_cast<uint32_t>(small_->index(g - item.umklapp));
    phase_small[ig] = phase / static_cast<double>(small_->size());
  }
  const auto element = [&](const Complex& value, const Complex& phase) {
    const double re = value.real(), im = conjugate ? -value.imag() : value.imag();
    return Complex(re * phase.real() - im * phase.imag(), re * phase.imag() + im * phase.real());
  };

  const Orbitals &bra_large = external_large_[item.external], &bra_small = external_small_[item.external];
  const size_t large = large_->size(), small = small_->size();
  std::vector<double> exchange_of_pair(static_cast<size_t>(nex) * occupied);
#pragma omp parallel num_threads(static_cast<int>(works_.size()))
  {
    const ComplexBuffer& work = works_[this_thread()];
#pragma omp for collapse(2) schedule(static)
    for (int n1 = 0; n1 < nbands; ++n1)
      for (int n = 0; n < nex; ++n) {
        Complex* out = m + (static_cast<size_t>(n) * nbands + n1) * ncouls;
        if (n1 < occupied) {
          conjugate_product(numbers(bra_large.u.get() + large * n), numbers(inner_occupied_[item.inner].band(n1, large)),
                            numbers(work.get()), large);
          (*large_)(work.get());
          double sum = 0;
          for (int ig = 0; ig < nbare; ++ig) sum += std::norm(work[at_large[ig]]) * screening.vcoul[ig];
          exchange_of_pair[static_cast<size_t>(n) * occupied + n1] = sum / (static_cast<double>(large) * large);
          for (int ig = 0; ig < ncouls; ++ig) out[ig] = element(work[at_large[ig]], phase_large[ig]);
        } else {
          conjugate_product(numbers(bra_small.u.get() + small * n), numbers(inner_empty_[item.inner].band(n1, small)), numbers(work.get()),
                            small);
          (*small_)(work.get());
          for (int ig = 0; ig < ncouls; ++ig) out[ig] = element(work[at_small[ig]], phase_small[ig]);
        }
      }
  }
  for (int n = 0; n < nex; ++n) {
    exchange[n] = 0;
    for (int n1 = 0; n1 < occupied; ++n1) exchange[n] += exchange_of_pair[static_cast<size_t>(n) * occupied + n1];
  }
}

void MatrixElements::static_coulomb_hole(const Plan::Item& item, const Screening& screening, double* ch) const {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  const size_t count = screening.difference.size();
  std::vector<size_t> at(count);
  std::vector<Complex> factor(count);
  for (size_t i = 0; i < count; ++i) {
    // Time reversal conjugates the whole sum, whose real part alone is wanted.
    const Miller d = plan_.screening_by_image ? screening.difference[i] : operation(screening.difference[i]);
    const Complex phase = plan_.screening_by_image ? 1.0 : std::polar(1.0, operation.phase(d));
    at[i] = large_->index(d);
    factor[i] = phase * screening.pair_sum[i];
  }
  const int nex = plan_.externals[item.external].count();
  for (int n = 0; n < nex; ++n) {
    const Complex* rho = density_[item.external].u.get() + n * large_->size();
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += rho[at[i]].real() * factor[i].real() - rho[at[i]].imag() * factor[i].imag();
    ch[n] = -0.5 * sum / static_cast<double>(large_->size());
  }
}

}  // namespace suite::gw
