// SPDX-License-Identifier: BSD-3-Clause
// dfpt.h: H_d(m,n) += sum_points W v_d chi_m chi_n, and HC_d(m,i) += sum_points W v_d chi_m psi_i.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    using K = H;
    const HCall call = check_h(arguments);
    const double *const W = numbers(arguments[K::partition_tab]), *const wave = numbers(arguments[K::wave]);
    const double* const right = arguments[K::wave_right].data ? numbers(arguments[K::wave_right]) : wave;
    const View<const double, 2> v(arguments[K::v]);
    for (int64_t d = 0; d < call.n_dir; ++d)
      for (const Batch& batch : call.batches.batch)
        for (int64_t p = 0; p < batch.points; ++p) {
          const int64_t point = batch.first_point + p, first = batch.wave + batch.functions * p;
          const double weight = W[point] * (v ? v(point, d) : 1);
          const int32_t* const list = integers(arguments[K::i_basis]) + batch.first_function;
          if (call.matrices)
            add_matrix(arguments[K::H_], batch.functions, list, weight, wave + first, right + first, d);
          if (call.products) add_product(arguments, batch.functions, list, weight, wave + first, d);
        }
  }

private:
  static void add_matrix(const suite_array& matrix, int64_t n, const int32_t* list, double weight,
                         const double* chi, const double* right, int64_t d) {
    const View<double, 3> H(matrix);
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i)
        H(list[i] - 1, list[j] - 1, d) += weight * 0.5 * (chi[i] * right[j] + right[i] * chi[j]);
  }

  static void add_product(const suite_array* arguments, int64_t n, const int32_t* list, double weight,
                          const double* chi, int64_t d) {
    const View<const double, 2> C(arguments[H::C]);
    const View<double, 3> HC(arguments[H::HC]);
    for (int64_t i = 0; i < C.extent(1); ++i) {
      double psi = 0;
      for (int64_t m = 0; m < n; ++m) psi += C(list[m] - 1, i) * chi[m];
      for (int64_t m = 0; m < n; ++m) HC(list[m] - 1, i, d) += weight * chi[m] * psi;
    }
  }
};

}  // namespace

extern const suite_kernel_table h_table;
constexpr suite_kernel_table h_table = kernel_table<H, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
