// SPDX-License-Identifier: BSD-3-Clause
// `mine_cuda`, `mine_hip` and `mine_emulated`: gpp.sigma on a GPU from outside of suite, as plain as can be.
// The formulas stand in gpp.hpp. A block has one n', one energy and one external band; its threads share the
// pairs (G,G') and add their sums in shared memory. A second kernel adds the blocks.
#include <vector>

#include <suite/gpp/gpp.hpp>

#include <suite/gpu.hpp>

namespace {

namespace gpu = suite::gpu;
using suite::gpp::Sigma;

constexpr int threads = 128, quantities = 6;  // SX, CH and the static CH, complex

struct Z {
  double re, im;
};
__device__ Z operator*(Z a, Z b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ Z operator*(double a, Z b) { return {a * b.re, a * b.im}; }
__device__ double norm2(Z a) { return a.re * a.re + a.im * a.im; }
__device__ Z operator/(Z a, Z b) { return 1 / norm2(b) * (a * Z{b.re, -b.im}); }

// The arguments of a call; all addresses are the device's.
struct Call {
  const Z* w;
  const void *I, *aqsn, *aqsm;
  const double *v, *wx, *occ;
  const int* indigp;
  Z *asx, *ach, *ach_n1, *ach_static;
  double gamma, sexcut;
  int64_t ncouls, ngpown, ntband, nw, nex;
};

template <bool Real> __device__ Z element(const void* from, int64_t i) {
  if constexpr (Real) return {static_cast<const double*>(from)[i], 0};
  else return static_cast<const Z*>(from)[i];
}

// The two frequency factors of a pole w at distance x, without I.
__device__ void factors(const Call& call, Z w, double x, Z& sx, Z& ch) {
  const Z D{x - w.re, -w.im};
  sx = ch = {0, 0};
  if (norm2(D) > call.gamma * call.gamma && norm2(w) < 2.5e5 * norm2(D)) {
    const Z w2 = w * w;
    ch = w / D;
    sx = w2 / Z{x * x - w2.re, -w2.im};
  } else if (norm2(w) > 1e-12 * norm2(D)) {
    sx = -0.5 * (w / Z{x + w.re, w.im});
  }
  if (x < 0 && !(norm2(sx) <= call.sexcut * call.sexcut)) sx = {0, 0};
}

__device__ double distance(const Call& call, int64_t i) {
  const double x = call.wx[i];
  return x < 1e-12 && x > -1e-12 ? 1e-12 : x;
}

// slots[external][iw][quantity][n']
template <bool Real> __global__ void __launch_bounds__(threads) sum_pairs(const Call call, double* slots) {
  __shared__ double all[quantities][threads];
  const int64_t n1 = blockIdx.x % call.ntband, iw = blockIdx.x / call.ntband % call.nw;
  const int64_t e = blockIdx.x / (call.ntband * call.nw), band = (e * call.ntband + n1) * call.ncouls;
  const double x = distance(call, (e * call.ntband + n1) * call.nw + iw);
  double sum[quantities] = {};
  for (int64_t i = threadIdx.x; i < call.ncouls * call.ngpown; i += threads) {
    const int64_t ig = i % call.ncouls, igp = i / call.ncouls, g = call.indigp ? call.indigp[igp] - 1 : igp;
    if (g < 0 || g >= call.ncouls) continue;  // padding
    const Z m = element<Real>(call.aqsm, band + g);
    const Z P = call.v[g] * (element<Real>(call.aqsn, band + ig) * Z{m.re, -m.im} * element<Real>(call.I, i));
    Z sx, ch;
    factors(call, call.w[i], x, sx, ch);
    const Z terms[] = {P * sx, P * ch, P};
    for (int q = 0; q < 3; ++q) {
      sum[2 * q] += terms[q].re;
      sum[2 * q + 1] += terms[q].im;
    }
  }
  for (int q = 0; q < quantities; ++q) all[q][threadIdx.x] = sum[q];
  __syncthreads();
  // Always in the same order, so that a call gives the same bits again.
  if (threadIdx.x >= quantities) return;
  double total = 0;
  for (int i = 0; i < threads; ++i) total += all[threadIdx.x][i];
  slots[((e * call.nw + iw) * quantities + threadIdx.x) * call.ntband + n1] = total;
}

// One thread an energy of an external band: the sum over n'.
__global__ void sum_bands(const Call call, const double* slots) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= call.nw * call.nex) return;
  const int64_t iw = i % call.nw, e = i / call.nw;
  const double* const q = slots + i * quantities * call.ntband;
  Z sx{0, 0}, ch{0, 0}, all{0, 0};
  for (int64_t n1 = 0; n1 < call.ntband; ++n1) {
    const auto at = [&](int quantity) { return q[quantity * call.ntband + n1]; };
    const Z own{0.5 * at(2), 0.5 * at(3)};
    sx = {sx.re - call.occ[n1] * at(0), sx.im - call.occ[n1] * at(1)};
    ch = {ch.re + own.re, ch.im + own.im};
    all = {all.re - 0.5 * at(4), all.im - 0.5 * at(5)};
    if (call.ach_n1) call.ach_n1[(e * call.ntband + n1) * call.nw + iw] = own;
  }
  call.asx[i] = sx;
  call.ach[i] = ch;
  if (call.ach_static && iw == 0) call.ach_static[e] = all;
}

class Mine {
public:
  Mine(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue), slots_(queue_, "the sums of the blocks") {}

  // Looks at the list of columns, once after it changed.
  void prepare(const suite_array* arguments) {
    queue_.select();
    const Sigma c(arguments);
    if (!c.indigp) return;
    std::vector<int32_t> indigp(static_cast<size_t>(c.ngpown()));
    queue_.download(indigp.data(), c.indigp.data(), indigp.size() * sizeof(int32_t));
    queue_.wait();
    suite::gpp::owned_columns(indigp.data(), c.ngpown(), c.ncouls());  // throws
  }

  void execute(const suite_array* arguments) {
    queue_.select();
    const Sigma c(arguments);
    if (!c.wx_array || c.acht_n1_iw || c.achst_n1)
      throw suite::Failure(SUITE_UNSUPPORTED, "mine wants wx_array, and has neither acht_n1_iw nor achst_n1");
    const auto complex = [](const auto& argument) { return reinterpret_cast<Z*>(argument.data()); };
    const Call call{reinterpret_cast<const Z*>(c.wtilde_array.data()),
                    c.I_eps_array.array().data,
                    c.aqsntemp.array().data,
                    c.aqsmtemp.array().data,
                    c.vcoul.data(),
                    c.wx_array.data(),
                    c.occ_array.data(),
                    c.indigp.data(),
                    complex(c.asxtemp),
                    complex(c.achtemp),
                    complex(c.acht_n1),
                    complex(c.achstemp),
                    c.gamma,
                    c.sexcut,
                    c.ncouls(),
                    c.ngpown(),
                    c.ntband(),
                    c.nw(),
                    c.nex()};
    const int64_t blocks = call.ntband * call.nw * call.nex, energies = call.nw * call.nex;
    double* const slots = slots_.at_least(blocks * quantities);
    if (c.is_real()) SUITE_GPU_LAUNCH(sum_pairs<true>, static_cast<unsigned>(blocks), threads, 0, queue_.stream(), call, slots);
    else SUITE_GPU_LAUNCH(sum_pairs<false>, static_cast<unsigned>(blocks), threads, 0, queue_.stream(), call, slots);
    SUITE_GPU_LAUNCH(sum_bands, static_cast<unsigned>((energies + threads - 1) / threads), threads, 0, queue_.stream(), call, slots);
  }

private:
  gpu::Queue queue_;
  gpu::Buffer<double> slots_;
};

constexpr suite_kernel_table table = suite::kernel_table<Sigma, Mine>("mine_" SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);

}  // namespace

SUITE_PLUGIN("gpp", "mine_" SUITE_GPU_BACKEND, &table)
