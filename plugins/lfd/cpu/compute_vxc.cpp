// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_vxc: the formulas of ../functional.hpp in vectors.
#include "../functional.hpp"
#include "../parameters.hpp"
#include "kernels.hpp"
#include "vxc.hpp"

namespace suite::lfd {
namespace {

template <Functional functional, class T> void each_point(const T* rho, T* vxc, T* exc, int64_t begin, int64_t end) {
  if (exc) {
#pragma omp simd
    for (int64_t p = begin; p < end; ++p) {
      const auto xc = exchange_correlation<functional, T, VectorMath>(rho[p]);
      vxc[p] = xc.vxc;
      exc[p] = xc.exc;
    }
  } else {
#pragma omp simd
    for (int64_t p = begin; p < end; ++p) vxc[p] = exchange_correlation<functional, T, VectorMath>(rho[p]).vxc;
  }
}

}  // namespace

template <class T> void exchange_correlation_of(Functional functional, const T* rho, T* vxc, T* exc, int64_t begin, int64_t end) {
  switch (functional) {
    case Functional::none:
      std::fill(vxc + begin, vxc + end, T(0));
      if (exc) std::fill(exc + begin, exc + end, T(0));
      return;
    case Functional::pw92: return each_point<Functional::pw92>(rho, vxc, exc, begin, end);
    case Functional::pz81: return each_point<Functional::pz81>(rho, vxc, exc, begin, end);
  }
}

template void exchange_correlation_of(Functional, const float*, float*, float*, int64_t, int64_t);
template void exchange_correlation_of(Functional, const double*, double*, double*, int64_t, int64_t);

namespace {

class Cpu : public cpu::WithThreads<parameter::functional_of_density> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithThreads(b, q, p), functional_(p[0] == 0 ? Functional::pw92 : Functional::pz81) {}

  void execute(const suite_array* a) {
    const ComputeVxc c(a);
    const int64_t points = field_grid(c.rho).points();
    by_precision(c.rho.array(), [&](auto type) {
      using T = decltype(type);
      const T* const rho = c.rho.as<real_of<T>>().data();
      T *const vxc = c.vxc.as<real_of<T>>().data(), *const exc = c.exc.as<real_of<T>>().data();
      in_parallel(threads_, points, 4096,
                  [&](int64_t begin, int64_t end) { exchange_correlation_of(functional_, rho, vxc, exc, begin, end); });
    });
  }

private:
  Functional functional_;
};

}  // namespace

extern const suite_kernel_table compute_vxc_table;
constexpr suite_kernel_table compute_vxc_table = kernel_table<ComputeVxc, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
