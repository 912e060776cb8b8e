// SPDX-License-Identifier: BSD-3-Clause
#include "../ceilings.hpp"

#include <algorithm>
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
    knob("threads", 0, 0, 4096, "threads", "number of threads; 0: OpenMP's default (OMP_NUM_THREADS)"),
};

// Enough independent chains to cover the latency of two units (4 cycles each, up to 5 on older ones), few
// enough for the 16 registers of AVX2.
constexpr int chains = 12;

template <class T> struct Vector {
  using type [[gnu::vector_size(vector_bytes)]] = T;
  static constexpr int lanes = vector_bytes / sizeof(T);
};

template <class T> using Chain = typename Vector<T>::type;

// Nothing is executed, but the compiler no longer knows how x came about, and so cannot fuse it with what
// follows.
template <class T> void hide(T& x) {
#if defined(__AVX512F__)
  asm("" : "+v"(x));
#elif defined(__x86_64__)
  asm("" : "+x"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#else
  asm("" : "+m"(x));
#endif
}

// One step of all chains of an operation; `by`: its factor.
template <const Operation& one, class V> void step(V& x, const V& by) {
  if constexpr (one.odd()) {
    x = by / x;
  } else if constexpr (one.kind == fma.kind) {
    x = x * by + by;
  } else {
    V product = x * by;
    hide(product);
    x = product + by;
  }
}

template <const Operation& one> class Peak {
public:
  static constexpr auto& parameters = threads_parameter;
  Peak(const suite_backend*, suite_queue*, const int64_t* parameters) : threads_(static_cast<int>(parameters[0])) {}

  void execute(const suite_array* arguments) {
    const Chains<one> call(arguments);
    by_precision(call.result.array(), [&](auto zero) { run<decltype(zero)>(call); });
  }

private:
  template <class T> void run(const Chains<one>& call) const {
    const int threads = threads_ > 0 ? threads_ : omp_get_max_threads();
    const int64_t per_thread = (call.count / (int64_t{threads} * chains * Vector<T>::lanes) + 1) | one.odd();
    double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += mean_of_chains<T>(per_thread);
    auto* const result = static_cast<T*>(call.result.array().data);
    for (int64_t i = 0; i < call.result.extent(0); ++i) result[i] = static_cast<T>(sum / threads);
  }

  // A chain of quotients is multiplied with its first number.
  template <class T> static double mean_of_chains(int64_t repeats) {
    Chain<T> x[chains], by = Chain<T>{} + static_cast<T>(one.factor());
    // None starts at 1, where a chain stays: the compiler sees that and runs one chain less than is counted.
    for (int i = 0; i < chains; ++i) x[i] = Chain<T>{} + static_cast<T>(2 + i);
    for (int64_t r = 0; r < repeats; ++r)
#pragma GCC unroll 12
      for (int i = 0; i < chains; ++i) step<one>(x[i], by);
    double sum = 0;
    for (int i = 0; i < chains; ++i)
      for (int l = 0; l < Vector<T>::lanes; ++l) sum += static_cast<double>(x[i][l]) * (one.odd() ? 2 + i : 1);
    return sum / (chains * Vector<T>::lanes);
  }

  int threads_;
};

class TriadBandwidth {
public:
  static constexpr auto& parameters = threads_parameter;
  TriadBandwidth(const suite_backend*, suite_queue*, const int64_t* parameters) : threads_(static_cast<int>(parameters[0])) {}

  void execute(const suite_array* arguments) {
    const Triad call(arguments);
    const double *const b = call.b.data(), *const c = call.c.data(), s = call.s;
    double* const a = call.a.data();
    const int64_t n = call.a.extent(0);
#pragma omp parallel for simd schedule(static) num_threads(threads_ > 0 ? threads_ : omp_get_max_threads())
    for (int64_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
  }

private:
  int threads_;
};

class ReadBandwidth {
public:
  static constexpr auto& parameters = threads_parameter;
  ReadBandwidth(const suite_backend*, suite_queue*, const int64_t* parameters) : threads_(static_cast<int>(parameters[0])) {}

  void execute(const suite_array* arguments) {
    const Read call(arguments);
    const double* const x = call.x.data();
    const int64_t n = call.x.extent(0), times = call.repeats;
    const int threads = threads_ > 0 ? threads_ : omp_get_max_threads();
    double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
      const int64_t me = omp_get_thread_num(), all = omp_get_num_threads();
      // Shares of whole cache lines, so that each is read by one thread.
      const int64_t lines = (n + 7) / 8, begin = 8 * (lines * me / all), end = std::min(n, 8 * (lines * (me + 1) / all));
      Sums sums;
      for (int64_t r = 0; r < times; ++r) {
        sums.add(x + begin, end - begin);
        asm("" : : : "memory");  // what is in memory may have changed: x is read again
      }
      sum += sums.total();
    }
    std::fill_n(call.sum.data(), call.sum.extent(0), sum);
  }

private:
  // As many partial sums as hide the latency of an addition behind two loads a cycle.
  struct Sums {
    using V = Chain<double>;
    static constexpr int count = 12, lanes = Vector<double>::lanes, step = count * lanes;
    V part[count] = {};
    double rest = 0;
    void add(const double* x, int64_t n) {
      V p[count];
      for (int k = 0; k < count; ++k) p[k] = part[k];
      int64_t i = 0;
      for (; i + step <= n; i += step)
#pragma GCC unroll 12
        for (int k = 0; k < count; ++k) {
          V here;
          std::memcpy(&here, x + i + k * lanes, sizeof here);
          p[k] += here;
        }
      for (; i < n; ++i) rest += x[i];
      for (int k = 0; k < count; ++k) part[k] = p[k];
    }
    double total() const {
      double sum = rest;
      for (const V& p : part)
        for (int l = 0; l < lanes; ++l) sum += p[l];
      return sum;
    }
  };

  int threads_;
};

template <const Operation& one> constexpr suite_kernel_table peak_table = kernel_table<Chains<one>, Peak<one>>("cpu", "cpu");
constexpr suite_kernel_table triad_table = kernel_table<Triad, TriadBandwidth>("cpu", "cpu");
constexpr suite_kernel_table read_table = kernel_table<Read, ReadBandwidth>("cpu", "cpu");

}  // namespace
}  // namespace suite::ceilings

SUITE_PLUGIN("ceilings", "cpu", &suite::ceilings::peak_table<suite::ceilings::fma>, &suite::ceilings::peak_table<suite::ceilings::nofma>,
             &suite::ceilings::peak_table<suite::ceilings::divide>, &suite::ceilings::peak_table<suite::ceilings::reciprocal>,
             &suite::ceilings::triad_table, &suite::ceilings::read_table)
