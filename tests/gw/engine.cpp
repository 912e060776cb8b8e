// SPDX-License-Identifier: BSD-3-Clause
// Parts of the self-energy step against definitions, and what must not change an answer: ranks, slices,
// symmetry.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include <suite/plugin.hpp>

#include "bench.hpp"
#include "common/machine.hpp"
#include "deal.hpp"
#include "kernel_call.hpp"
#include "matrix_elements.hpp"
#include "plan.hpp"
#include "screening.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
using Complex = std::complex<double>;

namespace {

// Two k points and few bands: a second of work.
Settings small() {
  auto s = silicon_78bands();
  s.nbands = 8;
  s.band_max = 5;
  s.kpoints = {{0, 0.25, 0.25}, {0, 0, 0.5}};
  return s;
}

auto says(const std::string& sentence) {
  return [sentence](const Failure& failure) {
    const bool same = failure.what() == sentence;
    if (!same) BOOST_TEST_MESSAGE("says: " << failure.what());
    return same;
  };
}

const Operation identity{{Miller{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};

}  // namespace

BOOST_AUTO_TEST_CASE(time_reversal_fills_a_grid_that_rotations_do_not) {
  const FullGrid grid({{0, 0, 0}, {0, 0, 1.0 / 3}}, {identity}, {1, 1, 3}, "k points");
  BOOST_TEST_REQUIRE(grid.size() == 3);
  BOOST_TEST(!grid[1].reversed);
  BOOST_TEST(grid[2].reversed);
  BOOST_TEST(grid[2].at[2] == 2.0 / 3, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(grid[2].shift[2] == 1);  // 2/3 = -(1/3) + 1
  const auto found = grid.find({0, 1, -1.0 / 3});
  BOOST_TEST(found.index == 2);
  BOOST_TEST((found.shift == Miller{0, 1, -1}));
}

BOOST_AUTO_TEST_CASE(a_grid_may_be_shifted) {
  const FullGrid shifted({{0.25, 0, 0}, {0.75, 0, 0}}, {identity}, {2, 1, 1}, "k points", {0.5, 0, 0});
  BOOST_TEST(shifted.find({-0.25, 0, 0}).index == 1);
  BOOST_TEST((shifted.find({-0.25, 0, 0}).shift == Miller{-1, 0, 0}));
  BOOST_TEST(shifted.find({0.5, 0, 0}).index == -1);
}

BOOST_AUTO_TEST_CASE(a_grid_with_holes_is_refused) {
  BOOST_CHECK_EXCEPTION(FullGrid({{0, 0, 0}}, {identity}, {1, 1, 3}, "k points"), Failure,
                        says("k points: the points and their images are 1 of the 3 of the grid"));
  BOOST_CHECK_EXCEPTION(FullGrid({{0, 0, 0.3}}, {identity}, {1, 1, 3}, "q points"), Failure,
                        says("q points: (0, 0, 0.3) is not on the 1 x 1 x 3 grid"));
}

BOOST_AUTO_TEST_CASE(stars_of_every_k_cover_the_grid_once) {
  const Plan plan(silicon());
  std::vector<double> weight(plan.externals.size());
  for (const auto& item : plan.items) weight[item.external] += item.weight;
  for (double w : weight) BOOST_TEST(w == 125);
  BOOST_TEST(plan.items.size() == 455u);  // as many as BerkeleyGW sums over
}

// M_nn'(G) = sum_G' c_n(G')* c_n'(G' - G + umklapp), summed term by term over the spheres, images and umklapp
// included.
BOOST_AUTO_TEST_CASE(matrix_elements_equal_the_convolution) {
  auto s = small();
  s.nbands = 8;
  s.band_min = 3;
  s.band_max = 5;
  const Plan plan(s);
  KernelSource source("cpu");
  MatrixElements elements(plan, 0, plan.items.size(), source);
  Screenings screenings(plan, source);
  double worst = 0;
  for (size_t i = 0; i < plan.items.size(); i += 5) {
    const auto& item = plan.items[i];
    const auto& q = plan.q_full[item.q];
    const auto& k = plan.k_full[item.inner];
    const auto& external = plan.externals[item.external];
    const auto& q_operation = plan.wavefunctions.operations()[q.operation];
    const auto& k_operation = plan.wavefunctions.operations()[k.operation];
    const Screening screening = screenings.make(q.irreducible);
    const size_t ncouls = screening.ncouls;
    Numbers m;
    std::vector<double> exchange(external.count());
    elements.compute(item, screening, m);
    BOOST_TEST(elements.exchange(i, screening, exchange.data()));

    const auto bra = plan.wavefunctions.read(external.k, external.end), ket = plan.wavefunctions.read(k.irreducible, s.nbands);
    std::map<Miller, size_t> place;
    std::vector<Complex> phase;
    for (size_t j = 0; j < ket.g.size(); ++j) {
      place[rotated(k, k_operation, ket.g[j])] = j;
      phase.push_back(std::polar(1.0, k_operation.phase(k_operation(ket.g[j]))));
    }
    for (int n = 0; n < external.count(); ++n) {
      double x = 0;
      for (int n1 = 0; n1 < s.nbands; ++n1)
        for (size_t ig = 0; ig < screening.g.size(); ++ig) {
          if (ig >= ncouls && n1 >= plan.wavefunctions.occupied()) break;
          const Miller g = rotated(q, q_operation, screening.g[ig]);
          Complex sum = 0;
          for (size_t j = 0; j < bra.g.size(); ++j) {
            const auto found = place.find(bra.g[j] - g + item.umklapp);
            if (found == place.end()) continue;
            sum +=
                std::conj(bra.c[(external.first + n) * bra.g.size() + j]) * ket.c[n1 * ket.g.size() + found->second] * phase[found->second];
          }
          if (n1 < plan.wavefunctions.occupied()) x += std::norm(sum) * screening.vcoul[ig];
          if (ig >= ncouls) continue;
          sum *= std::polar(1.0, q_operation.phase(q_operation(screening.g[ig])));
          worst = std::max(worst, std::abs(sum - m[(n * s.nbands + n1) * ncouls + ig]));
        }
      worst = std::max(worst, std::abs(x - exchange[n]) / x);
    }
  }
  BOOST_TEST_MESSAGE("worst " << worst);
  BOOST_TEST(worst <= 1e-13);  // sums of 400 products of numbers below 1
}

// Closure: over all bands of the file and beyond, the exact static CH is what the sum over bands tends to
// from below.
BOOST_AUTO_TEST_CASE(static_remainder_shrinks_with_more_bands) {
  auto s = small();
  s.kpoints = {{0, 0, 0}};
  s.band_max = 4;
  double before = 1e9;
  for (int bands : {14, 38, 78}) {
    s.nbands = bands;
    const auto outcome = run(s);
    const double remainder = std::abs(outcome.result.states[1].remainder);
    BOOST_TEST(remainder < before);
    before = remainder;
  }
}

BOOST_AUTO_TEST_CASE(any_number_of_ranks_gives_the_same_bits) {
  const auto one = run(small());
  for (int ranks : {2, 3, 4}) {
    const auto many = run_on_ranks(small(), ranks);
    BOOST_TEST(many.kernels[0].verification.status == "verified");
    BOOST_TEST(many.result.iterations == one.result.iterations);
    BOOST_TEST_REQUIRE(many.result.states.size() == one.result.states.size());
    for (size_t i = 0; i < one.result.states.size(); ++i) {
      const State &a = one.result.states[i], &b = many.result.states[i];
      BOOST_TEST(a.x == b.x);
      BOOST_TEST(a.sx == b.sx);
      BOOST_TEST(a.ch == b.ch);
      BOOST_TEST(a.remainder == b.remainder);
    }
  }
}

// With so many items each thread takes some of its own.
BOOST_AUTO_TEST_CASE(any_number_of_threads_gives_the_same_bits) {
  auto s = small();
  s.symmetry = false;
  const int before = app::threads_in_use();
  app::use_threads(1, 1);
  const auto one = run(s);
  for (int threads : {2, 3}) {
    app::use_threads(threads, 1);
    const auto many = run(s);
    BOOST_TEST(difference(one.result, many.result) == 0.0);
    BOOST_TEST(many.result.iterations == one.result.iterations);
    BOOST_TEST(many.result.poles.pairs == one.result.poles.pairs);
    BOOST_TEST(many.result.poles.weight == one.result.poles.weight);
    BOOST_TEST_REQUIRE(many.kernels.size() == one.kernels.size());
    for (size_t i = 0; i < one.kernels.size(); ++i) {
      BOOST_TEST(many.kernels[i].kernel == one.kernels[i].kernel);
      BOOST_TEST(many.kernels[i].verification.status == "verified");
      // Screenings at the ends of stretches are made by two of them.
      if (one.kernels[i].kernel != "gw.screening") BOOST_TEST(many.kernels[i].samples_s.size() == one.kernels[i].samples_s.size());
    }
  }
  app::use_threads(before, 1);
}

BOOST_AUTO_TEST_CASE(a_failure_of_one_thread_ends_all) {
  auto s = small();
  s.symmetry = false;
  s.coulomb = CoulombMode::file;
  s.vcoul = data("silicon/vcoul.gz");  // of other q
  const int before = app::threads_in_use();
  app::use_threads(2, 1);
  BOOST_CHECK_THROW(run(s), Failure);
  app::use_threads(before, 1);
}

BOOST_AUTO_TEST_CASE(every_item_is_dealt_once) {
  for (int threads : {1, 2, 3, 5})
    for (int64_t items : {0, 1, 4, 23}) {
      Deal deal({7, 7 + items}, threads);
      std::vector<int> dealt(static_cast<size_t>(items));
      // The first is three times as fast as the others, which come to an end while it goes on.
      for (bool left = true; left;) {
        left = false;
        for (int thread : {0, 0, 0, 1, 2, 3, 4}) {
          if (thread >= threads) continue;
          const auto i = deal.next(thread);
          left = left || i;
          if (i) ++dealt.at(static_cast<size_t>(*i - 7));
        }
      }
      BOOST_TEST(dealt == std::vector<int>(dealt.size(), 1), boost::test_tools::per_element());
      BOOST_TEST(deal.taken() == items);
    }
}

BOOST_AUTO_TEST_CASE(slices_of_columns_add_up) {
  auto s = small();
  const auto whole = run(s);
  for (int slices : {2, 3}) {
    s.gprime_slices = slices;
    const auto once = run_on_ranks(s, slices), twice = run_on_ranks(s, 2 * slices);
    const double distance = difference(whole.result, once.result);
    BOOST_CHECK_MESSAGE(distance <= 1e-11, slices << " slices: " << distance << " eV");  // 1e-12 of 10 eV
    BOOST_TEST(difference(once.result, twice.result) == 0.0);
    BOOST_TEST(twice.kernels[1].verification.status == "verified");
  }
}

// Matrix elements are computed in shares of internal bands, whole or cut vectors of them or none at all, and none depends on the share it is in.
BOOST_AUTO_TEST_CASE(shares_of_bands_make_the_whole) {
  auto s = small();
  s.kpoints = {{0, 0, 0.5}};
  s.exact_static_ch = false;
  for (int bands : {8, 14, 38}) {  // one vector of 8, two, five; the last of two and of five is cut
    s.nbands = bands;
    s.gprime_slices = 1;
    const auto whole = run(s);
    for (int slices : {2, 3, 5}) {
      s.gprime_slices = slices;
      const auto shared = run_on_ranks(s, slices);
      const double distance = difference(whole.result, shared.result);
      BOOST_CHECK_MESSAGE(distance <= 1e-11, bands << " bands, " << slices << " slices: " << distance << " eV");
      // What does not depend on columns: the same bits. Of 8 items the ranks take turns on 2; on 3 and 5 they share each item's occupied bands.
      for (size_t i = 0; i < whole.result.states.size(); ++i) BOOST_TEST(shared.result.states[i].x == whole.result.states[i].x);
      if (bands == 38) BOOST_TEST(shared.kernels[1].merit.count <= 0.75 * whole.kernels[1].merit.count);  // 3 of 5 vectors, and exchange
    }
  }
}

// The laws of the input are found to hold, or not, to the same bits by ranks that have a part of the matrix each.
BOOST_AUTO_TEST_CASE(slices_check_all_of_the_screening) {
  auto s = small();
  s.kpoints = {{0, 0.25, 0.25}};
  const auto whole = run(s);
  for (int slices : {2, 3, 7}) {
    s.gprime_slices = slices;
    const auto shared = run_on_ranks(s, slices);
    BOOST_TEST_REQUIRE(shared.outcome.checks.size() == whole.outcome.checks.size());
    for (size_t i = 0; i < whole.outcome.checks.size(); ++i) {
      const auto &a = whole.outcome.checks[i], &b = shared.outcome.checks[i];
      BOOST_TEST(a.name == b.name);
      if (a.name == "weight of invalid poles") BOOST_TEST(a.deviation == b.deviation, boost::test_tools::tolerance(1e-12));
      else BOOST_TEST(a.deviation == b.deviation, a.name << " with " << slices << " slices");
    }
  }
}

BOOST_AUTO_TEST_CASE(more_ranks_than_items) {
  auto s = small();
  s.kpoints = {{0, 0, 0}};  // 8 items
  const auto one = run(s), many = run_on_ranks(s, 11);
  BOOST_TEST(many.kernels[0].verification.status == "verified");
  BOOST_TEST(difference(one.result, many.result) == 0.0);
}

// A slice without columns still is a valid call, which counts nothing; the others have the whole's columns.
BOOST_AUTO_TEST_CASE(more_slices_than_columns) {
  const Plan plan(small());
  KernelSource source("cpu");
  const Screening whole = Screenings(plan, source).make(1);
  const int slices = whole.ncouls + 3;
  int columns = 0;
  PoleCount poles;
  for (int slice = 0; slice < slices; ++slice) {
    Screenings screenings(plan, source, {slice, slices});
    const Screening screening = screenings.make(1);
    const size_t n = static_cast<size_t>(screening.ncouls);
    BOOST_TEST(screenings.record().verification.status == "verified");
    BOOST_TEST_REQUIRE(screening.ngpown() == 1);
    BOOST_TEST_REQUIRE(screening.I_eps.size() == n);
    BOOST_TEST_REQUIRE(screening.wtilde.size() == n);
    poles += screening.poles;
    const auto column = static_cast<size_t>(screening.indigp[0]);
    columns += column > 0;
    for (size_t ig = 0; ig < n; ++ig) {
      BOOST_TEST(screening.I_eps[ig] == (column ? whole.I_eps[n * (column - 1) + ig] : 0.0));
      BOOST_TEST(screening.wtilde[ig] == (column ? whole.wtilde[n * (column - 1) + ig] : 0.0));
    }
  }
  BOOST_TEST(columns == whole.ncouls);
  BOOST_TEST(poles.pairs == whole.poles.pairs);
  BOOST_TEST(poles.invalid == whole.poles.invalid);
}

// What stands for an invalid pole does not change which are invalid.
BOOST_AUTO_TEST_CASE(invalid_poles_are_counted_in_every_mode) {
  auto s = small();
  std::vector<Screening> of_mode;
  for (int mode = 0; mode < 4; ++mode) {
    s.invalid_gpp_mode = mode;
    const Plan plan(s);
    KernelSource source("cpu");
    of_mode.push_back(Screenings(plan, source).make(1));
  }
  const Screening& last = of_mode[3];
  const std::complex<double> expected[] = {0, {0, 1}, 27.21138506, 1e12};
  int invalid = 0;
  for (size_t i = 0; i < last.wtilde.size(); ++i) {
    const bool is_invalid = last.wtilde[i] == 1e12;
    invalid += is_invalid;
    for (int mode = 0; mode < 3; ++mode) {
      const Complex w = of_mode[mode].wtilde[i];
      if (!is_invalid) BOOST_TEST(w == last.wtilde[i]);
      else if (mode == 1) BOOST_TEST((w.real() == 0 && w.imag() > 0));
      else BOOST_TEST(w == expected[mode]);
    }
  }
  BOOST_TEST(invalid > 100);
  for (const auto& screening : of_mode) {
    BOOST_TEST(screening.poles.invalid == invalid);
    BOOST_TEST(screening.poles.pairs == last.poles.pairs);
    BOOST_TEST(screening.poles.invalid_weight == last.poles.invalid_weight);
    BOOST_TEST(screening.poles.weight == last.poles.weight);
  }
}

BOOST_AUTO_TEST_CASE(slices_must_divide_the_ranks) {
  auto s = small();
  s.gprime_slices = 2;
  BOOST_CHECK_EXCEPTION(run(s), Failure,
                        says("1 processes cannot share each q by 2 slices of G': give a number of processes that 2 divides"));
}

BOOST_AUTO_TEST_CASE(symmetry_off_at_one_k) {
  auto s = small();
  s.kpoints = {{0, 0, 0.5}};
  s.nbands = 8;
  const auto with = run(s);
  s.symmetry = false;
  BOOST_TEST(difference(with.result, run(s).result) <= 1e-9);
}

// Where the wanted bands cut a degenerate set, each of its bands gets the average over the set.
BOOST_AUTO_TEST_CASE(bands_that_cut_a_degenerate_set) {
  auto s = small();
  s.kpoints = {{0, 0, 0}};
  s.band_max = 4;
  const auto whole = run(s);  // bands 2 to 4 are degenerate
  double x = 0;
  Complex ch = 0;
  for (int i = 1; i < 4; ++i) {
    x += whole.result.states[i].x / 3;
    ch += whole.result.states[i].ch[0] / 3.0;
  }
  s.band_min = 3;
  s.band_max = 3;
  const auto cut = run(s);
  BOOST_TEST_REQUIRE(cut.result.states.size() == 1u);
  BOOST_TEST(cut.result.states[0].band == 3);
  BOOST_TEST(cut.result.states[0].x == x, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::abs(cut.result.states[0].ch[0] - ch) <= 1e-12 * std::abs(ch));
}

BOOST_AUTO_TEST_CASE(energies_of_every_difference_form) {
  auto s = small();
  s.finite_difference_spacing_eV = 0.5;
  const std::map<int, std::vector<double>> expected{{-2, {0}},     {-1, {-0.5, 0}}, {0, {-0.5, 0, 0.5}},
                                                    {1, {0, 0.5}}, {2, {0, 0.5}},   {-3, {-2, 0, 2}}};
  s.frequency_grid_min_eV = -2;
  s.frequency_grid_max_eV = 2;
  s.frequency_grid_points = 3;
  for (const auto& [form, energies] : expected) {
    s.finite_difference_form = form;
    BOOST_TEST(Plan(s).energy_shifts == energies);
  }
  s.finite_difference_form = 3;
  BOOST_CHECK_EXCEPTION(Plan{s}, Failure, says("finite_difference_form is 3; it can be -3 to 2"));
}

// Without averages v is 8 pi/|q+G|^2; with them it is larger near the origin and tends to it far away.
BOOST_AUTO_TEST_CASE(coulomb_modes) {
  auto s = small();
  const Plan plan(s);
  const Coulomb plain(s, plan.eps.crystal(), plan.eps.grid(), plan.wavefunctions.operations());
  BOOST_TEST(plain.v({0, 0, 0}, {0, 0, 0}) == head_78bands);
  BOOST_TEST(plain.v({0, 0, 0.5}, {1, 0, 0}) == 8 * std::numbers::pi / length2(plan.eps.crystal().bdot, {1, 0, 0.5}),
             boost::test_tools::tolerance(1e-14));
  s.coulomb = CoulombMode::cell;
  s.coulomb_head = 0;
  const Coulomb averaged(s, plan.eps.crystal(), plan.eps.grid(), plan.wavefunctions.operations());
  BOOST_TEST(averaged.v({0, 0, 0}, {0, 0, 0}) == head_78bands,
             boost::test_tools::tolerance(2e-4));  // theirs by random points
  BOOST_TEST(averaged.v({0, 0, 0.25}, {0, 0, 0}) > 1.001 * plain.v({0, 0, 0.25}, {0, 0, 0}));
  s.coulomb = CoulombMode::none;
  s.vcoul = data("silicon/vcoul.gz");
  BOOST_TEST(Coulomb(s, plan.eps.crystal(), plan.eps.grid(), plan.wavefunctions.operations()).v({0, 0, 0}, {0, 0, 0}) == head_silicon);
  s.coulomb = CoulombMode::file;
  s.vcoul.clear();
  BOOST_CHECK_EXCEPTION(Coulomb(s, plan.eps.crystal(), plan.eps.grid(), plan.wavefunctions.operations()), Failure,
                        says("the Coulomb interaction is to be read from a file, but none is given"));
}

BOOST_AUTO_TEST_CASE(reference_and_cpu_agree) {
  auto s = small();
  s.nbands = 8;
  s.kpoints = {{0, 0, 0.5}};
  const auto reference = run(s, "reference");
  BOOST_TEST(reference.kernels[0].verification.status == "not checked");
  BOOST_TEST(difference(reference.result, run(s).result) <= 1e-10);
}
