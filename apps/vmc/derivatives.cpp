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

// d(alpha)/d(free), d(a)/d(free), d(beta)/d(free), d(gamma)/d(free): they are linear in the free parameters but the cutoffs, apart from the
// constant of the cusp. A column for each free parameter; those of the cutoffs are 0.
struct Directions {
  MatrixXd u, p, chi, f;
};

Directions directions(const System& system, const Jastrow& jastrow, const Free& all) {
  const Free free = all.without_cutoffs();
  const size_t count = parameters(jastrow, free).size();
  std::vector<double> values(count, 0.0);
  Jastrow origin = jastrow, unit = jastrow;
  set_parameters(system, origin, values, free);
  const auto zero = [&](const std::vector<double>& coefficients) -> MatrixXd {
    return MatrixXd::Zero(std::ssize(coefficients), std::ssize(parameters(jastrow, all)));
  };
  Directions d{zero(jastrow.alpha), zero(jastrow.a), zero(jastrow.beta), zero(jastrow.gamma)};
  for (size_t k = 0; k < count; ++k) {
    values.assign(count, 0.0);
    values[k] = 1;
    set_parameters(system, unit, values, free);
    const auto column = static_cast<Index>(k);
    for (size_t i = 0; i < jastrow.alpha.size(); ++i) d.u(static_cast<Index>(i), column) = unit.alpha[i] - origin.alpha[i];
    for (size_t i = 0; i < jastrow.a.size(); ++i) d.p(static_cast<Index>(i), column) = unit.a[i] - origin.a[i];
    for (size_t i = 0; i < jastrow.beta.size(); ++i) d.chi(static_cast<Index>(i), column) = unit.beta[i] - origin.beta[i];
    for (size_t i = 0; i < jastrow.gamma.size(); ++i) d.f(static_cast<Index>(i), column) = unit.gamma[i] - origin.gamma[i];
  }
  return d;
}

// The kernel of one term, with its outputs for all electrons of all walkers.
struct Term {
  app::TimedKernel kernel;
  std::vector<int64_t> shape;  // (nalpha,nset_u), (nstar,nset_p), (nbeta,nspin_chi,nset_chi), (all gamma)
  double counted;  // how often the kernel's values count each piece of J: pairs at both of their electrons
  MatrixXd direction;  // derivative of its coefficients by the free parameters
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

// A cutoff: the term with a longer and with a shorter one, whose difference is the derivative. The coefficients that depend on it follow.
class Cutoff {
public:
  Cutoff(const char* kernel, SetTerm set, double counted, Index parameter, const System& system, const Jastrow& jastrow, const Free& free,
         const Implementation& how, const Device& device)
      : counted_(counted), parameter_(parameter) {
    auto values = vmc::parameters(jastrow, free);
    const double L = values[static_cast<size_t>(parameter)];
    step_ = 1e-4 * L;  // errors: 1e-8 by the third derivative, 1e-12 by cancellation
    for (int side = 0; side < 2; ++side) {
      values[static_cast<size_t>(parameter)] = L + (side == 0 ? step_ : -step_);
      jastrow_[side] = jastrow;
      set_parameters(system, jastrow_[side], values, free);
      kernel_[side] = std::make_unique<app::TimedKernel>(kernel, how.name, how.variant, device);
      set(kernel_[side]->kernel(), system, jastrow_[side]);
    }
  }

  void run(const System& system, const suite_array& rele, int64_t n) {
    const int64_t netot = system.netot();
    for (int side = 0; side < 2; ++side) {
      app::TimedKernel& kernel = *kernel_[side];
      Sums& sums = sums_[side];
      sums.value.resize(static_cast<size_t>(netot * n));
      sums.laplacian.resize(sums.value.size());
      sums.gradient.resize(3 * sums.value.size());
      kernel->set("rele", rele);
      kernel->set("value", sums.value.data(), {netot, n});
      kernel->set("laplacian", sums.laplacian.data(), {netot, n});
      kernel->set("gradient", sums.gradient.data(), {3, netot, n});
      kernel.run();
      kernel->get("value", sums.value.data(), {netot, n});
      kernel->get("laplacian", sums.laplacian.data(), {netot, n});
      kernel->get("gradient", sums.gradient.data(), {3, netot, n});
    }
  }

  // As Term::add.
  void add(int64_t netot, int64_t w, VectorXd& value, VectorXd& laplacian, MatrixXd& gradient) const {
    const auto difference = [&](auto Sums::*of, int64_t i) {
      return ((sums_[0].*of)[static_cast<size_t>(i)] - (sums_[1].*of)[static_cast<size_t>(i)]) / (2 * step_);
    };
    for (int64_t i = 0; i < netot; ++i) {
      value(parameter_) += difference(&Sums::value, i + netot * w) / counted_;
      laplacian(parameter_) += difference(&Sums::laplacian, i + netot * w);
      for (int64_t d = 0; d < 3; ++d) gradient(3 * i + d, parameter_) += difference(&Sums::gradient, 3 * (i + netot * w) + d);
    }
  }

  void add_records(std::vector<app::Row>& records) const {
    for (const auto& kernel : kernel_) kernel->add_to(records);
  }

private:
  struct Sums {
    std::vector<double> value, laplacian, gradient;
  };
  double counted_, step_ = 0;
  Index parameter_;
  Jastrow jastrow_[2];  // the kernels reference their arrays
  std::unique_ptr<app::TimedKernel> kernel_[2];
  Sums sums_[2];
};

}  // namespace

struct Derivatives::State {
  System system;
  Jastrow jastrow;  // the kernels reference its arrays
  std::vector<Term> terms;
  std::vector<std::unique_ptr<Cutoff>> cutoffs;
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
  struct Kind {
    const char* kernel;
    SetTerm set;
    double counted;
  };
  constexpr Kind u{"qmc.jastrow_u", set_u_term, 2}, p{"qmc.jastrow_p", set_p_term, 2}, chi{"qmc.jastrow_chi", set_chi_term, 1},
      f{"qmc.jastrow_f", set_f_term, 2};
  const auto add = [&](const Kind& kind, bool there, std::vector<int64_t> shape, const MatrixXd& direction) {
    if (!there) return;
    Term& term =
        s.terms.emplace_back(Term{{kind.kernel, how.name, how.variant, device}, std::move(shape), kind.counted, direction, {}, {}, {}, {}});
    kind.set(term.kernel.kernel(), s.system, j);
  };
  add(u, j.has_u() && free.u, {j.nalpha, j.nset_u}, d.u);
  add(p, j.has_p() && free.p, {j.nstar, j.nset_p}, d.p);
  add(chi, j.has_chi() && free.chi, {j.nbeta, j.nspin_chi, j.nset_chi}, d.chi);
  add(f, j.has_f() && free.f, {std::ssize(j.gamma)}, d.f);
  Index next = std::ssize(vmc::parameters(j, free.without_cutoffs()));
  const auto names = parameter_names(j, free);
  for (; next < s.parameters; ++next) {
    const std::string& name = names[static_cast<size_t>(next)];
    const Kind& kind = name == "cutoff of u" ? u : name.starts_with("cutoff of chi") ? chi : f;
    s.cutoffs.push_back(std::make_unique<Cutoff>(kind.kernel, kind.set, kind.counted, next, s.system, j, free, how, device));
  }
}
Derivatives::~Derivatives() = default;

Eigen::Index Derivatives::parameters() const { return state_->parameters; }

// With grad ln psi = v + sum_k d_k g_k (for cutoffs to first order) the local energy changes by
// -1/2 sum_k d_k (sum_i lap_i J_k + 2 v.g_k) - 1/2 sum_kl d_k d_l g_k.g_l.
void Derivatives::collect(Walkers& walkers, LocalEnergies& into) {
  State& s = *state_;
  const int64_t n = walkers.size(), netot = s.system.netot();
  const auto& energies = walkers.energies(true);
  const auto& velocities = walkers.velocities();
  for (Term& term : s.terms) term.run(s.system, walkers.positions_array(), n);
  for (const auto& cutoff : s.cutoffs) cutoff->run(s.system, walkers.positions_array(), n);
  for (int64_t w = 0; w < n; ++w) {
    VectorXd score = VectorXd::Zero(s.parameters), laplacian = score;
    MatrixXd g = MatrixXd::Zero(3 * netot, s.parameters);
    for (const Term& term : s.terms) term.add(netot, w, score, laplacian, g);
    for (const auto& cutoff : s.cutoffs) cutoff->add(netot, w, score, laplacian, g);
    const Map<const VectorXd> v(velocities.data() + 3 * netot * w, 3 * netot);
    into.add(energies[static_cast<size_t>(w) * part::count + part::total], -0.5 * laplacian - g.transpose() * v, -0.5 * g.transpose() * g,
             score);
  }
}

void Derivatives::add_records(std::vector<app::Row>& records) const {
  std::vector<app::Row> own;
  for (const Term& term : state_->terms) term.kernel.add_to(own);
  for (const auto& cutoff : state_->cutoffs) cutoff->add_records(own);
  for (auto& record : own) app::add_or_join(records, std::move(record));
}

}  // namespace suite::vmc
