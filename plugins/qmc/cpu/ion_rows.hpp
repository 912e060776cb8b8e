// SPDX-License-Identifier: BSD-3-Clause
// Vectors from all ions to a position, the ions in the lanes, in a cell by the rules of its lattice (frame.hpp).
#pragma once

#include "fours.hpp"

namespace suite::qmc {

class IonRows {
public:
  explicit IonRows(const char* kernel) : ions_(kernel) {}

  // lattice: null in open space.
  void prepare(const Lattice* lattice, const double* rion, int64_t nion) {
    open_ = !lattice;
    rule_ = lattice ? lattice->images : ImageRule{};
    all_ = {nion, nion, 1};
    Cloud::in(ions_.at_least(Cloud::size(all_)), all_).fill_from(Frame(rule_), rion);
  }

  // f(row), where row(at, to) puts x, y, z and the length of each vector to the position `at` into to(4,nion).
  template <class F> void use(const F& f) const {
    const auto of = [&](const auto& closest) {
      const Cloud ions = Cloud::in(ions_.data(), all_);
      const Frame frame(rule_);
      const ToFours put(frame, rule_.kind != LatticeKind::general && !rule_.aligned);
      f([&](const double* r, double* to) {
        double at[3];
        frame.into(r, at);
        for (int64_t j = 0; j < all_.netot; j += lanes)
          put(to + 4 * j, closest({at[0] - load(ions.x + j), at[1] - load(ions.y + j), at[2] - load(ions.z + j)}), all_.netot - j);
      });
    };
    if (open_) return of([](Three d) { return d; });
    by_kind(rule_.kind, [&](auto kind) { of(Closest<kind()>(rule_)); });
  }

private:
  bool open_ = true;
  ImageRule rule_;
  Electrons all_;  // the ions, as a cloud takes them
  cpu::Buffer<double> ions_;
};

}  // namespace suite::qmc
