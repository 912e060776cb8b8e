// SPDX-License-Identifier: BSD-3-Clause
// What the tests of orbitals of Gaussian and of Slater shells have in common. A basis has set(call), nao and shell_l.
#pragma once

#include "support.hpp"

namespace qmc_test {

struct ShellOrbitals {
  Numbers phi, dphi, d2phi;
};
template <class Basis> ShellOrbitals evaluate(Call& call, const Basis& basis, const Numbers& mo, const Numbers& r, double cutoff = 0) {
  const int64_t norb = static_cast<int64_t>(mo.size()) / basis.nao, npos = static_cast<int64_t>(r.size()) / 3;
  basis.set(call);
  call.numbers("mo", mo, {basis.nao, norb});
  const int64_t nshell = static_cast<int64_t>(basis.shell_l.size());
  if (cutoff > 0) call.numbers("shell_cutoff", Numbers(basis.shell_l.size(), cutoff), {nshell});
  call.numbers("r", r, {3, npos, 1});
  call.numbers("phi", Numbers(static_cast<size_t>(norb * npos), 1e30), {norb, npos, 1});
  call.numbers("dphi", Numbers(static_cast<size_t>(3 * norb * npos), 1e30), {norb, 3, npos, 1});
  call.numbers("d2phi", Numbers(static_cast<size_t>(norb * npos), 1e30), {norb, npos, 1});
  call.run();
  return {call.get_numbers("phi"), call.get_numbers("dphi"), call.get_numbers("d2phi")};
}

// Gradients and Laplacians as differences of order 4 with h = 1e-3 around three places; mo: the unit matrix.
template <class Basis>
void check_derivatives(const char* kernel, const Basis& basis, const Numbers& mo, const Numbers& centres, double slopes_within,
                       double laplacians_within) {
  const double h = 1e-3;
  Numbers r;
  for (int m = 0; m < 3; ++m)
    for (int s = 0; s < 13; ++s) {
      r.insert(r.end(), &centres[3 * m], &centres[3 * m] + 3);
      constexpr int steps[] = {-2, -1, 1, 2};
      if (s > 0) r[r.size() - 3 + (s - 1) / 4] += h * steps[(s - 1) % 4];
    }
  const int64_t n = basis.nao;
  each(kernel, [&](Call& call) {
    const ShellOrbitals e = evaluate(call, basis, mo, r);
    double slopes = 0, laplacians = 0;
    for (int m = 0; m < 3; ++m)
      for (int64_t a = 0; a < n; ++a) {
        const auto f = [&](int s) { return e.phi[a + n * (13 * m + s)]; };
        double laplacian = 0;
        for (int d = 0; d < 3; ++d) {
          const int s = 1 + 4 * d;
          slopes = std::max(slopes, std::abs((f(s) - 8 * f(s + 1) + 8 * f(s + 2) - f(s + 3)) / (12 * h) - e.dphi[a + n * (d + 39 * m)]));
          laplacian += (-f(s) + 16 * f(s + 1) - 30 * f(0) + 16 * f(s + 2) - f(s + 3)) / (12 * h * h);
        }
        laplacians = std::max(laplacians, std::abs(laplacian - e.d2phi[a + n * 13 * m]));
      }
    check_below(call, "gradients differ by", slopes, slopes_within);
    check_below(call, "Laplacians differ by", laplacians, laplacians_within);
  });
}

// Of positions behind the first ones the same bits as with them; mo: the unit matrix.
template <class Basis> void check_bits_at_any_place(const char* kernel, const Basis& basis, const Numbers& mo) {
  const auto n = static_cast<size_t>(basis.nao), count = size_t{29};
  const Numbers r = positions(scaled(sc, 4), count, 5, -0.5, 0.5);
  const auto beyond = [](const Numbers& all, size_t first) { return Numbers(all.begin() + static_cast<std::ptrdiff_t>(first), all.end()); };
  each(kernel, [&](Call& call) {
    const ShellOrbitals all = evaluate(call, basis, mo, r);
    for (size_t first = 1; first < 9; ++first) {
      const ShellOrbitals e = evaluate(call, basis, mo, beyond(r, 3 * first));
      BOOST_CHECK_MESSAGE(e.phi == beyond(all.phi, n * first), call.label() << ": other values beyond the first " << first);
      BOOST_CHECK_MESSAGE(e.dphi == beyond(all.dphi, 3 * n * first), call.label() << ": other gradients beyond the first " << first);
      BOOST_CHECK_MESSAGE(e.d2phi == beyond(all.d2phi, n * first), call.label() << ": other Laplacians beyond the first " << first);
    }
  });
}

}  // namespace qmc_test
