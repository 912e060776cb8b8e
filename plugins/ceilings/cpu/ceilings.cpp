// SPDX-License-Identifier: BSD-3-Clause
#include "../ceilings.hpp"

#include <omp.h>

namespace suite::ceilings {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

constexpr suite_parameter threads_parameter[] = {
    {"threads", 0, 0, 4096, nullptr, "threads; 0: as OpenMP has it (OMP_NUM_THREADS)"},
};

class FmaPeak {
public:
  static constexpr auto& parameters = threads_parameter;
  FmaPeak(const suite_backend*, suite_queue*, const int64_t* parameters)
      : threads_(static_cast<int>(parameters[0])) {}

  void execute(const suite_array* arguments) {
    if (arguments[Fma::result].type == SUITE_REAL32)
      run<float>(arguments);
    else
      run<double>(arguments);
  }

private:
  // Enough independent chains to cover the latency of two units (4 cycles each, up to 5 on older ones), few
  // enough for the 16 registers of AVX2.
  static constexpr int chains = 12;

  template <class T>
  void run(const suite_array* arguments) const {
    constexpr int lanes = vector_bytes / sizeof(T);
    const int64_t count = *static_cast<const int64_t*>(arguments[Fma::count].data);
    const int threads = threads_ > 0 ? threads_ : omp_get_max_threads();
    const int64_t per_thread = count / (int64_t{threads} * chains * lanes) + 1;
    double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += mean_of_chains<T>(per_thread);
    auto* const result = static_cast<T*>(arguments[Fma::result].data);
    for (int64_t i = 0; i < arguments[Fma::result].extent[0]; ++i) result[i] = static_cast<T>(sum / threads);
  }

  template <class T>
  static double mean_of_chains(int64_t repeats) {
    constexpr int lanes = vector_bytes / sizeof(T);
    using Vector [[gnu::vector_size(vector_bytes)]] = T;
    Vector x[chains], half = Vector{} + T(0.5);
    // None starts at 1, where a chain stays: the compiler sees that and runs one chain less than is counted.
    for (int i = 0; i < chains; ++i) x[i] = Vector{} + static_cast<T>(2 + i);
    for (int64_t r = 0; r < repeats; ++r)
#pragma GCC unroll 12
      for (int i = 0; i < chains; ++i) x[i] = x[i] * half + half;
    double sum = 0;
    for (int i = 0; i < chains; ++i)
      for (int l = 0; l < lanes; ++l) sum += static_cast<double>(x[i][l]);
    return sum / (chains * lanes);
  }

  int threads_;
};

class TriadBandwidth {
public:
  static constexpr auto& parameters = threads_parameter;
  TriadBandwidth(const suite_backend*, suite_queue*, const int64_t* parameters)
      : threads_(static_cast<int>(parameters[0])) {}

  void execute(const suite_array* arguments) {
    const auto* const b = static_cast<const double*>(arguments[Triad::b].data);
    const auto* const c = static_cast<const double*>(arguments[Triad::c].data);
    const double s = *static_cast<const double*>(arguments[Triad::s].data);
    auto* const a = static_cast<double*>(arguments[Triad::a].data);
    const int64_t n = arguments[Triad::a].extent[0];
#pragma omp parallel for simd schedule(static) num_threads(threads_ > 0 ? threads_ : omp_get_max_threads())
    for (int64_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
  }

private:
  int threads_;
};

constexpr suite_kernel_table fma_table = kernel_table<Fma, FmaPeak>("cpu", "cpu");
constexpr suite_kernel_table triad_table = kernel_table<Triad, TriadBandwidth>("cpu", "cpu");

}  // namespace
}  // namespace suite::ceilings

SUITE_PLUGIN("ceilings", "cpu", &suite::ceilings::fma_table, &suite::ceilings::triad_table)
