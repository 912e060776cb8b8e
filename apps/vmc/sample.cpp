// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "kernel_arguments.hpp"
#include "molecule/orbitals.hpp"

namespace suite::vmc {
namespace {

constexpr int64_t most_sampled = 256;  // electrons of all walkers together; at least one walker
constexpr int64_t most_moves = 1000;   // per walker before the call
constexpr int64_t first_sweep = 100;   // random numbers distinct from those at the start of a run
constexpr double step = 0.64;          // variance of a move in r_s^2; about half are accepted

// Orbitals of the electrons with spin up of a few walkers of a molecule or crystal, with derivatives: the largest part of its steps.
struct OrbitalsCall {
  Settings settings;
  int64_t walkers;
  std::vector<double> r, phi, dphi, d2phi;

  explicit OrbitalsCall(const Settings& s) : settings(s), walkers(std::clamp<int64_t>(most_sampled / s.system.netot(), 1, 64)) {
    std::vector<int64_t> streams(static_cast<size_t>(walkers));
    std::iota(streams.begin(), streams.end(), 0);
    const auto rele = scattered(s.system, s.seed, streams);
    const int64_t n = up(), all = 3 * s.system.netot();
    for (int64_t w = 0; w < walkers; ++w) r.insert(r.end(), rele.begin() + all * w, rele.begin() + all * w + 3 * n);
    phi.resize(static_cast<size_t>(functions() * n * walkers)), d2phi.resize(phi.size()), dphi.resize(3 * phi.size());
  }
  int64_t up() const { return settings.system.nele[0]; }
  // Orbitals, or the splines of which they consist.
  int64_t functions() const {
    const auto& crystal = settings.system.molecule->crystal;
    return crystal ? crystal->spin[0]->nspline : up();
  }
  void set(Kernel& kernel) {
    const int64_t n = up();
    const auto& crystal = settings.system.molecule->crystal;
    const int64_t norb = functions();
    if (crystal) set_splines(kernel, *crystal, 0);
    else set_shells(kernel, *settings.system.molecule, 0);
    kernel.set("r", r.data(), {3, n, walkers});
    kernel.set("phi", phi.data(), {norb, n, walkers});
    kernel.set("dphi", dphi.data(), {norb, 3, n, walkers});
    kernel.set("d2phi", d2phi.data(), {norb, n, walkers});
  }
};

app::App::Sample orbitals_call(const Settings& settings) {
  const auto call = std::make_shared<OrbitalsCall>(settings);
  app::App::Sample sample;
  sample.data = call;
  sample.kernel = kernel_of_orbitals(settings.system);
  sample.set_arguments = [call = call.get()](Kernel& kernel) { call->set(kernel); };
  sample.description =
      fmt::format("{} walkers, {} orbitals at the {} electrons with spin up", call->walkers, call->functions(), call->up());
  return sample;
}

// One sweep of a few walkers. Every run changes positions and inverses, so each kernel starts from copies of their initial values.
struct Call {
  Settings settings;
  std::vector<int64_t> streams;
  std::vector<double> rele, first_rele, diffusion;
  std::array<std::vector<double>, 2> dbar, first_dbar;
  std::vector<int32_t> accepted;

  explicit Call(const Settings& s) : settings(s) {
    const System& system = settings.system;
    const int64_t walkers = std::clamp<int64_t>(most_sampled / system.netot(), 1, 8);
    for (int64_t w = 0; w < walkers; ++w) streams.push_back(w);
    first_rele = scattered(system, settings.seed, streams);
    accepted.resize(streams.size());
    diffusion.resize(2 * streams.size());
    invert();
    forget_the_start();
  }

  void invert() {
    for (size_t spin = 0; spin < 2; ++spin) first_dbar[spin] = inverse(spin);
  }

  // Right after scattering, the determinants may be near a node, where their inverses would amplify rounding errors. A few sweeps move the
  // electrons away.
  void forget_the_start() {
    Kernel sweep("qmc.sweep", "reference");
    set(sweep);
    sweep.set("nsweep", static_cast<int32_t>(std::clamp<int64_t>(most_moves / settings.system.netot(), 1, 20)));
    sweep.run();
    sweep.get("rele", rele.data(), {3, settings.system.netot(), walkers()});
    first_rele = rele;
    invert();
  }

  int64_t walkers() const { return static_cast<int64_t>(streams.size()); }

  std::vector<double> inverse(size_t spin) const {
    const System& system = settings.system;
    const int64_t n = system.nele[spin], n_all = system.netot(), first = spin == 0 ? 0 : system.nele[0];
    std::vector<double> r, phi(static_cast<size_t>(n * n * walkers())), out(phi.size());
    if (n == 0) return out;
    for (int64_t w = 0; w < walkers(); ++w) {
      const auto begin = first_rele.begin() + 3 * (w * n_all + first);
      r.insert(r.end(), begin, begin + 3 * n);
    }
    Kernel orbitals("qmc.orbitals_free", "reference"), invert("qmc.slater_invert", "reference");
    orbitals.set("cell", system.cell.data(), {3, 3});
    orbitals.set("kvec", system.kvec.data(), {3, system.nkvec()});
    orbitals.set("r", r.data(), {3, n, walkers()});
    orbitals.set("phi", phi.data(), {n, n, walkers()});
    orbitals.run();
    invert.set("phi", phi.data(), {n, n, walkers()});
    invert.set("dbar", out.data(), {n, n, walkers()});
    invert.run();
    return out;
  }

  void set(Kernel& kernel) {
    const System& system = settings.system;
    set_system(kernel, system);
    set_factor(kernel, settings.jastrow);
    rele = first_rele, dbar = first_dbar;
    kernel.set("rele", rele.data(), {3, system.netot(), walkers()});
    for (size_t spin = 0; spin < 2; ++spin) {
      const int64_t n = system.nele[spin];
      if (n > 0) kernel.set(spin == 0 ? "dbar_up" : "dbar_dn", dbar[spin].data(), {n, n, walkers()});
    }
    kernel.choose("move", qmc::moves[static_cast<size_t>(settings.vmc.move)].name);
    kernel.set("tau", settings.vmc.tau > 0 ? settings.vmc.tau : step * system.rs * system.rs);
    kernel.set("first_sweep", first_sweep);
    kernel.set("seed", settings.seed);
    kernel.set("stream", streams.data(), {walkers()});
    kernel.set("accepted", accepted.data(), {walkers()});
    kernel.set("diffusion", diffusion.data(), {2, walkers()});
  }
};

}  // namespace

app::App::Sample typical_call(const Settings& settings) {
  if (settings.system.molecule) return orbitals_call(settings);
  const auto call = std::make_shared<Call>(settings);
  app::App::Sample sample;
  sample.data = call;
  sample.kernel = "qmc.sweep";
  sample.set_arguments = [call = call.get()](Kernel& kernel) { call->set(kernel); };
  sample.description = fmt::format("{} walkers of {} electrons, one sweep", call->walkers(), settings.system.netot());
  return sample;
}

}  // namespace suite::vmc
