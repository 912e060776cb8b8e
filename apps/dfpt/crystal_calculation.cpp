// SPDX-License-Identifier: BSD-3-Clause
// A run of a crystal, a slab or a chain: set-up, ground state and response.
#include <cmath>
#include <numbers>
#include <numeric>
#include <ostream>

#include <fmt/core.h>

#include "base/stop.hpp"
#include "base/units.hpp"
#include "base/xc/xc_fields.hpp"
#include "common/machine.hpp"
#include "calculation.hpp"
#include "crystal_states.hpp"
#include "memory.hpp"

namespace suite::all_electron {
namespace {

class CrystalCalculation {
public:
  CrystalCalculation(const Settings& settings, app::Context& context)
      : s_(settings),
        context_(context),
        started_(app::wall_s()),
        lattice_(lattice_of(settings.crystal)),
        setup_(prepare(settings.molecule, settings.choices, lattice_, settings.crystal.ewald_radius)),
        bloch_(setup_, lattice_, k_points_of(settings.crystal)),
        kernels_(context),
        grid_(setup_, batch_units(setup_, context), kernels_, limit(), needs_gradients(settings.choices.xc)),
        electrostatics_(setup_, grid_, context.world, kernels_),
        solver_(setup_, settings, bloch_, grid_, electrostatics_),
        spins_(n_spin_of(setup_)),
        columns_(columns_of(settings.choices.xc) * spins_) {}

  Calculated run() {
    describe();
    out_.setup_s = lap();
    ground_state();
    out_.scf_s = lap();
    if (!out_.stopped_by && s_.polarizability) {
      const auto before = kernels_.seconds();
      response();
      out_.response_s = lap();
      for (const auto& [kernel, seconds] : kernels_.seconds())
        out_.response_kernel_s[kernel] = seconds - (before.count(kernel) ? before.at(kernel) : 0.0);
    }
    out_.kernel_s = kernels_.seconds();
    for (auto& record : kernels_.records()) context_.kernels.push_back(std::move(record));
    return std::move(out_);
  }

private:
  // Throws before allocating anything if the run does not fit into the machine.
  MemoryLimit limit() const {
    const double bytes = limit_of_crystal(s_);
    require_memory(memory_of_crystal(setup_, s_, context_.world.size(), app::threads_in_use(), bytes));
    return {bytes, context_.deterministic};
  }
  double lap() {
    const double now = app::wall_s(), seconds = now - started_;
    started_ = now;
    return seconds;
  }

  void describe() {
    out_.electrons = setup_.electrons;
    out_.nuclei = setup_.atom_charge;
    out_.free_electrons_error = grid_.integral(solver_.free_density()) - std::accumulate(out_.nuclei.begin(), out_.nuclei.end(), 0.0);
    out_.norm_error = solver_.norm_error();
    CrystalOutcome& c = out_.crystal.emplace();
    c.dimensions = lattice_.dimensions();
    c.volume = lattice_.volume();
    c.k_points = bloch_.k_points().size();
    c.home_functions = static_cast<size_t>(bloch_.n_basis());
    Sizes& z = out_.sizes = sizes_of(setup_, grid_);
    z.functions = z.states = c.home_functions;
    out_.species = setup_.species;
    out_.far_field = electrostatics_.far_field();
    out_.linear_algebra = eigen().name();
    context_.out << fmt::format(
                        "{} atoms, {} electrons and {} basis functions in a cell, with images {} and {}; {} points in {} batches of "
                        "{:.0f}, {:.0f} functions in each; multipoles to l = {}; {} k points\n",
                        z.atoms, setup_.electrons, z.functions, setup_.atom_species.size(), setup_.basis.n_basis, z.points, z.batches,
                        z.points_per_batch, z.functions_per_batch, z.l_hartree, c.k_points)
                 << std::flush;
  }

  [[noreturn]] static void not_converged(const char* what, size_t iterations, double residual, double tolerance) {
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the {} did not converge in {} iterations: residual {:.2e}, tolerance {:.2e}", what,
                                                      iterations, residual, tolerance));
  }
  bool stop() {
    out_.stopped_by = app::agreed_signal(context_.world, stop_);
    return out_.stopped_by != 0;
  }

  void ground_state() {
    DensityMixer mixer(s_.scf, grid_, solver_.start(), columns_, spins_);
    const double begin = app::wall_s();
    const bool converged = solver_.solve(mixer, state_, [&] {
      const ScfStep& now = state_.steps.back();
      if (state_.steps.size() == 1) context_.out << "\n ground state      energy (Ha)      residual   gap (eV)      s\n";
      context_.out << fmt::format(" {:12}  {:16.9f}  {:10.2e}  {:9.4f}  {:5.1f}\n", state_.steps.size(), now.energy, now.residual,
                                  (now.lowest_empty - now.highest_occupied) * app::hartree_eV, app::wall_s() - begin)
                   << std::flush;
      return stop();
    });
    if (!state_.steps.empty()) refuse_metal(bloch_, state_);
    if (!converged && !out_.stopped_by) not_converged("ground state", state_.steps.size(), state_.steps.back().residual, s_.scf.tolerance);
    GroundState& g = out_.ground;
    g.n_occ = static_cast<int>(state_.spins.front().n_occ);
    g.energies = state_.energies;
    g.electrons = state_.electrons;
    g.steps = state_.steps;
    out_.moments = moments_of_atoms(setup_, grid_, state_.density);
    for (size_t s = 0; s < spins_; ++s) {
      const CrystalSpin& spin = state_.spins[s];
      if (spins_ == 1) {
        g.states.eigenvalues = spin.eigenvalues.front();
        break;
      }
      SpinStates& of_first_k = g.spins.emplace_back();
      of_first_k.states.eigenvalues = spin.eigenvalues.front();
      of_first_k.occupations = Eigen::VectorXd::Zero(bloch_.n_basis());
      of_first_k.occupations.head(spin.n_occ).setOnes();
      out_.crystal->gaps[s] = spin.gap();
    }
    out_.crystal->highest_occupied = state_.steps.back().highest_occupied;
    out_.crystal->lowest_empty = state_.steps.back().lowest_empty;
  }

  void response() {
    Response& r = out_.response.emplace();
    DensityMixer mixer(s_.response, grid_, std::vector<double>(grid_.n_points() * s_.directions.size() * columns_, 0.0), columns_, spins_);
    const double begin = app::wall_s();
    const bool converged = solver_.respond(mixer, state_, r, [&] {
      if (r.steps.size() == 1) context_.out << "\n response      alpha_xx    alpha_yy    alpha_zz   residual      s\n";
      context_.out << fmt::format(" {:8}{}  {:9.2e}  {:5.1f}\n", r.steps.size(), diagonal_text(r.steps.back().polarizability),
                                  r.steps.back().largest(), app::wall_s() - begin)
                   << std::flush;
      return stop();
    });
    if (!converged && !out_.stopped_by) not_converged("response", r.steps.size(), r.steps.back().largest(), s_.response.tolerance);
  }

  const Settings& s_;
  app::Context& context_;
  double started_;
  app::StopRequest stop_;
  Lattice lattice_;
  Setup setup_;
  Bloch bloch_;
  Kernels kernels_;
  GridMatrices grid_;
  Electrostatics electrostatics_;
  CrystalSolver solver_;
  size_t spins_, columns_;  // columns of densities
  CrystalState state_;
  Calculated out_;
};

}  // namespace

Calculated calculate_crystal(const Settings& settings, app::Context& context) { return CrystalCalculation(settings, context).run(); }

Tensor dielectric_tensor(const Tensor& alpha, double volume) {
  Tensor epsilon = alpha;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) epsilon[i][j] = (i == j ? 1 : 0) + 4 * std::numbers::pi * alpha[i][j] / volume;
  return epsilon;
}

}  // namespace suite::all_electron
