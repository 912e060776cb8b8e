// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the family that do one thing, on psi(Norb,Nz,Ny,Nx) and fields as they are.
#include "../splitting.hpp"
#include "field.hpp"
#include "sources.hpp"
#include "spheres.hpp"

namespace suite::lfd::cl {
namespace {

using opencl::memory_of;

// Most kernels: an engine, the named choices in front and the knobs behind them; the grid's spacings where
// there are some.
template <class K, const suite_parameter&... choices>
class Plain : public opencl::WithEngine<Engine, K, choices...> {
public:
  using opencl::WithEngine<Engine, K, choices...>::WithEngine;
  void prepare(const suite_array* a) {
    if constexpr (requires { K::h; }) h = three(a[K::h], "h");
  }

protected:
  using opencl::WithEngine<Engine, K, choices...>::engine;
  Three three(const suite_array& array, const char* name) const {
    Three v;
    const std::vector<double> x = engine.read(array, name);
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
    Plain<K, choices...>::prepare(a);
    engine.set_single(is_single(a[K::psi]));
    const Grid g = orbital_grid(a[K::psi], this->h.x);
    arrays_.read(engine, g, a[K::nlpoint], a[K::nldisp], a[K::beta], a[K::dnl]);
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
    using K = KinProp;
    const Grid g = orbital_grid(a[K::psi], h.x);
    const double dt = *static_cast<const double*>(a[K::dt].data);
    check_time_step(dt, g.h, g.n, mass_correction_);
    engine.set_single(is_single(a[K::psi]));
    if (g.n[d_] == 1) return;
    const Counts n(g);
    tables_.set(g, &a[K::k], nullptr, three(a[K::A], "A"), g.h, ones);
    const Rotation r = rotation(splitting_angle(dt, g.h[d_], mass_correction_), part_);
    on_orbitals("kin_prop", engine.orbital_shares(engine.vectors(n.norb), n.points / 2), memory_of(a[K::psi]),
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
    using K = PotProp;
    check_precision("psi", a[K::psi], "u", a[K::u]);
    const Counts n(orbital_grid(a[K::psi]));
    engine.set_single(is_single(a[K::psi]));
    on_orbitals("pot_prop", engine.orbital_shares(engine.vectors(n.norb), n.points), memory_of(a[K::psi]),
                memory_of(a[K::u]), n.nx, n.ny, n.nz, n.norb);
  }
};

class SetPropCL : public Plain<SetProp> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    using K = SetProp;
    check_precision("v", a[K::v], "u", a[K::u]);
    const Counts n(field_grid(a[K::v]));
    engine.set_single(is_single(a[K::v]));
    engine.run(fields_cl, "phases", field_options(engine),
               engine.shares(ceil_div(n.points, engine.vector()), 32), memory_of(a[K::v]), memory_of(a[K::u]),
               cl_int(0), n.nx, n.ny, n.nz, -0.5 * *static_cast<const double*>(a[K::dt].data), 0.0, 0.0, 0.0,
               0.0, 1.0);
  }
};

class PeriodicBcCL : public Plain<PeriodicBc> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const suite_array& psi = a[PeriodicBc::psi];
    Grid g;
    g.norb = psi.extent[0];
    for (int d = 0; d < 3; ++d) g.n[d] = psi.extent[3 - d] - 2;
    if (g.n[0] < 1 || g.n[1] < 1 || g.n[2] < 1) return;
    const Counts n(g);
    engine.set_single(is_single(psi));
    for (int d = 0; d < 3; ++d)
      on_orbitals("ghosts", engine.orbital_shares(n.norb, n.points / g.n[d]), memory_of(psi), n.nx, n.ny,
                  n.nz, n.norb, cl_int(d));
  }
};

class ComputeRhoCL : public Plain<ComputeRho> {
public:
  ComputeRhoCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p), tables_(engine) {}
  void execute(const suite_array* a) {
    using K = ComputeRho;
    check_precision("psi", a[K::psi], "rho", a[K::rho]);
    const Grid g = orbital_grid(a[K::psi]);
    const Counts n(g);
    engine.set_single(is_single(a[K::psi]));
    tables_.set(g, nullptr, &a[K::f], {}, ones, ones);
    opencl::Range range = engine.orbital_shares(1, n.points);
    if (!engine.coarse()) range = {{1, range.global[1], 1}, {1, 1, 1}};
    on_orbitals("density", range, memory_of(a[K::psi]), tables_.f_double(), memory_of(a[K::rho]), n.nx, n.ny,
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
    using K = ComputeVxc;
    const Counts n(field_grid(a[K::rho]));
    engine.set_single(is_single(a[K::rho]));
    engine.run(fields_cl, "compute_vxc", field_options(engine, functional_),
               engine.shares(ceil_div(n.points, engine.vector()), 32), memory_of(a[K::rho]),
               memory_of(a[K::vxc]), memory_or(a[K::exc], memory_of(a[K::vxc])), n.points,
               cl_int(a[K::exc].data != nullptr));
  }

private:
  Functional functional_;
};

class ComputeVCL : public Plain<ComputeV> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    using K = ComputeV;
    const Grid g = field_grid(a[K::vloc], h.x);
    const Counts n(g);
    engine.set_single(is_single(a[K::vloc]));
    const Three E = three(a[K::E], "E");
    engine.run(fields_cl, "compute_v", field_options(engine), engine.shares(n.points, 1024),
               memory_of(a[K::vloc]), memory_of(a[K::vH]), memory_or(a[K::vxc], memory_of(a[K::vloc])),
               memory_of(a[K::v]), n.nx, n.ny, n.nz, cl_int(a[K::vxc].data != nullptr), E.x[0] * g.h[0],
               E.x[1] * g.h[1], E.x[2] * g.h[2]);
  }
};

constexpr suite_parameter form{"variant",
                               2,
                               0,
                               2,
                               field_forms,
                               "loop: the change of all points, then its addition, a launch for each\n"
                               "fused: one loop for each field step [faster]\n"
                               "closed: all steps at once, wave by wave [faster]"};

class FieldPropCL : public Plain<FieldProp, form> {
public:
  FieldPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p), form_(static_cast<int>(p[0])), solver_(engine) {}
  void execute(const suite_array* a) {
    using K = FieldProp;
    const Grid g = field_grid(a[K::rho], h.x);
    engine.set_single(is_single(a[K::rho]));
    solver_.set_steps(g, field_constants(g, a[K::kappa], a[K::gamma], a[K::field_steps]), form_ == 2);
    const cl_mem vH = memory_of(a[K::vH]), rho = memory_of(a[K::rho]);
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
    using K = SpectralFieldSolve;
    engine.set_single(is_single(a[K::rho]));
    solver_.set_solution(field_grid(a[K::rho], h.x), laplacian_);
    solver_.solve(memory_of(a[K::rho]));
    solver_.clear_w();
    solver_.give(memory_of(a[K::vH]));
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
    using K = NlpProp;
    const Grid g = orbital_grid(a[K::psi], h.x);
    if (spheres.empty()) return;
    tables.set(g, &a[K::k], nullptr, three(a[K::A], "A"), g.h, ones);
    spheres.set_time(*static_cast<const double*>(a[K::dt].data));
    spheres.propagate(memory_of(a[K::psi]), nullptr, a[K::A].data || a[K::k].data, tables.waves(),
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
    using K = CalcEnergy;
    check_precision("psi", a[K::psi], "vloc", a[K::vloc]);
    const Grid g = orbital_grid(a[K::psi], h.x);
    const Counts n(g);
    tables.set(g, &a[K::k], &a[K::f], three(a[K::A], "A"), g.h, ones);
    orbital_energies(a, g, n);
    field_energies(a, g, n);
  }

private:
  void orbital_energies(const suite_array* a, const Grid& g, const Counts& n) {
    using K = CalcEnergy;
    const cl_mem psi = memory_of(a[K::psi]), ekin = memory_of(a[K::ekin]), enl = memory_of(a[K::enl]);
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
      spheres.energies(psi, a[K::A].data || a[K::k].data, tables.waves(), enl);
    else
      sum(enl, 0);  // the sum of nothing
  }
  void field_energies(const suite_array* a, const Grid& g, const Counts& n) {
    using K = CalcEnergy;
    const cl_mem field_partial = field_partial_.at_least(3 * sizeof(double) * static_cast<size_t>(n.nx));
    const std::string with = field_options(engine, functional_);
    engine.run(fields_cl, "field_energies", with, engine.shares(n.nx), memory_of(a[K::vloc]),
               memory_of(a[K::vH]), memory_of(a[K::rho]), field_partial, n.nx, cl_int(n.ny * n.nz));
    engine.run(fields_cl, "add_energies", with, {{1, 1, 1}, {1, 1, 1}}, field_partial, memory_of(a[K::f]),
               memory_of(a[K::ekin]), memory_of(a[K::enl]), memory_of(a[K::energy]), n.nx, n.norb,
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
