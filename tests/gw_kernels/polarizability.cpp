// SPDX-License-Identifier: BSD-3-Clause
// gw.chi against what a sum over pairs is without any tile or half: single pairs, slabs, slices of columns, both flavours, and its
// symmetries. Compared in the max norm; 1e-12 is the kernel's own tolerance.
#include "support.hpp"

using namespace gw_test;

namespace {

constexpr double chi_allowed = 1e-12;
constexpr Complex i_unit(0, 1);

struct Pairs {
  int64_t ncouls, npair;
  Complexes aqs;
  Numbers delta, weight;

  Pairs(int64_t ncouls_, int64_t npair_, unsigned seed)
      : ncouls(ncouls_),
        npair(npair_),
        aqs(random_bands(ncouls_ * npair_, seed)),
        delta(random_numbers(npair_, seed + 1, 0.3, 2)),
        weight(random_numbers(npair_, seed + 2, 0.01, 0.02)) {}

  Pairs slab(int64_t first, int64_t end) const {
    Pairs some = *this;
    some.npair = end - first;
    some.aqs.assign(aqs.begin() + first * ncouls, aqs.begin() + end * ncouls);
    some.delta.assign(delta.begin() + first, delta.begin() + end);
    some.weight.assign(weight.begin() + first, weight.begin() + end);
    return some;
  }
};

// Adds the pairs to chi: (ncouls,ngpown,nfreq).
Complexes added(Call& call, const Pairs& p, const Complexes& z, const Complexes& chi, const Indices& indigp = {}) {
  call.forget();
  const int64_t columns = indigp.empty() ? p.ncouls : count(indigp);
  if (!indigp.empty()) call.indices("indigp", indigp, {columns});
  call.complexes("aqs", p.aqs, {p.ncouls, p.npair});
  call.numbers("delta", p.delta, {p.npair});
  call.numbers("weight", p.weight, {p.npair});
  if (!z.empty()) call.complexes("z", z, {count(z)});
  call.complexes("chi", chi, {p.ncouls, columns, std::max<int64_t>(count(z), 1)});
  call.run();
  return call.get_complexes("chi");
}
Complexes zeros(int64_t n) { return Complexes(static_cast<size_t>(n)); }

double largest(const Complexes& x) {
  double norm = 0;
  for (const Complex& z : x) norm = std::max(norm, std::abs(z));
  return norm;
}
void check_equal(const Call& call, const char* what, const Complexes& x, const Complexes& y) {
  BOOST_REQUIRE(x.size() == y.size());
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) worst = std::abs(x[i] - y[i]) <= worst ? worst : std::abs(x[i] - y[i]);
  check_below(call, what, worst / largest(y), chi_allowed);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(polarizability)

// -w Delta/(Delta^2 - z^2) M(G) conj(M(G')), at every kind of frequency.
BOOST_AUTO_TEST_CASE(of_one_pair) {
  const Pairs p(21, 1, 3);
  const Complexes z{0, 0.7 * i_unit, 0.11, {0.4, 0.05}, {0.4, -0.05}, {-0.4, 0.05}};
  Complexes expected;
  for (const Complex& w : z)
    for (int64_t igp = 0; igp < p.ncouls; ++igp)
      for (int64_t ig = 0; ig < p.ncouls; ++ig)
        expected.push_back(-p.weight[0] * p.delta[0] / (p.delta[0] * p.delta[0] - w * w) * p.aqs[ig] * std::conj(p.aqs[igp]));
  standard_kept("gw.chi", [&](Call& call) { check_equal(call, "one pair", added(call, p, z, zeros(count(expected))), expected); });
}

// A pair with the energies exchanged, and one without weight, are not there; without any, chi keeps what it had.
BOOST_AUTO_TEST_CASE(counts_only_some_pairs) {
  const Pairs p(30, 12, 5);
  Pairs less = p, none = p;
  for (int64_t i = 0; i < p.npair; ++i) {
    if (i % 3 == 0) less.delta[i] = i % 2 ? 0 : -1;
    if (i % 3 == 1) less.weight[i] = 0;
    none.delta[i] = -p.delta[i];
  }
  const Complexes before = random_bands(p.ncouls * p.ncouls, 8);
  standard_kept("gw.chi", [&](Call& call) {
    Complexes expected = before;
    for (int64_t i = 2; i < p.npair; i += 3) expected = added(call, p.slab(i, i + 1), {}, expected);
    check_equal(call, "a third of the pairs", added(call, less, {}, before), expected);
    BOOST_TEST(added(call, none, {}, before) == before);
    BOOST_TEST(added(call, p.slab(0, 0), {}, before) == before);
  });
}

// Thousands of pairs, of which some count: none of a thousand in a row, and fewer in a further call of the same kernel.
BOOST_AUTO_TEST_CASE(counts_some_of_thousands_of_pairs) {
  const int64_t n = 3;
  Pairs p(n, 3300, 15);
  const Complexes z{0, 0.7 * i_unit, {0.4, 0.05}};
  const auto sum_of = [&](const Pairs& some) {
    Complexes expected(static_cast<size_t>(n * n * count(z)));
    for (int64_t iw = 0; iw < count(z); ++iw)
      for (int64_t i = 0; i < some.npair; ++i) {
        if (some.delta[i] <= 0) continue;
        const Complex factor = -some.weight[i] * some.delta[i] / (some.delta[i] * some.delta[i] - z[iw] * z[iw]);
        for (int64_t igp = 0; igp < n; ++igp)
          for (int64_t ig = 0; ig < n; ++ig)
            expected[(iw * n + igp) * n + ig] += factor * some.aqs[i * n + ig] * std::conj(some.aqs[i * n + igp]);
      }
    return expected;
  };
  for (int64_t i = 0; i < p.npair; ++i) {
    if ((i >= 1000 && i < 2100) || i % 7 == 3) p.delta[i] = -p.delta[i];
    if (i % 5 == 1) p.weight[i] = 0;
  }
  Pairs fewer = p;
  for (int64_t i = 0; i < p.npair; i += 2) fewer.delta[i] = 0;
  standard_kept("gw.chi", [&](Call& call) {
    for (const Pairs& some : {p, fewer}) check_equal(call, "some pairs", added(call, some, z, zeros(n * n * count(z))), sum_of(some));
  });
}

// The sum over slabs of pairs is that over all of them; the columns of a slice are those of the matrix, however they are ordered.
BOOST_AUTO_TEST_CASE(of_slabs_and_slices) {
  const Pairs p(70, 400, 11);
  const Complexes z{0, 0.5 * i_unit, {0.3, 0.1}};
  const int64_t n = p.ncouls;
  Indices slice{70, 3, 0, 41, 42, 2, 69};
  standard_kept("gw.chi", [&](Call& call) {
    const Complexes whole = added(call, p, z, zeros(n * n * count(z)));
    Complexes sum = zeros(count(whole));
    for (int64_t first = 0; first < p.npair; first += 97) sum = added(call, p.slab(first, std::min(first + 97, p.npair)), z, sum);
    check_equal(call, "slabs", sum, whole);
    const Complexes some = added(call, p, z, zeros(n * count(slice) * count(z)), slice);
    Complexes expected;
    for (int64_t iw = 0; iw < count(z); ++iw)
      for (const int32_t g : slice)
        for (int64_t ig = 0; ig < n; ++ig) expected.push_back(g > 0 ? whole[(iw * n + g - 1) * n + ig] : Complex(0));
    check_equal(call, "columns", some, expected);
  });
}

// chi(z) is the adjoint of chi(conj z), chi(-z) is chi(z); on the axes it is Hermitian to the last bit, and -chi has no negative diagonal.
BOOST_AUTO_TEST_CASE(has_its_symmetries) {
  const Pairs p(45, 60, 21);
  const Complexes z{0, 0.8 * i_unit, 0.2, {0.6, 0.07}, {0.6, -0.07}, {-0.6, -0.07}};
  const int64_t n = p.ncouls;
  standard_kept("gw.chi", [&](Call& call) {
    const Complexes chi = added(call, p, z, zeros(n * n * count(z)));
    const auto of = [&](int64_t iw, bool adjoint) {
      Complexes m;
      for (int64_t igp = 0; igp < n; ++igp)
        for (int64_t ig = 0; ig < n; ++ig) m.push_back(adjoint ? std::conj(chi[(iw * n + ig) * n + igp]) : chi[(iw * n + igp) * n + ig]);
      return m;
    };
    for (int64_t iw = 0; iw < 3; ++iw) {
      check_equal(call, "chi against its adjoint on an axis", of(iw, true), of(iw, false));
      for (int64_t ig = 0; ig < n; ++ig) BOOST_TEST(of(iw, false)[ig * n + ig].real() < 0);
    }
    check_equal(call, "chi(conj z)", of(4, true), of(3, false));
    check_equal(call, "chi(-z)", of(5, false), of(3, false));
  });
}

// Real elements give the chi of complex ones without imaginary parts; off the axes in two arrays.
BOOST_AUTO_TEST_CASE(of_both_flavours) {
  Pairs p(50, 40, 31);
  for (Complex& m : p.aqs) m = m.real();
  Numbers real;
  for (const Complex& m : p.aqs) real.push_back(m.real());
  const Complexes z{{0.5, 0.1}, 0.4 * i_unit};
  const int64_t n = p.ncouls, all = n * n * count(z);
  standard_kept("gw.chi", [&](Call& call) {
    const Complexes expected = added(call, p, z, zeros(all));
    call.forget();
    call.numbers("aqs", real, {n, p.npair});
    call.numbers("delta", p.delta, {p.npair});
    call.numbers("weight", p.weight, {p.npair});
    call.complexes("z", z, {count(z)});
    call.numbers("chi", Numbers(static_cast<size_t>(all)), {n, n, count(z)});
    call.numbers("chi_imaginary", Numbers(static_cast<size_t>(all)), {n, n, count(z)});
    call.run();
    const Numbers re = call.get_numbers("chi"), im = call.get_numbers("chi_imaginary");
    Complexes both;
    for (int64_t i = 0; i < all; ++i) both.emplace_back(re[i], im[i]);
    check_equal(call, "real flavour", both, expected);
  });
}

BOOST_AUTO_TEST_SUITE_END()
