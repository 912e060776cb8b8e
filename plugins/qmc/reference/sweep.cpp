// SPDX-License-Identifier: BSD-3-Clause
// qmc.sweep: Metropolis, Rosenbluth, Rosenbluth, Teller, Teller, J. Chem. Phys. 21, 1087 (1953), one electron
// at a time; with drift, Umrigar, Nightingale, Runge, J. Chem. Phys. 99, 2865 (1993):
//   G(r',r) ~ exp(-|r' - r - tau v(r)|^2/(2 tau)),  v the limited drift
#include <numbers>

#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

// (-1 + sqrt(1 + 2 a v^2 tau))/(a v^2 tau) v, without a difference of near numbers.
Vector limited(Vector v, const Walk& walk) {
  const double factor = 2 / (1 + std::sqrt(1 + 2 * walk.alimit * dot(v, v) * walk.tau));
  for (double& x : v.x) x *= factor;
  return v;
}

struct Walker {
  double* rele;
  double* dbar[2];
  int64_t stream, number;
  int32_t accepted = 0;
  double diffused_accepted = 0, diffused = 0, logpsi = 0;
};

// psi'/psi = ratio exp(J' - J), and what moves next from there.
struct Proposal {
  double ratio = 0;
  Local jastrow;
  Vector drift;
  std::vector<Local> orbitals;
};
Proposal propose(const Wavefunction& psi, const Walk& walk, const Walker& walker, int64_t i, const double* at) {
  const int spin = psi.electrons.spin(i);
  Proposal p;
  p.orbitals = psi.orbitals(spin, at);
  p.jastrow = psi.jastrow({walker.rele, i, at});
  const int64_t n = psi.electrons.count(spin);
  const Local sum = slater_sum(p.orbitals, walker.dbar[spin] + n * (i - psi.electrons.first(spin)));
  p.ratio = sum.value;
  for (int d = 0; d < 3; ++d) p.drift.x[d] = sum.gradient.x[d] / sum.value + p.jastrow.gradient.x[d];
  p.drift = limited(p.drift, walk);
  return p;
}

void accept(const Wavefunction& psi, Walker& walker, int64_t i, const double* to, const Proposal& p) {
  const int spin = psi.electrons.spin(i);
  std::vector<double> phi;
  for (const Local& orbital : p.orbitals) phi.push_back(orbital.value);
  sherman_morrison(walker.dbar[spin], psi.electrons.count(spin), i - psi.electrons.first(spin), phi.data(), walker.number, i);
  for (int d = 0; d < 3; ++d) walker.rele[3 * i + d] = to[d];
}

void move_electron(const Wavefunction& psi, const Walk& walk, Walker& walker, int64_t i, int64_t sweep) {
  const bool drifts = walk.move == Move::langevin;
  const double* const from = walker.rele + 3 * i;
  const Proposal here = propose(psi, walk, walker, i, from);
  double g[3];
  move_gaussians(walk.seed, walker.stream, sweep, i, g);
  Vector to;
  double diffused = 0;
  for (int d = 0; d < 3; ++d) {
    to.x[d] = from[d] + std::sqrt(walk.tau) * g[d] + (drifts ? walk.tau * here.drift.x[d] : 0);
    diffused += walk.tau * g[d] * g[d];
  }
  walker.diffused += diffused;
  const Proposal there = propose(psi, walk, walker, i, to.x);
  const double log_ratio = std::log(std::abs(there.ratio)) + there.jastrow.value - here.jastrow.value;
  double exponent = 2 * log_ratio;
  if (drifts) {
    Vector back = difference(from, to.x);
    for (int d = 0; d < 3; ++d) back.x[d] -= walk.tau * there.drift.x[d];
    exponent -= (dot(back, back) - diffused) / (2 * walk.tau);
  }
  if (drifts && !(there.ratio > 0)) return;
  if (!(acceptance_uniform(walk.seed, walker.stream, sweep, i) < std::exp(exponent))) return;
  accept(psi, walker, i, to.x, there);
  ++walker.accepted;
  walker.diffused_accepted += diffused;
  walker.logpsi += log_ratio;
}

// Fractions from 0 to 1.
void into_cell(const Lattice& lattice, double* r) {
  double whole[3];
  for (int i = 0; i < 3; ++i) whole[i] = std::floor(dot(vector_at(lattice.b[i]), vector_at(r)) / (2 * std::numbers::pi));
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) r[d] -= whole[i] * lattice.a[i][d];
}

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::form, parameter::move};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : form_(static_cast<Form>(p[0])), move_(static_cast<Move>(p[1])) {}

  void execute(const suite_array* arguments) {
    const Sweep c(arguments);
    const Wavefunction psi = wavefunction_of(c, form_);
    const Walk walk = walk_of(move_, c);
    const Electrons& electrons = psi.electrons;
    for (int64_t w = 0; w < electrons.nwalker; ++w) {
      Walker walker{
          &c.rele(0, 0, w), {c.dbar_up ? &c.dbar_up(0, 0, w) : nullptr, c.dbar_dn ? &c.dbar_dn(0, 0, w) : nullptr}, c.stream(w), w};
      for (int64_t k = 0; k < walk.nsweep; ++k)
        for (int64_t i = 0; i < electrons.netot; ++i) move_electron(psi, walk, walker, i, walk.first_sweep + k);
      for (int64_t i = 0; i < electrons.netot; ++i) into_cell(psi.lattice, walker.rele + 3 * i);
      c.accepted(w) = walker.accepted;
      if (c.diffusion) {
        c.diffusion(0, w) = walker.diffused_accepted;
        c.diffusion(1, w) = walker.diffused;
      }
      if (c.logpsi) c.logpsi(w) += walker.logpsi;
    }
  }

private:
  Form form_;
  Move move_;
};

}  // namespace

extern const suite_kernel_table sweep_table;
constexpr suite_kernel_table sweep_table = kernel_table<Sweep, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
