// SPDX-License-Identifier: BSD-3-Clause
#include "jastrow.hpp"

#include <fmt/core.h>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include <suite/qmc/jastrow.hpp>

#include "molecule/molecule.hpp"

namespace suite::vmc {
namespace {

constexpr int fit_points = 400;
constexpr int last_knots = 3;  // of a B-spline: 0, so that it ends smoothly
// kappa L_u: at the cutoff of u, the part left to u by p has decayed to erfc(reach).
constexpr double reach = 2;

int first_free(Form form) { return form == Form::polynomial ? 0 : 1; }
int end_of_free(const Jastrow& j) { return j.form == Form::polynomial ? j.nalpha : j.nalpha - last_knots; }

// The free rows of alpha.
std::vector<int> free_rows(const Jastrow& j) {
  std::vector<int> rows;
  for (int l = first_free(j.form); l < end_of_free(j); ++l)
    if (l != tied_row(j.form)) rows.push_back(l);
  return rows;
}

double& coefficient(Jastrow& j, int row, int set) {
  return j.alpha[static_cast<size_t>(set) * static_cast<size_t>(j.nalpha) + static_cast<size_t>(row)];
}

// u'' + 2 u'/r.
double laplacian(const Jastrow& j, int set, double r) {
  const qmc::Radial u =
      qmc::u_of_pair(j.form, &j.alpha[static_cast<size_t>(set) * static_cast<size_t>(j.nalpha)], j.nalpha, j.L_u, j.truncation, r);
  return u.second + 2 * u.first / r;
}

// u(r) = -A/r (1 - exp(-r/F)) with A = 1/omega_p and F from the cusp (Ceperley, Phys. Rev. B 18, 3126 (1978)), or
// u(k) = -4 pi A/(k^2 (1 + k^2 F^2)).
struct Rpa {
  double A, F;
  double laplacian(double r) const { return A / (F * F * r) * std::exp(-r / F); }
  // The part of u(k) assigned to p: u(k) exp(-k^2/4 kappa^2).
  double smooth_of_k(double k, double kappa) const {
    return -4 * std::numbers::pi * A / (k * k * (1 + k * k * F * F)) * std::exp(-k * k / (4 * kappa * kappa));
  }
  double smooth_laplacian(double r, double kappa) const {
    const double shift = 1 / (2 * kappa * F), x = r / F;
    return A / (2 * F * F * r) * std::exp(shift * shift) *
           (std::exp(-x) * std::erfc(shift - kappa * r) - std::exp(x) * std::erfc(shift + kappa * r));
  }
};

Rpa rpa_of(const System& system, double slope) {
  const double A = std::sqrt(system.rs * system.rs * system.rs / 3);
  return {A, std::sqrt(A / (2 * slope))};
}

// The free coefficients of one set. Fits the Laplacian over the sphere, because it determines the scatter of the local energy.
template <class F> void fit(const System& system, Jastrow& j, int set, F&& wanted_laplacian) {
  const auto rows = free_rows(j);
  const auto columns = static_cast<Eigen::Index>(rows.size());
  for (const int row : rows) coefficient(j, row, set) = 0;
  apply_cusp(system, j);
  const Jastrow base = j;
  std::vector<Jastrow> units;
  for (const int row : rows) {
    Jastrow one = base;
    // Coefficients of r^l in units of the length, so that the columns have similar magnitudes.
    coefficient(one, row, set) = j.form == Form::polynomial ? std::pow(j.L_u, -row - j.truncation) : 1.0;
    apply_cusp(system, one);
    units.push_back(one);
  }
  Eigen::MatrixXd columns_of_fit(fit_points, columns);
  Eigen::VectorXd wanted(fit_points);
  for (Eigen::Index i = 0; i < fit_points; ++i) {
    const double r = (static_cast<double>(i) + 0.5) / fit_points * j.L_u;
    const double fixed = laplacian(base, set, r);
    wanted(i) = r * (wanted_laplacian(r) - fixed);
    for (Eigen::Index c = 0; c < columns; ++c) columns_of_fit(i, c) = r * (laplacian(units[static_cast<size_t>(c)], set, r) - fixed);
  }
  const Eigen::VectorXd found = columns_of_fit.colPivHouseholderQr().solve(wanted);
  for (size_t c = 0; c < rows.size(); ++c)
    coefficient(j, rows[c], set) = found(static_cast<Eigen::Index>(c)) * coefficient(units[c], rows[c], set);
  apply_cusp(system, j);
}

void refuse(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

const char* spins_of(int nset, int set) {
  if (nset == 1) return "";
  if (nset == 2) return set == 0 ? " parallel" : " antiparallel";
  return set == 0 ? " up-up" : set == 1 ? " up-down" : " down-down";
}

bool marked(const std::vector<bool>& each, size_t i) { return each.empty() || each.at(i); }

// Calls f(value, name, power, L) for every free parameter: a coefficient is one of r^power, with the powers of (r - L), in a term of the
// cutoff L; 0 and null where stretching the term does not change it. A cutoff itself has the power of_cutoff.
constexpr int of_cutoff = -1;
template <class F> void for_each_free(Jastrow& j, const Free& free, F&& f) {
  const bool powers = j.form == Form::polynomial;
  const double* const none = nullptr;
  size_t i = 0;
  for (int set = 0; free.u && set < j.nset_u; ++set)
    for (const int row : free_rows(j))
      if (marked(free.each_u, i++))
        f(coefficient(j, row, set), fmt::format("alpha_{}{}", row, spins_of(j.nset_u, set)), powers ? row + j.truncation : 0,
          powers ? &j.L_u : none);
  i = 0;
  for (int set = 0; free.p && set < j.nset_p; ++set)
    for (int star = 0; star < j.nstar; ++star, ++i)
      if (marked(free.each_p, i)) f(j.a[i], fmt::format("a_{}{}", star + 1, spins_of(j.nset_p, set)), 0, none);
  i = 0;
  for (int row = 0; free.chi && row < j.nset_chi * j.nspin_chi; ++row)
    for (int l = 0; l < j.nbeta; ++l)
      if (l != 1 && marked(free.each_chi, i++))
        f(j.beta[static_cast<size_t>(row * j.nbeta + l)],
          fmt::format("beta_{} kind {}{}", l, row / j.nspin_chi + 1,
                      j.nspin_chi == 1 ? ""
                      : row % 2        ? " down"
                                       : " up"),
          l + j.truncation, &j.L_chi[static_cast<size_t>(row / j.nspin_chi)]);
  i = 0;
  for (size_t set = 0; free.f && set < j.L_f.size(); ++set)
    for_each_free_gamma(j, set, [&](double& gamma, int pair, const FConstraints::Powers& p) {
      if (marked(free.each_f, i++))
        f(gamma, fmt::format("gamma_{},{},{} kind {}{}", p.l, p.m, p.n, set + 1, spins_of(j.npair_f, pair)),
          static_cast<int>(p.l + p.m + p.n) + 2 * j.truncation, &j.L_f[set]);
    });
  i = 0;
  if (!free.cutoffs) return;
  if (j.has_u() && marked(free.each_cutoff, i++)) f(j.L_u, std::string("cutoff of u"), of_cutoff, &j.L_u);
  for (size_t set = 0; set < j.L_chi.size(); ++set)
    if (marked(free.each_cutoff, i++)) f(j.L_chi[set], fmt::format("cutoff of chi kind {}", set + 1), of_cutoff, &j.L_chi[set]);
  for (size_t set = 0; set < j.L_f.size(); ++set)
    if (marked(free.each_cutoff, i++)) f(j.L_f[set], fmt::format("cutoff of f kind {}", set + 1), of_cutoff, &j.L_f[set]);
}

}  // namespace

double cusp_slope(const System& system, int nset, int set) {
  return qmc::cusp_slope(system.polarised() ? true : qmc::parallel_set(nset, set));
}

void apply_cusp(const System& system, Jastrow& j) {
  for (int set = 0; set < j.nset_u; ++set)
    qmc::apply_cusp(j.form, &coefficient(j, 0, set), j.nalpha, j.L_u, j.truncation,
                    cusp_slope(system, j.nset_u, set) == qmc::cusp_slope(true));
  for (size_t row = 0; row < static_cast<size_t>(j.nset_chi * j.nspin_chi); ++row) {
    const size_t set = row / static_cast<size_t>(j.nspin_chi);
    double* const beta = &j.beta[row * static_cast<size_t>(j.nbeta)];
    beta[1] = j.slope_chi[set] / std::pow(-j.L_chi[set], j.truncation) + j.truncation * beta[0] / j.L_chi[set];
  }
  const auto block = static_cast<size_t>(j.nf_en * j.nf_en * j.nf_ee), pairs = static_cast<size_t>(j.npair_f);
  for (size_t set = 0; set < j.L_f.size(); ++set) {
    const FConstraints constraints(j.shape_f[set], j.truncation, j.L_f[set]);
    for (size_t pair = 0; pair < pairs; ++pair) constraints.complete(&j.gamma[block * (pair + pairs * set)], j.nf_en);
  }
}

Jastrow rpa_jastrow(const System& system, const JastrowShape& shape) {
  Jastrow j;
  j.form = shape.form;
  j.truncation = shape.truncation;
  j.L_u = shape.L_u;
  j.nset_u = shape.nset_u;
  j.nalpha = j.form == Form::polynomial ? shape.order + 1 : shape.order + 1 + last_knots;
  j.alpha.assign(static_cast<size_t>(j.nalpha) * static_cast<size_t>(j.nset_u), 0.0);
  // p is one function for all pairs: that of antiparallel spins, which come closest.
  const Rpa closest = rpa_of(system, cusp_slope(system, 2, 1));
  const double kappa = reach / j.L_u;
  for (int set = 0; set < j.nset_u; ++set) {
    const Rpa rpa = rpa_of(system, cusp_slope(system, j.nset_u, set));
    fit(system, j, set, [&](double r) { return rpa.laplacian(r) - (shape.stars > 0 ? closest.smooth_laplacian(r, kappa) : 0); });
  }
  if (shape.stars == 0) return j;
  const Stars found = stars(system.cell, shape.stars);
  j.gvec = found.gvec;
  j.star = found.star;
  j.nstar = shape.stars;
  j.nset_p = shape.nset_p;
  for (int set = 0; set < j.nset_p; ++set)
    for (const double G : found.length) j.a.push_back(2 * closest.smooth_of_k(G, kappa) / system.volume());
  return j;
}

void add_chi(const System& system, Jastrow& j, int order, double L_chi, bool cusp_of_nuclei) {
  const Molecule& m = *system.molecule;
  const auto kind = m.kind_of_ion();
  j.nbeta = order + 1;
  j.nset_chi = static_cast<int>(m.kinds().size());
  j.beta.assign(static_cast<size_t>(j.nbeta) * static_cast<size_t>(j.nset_chi), 0.0);
  j.L_chi.assign(static_cast<size_t>(j.nset_chi), L_chi);
  j.slope_chi.assign(static_cast<size_t>(j.nset_chi), 0.0);
  j.set_of_ion.clear();
  for (size_t a = 0; a < kind.size(); ++a) {
    j.set_of_ion.push_back(kind[a] + 1);
    if (cusp_of_nuclei && m.bare(a)) j.slope_chi[static_cast<size_t>(kind[a])] = -m.charge[a];
  }
  apply_cusp(system, j);
}

void add_f(const System& system, Jastrow& j, const StartOfF& shape) {
  const auto kinds = system.molecule->kinds().size();
  j.nf_en = j.nf_ee = shape.order + 1;
  j.npair_f = shape.npair;
  j.nset_f = static_cast<int>(kinds);
  j.shape_f.assign(kinds, {shape.order, shape.order, j.has_u(), j.has_chi()});
  j.L_f.assign(kinds, shape.L);
  j.gamma.assign(kinds * static_cast<size_t>(j.nf_en * j.nf_en * j.nf_ee * j.npair_f), 0.0);
  j.f_of_ion.clear();
  for (const int32_t kind : system.molecule->kind_of_ion()) j.f_of_ion.push_back(kind + 1);
}

Jastrow start_of_molecule(const System& system, const StartOfMolecule& shape) {
  Jastrow j;
  j.truncation = shape.truncation;
  if (system.netot() > 1) {
    j.L_u = shape.L_u;
    j.nset_u = shape.nset_u;
    j.nalpha = shape.order + 1;
    j.alpha.assign(static_cast<size_t>(j.nalpha) * static_cast<size_t>(j.nset_u), 0.0);
    // alpha_1 = 0 where alpha_0 = -slope L/(C (-L)^C).
    for (int set = 0; set < j.nset_u; ++set)
      coefficient(j, 0, set) = -cusp_slope(system, j.nset_u, set) * j.L_u / (j.truncation * std::pow(-j.L_u, j.truncation));
  }
  add_chi(system, j, shape.order, shape.L_chi, shape.cusp_of_nuclei);
  return j;
}

void check(const System& system, const Jastrow& j) {
  const double most = system.inscribed_radius();
  if (j.has_u() && !(j.L_u > 0 && j.L_u <= most * (1 + 1e-9)))
    refuse(
        fmt::format("the cutoff of u is {:.10g} bohr; it may be at most {:.10g} bohr, the radius of the "
                    "sphere inscribed in the Wigner-Seitz cell",
                    j.L_u, most));
  if (j.has_u() && j.alpha.size() != static_cast<size_t>(j.nalpha) * static_cast<size_t>(j.nset_u))
    refuse(fmt::format("u has {} coefficients for {} sets of {}", j.alpha.size(), j.nset_u, j.nalpha));
  if (j.has_u() && j.nalpha < (j.form == Form::polynomial ? 2 : 4))
    refuse(fmt::format("u has {} coefficients in a set; it needs at least {}", j.nalpha, j.form == Form::polynomial ? 2 : 4));
  if (j.has_u() && (j.truncation < 2 || j.truncation > 3))
    refuse(fmt::format("u has a truncation order of {}; it must be 2 or 3", j.truncation));
  if (j.has_p() && j.a.size() != static_cast<size_t>(j.nstar) * static_cast<size_t>(j.nset_p))
    refuse(fmt::format("p has {} coefficients for {} sets of {} stars", j.a.size(), j.nset_p, j.nstar));
  for (const double L : j.L_chi)
    if (!(L > 0 && L <= most)) refuse(fmt::format("the cutoff of chi is {:.10g} bohr; it must be positive and at most {:.10g}", L, most));
  for (const double L : j.L_f)
    if (!(L > 0 && L <= most / 2))
      refuse(fmt::format("the cutoff of f is {:.10g} bohr; it must be positive and at most {:.10g}", L, most / 2));
  if (j.has_f() && (j.truncation < 2 || j.truncation > 3))
    refuse(fmt::format("f has a truncation order of {}; it must be 2 or 3", j.truncation));
  for (const int nset : {j.nset_u, j.nset_p, j.has_f() ? j.npair_f : 0})
    if (nset < 0 || nset > 3) refuse(fmt::format("{} sets of parameters; there must be 1 to 3", nset));
}

std::vector<double> parameters(const Jastrow& jastrow, const Free& free) {
  std::vector<double> values;
  Jastrow j = jastrow;
  for_each_free(j, free, [&](double& value, const auto&...) { values.push_back(value); });
  return values;
}

void set_parameters(const System& system, Jastrow& j, const std::vector<double>& values, const Free& free) {
  const size_t count = parameters(j, free).size();
  if (values.size() != count) refuse(fmt::format("{} values for {} parameters", values.size(), count));
  size_t next = 0;
  for_each_free(j, free, [&](double& value, const auto&...) { value = values[next++]; });
  apply_cusp(system, j);
}

namespace {

// Keeps cutoffs where they are valid.
void limit_cutoffs(const System& system, Jastrow& j) {
  const double most = system.inscribed_radius();
  j.L_u = std::min(j.L_u, most);
  for (double& L : j.L_chi) L = std::min(L, most);
  for (double& L : j.L_f) L = std::min(L, most / 2);
}

// The share of a change within which no cutoff changes by more than a tenth.
double share_of_change(Jastrow& j, const std::vector<double>& change, const Free& free) {
  constexpr double most = 0.1;
  double share = 1;
  size_t k = 0;
  for_each_free(j, free, [&](double& value, const std::string&, int power, const double*) {
    if (power == of_cutoff) share = std::min(share, most * value / std::abs(change[k]));
    ++k;
  });
  return share;
}

// The cutoff of the term of each parameter.
std::vector<double> cutoff_of_each(Jastrow& j, const Free& free) {
  std::vector<double> cutoffs;
  for_each_free(j, free, [&](double&, const std::string&, int, const double* L) { cutoffs.push_back(L ? *L : 1); });
  return cutoffs;
}

}  // namespace

void change_parameters(const System& system, Jastrow& j, const std::vector<double>& change, const Free& free) {
  std::vector<double> values = parameters(j, free);
  if (change.size() != values.size()) refuse(fmt::format("{} changes for {} parameters", change.size(), values.size()));
  const std::vector<double> L = cutoff_of_each(j, free);
  const double share = share_of_change(j, change, free);
  size_t k = 0;
  for_each_free(j, free, [&](double& value, const auto&...) { value += share * change[k++]; });
  const std::vector<double> aimed_at = cutoff_of_each(j, free);
  limit_cutoffs(system, j);
  const std::vector<double> now = cutoff_of_each(j, free);
  k = 0;
  for_each_free(j, free, [&](double& value, const std::string&, int power, const double*) {
    if (power > 0) value = (value + power * values[k] * (aimed_at[k] / L[k] - 1)) * std::pow(L[k] / now[k], power);
    ++k;
  });
  apply_cusp(system, j);
}

std::vector<std::string> parameter_names(const Jastrow& jastrow, const Free& free) {
  std::vector<std::string> names;
  Jastrow j = jastrow;
  for_each_free(j, free, [&](double&, const std::string& name, const auto&...) { names.push_back(name); });
  return names;
}

}  // namespace suite::vmc
