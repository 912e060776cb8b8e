// SPDX-License-Identifier: BSD-3-Clause
// dfpt.h on a GPU: which batches at a time, and which pieces of their matrices.
#include "h.hpp"

namespace suite::dfpt {
namespace {

constexpr int64_t most_directions = 3;  // at once

// How the batches are gone through for H, or for HC.
struct Plan {
  explicit Plan(const gpu::Queue& queue)
      : place(queue, "the places of the batches' matrices"),
        pieces(queue, "the list of tiles"),
        first_entry(queue, "the batches of each row"),
        entries(queue, "the batches of each row") {}

  std::vector<Chunk> chunks;
  std::vector<int64_t> first_piece;  // of each batch, and behind the last
  device::Buffer<int64_t> place;
  device::Buffer<Piece> pieces;
  device::Buffer<int32_t> first_entry;  // (n_basis+1,chunks)
  device::Buffer<RowEntry> entries;

  void set_pieces(const Batches& batches, int64_t columns, bool triangle) {
    std::vector<Piece> all;
    first_piece.clear();
    for (int32_t b = 0; b < batches.count(); ++b) {
      first_piece.push_back(std::ssize(all));
      const auto n = static_cast<int32_t>(batches.batch[static_cast<size_t>(b)].functions);
      const int32_t width = columns ? static_cast<int32_t>(columns) : n;
      for (int32_t row = 0; row < n; row += h_tile)
        for (int32_t column = triangle ? row : 0; column < width; column += h_tile) all.push_back({b, row, column});
    }
    first_piece.push_back(std::ssize(all));
    pieces.set(all);
  }

  void set_rows(const Batches& batches, const int32_t* i_basis, int64_t n_basis) {
    std::vector<int32_t> first;
    std::vector<RowEntry> all(static_cast<size_t>(batches.n_list));
    int32_t next = 0;
    for (const Chunk& chunk : chunks) {
      std::vector<int32_t> count(static_cast<size_t>(n_basis));
      for_functions(batches, chunk, i_basis, [&](size_t m, RowEntry) { ++count[m]; });
      for (int32_t& n : count) {
        first.push_back(next);
        next += n;
        n = first.back();
      }
      first.push_back(next);
      for_functions(batches, chunk, i_basis, [&](size_t m, RowEntry entry) { all[static_cast<size_t>(count[m]++)] = entry; });
    }
    first_entry.set(first);
    entries.set(all);
  }

private:
  template <class F> static void for_functions(const Batches& batches, const Chunk& chunk, const int32_t* i_basis, const F& f) {
    for (int64_t b = chunk.first; b < chunk.last; ++b) {
      const Batch& batch = batches.batch[static_cast<size_t>(b)];
      for (int64_t i = 0; i < batch.functions; ++i)
        f(static_cast<size_t>(i_basis[batch.first_function + i] - 1), RowEntry{static_cast<int32_t>(b), static_cast<int32_t>(i)});
    }
  }
};

class HGpu {
public:
  static constexpr suite_parameter parameters[] = {
      variant_of(h_steps), knob("scratch", 262144, 1, 16777216, "KiB", "workspace for the matrices of the batches in flight")};

  HGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : variant_(static_cast<Step>(p[0])),
        capacity_(p[1] * 1024 / static_cast<int64_t>(sizeof(double))),
        queue_(backend, queue),
        batches_(queue_, "the list of batches"),
        psi_pieces_(queue_, "the list of tiles"),
        for_matrices_(queue_),
        for_products_(queue_),
        results_(queue_, "the matrices of the batches"),
        sums_(queue_, "the matrix"),
        psi_(queue_, "the orbitals at the points"),
        work_(queue_, "the weighted functions") {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Hamiltonian> host(queue_, a, {"batch_points", "batch_basis", "i_basis"});
    call_ = check_h(*host);
    batches_.set(call_.batches.batch);
    if (call_.matrices) plan(for_matrices_, 0, host->i_basis.data());
    if (call_.products) {
      plan(for_products_, call_.n_occ, host->i_basis.data());
      set_psi_pieces();
    }
  }

  void execute(const suite_array* a) {
    queue_.select();
    const Hamiltonian c(a);
    for (int64_t first = 0; first < call_.n_dir; first += most_directions) {
      Integrals arrays{batches_.data(),
                       c.i_basis.data(),
                       c.wave.data(),
                       c.wave_right.data(),
                       c.partition_tab.data(),
                       c.v.data(),
                       nullptr,
                       nullptr,
                       nullptr,
                       call_.batches.n_points,
                       0,
                       static_cast<int>(call_.n_occ),
                       static_cast<int>(std::min(most_directions, call_.n_dir - first)),
                       static_cast<int>(first)};
      if (call_.matrices) run(for_matrices_, arrays, nullptr, c.H.data());
      if (call_.products) run(for_products_, arrays, c.C.data(), c.HC.data());
    }
  }

private:
  // n_occ: 0 for H.
  int64_t columns_of(const Batch& batch, int64_t n_occ) const { return n_occ ? n_occ : batch.functions; }
  // Of the weighted functions of a batch.
  int64_t work_size(int64_t n_occ) const {
    return std::max<int64_t>(1, call_.batches.most_points * (n_occ ? n_occ : call_.batches.most_functions));
  }

  void plan(Plan& plan, int64_t n_occ, const int32_t* i_basis) {
    const int64_t dirs = std::min(call_.n_dir, most_directions);
    std::vector<int64_t> place;
    plan.chunks = chunks_of(call_.batches, capacity_, place, [&](const Batch& batch) {
      return dirs * batch.functions * columns_of(batch, n_occ) + (variant_ == Step::naive ? work_size(n_occ) : 0);
    });
    plan.place.set(place);
    plan.set_pieces(call_.batches, n_occ, n_occ == 0 && variant_ >= Step::control_flow);
    plan.set_rows(call_.batches, i_basis, call_.n_basis);
  }

  void set_psi_pieces() {
    const PointPieces made = point_pieces(call_.batches, psi_rows);
    first_psi_piece_ = made.first;
    psi_pieces_.set(made.pieces);
  }

  void run(const Plan& plan, Integrals arrays, const double* C, double* to) {
    const int64_t width = C ? call_.n_occ : call_.n_basis, count = width * call_.n_basis * arrays.dirs;
    double* const sums = sums_.at_least(count);
    queue_.set_zero(sums, static_cast<size_t>(count) * sizeof(double));
    arrays.place = plan.place.data();
    for (size_t c = 0; c < plan.chunks.size(); ++c) {
      const Chunk& chunk = plan.chunks[c];
      arrays.results = results_.at_least(std::max<int64_t>(1, chunk.numbers));
      if (C) make_psi(arrays, chunk, C);
      integrate(plan, arrays, chunk);
      collect_rows(queue_, arrays, plan.first_entry.data() + static_cast<int64_t>(c) * (call_.n_basis + 1), plan.entries.data(),
                   call_.n_basis, sums);
    }
    add_sums(queue_, arrays, call_.n_basis, sums, to + arrays.first * width * call_.n_basis);
  }

  void make_psi(Integrals& arrays, const Chunk& chunk, const double* C) {
    const std::vector<Batch>& batch = call_.batches.batch;
    const Batch& last = batch[static_cast<size_t>(chunk.last - 1)];
    arrays.psi_first = batch[static_cast<size_t>(chunk.first)].first_point;
    const int64_t points = last.first_point + last.points - arrays.psi_first;
    double* const psi = psi_.at_least(std::max<int64_t>(1, points * call_.n_occ));
    const int64_t first = first_psi_piece_[static_cast<size_t>(chunk.first)];
    orbitals_at_points(queue_, arrays, C, call_.n_basis, psi_pieces_.data() + first,
                       first_psi_piece_[static_cast<size_t>(chunk.last)] - first, psi);
    arrays.psi = psi;
  }

  void integrate(const Plan& plan, const Integrals& arrays, const Chunk& chunk) {
    if (variant_ == Step::naive) {
      const int64_t workspace = work_size(arrays.psi ? call_.n_occ : 0);
      integrate_naive(queue_, arrays, chunk, workspace, work_.at_least(workspace * (chunk.last - chunk.first)));
    } else if (variant_ == Step::parallelism) {
      integrate_parallel(queue_, arrays, chunk);
    } else {
      const int64_t first = plan.first_piece[static_cast<size_t>(chunk.first)];
      integrate_tiles(queue_, arrays, plan.pieces.data() + first, plan.first_piece[static_cast<size_t>(chunk.last)] - first, variant_);
    }
  }

  Step variant_;
  int64_t capacity_;
  gpu::Queue queue_;
  HCall call_;
  device::Buffer<Batch> batches_;
  device::Buffer<Piece> psi_pieces_;
  std::vector<int64_t> first_psi_piece_;
  Plan for_matrices_, for_products_;
  gpu::Buffer<double> results_, sums_, psi_, work_;
};

}  // namespace

const suite_kernel_table* h_table() { return gpu_table<Hamiltonian, HGpu>(); }

}  // namespace suite::dfpt
