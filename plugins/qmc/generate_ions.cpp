// SPDX-License-Identifier: BSD-3-Clause
// Inputs of the kernels with ions.
#include <algorithm>
#include <cmath>

#include "jastrow.hpp"
#include "inputs.hpp"

namespace suite::qmc {

using generate::Random;

// Ions of a molecule: on a cubic grid of 2.2 bohr, each up to 0.3 bohr off.
void Inputs::ion(int64_t i, double* r) const {
  const Random random(seed_, 5);
  const int64_t at[] = {i % 3, i / 3 % 3, i / 9};
  for (int d = 0; d < 3; ++d) r[d] = 2.2 * static_cast<double>(at[d]) + 0.3 * (2 * random(3 * i + d) - 1);
}

// A basis like those of quantum chemistry: two contracted s shells of the same primitives and a contracted p, then single primitives. As
// Slater functions the primitives of a contraction have the powers 0, 1, 0, 1, .., the others the number of their shell.
// Electrons are up to 2.5 bohr from an ion in each direction, or, every third with at_ion, at it.
bool Inputs::fill_shells(std::string_view name, const suite_array& array, bool slater) const {
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
  else if (name.starts_with("shell_") || name == "power" || name == "exponent" || name == "coefficient") {
    int64_t shell = 0, primitive = 0;
    for (int64_t i = 0; i < s_.nion; ++i)
      for (int64_t l = 0; l <= s_.zeta_of(i); ++l)
        for (int64_t n = 0; n < Size::shells(s_.zeta_of(i), l); ++n, ++shell) {
          if (name == "shell_ion") integers(array)[shell] = static_cast<int32_t>(i + 1);
          if (name == "shell_l") integers(array)[shell] = static_cast<int32_t>(l);
          if (name == "shell_first") integers(array)[shell] = static_cast<int32_t>(primitive + 1);
          for (int64_t k = 0; k < Size::primitives(l, n); ++k, ++primitive) {
            const bool single = Size::primitives(l, n) == 1;
            const int64_t power = slater ? single ? n : k % 2 : 0;
            const double g = 0.12 * std::pow(single ? 2.6 : 3.6, static_cast<double>(single ? n : k)) * (1 + 0.1 * static_cast<double>(l));
            const double exponent = slater ? 2 * std::sqrt(g) : g;
            if (name == "power") integers(array)[primitive] = static_cast<int32_t>(power);
            if (name == "exponent") reals(array)[primitive] = exponent;
            if (name == "coefficient")
              reals(array)[primitive] =
                  std::pow(2 * g, 0.75 + 0.5 * static_cast<double>(l + power)) * (0.2 + random(primitive)) * (n == 1 && k % 2 ? -1 : 1);
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

// f of about 1 where both electrons are at the ion. Its cutoffs are a tenth apart, in open space beyond most pairs; every fifth ion has
// none. Electrons of at_ion: one on an ion, one exactly at its cutoff, which is outside, one on top of the electron before, one where a
// cell puts it, and so on; coordinates of ions and cutoffs are then whole eighths, so that distances along x have no rounding.
bool Inputs::fill_f(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 11);
  const int C = s_.truncation > 0 ? static_cast<int>(s_.truncation) : 3;
  const auto eighths = [&](double x) { return s_.at_ion ? std::round(8 * x) / 8 : x; };
  const auto cutoff = [&](int64_t set) {
    const double half = (s_.cutoff > 0 ? s_.cutoff : 0.98) / 2 * lattice_.inscribed_radius;
    return std::max(0.125, eighths((s_.open ? 8 : 1) * half * (1 - 0.1 * static_cast<double>(set % 4))));
  };
  const auto set_of_ion = [&](int64_t i) { return i % 5 == 4 ? 0 : 1 + i % s_.nset; };
  const auto ion_at = [&](int64_t i, double* r) {
    position(0, s_.netot() + i, r);
    for (int d = 0; d < 3; ++d) r[d] = eighths(r[d]);
  };
  if (name == "set_of_ion")
    for (int64_t i = 0; i < s_.nion; ++i) integers(array)[i] = static_cast<int32_t>(set_of_ion(i));
  else if (name == "L_f") fill_with(array, cutoff);
  else if (name == "rion")
    for (int64_t i = 0; i < s_.nion; ++i) ion_at(i, reals(array) + 3 * i);
  else if (name == "gamma")
    fill_with(array, [&](int64_t i) {
      const int64_t l = i % s_.nf_en, m = i / s_.nf_en % s_.nf_en, k = i / (s_.nf_en * s_.nf_en), n = k % s_.nf_ee;
      const double L = cutoff(k / (s_.nf_ee * s_.nset_f));
      const int64_t pair = std::min(l, m) + s_.nf_en * (std::max(l, m) + s_.nf_en * k);  // the same for (l,m) and (m,l)
      return (l + m + n == 0 ? 1 : 2 * random(pair) - 1) * std::pow(L, static_cast<double>(-2 * C - l - m - n));
    });
  else if (s_.at_ion && name == "rele")
    for (int64_t w = 0; w < array.extent[2]; ++w)
      for (int64_t i = 0; i < array.extent[1]; ++i) {
        double* const r = reals(array) + 3 * (i + array.extent[1] * w);
        position(w, i, r);
        const int64_t ion = i % s_.nion;
        if (i % 4 < 2) ion_at(ion, r);
        if (i % 4 == 1 && set_of_ion(ion) > 0) r[0] += cutoff(set_of_ion(ion) - 1);
        if (i % 4 == 2) std::copy_n(r - 3, 3, r);
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

}  // namespace suite::qmc
