// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_rho: eight points at a time. In single precision, eight products at most are added before they
// go on in double.
#include "kernels.hpp"
#include "rows.hpp"

namespace suite::lfd {
namespace {

using Doubles = Vector<double>;

// f holds each occupation twice.
inline Doubles weighted_squares(const double* x, const double* f, int64_t n) {
  Doubles sum{};
  int64_t i = 0;
  for (; i + lanes<double> <= n; i += lanes<double>) {
    const Doubles v = load(x + i);
    sum += load(f + i) * v * v;
  }
  for (; i < n; ++i) sum[0] += f[i] * x[i] * x[i];
  return sum;
}

inline Doubles weighted_squares(const float* x, const float* f, int64_t n) {
  typedef float Half __attribute__((vector_size(vector_bytes / 2)));
  Doubles sum{};
  int64_t i = 0;
  while (i + lanes<float> <= n) {
    Vector<float> some{};
    for (const int64_t end = std::min(n, i + 8 * lanes<float>); i + lanes<float> <= end; i += lanes<float>) {
      const Vector<float> v = load(x + i);
      some += load(f + i) * v * v;
    }
    Half half[2];
    std::memcpy(half, &some, sizeof some);
    sum += __builtin_convertvector(half[0], Doubles) + __builtin_convertvector(half[1], Doubles);
  }
  for (; i < n; ++i) sum[0] += static_cast<double>(f[i]) * static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return sum;
}

class Cpu : public cpu::WithThreads<> {
public:
  using WithThreads::WithThreads;

  void execute(const suite_array* a) {
    const ComputeRho c(a);
    check_precision("psi", c.psi, "rho", c.rho);
    const Grid g = orbital_grid(c.psi);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      const T* const psi = pairs(c.psi.as<complex_of<T>>().data());
      T* const rho = c.rho.as<real_of<T>>().data();
      const int64_t row = 2 * g.norb;
      std::vector<T> f;
      for (int64_t i = 0; i < row; ++i) f.push_back(static_cast<T>(c.f.data()[i / 2]));
      in_parallel(threads_, g.points(), 65536 / row + 1, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; p += 8) {
          Doubles sums[8] = {};
          const int64_t there = std::min<int64_t>(8, end - p);
          for (int64_t q = 0; q < there; ++q) sums[q] = weighted_squares(psi + (p + q) * row, f.data(), row);
          const Eight densities = sums_of_eight(sums);
          for (int64_t q = 0; q < there; ++q) rho[p + q] = static_cast<T>(densities[q]);
        }
      });
    });
  }
};

}  // namespace

extern const suite_kernel_table compute_rho_table;
constexpr suite_kernel_table compute_rho_table = kernel_table<ComputeRho, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
