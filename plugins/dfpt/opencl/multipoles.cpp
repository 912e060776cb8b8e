// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles
#include "engine.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

class MultipolesCL : public opencl::WithEngine<Engine, Multipoles> {
public:
  using WithEngine::WithEngine;

  // The points of each shell of each atom.
  void prepare(const suite_array* a) {
    const HostCopies<Multipoles> host(engine, a, {"point_atom", "point_shell"});
    l_max_ = check_multipoles(*host);
    opencl::count_of(host->coords, 1, "coords");
    const int64_t n_radial = host->n_radial(), n_points = host->n_points();
    shells_ = n_radial * host->n_atoms();
    as_int(shells_, "shells");
    const auto shell_of = [&](int64_t p) {
      return at(n_radial * (host->point_atom(p) - 1) + host->point_shell(p) - 1);
    };
    std::vector<int32_t> first(at(shells_ + 1)), points(at(n_points));
    for (int64_t p = 0; p < n_points; ++p) ++first[shell_of(p) + 1];
    for (size_t s = 0; s + 1 < first.size(); ++s) first[s + 1] += first[s];
    std::vector<int32_t> place = first;
    for (int64_t p = 0; p < n_points; ++p) points[at(place[shell_of(p)]++)] = static_cast<int32_t>(p);
    first_.upload(first);
    points_.upload(points);
  }

  void execute(const suite_array* a) {
    const Multipoles c(a);
    const int items = engine.local();
    if (shells_ == 0) return;
    engine.start(text::multipoles, "project", "", ceil_div(shells_, items), engine.vector(), items,
                 memory_of(c.coords), memory_of(c.atom_coords), first_.at_least(0), points_.at_least(0),
                 memory_of(c.projection_weight), memory_of(c.rho), memory_of(c.rho_multipole),
                 static_cast<cl_int>(c.n_radial()), static_cast<cl_int>(c.n_atoms()),
                 static_cast<cl_int>(c.n_points()), static_cast<cl_int>(c.n_dir()), cl_int(l_max_));
  }

private:
  int l_max_ = 0;
  int64_t shells_ = 0;
  Scratch first_{engine.backend, engine.queue, "the points of shells"},
      points_{engine.backend, engine.queue, "the points of shells"};
};

}  // namespace

extern const suite_kernel_table multipoles_table;
constexpr suite_kernel_table multipoles_table = kernel_table<Multipoles, MultipolesCL>("opencl", "opencl");

}  // namespace suite::dfpt::cl
