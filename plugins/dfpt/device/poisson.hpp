// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson on a device: what its host side, poisson.cpp, asks of gpu/poisson.cu or opencl/poisson.cpp,
// whose device code reads the same tables in different layouts.
#pragma once

#include <memory>
#include <vector>

#include <suite/device.hpp>

#include "../call.hpp"

namespace suite::dfpt {

// What depends on the species alone, species after species.
struct PoissonTables {
  // Where a point of the logarithmic grid lies among the shells; knot -1: behind the last.
  struct Place {
    int32_t knot;
    double fraction;
  };
  // How a table's knot comes about: by six points of the grid from `first` on, or by the first point or the
  // moment times a power.
  enum class Source : int32_t { six_points, first_point, moment };
  struct KnotRule {
    Source source;
    int32_t first;
    double weight[6];
  };
  enum Power : int { inner, outer, inner_potential, outer_potential, power_kinds };  // r^(l+3), r^(2-l), r^-(l+1), r^l

  std::vector<int32_t> n_shells;
  std::vector<double> at_nucleus;  // three: the parabola through the first shells, at r = 0
  std::vector<double> step;        // in ln r
  std::vector<Place> place;        // (n_grid)
  std::vector<double> power;       // (columns,power_kinds,n_grid)
  std::vector<KnotRule> rule;      // (n_knots)
  std::vector<double> knot_power;  // (columns,n_knots)
  std::vector<double> pivot;       // of the longest spline, for all species
};

// A table of powers has a column for each l, or for each component with some of value 0 to whole vectors.
struct PowerColumns {
  std::vector<int> l;
  int64_t used;         // the others are 0
  bool with_prefactor;  // the potentials' powers times 4 pi/(2l+1)
};

class PoissonSolver {
public:
  virtual ~PoissonSolver() = default;
  virtual PowerColumns columns(const PoissonCall& call) const = 0;
  virtual void set(const PoissonTables& tables) = 0;
  virtual void run(const Poisson& c, const PoissonCall& call) = 0;
};
std::unique_ptr<PoissonSolver> poisson_solver(device::Queue& queue);

// Knots of the longest spline.
inline int64_t longest_spline(const PoissonCall& call) { return std::max(call.n_radial + 2, call.n_knots); }

}  // namespace suite::dfpt
