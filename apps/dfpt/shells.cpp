// SPDX-License-Identifier: BSD-3-Clause
#include "shells.hpp"

#include <cmath>

namespace suite::all_electron {

double Shells::number(double radius) const { return static_cast<double>(r.size() + 1) * std::sqrt(-std::expm1(-radius / scale)); }

Shells make_shells(int base_shells, double outermost, int multiplier) {
  Shells shells;
  const double last = static_cast<double>(base_shells) / (base_shells + 1);
  shells.scale = -outermost / std::log1p(-last * last);
  const int count = multiplier * (base_shells + 1);
  for (int k = 1; k < count; ++k) {
    const double t = static_cast<double>(k) / count;  // i/(N+1)
    const double r = -shells.scale * std::log1p(-t * t);
    shells.r.push_back(r);
    shells.weights.push_back(r * r * shells.scale * 2 * t / (1 - t * t) / count);
  }
  return shells;
}

void set_angular(Shells& shells, const std::vector<AngularRegion>& regions, int outer_points) {
  shells.points.assign(shells.r.size(), outer_points);
  for (size_t s = 0; s < shells.r.size(); ++s)
    for (const AngularRegion& region : regions)
      if (shells.r[s] < region.radius) {
        shells.points[s] = region.points;
        break;
      }
}

}  // namespace suite::all_electron
