// SPDX-License-Identifier: BSD-3-Clause
// lfd.calc_energy on a GPU. The kinetic energy bond by bond in one reading of psi, or of the waves of lines; every sum in double and in
// an order that does not change.
#include "fourier.hpp"
#include "nonlocal.hpp"

namespace suite::lfd {
namespace {

constexpr int energy_threads = 256, energy_blocks = 64;
constexpr int energy_lanes = 32, energy_shares = energy_threads / energy_lanes;

struct Bonds {
  int n[3];
  double h[3], weight[3];  // dr/(2 h^2), 0 in a direction of one point
};

// Of 32 orbitals and one portion of the points: slots[portion][orbital].
template <class T>
__global__ void __launch_bounds__(energy_threads)
    sum_bonds(const Number<T>* psi, Bonds bonds, Momenta momenta, int norb, int portions, double* slots) {
  __shared__ double parts[energy_shares][energy_lanes];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % energy_lanes, share = thread / energy_lanes;
  const int portion = static_cast<int>(blockIdx.x) % portions;
  const int n = static_cast<int>(blockIdx.x) / portions * energy_lanes + lane, own = n < norb ? n : norb - 1;
  const int nx = bonds.n[0], ny = bonds.n[1], nz = bonds.n[2], points = nx * ny * nz;
  Number<double> phase[3];
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) phase[d] = unit(momenta(d, own) * bonds.h[d]);
  double sum = 0;
  for (int p = portion * energy_shares + share; p < points; p += portions * energy_shares) {
    const int z = p % nz, y = p / nz % ny, x = p / (nz * ny);
    const int next[3] = {x + 1 < nx ? p + ny * nz : p - x * ny * nz, y + 1 < ny ? p + nz : p - y * nz, z + 1 < nz ? p + 1 : p - z};
    const Number<T> here = psi[static_cast<int64_t>(p) * norb + own];
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d) {
      const Number<T> there = psi[static_cast<int64_t>(next[d]) * norb + own];
      const Number<double> turned = phase[d] * Number<double>{there.re, there.im};
      const double re = turned.re - here.re, im = turned.im - here.im;
      sum += bonds.weight[d] * (re * re + im * im);
    }
  }
  parts[share][lane] = sum;
  __syncthreads();
  if (share > 0 || n >= norb) return;
  sum = 0;
  for (int i = 0; i < energy_shares; ++i) sum += parts[i][lane];
  slots[static_cast<int64_t>(portion) * norb + n] = sum;
}

__global__ void add_portions(const double* slots, int portions, int norb, double* ekin) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= norb) return;
  double sum = 0;
  for (int i = 0; i < portions; ++i) sum += slots[static_cast<int64_t>(i) * norb + n];
  ekin[n] = sum;
}

// int vloc rho, int vH rho, int exc rho of one portion of the points.
template <class T, Functional functional>
__global__ void __launch_bounds__(energy_threads) sum_potentials(const T* rho, const T* vloc, const T* vH, int64_t points, double* slots) {
  double sum[3] = {0, 0, 0};
  for (int64_t p = static_cast<int64_t>(blockIdx.x) * energy_threads + threadIdx.x; p < points;
       p += int64_t{energy_blocks} * energy_threads) {
    const double r = rho[p];
    sum[0] += static_cast<double>(vloc[p]) * r;
    sum[1] += static_cast<double>(vH[p]) * r;
    sum[2] += static_cast<double>(exchange_correlation<functional, T>(rho[p]).exc) * r;
  }
  block_sum<3, energy_threads>(sum, [&](int i, double all) { slots[3 * blockIdx.x + i] = all; });
}

__global__ void __launch_bounds__(energy_threads)
    add_energies(const double* slots, const double* f, const double* ekin, const double* enl, int norb, double volume, double* energy) {
  double sum[5] = {0, 0, 0, 0, 0};
  for (int n = static_cast<int>(threadIdx.x); n < norb; n += energy_threads) {
    sum[0] += f[n] * ekin[n];
    sum[2] += f[n] * enl[n];
  }
  if (threadIdx.x < energy_blocks) {
    const double* const slot = slots + 3 * threadIdx.x;
    sum[1] = slot[0] * volume;
    sum[3] = 0.5 * slot[1] * volume;
    sum[4] = slot[2] * volume;
  }
  block_sum<5, energy_threads>(sum, [&](int i, double all) { energy[i] = all; });
}

class CalcEnergyGpu : public OnGpu<CalcEnergy, parameter::functional, parameter::kinetic_of_energy> {
public:
  CalcEnergyGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : OnGpu(backend, queue, p),
        functional_(static_cast<Functional>(p[0])),
        kinetic_(static_cast<Kinetic>(p[1])),
        single_(queue_),
        double_(queue_),
        nonlocal_(queue_),
        slots_(queue_, "the sums of the energies") {}

  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) {
    return CalcEnergy::cost_with(a, static_cast<Kinetic>(p[1]), cost);
  }

  void prepare(const suite_array* a) {
    OnGpu::prepare(a);
    const CalcEnergy c(a);
    nonlocal_.prepare(orbital_grid(c.psi, h_.data()), c.nonlocal);
  }

  void execute(const suite_array* a) {
    const CalcEnergy c = begin(a);
    check_precision("psi", c.psi, "vloc", c.vloc);
    const Grid g = orbital_grid(c.psi, h_.data());
    check_size(g);
    nonlocal_.set_layout(row_strides(g), false);
    if (is_single(c.psi.array())) run(g, c, single_);
    else run(g, c, double_);
  }

private:
  template <class T> void run(const Grid& g, const CalcEnergy& c, FourierLines<T>& lines) {
    const gpu::Stream stream = queue_.stream();
    const int norb = static_cast<int>(g.norb), groups = (norb + energy_lanes - 1) / energy_lanes;
    const int portions =
        static_cast<int>(std::clamp<int64_t>(4 * queue_.properties().multiprocessors / groups, 1, g.points() / energy_shares + 1));
    double* const slots = slots_.at_least(static_cast<int64_t>(portions) * norb + 3 * energy_blocks);
    double* const potentials = slots + static_cast<int64_t>(portions) * norb;
    const Momenta momenta{c.A.data(), c.k.data()};
    Bonds bonds;
    for (int d = 0; d < 3; ++d) {
      bonds.n[d] = static_cast<int>(g.n[d]);
      bonds.h[d] = g.h[d];
      bonds.weight[d] = g.n[d] > 1 ? g.volume_element() / (2 * g.h[d] * g.h[d]) : 0;
    }
    const auto* const psi = device_data<const Number<T>>(c.psi);
    double *const ekin = c.ekin.data(), *const enl = c.enl.data();
    if (kinetic_ == Kinetic::fourier) {
      lines.set(g);
      lines.energies(psi, momenta, ekin);
    } else {
      SUITE_GPU_LAUNCH(sum_bonds<T>, static_cast<unsigned>(groups * portions), energy_threads, 0, stream, psi, bonds, momenta, norb,
                       portions, slots);
      SUITE_GPU_LAUNCH(add_portions, blocks_for(norb, 128), 128, 0, stream, slots, portions, norb, ekin);
    }
    nonlocal_.expect<T>(psi, momenta, nullptr, false, enl);
    const auto sum = functional_ == Functional::none   ? sum_potentials<T, Functional::none>
                     : functional_ == Functional::pw92 ? sum_potentials<T, Functional::pw92>
                                                       : sum_potentials<T, Functional::pz81>;
    SUITE_GPU_LAUNCH(sum, energy_blocks, energy_threads, 0, stream, device_data<T>(c.rho), device_data<T>(c.vloc), device_data<T>(c.vH),
                     g.points(), potentials);
    SUITE_GPU_LAUNCH(add_energies, 1, energy_threads, 0, stream, potentials, c.f.data(), ekin, enl, norb, g.volume_element(),
                     c.energy.data());
  }

  Functional functional_;
  Kinetic kinetic_;
  FourierLines<float> single_;
  FourierLines<double> double_;
  Nonlocal nonlocal_;
  gpu::Buffer<double> slots_;
};

}  // namespace

const suite_kernel_table* calc_energy_table() { return gpu_table<CalcEnergy, CalcEnergyGpu>(); }

}  // namespace suite::lfd
