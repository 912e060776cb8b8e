// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor: rho_G = sum_j q_j exp(i G.r_j) for each spin, or of all.
#include <complex>

#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const StructureFactor c(arguments);
    const Lattice lattice = lattice_of(c.cell.data());
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    const Moved moved = check_structure_factor(c);
    check_vectors("gvec", c.gvec.data(), c.ngvec());
    const auto q = [&](int64_t i) { return c.charge ? c.charge(i) : 1.0; };
    const auto channel = [&](int64_t i) { return c.nchannel() == 2 ? electrons.spin(i) : 0; };
    for (int64_t w = 0; w < electrons.nwalker; ++w) {
      if (moved.one && c.accept && c.accept(w) == 0) continue;
      for (int64_t g = 0; g < c.ngvec(); ++g) {
        Vector G;
        reciprocal_vector(lattice, &c.gvec(0, g), G.x);
        if (moved.one) {
          c.rhok(g, channel(moved.which), w) += q(moved.which) * (wave(G, &c.rnew(0, 0, w)) - wave(G, &c.rele(0, moved.which, w)));
          continue;
        }
        for (int64_t k = 0; k < c.nchannel(); ++k) c.rhok(g, k, w) = 0;
        for (int64_t j = 0; j < electrons.netot; ++j) c.rhok(g, channel(j), w) += q(j) * wave(G, &c.rele(0, j, w));
      }
    }
  }

private:
  static std::complex<double> wave(const Vector& G, const double* r) { return std::polar(1.0, dot(G, vector_at(r))); }
};

}  // namespace

extern const suite_kernel_table structure_factor_table;
constexpr suite_kernel_table structure_factor_table = kernel_table<StructureFactor, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
