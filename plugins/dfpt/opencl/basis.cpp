// SPDX-License-Identifier: BSD-3-Clause
// dfpt.basis
#include "segment_lists.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

class BasisCL : public opencl::WithEngine<Engine, Basis> {
public:
  BasisCL(const suite_backend* b, suite_queue* q, const int64_t* p) : WithEngine(b, q, p), lists_(engine) {}

  void prepare(const suite_array* a) {
    const HostCopies<Basis> host(engine, a,
                                 {"batch_points", "batch_basis", "i_basis", "species", "basis_atom", "basis_fn", "basis_l", "basis_m",
                                  "r_grid_min", "r_grid_inc", "outer_radius"});
    call_ = check_basis(*host);
    opencl::count_of(host->coords, 1, "coords");
    lists_.set(call_.batches, host->i_basis.data());
    grids_.upload(numbers_of(call_.grids));
    std::vector<int32_t> basis;
    l_max_ = 0;
    for (int64_t i = 0; i < host->n_basis(); ++i) {
      const int32_t l = host->basis_l(i), m = host->basis_m(i);
      for (const int32_t n : {host->basis_atom(i) - 1, host->basis_fn(i) - 1, l * l + l + m, l}) basis.push_back(n);
      l_max_ = std::max(l_max_, l);
    }
    basis_.upload(basis);
  }

  void execute(const suite_array* a) {
    const Basis c(a);
    const int64_t n_batches = call_.batches.count();
    engine.start(text::basis, "functions", "", n_batches, engine.vector(), engine.local(), lists_.batch.at_least(0),
                 lists_.wave_at.at_least(0), lists_.list.at_least(0), memory_of(c.coords), memory_of(c.atom_coords), memory_of(c.species),
                 grids_.at_least(0), basis_.at_least(0), memory_of(c.basis_wave_spl), memory_of(c.outer_radius), memory_of(c.wave),
                 static_cast<cl_int>(n_batches), static_cast<cl_int>(c.n_grid()), cl_int(l_max_));
  }

private:
  BasisCall call_;
  SegmentLists lists_;
  int32_t l_max_ = 0;
  Scratch grids_{engine.backend, engine.queue, "the radial grids"}, basis_{engine.backend, engine.queue, "the basis functions"};
};

}  // namespace

}  // namespace suite::dfpt::cl

const suite_kernel_table* suite::dfpt::basis_table() {
  static constexpr suite_kernel_table table = kernel_table<Basis, cl::BasisCL>("opencl", "opencl");
  return &table;
}
