// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_f. With a = r_i, c = r_ij, and the directions e of r_iI and h of r_ij:
//   grad_i f = f_a e + f_c h,  lap_i f = f_aa + 2 f_a/a + f_cc + 2 f_c/c + 2 f_ac e.h
#include "../f_term.hpp"
#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

// A function with derivatives, and its slope over the distance, which at distance 0 is the second derivative.
struct Along {
  Radial f;
  double slope;
  Along(const Radial& radial, double r) : f(radial), slope(r > 0 ? radial.first / r : radial.second) {}
};
// r^n.
Radial power_of(int n, double r) {
  return {small_power(r, n), n > 0 ? n * small_power(r, n - 1) : 0, n > 1 ? n * (n - 1) * small_power(r, n - 2) : 0};
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const JastrowF c(arguments);
    Lattice lattice;
    if (c.cell) lattice = lattice_of(c.cell.data());
    const Lattice* const cell = c.cell ? &lattice : nullptr;
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    const FTerm f = f_term(c, cell, [](const auto& from, const char*, auto& to) { to = copy_of(from); });
    const Moved moved = moved_of(c, c.npos());
    std::vector<Local> basis(static_cast<size_t>(f.numbers() * f.nset_pair * f.nset));
    for (int64_t w = 0; w < electrons.nwalker; ++w)
      for (int64_t m = 0; m < moved.npos; ++m) {
        std::fill(basis.begin(), basis.end(), Local{});
        add_terms(c, cell, electrons, f, place_of(moved, c, m, w), basis);
        Local sum;
        for (size_t k = 0; k < basis.size(); ++k) {
          Local term = basis[k];
          term.value *= f.gamma[k];
          term.laplacian *= f.gamma[k];
          for (double& x : term.gradient.x) x *= f.gamma[k];
          sum += term;
          put_derivatives(c, static_cast<int64_t>(k), m, w, basis[k]);
        }
        put(c, m, w, sum);
      }
  }

private:
  // Adds the derivatives by each gamma.
  static void add_terms(const JastrowF& c, const Lattice* cell, const Electrons& electrons, const FTerm& f, const Place& place,
                        std::vector<Local>& basis) {
    const auto vector_from = [&](const double* to, const double* from) {
      Vector r = difference(to, from);
      if (cell) closest_image(cell->images, r.x[0], r.x[1], r.x[2]);
      return r;
    };
    for (int64_t ion = 0; ion < c.nion(); ++ion) {
      const int set = f.set_of_ion[static_cast<size_t>(ion)];
      const Vector from_ion = vector_from(place.at, &c.rion(0, ion));
      const double a = std::sqrt(dot(from_ion, from_ion)), L = set < 0 ? 0 : f.L[static_cast<size_t>(set)];
      for (int64_t j = 0; j < electrons.netot && a < L; ++j) {
        if (j == place.i) continue;
        const double* const rj = place.rele + 3 * j;
        const Vector other = vector_from(rj, &c.rion(0, ion)), apart = vector_from(place.at, rj);
        const double b = std::sqrt(dot(other, other)), distance = std::sqrt(dot(apart, apart));
        if (!(b < L)) continue;
        const double cosine = a > 0 && distance > 0 ? dot(from_ion, apart) / (a * distance) : 0;
        auto to = static_cast<size_t>(f.at(set_of_pair(f.nset_pair, electrons.spin(place.i), electrons.spin(j)), set));
        for (int64_t n = 0; n < f.nee; ++n)
          for (int64_t m = 0; m < f.nen; ++m)
            for (int64_t l = 0; l < f.nen; ++l, ++to) {
              const Along A(polynomial_basis(l, L, f.C, a), a), N(power_of(static_cast<int>(n), distance), distance);
              const double B = polynomial_basis(m, L, f.C, b).value;
              Local term;
              term.value = A.f.value * B * N.f.value;
              term.laplacian = B * ((A.f.second + 2 * A.slope) * N.f.value + A.f.value * (N.f.second + 2 * N.slope) +
                                    2 * A.f.first * N.f.first * cosine);
              for (int d = 0; d < 3; ++d) term.gradient.x[d] = B * (A.slope * from_ion.x[d] * N.f.value + A.f.value * N.slope * apart.x[d]);
              basis[to] += term;
            }
      }
    }
  }
  static void put_derivatives(const JastrowF& c, int64_t k, int64_t m, int64_t w, const Local& local) {
    if (c.dvalue) c.dvalue(k, m, w) = local.value;
    if (c.dlaplacian) c.dlaplacian(k, m, w) = local.laplacian;
    for (int d = 0; d < 3 && c.dgradient; ++d) c.dgradient(d, k, m, w) = local.gradient.x[d];
  }
};

}  // namespace

extern const suite_kernel_table jastrow_f_table;
constexpr suite_kernel_table jastrow_f_table = kernel_table<JastrowF, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
