// SPDX-License-Identifier: BSD-3-Clause
#include "contour.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "products.hpp"

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

// Real and imaginary parts apart; those of real numbers have no second.
struct Parts {
  std::vector<double> real, imaginary;
};

Parts parts_of(const Numbers& numbers) {
  Parts out;
  for (size_t i = 0; i < numbers.size(); ++i) out.real.push_back(*numbers.at(i));
  for (size_t i = 0; numbers.parts() == 2 && i < numbers.size(); ++i) out.imaginary.push_back(numbers.at(i)[1]);
  return out;
}

}  // namespace

// Matrix elements of one item in the form that the products take.
struct ContourSelfEnergy::Work {
  size_t rows = 0, columns = 0, nbands = 0;  // G, own G', n'
  Parts bra;                                 // M(G): G fastest, then n', then external bands
  Parts ket;                                 // v(G') conj M(G'), own G'

  Work(const SigmaArguments& a)
      : rows(static_cast<size_t>(a.screening.ncouls)),
        columns(static_cast<size_t>(a.screening.ngpown())),
        nbands(static_cast<size_t>(a.nbands)),
        bra(parts_of(a.m)) {
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

  // matrix * ket of some (n', m), which follow each other in `selected`.
  Parts screened(const Numbers& matrix, const Parts& selected, size_t count) const {
    const auto n = static_cast<int64_t>(rows), k = static_cast<int64_t>(columns), m = static_cast<int64_t>(count);
    const Parts w = parts_of(matrix);
    Parts out;
    const bool complex = !w.imaginary.empty() || !selected.imaginary.empty();
    out.real.resize(rows * count);
    if (complex) out.imaginary.resize(rows * count);
    add_product(n, k, m, w.real.data(), selected.real.data(), out.real.data());
    if (!selected.imaginary.empty()) add_product(n, k, m, w.real.data(), selected.imaginary.data(), out.imaginary.data());
    if (w.imaginary.empty()) return out;
    add_product(n, k, m, w.imaginary.data(), selected.real.data(), out.imaginary.data());
    if (selected.imaginary.empty()) return out;
    std::vector<double> less(rows * count);
    add_product(n, k, m, w.imaginary.data(), selected.imaginary.data(), less.data());
    for (size_t i = 0; i < less.size(); ++i) out.real[i] -= less[i];
    return out;
  }

  // sum_G M(G) b(G) of block `at` of the bras and column `of` of b.
  Complex dot(size_t at, const Parts& b, size_t of) const {
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
};

ContourSelfEnergy::ContourSelfEnergy(const Plan& plan) : plan_(plan) {
  const auto& z = plan.eps.frequencies();
  for (size_t i = 0; i < z.size(); ++i)
    if (i < plan.eps.on_imaginary_axis()) imaginary_.push_back(z[i].imag());
    else real_.push_back(z[i].real());
}

std::vector<ContourSelfEnergy::Pair> ContourSelfEnergy::pairs_of(const Plan::Item& item, const SigmaArguments& a) const {
  const auto& external = plan_.externals[static_cast<size_t>(item.external)];
  const int inner_k = plan_.k_full[item.inner].irreducible;
  std::vector<Pair> pairs;
  const auto add = [&](int n, int m, const std::vector<double>& energies) {
    Pair& pair = pairs.emplace_back();
    pair.n = n, pair.m = m;
    for (int n1 = 0; n1 < a.nbands; ++n1)
      for (const double e : energies) pair.x.push_back(beside_level(e - plan_.energy_eV(inner_k, n1, external.spin)));
    pair.residues.resize(energies.size());
    pair.integral.resize(energies.size());
  };
  for (int n = 0; n < a.nex; ++n) {
    std::vector<double> energies;
    for (const double shift : plan_.energy_shifts)
      energies.push_back(plan_.energy_eV(external.k, external.first + n, external.spin) + shift);
    add(n, n, energies);
  }
  // Where the screening is that of the irreducible q, time reversal left the conjugate matrix elements: bra and ket have changed places.
  const bool swapped = plan_.q_full[item.q].reversed && !plan_.screening_by_image;
  for (const Element& e : plan_.settings.offdiag) {
    std::vector<double> energies;
    for (const int iw : offdiag_energies(plan_.settings))
      energies.push_back(plan_.energy_eV(external.k, e.l - 1, external.spin) + (iw - 2) * plan_.settings.finite_difference_spacing_eV);
    const int n = e.n - 1 - external.first, m = e.m - 1 - external.first;
    add(swapped ? m : n, swapped ? n : m, energies);
  }
  return pairs;
}

void ContourSelfEnergy::integrate(const SigmaArguments& a, const Work& work, std::vector<Pair>& pairs) {
  const size_t frequencies = imaginary_.size(), nw = frequencies + 1, nb = work.nbands;
  std::vector<Complex> s(pairs.size() * nb * nw);  // frequency fastest, the last the static limit; then n'
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (size_t iw = 0; iw < nw; ++iw)
    for (int m = 0; m < a.nex; ++m) {
      if (std::none_of(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.m == m; })) continue;
      const size_t from = static_cast<size_t>(m) * nb * work.columns, to = from + nb * work.columns;
      Parts selected;
      selected.real.assign(work.ket.real.begin() + static_cast<ptrdiff_t>(from), work.ket.real.begin() + static_cast<ptrdiff_t>(to));
      if (!work.ket.imaginary.empty())
        selected.imaginary.assign(work.ket.imaginary.begin() + static_cast<ptrdiff_t>(from),
                                  work.ket.imaginary.begin() + static_cast<ptrdiff_t>(to));
      const Parts screened = work.screened(iw < frequencies ? a.screening.at_frequencies[iw] : a.screening.I_eps, selected, nb);
      for (size_t p = 0; p < pairs.size(); ++p)
        for (size_t n1 = 0; pairs[p].m == m && n1 < nb; ++n1)
          s[(p * nb + n1) * nw + iw] = work.dot(static_cast<size_t>(pairs[p].n) * nb + n1, screened, n1);
    }
  iterations_ += static_cast<double>(nw * work.rows * work.columns * nb) * a.nex;
#pragma omp parallel for schedule(dynamic)
  for (size_t p = 0; p < pairs.size(); ++p) {
    Pair& pair = pairs[p];
    ImaginaryIntegral integral(plan_.settings.contour_rule, imaginary_);
    for (size_t n1 = 0; n1 < nb; ++n1) {
      const Complex* const of_band = s.data() + (p * nb + n1) * nw;
      integral.take(of_band);
      for (size_t i = 0; i < pair.integral.size(); ++i) pair.integral[i] += integral.at(pair.x[n1 * pair.integral.size() + i]);
      pair.static_ch -= 0.5 * of_band[frequencies];
    }
  }
}

void ContourSelfEnergy::add_residues(const SigmaArguments& a, const Work& work, std::vector<Pair>& pairs) {
  const size_t nb = work.nbands;
  struct Residue {
    size_t pair, energy, band;
    double weight;
    Complex value;
  };
  std::vector<std::vector<Residue>> at(real_.size());  // by frequency
  for (size_t p = 0; p < pairs.size(); ++p)
    for (size_t n1 = 0; n1 < nb; ++n1)
      for (size_t i = 0; i < pairs[p].residues.size(); ++i) {
        const double x = pairs[p].x[n1 * pairs[p].residues.size() + i];
        if (!has_residue(x, a.occupation[n1] > 0.5)) continue;
        const Between place = between(real_, std::abs(x));
        const double sign = std::copysign(1.0, x);
        if (place.share < 1) at[place.first].push_back({p, i, n1, -sign * (1 - place.share), {}});
        if (place.share > 0) at[place.first + 1].push_back({p, i, n1, -sign * place.share, {}});
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
    Parts selected;
    const auto append = [&](std::vector<double>& to, const std::vector<double>& from, size_t j) {
      if (!from.empty())
        to.insert(to.end(), from.begin() + static_cast<ptrdiff_t>(j * work.columns),
                  from.begin() + static_cast<ptrdiff_t>((j + 1) * work.columns));
    };
    for (const size_t j : blocks) append(selected.real, work.ket.real, j), append(selected.imaginary, work.ket.imaginary, j);
    const Parts screened = work.screened(a.screening.at_frequencies[imaginary_.size() + iw], selected, blocks.size());
    for (Residue& r : at[iw]) {
      const size_t column = static_cast<size_t>(std::lower_bound(blocks.begin(), blocks.end(), block(r)) - blocks.begin());
      r.value = work.dot(static_cast<size_t>(pairs[r.pair].n) * nb + r.band, screened, column);
    }
    products += static_cast<double>(blocks.size());
  }
  iterations_ += products * static_cast<double>(work.rows * work.columns);
  for (const auto& residues : at)
    for (const Residue& r : residues) pairs[r.pair].residues[r.energy] += r.weight * r.value;
}

void ContourSelfEnergy::run(const Plan::Item& item, SigmaArguments& a, std::span<ElementTerms> terms) {
  std::vector<Pair> pairs = pairs_of(item, a);
  const Work work(a);
  integrate(a, work, pairs);
  add_residues(a, work, pairs);
  for (int n = 0; n < a.nex; ++n) {
    const Pair& pair = pairs[static_cast<size_t>(n)];
    std::copy(pair.residues.begin(), pair.residues.end(), a.asx.begin() + static_cast<ptrdiff_t>(n) * a.nw);
    std::copy(pair.integral.begin(), pair.integral.end(), a.ach.begin() + static_cast<ptrdiff_t>(n) * a.nw);
    a.achs[static_cast<size_t>(n)] = pair.static_ch;
  }
  for (size_t i = 0; i < terms.size(); ++i) {
    const Pair& pair = pairs[static_cast<size_t>(a.nex) + i];
    terms[i].sx = pair.residues;
    terms[i].ch = pair.integral;
    terms[i].static_ch = pair.static_ch;
  }
}

namespace {

[[noreturn]] void refuse_frequencies(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

// The largest |E - E_n'| of a residue, at any k.
double residue_reach_eV(const Settings& s, const Wavefunctions& w) {
  const std::vector<double> shifts = energy_shifts_of(s);
  const auto [low, high] = std::minmax_element(shifts.begin(), shifts.end());
  double reach = 0;
  for (int spin = 0; spin < w.spins(); ++spin) {
    double top = -1e300, bottom = 1e300, lowest = 1e300, highest = -1e300;
    for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
      top = std::max(top, w.energy(k, w.occupied(spin) - 1, spin));
      if (w.occupied(spin) < s.nbands) bottom = std::min(bottom, w.energy(k, w.occupied(spin), spin));
    }
    for (const int k : chosen_kpoints(s, w)) {
      lowest = std::min(lowest, w.energy(k, s.band_min - 1, spin));
      highest = std::max(highest, w.energy(k, s.band_max - 1, spin));
    }
    reach = std::max({reach, (top - lowest) * rydberg_eV - *low, (highest - bottom) * rydberg_eV + *high});
  }
  return reach;
}

}  // namespace

void complete_frequencies(Settings& s) {
  EpsilonSettings& e = s.epsilon;
  if (!s.contour() || !s.makes_epsilon()) return;
  if (e.imaginary_frequencies_eV.empty())
    for (int i = 1; i < e.imaginary_points; ++i)
      e.imaginary_frequencies_eV.push_back(e.imaginary_frequency_Ry * rydberg_eV * i / (e.imaginary_points - i));
  if (!e.real_frequencies_eV.empty()) {
    if (e.real_frequencies_eV[0] > 0) e.real_frequencies_eV.insert(e.real_frequencies_eV.begin(), 0.0);
    return;
  }
  const Wavefunctions w(s.wavefunctions, KGrid::any, s.levels, s.nbands);
  if (s.nbands == 0) s.nbands = w.nbands();
  require_bands(s, w);
  const int steps = static_cast<int>(std::ceil(residue_reach_eV(s, w) / e.real_step_eV + 1e-6));
  constexpr int most = 100000;
  if (steps > most)
    refuse_frequencies(fmt::format("real_step: {} steps of {:g} eV would be needed, more than {}", steps, e.real_step_eV, most));
  for (int i = 0; i <= steps; ++i) e.real_frequencies_eV.push_back(i * e.real_step_eV);
}

void require_frequencies(const Plan& plan) {
  const auto& z = plan.eps.frequencies();
  const size_t imaginary = plan.eps.on_imaginary_axis();
  const std::string where = plan.settings.eps0_name();
  if (imaginary < 2 || imaginary == z.size())
    refuse_frequencies(fmt::format("contour deformation needs eps^-1 at zero, imaginary and real frequencies; {} has {} beside zero", where,
                                   z.size() == 1   ? "none"
                                   : imaginary < 2 ? "real ones alone"
                                                   : "imaginary ones alone"));
  for (size_t i = 1; i < z.size(); ++i)
    if (i < imaginary ? !(z[i].imag() > z[i - 1].imag() && z[i].real() == 0) : i > imaginary && !(z[i].real() > z[i - 1].real()))
      refuse_frequencies(fmt::format("contour deformation needs frequencies that increase; {} has {:g}{:+g}i eV after {:g}{:+g}i eV", where,
                                     z[i].real(), z[i].imag(), z[i - 1].real(), z[i - 1].imag()));
  if (!(std::abs(z[imaginary].real()) <= 1e-6))
    refuse_frequencies(
        fmt::format("contour deformation needs real frequencies from 0 on; those of {} begin at {:g} eV", where, z[imaginary].real()));
  double reach = 0;
  for (const Plan::Item& item : plan.items) {
    const auto& external = plan.externals[static_cast<size_t>(item.external)];
    for (int n1 = 0; n1 < plan.settings.nbands; ++n1)
      for (int n = external.first; n < external.end; ++n)
        for (const double shift : plan.energy_shifts) {
          const double x = beside_level(plan.energy_eV(external.k, n, external.spin) + shift -
                                        plan.energy_eV(plan.k_full[item.inner].irreducible, n1, external.spin));
          if (has_residue(x, n1 < plan.occupied_of(item))) reach = std::max(reach, std::abs(x));
        }
  }
  if (!(reach <= z.back().real() + 1e-6))
    refuse_frequencies(fmt::format("contour deformation needs real frequencies up to {:.3f} eV for these bands; those of {} end at {:g} eV",
                                   reach, where, z.back().real()));
}

}  // namespace suite::gw
