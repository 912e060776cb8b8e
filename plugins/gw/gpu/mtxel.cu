// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel on a GPU: a block for some lines of a pass, in shared memory. A panel is one band (two in the real
// flavour).
#include "lines.cuh"

namespace suite::gw {
namespace {

constexpr int64_t most_blocks = (int64_t{1} << 31) - 1;

// Coefficients of bands as they come: pairs of real ones make a complex one.
struct Coefficients {
  const double* data;
  int64_t npw, nbands, first, component;
  int parts, per_lane;
};

__device__ __forceinline__ const Z* points_of(const double* panels) { return reinterpret_cast<const Z*>(panels); }
__device__ __forceinline__ Z* points_of(double* panels) { return reinterpret_cast<Z*>(panels); }

__global__ void __launch_bounds__(block_threads) sphere_lines(Lines f, Coefficients c, double* out, int64_t out_size) {
  SUITE_GPU_DYNAMIC_SHARED(Z, shared);
  pass(
      f, shared,
      [&](int64_t panel, int64_t at) {
        const int64_t band = c.first + panel * c.per_lane;
        const double* const from = c.data + ((c.component * c.nbands + band) * c.npw + at) * c.parts;
        if (c.parts == 2) return Z{from[0], from[1]};
        return Z{from[0], c.per_lane == 2 && band + 1 < c.nbands ? from[c.npw] : 0.0};
      },
      [&](int64_t panel, int64_t at, Z z) { points_of(out)[panel * out_size + at] = z; });
}

__global__ void __launch_bounds__(block_threads)
    inner_lines(Lines f, const double* in, double* out, int64_t in_size, int64_t out_size, int64_t out_first, int64_t out_step) {
  SUITE_GPU_DYNAMIC_SHARED(Z, shared);
  pass(
      f, shared, [&](int64_t panel, int64_t at) { return points_of(in)[panel * in_size + at]; },
      [&](int64_t panel, int64_t at, Z z) { points_of(out)[(out_first + panel * out_step) * out_size + at] = z; });
}

__global__ void __launch_bounds__(block_threads)
    lines_of_product(Lines f, const double* functions, const double* grid, double* out, int64_t points, int64_t out_size, int64_t function,
                     int64_t first, int nspinor) {
  SUITE_GPU_DYNAMIC_SHARED(Z, shared);
  pass(
      f, shared,
      [&](int64_t panel, int64_t at) {
        Z sum{0, 0};
        for (int s = 0; s < nspinor; ++s)
          sum = sum + conjugate(points_of(functions)[(function + s) * points + at]) *
                          points_of(grid)[((first + panel) * nspinor + s) * points + at];
        return sum;
      },
      [&](int64_t panel, int64_t at, Z z) { points_of(out)[panel * out_size + at] = z; });
}

struct Results {
  const double* phase;
  double* aqs;
  int64_t ncouls, ntband, external, first;
  bool conjugate, real;
  double factor;
};

__global__ void __launch_bounds__(block_threads) lines_to_elements(Lines f, const double* in, int64_t in_size, Results r) {
  SUITE_GPU_DYNAMIC_SHARED(Z, shared);
  pass(
      f, shared, [&](int64_t panel, int64_t at) { return points_of(in)[panel * in_size + at]; },
      [&](int64_t panel, int64_t ig, Z z) {
        const int64_t band = r.first + panel * (r.real ? 2 : 1), at = (r.external * r.ntband + band) * r.ncouls + ig;
        z = {r.factor * z.re, r.factor * z.im};
        if (r.real) {
          const double phase = r.phase ? r.phase[ig] : 1.0;
          r.aqs[at] = phase * z.re;
          if (band + 1 < r.ntband) r.aqs[at + r.ncouls] = phase * z.im;
          return;
        }
        if (r.conjugate) z = gpu::conjugate(z);
        if (r.phase) z = points_of(r.phase)[ig] * z;
        points_of(r.aqs)[at] = z;
      });
}

// As many lines as the memory of a block takes that leaves room for others, 32 at most.
struct Shape {
  Lines f;
  unsigned blocks;
  size_t bytes;
};
Shape shape_of(const gpu::Queue& queue, Words words, Roots roots, int n, int64_t lines, int64_t panels) {
  const auto line = static_cast<int64_t>(2 * sizeof(Z)) * n;
  const int64_t memory = std::min<int64_t>(static_cast<int64_t>(queue.properties().shared_per_block), 48 << 10);
  const int64_t together = std::clamp<int64_t>(memory / 2 / line, 1, 32);
  if (together * line > static_cast<int64_t>(queue.properties().shared_per_block))
    throw Failure(SUITE_UNSUPPORTED, concat("a line of ", n, " points takes ", line, " bytes of a block's memory; this device has ",
                                            queue.properties().shared_per_block));
  const int64_t blocks = (lines * panels + together - 1) / together;
  if (blocks > most_blocks)
    throw Failure(SUITE_UNSUPPORTED,
                  concat("the call takes ", blocks, " blocks of threads; this implementation serves up to ", most_blocks));
  return {{words, roots, n, static_cast<int>(together), lines, lines * panels},
          static_cast<unsigned>(blocks),
          static_cast<size_t>(together * line)};
}

void launch_from_sphere(const device::Queue& queue, int64_t, Words words, Roots roots, const double* coefficients, double* out, double*,
                        int32_t n, int64_t lines, int64_t panels, int64_t out_size, int64_t npw, int64_t nbands, int64_t first, int32_t s,
                        int32_t parts, int32_t per_lane) {
  const Shape shape = shape_of(queue, words, roots, n, lines, panels);
  const Coefficients c{coefficients, npw, nbands, first, s, parts, per_lane};
  SUITE_GPU_LAUNCH(sphere_lines, shape.blocks, block_threads, shape.bytes, queue.stream(), shape.f, c, out, out_size);
}

void launch_between(const device::Queue& queue, int64_t, Words words, Roots roots, const double* in, double* out, double*, int32_t n,
                    int64_t lines, int64_t panels, int64_t in_size, int64_t out_size, int64_t out_first, int64_t out_step) {
  const Shape shape = shape_of(queue, words, roots, n, lines, panels);
  SUITE_GPU_LAUNCH(inner_lines, shape.blocks, block_threads, shape.bytes, queue.stream(), shape.f, in, out, in_size, out_size, out_first,
                   out_step);
}

// A panel is a function here.
void launch_to_functions(const device::Queue& queue, int64_t items, Words words, Roots roots, const double* in, double* out,
                         double* scratch, int32_t n, int64_t lines, int64_t panels, int64_t in_size, int64_t out_size, int64_t out_first,
                         int64_t out_step, int64_t) {
  launch_between(queue, items, words, roots, in, out, scratch, n, lines, panels, in_size, out_size, out_first, out_step);
}

void launch_product_lines(const device::Queue& queue, int64_t, Words words, Roots roots, const double* functions, const double* grid,
                          double* out, double*, int32_t n, int64_t lines, int64_t panels, int64_t points, int64_t out_size,
                          int64_t function, int64_t first, int32_t nspinor) {
  const Shape shape = shape_of(queue, words, roots, n, lines, panels);
  SUITE_GPU_LAUNCH(lines_of_product, shape.blocks, block_threads, shape.bytes, queue.stream(), shape.f, functions, grid, out, points,
                   out_size, function, first, static_cast<int>(nspinor));
}

void launch_to_elements(const device::Queue& queue, int64_t, Words words, Roots roots, const double* in, const double* phase, double* aqs,
                        double*, int32_t n, int64_t lines, int64_t panels, int64_t in_size, int64_t ncouls, int64_t ntband,
                        int64_t external, int64_t first, int32_t has_phase, int32_t conjugate, int32_t real, double factor) {
  const Shape shape = shape_of(queue, words, roots, n, lines, panels);
  const Results results{has_phase ? phase : nullptr, aqs, ncouls, ntband, external, first, conjugate != 0, real != 0, factor};
  SUITE_GPU_LAUNCH(lines_to_elements, shape.blocks, block_threads, shape.bytes, queue.stream(), shape.f, in, in_size, results);
}

}  // namespace

FromSphere from_sphere() { return {launch_from_sphere}; }
Between between() { return {launch_between}; }
ToFunctions to_functions() { return {launch_to_functions}; }
ProductLines product_lines() { return {launch_product_lines}; }
ToElements to_elements() { return {launch_to_elements}; }

}  // namespace suite::gw
