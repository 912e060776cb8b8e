// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel against what matrix elements are without any sum or transform.
#include "support.hpp"

using namespace gw_test;

namespace {

// Sums of some hundred products of numbers of order one: rounding stays far below.
constexpr double allowed = 1e-12;

const std::array<double, 3> k{0.1, 0.2, -0.3}, inner{-0.25, 0.4, 0.15}, q{0.35, -0.2, -0.45};

}  // namespace

BOOST_AUTO_TEST_SUITE(matrix_elements)

// One plane wave G2 as internal band: M is one coefficient of the bra.
BOOST_AUTO_TEST_CASE(of_plane_waves) {
  const List bra = sphere_of(oblique, k, 4), ket = sphere_of(oblique, inner, 3), g = sphere_of(oblique, q, 2.5);
  const int64_t nex = 2, nb = count(ket);
  const Complexes c = random_bands(nex * count(bra), 1);
  Complexes waves(static_cast<size_t>(nb * nb));
  for (int64_t i = 0; i < nb; ++i) waves[static_cast<size_t>(i * nb + i)] = 1;
  each_method([&](Call& call) {
    const Complexes m = elements(call, bra, c, ket, waves, g);
    double off = 0;
    for (int64_t n = 0; n < nex; ++n)
      for (int64_t b = 0; b < nb; ++b)
        for (int64_t ig = 0; ig < count(g); ++ig) {
          const int64_t at = place_of(bra, plus(ket[b], g[ig]));
          const Complex expected = at < 0 ? Complex(0) : std::conj(c[n * count(bra) + at]);
          off = std::max(off, std::abs(m[(n * nb + b) * count(g) + ig] - expected));
        }
    check_below(call, "distance from the coefficient", off, allowed);
  });
}

// <n|n'> of orthonormal bands at G = 0.
BOOST_AUTO_TEST_CASE(are_overlaps_at_zero) {
  const List list = sphere_of(fcc, k, 12);
  const int64_t n = 11;
  const Complexes c = orthonormal(count(list), n, 2);
  each_method([&](Call& call) {
    const Complexes m = elements(call, list, c, list, c, {{0, 0, 0}});
    double off = 0;
    for (int64_t a = 0; a < n; ++a)
      for (int64_t b = 0; b < n; ++b) off = std::max(off, std::abs(m[a * n + b] - (a == b ? 1.0 : 0.0)));
    check_below(call, "distance from the unit matrix", off, allowed);
  });
}

// Many bands, for which a grid below the ranges of their lists is looked for: against one pair of bands at a time, which has none.
BOOST_AUTO_TEST_CASE(do_not_depend_on_how_many_bands_there_are) {
  const List bra = sphere_of(fcc, k, 14), ket = sphere_of(fcc, inner, 13), g = sphere_of(fcc, q, 6);
  const int64_t nex = 5, nb = 40;
  const Complexes c = random_bands(nex * count(bra), 21), d = random_bands(nb * count(ket), 22);
  each_method([&](Call& call) {
    const Complexes m = elements(call, bra, c, ket, d, g);
    const auto one = [](const Complexes& bands, const List& list, int64_t band) {
      return Complexes(bands.begin() + band * count(list), bands.begin() + (band + 1) * count(list));
    };
    for (const int64_t n : {int64_t{0}, nex - 1})
      for (const int64_t b : {int64_t{0}, nb - 1}) {
        const Complexes pair = elements(call, bra, one(c, bra, n), ket, one(d, ket, b), g);
        const auto at = m.begin() + (n * nb + b) * count(g);
        check_below(call, "distance between many bands and one pair", relative_distance(pair, Complexes(at, at + count(g))), allowed);
      }
  });
}

// sum_n' M_nn'(G) conj(M_nn'(G')) over a complete set n' of the ket's sphere: c_n(G2+G) against c_n(G2+G')
// over that sphere.
BOOST_AUTO_TEST_CASE(of_a_complete_set_add_up) {
  const List bra = sphere_of(oblique, k, 3), ket = sphere_of(oblique, inner, 4), g = sphere_of(oblique, q, 1.5);
  const int64_t nb = count(ket), ng = count(g);
  const Complexes c = orthonormal(count(bra), 1, 3), complete = orthonormal(nb, nb, 4);
  each_method([&](Call& call) {
    const Complexes m = elements(call, bra, c, ket, complete, g);
    double off = 0;
    for (int64_t i = 0; i < ng; ++i)
      for (int64_t j = 0; j < ng; ++j) {
        Complex sum = 0, expected = 0;
        for (int64_t b = 0; b < nb; ++b) sum += m[b * ng + i] * std::conj(m[b * ng + j]);
        for (const Miller& g2 : ket) {
          const int64_t at = place_of(bra, plus(g2, g[i])), other = place_of(bra, plus(g2, g[j]));
          if (at >= 0 && other >= 0) expected += std::conj(c[at]) * c[other];
        }
        off = std::max(off, std::abs(sum - expected));
      }
    check_below(call, "distance from the sum rule", off, allowed);
  });
}

// The label of k-q moves g_ket and g in opposite directions; M does not notice.
BOOST_AUTO_TEST_CASE(do_not_depend_on_labels) {
  const List bra = sphere_of(oblique, k, 4), ket = sphere_of(oblique, inner, 4), g = sphere_of(oblique, q, 2);
  const Complexes c = random_bands(3 * count(bra), 5), d = random_bands(5 * count(ket), 6);
  each_method([&](Call& call) {
    const Complexes m = elements(call, bra, c, ket, d, g);
    for (const Miller u : {Miller{1, 0, 0}, Miller{-2, 1, 3}, Miller{0, -5, 0}}) {
      List moved_ket = ket, moved_g = g;
      for (Miller& v : moved_ket) v = plus(v, u);
      for (Miller& v : moved_g) v = plus(v, u, -1);
      check_below(call, "distance between two labels of k-q", relative_distance(elements(call, bra, c, moved_ket, d, moved_g), m), allowed);
    }
  });
}

// M_nn'(G) = conj(M_n'n(-G)), also as the option `conjugate` has it, and the phase of each G is a factor.
BOOST_AUTO_TEST_CASE(are_conjugate_to_each_other) {
  const List bra = sphere_of(oblique, k, 4), ket = sphere_of(oblique, inner, 4), g = sphere_of(oblique, q, 2);
  List opposite;
  for (const Miller& v : g) opposite.push_back({-v[0], -v[1], -v[2]});
  const int64_t nex = 3, nb = 9, ng = count(g);
  const Complexes c = random_bands(nex * count(bra), 7), d = random_bands(nb * count(ket), 8), phase = random_bands(ng, 9);
  each_method([&](Call& call) {
    const Complexes m = elements(call, bra, c, ket, d, g), exchanged = elements(call, ket, d, bra, c, opposite);
    Complexes expected(m.size());
    for (int64_t n = 0; n < nex; ++n)
      for (int64_t b = 0; b < nb; ++b)
        for (int64_t ig = 0; ig < ng; ++ig) expected[(n * nb + b) * ng + ig] = std::conj(exchanged[(b * nex + n) * ng + ig]);
    check_below(call, "distance from the exchanged bands", relative_distance(m, expected), allowed);
    elements(call, bra, c, ket, d, g);
    call.complexes("phase", phase, {ng});
    for (const int32_t conjugate : {0, 1}) {
      call.count("conjugate", conjugate);
      call.run();
      for (size_t i = 0; i < m.size(); ++i) expected[i] = phase[i % static_cast<size_t>(ng)] * (conjugate ? std::conj(m[i]) : m[i]);
      check_below(call, conjugate ? "distance of phase conj(M)" : "distance of phase M",
                  relative_distance(call.get_complexes("aqs"), expected), allowed);
    }
  });
}

// Spinor components add up, and the two of the bra go with the two of the ket.
BOOST_AUTO_TEST_CASE(of_spinors_add_up) {
  const List bra = sphere_of(oblique, k, 3), ket = sphere_of(oblique, inner, 3), g = sphere_of(oblique, q, 2);
  const int64_t nex = 2, nb = 7;
  const Complexes up = random_bands(nex * count(bra), 10), down = random_bands(nex * count(bra), 11),
                  ket_up = random_bands(nb * count(ket), 12), ket_down = random_bands(nb * count(ket), 13);
  Complexes both = up, ket_both = ket_up;
  both.insert(both.end(), down.begin(), down.end());
  ket_both.insert(ket_both.end(), ket_down.begin(), ket_down.end());
  each_method([&](Call& call) {
    Complexes expected = elements(call, bra, up, ket, ket_up, g);
    const Complexes second = elements(call, bra, down, ket, ket_down, g);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] += second[i];
    check_below(call, "distance from the sum of the components",
                relative_distance(elements(call, bra, both, ket, ket_both, g, 2), expected), allowed);
  });
}

// Real coefficients as real and as complex numbers.
BOOST_AUTO_TEST_CASE(are_the_same_in_the_real_flavour) {
  const List bra = sphere_of(oblique, k, 4), ket = sphere_of(oblique, inner, 4), g = sphere_of(oblique, q, 2);
  for (const int64_t nb : {1, 16, 19}) {
    const int64_t nex = 3;
    const Numbers c = random_numbers(nex * count(bra), 14, -1, 1), d = random_numbers(nb * count(ket), 15, -1, 1);
    each_method([&](Call& call) {
      const Complexes m = elements(call, bra, Complexes(c.begin(), c.end()), ket, Complexes(d.begin(), d.end()), g);
      call.forget();
      call.numbers("ket", d, {count(ket), nb});
      call.indices("g_ket", flat(ket), {3, count(ket)});
      call.indices("g_bra", flat(bra), {3, count(bra)});
      call.indices("g", flat(g), {3, count(g)});
      call.numbers("bra", c, {count(bra), nex});
      call.numbers("aqs", Numbers(m.size(), 7), {count(g), nb, nex});
      call.run();
      const Numbers real = call.get_numbers("aqs");
      check_below(call, "distance from the complex flavour", relative_distance(Complexes(real.begin(), real.end()), m), allowed);
    });
  }
}

// Constants stay, the external band changes from call to call, as hosts have it.
BOOST_AUTO_TEST_CASE(of_one_external_band_after_the_other) {
  const List bra = sphere_of(oblique, k, 4), ket = sphere_of(oblique, inner, 4), g = sphere_of(oblique, q, 2);
  const int64_t nex = 3, nb = 10, npw = count(bra), size = count(g) * nb;
  const Complexes c = random_bands(nex * npw, 16), d = random_bands(nb * count(ket), 17);
  each_method([&](Call& call) {
    const Complexes all = elements(call, bra, c, ket, d, g);
    Complexes one_by_one = elements(call, bra, Complexes(c.begin(), c.begin() + npw), ket, d, g);
    for (int64_t n = 1; n < nex; ++n) {
      call.complexes("bra", Complexes(c.begin() + n * npw, c.begin() + (n + 1) * npw), {npw, 1});
      call.run();
      const Complexes next = call.get_complexes("aqs");
      one_by_one.insert(one_by_one.end(), next.begin(), next.begin() + size);
    }
    check_below(call, "distance from one band at a time", relative_distance(one_by_one, all), allowed);
  });
}

// Internal bands beyond the memory that is allowed for them are transformed in each call; it makes no
// difference. Some of these fit into 1 MiB, of the widest vectors 5 panels of 8.
BOOST_AUTO_TEST_CASE(beyond_the_memory_are_the_same) {
  const List bra = sphere_of(oblique, k, 9), ket = sphere_of(oblique, inner, 9), g = sphere_of(oblique, q, 2);
  const int64_t nb = 90;
  const Complexes c = random_bands(2 * count(bra), 18), d = random_bands(nb * count(ket), 19);
  standard_kept("gw.mtxel", [&](Call& call) {
    if (!call.has("memory")) return;
    if (call.has("method")) call.choose("method", "fft");
    const Complexes all = elements(call, bra, c, ket, d, g);
    const int64_t before = suite::parameter_of(call.kernel(), "memory");
    for (const int64_t memory : {1, 0}) {
      call.kernel().set_parameter("memory", memory);
      check_below(call, "distance with " + std::to_string(memory) + " MiB", distance(elements(call, bra, c, ket, d, g), all), 0);
    }
    call.kernel().set_parameter("memory", before);
  });
}

BOOST_AUTO_TEST_SUITE_END()
