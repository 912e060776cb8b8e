// SPDX-License-Identifier: BSD-3-Clause
// Pulay mixing (Chem. Phys. Lett. 73, 393 (1980)): the combination of previous trials with the smallest residual.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace suite::app {

class Pulay {
public:
  struct Step {
    std::vector<double> in, residual;  // trial vector; output minus input
  };
  // Inner product of two residuals.
  using Product = std::function<double(const std::vector<double>&, const std::vector<double>&)>;

  explicit Pulay(int history) : history_(static_cast<size_t>(std::max(history, 1))) {}

  const std::deque<Step>& steps() const { return steps_; }

  void add(Step step);

  // Returns sum_i c_i step_i with minimal residual norm. The product is always the same.
  Step best(const Product& product);

private:
  // Of a step's residual and its predecessor's, with the products with the changes before it and with itself.
  struct Change {
    std::vector<double> residual;
    std::deque<double> products;
  };
  std::vector<double> coefficients(const Product& product);

  size_t history_;
  std::deque<Step> steps_;
  std::deque<Change> changes_;  // one less than steps
};

}  // namespace suite::app
