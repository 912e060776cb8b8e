// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel, the executable specification: the sum over plane waves of ../gw.hpp in plain loops, without any
// transform.
#include <map>

#include "../plan.hpp"

namespace suite::gw {
namespace {

using Complex = std::complex<double>;

double conjugated(double z) { return z; }
Complex conjugated(const Complex& z) { return {z.real(), -z.imag()}; }

template <class T>
void sums(const Mtxel& c, bool conjugate) {
  using Number = typename T::type;
  const auto bra = c.bra.as<T>(), ket = c.ket.as<T>(), phase = c.phase.as<T>();
  const auto aqs = c.aqs.as<T>();
  std::map<Miller, int64_t> place_in_bra;
  for (int64_t i = 0; i < c.npw_bra(); ++i) place_in_bra[{c.g_bra(0, i), c.g_bra(1, i), c.g_bra(2, i)}] = i;

  for (int64_t ig = 0; ig < c.ncouls(); ++ig) {
    std::vector<std::pair<int64_t, int64_t>> both;  // G2+G in the bra's sphere, G2 in the ket's
    for (int64_t i = 0; i < c.npw_ket(); ++i) {
      const auto found = place_in_bra.find(
          {c.g_ket(0, i) + c.g(0, ig), c.g_ket(1, i) + c.g(1, ig), c.g_ket(2, i) + c.g(2, ig)});
      if (found != place_in_bra.end()) both.emplace_back(found->second, i);
    }
    for (int64_t n = 0; n < c.nex(); ++n)
      for (int64_t n1 = 0; n1 < c.ntband(); ++n1) {
        Number sum = 0;
        for (int64_t s = 0; s < c.nspinor(); ++s)
          for (const auto& [i, j] : both) sum += conjugated(bra(i, n, s)) * ket(j, n1, s);
        if (conjugate) sum = conjugated(sum);
        aqs(ig, n1, n) = c.phase ? phase(ig) * sum : sum;
      }
  }
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const Mtxel c(arguments);
    make_plan(c);  // refuses lists that cannot be meant
    const bool conjugate = is_conjugate(c);
    if (c.is_real())
      sums<Mtxel::real>(c, conjugate);
    else
      sums<Mtxel::complex>(c, conjugate);
  }
};

}  // namespace

extern const suite_kernel_table mtxel_table;
constinit const suite_kernel_table mtxel_table = kernel_table<Mtxel, Reference>("reference", "cpu");

}  // namespace suite::gw
