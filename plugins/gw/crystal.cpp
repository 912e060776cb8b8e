// SPDX-License-Identifier: BSD-3-Clause
#include "crystal.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "metric.hpp"

namespace suite::gw {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", x);
  return text;
}

}  // namespace

std::vector<Miller> sphere(const Metric& bdot, const std::array<double, 3>& k, double cutoff) {
  struct Found {
    double length2;
    Miller g;
  };
  std::vector<Found> found;
  // |k_i + G_i| <= sqrt(cutoff (bdot^-1)_ii)
  int low[3], high[3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    const double minor = bdot[j + 3 * j] * bdot[l + 3 * l] - bdot[j + 3 * l] * bdot[l + 3 * j];
    const double reach = std::sqrt(cutoff * minor / determinant(bdot.data()));
    low[i] = static_cast<int>(std::floor(-k[i] - reach));
    high[i] = static_cast<int>(std::ceil(-k[i] + reach));
  }
  for (int x = low[0]; x <= high[0]; ++x)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int z = low[2]; z <= high[2]; ++z) {
        const double v[3] = {k[0] + x, k[1] + y, k[2] + z};
        const double length2 = product(bdot, v, v);
        if (length2 < cutoff) found.push_back({length2, {x, y, z}});
      }
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return std::abs(a.length2 - b.length2) > 1e-9 ? a.length2 < b.length2 : a.g < b.g; });
  std::vector<Miller> list;
  for (const Found& f : found) list.push_back(f.g);
  return list;
}

double cell_volume(const double* bdot) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (!is_symmetric(bdot, i, j))
        throw Failure(SUITE_INVALID_ARGUMENT, concat("bdot(", i + 1, ",", j + 1, ") is ", number(bdot[i + 3 * j]), " but bdot(", j + 1, ",",
                                                     i + 1, ") is ", number(bdot[j + 3 * i])));
  if (!is_positive_definite(bdot))
    throw Failure(SUITE_INVALID_ARGUMENT, "bdot is not positive definite: its determinant is " + number(determinant(bdot)));
  return volume_of(bdot);
}

DensityBox make_density_box(const PolesOfScreening& c) {
  DensityBox box;
  const int64_t ng = c.ng();
  for (int64_t i = 0; i < ng; ++i)
    for (int d = 0; d < 3; ++d) {
      const int32_t x = c.g_rho(d, i);
      if (x < -largest_component || x > largest_component)
        throw Failure(SUITE_INVALID_ARGUMENT, concat("g_rho(", d + 1, ",", i + 1, ") is ", x, "; components of G vectors go from ",
                                                     -largest_component, " to ", largest_component));
      box.reach[d] = std::max(box.reach[d], std::abs(x));
    }
  const int parts = c.rho.is<PolesOfScreening::real>() ? 1 : 2;
  int64_t count = parts;
  for (const int32_t r : box.reach) count *= 2 * int64_t{r} + 1;
  box.value.resize(static_cast<size_t>(count));
  const auto* const rho = static_cast<const double*>(c.rho.array().data);
  for (int64_t i = 0; i < ng; ++i)
    for (int p = 0; p < parts; ++p)
      box.value[static_cast<size_t>(box.at(c.g_rho(0, i), c.g_rho(1, i), c.g_rho(2, i)) * parts + p)] = rho[i * parts + p];
  box.electrons = box.value[static_cast<size_t>(box.at(0, 0, 0) * parts)];
  return box;
}

void check_columns(const PolesOfScreening& c) {
  for (int64_t igp = 0; c.indigp && igp < c.ngpown(); ++igp)
    if (c.indigp(igp) < 0 || c.indigp(igp) > c.ncouls())
      throw Failure(SUITE_INVALID_ARGUMENT,
                    concat("indigp(", igp + 1, ") is ", c.indigp(igp), "; it must lie from 0 to ncouls = ", c.ncouls()));
  if (!c.indigp && c.ngpown() > c.ncouls())
    throw Failure(SUITE_INVALID_ARGUMENT,
                  concat("ngpown is ", c.ngpown(), " but ncouls is ", c.ncouls(), "; without indigp every column is a G vector"));
}

Scalars scalars_without_lattice(const PolesOfScreening& c, Model model, double electrons) {
  Scalars s{};
  s.model = model;
  s.mode = c.invalid_gpp_mode == -1 ? 3 : c.invalid_gpp_mode;
  if (s.mode < 0 || s.mode > 3)
    throw Failure(SUITE_INVALID_ARGUMENT, concat("invalid_gpp_mode is ", c.invalid_gpp_mode, "; it must be one of -1 (as 3), 0, 1, 2, 3"));
  if (c.nq < 1) throw Failure(SUITE_INVALID_ARGUMENT, concat("nq is ", c.nq, "; there is at least one q point"));
  if (model == Model::hybertsen_louie && !(electrons > 0))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "rho is " + number(electrons) + " electrons at G = 0; the plasmon-pole model needs a positive density");
  s.factor = 2 * rydberg_eV * rydberg_eV * c.nq;
  s.plasma2_volume = 16 * std::numbers::pi * rydberg_eV * rydberg_eV * electrons;
  if (model == Model::godby_needs) {
    if (!c.epsinv_imaginary) throw Failure(SUITE_INVALID_ARGUMENT, "model godby_needs needs epsinv_imaginary, which is not set");
    if (!(c.w_imaginary > 0))
      throw Failure(SUITE_INVALID_ARGUMENT,
                    "w_imaginary is " + number(c.w_imaginary) + " eV; model godby_needs needs a positive frequency");
  }
  s.w_imaginary2 = c.w_imaginary * c.w_imaginary;
  return s;
}

Scalars scalars_of(const PolesOfScreening& c, Model model, double electrons) {
  check_columns(c);
  Scalars s = scalars_without_lattice(c, model, electrons);
  for (int i = 0; i < 3; ++i) s.q[i] = c.q(i);
  for (int i = 0; i < 9; ++i) s.bdot[i] = c.bdot.data()[i];
  s.plasma2 = s.plasma2_volume / cell_volume(s.bdot);
  return s;
}

}  // namespace suite::gw
