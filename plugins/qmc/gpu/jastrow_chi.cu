// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_chi on a GPU: a thread for each position, which goes over the ions; for derivatives by the parameters a thread for each
// parameter of each position.
#include "../chi.hpp"
#include "ions.cuh"

namespace suite::qmc {
namespace {

struct DeviceChi {
  const double *rion, *beta, *L;
  const int* set_of_ion;
  int nion, nbeta, nspin, nset, C;
  __device__ __forceinline__ int of_spin(int spin) const { return nspin == 2 ? spin : 0; }
};

// Adds a function at `distance` along d; at distance 0 its slope over it is the second derivative.
__device__ __forceinline__ void add_function(const Radial& f, double distance, const double* d, Local& sum) {
  const double slope = distance > 0 ? f.first / distance : f.second;
  sum.value += f.value;
  SUITE_GPU_UNROLL
  for (int c = 0; c < 3; ++c) sum.gradient[c] += slope * d[c];
  sum.laplacian += f.second + 2 * slope;
}

// f(set, distance, vector) for the ions within whose cutoff x is.
template <class Images, class F>
__device__ __forceinline__ void near_ions(const Images& images, const DeviceChi& chi, const double* x, const F& f) {
  for (int ion = 0; ion < chi.nion; ++ion) {
    const int set = chi.set_of_ion[ion];
    if (set < 0) continue;
    double d[3];
    const double distance = images.from_ion(x, chi.rion + 3 * ion, d);
    if (distance < chi.L[set]) f(set, distance, d);
  }
}

template <class Images>
__global__ void __launch_bounds__(block_threads) sum_chi(Images images, Positions p, DeviceChi chi, int64_t count, LocalOut out) {
  const int64_t position = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (position >= count) return;
  const int64_t walker = position / p.npos;
  const int m = static_cast<int>(position - walker * p.npos), spin = chi.of_spin(p.electron(m) >= p.nup);
  Local sum{};
  near_ions(images, chi, p.position(m, walker), [&](int set, double distance, const double* d) {
    add_function(polynomial_u(chi.beta + chi.nbeta * (spin + chi.nspin * set), chi.nbeta, chi.L[set], chi.C, distance), distance, d, sum);
  });
  out.put(position, sum);
}

// A number has its power l, its spin and its set, the first fastest.
template <class Images>
__global__ void __launch_bounds__(block_threads)
    sum_chi_derivatives(Images images, Positions p, DeviceChi chi, int64_t count, LocalOut out) {
  const int64_t number = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (number >= count) return;
  const int numbers = chi.nbeta * chi.nspin * chi.nset;
  const int64_t position = number / numbers, walker = position / p.npos;
  const int parameter = static_cast<int>(number - position * numbers), l = parameter % chi.nbeta;
  const int of_spin = parameter / chi.nbeta % chi.nspin, of_set = parameter / (chi.nbeta * chi.nspin);
  const int m = static_cast<int>(position - walker * p.npos);
  Local sum{};
  if (chi.of_spin(p.electron(m) >= p.nup) == of_spin)
    near_ions(images, chi, p.position(m, walker), [&](int set, double distance, const double* d) {
      if (set == of_set) add_function(polynomial_basis(l, chi.L[set], chi.C, distance), distance, d, sum);
    });
  out.put(number, sum);
}

class JastrowChiGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void prepare(const suite_array* arguments) {
    const JastrowChi c(arguments);
    queue_.select();
    cell_.prepare_or_open(queue_, c.cell);
    nele_ = on_host<int32_t>(queue_, c.nele);
    const ChiTerm chi = chi_term(c, cell_.lattice_or_open(), fetch_from(queue_));
    upload(beta_, chi.beta);
    upload(L_, chi.L);
    upload(set_of_ion_, chi.set_of_ion);
    queue_.wait();  // what was uploaded goes
    chi_ = {nullptr,   beta_.data(), L_.data(), set_of_ion_.data(), static_cast<int>(c.nion()), static_cast<int>(chi.nbeta),
            chi.nspin, chi.nset,     chi.C};
  }

  void execute(const suite_array* arguments) {
    const JastrowChi c(arguments);
    queue_.select();
    const Positions p = positions_of(c, nele_);
    chi_.rion = c.rion.data();
    const int64_t count = p.npos * p.nwalker, numbers = count * chi_.nbeta * chi_.nspin * chi_.nset;
    const auto blocks = [](int64_t n) { return grid_of((n + block_threads - 1) / block_threads); };
    by_images(cell_.lattice_or_open(), [&](auto images) {
      using Images = decltype(images);
      SUITE_GPU_LAUNCH(sum_chi<Images>, blocks(count), block_threads, 0, queue_.stream(), images, p, chi_, count,
                       LocalOut{c.value.data(), c.gradient.data(), c.laplacian.data()});
      if (!c.dvalue && !c.dgradient && !c.dlaplacian) return;
      SUITE_GPU_LAUNCH(sum_chi_derivatives<Images>, blocks(numbers), block_threads, 0, queue_.stream(), images, p, chi_, numbers,
                       LocalOut{c.dvalue.data(), c.dgradient.data(), c.dlaplacian.data()});
    });
  }

private:
  Cell cell_;
  std::vector<int32_t> nele_;
  gpu::Buffer<double> beta_{queue_, "the chi term"}, L_{queue_, "the chi term"};
  gpu::Buffer<int> set_of_ion_{queue_, "the ions"};
  DeviceChi chi_{};
};

}  // namespace

const suite_kernel_table* jastrow_chi_table() { return gpu_table<JastrowChi, JastrowChiGpu>(); }

}  // namespace suite::qmc
