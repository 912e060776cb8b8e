// SPDX-License-Identifier: BSD-3-Clause
// The kernels that take each point, or each row of orbitals, by itself: pot_prop, set_prop, periodic_bc,
// compute_vxc, compute_v.
#include "call.hpp"

namespace suite::lfd {
namespace {

__device__ __forceinline__ int64_t thread_index() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    turn_rows(Number<T>* psi, const Number<T>* u, int64_t points, int norb, int shift) {
  const Lane lane = row_lane(shift);
  if (lane.row >= points) return;
  const Number<T> phase = u[lane.row];
  Number<T>* const row = psi + lane.row * norb;
  for (int n = lane.first; n < norb; n += lane.width) row[n] = row[n] * phase;
}

template <class T>
__global__ void set_phases(const T* v, double factor, int64_t points, Number<T>* u) {
  const int64_t p = thread_index();
  if (p >= points) return;
  const Number<double> z = unit(factor * static_cast<double>(v[p]));
  u[p] = {static_cast<T>(z.re), static_cast<T>(z.im)};
}

// A row of a face, from the other side of the grid. n: points with ghosts; d: the direction of the faces.
template <class T>
__global__ void __launch_bounds__(row_threads)
    copy_faces(Number<T>* psi, int d, int nx, int ny, int nz, int norb, int shift) {
  const Lane lane = row_lane(shift);
  const int extent[3] = {nx, ny, nz};
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2, across = extent[f] - 2;
  if (lane.row >= int64_t{2} * (extent[e] - 2) * across) return;
  const int upper = static_cast<int>(lane.row % 2), rest = static_cast<int>(lane.row / 2);
  int to[3], from[3];
  SUITE_GPU_UNROLL
  for (int c = 0; c < 3; ++c) {
    const int other = c == e ? 1 + rest / across : 1 + rest % across;
    to[c] = c != d ? other : upper ? extent[d] - 1 : 0;
    from[c] = c != d ? other : upper ? 1 : extent[d] - 2;
  }
  Number<T>* const ghost = psi + ((static_cast<int64_t>(to[0]) * ny + to[1]) * nz + to[2]) * norb;
  const Number<T>* const row = psi + ((static_cast<int64_t>(from[0]) * ny + from[1]) * nz + from[2]) * norb;
  for (int n = lane.first; n < norb; n += lane.width) ghost[n] = row[n];
}

template <class T, Functional functional>
__global__ void set_exchange_correlation(const T* rho, int64_t points, T* vxc, T* exc) {
  const int64_t p = thread_index();
  if (p >= points) return;
  const ExchangeCorrelation<T> xc = exchange_correlation<functional, T>(rho[p]);
  vxc[p] = xc.vxc;
  if (exc) exc[p] = xc.exc;
}

template <class T>
struct Potentials {
  const T *vloc, *vH, *vxc;
  const double* E;
  double h[3];
  int n[3];
  T* v;
};

template <class T>
__global__ void add_potentials(Potentials<T> in, int64_t points) {
  const int64_t p = thread_index();
  if (p >= points) return;
  double v = static_cast<double>(in.vloc[p]) + static_cast<double>(in.vH[p]);
  if (in.vxc) v += static_cast<double>(in.vxc[p]);
  if (in.E) {
    const int i = static_cast<int>(p), z = i % in.n[2], y = i / in.n[2] % in.n[1], x = i / in.n[2] / in.n[1];
    v += in.E[0] * ((x - in.n[0] / 2) * in.h[0]) + in.E[1] * ((y - in.n[1] / 2) * in.h[1]) +
         in.E[2] * ((z - in.n[2] / 2) * in.h[2]);
  }
  in.v[p] = static_cast<T>(v);
}

class PotPropGpu {
public:
  PotPropGpu(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}
  void execute(const suite_array* a) {
    const PotProp c(a);
    queue_.select();
    check_addresses<PotProp>(a);
    const Grid g = orbital_grid(c.psi);
    const int shift = row_shift(g.norb);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      SUITE_GPU_LAUNCH(turn_rows<T>, row_blocks(g.points(), shift), row_threads, 0, queue_.stream(),
                       device_data<Number<T>>(c.psi), device_data<Number<T>>(c.u),
                       g.points(), g.norb, shift);
    });
  }

private:
  gpu::Queue queue_;
};

class SetPropGpu {
public:
  SetPropGpu(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}
  void execute(const suite_array* a) {
    const SetProp c(a);
    queue_.select();
    check_addresses<SetProp>(a);
    check_precision("v", c.v, "u", c.u);
    const Grid g = field_grid(c.v);
    const double factor = -0.5 * c.dt;
    by_precision(c.v.array(), [&](auto type) {
      using T = decltype(type);
      SUITE_GPU_LAUNCH(set_phases<T>, blocks_for(g.points(), point_threads), point_threads, 0,
                       queue_.stream(), device_data<T>(c.v), factor, g.points(),
                       device_data<Number<T>>(c.u));
    });
  }

private:
  gpu::Queue queue_;
};

class PeriodicBcGpu {
public:
  PeriodicBcGpu(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}
  void execute(const suite_array* a) {
    const PeriodicBc c(a);
    queue_.select();
    check_addresses<PeriodicBc>(a);
    const int64_t norb = c.psi.extent(0), n[] = {c.psi.extent(3), c.psi.extent(2), c.psi.extent(1)};
    const int shift = row_shift(norb);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      for (int d = 0; d < 3; ++d) {
        const int64_t rows = 2 * (d == 0 ? 1 : n[0] - 2) * (d == 1 ? 1 : n[1] - 2) * (d == 2 ? 1 : n[2] - 2);
        if (rows > 0)
          SUITE_GPU_LAUNCH(copy_faces<T>, row_blocks(rows, shift), row_threads, 0, queue_.stream(),
                           device_data<Number<T>>(c.psi), d, n[0], n[1], n[2], norb, shift);
      }
    });
  }

private:
  gpu::Queue queue_;
};

class ComputeVxcGpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::functional_of_density};
  ComputeVxcGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : pw92_(p[0] == 0), queue_(backend, queue) {}
  void execute(const suite_array* a) {
    const ComputeVxc c(a);
    queue_.select();
    const Grid g = field_grid(c.rho);
    by_precision(c.rho.array(), [&](auto type) {
      using T = decltype(type);
      const auto kernel = pw92_ ? set_exchange_correlation<T, Functional::pw92>
                                : set_exchange_correlation<T, Functional::pz81>;
      SUITE_GPU_LAUNCH(kernel, blocks_for(g.points(), point_threads), point_threads, 0, queue_.stream(),
                       device_data<T>(c.rho), g.points(), device_data<T>(c.vxc),
                       device_data<T>(c.exc));
    });
  }

private:
  bool pw92_;
  gpu::Queue queue_;
};

class ComputeVGpu {
public:
  ComputeVGpu(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}
  void prepare(const suite_array* a) {
    queue_.select();
    h_ = on_host<double>(queue_, ComputeV(a).h.array());
  }
  void execute(const suite_array* a) {
    const ComputeV c(a);
    queue_.select();
    const Grid g = field_grid(c.vloc, h_.data());
    check_size(g);
    by_precision(c.vloc.array(), [&](auto type) {
      using T = decltype(type);
      Potentials<T> in{device_data<T>(c.vloc),
                       device_data<T>(c.vH),
                       device_data<T>(c.vxc),
                       c.E.data(),
                       {},
                       {},
                       device_data<T>(c.v)};
      for (int d = 0; d < 3; ++d) {
        in.h[d] = g.h[d];
        in.n[d] = static_cast<int>(g.n[d]);
      }
      SUITE_GPU_LAUNCH(add_potentials<T>, blocks_for(g.points(), point_threads), point_threads, 0,
                       queue_.stream(), in, g.points());
    });
  }

private:
  gpu::Queue queue_;
  std::vector<double> h_;
};

}  // namespace

#define SUITE_LFD_TABLE(name, Kernel)                                            \
  const suite_kernel_table* name() {                                             \
    static constexpr suite_kernel_table table =                                  \
        kernel_table<Kernel, Kernel##Gpu>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND); \
    return &table;                                                               \
  }
SUITE_LFD_TABLE(pot_prop_table, PotProp)
SUITE_LFD_TABLE(set_prop_table, SetProp)
SUITE_LFD_TABLE(periodic_bc_table, PeriodicBc)
SUITE_LFD_TABLE(compute_vxc_table, ComputeVxc)
SUITE_LFD_TABLE(compute_v_table, ComputeV)

}  // namespace suite::lfd
