// SPDX-License-Identifier: BSD-3-Clause
// lfd.calc_energy in OpenCL: orbitals by planes, fields by planes, then their sums.
#include "field.hpp"
#include "kernels.hpp"
#include "lines.hpp"

namespace suite::lfd::cl {
namespace {

class CalcEnergyCL : public Nonlocal<CalcEnergy, parameter::functional, parameter::kinetic_of_energy> {
public:
  CalcEnergyCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Nonlocal(b, q, p),
        functional_(static_cast<Functional>(p[0])),
        kinetic_(static_cast<Kinetic>(p[1])),
        lines_(engine, false),
        partial_(b, q, "the energies by plane"),
        field_partial_(b, q, "the field's energies by plane") {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) {
    return CalcEnergy::cost_with(a, static_cast<Kinetic>(p[1]), cost);
  }
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
    const cl_mem partial = partial_.at_least(sizeof(double) * static_cast<size_t>(padded) * static_cast<size_t>(std::max(n.nx, n.ny)));
    double weight[3];
    for (int d = 0; d < 3; ++d) weight[d] = g.n[d] > 1 ? 1 / (2 * g.h[d] * g.h[d]) : 0;
    if (kinetic_ == Kinetic::fourier) {
      lines_.set(g);
      lines_.energies(psi, tables.waves(), partial);
    } else {
      on_orbitals("kinetic_energies", engine.orbital_shares(engine.vectors(n.norb), n.nx), psi, tables.bonds(), partial, n.nx, n.ny, n.nz,
                  n.norb, weight[0], weight[1], weight[2]);
    }
    const auto sum = [&](cl_mem to, cl_int planes) {
      on_orbitals("sum_partials", {{static_cast<size_t>(n.norb), 1, 1}, {1, 1, 1}}, partial, to, planes, padded, n.norb, cl_int(0),
                  g.volume_element());
    };
    sum(ekin, kinetic_ == Kinetic::fourier ? lines_.rows() : n.nx);
    if (!spheres.empty()) spheres.energies(psi, c.A || c.k, tables.waves(), enl);
    else sum(enl, 0);  // the sum of nothing
  }
  void field_energies(const CalcEnergy& c, const Grid& g, const Counts& n) {
    const cl_mem field_partial = field_partial_.at_least(3 * sizeof(double) * static_cast<size_t>(n.nx));
    const std::string with = field_options(engine, functional_);
    engine.run(fields_cl, "field_energies", with, engine.shares(n.nx), memory_of(c.vloc), memory_of(c.vH), memory_of(c.rho), field_partial,
               n.nx, cl_int(n.ny * n.nz));
    engine.run(fields_cl, "add_energies", with, {{1, 1, 1}, {1, 1, 1}}, field_partial, memory_of(c.f), memory_of(c.ekin), memory_of(c.enl),
               memory_of(c.energy), n.nx, n.norb, g.volume_element());
  }

  Functional functional_;
  Kinetic kinetic_;
  Lines lines_;
  opencl::Scratch partial_, field_partial_;
};

}  // namespace

extern const suite_kernel_table calc_energy_table;
constexpr suite_kernel_table calc_energy_table = kernel_table<CalcEnergy, CalcEnergyCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
