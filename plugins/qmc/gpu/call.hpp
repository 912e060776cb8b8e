// SPDX-License-Identifier: BSD-3-Clause
// What the host code of this plugin's parts has in common: arguments, and what is made of the constant ones.
#pragma once

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>
#include <vector>

#include "../call.hpp"
#include "../parameters.hpp"
#include "tables.hpp"

#include "jastrow_u.hpp"

namespace suite::qmc {

using gpu::blocks_for, gpu::check_addresses, gpu::device_data, gpu::on_host;

// The largest array that kernels index, and the largest grid.
inline constexpr int64_t most_blocks = (int64_t{1} << 31) - 1;
inline unsigned grid_of(int64_t blocks) {
  if (blocks > most_blocks)
    throw Failure(SUITE_UNSUPPORTED,
                  "the call takes " + text_of(blocks) + " blocks of threads; this implementation supports up to " + text_of(most_blocks));
  return static_cast<unsigned>(blocks);
}

// Bytes of so many numbers in shared memory, refused where a block cannot have them.
inline size_t shared_numbers(const gpu::Queue& queue, int64_t count, size_t besides = 0) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(double);
  if (bytes + besides > queue.properties().shared_per_block)
    throw Failure(SUITE_UNSUPPORTED, concat("a walker takes ", bytes + besides, " bytes of a block's memory; this device has ",
                                            queue.properties().shared_per_block));
  return bytes;
}

// The base of a kernel without parameters.
class OnGpu {
public:
  OnGpu(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}

protected:
  gpu::Queue queue_;
};

// Copies arguments to vectors on the host, as chi_term, f_term and the like ask for them.
inline auto fetch_from(const gpu::Queue& queue) {
  return [&queue](const auto& from, const char*, auto& to) { to = on_host<typename std::decay_t<decltype(to)>::value_type>(queue, from); };
}

// What was uploaded must stay until queue.wait().
template <class T> void upload(gpu::Buffer<T>& to, const std::vector<T>& from) { to.upload(from.data(), std::ssize(from)); }

// The lattice of a cell, rebuilt when the cell changes.
class Cell {
public:
  // Open space where the cell is unset.
  void prepare_or_open(const gpu::Queue& queue, const suite_array& cell) {
    open_ = !cell.data;
    if (!open_) prepare(queue, cell);
  }
  const Lattice* lattice_or_open() const { return open_ ? nullptr : &lattice_; }
  // True where it changed.
  bool prepare(const gpu::Queue& queue, const suite_array& cell) {
    std::vector<double> now = on_host<double>(queue, cell);
    if (now == vectors_) return false;
    lattice_ = lattice_of(now.data());
    vectors_ = std::move(now);
    return true;
  }
  const Lattice& lattice() const { return lattice_; }
  Reciprocal reciprocal() const {
    Reciprocal r;
    for (int d = 0; d < 3; ++d)
      for (int c = 0; c < 3; ++c) r.b[d][c] = lattice_.b[d][c] / (2 * std::numbers::pi);
    return r;
  }

private:
  std::vector<double> vectors_;
  Lattice lattice_;
  bool open_ = false;
};

inline Powers powers_up_to(const int* top) {
  Powers p;
  p.start[1] = top[0] + 1;
  p.start[2] = p.start[1] + top[1] + 1;
  p.width = p.start[2] + top[2] + 1;
  return p;
}
inline Powers larger(const Powers& a, const Powers& b) {
  const int top[] = {std::max(a.top(0), b.top(0)), std::max(a.top(1), b.top(1)), std::max(a.top(2), b.top(2))};
  return powers_up_to(top);
}

// A list of gvec or kvec on the device, rebuilt when it changes.
class WaveList {
public:
  WaveList(const gpu::Queue& queue, const char* what) : waves_(queue, what) {}

  void set(const gpu::Queue& queue, const std::vector<int32_t>& n, const std::vector<int32_t>& star = {}) {
    if (n == n_ && star == star_) return;
    int top[3] = {0, 0, 0};
    std::vector<Wave> all(n.size() / 3);
    for (size_t g = 0; g < all.size(); ++g) {
      for (size_t d = 0; d < 3; ++d) {
        all[g].n[d] = n[3 * g + d];
        top[d] = std::max(top[d], std::abs(all[g].n[d]));
      }
      all[g].star = star.empty() ? 0 : star[g] - 1;
    }
    powers_ = powers_up_to(top);
    if (!all.empty()) waves_.upload(all.data(), std::ssize(all));
    queue.wait();  // `all` goes
    n_ = n;
    star_ = star;
  }
  const Wave* data() const { return waves_.data(); }
  int count() const { return static_cast<int>(n_.size() / 3); }
  const Powers& powers() const { return powers_; }
  const std::vector<int32_t>& numbers() const { return n_; }

private:
  std::vector<int32_t> n_, star_;
  Powers powers_;
  gpu::Buffer<Wave> waves_;
};

// f(std::integral_constant<LatticeKind, kind>()).
template <class F> void by_kind(LatticeKind kind, F&& f) {
  switch (kind) {
    case LatticeKind::simple_cubic: return f(std::integral_constant<LatticeKind, LatticeKind::simple_cubic>());
    case LatticeKind::face_centred: return f(std::integral_constant<LatticeKind, LatticeKind::face_centred>());
    case LatticeKind::body_centred: return f(std::integral_constant<LatticeKind, LatticeKind::body_centred>());
    case LatticeKind::general: return f(std::integral_constant<LatticeKind, LatticeKind::general>());
  }
}

inline DeviceU device_u(const UTerm& u, const double* alpha) { return {u.form, static_cast<int>(u.nalpha), u.nset, u.C, u.L, alpha}; }

// Where electrons are and what is asked of them, for the device.
struct Positions {
  const double *rele, *rnew;  // rnew: null where all are asked for where they are
  int netot, nup, npos, which;
  int64_t nwalker;

  __device__ __forceinline__ const double* of_walker(int64_t w) const { return rele + 3 * netot * w; }
  __device__ __forceinline__ int electron(int m) const { return rnew ? which : m; }
  __device__ __forceinline__ const double* position(int m, int64_t w) const {
    return rnew ? rnew + 3 * (m + npos * w) : rele + 3 * (m + netot * w);
  }
};
template <class Call> Positions positions_of(const Call& c, const Moved& moved, int64_t nup) {
  if (c.netot() > 1 << 24 || moved.npos > 1 << 24)
    throw Failure(SUITE_UNSUPPORTED, "netot is " + text_of(c.netot()) + " and npos " + text_of(moved.npos) +
                                         "; this implementation supports up to " + text_of(int64_t{1} << 24) + " of each");
  return {c.rele.data(),
          c.rnew.data(),
          static_cast<int>(c.netot()),
          static_cast<int>(nup),
          static_cast<int>(moved.npos),
          static_cast<int>(moved.which),
          c.nwalker()};
}
// Those of a call that may move one of them; nele on the host.
template <class Call> Positions positions_of(const Call& c, const std::vector<int32_t>& nele) {
  return positions_of(c, moved_of(c, c.npos()), electrons_of(c.rele, nele.data()).nup);
}

}  // namespace suite::qmc
