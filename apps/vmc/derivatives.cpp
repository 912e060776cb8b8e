// SPDX-License-Identifier: BSD-3-Clause
#include "derivatives.hpp"

#include <optional>

#include "kernel_arguments.hpp"
#include "measure/timed_kernel.hpp"
#include "molecule/molecule.hpp"

namespace suite::vmc {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// d(alpha)/d(free), d(a)/d(free), d(beta)/d(free): they are linear in the free parameters, apart from the constant of the cusp.
struct Directions {
  MatrixXd u, p, chi;
};

Directions directions(const System& system, const Jastrow& jastrow, const Free& free) {
  const size_t count = parameters(jastrow, free).size();
  std::vector<double> values(count, 0.0);
  Jastrow origin = jastrow, unit = jastrow;
  set_parameters(system, origin, values, free);
  Directions d{MatrixXd::Zero(static_cast<Index>(jastrow.alpha.size()), static_cast<Index>(count)),
               MatrixXd::Zero(static_cast<Index>(jastrow.a.size()), static_cast<Index>(count)),
               MatrixXd::Zero(static_cast<Index>(jastrow.beta.size()), static_cast<Index>(count))};
  for (size_t k = 0; k < count; ++k) {
    values.assign(count, 0.0);
    values[k] = 1;
    set_parameters(system, unit, values, free);
    const auto column = static_cast<Index>(k);
    for (size_t i = 0; i < jastrow.alpha.size(); ++i) d.u(static_cast<Index>(i), column) = unit.alpha[i] - origin.alpha[i];
    for (size_t i = 0; i < jastrow.a.size(); ++i) d.p(static_cast<Index>(i), column) = unit.a[i] - origin.a[i];
    for (size_t i = 0; i < jastrow.beta.size(); ++i) d.chi(static_cast<Index>(i), column) = unit.beta[i] - origin.beta[i];
  }
  return d;
}

// The kernel of one term, with its outputs for all electrons of all walkers.
struct Term {
  app::TimedKernel kernel;
  std::vector<int64_t> shape;  // (nalpha,nset_u), (nstar,nset_p), (nbeta,nspin_chi,nset_chi)
  double counted;              // how often the kernel's values count each piece of J: pairs at both of their electrons
  MatrixXd direction;          // derivative of its coefficients by the free parameters
  std::vector<double> value, dvalue, dgradient, dlaplacian;

  Index coefficients() const { return direction.rows(); }

  void run(const System& system, const suite_array& rele, int64_t n) {
    const int64_t netot = system.netot();
    const auto all = static_cast<size_t>(netot * n), c = static_cast<size_t>(coefficients());
    value.resize(all);
    dvalue.resize(all * c);
    dlaplacian.resize(dvalue.size());
    dgradient.resize(3 * dvalue.size());
    kernel->set("rele", rele);
    kernel->set("value", value.data(), {netot, n});
    kernel->keep("value");
    const suite_array outputs[] = {of_all(dvalue, {}, netot, n), of_all(dlaplacian, {}, netot, n), of_all(dgradient, {3}, netot, n)};
    constexpr const char* names[] = {"dvalue", "dlaplacian", "dgradient"};
    for (size_t i = 0; i < 3; ++i) kernel->set(names[i], outputs[i]);
    kernel.run();
    for (size_t i = 0; i < 3; ++i) kernel->get(names[i], outputs[i]);
  }

  // Adds walker w's derivatives of J, sum_i lap_i J and grad_i J with respect to the free parameters.
  void add(int64_t netot, int64_t w, VectorXd& value_, VectorXd& laplacian, MatrixXd& gradient) const {
    const Index c = coefficients(), from = static_cast<Index>(w * netot) * c;
    const Map<const MatrixXd> v(dvalue.data() + from, c, netot), l(dlaplacian.data() + from, c, netot);
    value_ += direction.transpose() * v.rowwise().sum() / counted;
    laplacian += direction.transpose() * l.rowwise().sum();
    for (Index i = 0; i < netot; ++i) {
      const Map<const MatrixXd> g(dgradient.data() + 3 * (from + i * c), 3, c);
      gradient.middleRows(3 * i, 3) += g * direction;
    }
  }

private:
  // (first...,shape...,netot,n)
  suite_array of_all(std::vector<double>& values, std::vector<int64_t> extents, int64_t netot, int64_t n) const {
    extents.insert(extents.end(), shape.begin(), shape.end());
    extents.insert(extents.end(), {netot, n});
    suite_array array = describe(values.data(), {});
    for (const int64_t extent : extents) array.extent[array.rank++] = extent;
    return array;
  }
};

}  // namespace

struct Derivatives::State {
  System system;
  Jastrow jastrow;  // the kernels reference its arrays
  std::vector<Term> terms;
  Index parameters = 0;
};

Derivatives::Derivatives(const System& system, const Jastrow& jastrow, const Free& free, const Implementation& how, const Device& device)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.system = system;
  s.jastrow = jastrow;
  const Jastrow& j = s.jastrow;
  const Directions d = directions(system, j, free);
  s.parameters = static_cast<Index>(vmc::parameters(j, free).size());
  if (j.has_u() && free.u) {
    Term& u = s.terms.emplace_back(Term{{"qmc.jastrow_u", how.name, how.variant, device}, {j.nalpha, j.nset_u}, 2, d.u, {}, {}, {}, {}});
    set_u(u.kernel.kernel(), j);
    u.kernel->set("cell", s.system.cell.data(), {3, 3});
  }
  if (j.has_p() && free.p) {
    Term& p = s.terms.emplace_back(Term{{"qmc.jastrow_p", how.name, how.variant, device}, {j.nstar, j.nset_p}, 2, d.p, {}, {}, {}, {}});
    set_p(p.kernel.kernel(), j);
    p.kernel->set("cell", s.system.cell.data(), {3, 3});
  }
  if (j.has_chi() && free.chi) {
    Term& chi = s.terms.emplace_back(
        Term{{"qmc.jastrow_chi", how.name, how.variant, device}, {j.nbeta, j.nspin_chi, j.nset_chi}, 1, d.chi, {}, {}, {}, {}});
    set_chi(chi.kernel.kernel(), j);
    chi.kernel->set("rion", s.system.molecule->rion.data(), {3, s.system.molecule->nion()});
  }
  for (Term& term : s.terms) term.kernel->set("nele", s.system.nele.data(), {2});
}
Derivatives::~Derivatives() = default;

Eigen::Index Derivatives::parameters() const { return state_->parameters; }

// With grad ln psi = v + sum_k d_k g_k the local energy changes by
// -1/2 sum_k d_k (sum_i lap_i J_k + 2 v.g_k) - 1/2 sum_kl d_k d_l g_k.g_l.
void Derivatives::collect(Walkers& walkers, LocalEnergies& into) {
  State& s = *state_;
  const int64_t n = walkers.size(), netot = s.system.netot();
  const auto& energies = walkers.energies(true);
  const auto& velocities = walkers.velocities();
  for (Term& term : s.terms) term.run(s.system, walkers.positions_array(), n);
  for (int64_t w = 0; w < n; ++w) {
    VectorXd score = VectorXd::Zero(s.parameters), laplacian = score;
    MatrixXd g = MatrixXd::Zero(3 * netot, s.parameters);
    for (const Term& term : s.terms) term.add(netot, w, score, laplacian, g);
    const Map<const VectorXd> v(velocities.data() + 3 * netot * w, 3 * netot);
    into.add(energies[static_cast<size_t>(w) * part::count + part::total], -0.5 * laplacian - g.transpose() * v, -0.5 * g.transpose() * g,
             score);
  }
}

void Derivatives::add_records(std::vector<app::Row>& records) const {
  for (const Term& term : state_->terms)
    if (term.kernel.used()) records.push_back(term.kernel.record());
}

}  // namespace suite::vmc
