// SPDX-License-Identifier: BSD-3-Clause
// Local energies of configurations as functions of the parameters of the Jastrow factor. J is linear in them,
// so that E_L is a quadratic polynomial (Drummond, Needs, Phys. Rev. B 72, 085124 (2005)), kept here for
// every configuration: its minimisation needs no wave function any more.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace suite::vmc {

// E_L(d) = energy + slope.d + d.curvature.d and d ln psi/dd = score, d the change of the parameters from
// those at which the configurations were made.
class LocalEnergies {
public:
  explicit LocalEnergies(Eigen::Index parameters) : parameters_(parameters) {}

  Eigen::Index parameters() const { return parameters_; }
  size_t count() const { return energy_.size(); }
  void add(double energy, const Eigen::VectorXd& slope, const Eigen::MatrixXd& curvature, const Eigen::VectorXd& score);

  double energy(size_t i) const { return energy_[i]; }
  double energy(size_t i, const Eigen::VectorXd& d) const;
  // dE_L/dd there.
  Eigen::VectorXd derivative(size_t i, const Eigen::VectorXd& d) const;
  Eigen::Map<const Eigen::VectorXd> slope(size_t i) const { return vector(i, 0); }
  Eigen::Map<const Eigen::VectorXd> score(size_t i) const { return vector(i, parameters_); }

private:
  Eigen::Index row() const { return 2 * parameters_ + parameters_ * parameters_; }
  const double* begin(size_t i) const { return numbers_.data() + static_cast<Eigen::Index>(i) * row(); }
  Eigen::Map<const Eigen::VectorXd> vector(size_t i, Eigen::Index at) const { return {begin(i) + at, parameters_}; }
  Eigen::Map<const Eigen::MatrixXd> curvature(size_t i) const { return {begin(i) + 2 * parameters_, parameters_, parameters_}; }

  Eigen::Index parameters_;
  std::vector<double> energy_, numbers_;  // slope, score, curvature of each
};

// Sums rows of numbers over all configurations: calls for each of this process its term(i, row), which adds
// to the row, and returns what all processes' rows come to.
using SumOver = std::function<std::vector<double>(size_t row, const std::function<void(size_t i, std::span<double> row)>& term)>;
// Of one process.
SumOver plain_sum(const LocalEnergies& energies);

// What a step is expected to do, on the configurations it was made from.
struct Step {
  Eigen::VectorXd change;
  double before = 0, after = 0;  // of what was minimised
  int iterations = 0;
};

// Variance of E_L at unchanged configurations, by Levenberg's and Marquardt's method on E_L - mean
// (Umrigar, Wilson, Wilkins, Phys. Rev. Lett. 60, 1719 (1988)).
Step minimise_variance(const LocalEnergies& energies, const SumOver& sum);
// Mean of |E_L - mean|, which outliers near nodes disturb less (Bressanini, Morosi, Mella, J. Chem. Phys.
// 116, 5345 (2002)): the same method with weights 1/|E_L - mean|.
Step minimise_mad(const LocalEnergies& energies, const SumOver& sum);
// The energy, by the linear method (Umrigar, Toulouse, Filippi, Sorella, Hennig, Phys. Rev. Lett. 98, 110201
// (2007)); how far the step goes is decided by the energies of the reweighted configurations.
Step minimise_energy(const LocalEnergies& energies, const SumOver& sum);

}  // namespace suite::vmc
