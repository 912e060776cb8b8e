// SPDX-License-Identifier: BSD-3-Clause
#include "contour.hpp"

#include <algorithm>
#include <cmath>

namespace suite::gw {

ContourSelfEnergy::ContourSelfEnergy(const Plan& plan) : plan_(plan) {
  const auto& z = plan.eps.frequencies();
  for (size_t i = 0; i < z.size(); ++i)
    if (i < plan.eps.on_imaginary_axis()) imaginary_.push_back(z[i].imag());
    else real_.push_back(z[i].real());
}

void ContourSelfEnergy::integrate(const SigmaArguments& a, const ScreenedElements& elements, std::vector<BandPair>& pairs) {
  const size_t frequencies = imaginary_.size(), nw = frequencies + 1, nb = elements.nbands;
  std::vector<std::complex<double>> s(pairs.size() * nb * nw);  // frequency fastest, the last the static limit; then n'
#pragma omp parallel for schedule(dynamic)
  for (size_t iw = 0; iw < nw; ++iw) {
    const Parts matrix(iw < frequencies ? a.screening.at_frequencies[iw] : a.screening.I_eps);
    for (int m = 0; m < a.nex; ++m) {
      const std::vector<size_t> blocks = elements.blocks_of(m);
      const Parts screened = elements.screen(matrix, elements.select(blocks), blocks.size());
      for (size_t p = 0; p < pairs.size(); ++p)
        for (size_t n1 = 0; pairs[p].m == m && n1 < nb; ++n1)
          s[(p * nb + n1) * nw + iw] = elements.dot(static_cast<size_t>(pairs[p].n) * nb + n1, screened, n1);
    }
  }
  iterations_ += static_cast<double>(nw * elements.rows * elements.columns * nb) * a.nex;
#pragma omp parallel for schedule(dynamic)
  for (size_t p = 0; p < pairs.size(); ++p) {
    BandPair& pair = pairs[p];
    ImaginaryIntegral integral(plan_.settings.contour_rule, imaginary_);
    for (size_t n1 = 0; n1 < nb; ++n1) {
      const std::complex<double>* const of_band = s.data() + (p * nb + n1) * nw;
      integral.take(of_band);
      for (size_t i = 0; i < pair.energies(); ++i) pair.ch[i] += integral.at(pair.x[n1 * pair.energies() + i]);
      pair.static_ch -= 0.5 * of_band[frequencies];
    }
  }
}

void ContourSelfEnergy::add_residues(const SigmaArguments& a, const ScreenedElements& elements, std::vector<BandPair>& pairs) {
  const size_t nb = elements.nbands;
  struct Residue {
    size_t pair, energy, band;
    double weight;
    std::complex<double> value;
  };
  std::vector<std::vector<Residue>> at(real_.size());  // by frequency
  for (size_t p = 0; p < pairs.size(); ++p)
    for (size_t n1 = 0; n1 < nb; ++n1)
      for (size_t i = 0; i < pairs[p].energies(); ++i) {
        const double x = pairs[p].x[n1 * pairs[p].energies() + i];
        const double weight = -std::copysign(residue_share(x, a.occupation[n1], plan_.settings.contour_rule), x);
        if (weight == 0) continue;
        const Between place = between(real_, std::abs(x));
        if (place.share < 1) at[place.first].push_back({p, i, n1, weight * (1 - place.share), {}});
        if (place.share > 0) at[place.first + 1].push_back({p, i, n1, weight * place.share, {}});
      }
  double products = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : products)
  for (size_t iw = 0; iw < real_.size(); ++iw) {
    // Each block (n',m) once.
    const auto block = [&](const Residue& r) { return static_cast<size_t>(pairs[r.pair].m) * nb + r.band; };
    std::vector<size_t> blocks;
    for (const Residue& r : at[iw]) blocks.push_back(block(r));
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    if (blocks.empty()) continue;
    const Parts matrix(a.screening.at_frequencies[imaginary_.size() + iw]);
    const Parts screened = elements.screen(matrix, elements.select(blocks), blocks.size());
    for (Residue& r : at[iw]) {
      const size_t column = static_cast<size_t>(std::lower_bound(blocks.begin(), blocks.end(), block(r)) - blocks.begin());
      r.value = elements.dot(static_cast<size_t>(pairs[r.pair].n) * nb + r.band, screened, column);
    }
    products += static_cast<double>(blocks.size());
  }
  iterations_ += products * static_cast<double>(elements.rows * elements.columns);
  for (const auto& residues : at)
    for (const Residue& r : residues) pairs[r.pair].sx[r.energy] += r.weight * r.value;
}

void ContourSelfEnergy::run(const Plan::Item& item, SigmaArguments& a, std::span<ElementTerms> terms) {
  std::vector<BandPair> pairs = pairs_of(plan_, item, a);
  const ScreenedElements elements(a);
  integrate(a, elements, pairs);
  add_residues(a, elements, pairs);
  put_pairs(pairs, a, terms);
}

}  // namespace suite::gw
