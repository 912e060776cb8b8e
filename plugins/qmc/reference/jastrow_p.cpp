// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_p: p(r) = sum_G a cos(G.r) for every pair.
#include "kernels.hpp"

namespace suite::qmc::reference {

namespace {

// What cos(G.r) and its derivatives add for one pair with the coefficient 1.
void add_wave(const Vector& G, const Vector& r, double factor, Local& sum) {
  const double phase = dot(G, r), c = factor * std::cos(phase), s = factor * std::sin(phase);
  sum.value += c;
  sum.laplacian -= dot(G, G) * c;
  for (int d = 0; d < 3; ++d) sum.gradient.x[d] -= G.x[d] * s;
}

}  // namespace

Local jastrow_p(const Electrons& electrons, const PlaneWaves& p, const Place& place) {
  Local sum;
  for (int64_t j = 0; j < electrons.netot; ++j) {
    if (j == place.i) continue;
    const int set = set_of_pair(p.term.nset, electrons.spin(place.i), electrons.spin(j));
    const Vector r = difference(place.at, place.rele + 3 * j);
    for (size_t g = 0; g < p.G.size(); ++g) add_wave(p.G[g], r, p.a[p.star[g] + p.term.nstar * set], sum);
  }
  return sum;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const JastrowP c(arguments);
    const Lattice lattice = lattice_of(c.cell.data());
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    const PlaneWaves p = plane_waves(lattice, c);
    const Moved moved = moved_of(c, c.npos());
    for (int64_t w = 0; w < electrons.nwalker; ++w)
      for (int64_t m = 0; m < moved.npos; ++m) {
        const Place place = place_of(moved, c, m, w);
        put(c, m, w, jastrow_p(electrons, p, place));
        if (!has_derivatives(c)) continue;
        const std::vector<Local> sums = by_a(electrons, p, place);
        for (int64_t star = 0; star < p.term.nstar; ++star)
          for (int64_t set = 0; set < p.term.nset; ++set)
            put_derivatives(c, star, set, m, w, sums[static_cast<size_t>(star + p.term.nstar * set)]);
      }
  }

private:
  // (nstar,nset)
  static std::vector<Local> by_a(const Electrons& electrons, const PlaneWaves& p, const Place& place) {
    std::vector<Local> sums(static_cast<size_t>(p.term.nstar * p.term.nset));
    for (int64_t j = 0; j < electrons.netot; ++j) {
      if (j == place.i) continue;
      const int set = set_of_pair(p.term.nset, electrons.spin(place.i), electrons.spin(j));
      const Vector r = difference(place.at, place.rele + 3 * j);
      for (size_t g = 0; g < p.G.size(); ++g) add_wave(p.G[g], r, 1, sums[static_cast<size_t>(p.star[g] + p.term.nstar * set)]);
    }
    return sums;
  }
};

}  // namespace

extern const suite_kernel_table jastrow_p_table;
constexpr suite_kernel_table jastrow_p_table = kernel_table<JastrowP, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
