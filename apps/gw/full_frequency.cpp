// SPDX-License-Identifier: BSD-3-Clause
#include "full_frequency.hpp"

#include <cmath>
#include <numeric>

#include "products.hpp"

namespace suite::gw {

std::vector<BandPair> pairs_of(const Plan& plan, const Plan::Item& item, const SigmaArguments& a) {
  const auto& external = plan.externals[static_cast<size_t>(item.external)];
  std::vector<BandPair> pairs;
  const auto add = [&](int n, int m, int level, const std::vector<double>& shifts) {
    BandPair& pair = pairs.emplace_back();
    pair.n = n, pair.m = m;
    for (int n1 = 0; n1 < a.nbands; ++n1)
      for (const double shift : shifts)
        pair.x.push_back(beside_level(plan.external_eV(external, level) + shift - plan.internal_eV(item, n1)));
    pair.sx.resize(shifts.size());
    pair.ch.resize(shifts.size());
  };
  for (int n = 0; n < a.nex; ++n) add(n, n, external.first + n, plan.energy_shifts);
  // Where the screening is that of the irreducible q, time reversal left the conjugate matrix elements: bra and ket have changed places.
  const bool swapped = plan.q_full[item.q].reversed && !plan.screening_by_image;
  std::vector<double> shifts;
  for (const int iw : offdiag_energies(plan.settings)) shifts.push_back((iw - 2) * plan.settings.finite_difference_spacing_eV);
  for (const Element& e : plan.settings.offdiag) {
    const int n = e.n - 1 - external.first, m = e.m - 1 - external.first;
    add(swapped ? m : n, swapped ? n : m, e.l - 1, shifts);
  }
  return pairs;
}

void put_pairs(const std::vector<BandPair>& pairs, SigmaArguments& a, std::span<ElementTerms> terms) {
  for (int n = 0; n < a.nex; ++n) {
    const BandPair& pair = pairs[static_cast<size_t>(n)];
    std::copy(pair.sx.begin(), pair.sx.end(), a.asx.begin() + static_cast<ptrdiff_t>(n) * a.nw);
    std::copy(pair.ch.begin(), pair.ch.end(), a.ach.begin() + static_cast<ptrdiff_t>(n) * a.nw);
    a.achs[static_cast<size_t>(n)] = pair.static_ch;
  }
  for (size_t i = 0; i < terms.size(); ++i) {
    const BandPair& pair = pairs[static_cast<size_t>(a.nex) + i];
    terms[i].sx = pair.sx;
    terms[i].ch = pair.ch;
    terms[i].static_ch = pair.static_ch;
  }
}

Parts::Parts(const Numbers& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) real.push_back(*numbers.at(i));
  for (size_t i = 0; numbers.parts() == 2 && i < numbers.size(); ++i) imaginary.push_back(numbers.at(i)[1]);
}

ScreenedElements::ScreenedElements(const SigmaArguments& a)
    : rows(static_cast<size_t>(a.screening.ncouls)),
      columns(static_cast<size_t>(a.screening.ngpown())),
      nbands(static_cast<size_t>(a.nbands)),
      bra(a.m) {
  const size_t blocks = nbands * static_cast<size_t>(a.nex);
  ket.real.resize(columns * blocks);
  if (!bra.imaginary.empty()) ket.imaginary.resize(columns * blocks);
  for (size_t j = 0; j < blocks; ++j)
    for (size_t column = 0; column < columns; ++column) {
      const int igp = a.screening.indigp[column] - 1;
      if (igp < 0) continue;  // padding
      const size_t from = j * rows + static_cast<size_t>(igp), to = j * columns + column;
      const double v = a.screening.vcoul[static_cast<size_t>(igp)];
      ket.real[to] = v * bra.real[from];
      if (!bra.imaginary.empty()) ket.imaginary[to] = -v * bra.imaginary[from];
    }
}

std::vector<size_t> ScreenedElements::blocks_of(int external) const {
  std::vector<size_t> blocks(nbands);
  std::iota(blocks.begin(), blocks.end(), static_cast<size_t>(external) * nbands);
  return blocks;
}

Parts ScreenedElements::select(const std::vector<size_t>& blocks) const {
  Parts out;
  const auto append = [&](std::vector<double>& to, const std::vector<double>& from, size_t j) {
    if (from.empty()) return;
    const auto first = from.begin() + static_cast<ptrdiff_t>(j * columns);
    to.insert(to.end(), first, first + static_cast<ptrdiff_t>(columns));
  };
  for (const size_t j : blocks) append(out.real, ket.real, j), append(out.imaginary, ket.imaginary, j);
  return out;
}

Parts ScreenedElements::screen(const Parts& w, const Parts& kets, size_t count) const {
  const auto n = static_cast<int64_t>(rows), k = static_cast<int64_t>(columns), m = static_cast<int64_t>(count);
  Parts out;
  out.real.resize(rows * count);
  if (!w.imaginary.empty() || !kets.imaginary.empty()) out.imaginary.resize(rows * count);
  add_product(n, k, m, w.real.data(), kets.real.data(), out.real.data());
  if (!kets.imaginary.empty()) add_product(n, k, m, w.real.data(), kets.imaginary.data(), out.imaginary.data());
  if (w.imaginary.empty()) return out;
  add_product(n, k, m, w.imaginary.data(), kets.real.data(), out.imaginary.data());
  if (kets.imaginary.empty()) return out;
  std::vector<double> less(rows * count);
  add_product(n, k, m, w.imaginary.data(), kets.imaginary.data(), less.data());
  for (size_t i = 0; i < less.size(); ++i) out.real[i] -= less[i];
  return out;
}

std::complex<double> ScreenedElements::dot(size_t at, const Parts& b, size_t of) const {
  const auto sum = [&](const std::vector<double>& x, const std::vector<double>& y) {
    if (x.empty() || y.empty()) return 0.0;
    double s = 0;
    const double *p = x.data() + at * rows, *q = y.data() + of * rows;
#pragma omp simd reduction(+ : s)
    for (size_t i = 0; i < rows; ++i) s += p[i] * q[i];
    return s;
  };
  return {sum(bra.real, b.real) - sum(bra.imaginary, b.imaginary), sum(bra.real, b.imaginary) + sum(bra.imaginary, b.real)};
}

}  // namespace suite::gw
