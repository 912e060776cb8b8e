// SPDX-License-Identifier: BSD-3-Clause
// The ceilings of the processor beside what others measure, in turns in one process: the triad beside a
// STREAM-like loop of its own; multiply-adds beside dgemm of a BLAS that is found at run time, and beside the
// innermost tile of a dgemm, written here, on matrices that lie in L1: a BLAS older than the processor may be
// far from its best. Exit code 1 where the triad and STREAM, or multiply-adds and both of the others, differ
// by more than a tenth: by the median of ratios of neighbouring runs.
//
//   ceilings_against_others THREADS ROUNDS [LIBRARY [N]]
//
// On a machine that does other work run it at real-time priority (chrt -f 1). LIBRARY: libopenblas.so.0 where
// none is named; any library with dgemm_ (or scipy_dgemm_) will do. N: rows and columns of its matrices, 6144
// where nothing is said.
#include <dlfcn.h>
#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace {

constexpr double allowed = 0.10;
// Of the triad and STREAM in a round, which take a hundredth of the others' time.
constexpr int passes = 20;

double seconds_of(const std::function<void()>& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// On pages of 2 MiB, as the arrays of suite are: with those of 4 KiB it is the system's luck how they lie.
struct Free {
  void operator()(double* x) const { std::free(x); }
};
using Array = std::unique_ptr<double[], Free>;
Array array(size_t count) {
  constexpr size_t page = size_t{1} << 21;
  const size_t bytes = (count * sizeof(double) + page - 1) / page * page;
  auto* const x = static_cast<double*>(std::aligned_alloc(page, bytes));
  if (x) (void)madvise(x, bytes, MADV_HUGEPAGE);
  return Array(x);
}

// Each thread multiplies matrices of its own with the library's dgemm: how a library shares one product among
// threads is not asked.
class Dgemm {
public:
  Dgemm(const char* library, int threads, int n) : n_(n), matrices_(static_cast<size_t>(threads)) {
    for (const char* name : {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"}) setenv(name, "1", 1);
    void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    dgemm_ = find<Function>(handle, {"dgemm_", "scipy_dgemm_"});
    if (const auto name = find<const char* (*)()>(handle, {"openblas_get_corename", "scipy_openblas_get_corename"}))
      std::printf("%s takes its loops for %s\n", library, name());
    const size_t size = static_cast<size_t>(n) * static_cast<size_t>(n);
#pragma omp parallel num_threads(threads)
    for (Array& x : mine()) {
      x = array(size);
      std::fill_n(x.get(), size, 0.5);
    }
  }
  bool there() const { return dgemm_ != nullptr; }
  double flops() const { return 2.0 * n_ * n_ * n_ * static_cast<double>(matrices_.size()); }
  void run() {
#pragma omp parallel num_threads(static_cast<int>(matrices_.size()))
    {
      const double one = 1;
      const auto& [a, b, c] = mine();
      dgemm_("N", "N", &n_, &n_, &n_, &one, a.get(), &n_, b.get(), &n_, &one, c.get(), &n_);
    }
  }

private:
  using Function = void (*)(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
                            const double*, const int*, const double*, double*, const int*);
  // The first that the library has. SciPy's builds of OpenBLAS put their own name before all others.
  template <class F> static F find(void* handle, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (void* const found = dlsym(handle, name)) return reinterpret_cast<F>(found);
    return nullptr;
  }
  std::array<Array, 3>& mine() { return matrices_[static_cast<size_t>(omp_get_thread_num())]; }

  int n_;
  Function dgemm_ = nullptr;
  std::vector<std::array<Array, 3>> matrices_;
};

// C += A B with C of rows x columns in registers, A and B packed as a dgemm packs them, each thread its own.
class Tile {
public:
  explicit Tile(int threads) : threads_(threads) {}
  double flops() const { return 2.0 * threads_ * vectors * lanes * columns * depth * repeats; }
  void run() {
    double total = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : total)
    total += multiply();
    sum_ = total;
  }
  double sum() const { return sum_; }

private:
  static constexpr int lanes = 8, vectors = 3, columns = 8, depth = 128, repeats = 200000;
  using Vector [[gnu::vector_size(lanes * sizeof(double))]] = double;

  static double multiply() {
    alignas(64) double a[depth * vectors * lanes], b[depth * columns];
    for (int i = 0; i < depth * vectors * lanes; ++i) a[i] = 1e-3 * (i % 7);
    for (int i = 0; i < depth * columns; ++i) b[i] = 1e-3 * (i % 5);
    double sum = 0;
    for (int r = 0; r < repeats; ++r) {
      Vector c[columns][vectors] = {};
      for (int k = 0; k < depth; ++k) {
        const auto* const column = reinterpret_cast<const Vector*>(a) + k * vectors;
#pragma GCC unroll 8
        for (int j = 0; j < columns; ++j)
#pragma GCC unroll 3
          for (int v = 0; v < vectors; ++v) c[j][v] += column[v] * b[k * columns + j];
      }
      asm volatile("" : : "r"(a), "r"(b) : "memory");  // multiplied again each time
      for (auto& column : c)
        for (const Vector& v : column) sum += v[0];
    }
    return sum;
  }

  int threads_;
  double sum_ = 0;
};

// STREAM's triad, its arrays first touched by the threads that use them.
class Stream {
public:
  explicit Stream(int threads) : threads_(threads), a_(array(n)), b_(array(n)), c_(array(n)) {
    double *const a = a_.get(), *const b = b_.get(), *const c = c_.get();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (long i = 0; i < n; ++i) {
      a[i] = 1;
      b[i] = 2;
      c[i] = 0;
    }
  }
  double bytes() const { return 3.0 * 8 * n; }
  void run() {
    double* const a = a_.get();
    const double *const b = b_.get(), *const c = c_.get();
    const double s = scale_;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (long i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
    scale_ = 6 - scale_;
  }
  static constexpr long n = 1L << 24;

private:
  int threads_;
  double scale_ = 3;
  Array a_, b_, c_;
};

using Rates = std::vector<double>;

double best(const Rates& x) { return *std::max_element(x.begin(), x.end()); }
double median(Rates x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

void print(const char* name, const Rates& rates, const char* unit) {
  std::printf("  %-15s best %7.2f   median %7.2f %s\n", name, best(rates), median(rates), unit);
}

// By the median of ratios of neighbours, which what others take from the machine hits alike.
bool alike(const char* names, const Rates& ours, const Rates& theirs) {
  Rates ratios;
  for (size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
  const double ratio = median(ratios);
  const bool near = std::abs(ratio - 1) <= allowed;
  std::printf("  %s: %.3f (of the best %.3f)%s\n", names, ratio, best(ours) / best(theirs), near ? "" : "   DIFFERS BY MORE THAN 10 %");
  return near;
}

int measure(int threads, int rounds, const char* library, int n) {
  Dgemm dgemm(library, threads, n);
  Tile tile(threads);
  Stream stream(threads);
  suite::Kernel fma("ceilings.fma", "cpu"), triad("ceilings.triad", "cpu");
  for (suite::Kernel* kernel : {&fma, &triad}) kernel->set_parameter("threads", threads);
  fma.generate("standard", 1);
  triad.generate("n=" + std::to_string(Stream::n), 1);
  Rates fmas, dgemms, tiles, triads, streams;
  for (int i = -1; i < rounds; ++i) {  // the first round warms up
    const double fma_s = fma.run(), dgemm_s = dgemm.there() ? seconds_of([&] { dgemm.run(); }) : INFINITY;
    const double tile_s = seconds_of([&] { tile.run(); });
    for (int k = 0; k < passes; ++k) {
      const double triad_s = triad.run(), stream_s = seconds_of([&] { stream.run(); });
      if (i < 0) continue;
      triads.push_back(1e-9 * triad.cost().bytes / triad_s);
      streams.push_back(1e-9 * stream.bytes() / stream_s);
    }
    if (i < 0) continue;
    fmas.push_back(1e-9 * fma.cost().flops / fma_s);
    tiles.push_back(1e-9 * tile.flops() / tile_s);
    dgemms.push_back(1e-9 * dgemm.flops() / dgemm_s);
  }
  std::printf("%d threads, %d rounds, dgemm of %d x %d\n", threads, rounds, n, n);
  print("ceilings.triad", triads, "GB/s");
  print("STREAM", streams, "GB/s");
  print("ceilings.fma", fmas, "GFLOP/s");
  print("tile in L1", tiles, "GFLOP/s");
  if (dgemm.there()) print("dgemm", dgemms, "GFLOP/s");
  else std::printf("  dgemm: left out, %s is not here\n", library);
  const bool memory = alike("ceilings.triad / STREAM", triads, streams);
  const bool in_L1 = alike("ceilings.fma / tile", fmas, tiles);
  const bool whole = dgemm.there() && alike("ceilings.fma / dgemm", fmas, dgemms);
  return memory && (in_L1 || whole) && tile.sum() > 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const int n = count > 4 ? std::atoi(words[4]) : 6144;
  if (count < 3 || std::atoi(words[1]) < 1 || std::atoi(words[2]) < 1 || n < 1 || n > 16384) {
    std::fprintf(stderr, "usage: ceilings_against_others THREADS ROUNDS [LIBRARY [N]]   (N up to 16384)\n");
    return 2;
  }
  try {
    return measure(std::atoi(words[1]), std::atoi(words[2]), count > 3 ? words[3] : "libopenblas.so.0", n);
  } catch (const suite::Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
