// SPDX-License-Identifier: BSD-3-Clause
#include "shells.hpp"

namespace suite::qmc {
namespace {

struct Slater {
  using Call = OrbitalsSlater;
  struct Primitive {
    size_t exponent;
    int n;
    double c, slope[2], bend[3];  // the factors of r^n; of r^(n-1), r^(n-2); of all three
    Primitive(const ShellBasis& basis, size_t k, int l, size_t place) : exponent(place), n(basis.power[k]), c(basis.coefficient[k]) {
      const double g = basis.exponent[k];
      slope[0] = -c * g, slope[1] = c * n;
      bend[0] = c * g * g, bend[1] = -2 * c * g * (n + l + 1), bend[2] = c * n * (n + 2 * l + 1);
    }
  };
  struct Distance {
    Vector r, power[largest_power + 2];  // r^-1, 0 at the ion, then r^0, r^1, ..
    void set(Vector r2, int most) {
      r = root(r2);
      const Mask away = r > 0.0;
      power[0] = away ? 1.0 / (away ? r : fill(1.0)) : Vector{};
      power[1] = fill(1.0);
      for (int n = 1; n <= most; ++n) power[n + 1] = power[n] * r;
    }
    Vector measure() const { return r; }
  };
  template <bool derivatives> static void add(const Primitive& p, Vector e, const Distance& distance, shells::RadialPart& f) {
    const Vector* const power = distance.power + p.n;  // r^(n-1), r^n
    const Vector one_less = e * power[0], whole = p.n == 0 ? e : e * power[1];
    f.R += p.c * whole;
    if constexpr (!derivatives) return;
    f.D += p.slope[0] * one_less;
    f.B += p.bend[0] * whole + p.bend[1] * one_less;
    if (p.n == 0) return;
    const Vector two_less = e * power[-1];
    f.D += p.slope[1] * two_less;
    f.B += p.bend[2] * two_less;
  }
  static void finish(int, const Distance&, shells::RadialPart&) {}
};

}  // namespace

extern const suite_kernel_table orbitals_slater_table;
constexpr suite_kernel_table orbitals_slater_table = kernel_table<OrbitalsSlater, shells::Orbitals<Slater>>("cpu", "cpu");

}  // namespace suite::qmc
