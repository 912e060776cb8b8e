// SPDX-License-Identifier: BSD-3-Clause
// V_nl of lfd.hpsi: a vector of orbitals at the points of a sphere (spheres.hpp), read from psi and added to hpsi, wherever a host has them.
#pragma once

#include <vector>

#include "../stencil.hpp"
#include "blocks.hpp"
#include "phases.hpp"
#include "spheres.hpp"

namespace suite::lfd {

// e^{iq.(r-R)} at all points of all spheres, for each different q = A + k of a call. They are kept: the terms of an exponential's series
// all have the same.
template <class T> class SpherePhases {
public:
  void forget() { momenta_.clear(); }
  // share(count, make) has make(begin, end) called for all of 0 .. count - 1.
  template <class Share> void set(const Spheres& spheres, const CallMomenta& q, Share&& share) {
    number_ = q.of_orbital;
    first_.clear();
    points_ = 0;
    for (const Sphere& sphere : spheres.atoms) {
      first_.push_back(points_);
      points_ += std::ssize(sphere.point);
    }
    if (std::equal(q.different.begin(), q.different.end(), momenta_.begin(), momenta_.end(), CallMomenta::equal)) return;
    momenta_ = q.different;
    table_.resize(momenta_.size() * static_cast<size_t>(2 * points_));
    share(std::ssize(momenta_), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        for (size_t atom = 0; atom < spheres.atoms.size(); ++atom)
          sphere_phases(spheres.atoms[atom], momenta_[i], true, table_.data() + 2 * (i * points_ + first_[atom]));
    });
  }
  // cos and sin of an orbital's first point of an atom.
  const T* of(int64_t orbital, int64_t atom) const { return table_.data() + 2 * (number_[orbital] * points_ + first_[atom]); }

private:
  std::vector<Three> momenta_;
  std::vector<int32_t> number_;  // of each orbital's q
  std::vector<int64_t> first_;  // point of each atom
  int64_t points_ = 0;
  std::vector<T> table_;
};

// Rows (spheres.hpp) of up to a vector of orbitals; each lies where its first element is.
template <class T, bool complex> class HpsiRows {
public:
  using V = Vector<T>;
  static constexpr int parts = complex ? 2 : 1;

  HpsiRows(const T* from, T* to, const HpsiArrays& all, int64_t first) : from_(from), to_(to) {
    there_ = static_cast<int>(std::min<int64_t>(lanes<T>, all.norb() - first));
    for (int l = 0; l < lanes<T>; ++l) {
      const int64_t n = first + std::min(l, there_ - 1);
      start_[l] = parts * (n % all.nfast + n / all.nfast * all.slice());
    }
    side_by_side_ = complex && there_ == lanes<T> && start_[there_ - 1] - start_[0] == parts * (there_ - 1);
  }
  // place: of a sphere's points, in numbers of T. phases: of each orbital, or null.
  void at_sphere(const int64_t* place, const SpherePhases<T>* phases, int64_t first, int64_t atom) {
    place_ = place;
    phased_ = phases != nullptr;
    if (!phased_) return;
    same_ = true;
    for (int l = 0; l < lanes<T>; ++l) {
      phase_[l] = phases->of(first + std::min(l, there_ - 1), atom);
      same_ = same_ && phase_[l] == phase_[0];
    }
  }

  [[gnu::always_inline]] void load(int64_t p, V& re, V& im) const {
    read(from_ + place_[p], re, im);
    if (phased_) turn(p, re, im, 1);
  }
  [[gnu::always_inline]] void add(int64_t p, V re, V im) const {
    if (phased_) turn(p, re, im, -1);
    T* const row = to_ + place_[p];
    if (side_by_side_) {
      V old_re, old_im;
      split(row + start_[0], old_re, old_im);
      return interleave(row + start_[0], old_re + re, old_im + im);
    }
    for (int l = 0; l < there_; ++l) {
      row[start_[l]] += re[l];
      if constexpr (complex) row[start_[l] + 1] += im[l];
    }
  }

private:
  [[gnu::always_inline]] void read(const T* row, V& re, V& im) const {
    if constexpr (complex) {
      if (side_by_side_) return split(row + start_[0], re, im);
      for (int l = 0; l < lanes<T>; ++l) re[l] = row[start_[l]], im[l] = row[start_[l] + 1];
    } else {
      for (int l = 0; l < lanes<T>; ++l) re[l] = row[start_[l]];
      im = V{};
    }
  }
  [[gnu::always_inline]] void turn(int64_t p, V& re, V& im, T sign) const {
    V c, s;
    if (same_) c = fill(phase_[0][2 * p]), s = fill(sign * phase_[0][2 * p + 1]);
    else
      for (int l = 0; l < lanes<T>; ++l) c[l] = phase_[l][2 * p], s[l] = sign * phase_[l][2 * p + 1];
    const V x = c * re - s * im;
    im = c * im + s * re;
    re = x;
  }

  const T* from_;
  T* to_;
  const int64_t* place_ = nullptr;
  int there_;
  bool side_by_side_, phased_ = false, same_ = true;
  int64_t start_[lanes<T>];
  const T* phase_[lanes<T>];
};

}  // namespace suite::lfd
