// SPDX-License-Identifier: BSD-3-Clause
#include "calculation.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <ostream>

#include <fmt/core.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/stop.hpp"
#include "base/units.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "common/progress.hpp"
#include "checkpoint.hpp"
#include "density_on_grid.hpp"
#include "memory.hpp"

namespace suite::all_electron {

Sizes sizes_of(const Setup& setup, const GridMatrices& grid_matrices) {
  const Grid& grid = setup.grid;
  Sizes z;
  z.atoms = setup.n_home();
  z.functions = z.states = static_cast<size_t>(setup.basis.n_basis);
  z.points = grid.n_points(), z.raw_points = grid.raw_points, z.batches = grid.n_batches();
  z.l_hartree = setup.l_hartree;
  z.points_per_batch = static_cast<double>(z.points) / static_cast<double>(z.batches);
  z.functions_per_batch = static_cast<double>(grid.i_basis.size()) / static_cast<double>(z.batches);
  z.parts = grid_matrices.parts();
  return z;
}

std::string diagonal_text(const Tensor& polarizability) {
  std::string text;
  for (size_t d = 0; d < 3; ++d) {
    const double alpha = polarizability[d][d];
    text += std::isfinite(alpha) ? fmt::format("  {:10.5f}", alpha) : fmt::format("  {:>10}", "-");
  }
  return text;
}

namespace {

// Memory for the functions at the points. Throws before allocating anything if the rest does not fit into the machine. In a deterministic
// run the parts do not depend on the machine.
MemoryLimit memory_limit_of(const Setup& setup, const Settings& settings, const app::Context& context) {
  const Memory memory = memory_of(counts_of(setup, context.world.size()), settings);
  require_memory(memory);
  if (settings.memory_B > 0) return {settings.memory_B};
  return {memory_for_functions(memory), context.deterministic};
}

class Calculation {
public:
  Calculation(const Settings& settings, app::Context& context)
      : s_(settings),
        context_(context),
        world_(context.world),
        started_(app::wall_s()),
        setup_(prepare(settings.molecule, settings.choices)),
        kernels_(context),
        grid_(setup_, batch_units(setup_, context), kernels_, memory_limit_of(setup_, settings, context),
              needs_gradients(settings.choices.xc)),
        electrostatics_(setup_, grid_, world_, kernels_),
        solver_(setup_, settings, world_, grid_, electrostatics_),
        points_(world_, grid_.share(), setup_.grid.n_points()) {}

  Calculated run() {
    describe();
    out_.setup_s = lap();
    if (!s_.restart.empty()) restart();
    ground_state();
    out_.moments = moments_of_atoms(setup_, grid_, out_.ground.density);
    if (s_.density_file && !out_.stopped_by)
      out_.density = density_on_grid(s_, setup_, out_.ground.weighted_orbitals(), kernels_, context_);
    out_.scf_s = lap();
    if (!out_.stopped_by && s_.polarizability) {
      const auto before = kernels_.seconds();
      response();
      out_.response_s = lap();
      for (const auto& [kernel, seconds] : kernels_.seconds())
        out_.response_kernel_s[kernel] = seconds - (before.count(kernel) ? before.at(kernel) : 0.0);
    }
    if (!out_.stopped_by && s_.finite_field > 0) finite_field();
    out_.finite_field_s = lap();
    out_.kernel_s = kernels_.seconds();
    for (auto& record : kernels_.records()) context_.kernels.push_back(std::move(record));
    return std::move(out_);
  }

private:
  double lap() {
    const double now = app::wall_s(), seconds = now - started_;
    started_ = now;
    return seconds;
  }

  size_t columns() const { return columns_of(s_.choices.xc) * spins(); }  // of densities
  size_t spins() const { return solver_.n_spin(); }

  void describe() {
    out_.electrons = setup_.electrons;
    out_.nuclei.assign(setup_.atom_charge.begin(), setup_.atom_charge.end());
    out_.free_electrons_error = solver_.free_electrons_error();
    out_.norm_error = solver_.norm_error();
    Sizes& z = out_.sizes = sizes_of(setup_, grid_);
    z.states = static_cast<size_t>(solver_.eigenproblem().n_states());
    out_.species = setup_.species;
    out_.orbital_density = solver_.orbital_form();
    out_.far_field = electrostatics_.far_field();
    out_.linear_algebra = solver_.eigenproblem().library();
    context_.out << fmt::format(
                        "{} atoms, {} electrons, {} basis functions{}; {} points in {} batches of {:.0f}, "
                        "{:.0f} functions in each; multipoles to l = {}{}; eigenvalues by {}\n",
                        z.atoms, setup_.electrons, z.functions, z.states < z.functions ? fmt::format(" ({} independent)", z.states) : "",
                        z.points, z.batches, z.points_per_batch, z.functions_per_batch, z.l_hartree,
                        out_.far_field == "tree" ? ", far away by expansions" : "", out_.linear_algebra)
                 << std::flush;
  }

  void restart() {
    from_ = read_checkpoint(s_.restart, s_, points_);
    out_.restarted_scf = static_cast<int>(from_->ground.steps.size());
    out_.restarted_response = static_cast<int>(from_->response.steps.size());
    out_.ground = from_->ground;
    out_.ground.n_occ = solver_.n_occ();
    for (size_t s = 0; s < out_.ground.spins.size(); ++s)
      out_.ground.spins[s].occupations =
          occupations_of(out_.ground.spins[s].states.eigenvalues, s == 0 ? solver_.n_occ() : solver_.n_occ() - setup_.unpaired);
    const Eigen::Index rows = out_.ground.spins.empty() ? out_.ground.states.C.rows() : out_.ground.spins[0].states.C.rows();
    if (rows != setup_.basis.n_basis)
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} has {} basis functions, but this input has {}", s_.restart.string(),
                                                        static_cast<int>(rows), setup_.basis.n_basis));
  }

  // Called after an iteration; returns whether to stop.
  bool after_iteration(const Response* response, const DensityMixer& mixer) {
    ++since_checkpoint_;
    out_.stopped_by = app::agreed_signal(world_, stop_);
    if (s_.checkpoint_interval > 0 && since_checkpoint_ >= s_.checkpoint_interval) save(response, &mixer);
    return out_.stopped_by != 0;
  }

  void save(const Response* response, const DensityMixer* mixer) {
    since_checkpoint_ = 0;
    save_checkpoint(context_.folder / "checkpoint.h5", s_, points_, out_.ground, response, mixer, world_);
  }

  [[noreturn]] void not_converged(const char* what, int iterations, double residual, double tolerance) {
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("the {} did not converge in {} iterations: residual {:.2e}, tolerance {:.2e}; to "
                              "continue with more iterations: --set restart.file={}",
                              what, iterations, residual, tolerance, app::shell_word((context_.folder / "checkpoint.h5").string())));
  }

  void ground_state() {
    DensityMixer mixer = from_ && !from_->ground_done ? mixer_of(from_->mixer, s_.scf, grid_, columns(), spins())
                                                      : DensityMixer(s_.scf, grid_, solver_.start(), columns(), spins());
    const double begin = app::wall_s();
    const size_t before = out_.ground.steps.size();
    const auto observe = [&] {
      const auto& steps = out_.ground.steps;
      const ScfStep& now = steps.back();
      if (steps.size() == before + 1) context_.out << "\n ground state      energy (Ha)      residual   gap (eV)      s   s left\n";
      const double seconds = app::wall_s() - begin;
      context_.out << fmt::format(" {:12}  {:16.9f}  {:10.2e}  {:9.4f}  {:5.1f}  {:7.0f}\n", steps.size(), now.energy, now.residual,
                                  (now.lowest_empty - now.highest_occupied) * app::hartree_eV, seconds,
                                  app::seconds_left(steps[before].residual, now.residual, s_.scf.tolerance, seconds))
                   << std::flush;
      return after_iteration(nullptr, mixer);
    };
    const bool converged = solver_.solve(mixer, {}, out_.ground, observe);
    if (converged) refuse_small_gap(out_.ground);
    if (!from_ || from_->response.steps.empty()) save(nullptr, converged ? nullptr : &mixer);
    if (!converged && !out_.stopped_by) refuse_swapping_states(out_.ground);
    if (!converged && !out_.stopped_by)
      not_converged("ground state", static_cast<int>(out_.ground.steps.size()), out_.ground.steps.back().residual, s_.scf.tolerance);
    if (converged) out_.stopped_by = s_.polarizability ? out_.stopped_by : 0;
  }

  void response() {
    ResponseSolver solver(setup_, s_, grid_, electrostatics_, kernels_, solver_, out_.ground);
    out_.orbital_response = solver.orbital_form();
    const bool restarted = from_ && !from_->response.steps.empty();
    Response& r = out_.response.emplace(restarted ? from_->response : Response{});
    DensityMixer mixer =
        restarted
            ? mixer_of(from_->mixer, s_.response, grid_, columns(), spins())
            : DensityMixer(s_.response, grid_, std::vector<double>(grid_.n_points() * solver.n_dir() * columns(), 0.0), columns(), spins());
    const double begin = app::wall_s();
    const size_t before = r.steps.size();
    const auto observe = [&] {
      const ResponseStep& now = r.steps.back();
      if (r.steps.size() == before + 1) context_.out << "\n response      alpha_xx    alpha_yy    alpha_zz   residual      s   s left\n";
      const double seconds = app::wall_s() - begin;
      context_.out << fmt::format(" {:8}{}  {:9.2e}  {:5.1f}  {:7.0f}\n", r.steps.size(), diagonal_text(now.polarizability), now.largest(),
                                  seconds, app::seconds_left(r.steps[before].largest(), now.largest(), s_.response.tolerance, seconds))
                   << std::flush;
      return after_iteration(&r, mixer);
    };
    const bool converged = solver.solve(mixer, r, observe);
    save(&r, &mixer);
    if (converged) out_.stopped_by = 0;
    else if (!out_.stopped_by) not_converged("response", static_cast<int>(r.steps.size()), r.steps.back().largest(), s_.response.tolerance);
  }

  // Dipole of the ground state in a field along one axis.
  std::array<double, 3> dipole_in(double field, int axis, FiniteField& f) {
    std::vector<double> external = coordinate(grid_.grid(), axis);
    for (double& v : external) v *= field;
    DensityMixer mixer(s_.scf, grid_, out_.ground.density, columns(), spins());
    GroundState state;
    const bool converged = solver_.solve(mixer, external, state, [&] {
      out_.stopped_by = app::agreed_signal(world_, stop_);
      return out_.stopped_by != 0;
    });
    f.iterations += static_cast<int>(state.steps.size());
    if (!converged && !out_.stopped_by)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("the ground state in a field of {:g} Ha/bohr along {} did not converge", field, "xyz"[axis]));
    return state.dipole;
  }

  void finite_field() {
    FiniteField f;
    f.strength = s_.finite_field;
    for (auto& row : f.polarizability) row.fill(std::numeric_limits<double>::quiet_NaN());
    context_.out << "\n finite field" << std::flush;
    for (const int axis : s_.directions) {
      const auto up = dipole_in(f.strength, axis, f);
      if (out_.stopped_by) return;
      const auto down = dipole_in(-f.strength, axis, f);
      if (out_.stopped_by) return;
      for (size_t i = 0; i < 3; ++i) {
        const auto j = static_cast<size_t>(axis);
        f.polarizability[i][j] = (up[i] - down[i]) / (2 * f.strength);
        const double response = out_.response->polarizability()[i][j];
        f.largest_difference = std::max(f.largest_difference, std::abs(f.polarizability[i][j] - response));
      }
      context_.out << fmt::format("   {}: {} iterations", "xyz"[axis], f.iterations) << std::flush;
    }
    context_.out << "\n";
    out_.finite_field = f;
  }

  const Settings& s_;
  app::Context& context_;
  const app::Communicator& world_;
  double started_;
  app::StopRequest stop_;
  Setup setup_;
  Kernels kernels_;
  GridMatrices grid_;
  Electrostatics electrostatics_;
  GroundStateSolver solver_;
  PointArrays points_;
  std::optional<Checkpoint> from_;
  int64_t since_checkpoint_ = 0;
  Calculated out_;
};

// Vectors of all points come and go in every iteration. Memory that was freed stays with the process, which otherwise spent 9 % of its time
// on new pages.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

}  // namespace

Calculated calculate(const Settings& settings, app::Context& context) {
  keep_freed_memory();
  return settings.crystal.vectors.empty() ? Calculation(settings, context).run() : calculate_crystal(settings, context);
}

double isotropic(const Tensor& a) { return (a[0][0] + a[1][1] + a[2][2]) / 3; }

double anisotropy(const Tensor& a) {
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const double off = (a[i][j] + a[j][i]) / 2;
    sum += std::pow(a[i][i] - a[j][j], 2) + 6 * off * off;
  }
  return std::sqrt(sum / 2);
}

}  // namespace suite::all_electron
