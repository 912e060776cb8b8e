// SPDX-License-Identifier: BSD-3-Clause
// What a radius lies behind a knot, from 0 to 1, by a polynomial for each knot instead of by a logarithm or
// an exponential function and a root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid.hpp"

namespace suite::dfpt {

class KnotFractions {
public:
  KnotFractions() = default;
  explicit KnotFractions(const RadialGrid& grid);

  // sum_i coefficients[i] t^(count-1-i), t = scale r + shift. As exact as the grid's own functions; count is
  // 0 where no polynomial of a few terms is: behind the first knots, where r is a square.
  struct Polynomial {
    double scale, shift;
    const double* coefficients;
    int count;
  };
  Polynomial behind(int32_t knot) const {
    const Place& place = places_[static_cast<std::size_t>(knot)];
    return {place.scale, place.shift, numbers_.data() + place.begin, place.count};
  }

private:
  struct Place {
    double scale, shift;
    int begin, count;
  };
  std::vector<Place> places_;
  std::vector<double> numbers_;
};

}  // namespace suite::dfpt
