// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_blip: 64 blips have a value at a point. With r = sum_d s_d a_d the derivatives by r follow
// from those by s:  d/dr = sum_d b_d/(2 pi) d/ds_d.
#include <numbers>

#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

// The blip and its derivatives at distance t, positive or negative.
Radial blip(double t) {
  const double x = std::abs(t), sign = t < 0 ? -1 : 1, y = 2 - x;
  if (x <= 1) return {1 - 1.5 * x * x + 0.75 * x * x * x, sign * (-3 * x + 2.25 * x * x), -3 + 4.5 * x};
  if (x <= 2) return {0.25 * y * y * y, -0.75 * sign * y * y, 1.5 * y};
  return {0, 0, 0};
}

// The four blips of one direction: grid points from `first`, values and derivatives by s.
struct Four {
  int64_t at[4];
  Radial value[4];
};
Four four_blips(double s, int64_t n) {
  Four four;
  const double t = s * static_cast<double>(n), low = std::floor(t);
  for (int i = 0; i < 4; ++i) {
    const double point = low + i - 1;
    const int64_t wrapped = static_cast<int64_t>(std::fmod(point, static_cast<double>(n)));
    four.at[i] = wrapped < 0 ? wrapped + n : wrapped;
    const Radial b = blip(t - point);
    const double scale = static_cast<double>(n);
    four.value[i] = {b.value, b.first * scale, b.second * scale * scale};
  }
  return four;
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    check_blips(call);
    if (call.c.is<single>()) evaluate<single>(call);
    else evaluate<real>(call);
  }

private:
  template <class Element> static void evaluate(const OrbitalsBlip& call) {
    const Lattice lattice = lattice_of(call.cell.data());
    const auto c = call.c.as<Element>();
    for (int64_t w = 0; w < call.r.extent(2); ++w)
      for (int64_t m = 0; m < call.r.extent(1); ++m) {
        Four four[3];
        for (int d = 0; d < 3; ++d) four[d] = four_blips(dot(reduced(lattice, d), vector_at(&call.r(0, m, w))), c.extent(3 - d));
        for (int64_t a = 0; a < call.norb(); ++a) put(call, a, m, w, orbital(lattice, c, a, four));
      }
  }

  // s_d = reduced(d).r
  static Vector reduced(const Lattice& lattice, int d) {
    Vector v = vector_at(lattice.b[d]);
    for (double& x : v.x) x /= 2 * std::numbers::pi;
    return v;
  }

  template <class Coefficients> static Local orbital(const Lattice& lattice, const Coefficients& c, int64_t a, const Four (&four)[3]) {
    double value = 0, first[3] = {}, second[3][3] = {};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) {
          const double coefficient = static_cast<double>(c(a, four[2].at[k], four[1].at[j], four[0].at[i]));
          const Radial X = four[0].value[i], Y = four[1].value[j], Z = four[2].value[k];
          value += coefficient * X.value * Y.value * Z.value;
          first[0] += coefficient * X.first * Y.value * Z.value;
          first[1] += coefficient * X.value * Y.first * Z.value;
          first[2] += coefficient * X.value * Y.value * Z.first;
          second[0][0] += coefficient * X.second * Y.value * Z.value;
          second[1][1] += coefficient * X.value * Y.second * Z.value;
          second[2][2] += coefficient * X.value * Y.value * Z.second;
          second[0][1] += coefficient * X.first * Y.first * Z.value;
          second[0][2] += coefficient * X.first * Y.value * Z.first;
          second[1][2] += coefficient * X.value * Y.first * Z.first;
        }
    Local phi;
    phi.value = value;
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 3; ++e) {
        phi.gradient.x[e] += first[d] * reduced(lattice, d).x[e];
        phi.laplacian += second[std::min(d, e)][std::max(d, e)] * dot(reduced(lattice, d), reduced(lattice, e));
      }
    return phi;
  }
};

}  // namespace

extern const suite_kernel_table orbitals_blip_table;
constexpr suite_kernel_table orbitals_blip_table = kernel_table<OrbitalsBlip, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
