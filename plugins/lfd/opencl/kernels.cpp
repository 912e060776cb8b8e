// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the family that do one thing, on psi(Norb,Nz,Ny,Nx) and fields as they are.
#include "../splitting.hpp"
#include "field.hpp"
#include "sources.hpp"
#include "spheres.hpp"

namespace suite::lfd::cl {
namespace {

using opencl::memory_of;

// Most kernels: an engine, the named choices in front and the knobs behind them.
class Plain {
public:
  Plain(const suite_backend* backend, suite_queue* queue, const int64_t* knobs, const char* name)
      : engine(backend, queue, {knobs[0], knobs[1]}, name) {}

protected:
  Three three(const suite_array& array, const char* name) const {
    Three v;
    const std::vector<double> x = engine.read(array, name);
    std::copy_n(x.begin(), std::min<size_t>(x.size(), 3), v.x);
    return v;
  }
  Engine engine;
};

constexpr double ones[] = {1, 1, 1};

class KinPropCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {parameter::d, parameter::p, parameter::mass_correction,
                                                   vector_parameter, local_parameter};
  KinPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p + 3, KinProp::name),
        d_(static_cast<int>(p[0])),
        part_(static_cast<Part>(p[1])),
        mass_correction_(p[2] != 0),
        tables_(engine) {}

  void prepare(const suite_array* a) { h_ = three(a[KinProp::h], "h"); }
  void execute(const suite_array* a) {
    using K = KinProp;
    const Grid g = orbital_grid(a[K::psi], h_.x);
    const double dt = *static_cast<const double*>(a[K::dt].data);
    check_time_step(dt, g.h, g.n, mass_correction_);
    engine.set_single(is_single(a[K::psi]));
    if (g.n[d_] == 1) return;
    const Counts n(g);
    tables_.set(g, &a[K::k], nullptr, three(a[K::A], "A"), g.h, ones);
    const Rotation r = rotation(splitting_angle(dt, g.h[d_], mass_correction_), part_);
    engine.run(orbitals_cl, "kin_prop", define("BLOCKS", 0),
               engine.orbital_shares(engine.vectors(n.norb), n.points / 2), memory_of(a[K::psi]),
               tables_.bonds(), n.nx, n.ny, n.nz, n.norb, cl_int(d_), cl_int(part_ == Part::full),
               r.em.real(), r.em.imag());
  }

private:
  int d_;
  Part part_;
  bool mass_correction_;
  Three h_;
  Tables tables_;
};

class PotPropCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {vector_parameter, local_parameter};
  PotPropCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p, PotProp::name) {}
  void execute(const suite_array* a) {
    using K = PotProp;
    check_precision("psi", a[K::psi], "u", a[K::u]);
    const Grid g = orbital_grid(a[K::psi]);
    const Counts n(g);
    engine.set_single(is_single(a[K::psi]));
    engine.run(orbitals_cl, "pot_prop", define("BLOCKS", 0),
               engine.orbital_shares(engine.vectors(n.norb), n.points), memory_of(a[K::psi]),
               memory_of(a[K::u]), n.nx, n.ny, n.nz, n.norb);
  }
};

class SetPropCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {vector_parameter, local_parameter};
  SetPropCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p, SetProp::name) {}
  void execute(const suite_array* a) {
    using K = SetProp;
    check_precision("v", a[K::v], "u", a[K::u]);
    const Grid g = field_grid(a[K::v]);
    const Counts n(g);
    engine.set_single(is_single(a[K::v]));
    engine.run(fields_cl, "phases", field_options(engine),
               engine.shares(ceil_div(n.points, engine.vector()), 32), memory_of(a[K::v]), memory_of(a[K::u]),
               cl_int(0), n.nx, n.ny, n.nz, -0.5 * *static_cast<const double*>(a[K::dt].data), 0.0, 0.0, 0.0,
               0.0, 1.0);
  }
};

class PeriodicBcCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {vector_parameter, local_parameter};
  PeriodicBcCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p, PeriodicBc::name) {}
  void execute(const suite_array* a) {
    const suite_array& psi = a[PeriodicBc::psi];
    Grid g;
    g.norb = psi.extent[0];
    for (int d = 0; d < 3; ++d) g.n[d] = psi.extent[3 - d] - 2;
    if (g.n[0] < 1 || g.n[1] < 1 || g.n[2] < 1) return;
    const Counts n(g);
    engine.set_single(is_single(psi));
    for (int d = 0; d < 3; ++d)
      engine.run(orbitals_cl, "ghosts", define("BLOCKS", 0), engine.orbital_shares(n.norb, n.points / g.n[d]),
                 memory_of(psi), n.nx, n.ny, n.nz, n.norb, cl_int(d));
  }
};

class ComputeRhoCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {vector_parameter, local_parameter};
  ComputeRhoCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p, ComputeRho::name), tables_(engine) {}
  void execute(const suite_array* a) {
    using K = ComputeRho;
    check_precision("psi", a[K::psi], "rho", a[K::rho]);
    const Grid g = orbital_grid(a[K::psi]);
    const Counts n(g);
    engine.set_single(is_single(a[K::psi]));
    tables_.set(g, nullptr, &a[K::f], {}, ones, ones);
    opencl::Range range = engine.orbital_shares(1, n.points);
    if (!engine.coarse()) range = {{1, range.global[1], 1}, {1, 1, 1}};
    engine.run(orbitals_cl, "density", define("BLOCKS", 0), range, memory_of(a[K::psi]), tables_.f_double(),
               memory_of(a[K::rho]), n.nx, n.ny, n.nz, n.norb);
  }

private:
  Tables tables_;
};

class ComputeVxcCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {parameter::functional_of_density, vector_parameter,
                                                   local_parameter};
  ComputeVxcCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p + 1, ComputeVxc::name), functional_(static_cast<Functional>(p[0] + 1)) {}
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

class ComputeVCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {vector_parameter, local_parameter};
  ComputeVCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p, ComputeV::name) {}
  void prepare(const suite_array* a) { h_ = three(a[ComputeV::h], "h"); }
  void execute(const suite_array* a) {
    using K = ComputeV;
    const Grid g = field_grid(a[K::vloc], h_.x);
    const Counts n(g);
    engine.set_single(is_single(a[K::vloc]));
    const Three E = three(a[K::E], "E");
    engine.run(fields_cl, "compute_v", field_options(engine), engine.shares(n.points, 1024),
               memory_of(a[K::vloc]), memory_of(a[K::vH]), memory_or(a[K::vxc], memory_of(a[K::vloc])),
               memory_of(a[K::v]), n.nx, n.ny, n.nz, cl_int(a[K::vxc].data != nullptr), E.x[0] * g.h[0],
               E.x[1] * g.h[1], E.x[2] * g.h[2]);
  }

private:
  Three h_;
};

class FieldPropCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", 2, 0, 2, field_forms,
       "loop: the change of all points, then its addition, a launch for each\n"
       "fused: one loop for each field step [faster]\n"
       "closed: all steps at once, wave by wave [faster]"},
      vector_parameter,
      local_parameter};
  FieldPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p + 1, FieldProp::name), form_(static_cast<int>(p[0])), solver_(engine) {}
  void prepare(const suite_array* a) { h_ = three(a[FieldProp::h], "h"); }
  void execute(const suite_array* a) {
    using K = FieldProp;
    const Grid g = field_grid(a[K::rho], h_.x);
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
  Three h_;
};

class SpectralFieldSolveCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {parameter::laplacian, vector_parameter, local_parameter};
  SpectralFieldSolveCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p + 1, SpectralFieldSolve::name),
        laplacian_(static_cast<Laplacian>(p[0])),
        solver_(engine) {}
  void prepare(const suite_array* a) { h_ = three(a[SpectralFieldSolve::h], "h"); }
  void execute(const suite_array* a) {
    using K = SpectralFieldSolve;
    engine.set_single(is_single(a[K::rho]));
    solver_.set_solution(field_grid(a[K::rho], h_.x), laplacian_);
    solver_.solve(memory_of(a[K::rho]));
    solver_.clear_w();
    solver_.give(memory_of(a[K::vH]));
  }

private:
  Laplacian laplacian_;
  FieldSolver solver_;
  Three h_;
};

class NlpPropCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {parameter::order, vector_parameter, local_parameter};
  NlpPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p + 1, NlpProp::name), descending_(p[0] != 0), tables_(engine), spheres_(engine, false) {}
  void prepare(const suite_array* a) {
    using K = NlpProp;
    h_ = three(a[K::h], "h");
    engine.set_single(is_single(a[K::psi]));
    const Grid g = orbital_grid(a[K::psi], h_.x);
    arrays_.read(engine, g, a[K::nlpoint], a[K::nldisp], a[K::beta], a[K::dnl]);
    spheres_.set(arrays_, g);
  }
  void execute(const suite_array* a) {
    using K = NlpProp;
    const Grid g = orbital_grid(a[K::psi], h_.x);
    if (spheres_.empty()) return;
    const Three A = three(a[K::A], "A");
    tables_.set(g, &a[K::k], nullptr, A, g.h, ones);
    spheres_.set_time(*static_cast<const double*>(a[K::dt].data));
    spheres_.propagate(memory_of(a[K::psi]), nullptr, a[K::A].data || a[K::k].data, tables_.waves(),
                       descending_);
  }

private:
  bool descending_;
  Three h_;
  SphereArrays arrays_;
  Tables tables_;
  Spheres spheres_;
};

class CalcEnergyCL : Plain {
public:
  static constexpr suite_parameter parameters[] = {parameter::functional, vector_parameter, local_parameter};
  CalcEnergyCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p + 1, CalcEnergy::name),
        functional_(static_cast<Functional>(p[0])),
        tables_(engine),
        spheres_(engine, false),
        partial_(b, q, "the energies by plane"),
        field_partial_(b, q, "the field's energies by plane") {}
  void prepare(const suite_array* a) {
    using K = CalcEnergy;
    h_ = three(a[K::h], "h");
    engine.set_single(is_single(a[K::psi]));
    const Grid g = orbital_grid(a[K::psi], h_.x);
    arrays_.read(engine, g, a[K::nlpoint], a[K::nldisp], a[K::beta], a[K::dnl]);
    spheres_.set(arrays_, g);
  }
  void execute(const suite_array* a) {
    using K = CalcEnergy;
    check_precision("psi", a[K::psi], "vloc", a[K::vloc]);
    const Grid g = orbital_grid(a[K::psi], h_.x);
    const Counts n(g);
    const cl_mem psi = memory_of(a[K::psi]), ekin = memory_of(a[K::ekin]), enl = memory_of(a[K::enl]);
    const double dr = g.volume_element();
    tables_.set(g, &a[K::k], &a[K::f], three(a[K::A], "A"), g.h, ones);

    const auto padded = static_cast<cl_int>(engine.padded(n.norb));
    const cl_mem partial =
        partial_.at_least(sizeof(double) * static_cast<size_t>(padded) * static_cast<size_t>(n.nx));
    double weight[3];
    for (int d = 0; d < 3; ++d) weight[d] = g.n[d] > 1 ? 1 / (2 * g.h[d] * g.h[d]) : 0;
    const std::string options = define("BLOCKS", 0);
    engine.run(orbitals_cl, "kinetic_energies", options, engine.orbital_shares(engine.vectors(n.norb), n.nx),
               psi, tables_.bonds(), partial, n.nx, n.ny, n.nz, n.norb, weight[0], weight[1], weight[2]);
    const auto norb = static_cast<size_t>(n.norb);
    engine.run(orbitals_cl, "sum_partials", options, {{norb, 1, 1}, {1, 1, 1}}, partial, ekin, n.nx, padded,
               n.norb, cl_int(0), dr);
    if (!spheres_.empty())
      spheres_.energies(psi, a[K::A].data || a[K::k].data, tables_.waves(), enl);
    else  // the sum of nothing
      engine.run(orbitals_cl, "sum_partials", options, {{norb, 1, 1}, {1, 1, 1}}, partial, enl, cl_int(0),
                 padded, n.norb, cl_int(0), dr);

    const cl_mem field_partial = field_partial_.at_least(3 * sizeof(double) * static_cast<size_t>(n.nx));
    const std::string with = field_options(engine, functional_);
    engine.run(fields_cl, "field_energies", with, engine.shares(n.nx), memory_of(a[K::vloc]),
               memory_of(a[K::vH]), memory_of(a[K::rho]), field_partial, n.nx, cl_int(n.ny * n.nz));
    engine.run(fields_cl, "add_energies", with, {{1, 1, 1}, {1, 1, 1}}, field_partial, memory_of(a[K::f]),
               ekin, enl, memory_of(a[K::energy]), n.nx, n.norb, dr);
  }

private:
  Functional functional_;
  Three h_;
  SphereArrays arrays_;
  Tables tables_;
  Spheres spheres_;
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
