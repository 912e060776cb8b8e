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

  void add(Step step) {
    steps_.push_back(std::move(step));
    if (steps_.size() > history_) steps_.pop_front();
  }

  // Returns sum_i c_i step_i with minimal residual norm.
  Step best(const Product& product) const;

private:
  std::vector<double> coefficients(const Product& product) const;

  size_t history_;
  std::deque<Step> steps_;
};

}  // namespace suite::app
