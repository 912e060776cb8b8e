// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_elements.hpp"

#include <algorithm>

#include <suite/plugin.hpp>

#include "band_densities.hpp"

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

}  // namespace

MatrixElements::MatrixElements(const Plan& plan, size_t first, size_t end, KernelSource& source, const Slice& slice)
    : plan_(plan),
      slice_(slice),
      in_turns_(exchange_in_turns(end - first, slice.slices)),
      images_(plan, slice, std::make_shared<BandStore>(plan, first, end, slice)),
      screened_(source),
      bare_(source),
      work_(plan.parts) {
  if (!plan.settings.exact_ch()) return;
  std::vector<char> external(plan.externals.size());
  for (size_t i = first; i < end; ++i) external[plan.items[i].external] = 1;
  auto densities = std::make_shared<Densities>();
  Densities& d = *densities;
  // Rounding must not decide whether the image of a difference of two G is in the list.
  d.g = sphere(plan.wavefunctions.crystal().bdot, {0, 0, 0}, plan.bare_cutoff() * (1 + 1e-8));
  for (const auto& g : d.g)
    for (int i = 0; i < 3; ++i) d.reach[i] = std::max(d.reach[i], std::abs(g[i]));
  d.place.resize(d.place_in_box(d.reach) + 1);
  for (size_t i = 0; i < d.g.size(); ++i) d.place[d.place_in_box(d.g[i])] = static_cast<uint32_t>(i);
  d.values.resize(plan.externals.size());
  for (size_t e = 0; e < external.size(); ++e)
    if (external[e]) d.values[e] = density_of(d, e);
  densities_ = std::move(densities);
}

MatrixElements::MatrixElements(const MatrixElements& first, KernelSource& source)
    : plan_(first.plan_),
      slice_(first.slice_),
      in_turns_(first.in_turns_),
      images_(plan_, slice_, first.images_.store()),
      screened_(source),
      bare_(source),
      densities_(first.densities_),
      work_(plan_.parts) {}

// In a box around the sphere.
size_t MatrixElements::Densities::place_in_box(const Miller& g) const {
  size_t at = 0;
  for (int i = 0; i < 3; ++i) at = at * static_cast<size_t>(2 * reach[i] + 1) + static_cast<size_t>(g[i] + reach[i]);
  return at;
}

std::vector<Complex> MatrixElements::density_of(const Densities& densities, size_t e) {
  const Bands bands = external_bands(plan_.externals[e]);
  const auto& elements = plan_.settings.offdiag;
  const int first = plan_.externals[e].first + 1;
  const size_t ng = densities.g.size(), count = static_cast<size_t>(bands.count);
  std::vector<Complex> density(ng * (count + elements.size()));
  const auto keep = [&](size_t at, size_t place) {
    for (size_t ig = 0; ig < ng; ++ig) density[ng * place + ig] = work_[at + ig];
  };
  size_t diagonal = 0;  // of each band once, before those between bands
  band_densities(bare_, bands, densities.g, elements, first, work_, [&](int n, int m, size_t at) {
    if (diagonal < count) return keep(at, diagonal++);
    for (size_t i = 0; i < elements.size(); ++i)
      if (elements[i].n == n && elements[i].m == m) keep(at, count + i);
  });
  return density;
}

// The internal states are at k - q = k_full[inner] + umklapp: the shift goes to the G that are wanted.
std::vector<Miller> MatrixElements::wanted(const Plan::Item& item, const Screening& screening, size_t count) const {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  std::vector<Miller> g(screening.g.begin(), screening.g.begin() + static_cast<ptrdiff_t>(count));
  for (auto& v : g) v = (plan_.screening_by_image ? v : rotated(point, operation, v)) - item.umklapp;
  return g;
}

void MatrixElements::compute(const Plan::Item& item, const Screening& screening, Numbers& m) {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  const size_t ncouls = static_cast<size_t>(screening.ncouls);
  const Range mine = internal_share(plan_, slice_);
  ElementsCall call{external_bands(plan_.externals[item.external]),
                    images_.at(item.inner, plan_.spin_of(item), mine),
                    wanted(item, screening, ncouls),
                    Numbers(plan_.parts),
                    point.reversed && !plan_.screening_by_image,
                    nullptr};
  call.phase.resize(ncouls);
  for (size_t ig = 0; ig < ncouls; ++ig)
    call.phase.set(ig, plan_.screening_by_image ? 1.0 : std::polar(1.0, operation.phase(operation(screening.g[ig]))));
  m.resize(ncouls * static_cast<size_t>(plan_.settings.nbands * call.bra.count));
  if (slice_.shares()) work_.resize(ncouls * static_cast<size_t>(mine.count() * call.bra.count));
  call.m = slice_.shares() ? work_.at(0) : m.at(0);
  if (mine.count() > 0) screened_.run(call);
  if (slice_.shares())
    slice_.gather(work_.at(0), m.at(0), plan_.parts * screening.ncouls, plan_.settings.nbands, bands_together(plan_), call.bra.count);
}

bool MatrixElements::exchange(size_t i, const Screening& screening, double* exchange, Complex* off_diagonal) {
  if (in_turns_ && i % static_cast<size_t>(slice_.slices) != static_cast<size_t>(slice_.slice)) return false;
  const Plan::Item& item = plan_.items[i];
  const size_t nbare = screening.g.size();
  const int occupied = plan_.occupied_of(item);
  const Bands external = external_bands(plan_.externals[item.external]),
              internal = images_.at(item.inner, plan_.spin_of(item), occupied_share(occupied, plan_, slice_, in_turns_));
  // The larger set as ket, for kernels compute many of its bands at a time. With the sets interchanged the
  // elements are the conjugates of those at -G.
  const bool interchanged = external.count > occupied;
  ElementsCall call{
      interchanged ? internal : external, interchanged ? external : internal, wanted(item, screening, nbare), {}, false, nullptr};
  if (interchanged)
    for (auto& g : call.g) g = -g;
  work_.resize(nbare * static_cast<size_t>(external.count * internal.count));
  call.m = work_.at(0);
  if (internal.count > 0) bare_.run(call);
  const auto pair_of = [&](int64_t n, int64_t n1) {
    return nbare * static_cast<size_t>(interchanged ? n1 * external.count + n : n * internal.count + n1);
  };
  const auto parts = static_cast<size_t>(plan_.parts);
  // What each n1 contributes: the sums over G of all n, then real and imaginary parts of the elements of offdiag.
  const auto& elements = plan_.settings.offdiag;
  const int64_t count = external.count + static_cast<int64_t>(elements.size()), per_band = count + static_cast<int64_t>(elements.size());
  std::vector<double> terms(static_cast<size_t>(per_band * internal.count));
#pragma omp parallel for schedule(static)
  for (int64_t pair = 0; pair < count * internal.count; ++pair) {
    const int64_t n1 = pair / count, n = pair % count;
    double* const out = terms.data() + n1 * per_band;
    if (n < external.count) {
      const double* m = work_.at(pair_of(n, n1));
      double sum = 0;
      for (size_t ig = 0; ig < nbare; ++ig) {
        double norm = 0;
        for (size_t p = 0; p < parts; ++p, ++m) norm += *m * *m;
        sum += norm * screening.vcoul[ig];
      }
      out[n] = sum;
      continue;
    }
    const int64_t element = n - external.count;
    const Element& e = elements[static_cast<size_t>(element)];
    const size_t of_n = pair_of(e.n - plan_.settings.band_min, n1), of_m = pair_of(e.m - plan_.settings.band_min, n1);
    Complex sum = 0;
    for (size_t ig = 0; ig < nbare; ++ig) sum += product(work_[of_n + ig], std::conj(work_[of_m + ig])) * screening.vcoul[ig];
    out[external.count + 2 * element] = sum.real();
    out[external.count + 2 * element + 1] = interchanged ? -sum.imag() : sum.imag();
  }
  const bool shared = slice_.shares() && !in_turns_;
  if (shared) {
    std::vector<double> all(static_cast<size_t>(per_band * occupied));
    slice_.gather(terms.data(), all.data(), per_band, occupied, bands_together(plan_));
    terms = std::move(all);
  }
  // In the order of the bands, whoever computed them; in turns all of them are here.
  const auto sum_of = [&](int64_t place) {
    double sum = 0;
    for (int n1 = 0; n1 < occupied; ++n1) sum += plan_.occupation_of(item, n1) * terms[static_cast<size_t>(n1 * per_band + place)];
    return sum;
  };
  for (int64_t n = 0; n < external.count; ++n) exchange[n] = sum_of(n);
  for (size_t j = 0; j < elements.size(); ++j) {
    const int64_t place = external.count + 2 * static_cast<int64_t>(j);
    off_diagonal[j] = {sum_of(place), sum_of(place + 1)};
  }
  return !shared || slice_.slice == 0;
}

void MatrixElements::static_coulomb_hole(const Plan::Item& item, const Screening& screening, double* ch, Complex* off_diagonal) const {
  const auto& point = plan_.q_full[item.q];
  const Operation& operation = plan_.wavefunctions.operations()[point.operation];
  const Densities& densities = *densities_;
  const size_t count = screening.difference.size(), ng = densities.g.size();
  std::vector<size_t> at(count);
  std::vector<Complex> factor(count);
  for (size_t i = 0; i < count; ++i) {
    if (plan_.screening_by_image) {
      at[i] = densities.place[densities.place_in_box(screening.difference[i])];
      factor[i] = screening.pair_sum[i];
      continue;
    }
    // Time reversal: the screening at q is the conjugate, and belongs to -G.
    const Miller d = operation(screening.difference[i]);
    const Complex sum = std::polar(1.0, operation.phase(d)) * screening.pair_sum[i];
    at[i] = densities.place[densities.place_in_box(point.reversed ? -d : d)];
    factor[i] = point.reversed ? std::conj(sum) : sum;
  }
  const size_t nex = static_cast<size_t>(plan_.externals[item.external].count()), elements = plan_.settings.offdiag.size();
#pragma omp parallel for schedule(static)
  for (size_t n = 0; n < nex + elements; ++n) {
    const Complex* rho = densities.values[item.external].data() + ng * n;
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
