// SPDX-License-Identifier: BSD-3-Clause
#include "born_oppenheimer.hpp"

#include <utility>

#include <fmt/core.h>

#include "guess.hpp"

namespace suite::tddft {

BornOppenheimer::BornOppenheimer(const Settings& settings, app::Context& context, std::unique_ptr<GroundStateSolver> solver)
    : settings_(settings), context_(context), solver_(std::move(solver)), system_(settings.system) {
  if (solver_) solver_->set_force_tolerance(settings.ions.force_tolerance);
}

// Sets what every rank has to know of a ground state of the root, and keeps its density.
void BornOppenheimer::set(IonState& ions, const GroundState& g) {
  ions.forces = g.forces;
  ions.energy = g.energies.total();
  if (solver_) {
    rho_ = g.rho;
    beyond_atoms_before_ = std::move(beyond_atoms_);
    beyond_atoms_ = g.rho;
    beyond_atoms_.insert(beyond_atoms_.end(), g.magnetisation.begin(), g.magnetisation.end());
    const std::vector<double> atoms = guess_density(system_);
    for (size_t i = 0; i < atoms.size(); ++i) beyond_atoms_[i] -= atoms[i];
    if (beyond_atoms_before_.empty()) beyond_atoms_before_ = beyond_atoms_;
  }
  context_.world.share(ions.forces);
  context_.world.share(ions.energy);
}

void BornOppenheimer::start(IonState& ions, const GroundState& g) { set(ions, g); }

void BornOppenheimer::advance(IonState& ions, const Positions&, const Positions& end) {
  ions.positions = end;
  system_ = moved(system_, end);
  GroundState g;
  if (solver_) {
    std::vector<double> rho = guess_density(system_);
    rho.resize(beyond_atoms_.size(), 0.0);
    for (size_t i = 0; i < rho.size(); ++i) rho[i] += 2 * beyond_atoms_[i] - beyond_atoms_before_[i];
    solver_->move(end, std::move(rho));
    g = solver_->solve();
    iterations_ += g.iterations;
    if (!g.converged)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("the ground state of step {} did not converge in {} iterations: its forces still change by {:.2g} Ha/bohr "
                                "(tolerance {:.2g}); a shorter ions.time_step may help",
                                ions.step + 1, g.iterations, g.force_change, settings_.ions.force_tolerance));
  }
  set(ions, g);
}

void BornOppenheimer::save(hdf5::Writer* file, const std::string& group) {
  if (!file) return;
  file->write(group + "/functions", solver_->functions());
  file->write(group + "/rho", rho_);
  file->write(group + "/beyond_atoms", beyond_atoms_);
  file->write(group + "/beyond_atoms_before", beyond_atoms_before_);
  file->write(group + "/iterations", &iterations_, {1});
}

void BornOppenheimer::restore(const hdf5::File& file, const std::string& group) {
  if (!solver_) return;
  const auto points = static_cast<int64_t>(settings_.system.grid.size());
  solver_->restore(file.read<double>(group + "/functions", {hdf5::any}));
  rho_ = file.read<double>(group + "/rho", {points});
  beyond_atoms_ = file.read<double>(group + "/beyond_atoms", {points * settings_.system.spins()});
  beyond_atoms_before_ = file.read<double>(group + "/beyond_atoms_before", {points * settings_.system.spins()});
  iterations_ = file.read<int64_t>(group + "/iterations", {1})[0];
}

}  // namespace suite::tddft
