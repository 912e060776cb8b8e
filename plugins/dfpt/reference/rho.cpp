// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho: rho_d(r) = sum_mn P_d(m,n) chi_m chi_n, or from orbitals.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Rho c(arguments);
    const RhoCall call = check_rho(c);
    for (const Batch& batch : call.batches.batch)
      for (int64_t p = 0; p < batch.points; ++p)
        for (int64_t d = 0; d < call.n_dir; ++d) {
          const double* const chi = c.wave.data() + batch.wave + batch.functions * p;
          const int32_t* const list = c.i_basis.data() + batch.first_function;
          c.rho(batch.first_point + p, d) = call.form == RhoForm::density_matrix ? from_matrix(c, batch.functions, list, chi, d)
                                                                                 : from_orbitals(c, batch.functions, list, chi, d);
        }
  }

private:
  // The upper triangle, its off-diagonal elements twice.
  static double from_matrix(const Rho& c, int64_t n, const int32_t* list, const double* chi, int64_t d) {
    const auto& P = c.density_matrix;
    double density = 0;
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t i = 0; i < j; ++i) sum += P(list[i] - 1, list[j] - 1, d) * chi[i];
      density += (2 * sum + P(list[j] - 1, list[j] - 1, d) * chi[j]) * chi[j];
    }
    return density;
  }

  static double from_orbitals(const Rho& c, int64_t n, const int32_t* list, const double* chi, int64_t d) {
    double density = 0;
    for (int64_t i = 0; i < c.C.extent(1); ++i) {
      double psi = 0, psi1 = 0;
      for (int64_t m = 0; m < n; ++m) psi += c.C(list[m] - 1, i) * chi[m];
      for (int64_t m = 0; m < n && c.C1; ++m) psi1 += c.C1(list[m] - 1, i, d) * chi[m];
      density += c.C1 ? 4 * psi * psi1 : 2 * psi * psi;
    }
    return density;
  }
};

}  // namespace

extern const suite_kernel_table rho_table;
constexpr suite_kernel_table rho_table = kernel_table<Rho, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
