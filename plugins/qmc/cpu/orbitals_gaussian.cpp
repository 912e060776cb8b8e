// SPDX-License-Identifier: BSD-3-Clause
#include "shells.hpp"

namespace suite::qmc {
namespace {

struct Gaussian {
  using Call = OrbitalsGaussian;
  struct Primitive {
    size_t exponent;
    double c, slope, bend;  // c, -2 g c, 4 g^2 c
    Primitive(const ShellBasis& basis, size_t k, int, size_t place)
        : exponent(place),
          c(basis.coefficient[k]),
          slope(-2 * basis.exponent[k] * c),
          bend(4 * basis.exponent[k] * basis.exponent[k] * c) {}
  };
  struct Distance {
    Vector r2;
    void set(Vector square, int) { r2 = square; }
    Vector measure() const { return r2; }
  };
  template <bool derivatives> static void add(const Primitive& p, Vector e, const Distance&, shells::RadialPart& f) {
    f.R += p.c * e;
    if constexpr (!derivatives) return;
    f.D += p.slope * e;
    f.B += p.bend * e;
  }
  static void finish(int l, const Distance& distance, shells::RadialPart& f) { f.B = f.B * distance.r2 + (2.0 * l + 3) * f.D; }
};

}  // namespace

extern const suite_kernel_table orbitals_gaussian_table;
constexpr suite_kernel_table orbitals_gaussian_table = kernel_table<OrbitalsGaussian, shells::Orbitals<Gaussian>>("cpu", "cpu");

}  // namespace suite::qmc
