// SPDX-License-Identifier: BSD-3-Clause
// dfpt.response: U(a,i) = <a|H1|i>/(e_i - e_a) for empty a and occupied i, C1_i = sum_a C_a U(a,i), P1 = 2
// sum_i (C1_i C_i^T + C_i C1_i^T).
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

using Numbers = std::vector<double>;

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Response c(arguments);
    const ResponseCall call = check_response(c);
    check_gap(c.eigenvalues.data(), call.n_occ, call.n_states);
    for (int64_t d = 0; d < call.n_dir; ++d) {
      Numbers first_order;
      for (int64_t i = 0; i < call.n_occ; ++i) {
        const Numbers one = orbital(c, call, i, d);
        first_order.insert(first_order.end(), one.begin(), one.end());
      }
      const int64_t n = call.n_basis;
      if (c.C1) std::copy(first_order.begin(), first_order.end(), &c.C1(0, 0, d));
      for (int64_t k = 0; k < n && c.density_matrix; ++k)
        for (int64_t m = 0; m < n; ++m) {
          double sum = 0;
          for (int64_t i = 0; i < call.n_occ; ++i) sum += first_order[m + n * i] * c.C(k, i) + c.C(m, i) * first_order[k + n * i];
          c.density_matrix(m, k, d) = 2 * sum;
        }
    }
  }

private:
  // C1_i of one direction.
  static Numbers orbital(const Response& c, const ResponseCall& call, int64_t i, int64_t d) {
    const int64_t n = call.n_basis;
    Numbers product(static_cast<size_t>(n)), C1(static_cast<size_t>(n));
    for (int64_t m = 0; m < n; ++m) {
      if (!call.matrices) product[m] = c.HC1(m, i, d);
      for (int64_t k = 0; k < n && call.matrices; ++k) product[m] += c.H1(k, m, d) * c.C(k, i);
    }
    for (int64_t a = call.n_occ; a < call.n_states; ++a) {
      double U = 0;
      for (int64_t m = 0; m < n; ++m) U += c.C(m, a) * product[m];
      U /= c.eigenvalues(i) - c.eigenvalues(a);
      for (int64_t m = 0; m < n; ++m) C1[m] += c.C(m, a) * U;
    }
    return C1;
  }
};

}  // namespace

extern const suite_kernel_table response_table;
constexpr suite_kernel_table response_table = kernel_table<Response, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
