// SPDX-License-Identifier: BSD-3-Clause
// V_nl in lfd.propagate (spheres.hpp): its exponential on a block of orbitals before and after the kinetic part of a step, and its part of
// the current.
//
// Before the kinetic part and for the current the block has yet to take a phase u. A block of chi (cells.hpp) has the projectors'
// e^{i(A+k).(r-R)} in it, except for images; one of psi has none of it. Both phases are known at each point of each sphere: u for all
// orbitals, the others for each A + k, of which many orbitals have the same. Their product is made once for the two sweeps over a sphere,
// as real numbers where all orbitals of the block have it.
#pragma once

#include <omp.h>

#include "../stencil.hpp"
#include "block_rows.hpp"

namespace suite::lfd {

template <class T> class BlockSpheres {
public:
  using V = Vector<T>;

  struct Form {
    bool turned;    // there are A or k
    bool whole;     // blocks are psi, not chi
    int64_t slots;  // of phases u
    int threads;
  };
  // By one thread: places and memory. `spheres` stays where it is.
  void set(const Spheres& spheres, const Blocks<T>& blocks, const double* k, const Form& form);
  bool empty() const { return placed_.empty(); }

  // By a team: A of the steps that follow, or null, and a phase u in the order of cells.
  void set_momenta(const double* A);
  void set_phase(const T* u, int64_t slot);

  // For dt/2, atoms ascending, u of `slot` taken, whose size is sqrt(size2).
  void before(V* block, int64_t b, int64_t slot, double size2) const {
    for (size_t atom = 0; atom < placed_.size(); ++atom)
      with_rows(block, b, atom, phase_of(slot, atom), nullptr, [&](const Sphere& sphere, const auto& rows, V* workspace) {
        propagate_sphere<T>(sphere, spheres_->nproj, rows, 1 / size2, workspace);
      });
  }
  // For dt/2, atoms descending; rho of the block follows.
  void after(V* block, int64_t b, V f, double* rho) const {
    DensityOfRows<T> density(f, rho);
    for (size_t atom = placed_.size(); atom-- > 0;)
      with_rows(block, b, atom, nullptr, &density, [&](const Sphere& sphere, const auto& rows, V* workspace) {
        propagate_sphere<T>(sphere, spheres_->nproj, rows, 1, workspace);
      });
    density.flush();
  }
  // sum_n f_n of the current's part of each direction, u of `slot` taken, is added to total[3].
  void add_current(V* block, int64_t b, int64_t slot, V f, double volume, double* total) const {
    V sum[3] = {};
    for (size_t atom = 0; atom < placed_.size(); ++atom)
      with_rows(block, b, atom, phase_of(slot, atom), nullptr, [&](const Sphere& sphere, const auto& rows, V* workspace) {
        add_current_of_sphere<T>(sphere, spheres_->nproj, rows, volume, workspace, sum);
      });
    for (int d = 0; d < 3; ++d)
      for (int l = 0; l < lanes<T>; ++l) total[d] += static_cast<double>(f[l] * sum[d][l]);
  }

private:
  const T* phase_of(int64_t slot, size_t atom) const { return u_.data() + 2 * (slot * points_ + first_[atom]); }
  const T* turn_of(int64_t number, size_t atom) const { return turns_.data() + 2 * (number * points_ + first_[atom]); }

  // use(sphere, rows, workspace) with rows times u, which may be null, and the projectors' phases.
  template <class Use> void with_rows(V* block, int64_t b, size_t atom, const T* u, DensityOfRows<T>* density, Use&& use) const {
    const Sphere& sphere = spheres_->atoms[atom];
    const PlacedSphere& placed = placed_[atom];
    V *const workspace = workspace_.data() + omp_get_thread_num() * room_, *const products = workspace + 4 * spheres_->nproj;
    if (!form_.turned || !(form_.whole || sphere.shift.size() > 1)) {
      if (u) use(sphere, BlockRows<T, Turn::alike>{block, placed, u, density}, workspace);
      else use(sphere, BlockRows<T, Turn::none>{block, placed, nullptr, density}, workspace);
      return;
    }
    const int32_t* const number = &number_[b * lanes<T>];
    const int64_t count = std::ssize(sphere.point);
    if (!std::equal(number + 1, number + lanes<T>, number)) {
      phases_of_each(number, atom, count, u, products);
      use(sphere, BlockRows<T, Turn::each>{block, placed, products, density}, workspace);
      return;
    }
    const T* factors = turn_of(number[0], atom);
    if (u) {
      T* const product = reinterpret_cast<T*>(products);
      for (int64_t p = 0; p < 2 * count; p += 2) {
        product[p] = factors[p] * u[p] - factors[p + 1] * u[p + 1];
        product[p + 1] = factors[p] * u[p + 1] + factors[p + 1] * u[p];
      }
      factors = product;
    }
    use(sphere, BlockRows<T, Turn::alike>{block, placed, factors, density}, workspace);
  }
  void phases_of_each(const int32_t* number, size_t atom, int64_t count, const T* u, V* to) const {
    for (int l = 0; l < lanes<T>; ++l) {
      const T* const from = turn_of(number[l], atom);
      for (int64_t p = 0; p < 2 * count; ++p) to[p][l] = from[p];
    }
    for (int64_t p = 0; u && p < 2 * count; p += 2) {
      const V re = to[p] * u[p] - to[p + 1] * u[p + 1];
      to[p + 1] = to[p] * u[p + 1] + to[p + 1] * u[p];
      to[p] = re;
    }
  }

  const Spheres* spheres_ = nullptr;
  Form form_{};
  std::vector<PlacedSphere> placed_;
  std::vector<int64_t> first_;   // point of each atom
  std::vector<Three> k_;         // those that differ
  std::vector<int32_t> number_;  // of each orbital's k, the last block filled
  int64_t points_ = 0, room_ = 0;
  Buffer<T> u_, turns_;  // [slot][point][re,im], [number][point][re,im]
  Buffer<V> workspace_;  // of each thread
};

template <class T> void BlockSpheres<T>::set(const Spheres& spheres, const Blocks<T>& blocks, const double* k, const Form& form) {
  spheres_ = &spheres;
  form_ = form;
  placed_.clear();
  first_.clear();
  points_ = 0;
  int64_t largest = 0;
  for (const Sphere& sphere : spheres.atoms) {
    placed_.emplace_back(sphere, blocks);
    first_.push_back(points_);
    points_ += std::ssize(sphere.point);
    largest = std::max(largest, std::ssize(sphere.point));
  }
  if (empty()) return;
  CallMomenta momenta(blocks.grid().norb, nullptr, k);
  k_ = std::move(momenta.different);
  number_ = std::move(momenta.of_orbital);
  number_.resize(static_cast<size_t>(blocks.count() * lanes<T>), number_.back());
  u_.at_least(2 * form.slots * points_);
  if (form.turned) turns_.at_least(2 * std::ssize(k_) * points_);
  room_ = 4 * spheres.nproj + (form.turned ? 2 * largest : 0);
  workspace_.at_least(form.threads * room_);
}

template <class T> void BlockSpheres<T>::set_momenta(const double* A) {
  if (!form_.turned) return;
  const int64_t atoms = std::ssize(placed_), all = atoms * std::ssize(k_);
#pragma omp for schedule(dynamic)
  for (int64_t i = 0; i < all; ++i) {
    const int64_t number = i / atoms, atom = i % atoms;
    Three q = k_[static_cast<size_t>(number)];
    for (int d = 0; A && d < 3; ++d) q.x[d] += A[d];
    sphere_phases<T>(spheres_->atoms[atom], q, form_.whole, const_cast<T*>(turn_of(number, atom)));
  }
}

template <class T> void BlockSpheres<T>::set_phase(const T* u, int64_t slot) {
#pragma omp for schedule(static)
  for (size_t atom = 0; atom < placed_.size(); ++atom) {
    T* to = u_.data() + 2 * (slot * points_ + first_[atom]);
    for (const int64_t place : placed_[atom].place) {
      to[0] = u[2 * place];
      to[1] = u[2 * place + 1];
      to += 2;
    }
  }
}

}  // namespace suite::lfd
