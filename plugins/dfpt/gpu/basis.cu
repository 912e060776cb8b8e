// SPDX-License-Identifier: BSD-3-Clause
// dfpt.basis on a GPU. Neighbouring functions of a batch that sit on one atom are a run; a block takes eight
// points and all runs of a batch, some at a time: first the harmonics of each run at each point into shared
// memory, then a thread for each function and point.
#include "batch_list.hpp"

namespace suite::dfpt {
namespace {

constexpr int piece_points = 8;

// Functions first to last - 1 of a batch are on one atom.
struct Run {
  int32_t atom, first, last;
};
struct BasisFunction {
  int32_t fn, lm;
  double outer_radius;
};

struct Orbitals {
  const Batch* batches;
  const int32_t *i_basis, *species, *first_run, *run_of;  // of each atom, each batch, each entry of i_basis
  const Run* runs;
  const BasisFunction* functions;
  const RadialGrid* grids;
  const double *coords, *atom_coords, *splines;
  double* wave;
  int n_grid;
};

// What a run's functions need at a point, in shared memory.
struct Spot {
  double r, fraction;
  int32_t knot;
};

template <int l_max, int Spots> struct Shared {
  Spot spot[Spots];
  double Y[Spots][components(l_max)];
};

template <int l_max>
__device__ __forceinline__ void look(const Orbitals& f, const Run& run, const double* point, Spot& spot, double* Y_to) {
  const RadialGrid grid = f.grids[f.species[run.atom] - 1];
  const Vector d = from(f.atom_coords + 3 * run.atom, point);
  const double r = ::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  const Knot knot = grid.position(r);
  spot = {r, knot.fraction, knot.number};
  double Y[components(l_max)];
  harmonics_along<l_max>(d, r, grid.is_at_nucleus(r), Y);
  SUITE_GPU_UNROLL
  for (int lm = 0; lm < components(l_max); ++lm) Y_to[lm] = Y[lm];
}

template <int l_max, int Spots> __global__ void __launch_bounds__(block_threads) evaluate(Orbitals f, const Piece* pieces) {
  constexpr int runs_at_a_time = Spots / piece_points;
  __shared__ Shared<l_max, Spots> shared;
  const Piece piece = pieces[blockIdx.x];
  const Batch batch = f.batches[piece.batch];
  const int left = static_cast<int>(batch.points) - piece.row, points = left < piece_points ? left : piece_points;
  const int64_t first_point = batch.first_point + piece.row;
  const int32_t* const i_basis = f.i_basis + batch.first_function;
  const int32_t* const run_of = f.run_of + batch.first_function;
  const int end = f.first_run[piece.batch + 1];
  for (int run0 = f.first_run[piece.batch]; run0 < end; run0 += runs_at_a_time) {
    const int runs = end - run0 < runs_at_a_time ? end - run0 : runs_at_a_time;
    for (int e = thread(); e < runs * piece_points; e += block_threads)
      if (e % piece_points < points)
        look<l_max>(f, f.runs[run0 + e / piece_points], f.coords + 3 * (first_point + e % piece_points), shared.spot[e], shared.Y[e]);
    __syncthreads();
    const int first = f.runs[run0].first, count = f.runs[run0 + runs - 1].last - first;
    for (int e = thread(); e < count * points; e += block_threads) {
      const int i = first + e % count, p = e / count;
      const int at = (run_of[i] - run0) * piece_points + p;
      const BasisFunction function = f.functions[i_basis[i] - 1];
      const Spot spot = shared.spot[at];
      const double* const spline = f.splines + int64_t{4} * (spot.knot + int64_t{f.n_grid} * function.fn);
      f.wave[batch.wave + (piece.row + p) * batch.functions + i] =
          spot.r >= function.outer_radius ? 0.0 : cubic(spline, 1, spot.fraction) * shared.Y[at][function.lm];
    }
    __syncthreads();
  }
}

class BasisGpu {
public:
  BasisGpu(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue),
        batches_(queue_, "the list of batches"),
        grids_(queue_, "the species' grids"),
        runs_(queue_, "the atoms of each batch"),
        first_run_(queue_, "the atoms of each batch"),
        run_of_(queue_, "the atoms of each batch"),
        functions_(queue_, "the basis functions"),
        pieces_(queue_, "the list of points") {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Basis> host(queue_, a,
                                 {"batch_points", "batch_basis", "i_basis", "species", "basis_atom", "basis_fn", "basis_l", "basis_m",
                                  "r_grid_min", "r_grid_inc", "outer_radius"});
    const BasisCall call = check_basis(*host);
    batches_.set(call.batches.batch);
    grids_.set(call.grids);
    set_functions(*host);
    set_runs(call.batches, host->i_basis.data(), host->basis_atom.data());
    pieces_.set(point_pieces(call.batches, piece_points).pieces);
  }

  void execute(const suite_array* a) {
    queue_.select();
    if (pieces_.count() == 0) return;
    const Basis c(a);
    const Orbitals orbitals{batches_.data(),
                            c.i_basis.data(),
                            c.species.data(),
                            first_run_.data(),
                            run_of_.data(),
                            runs_.data(),
                            functions_.data(),
                            grids_.data(),
                            c.coords.data(),
                            c.atom_coords.data(),
                            c.basis_wave_spl.data(),
                            c.wave.data(),
                            static_cast<int>(c.n_grid())};
    const auto kernel = most_l_ <= 4 ? evaluate<4, 128> : evaluate<8, 32>;
    SUITE_GPU_LAUNCH(kernel, grid_of(pieces_.count()), block_threads, 0, queue_.stream(), orbitals, pieces_.data());
  }

private:
  void set_functions(const Basis& host) {
    std::vector<BasisFunction> functions;
    most_l_ = 0;
    for (int64_t i = 0; i < host.n_basis(); ++i) {
      const int32_t fn = host.basis_fn(i) - 1, l = host.basis_l(i);
      functions.push_back({fn, l * l + l + host.basis_m(i), host.outer_radius(fn)});
      most_l_ = std::max(most_l_, l);
    }
    functions_.set(functions);
  }

  void set_runs(const Batches& batches, const int32_t* i_basis, const int32_t* basis_atom) {
    std::vector<Run> runs;
    std::vector<int32_t> first, run_of;
    for (const Batch& batch : batches.batch) {
      first.push_back(static_cast<int32_t>(runs.size()));
      for (int32_t i = 0; i < batch.functions; ++i) {
        const int32_t atom = basis_atom[i_basis[batch.first_function + i] - 1] - 1;
        if (i == 0 || runs.back().atom != atom) runs.push_back({atom, i, i});
        runs.back().last = i + 1;
        run_of.push_back(static_cast<int32_t>(runs.size() - 1));
      }
    }
    first.push_back(static_cast<int32_t>(runs.size()));
    runs_.set(runs);
    first_run_.set(first);
    run_of_.set(run_of);
  }

  gpu::Queue queue_;
  int32_t most_l_ = 0;
  device::Buffer<Batch> batches_;
  device::Buffer<RadialGrid> grids_;
  device::Buffer<Run> runs_;
  device::Buffer<int32_t> first_run_, run_of_;
  device::Buffer<BasisFunction> functions_;
  device::Buffer<Piece> pieces_;
};

}  // namespace

const suite_kernel_table* basis_table() { return gpu_table<Basis, BasisGpu>(); }

}  // namespace suite::dfpt
