// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_gaussian and qmc.orbitals_slater on a GPU: a block has eight positions. A thread makes the functions of one shell at one of
// them, in shared memory; then it sums one output of one orbital over these functions at four positions, so that a coefficient is read
// once for four multiply-adds. Bases too large for the shared memory come in portions of shells.
#pragma once

#include "../shells.hpp"
#include "../solid_harmonics.hpp"
#include "call.hpp"

namespace suite::qmc::shells {

constexpr int together = 8, at_a_time = 4;  // positions of a block, and of one sum
constexpr int functions_of_block = 96;      // in shared memory: 30 kB

struct DeviceShell {
  int ion, l, ao, first, end;
  double cutoff;
};
struct DeviceBasis {
  const DeviceShell* shells;
  const double *rion, *exponent, *coefficient, *mo;
  const int* power;    // of Slater shells
  const int* portion;  // the first shell of each portion, and nshell
  int portions, norb;
};

// R, R'/r and R'' + 2 (l+1) R'/r.
struct RadialPart {
  double R = 0, D = 0, B = 0;
};

struct Outputs {
  double *phi, *dphi, *d2phi;  // the last two may be null
};

// The 2l + 1 functions of a shell, to(together,outputs,2l+1).
template <int l, bool derivatives>
__device__ __forceinline__ void put_shell(double x, double y, double z, double r2, const RadialPart& f, double* to) {
  constexpr int outputs = derivatives ? 5 : 1;
  double harmonic[harmonics_to(l)], gradient[2 * l + 1][3];
  solid_harmonics<l>(x, y, z, r2, harmonic);
  if constexpr (derivatives) harmonic_gradients<l>(harmonic + (l > 0 ? (l - 1) * (l - 1) : 0), gradient);
  SUITE_GPU_UNROLL
  for (int k = 0; k < 2 * l + 1; ++k) {
    double* const output = to + k * outputs * together;
    const double S = harmonic[l * l + k];
    output[0] = f.R * S;
    if constexpr (derivatives) {
      const double slope = f.D * S;
      output[together] = f.R * gradient[k][0] + slope * x;
      output[2 * together] = f.R * gradient[k][1] + slope * y;
      output[3 * together] = f.R * gradient[k][2] + slope * z;
      output[4 * together] = f.B * S;
    }
  }
}

template <class Kind, bool derivatives>
__device__ __forceinline__ void functions_of_shell(const DeviceBasis& basis, const DeviceShell& shell, const double* r, double* to) {
  const double* const ion = basis.rion + 3 * shell.ion;
  const double x = r[0] - ion[0], y = r[1] - ion[1], z = r[2] - ion[2], r2 = x * x + y * y + z * z;
  RadialPart f;
  if (r2 < shell.cutoff * shell.cutoff) f = Kind::template radial<derivatives>(basis, shell, r2);
  switch (shell.l) {
    case 0: return put_shell<0, derivatives>(x, y, z, r2, f, to);
    case 1: return put_shell<1, derivatives>(x, y, z, r2, f, to);
    case 2: return put_shell<2, derivatives>(x, y, z, r2, f, to);
    case 3: return put_shell<3, derivatives>(x, y, z, r2, f, to);
    default: return put_shell<4, derivatives>(x, y, z, r2, f, to);
  }
}

// Kind::radial<derivatives>(basis, shell, r^2) is the radial part.
template <class Kind, bool derivatives>
__global__ void __launch_bounds__(block_threads) sum_shells(DeviceBasis basis, const double* r, int64_t count, Outputs out) {
  constexpr int outputs = derivatives ? 5 : 1;
  __shared__ double functions[functions_of_block * outputs * together], at[3 * together];
  const int64_t first = static_cast<int64_t>(blockIdx.x) * together;
  const int some = static_cast<int>(count - first < together ? count - first : together);
  if (thread() < 3 * together) at[thread()] = r[3 * first + (thread() < 3 * some ? thread() : 3 * some - 3 + thread() % 3)];
  __syncthreads();
  for (int portion = 0; portion < basis.portions; ++portion) {
    const int begin = basis.portion[portion], shells = basis.portion[portion + 1] - begin;
    const int first_ao = basis.shells[begin].ao;
    for (int i = thread(); i < shells * together; i += block_threads) {
      const int p = i % together;
      const DeviceShell shell = basis.shells[begin + i / together];
      functions_of_shell<Kind, derivatives>(basis, shell, at + 3 * p, functions + (shell.ao - first_ao) * outputs * together + p);
    }
    __syncthreads();
    const DeviceShell last = basis.shells[begin + shells - 1];
    const int naos = last.ao + 2 * last.l + 1 - first_ao;
    const double* const mo = basis.mo + static_cast<int64_t>(first_ao) * basis.norb;
    for (int i = thread(); i < basis.norb * outputs * (together / at_a_time); i += block_threads) {
      const int a = i % basis.norb, q = i / basis.norb % outputs, p0 = i / (basis.norb * outputs) * at_a_time;
      const double* f = functions + q * together + p0;
      double sum[at_a_time] = {};
      for (int ao = 0; ao < naos; ++ao, f += outputs * together) {
        const double c = mo[static_cast<int64_t>(ao) * basis.norb + a];
        SUITE_GPU_UNROLL
        for (int p = 0; p < at_a_time; ++p) sum[p] += c * f[p];
      }
      for (int p = 0; p < at_a_time && p0 + p < some; ++p) {
        const int64_t position = first + p0 + p;
        double* const to = q == 0     ? out.phi + position * basis.norb + a
                           : q == 4   ? out.d2phi ? out.d2phi + position * basis.norb + a : nullptr
                           : out.dphi ? out.dphi + (3 * position + q - 1) * basis.norb + a
                                      : nullptr;
        if (to) *to = portion == 0 ? sum[p] : *to + sum[p];
      }
    }
    __syncthreads();  // before the next portion is written
  }
}

template <class Kind> class OrbitalsOnGpu : public OnGpu {
public:
  using Call = typename Kind::Call;
  using OnGpu::OnGpu;

  void prepare(const suite_array* arguments) {
    const Call c(arguments);
    queue_.select();
    const ShellBasis basis = shell_basis(shell_arguments(c, fetch_from(queue_)), c.nao());
    const std::vector<double> mo = orbitals_side_by_side(basis, on_host<double>(queue_, c.mo).data(), c.norb(), c.norb());
    std::vector<DeviceShell> shells;
    std::vector<int> portions{0};
    int64_t begin = 0;
    for (const Shell& s : basis.shells) {
      if (s.ao + 2 * s.l + 1 - begin > functions_of_block) {
        portions.push_back(static_cast<int>(shells.size()));
        begin = s.ao;
      }
      shells.push_back({s.ion, s.l, small(s.ao), small(s.first), small(s.first + s.primitives), s.cutoff});
    }
    portions.push_back(static_cast<int>(shells.size()));
    (void)small(10 * c.norb());
    upload(shells_, shells);
    upload(portions_, portions);
    upload(rion_, basis.rion);
    upload(exponent_, basis.exponent);
    upload(coefficient_, basis.coefficient);
    upload(mo_, mo);
    if (!basis.power.empty()) upload(power_, basis.power);
    queue_.wait();  // what was uploaded goes
    basis_ = {shells_.data(),
              rion_.data(),
              exponent_.data(),
              coefficient_.data(),
              mo_.data(),
              power_.data(),
              portions_.data(),
              static_cast<int>(portions.size()) - 1,
              static_cast<int>(c.norb())};
  }

  void execute(const suite_array* arguments) {
    const Call c(arguments);
    queue_.select();
    const int64_t count = c.positions();
    const auto kernel = c.dphi || c.d2phi ? sum_shells<Kind, true> : sum_shells<Kind, false>;
    SUITE_GPU_LAUNCH(kernel, grid_of((count + together - 1) / together), block_threads, 0, queue_.stream(), basis_, c.r.data(), count,
                     Outputs{c.phi.data(), c.dphi.data(), c.d2phi.data()});
  }

private:
  static int small(int64_t n) {
    if (n > std::numeric_limits<int>::max())
      throw Failure(SUITE_UNSUPPORTED, "a basis of " + text_of(n) + " numbers; this implementation counts up to " +
                                           text_of(int64_t{std::numeric_limits<int>::max()}));
    return static_cast<int>(n);
  }

  gpu::Buffer<DeviceShell> shells_{queue_, "the shells"};
  gpu::Buffer<int> portions_{queue_, "the shells"}, power_{queue_, "the primitives"};
  gpu::Buffer<double> rion_{queue_, "the ions"}, exponent_{queue_, "the primitives"}, coefficient_{queue_, "the primitives"},
      mo_{queue_, "the orbitals"};
  DeviceBasis basis_{};
};

}  // namespace suite::qmc::shells
