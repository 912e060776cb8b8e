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
    using K = Basis;
    const HostArguments host(engine, a, std::size(K::arguments),
                             {K::batch_points, K::batch_basis, K::i_basis, K::species, K::basis_atom,
                              K::basis_fn, K::basis_l, K::basis_m},
                             {K::r_grid_min, K::r_grid_inc, K::outer_radius});
    call_ = check_basis(host.get());
    opencl::count_of(a[K::coords], 1, "coords");
    lists_.set(call_.batches, host.integers(K::i_basis));
    grids_.upload(numbers_of(call_.grids));
    std::vector<int32_t> basis;
    l_max_ = 0;
    for (int64_t i = 0; i < a[K::basis_atom].extent[0]; ++i) {
      const int32_t l = host.integers(K::basis_l)[i], m = host.integers(K::basis_m)[i];
      for (const int32_t n :
           {host.integers(K::basis_atom)[i] - 1, host.integers(K::basis_fn)[i] - 1, l * l + l + m, l})
        basis.push_back(n);
      l_max_ = std::max(l_max_, l);
    }
    basis_.upload(basis);
  }

  void execute(const suite_array* a) {
    using K = Basis;
    const int64_t n_batches = call_.batches.count();
    engine.start(text::basis, "functions", "", n_batches, engine.vector(), engine.local(),
                 lists_.batch.at_least(0), lists_.wave_at.at_least(0), lists_.list.at_least(0),
                 memory_of(a[K::coords]), memory_of(a[K::atom_coords]), memory_of(a[K::species]),
                 grids_.at_least(0), basis_.at_least(0), memory_of(a[K::basis_wave_spl]),
                 memory_of(a[K::outer_radius]), memory_of(a[K::wave]), static_cast<cl_int>(n_batches),
                 static_cast<cl_int>(a[K::basis_wave_spl].extent[1]), cl_int(l_max_));
  }

private:
  BasisCall call_;
  SegmentLists lists_;
  int32_t l_max_ = 0;
  Scratch grids_{engine.backend, engine.queue, "the radial grids"},
      basis_{engine.backend, engine.queue, "the basis functions"};
};

}  // namespace

extern const suite_kernel_table basis_table;
constexpr suite_kernel_table basis_table = kernel_table<Basis, BasisCL>("opencl", "opencl");

}  // namespace suite::dfpt::cl
