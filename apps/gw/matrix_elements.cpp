// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_elements.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <suite/plugin.hpp>

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

// Bands of one call for densities: all their pairs are computed, of which those on the diagonal are wanted.
constexpr int density_block = 8;

}  // namespace

MatrixElements::MatrixElements(const Plan& plan, size_t first, size_t end, KernelSource& source)
    : plan_(plan), screened_(source), bare_(source) {
  const Wavefunctions& w = plan.wavefunctions;
  std::vector<char> needed(w.kpoints().size()), external(plan.externals.size());
  std::vector<int> bands(needed.size());
  const auto need = [&](int k, int count) {
    needed[k] = 1;
    bands[k] = std::max(bands[k], count);
  };
  for (size_t i = first; i < end; ++i) {
    const auto& of_item = plan.externals[plan.items[i].external];
    need(plan.k_full[plan.items[i].inner].irreducible, plan.settings.nbands);
    need(of_item.k, of_item.end);
    external[plan.items[i].external] = 1;
  }
  stored_.resize(needed.size());
  for (size_t k = 0; k < needed.size(); ++k)
    if (needed[k]) stored_[k] = w.read(static_cast<int>(k), bands[k]);
  if (!plan.settings.exact_ch()) return;
  // Rounding must not decide whether the image of a difference of two G is in the list.
  density_g_ = sphere(w.crystal().bdot, {0, 0, 0}, plan.bare_cutoff() * (1 + 1e-8));
  for (const auto& g : density_g_)
    for (int i = 0; i < 3; ++i) density_reach_[i] = std::max(density_reach_[i], std::abs(g[i]));
  density_place_.resize(place_in_density(density_reach_) + 1);
  for (size_t i = 0; i < density_g_.size(); ++i) density_place_[place_in_density(density_g_[i])] = static_cast<uint32_t>(i);
  density_.resize(plan.externals.size());
  for (size_t e = 0; e < external.size(); ++e)
    if (external[e]) keep_density(e);
}

// In a box around the sphere.
size_t MatrixElements::place_in_density(const Miller& g) const {
  size_t at = 0;
  for (int i = 0; i < 3; ++i) at = at * static_cast<size_t>(2 * density_reach_[i] + 1) + static_cast<size_t>(g[i] + density_reach_[i]);
  return at;
}

void MatrixElements::keep_density(size_t e) {
  const Bands bands = external_bands(plan_.externals[e]);
  const auto& elements = plan_.settings.offdiag;
  const size_t ng = density_g_.size(), count = static_cast<size_t>(bands.count);
  density_[e].resize(ng * (count + elements.size()));
  for (int64_t first = 0; first < bands.count; first += density_block) {
    const Bands some = bands.part(first, std::min<int64_t>(density_block, bands.count - first));
    work_.resize(ng * static_cast<size_t>(some.count * some.count));
    bare_.run({some, some, density_g_, {}, false, work_.data()});
    for (int64_t n = 0; n < some.count; ++n)
      std::copy_n(work_.data() + ng * static_cast<size_t>(n * some.count + n), ng,
                  density_[e].data() + ng * static_cast<size_t>(first + n));
  }
  std::set<int> rows;
  for (const Element& element : elements) rows.insert(element.n);
  work_.resize(rows.empty() ? work_.size() : ng * count);
  for (int row : rows) {
    bare_.run({bands.part(row - plan_.settings.band_min, 1), bands, density_g_, {}, false, work_.data()});
    for (size_t i = 0; i < elements.size(); ++i)
      if (elements[i].n == row)
        std::copy_n(work_.data() + ng * static_cast<size_t>(elements[i].m - plan_.settings.band_min), ng,
                    density_[e].data() + ng * (count + i));
  }
}

Bands MatrixElements::external_bands(const Plan::External& external) const {
  const auto& sphere = stored_[external.k];
  const auto npw = static_cast<int64_t>(sphere.g.size());
  return Bands{sphere.g.data(), sphere.c.data(), npw, external.end}.part(external.first, external.count());
}

// The coefficients at a full k point from those stored for its irreducible one; the first `count` bands of
// them.
Bands MatrixElements::internal_bands(int full_k, int count) {
  const auto& point = plan_.k_full[full_k];
  const auto& stored = stored_[point.irreducible];
  const auto n = stored.g.size();
  if (image_.full_k != full_k) {
    const Operation& operation = plan_.wavefunctions.operations()[point.operation];
    const int nbands = plan_.settings.nbands;
    image_.full_k = full_k;
    image_.g.resize(n);
    image_.c.resize(n * static_cast<size_t>(nbands));
    std::vector<Complex> phase(n);
    for (size_t i = 0; i < n; ++i) {
      image_.g[i] = rotated(point, operation, stored.g[i]);
      phase[i] = std::polar(1.0, operation.phase(operation(stored.g[i])));
    }
#pragma omp parallel for schedule(static)
    for (int band = 0; band < nbands; ++band) {
      const Complex* from = stored.c.data() + n * static_cast<size_t>(band);
      Complex* to = image_.c.data() + n * static_cast<size_t>(band);
      for (size_t i = 0; i < n; ++i) {
        const Complex c = product(from[i], phase[i]);
        to[i] = point.reversed ? std::conj(c) : c;
      }
    }
  }
  return {image_.g.data(), image_.c.data(), static_cast<int64_t>(n), count};
}

// The internal states are at k - q = k_full[inner] + umklapp: the shift goes to the G that are wanted.
std::vector<Miller> MatrixElements::wanted(const Plan::Item& item, const Screening& screening, size_t count) const {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  std::vector<Miller> g(screening.g.begin(), screening.g.begin() + static_cast<ptrdiff_t>(count));
  for (auto& v : g) v = (plan_.screening_by_image ? v : rotated(point, operation, v)) - item.umklapp;
  return g;
}

void MatrixElements::compute(const Plan::Item& item, const Screening& screening, Complex* m) {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  const size_t ncouls = static_cast<size_t>(screening.ncouls);
  ElementsCall call{external_bands(plan_.externals[item.external]),
                    internal_bands(item.inner, plan_.settings.nbands),
                    wanted(item, screening, ncouls),
                    {},
                    point.reversed && !plan_.screening_by_image,
                    m};
  for (size_t ig = 0; ig < ncouls; ++ig)
    call.phase.push_back(plan_.screening_by_image ? 1.0 : std::polar(1.0, operation.phase(operation(screening.g[ig]))));
  screened_.run(call);
}

void MatrixElements::exchange(const Plan::Item& item, const Screening& screening, double* exchange, Complex* off_diagonal) {
  const size_t nbare = screening.g.size();
  const Bands external = external_bands(plan_.externals[item.external]),
              internal = internal_bands(item.inner, plan_.wavefunctions.occupied());
  // The larger set as ket, for kernels compute many of its bands at a time. With the sets interchanged the
  // elements are the conjugates of those at -G.
  const bool interchanged = external.count > internal.count;
  ElementsCall call{
      interchanged ? internal : external, interchanged ? external : internal, wanted(item, screening, nbare), {}, false, nullptr};
  if (interchanged)
    for (auto& g : call.g) g = -g;
  const size_t pairs = static_cast<size_t>(external.count * internal.count);
  work_.resize(nbare * pairs);
  call.m = work_.data();
  bare_.run(call);
  std::vector<double> of_pair(pairs);
#pragma omp parallel for schedule(static)
  for (size_t pair = 0; pair < pairs; ++pair) {
    const Complex* m = work_.data() + nbare * pair;
    double sum = 0;
    for (size_t ig = 0; ig < nbare; ++ig) sum += std::norm(m[ig]) * screening.vcoul[ig];
    of_pair[pair] = sum;
  }
  const auto pair_of = [&](int64_t n, int64_t n1) {
    return static_cast<size_t>(interchanged ? n1 * external.count + n : n * internal.count + n1);
  };
  for (int64_t n = 0; n < external.count; ++n) {
    exchange[n] = 0;
    for (int64_t n1 = 0; n1 < internal.count; ++n1) exchange[n] += of_pair[pair_of(n, n1)];
  }
  const auto& elements = plan_.settings.offdiag;
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < elements.size(); ++i) {
    Complex sum = 0;
    for (int64_t n1 = 0; n1 < internal.count; ++n1) {
      const Complex* n = work_.data() + nbare * pair_of(elements[i].n - plan_.settings.band_min, n1);
      const Complex* m = work_.data() + nbare * pair_of(elements[i].m - plan_.settings.band_min, n1);
      for (size_t ig = 0; ig < nbare; ++ig) sum += product(n[ig], std::conj(m[ig])) * screening.vcoul[ig];
    }
    off_diagonal[i] = interchanged ? std::conj(sum) : sum;
  }
}

void MatrixElements::static_coulomb_hole(const Plan::Item& item, const Screening& screening, double* ch, Complex* off_diagonal) const {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  const size_t count = screening.difference.size(), ng = density_g_.size();
  std::vector<size_t> at(count);
  std::vector<Complex> factor(count);
  for (size_t i = 0; i < count; ++i) {
    if (plan_.screening_by_image) {
      at[i] = density_place_[place_in_density(screening.difference[i])];
      factor[i] = screening.pair_sum[i];
      continue;
    }
    // Time reversal: the screening at q is the conjugate, and belongs to -G.
    const Miller d = operation(screening.difference[i]);
    const Complex sum = std::polar(1.0, operation.phase(d)) * screening.pair_sum[i];
    at[i] = density_place_[place_in_density(point.reversed ? -d : d)];
    factor[i] = point.reversed ? std::conj(sum) : sum;
  }
  const size_t nex = static_cast<size_t>(plan_.externals[item.external].count()), elements = plan_.settings.offdiag.size();
#pragma omp parallel for schedule(static)
  for (size_t n = 0; n < nex + elements; ++n) {
    const Complex* rho = density_[item.external].data() + ng * n;
    Complex sum = 0;
    for (size_t i = 0; i < count; ++i) sum += product(rho[at[i]], factor[i]);
    if (n < nex) ch[n] = -0.5 * sum.real();
    else off_diagonal[n - nex] = -0.5 * sum;
  }
}

app::Row MatrixElements::record() const {
  std::vector<app::Row> rows;
  for (const auto* kernel : {&screened_, &bare_}) app::add_or_join(rows, kernel->timed().record());
  return rows.at(0);
}

}  // namespace suite::gw
