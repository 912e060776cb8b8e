// SPDX-License-Identifier: BSD-3-Clause
#include "stability.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "grid_xc.hpp"
#include "pseudopotential.hpp"

namespace suite::tddft {
namespace {

constexpr double good_angle = 0.15;

double finest(const Grid& grid) {
  double h = INFINITY;
  for (int d = 0; d < 3; ++d)
    if (grid.points[d] > 1) h = std::min(h, grid.h[d]);
  return h;
}

const Grid& grid_of(const Settings& s) { return s.benchmark ? s.benchmark->grid : s.system.grid; }

bool field_has_dynamics(const std::string& field) { return field == "loop" || field == "fused" || field == "closed"; }

bool has_gradients(const Settings& s) {
  const auto xc = xc_named(s.ground_state.functional);
  return xc && needs_gradients(*xc);
}

double attoseconds(double t) { return t * atomic_time_fs * 1000; }

}  // namespace

double splitting_angle(const Grid& grid, double dt) { return dt / (2 * finest(grid) * finest(grid)); }
double suggested_time_step(const Grid& grid) { return 2 * good_angle * finest(grid) * finest(grid); }
double largest_time_step(const Grid& grid) { return std::numbers::pi * finest(grid) * finest(grid); }

double resonant_time_step(const Settings& s) {
  using std::numbers::pi;
  const Grid& grid = grid_of(s);
  double highest = 0;
  for (int d = 0; d < 3; ++d)
    if (grid.points[d] > 1) highest += pi * pi / (2 * grid.h[d] * grid.h[d]);
  return (has_gradients(s) ? pi / 2 : 2 * pi) / highest;
}

double default_time_step(const Settings& s) {
  constexpr double most_with_gradients = 0.002 / atomic_time_fs;
  constexpr double margin = 0.9;  // k and the vector potential add to the highest wave
  double step = suggested_time_step(grid_of(s));
  if (s.system.kinetic == Kinetic::fourier) step = std::min(step, margin * resonant_time_step(s));
  return has_gradients(s) ? std::min(step, most_with_gradients) : step;
}

double largest_kappa(const Grid& grid, double gamma) {
  double largest_eigenvalue = 0;
  for (int d = 0; d < 3; ++d)
    if (grid.points[d] > 1) largest_eigenvalue += 4 / (grid.h[d] * grid.h[d]);
  return (4 - 2 * gamma) / largest_eigenvalue;
}

void refuse_unstable(const Settings& s, const app::Input& input) {
  const Grid& grid = grid_of(s);
  const PropagationSettings& p = s.propagation;
  if (s.system.kinetic == Kinetic::differences && !(p.dt < largest_time_step(grid)))
    input.fail("propagation.time_step",
               fmt::format("'time_step' is {:.4g} as, where a grid of {:.4g} bohr allows less than {:.4g} "
                           "as; {:.4g} as is accurate",
                           attoseconds(p.dt), finest(grid), attoseconds(largest_time_step(grid)), attoseconds(suggested_time_step(grid))));
  if (!field_has_dynamics(p.field)) return;
  if (!(p.gamma >= 0 && p.gamma < 2)) return;  // reported by the range of the key
  const double limit = largest_kappa(grid, p.gamma);
  if (p.kappa > 0 && !(p.kappa < limit))
    input.fail("propagation.kappa", fmt::format("'kappa' is {:.6g} bohr^2, where this grid with gamma = "
                                                "{:.4g} is stable below {:.6g}; use {:.6g}",
                                                p.kappa, p.gamma, limit, 0.9 * limit));
}

std::string stability_advice(const Settings& s) {
  const Grid& grid = grid_of(s);
  const PropagationSettings& p = s.propagation;
  const double theta = splitting_angle(grid, p.dt);
  const bool waves = s.system.kinetic == Kinetic::fourier;
  std::string text = fmt::format("step     {:.4g} as ({:.4g} hbar/Ha), theta = dt/(2h^2) = {:.3g}", attoseconds(p.dt), p.dt, theta);
  if (waves && p.dt > resonant_time_step(s))
    text += fmt::format(": long; from {:.4g} as on the highest waves of this grid take up energy from the steps; {:.4g} as is accurate",
                        attoseconds(resonant_time_step(s)), attoseconds(default_time_step(s)));
  else if (waves) text += ", kinetic energy exact";
  else if (theta > good_angle * (1 + 1e-9))
    text += fmt::format(": coarse; theta <= {:.2g} with a time step of {:.4g} as", good_angle, attoseconds(suggested_time_step(grid)));
  else text += p.mass_correction ? ", mass corrected" : fmt::format(": kinetic energies {:.2g} % too high", 100 * theta * theta / 3);
  text += fmt::format("; {} steps, {:.4g} fs", p.steps, static_cast<double>(p.steps) * p.dt * atomic_time_fs);
  if (p.settling_steps > 0) text += fmt::format(", after {} settling steps", p.settling_steps);
  text += "\n";
  const double resolved = s.benchmark ? 0 : recommended_spacing(s.system);
  const double coarsest = std::max({grid.h[0], grid.h[1], grid.h[2]});
  if (resolved > 0 && coarsest > resolved * (1 + 1e-9))
    text +=
        fmt::format("grid     coarse: these potentials need a spacing of at most {:.3g} bohr; this one is {:.3g}\n", resolved, coarsest);
  if (field_has_dynamics(p.field)) {
    const double limit = largest_kappa(grid, p.gamma), kappa = p.kappa > 0 ? p.kappa : 0.9 * limit;
    text += fmt::format(
        "field    {} steps of the wave equation per step, kappa {:.4g} bohr^2 (stable below {:.4g}), gamma "
        "{:.3g}\n",
        p.field_steps, kappa, limit, p.gamma);
  }
  return text;
}

}  // namespace suite::tddft
