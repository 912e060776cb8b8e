// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the family that do one thing, on psi(Norb,Nz,Ny,Nx) and fields as they are.
#include "../splitting.hpp"
#include "../steps.hpp"
#include "field.hpp"
#include "sources.hpp"
#include "spheres.hpp"

namespace suite::lfd::cl {
namespace {

// Most kernels: an engine, the named choices in front and the knobs behind them; the grid's spacings where
// there are some.
template <class K, const suite_parameter&... choices>
class Plain : public opencl::WithEngine<Engine, K, choices...> {
public:
  using opencl::WithEngine<Engine, K, choices...>::WithEngine;
  void prepare(const suite_array* a) {
    if constexpr (requires { K::h; }) h = three(K(a).h, "h");
  }

protected:
  using opencl::WithEngine<Engine, K, choices...>::engine;
  Three three(const Argument<real, 1, false>& argument, const char* name) const {
    Three v;
    const std::vector<double> x = engine.read(argument.array(), name);
    std::copy_n(x.begin(), std::min<size_t>(x.size(), 3), v.x);
    return v;
  }
  // A kernel of orbitals.cl on psi as it is, not in blocks.
  template <class... Arguments>
  void on_orbitals(const char* name, const opencl::Range& range, const Arguments&... arguments) {
    engine.run(orbitals_cl, name, define("BLOCKS", 0), range, arguments...);
  }
  Three h;
};

// And those with a nonlocal pseudopotential.
template <class K, const suite_parameter&... choices>
class Nonlocal : public Plain<K, choices...> {
public:
  Nonlocal(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain<K, choices...>(b, q, p), tables(engine), spheres(engine, false) {}
  void prepare(const suite_array* a) {
    const K c(a);
    Plain<K, choices...>::prepare(a);
    engine.set_single(is_single(c.psi.array()));
    const Grid g = orbital_grid(c.psi, this->h.x);
    arrays_.read(engine, g, c.nonlocal);
    spheres.set(arrays_, g);
  }

protected:
  using Plain<K, choices...>::engine;
  Tables tables;
  Spheres spheres;

private:
  SphereArrays arrays_;
};

constexpr double ones[] = {1, 1, 1};

class KinPropCL : public Plain<KinProp, parameter::d, parameter::p, parameter::mass_correction> {
public:
  KinPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p),
        d_(static_cast<int>(p[0])),
        part_(static_cast<Part>(p[1])),
        mass_correction_(p[2] != 0),
        tables_(engine) {}
  void execute(const suite_array* a) {
    const KinProp c(a);
    const Grid g = orbital_grid(c.psi, h.x);
    check_time_step(c.dt, g.h, g.n, mass_correction_);
    engine.set_single(is_single(c.psi.array()));
    if (g.n[d_] == 1) return;
    const Counts n(g);
    tables_.set(g, memory_of(c.k), nullptr, three(c.A, "A"), g.h, ones);
    const Rotation r = rotation(splitting_angle(c.dt, g.h[d_], mass_correction_), part_);
    on_orbitals("kin_prop", engine.orbital_shares(engine.vectors(n.norb), n.points / 2), memory_of(c.psi),
                tables_.bonds(), n.nx, n.ny, n.nz, n.norb, cl_int(d_), cl_int(part_ == Part::full),
                r.em.real(), r.em.imag());
  }

private:
  int d_;
  Part part_;
  bool mass_correction_;
  Tables tables_;
};

class PotPropCL : public Plain<PotProp> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const PotProp c(a);
    check_precision("psi", c.psi, "u", c.u);
    const Counts n(orbital_grid(c.psi));
    engine.set_single(is_single(c.psi.array()));
    on_orbitals("pot_prop", engine.orbital_shares(engine.vectors(n.norb), n.points), memory_of(c.psi),
                memory_of(c.u), n.nx, n.ny, n.nz, n.norb);
  }
};

class SetPropCL : public Plain<SetProp> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const SetProp c(a);
    check_precision("v", c.v, "u", c.u);
    const Counts n(field_grid(c.v));
    engine.set_single(is_single(c.v.array()));
    engine.run(fields_cl, "phases", field_options(engine),
               engine.shares(ceil_div(n.points, engine.vector()), 32), memory_of(c.v), memory_of(c.u),
               cl_int(0), n.nx, n.ny, n.nz, -0.5 * c.dt, 0.0, 0.0, 0.0,
               0.0, 1.0);
  }
};

class PeriodicBcCL : public Plain<PeriodicBc> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const PeriodicBc c(a);
    Grid g;
    g.norb = c.psi.extent(0);
    for (int d = 0; d < 3; ++d) g.n[d] = c.psi.extent(3 - d) - 2;
    if (g.n[0] < 1 || g.n[1] < 1 || g.n[2] < 1) return;
    const Counts n(g);
    engine.set_single(is_single(c.psi.array()));
    for (int d = 0; d < 3; ++d)
      on_orbitals("ghosts", engine.orbital_shares(n.norb, n.points / g.n[d]), memory_of(c.psi), n.nx, n.ny,
                  n.nz, n.norb, cl_int(d));
  }
};

class ComputeRhoCL : public Plain<ComputeRho> {
public:
  ComputeRhoCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p), tables_(engine) {}
  void execute(const suite_array* a) {
    const ComputeRho c(a);
    check_precision("psi", c.psi, "rho", c.rho);
    const Grid g = orbital_grid(c.psi);
    const Counts n(g);
    engine.set_single(is_single(c.psi.array()));
    tables_.set(g, nullptr, memory_of(c.f), {}, ones, ones);
    opencl::Range range = engine.orbital_shares(1, n.points);
    if (!engine.coarse()) range = {{1, range.global[1], 1}, {1, 1, 1}};
    on_orbitals("density", range, memory_of(c.psi), tables_.f_double(), memory_of(c.rho), n.nx, n.ny,
                n.nz, n.norb);
  }

private:
  Tables tables_;
};

class ComputeVxcCL : public Plain<ComputeVxc, parameter::functional_of_density> {
public:
  ComputeVxcCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p), functional_(static_cast<Functional>(p[0] + 1)) {}
  void execute(const suite_array* a) {
    const ComputeVxc c(a);
    const Counts n(field_grid(c.rho));
    engine.set_single(is_single(c.rho.array()));
    engine.run(fields_cl, "compute_vxc", field_options(engine, functional_),
               engine.shares(ceil_div(n.points, engine.vector()), 32), memory_of(c.rho),
               memory_of(c.vxc), memory_or(c.exc.array(), memory_of(c.vxc)), n.points,
               cl_int(bool(c.exc)));
  }

private:
  Functional functional_;
};

class ComputeVCL : public Plain<ComputeV> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const ComputeV c(a);
    const Grid g = field_grid(c.vloc, h.x);
    const Counts n(g);
    engine.set_single(is_single(c.vloc.array()));
    const Three E = three(c.E, "E");
    engine.run(fields_cl, "compute_v", field_options(engine), engine.shares(n.points, 1024),
               memory_of(c.vloc), memory_of(c.vH), memory_or(c.vxc.array(), memory_of(c.vloc)),
               memory_of(c.v), n.nx, n.ny, n.nz, cl_int(bool(c.vxc)), E.x[0] * g.h[0],
               E.x[1] * g.h[1], E.x[2] * g.h[2]);
  }
};

constexpr auto forms = with_meaning(field_forms, {{"loop", "the change of all points, then its addition, a launch for each"}});
constexpr suite_parameter form = variant("variant", 2, forms, field_variant);

class FieldPropCL : public Plain<FieldProp, form> {
public:
  FieldPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p), form_(static_cast<int>(p[0])), solver_(engine) {}
  void execute(const suite_array* a) {
    const FieldProp c(a);
    const Grid g = field_grid(c.rho, h.x);
    engine.set_single(is_single(c.rho.array()));
    solver_.set_steps(g, field_constants(g, c.wave), form_ == 2);
    const cl_mem vH = memory_of(c.vH), rho = memory_of(c.rho);
    solver_.take(vH);
    if (form_ == 0) solver_.loop(rho, Start::queue);
    if (form_ == 1) solver_.fused(rho);
    if (form_ == 2) {
      solver_.begin_closed();
      solver_.closed(rho);
      solver_.end_closed();
    }
    solver_.give(vH);
  }

private:
  int form_;
  FieldSolver solver_;
};

class SpectralFieldSolveCL : public Plain<SpectralFieldSolve, parameter::laplacian> {
public:
  SpectralFieldSolveCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p), laplacian_(static_cast<Laplacian>(p[0])), solver_(engine) {}
  void execute(const suite_array* a) {
    const SpectralFieldSolve c(a);
    engine.set_single(is_single(c.rho.array()));
    solver_.set_solution(field_grid(c.rho, h.x), laplacian_);
    solver_.solve(memory_of(c.rho));
    solver_.clear_w();
    solver_.give(memory_of(c.vH));
  }

private:
  Laplacian laplacian_;
  FieldSolver solver_;
};

class NlpPropCL : public Nonlocal<NlpProp, parameter::order> {
public:
  NlpPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Nonlocal(b, q, p), descending_(p[0] != 0) {}
  void execute(const suite_array* a) {
    const NlpProp c(a);
    const Grid g = orbital_grid(c.psi, h.x);
    if (spheres.empty()) return;
    tables.set(g, memory_of(c.k), nullptr, three(c.A, "A"), g.h, ones);
    spheres.set_time(c.dt);
    spheres.propagate(memory_of(c.psi), nullptr, c.A || c.k, tables.waves(),
                      descending_);
  }

private:
  bool descending_;
};

class CalcEnergyCL : public Nonlocal<CalcEnergy, parameter::functional> {
public:
  CalcEnergyCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Nonlocal(b, q, p),
        functional_(static_cast<Functional>(p[0])),
        partial_(b, q, "the energies by plane"),
        field_partial_(b, q, "the field's energies by plane") {}
  void execute(const suite_array* a) {
    const CalcEnergy c(a);
    check_precision("psi", c.psi, "vloc", c.vloc);
    const Grid g = orbital_grid(c.psi, h.x);
    const Counts n(g);
    tables.set(g, memory_of(c.k), memory_of(c.f), three(c.A, "A"), g.h, ones);
    orbital_energies(c, g, n);
    field_energies(c, g, n);
  }

private:
  void orbital_energies(const CalcEnergy& c, const Grid& g, const Counts& n) {
    const cl_mem psi = memory_of(c.psi), ekin = memory_of(c.ekin), enl = memory_of(c.enl);
    const auto padded = static_cast<cl_int>(engine.padded(n.norb));
    const cl_mem partial =
        partial_.at_least(sizeof(double) * static_cast<size_t>(padded) * static_cast<size_t>(n.nx));
    double weight[3];
    for (int d = 0; d < 3; ++d) weight[d] = g.n[d] > 1 ? 1 / (2 * g.h[d] * g.h[d]) : 0;
    on_orbitals("kinetic_energies", engine.orbital_shares(engine.vectors(n.norb), n.nx), psi, tables.bonds(),
                partial, n.nx, n.ny, n.nz, n.norb, weight[0], weight[1], weight[2]);
    const auto sum = [&](cl_mem to, cl_int planes) {
      on_orbitals("sum_partials", {{static_cast<size_t>(n.norb), 1, 1}, {1, 1, 1}}, partial, to, planes,
                  padded, n.norb, cl_int(0), g.volume_element());
    };
    sum(ekin, n.nx);
    if (!spheres.empty())
      spheres.energies(psi, c.A || c.k, tables.waves(), enl);
    else
      sum(enl, 0);  // the sum of nothing
  }
  void field_energies(const CalcEnergy& c, const Grid& g, const Counts& n) {
    const cl_mem field_partial = field_partial_.at_least(3 * sizeof(double) * static_cast<size_t>(n.nx));
    const std::string with = field_options(engine, functional_);
    engine.run(fields_cl, "field_energies", with, engine.shares(n.nx), memory_of(c.vloc),
               memory_of(c.vH), memory_of(c.rho), field_partial, n.nx, cl_int(n.ny * n.nz));
    engine.run(fields_cl, "add_energies", with, {{1, 1, 1}, {1, 1, 1}}, field_partial, memory_of(c.f),
               memory_of(c.ekin), memory_of(c.enl), memory_of(c.energy), n.nx, n.norb,
               g.volume_element());
  }

  Functional functional_;
  opencl::Scratch partial_, field_partial_;
};

}  // namespace

extern const suite_kernel_table kin_prop_table, pot_prop_table, set_prop_table, periodic_bc_table,
    compute_rho_table, compute_vxc_table, compute_v_table, field_prop_table, spectral_field_solve_table,
    nlp_prop_table, calc_energy_table;
constexpr suite_kernel_table kin_prop_table = kernel_table<KinProp, KinPropCL>("opencl", "opencl");
constexpr suite_kernel_table pot_prop_table = kernel_table<PotProp, PotPropCL>("opencl", "opencl");
constexpr suite_kernel_table set_prop_table = kernel_table<SetProp, SetPropCL>("opencl", "opencl");
constexpr suite_kernel_table periodic_bc_table = kernel_table<PeriodicBc, PeriodicBcCL>("opencl", "opencl");
constexpr suite_kernel_table compute_rho_table = kernel_table<ComputeRho, ComputeRhoCL>("opencl", "opencl");
constexpr suite_kernel_table compute_vxc_table = kernel_table<ComputeVxc, ComputeVxcCL>("opencl", "opencl");
constexpr suite_kernel_table compute_v_table = kernel_table<ComputeV, ComputeVCL>("opencl", "opencl");
constexpr suite_kernel_table field_prop_table = kernel_table<FieldProp, FieldPropCL>("opencl", "opencl");
constexpr suite_kernel_table spectral_field_solve_table =
    kernel_table<SpectralFieldSolve, SpectralFieldSolveCL>("opencl", "opencl");
constexpr suite_kernel_table nlp_prop_table = kernel_table<NlpProp, NlpPropCL>("opencl", "opencl");
constexpr suite_kernel_table calc_energy_table = kernel_table<CalcEnergy, CalcEnergyCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
