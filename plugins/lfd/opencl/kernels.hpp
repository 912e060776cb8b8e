// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of the family that do one thing, on psi(Norb,Nz,Ny,Nx) and fields as they are, have in
// common.
#pragma once

#include "sources.hpp"
#include "spheres.hpp"

namespace suite::lfd::cl {

// Most kernels: an engine, the named choices in front and the knobs behind them; the grid's spacings where
// there are some.
template <class K, const suite_parameter&... choices> class Plain : public opencl::WithEngine<Engine, K, choices...> {
public:
  using opencl::WithEngine<Engine, K, choices...>::WithEngine;
  void prepare(const suite_array* a) {
    if constexpr (requires { K::h; }) h = three(K(a).h, "h");
  }

protected:
  using opencl::WithEngine<Engine, K, choices...>::engine;
  Three three(const Argument<real, 1, false>& argument, const char* name) const {
    Three v;
    const std::vector<double> x = engine.read(argument.array(), name);
    std::copy_n(x.begin(), std::min<size_t>(x.size(), 3), v.x);
    return v;
  }
  // A kernel of orbitals.cl on psi as it is, not in blocks.
  template <class... Arguments> void on_orbitals(const char* name, const opencl::Range& range, const Arguments&... arguments) {
    engine.run(orbitals_cl, name, define("BLOCKS", 0), range, arguments...);
  }
  Three h;
};

// And those with a nonlocal pseudopotential.
template <class K, const suite_parameter&... choices> class Nonlocal : public Plain<K, choices...> {
public:
  Nonlocal(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain<K, choices...>(b, q, p), tables(engine), spheres(engine, false) {}
  void prepare(const suite_array* a) {
    const K c(a);
    Plain<K, choices...>::prepare(a);
    engine.set_single(is_single(c.psi.array()));
    const Grid g = orbital_grid(c.psi, this->h.x);
    V_ = read(engine, g, c.nonlocal);
    spheres.set(V_, g);
  }

protected:
  using Plain<K, choices...>::engine;
  Tables tables;
  Spheres spheres;

private:
  Pseudopotential V_;
};

inline constexpr double ones[] = {1, 1, 1};

}  // namespace suite::lfd::cl
