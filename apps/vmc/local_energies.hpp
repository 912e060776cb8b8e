// SPDX-License-Identifier: BSD-3-Clause
// Local energies of configurations as functions of the Jastrow parameters. J is linear in them, so E_L is a quadratic polynomial (Drummond,
// Needs, Phys. Rev. B 72, 085124 (2005)), stored here for every configuration: minimising it requires no further wave function evaluations.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace suite::vmc {

// E_L(d) = energy + slope.d + d.curvature.d and d ln psi/dd = score, with d the change of the parameters from those at which the
// configurations were generated.
class LocalEnergies {
public:
  explicit LocalEnergies(Eigen::Index parameters) : parameters_(parameters) {}

  Eigen::Index parameters() const { return parameters_; }
  size_t count() const { return energy_.size(); }
  void add(double energy, const Eigen::VectorXd& slope, const Eigen::MatrixXd& curvature, const Eigen::VectorXd& score);

  double energy(size_t i) const { return energy_[i]; }
  double energy(size_t i, const Eigen::VectorXd& d) const;
  // dE_L/dd at d.
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

// Sums rows of numbers over all configurations: calls term(i, row), which adds to the row, for each configuration of this process, and
// returns the sum over all processes.
using SumOver = std::function<std::vector<double>(size_t row, const std::function<void(size_t i, std::span<double> row)>& term)>;
// For one process.
SumOver plain_sum(const LocalEnergies& energies);

// Predicted effect of a step on the configurations it was computed from.
struct Step {
  Eigen::VectorXd change;
  double before = 0, after = 0;  // of the target
  int iterations = 0;
};

// Minimises the variance of E_L at fixed configurations by the Levenberg-Marquardt method on E_L - mean (Umrigar, Wilson, Wilkins, Phys.
// Rev. Lett. 60, 1719 (1988)).
Step minimise_variance(const LocalEnergies& energies, const SumOver& sum);
// Minimises the mean of |E_L - mean|, which is less sensitive to outliers near nodes (Bressanini, Morosi, Mella, J. Chem. Phys. 116, 5345
// (2002)): the same method with weights 1/|E_L - mean|.
Step minimise_mad(const LocalEnergies& energies, const SumOver& sum);
// Minimises the energy by the linear method (Umrigar, Toulouse, Filippi, Sorella, Hennig, Phys. Rev. Lett. 98, 110201 (2007)); the energies
// of the reweighted configurations determine the step length.
Step minimise_energy(const LocalEnergies& energies, const SumOver& sum);

}  // namespace suite::vmc
