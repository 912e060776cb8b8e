// SPDX-License-Identifier: BSD-3-Clause
// dfpt.reciprocal: S_d(G) of one plane wave after the other, then its potential at all points.
#include <complex>

#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

using Complex = std::complex<double>;

double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Reciprocal c(arguments);
    const int l_max = check_reciprocal(c);
    for (int64_t g = 0; g < c.n_g(); ++g) {
      double G[3] = {};
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 3; ++d) G[d] += c.reciprocal(d, i) * c.g_index(i, g);
      for (int64_t d = 0; d < c.n_dir(); ++d) {
        const Complex S = structure_factor(c, l_max, G, d);
        for (int64_t p = 0; p < c.n_points(); ++p)
          c.potential(p, d) += c.g_weight(g) * std::real(std::polar(1.0, dot(G, &c.coords(0, p))) * S);
      }
    }
  }

private:
  static Complex structure_factor(const Reciprocal& c, int l_max, const double* G, int64_t d) {
    constexpr double origin[3] = {};
    const Displacement along = displacement_to(G, origin);
    const Harmonics h = harmonics_of(l_max, along, false);
    Complex sum = 0;
    for (int64_t a = 0; a < c.n_atoms(); ++a) {
      Complex of_atom = 0, factor = 1;  // (-i)^l |G|^l/(2l-1)!!
      for (int l = 0; l <= l_max; ++l) {
        for (int lm = l * l; lm < (l + 1) * (l + 1); ++lm) of_atom += factor * c.moments(lm, a, d) * h.Y[lm];
        factor *= Complex(0, -along.r / (2 * l + 1));
      }
      sum += std::polar(1.0, -dot(G, &c.atom_coords(0, a))) * of_atom;
    }
    return sum;
  }
};

}  // namespace

extern const suite_kernel_table reciprocal_table;
constexpr suite_kernel_table reciprocal_table = kernel_table<Reciprocal, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
