// SPDX-License-Identifier: BSD-3-Clause
// The dielectric matrix from wavefunctions: gallium arsenide, whose origin lies between its atoms and which has no inversion, and silicon, both in
// empirical pseudopotentials and on shifted grids, against the files and the printed heads of BerkeleyGW's own regression cases.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <random>

#include <base/dense/positive.hpp>
#include <suite/plugin.hpp>

#include "bench.hpp"
#include "dielectric.hpp"
#include "epsilon_file.hpp"
#include "plan.hpp"
#include "polarizability.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;
using Complex = std::complex<double>;

namespace {

// Heads that its test suite prints, with 18 bands and 7 Ry: q0, (0,0,1/2), (0,1/2,1/2).
struct Heads {
  double eps, inverse;
};
constexpr Heads heads_gaas[] = {
    {14.92341761337, 0.07702031488968}, {2.97351207417238, 0.390620255028178}, {2.8027495957472, 0.396981083283833}};
constexpr Heads heads_si[] = {
    {16.9619547514149, 0.0650198678428007}, {3.1043208107546914, 0.36141535117630236}, {2.8944796695309591, 0.3657042310536454}};

Settings godby_needs(Settings s) {
  s.model = Model::godby_needs;
  return s;
}

// The largest distance of two files' elements, row by row of equal G; the rows of equal |q+G| may stand in another order.
double distance_of(const InverseDielectric& a, const InverseDielectric& b) {
  double worst = 0;
  for (int iq = 0; iq < a.count(); ++iq) {
    const int other = static_cast<int>(
        std::find_if(b.qpoints().begin(), b.qpoints().end(), [&](const Vector3& q) { return distance(q, a.qpoints()[iq]) < 1e-6; }) -
        b.qpoints().begin());
    if (other == b.count() || a.gvectors(iq).size() != b.gvectors(other).size()) return 1e300;
    const auto n = a.gvectors(iq).size();
    std::vector<size_t> at(n);
    for (size_t i = 0; i < n; ++i)
      at[i] =
          static_cast<size_t>(std::find(b.gvectors(other).begin(), b.gvectors(other).end(), a.gvectors(iq)[i]) - b.gvectors(other).begin());
    if (std::find(at.begin(), at.end(), n) != at.end()) return 1e300;
    for (int f = 0; f < static_cast<int>(a.frequencies().size()); ++f) {
      const auto mine = a.matrix(iq, f), theirs = b.matrix(other, f);
      for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < n; ++i)
          if (const double d = std::abs(mine[j * n + i] - theirs[at[j] * n + at[i]]); !(d <= worst)) worst = d;
    }
  }
  return worst;
}

void check_heads(const DielectricResult& made, const Heads (&heads)[3]) {
  BOOST_REQUIRE_EQUAL(made.q.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    // The reference has 13 digits; at q0, where v is 1e7, sums of 1e-7 lose some of theirs.
    BOOST_TEST(std::abs(made.q[i].head - heads[i].eps) <= 2e-11 * heads[i].eps);
    BOOST_TEST(std::abs(made.q[i].inverse_head - heads[i].inverse) <= 2e-11 * heads[i].inverse);
    BOOST_TEST(made.q[i].excess <= 1e-10);
  }
}

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Failure& failure) { return failure.what(); }
  return "(nothing was wrong)";
}

template <class T> double error_of_inverse(int64_t n) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<T> b(static_cast<size_t>(n * n)), a(b.size());
  for (T& x : b)
    if constexpr (std::is_same_v<T, double>) x = normal(random);
    else x = {normal(random), normal(random)};
  const auto at = [n](int64_t i, int64_t j) { return static_cast<size_t>(j * n + i); };
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T sum = i == j ? static_cast<double>(n) : 0.0;
      for (int64_t k = 0; k < n; ++k)
        if constexpr (std::is_same_v<T, double>) sum += b[at(i, k)] * b[at(j, k)];
        else sum += b[at(i, k)] * std::conj(b[at(j, k)]);
      a[at(i, j)] = sum;
    }
  std::vector<T> inverse = a;
  BOOST_TEST(app::invert_positive(inverse.data(), n));
  double worst = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (int64_t k = 0; k < n; ++k) sum += a[at(i, k)] * inverse[at(k, j)];
      if (const double d = std::abs(sum - (i == j ? 1.0 : 0.0)); !(d <= worst)) worst = d;
    }
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_inverse_of_a_positive_matrix_is_its_inverse) {
  // One tile, whole tiles, and a part of one; condition number below 10.
  for (int64_t n : {1, 5, 96, 97, 230}) {
    BOOST_TEST(error_of_inverse<double>(n) <= 1e-13);
    BOOST_TEST(error_of_inverse<Complex>(n) <= 1e-13);
  }
  std::vector<double> saddle{1, 2, 2, 1}, nan{std::nan("")};
  BOOST_TEST(!app::invert_positive(saddle.data(), 2));
  BOOST_TEST(!app::invert_positive(nan.data(), 1));
}

BOOST_AUTO_TEST_CASE(heads_and_elements_of_gallium_arsenide_are_those_of_berkeleygw) {
  const Scratch folder;
  const Settings reference = godby_needs(gallium_arsenide());
  const DielectricResult made = make_epsilon(godby_needs(gallium_arsenide_from_wavefunctions()), folder / "");
  check_heads(made, heads_gaas);
  // Both frequencies. At q0 the wings reach 35, of which 1e-12 are 3e-11; theirs and ours are summed in another order.
  BOOST_TEST(distance_of(InverseDielectric(made.eps0, {}), InverseDielectric(reference.eps0, {})) <= 1e-9);
  const InverseDielectric mine(made.eps0, made.eps), theirs(reference.eps0, reference.eps);
  BOOST_TEST(distance_of(mine, theirs) <= 1e-9);
  BOOST_TEST(mine.frequencies().size() == 2u);
}

// Its full-frequency run: (eps^-1)_00 at q = (0,0,1/2), with the digits of its file. Near z = 0 every element is that of the static matrix, which is
// compared with its own above: conjugated or transposed, elements differ by 0.1.
BOOST_AUTO_TEST_CASE(the_inverse_of_eps_at_complex_frequencies) {
  const Scratch folder;
  Settings s = gallium_arsenide_from_wavefunctions();
  s.epsilon.real_frequencies_eV = {0.2, 15.2};
  s.epsilon.imaginary_frequencies_eV = {63.49323181};
  s.epsilon.broadening_eV = 0.2;
  const DielectricResult made = make_epsilon(s, folder / "");
  const InverseDielectric eps(made.eps0, made.eps);
  const std::vector<Complex> frequencies{0.0, {0, 63.49323181}, {0.2, 0.2}, {15.2, 0.2}};
  const Complex heads[] = {
      heads_gaas[1].inverse, 0.9482267201516, {0.3906204957916, -0.0002227875771}, {-0.1741120066496, -0.3510802364619}};
  BOOST_TEST_REQUIRE(eps.frequencies().size() == frequencies.size());
  for (int f = 0; f < 4; ++f) {
    BOOST_TEST(std::abs(eps.frequencies()[static_cast<size_t>(f)] - frequencies[static_cast<size_t>(f)]) <= 1e-12);
    const auto head = eps.columns(1, f, 0, 1)[0];  // G = 0 is the first
    BOOST_TEST(std::abs(head - heads[f]) <= 1e-9, head << " differs from " << heads[f] << " by " << std::abs(head - heads[f]));
    const InverseHead& said = made.q[1].inverse_heads->at(static_cast<size_t>(f));
    BOOST_TEST(std::abs(Complex(said.value[0], said.value[1]) - head) <= 1e-14);
    BOOST_TEST(std::abs(Complex(said.frequency_eV[0], said.frequency_eV[1]) - frequencies[static_cast<size_t>(f)]) <= 1e-12);
  }
  const hdf5::File file(made.eps);
  BOOST_TEST(file.integer("eps_header/freqs/freq_dep", 0, 9) == 2);
  BOOST_TEST(file.integer("eps_header/freqs/nfreq_imag", 0, 9) == 2);
  const auto stored = file.read<double>("eps_header/freqs/freqs", {4, 2});
  BOOST_TEST(stored[0] == 0.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(stored[4] == 0.0);

  s.epsilon.real_frequencies_eV = {1e-4};
  s.epsilon.imaginary_frequencies_eV = {};
  s.epsilon.broadening_eV = 1e-4;
  const DielectricResult near = make_epsilon(s, folder / "");
  const InverseDielectric both(near.eps0, near.eps);
  for (int q = 1; q < both.count(); ++q) {
    const auto at_zero = both.matrix(q, 0), beside = both.matrix(q, 1);
    double worst = 0;
    for (size_t i = 0; i < at_zero.size(); ++i) worst = std::max(worst, std::abs(at_zero[i] - beside[i]));
    BOOST_TEST(worst <= 1e-7);
    BOOST_TEST(worst > 0);
  }
}

// Beside the axes time reversal takes chi to its transpose, not to its complex conjugate: against the sum over all k without any symmetry.
BOOST_AUTO_TEST_CASE(symmetry_changes_nothing_at_complex_frequencies) {
  Settings s = gallium_arsenide_from_wavefunctions();
  s.epsilon.real_frequencies_eV = {15.2};
  s.epsilon.broadening_eV = 0.2;
  DielectricPlan plan(s);
  KernelSource source("cpu");
  for (const size_t iq : {1u, 2u}) {
    const Numbers by_symmetry = Polarizability(plan, source).compute(iq);
    DielectricPlan::Q& q = plan.q[iq];
    BOOST_TEST(std::any_of(q.little_group.begin(), q.little_group.end(), [](const auto& keeps) { return keeps.reversed; }));
    const auto is_identity = [&](const DielectricPlan::Keeps& keeps) {
      const Operation& operation = plan.wavefunctions.operations()[static_cast<size_t>(keeps.operation)];
      return !keeps.reversed && operation(Miller{1, 2, 4}) == Miller{1, 2, 4};
    };
    q.little_group = {*std::find_if(q.little_group.begin(), q.little_group.end(), is_identity)};
    q.points.clear();
    for (int k = 0; k < plan.k_points.size(); ++k) {
      const auto found = plan.k_points.find(plan.k_points[k].at + q.at);
      q.points.push_back({k, found.index, found.shift, 1});
    }
    const Numbers all = Polarizability(plan, source).compute(iq);
    const size_t n = q.g.size();
    double worst = 0, transposed = 0;
    for (size_t i = 0; i < all.size(); ++i) worst = std::max(worst, std::abs(all[i] - by_symmetry[i]));
    for (size_t i = 0; i < n * n; ++i)
      transposed = std::max(transposed, std::abs(all[n * n + i] - std::conj(all[n * n + i % n * n + i / n])));
    BOOST_TEST(worst <= 1e-12);
    BOOST_TEST(transposed >= 1e-4);  // far from Hermitian
  }
}

BOOST_AUTO_TEST_CASE(heads_and_elements_of_silicon_are_those_of_berkeleygw) {
  const Scratch folder;
  const Settings reference = silicon_empirical();
  const DielectricResult made = make_epsilon(silicon_empirical_from_wavefunctions(), folder / "");
  check_heads(made, heads_si);
  BOOST_TEST(distance_of(InverseDielectric(made.eps0, made.eps), InverseDielectric(reference.eps0, reference.eps)) <= 1e-9);
}

// What its reader looks up. Lengths and lists of G, sizes, and the header of the wavefunctions.
BOOST_AUTO_TEST_CASE(headers_of_the_files_are_those_of_berkeleygw) {
  const Scratch folder;
  const Settings reference = godby_needs(gallium_arsenide());
  const DielectricResult made = make_epsilon(godby_needs(gallium_arsenide_from_wavefunctions()), folder / "");
  const std::pair<fs::path, fs::path> pairs[] = {{made.eps0, reference.eps0}, {made.eps, reference.eps}};
  for (const auto& [ours, theirs] : pairs) {
    const hdf5::File mine(ours), file(theirs);
    const auto same_integers = [&](const char* name) {
      BOOST_TEST_CONTEXT(name) {
        const auto shape = file.shape(name);
        BOOST_TEST((mine.shape(name) == shape));
        BOOST_TEST((mine.read<int>(name, shape) == file.read<int>(name, shape)));
      }
    };
    const auto same_reals = [&](const char* name) {
      BOOST_TEST_CONTEXT(name) {
        const auto shape = file.shape(name);
        BOOST_TEST((mine.shape(name) == shape));
        const auto a = mine.read<double>(name, shape), b = file.read<double>(name, shape);
        double worst = 0;
        for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i])));
        BOOST_TEST(worst <= 1e-9);
      }
    };
    for (const char* name :
         {"versionnumber", "flavor", "params/matrix_type", "params/has_advanced", "params/nmatrix", "params/matrix_flavor", "params/icutv",
          "params/nband", "params/intraband_flag", "params/subsample", "params/subspace", "freqs/freq_dep", "freqs/nfreq",
          "freqs/nfreq_imag", "qpoints/nq", "qpoints/qgrid", "qpoints/qpt_done", "gspace/nmtx"})
      same_integers((std::string("eps_header/") + name).c_str());
    for (const char* name : {"params/ecuts", "params/efermi", "freqs/freqs", "qpoints/qpts", "gspace/ekin"})
      same_reals((std::string("eps_header/") + name).c_str());
    for (const char* name : {"gspace/components", "kpoints/kgrid", "kpoints/ngk", "symmetry/mtrx", "crystal/atyp"})
      same_integers((std::string("mf_header/") + name).c_str());
    for (const char* name : {"kpoints/rk", "kpoints/el", "symmetry/tnp", "crystal/bdot", "crystal/apos"})
      same_reals((std::string("mf_header/") + name).c_str());
    // Theirs has room for the largest of both files.
    const int largest = mine.integer("eps_header/gspace/nmtx_max", 1, 113);
    auto extents = file.shape("mats/matrix");
    extents[3] = extents[4] = largest;
    BOOST_TEST((mine.shape("mats/matrix") == extents));
    BOOST_TEST((mine.shape("mats/matrix-diagonal") == std::vector<int64_t>{extents[0], largest, extents[5]}));
    // One list is the inverse of the other.
    const auto shape = file.shape("eps_header/gspace/gind_eps2rho");
    const auto to = mine.read<int>("eps_header/gspace/gind_eps2rho", shape), from = mine.read<int>("eps_header/gspace/gind_rho2eps", shape);
    for (int64_t q = 0; q < shape[0]; ++q)
      for (int64_t i = 0; i < shape[1]; ++i) BOOST_REQUIRE_EQUAL(from[q * shape[1] + to[q * shape[1] + i] - 1], i + 1);
  }
}

// Each image has its own pairs (k, k+q), bands of other unfolded k and other G: only a set of bands that is whole, and right phases, make them equal.
BOOST_AUTO_TEST_CASE(the_head_of_eps_is_the_same_for_every_q_of_a_star) {
  DielectricPlan plan(gallium_arsenide_from_wavefunctions());
  KernelSource source("cpu");
  const auto head = [&](const Vector3& q) {
    plan.q[1] = plan.make_q(q, false);
    Polarizability polarizability(plan, source);
    Numbers chi = polarizability.compute(1);
    return invert_dielectric(plan, 1, chi).head;
  };
  for (const Vector3& q : {Vector3{0, 0, 0.5}, {0.5, 0, 0}, {0, 0.5, 0}, {0.5, 0.5, 0.5}, {0, 0, -0.5}, {1.5, 0, 0}})
    BOOST_TEST(std::abs(head(q) - heads_gaas[1].eps) <= 1e-11, text(q));
  for (const Vector3& q : {Vector3{0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, -0.5}})
    BOOST_TEST(std::abs(head(q) - heads_gaas[2].eps) <= 1e-11, text(q));
}

BOOST_AUTO_TEST_CASE(sigma_from_own_eps_is_that_from_the_files) {
  const Scratch folder;
  for (const auto& [own, given] : {std::pair{gallium_arsenide_from_wavefunctions(), gallium_arsenide()},
                                   {godby_needs(gallium_arsenide_from_wavefunctions()), godby_needs(gallium_arsenide())},
                                   {silicon_empirical_from_wavefunctions(), silicon_empirical()}}) {
    const Outcome mine = run(own, "cpu", folder / "");
    // eps^-1 agrees to 1e-11; thresholds of the plasmon poles pass on some of it.
    BOOST_TEST(difference(mine.result, run(given).result) <= 1e-8);
    BOOST_TEST(mine.result.dielectric.size() == 3u);
    for (const app::Row& row : mine.kernels) BOOST_TEST(!row.failed(), row.kernel);
    for (const auto& check : mine.outcome.checks) BOOST_TEST((check.holds() || check.name == "symmetry of the density"), check.name);
  }
}

BOOST_AUTO_TEST_CASE(ranks_make_the_same_matrices) {
  const Scratch one, three;
  fs::create_directories(three / "");
  const Settings settings = gallium_arsenide_from_wavefunctions();
  const Outcome alone = run(settings, "cpu", one / ""), shared = run_on_ranks(settings, 2, three / "");
  BOOST_TEST(difference(alone.result, shared.result) <= 1e-10);
  const InverseDielectric a(one / "eps0mat.h5", one / "epsmat.h5"), b(three / "eps0mat.h5", three / "epsmat.h5");
  BOOST_TEST(distance_of(a, b) == 0.0);
}

BOOST_AUTO_TEST_CASE(wavefunctions_that_do_not_go_together_are_refused_in_one_sentence) {
  const auto refusal = [](const std::function<void(Settings&)>& spoil) {
    Settings s = gallium_arsenide_from_wavefunctions();
    spoil(s);
    return message([&] { DielectricPlan{s}; });
  };
  const auto says = [](const std::string& sentence, const char* part) {
    BOOST_TEST(sentence.find(part) != std::string::npos, sentence << " does not say: " << part);
    BOOST_TEST(sentence.find('\n') == std::string::npos);
  };
  const fs::path silicon = silicon_empirical_from_wavefunctions().epsilon.wavefunctions_q0;
  says(refusal([&](Settings& s) { s.epsilon.wavefunctions_q0 = silicon; }), "describe different cells");
  says(refusal([&](Settings& s) { s.epsilon.wavefunctions_q0 = s.epsilon.wavefunctions; }), "not moved by a small q0");
  says(refusal([&](Settings& s) { s.epsilon.q0 = Vector3{0, 0, 0.3}; }), "which is no small q0");
  says(refusal([&](Settings& s) { s.epsilon.q0 = Vector3{0, 0, 0.002}; }), "is not among the k points of");
  says(refusal([&](Settings& s) { s.epsilon.cutoff_Ry = 12; }), "the cutoff of eps, 12 Ry, is above that of the wavefunctions");
  says(refusal([&](Settings& s) { s.epsilon.nbands = 3; }), "number of bands: 3 asked for; 4 (the occupied ones) to 19");
  says(refusal([&](Settings& s) { s.epsilon.nbands = 4; }), "4 bands are all occupied");
  says(refusal([&](Settings& s) { s.epsilon.nbands = 6; }), "bands 6 and 7 are degenerate at k = ");
  says(refusal([&](Settings& s) { s.epsilon.q_grid = {3, 3, 3}; }), "the q grid does not go with the k grid");
  says(refusal([&](Settings& s) { s.epsilon.q_grid = {2, 2, 1}; }), "has not the symmetry of the crystal");
}
