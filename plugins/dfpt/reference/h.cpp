// SPDX-License-Identifier: BSD-3-Clause
// dfpt.h: H_d(m,n) += sum_points W v_d chi_m chi_n, and HC_d(m,i) += sum_points W v_d chi_m psi_i.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Hamiltonian c(arguments);
    const HCall call = check_h(c);
    const double *const wave = c.wave.data(), *const right = c.wave_right ? c.wave_right.data() : wave;
    for (int64_t d = 0; d < call.n_dir; ++d)
      for (const Batch& batch : call.batches.batch)
        for (int64_t p = 0; p < batch.points; ++p) {
          const int64_t point = batch.first_point + p, first = batch.wave + batch.functions * p;
          const double weight = c.partition_tab(point) * (c.v ? c.v(point, d) : 1);
          const int32_t* const list = c.i_basis.data() + batch.first_function;
          if (call.matrices) add_matrix(c, batch.functions, list, weight, wave + first, right + first, d);
          if (call.products) add_product(c, batch.functions, list, weight, wave + first, d);
        }
  }

private:
  static void add_matrix(const Hamiltonian& c, int64_t n, const int32_t* list, double weight, const double* chi, const double* right,
                         int64_t d) {
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) c.H(list[i] - 1, list[j] - 1, d) += weight * 0.5 * (chi[i] * right[j] + right[i] * chi[j]);
  }

  static void add_product(const Hamiltonian& c, int64_t n, const int32_t* list, double weight, const double* chi, int64_t d) {
    for (int64_t i = 0; i < c.C.extent(1); ++i) {
      double psi = 0;
      for (int64_t m = 0; m < n; ++m) psi += c.C(list[m] - 1, i) * chi[m];
      for (int64_t m = 0; m < n; ++m) c.HC(list[m] - 1, i, d) += weight * chi[m] * psi;
    }
  }
};

}  // namespace

extern const suite_kernel_table h_table;
constexpr suite_kernel_table h_table = kernel_table<Hamiltonian, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
