// SPDX-License-Identifier: BSD-3-Clause
// The Ewald interaction: lattice constants and energies known to ten digits or more, and what must not
// matter.
#include "support.hpp"

using namespace qmc_test;

namespace {

struct Charges {
  Numbers cell, charge, rele;
  double alpha_L = 0, tolerance = 0;
  int64_t count() const { return static_cast<int64_t>(charge.size()); }
};

void set(Call& call, const Charges& s) {
  call.forget();
  call.numbers("cell", s.cell, {3, 3});
  call.numbers("charge", s.charge, {s.count()});
  call.numbers("rele", s.rele, {3, s.count(), 1});
  const double L = std::cbrt(suite::qmc::lattice_of(s.cell.data()).volume);
  if (s.alpha_L > 0) call.scalar("ewald_alpha", s.alpha_L / L);
  if (s.tolerance > 0) call.scalar("ewald_tolerance", s.tolerance);
}
double total(Call& call, const Charges& s) {
  set(call, s);
  call.numbers("total", {1e30}, {1});
  call.run();
  return call.get_numbers("total")[0];
}
struct Row {
  Numbers energy, field;
};
// Of one particle at positions rnew, or of all.
Row row(Call& call, const Charges& s, int32_t ie = 0, const Numbers& rnew = {}) {
  set(call, s);
  const int64_t npos = ie ? static_cast<int64_t>(rnew.size()) / 3 : s.count();
  if (ie) {
    call.count("ie", ie);
    call.numbers("rnew", rnew, {3, npos, 1});
  }
  call.numbers("energy", Numbers(static_cast<size_t>(npos), 1e30), {npos, 1});
  call.numbers("field", Numbers(static_cast<size_t>(3 * npos), 1e30), {3, npos, 1});
  call.run();
  return {call.get_numbers("energy"), call.get_numbers("field")};
}

Charges electrons(const Numbers& cell, int64_t n, unsigned seed) {
  return {cell, Numbers(static_cast<size_t>(n), -1.0), positions(cell, n, seed)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interaction)

// Half of xi of the unit cube and of fcc and bcc of unit volume: Wigner lattices, known to 12 digits.
BOOST_AUTO_TEST_CASE(constants_of_lattices) {
  const std::pair<Numbers, double> lattices[] = {{sc, -2.837297479481}, {bcc, -2.888461503054}, {fcc, -2.888282119020}};
  for (const auto& [shape, xi] : lattices) {
    const Numbers cell = scaled(shape, 1 / std::cbrt(suite::qmc::lattice_of(shape.data()).volume));
    each("qmc.ewald", [&, xi = xi](Call& call) {
      check_below(call, "xi off by", std::abs(2 * total(call, {cell, {1}, {0.1, 0.2, 0.3}}) - xi), 1e-11);
    });
  }
}

BOOST_AUTO_TEST_CASE(madelung_constants) {
  each("qmc.ewald", [](Call& call) {
    const double nacl = -0.5 * total(call, {fcc, {1, -1}, {0, 0, 0, 0.5, 0, 0}}),
                 cscl = -std::sqrt(0.75) * total(call, {sc, {1, -1}, {0, 0, 0, 0.5, 0.5, 0.5}});
    check_below(call, "NaCl off by", std::abs(nacl - 1.747564594633182), 1e-11);
    check_below(call, "CsCl off by", std::abs(cscl - 1.762674773070988), 1e-11);
  });
}

// v_E of the unit cube at points: 2 charges 1, less xi.
BOOST_AUTO_TEST_CASE(potential_at_points) {
  const std::pair<Numbers, double> points[] = {{{0.5, 0, 0}, -0.095932304940},     {{0.5, 0.5, 0}, -0.582521531544},
                                               {{0.5, 0.5, 0.5}, -0.801935970028}, {{0.25, 0, 0}, 1.305934570507},
                                               {{0.1, 0.2, 0.3}, 0.113009898248},  {{0.05, 0.05, 0.05}, 8.725299742094}};
  each("qmc.ewald", [&](Call& call) {
    for (const auto& [at, v] : points) {
      Numbers rele(3);
      rele.insert(rele.end(), at.begin(), at.end());
      const double energy = total(call, {sc, {1, 1}, rele});
      check_below(call, "v_E off by", std::abs(energy + 2.837297479481 - v), 1e-10);
    }
  });
}

// Energies by direct sums to 12 digits, of electrons in bcc cells and of ions.
BOOST_AUTO_TEST_CASE(energies_of_many_particles) {
  const double h = 3.77945227, d = 6.7463223;
  const Numbers diamond{d, d, 0, 0, d / 2, d / 2, d / 2, 0, d / 2};
  const Numbers carbon{0, 0, 0, 1.68658058, 1.68658058, 1.68658058, 3.37316115, 3.37316115, 0, 5.05974173, 5.05974173, 1.68658058};
  Numbers five = carbon;
  for (const double x : {5.05974173, 3.37316115, 0.0}) five.push_back(x);
  const std::pair<Charges, double> known[] = {
      {{bcc, {1, 1, 1}, {0, 0, 0, .1, .2, .3, .3, .1, .2}}, -5.495453192143},
      {{bcc, {1, 1, 1}, {0, 0, 0, .1, .2, .3, .2, .3, 0}}, -6.329374227883},
      {{{h, 0, 0, 0, h, 0, 0, 0, h}, {1, 1}, {0, 0, 0, 1.88972614, 1.88972614, 1.88972614}}, -0.9628996980},
      {{diamond, {4, 4, 4, 4}, carbon}, -25.5513344526},
      {{diamond, {4, 4, 4, 4, 4}, five}, -30.9149928426},
  };
  each("qmc.ewald", [&](Call& call) {
    for (const auto& [charges, energy] : known) check_below(call, "energy off by", std::abs(total(call, charges) - energy), 1e-10);
  });
}

BOOST_AUTO_TEST_CASE(the_range_of_the_screening_charge_does_not_matter) {
  // An OpenCL device compiles for each range: many of them in one cell only.
  const std::pair<Numbers, Numbers> shapes[] = {{sc, {4.4}}, {fcc, {4.4}}, {triclinic, {3.3, 6.6, 0.0}}};
  for (const auto& [shape, ranges] : shapes) {
    Charges s = electrons(cell_of(shape, 9, 1), 9, 3);
    s.charge[2] = 3;
    each("qmc.ewald", [&, ranges = ranges](Call& call) {
      Charges with = s;
      with.alpha_L = 2.2;
      const double energy = total(call, with);
      const Row rows = row(call, with);
      for (const double alpha_L : ranges) {
        with.alpha_L = alpha_L;
        check_below(call, "total moves by", std::abs(total(call, with) - energy) / std::abs(energy), 1e-11);
        const Row others = row(call, with);
        check_below(call, "energies move by", relative_distance(others.energy, rows.energy), 1e-11);
        check_below(call, "fields move by", relative_distance(others.field, rows.field), 1e-11);
      }
    });
  }
}

// With the sums taken far, every algorithm has the same energy to rounding.
BOOST_AUTO_TEST_CASE(algorithms_agree) {
  Charges s = electrons(cell_of(fcc, 22, 1), 22, 4);
  s.tolerance = 1e-15;
  s.alpha_L = 4;
  Call plain = reference("qmc.ewald");
  const double energy = total(plain, s);
  const Row rows = row(plain, s);
  each("qmc.ewald", [&](Call& call) {
    check_below(call, "total differs by", std::abs(total(call, s) - energy) / std::abs(energy), 1e-12);
    const Row others = row(call, s);
    check_below(call, "energies differ by", relative_distance(others.energy, rows.energy), 1e-12);
    check_below(call, "fields differ by", relative_distance(others.field, rows.field), 1e-12);
  });
}

BOOST_AUTO_TEST_CASE(each_pair_counts_for_both) {
  const Charges s = electrons(cell_of(bcc, 13, 2), 13, 5);
  each("qmc.ewald", [&](Call& call) {
    const Row rows = row(call, s);
    double sum = 0, force[3] = {};
    for (const double e : rows.energy) sum += e / 2;
    for (size_t i = 0; i < rows.field.size(); ++i) force[i % 3] += rows.field[i];
    check_below(call, "sum differs by", std::abs(sum / total(call, s) - 1), 1e-12);
    for (const double f : force) check_below(call, "force on itself", std::abs(f), 1e-11);
  });
}

// Of particle 2 in the other place: what energy_i says, and the total with it there.
BOOST_AUTO_TEST_CASE(a_move_of_one) {
  Charges s = electrons(cell_of(triclinic, 7, 2), 7, 6);
  s.charge[1] = 2;
  const Numbers rnew = positions(s.cell, 3, 7);
  each("qmc.ewald", [&](Call& call) {
    const double before = total(call, s);
    const Row here = row(call, s), there = row(call, s, 2, rnew);
    for (int m = 0; m < 3; ++m) {
      Charges moved = s;
      std::copy_n(&rnew[3 * m], 3, &moved.rele[3]);
      const double change = there.energy[m] - here.energy[1];
      check_below(call, "change differs by", std::abs(total(call, moved) - before - change), 1e-10);
      const Row all = row(call, moved);
      for (int d = 0; d < 3; ++d) check_below(call, "field differs by", std::abs(all.field[3 + d] - there.field[3 * m + d]), 1e-10);
    }
  });
}

// Central differences of order 4: truncation of order h^4 = 1e-12 times a fifth derivative, rounding 1e-13/h.
BOOST_AUTO_TEST_CASE(field_is_minus_the_gradient) {
  Charges s = electrons(cell_of(fcc, 8, 2), 8, 8);
  s.charge[4] = 2;
  const double h = 1e-3;
  for (const int32_t ie : {1, 5}) {
    Numbers rnew;
    for (int d = 0; d < 3; ++d)
      for (const double step : {-2 * h, -h, h, 2 * h}) {
        rnew.insert(rnew.end(), &s.rele[3 * (ie - 1)], &s.rele[3 * ie]);
        rnew[rnew.size() - 3 + d] += step;
      }
    each("qmc.ewald", [&](Call& call) {
      const Row here = row(call, s);
      const Numbers e = row(call, s, ie, rnew).energy;
      for (int d = 0; d < 3; ++d) {
        const double slope = (e[4 * d] - 8 * e[4 * d + 1] + 8 * e[4 * d + 2] - e[4 * d + 3]) / (12 * h);
        check_below(call, "field differs by", std::abs(here.field[3 * (ie - 1) + d] + slope / s.charge[ie - 1]), 1e-8);
      }
    });
  }
}

// All G up to a length, in rows or, which only costs time, in the other order with every third one turned.
Indices list_of(const Numbers& cell, double longest, bool in_rows) {
  const Lattice lattice = suite::qmc::lattice_of(cell.data());
  Indices n = suite::qmc::in_rows(suite::qmc::vectors_within(lattice.b, longest, true, "the test"));
  if (in_rows) return n;
  Indices turned;
  for (size_t i = n.size(); i > 0; i -= 3)
    for (size_t d = 0; d < 3; ++d) turned.push_back(i % 9 == 0 ? -n[i - 3 + d] : n[i - 3 + d]);
  return turned;
}
// sum_j q_j exp(i G.r_j), each term by cos and sin.
Complexes structure_factor_of(const Charges& s, const Indices& gvec) {
  const Lattice lattice = suite::qmc::lattice_of(s.cell.data());
  Complexes rho(gvec.size() / 3);
  for (size_t g = 0; g < rho.size(); ++g) {
    double G[3];
    suite::qmc::reciprocal_vector(lattice, &gvec[3 * g], G);
    for (size_t j = 0; j < s.charge.size(); ++j)
      rho[g] += std::polar(s.charge[j], G[0] * s.rele[3 * j] + G[1] * s.rele[3 * j + 1] + G[2] * s.rele[3 * j + 2]);
  }
  return rho;
}

// Sums from the caller's structure factor are those that the kernel makes itself: moves of one, among them
// none at all and one by a lattice vector, all where they are, and the total; and so are energies of charges
// whose structure factor has followed them.
BOOST_AUTO_TEST_CASE(a_structure_factor_of_the_caller) {
  for (const Numbers& shape : {fcc, triclinic}) {
    Charges s = electrons(cell_of(shape, 19, 1), 19, 31);
    s.charge[3] = 2;
    const int32_t ie = 5;
    Numbers rnew = positions(s.cell, 3, 32);
    rnew.insert(rnew.end(), &s.rele[12], &s.rele[15]);  // where it is
    for (int d = 0; d < 3; ++d) rnew.push_back(s.rele[12 + d] - s.cell[d]);
    // A range for which lists are short: device emulators are slow.
    s.alpha_L = 4.2;
    const double longest = 2 * s.alpha_L * 5.06 / std::cbrt(suite::qmc::lattice_of(s.cell.data()).volume);
    for (const bool in_rows : {true, false}) {
      const Indices gvec = list_of(s.cell, longest, in_rows);
      const auto count = static_cast<int64_t>(gvec.size()) / 3;
      const Complexes rhok = structure_factor_of(s, gvec);
      const auto give = [&](Call& call) {
        call.indices("gvec", gvec, {3, count});
        call.complexes("rhok", rhok, {count, 1, 1});
      };
      each("qmc.ewald", [&](Call& call) {
        const double sum = total(call, s);
        const Row all = row(call, s), one = row(call, s, ie, rnew);
        set(call, s);
        give(call);
        call.numbers("total", {1e30}, {1});
        call.numbers("energy", Numbers(19, 1e30), {19, 1});
        call.numbers("field", Numbers(57, 1e30), {3, 19, 1});
        call.run();
        check_below(call, "total differs by", std::abs(call.get_numbers("total")[0] / sum - 1), 2e-11);
        check_below(call, "energies differ by", relative_distance(call.get_numbers("energy"), all.energy), 2e-11);
        check_below(call, "fields differ by", relative_distance(call.get_numbers("field"), all.field), 2e-11);
        for (const bool field : {false, true}) {
          set(call, s);
          give(call);
          call.count("ie", ie);
          call.numbers("rnew", rnew, {3, 5, 1});
          call.numbers("energy", Numbers(5, 1e30), {5, 1});
          if (field) call.numbers("field", Numbers(15, 1e30), {3, 5, 1});
          call.run();
          check_below(call, "energies of one differ by", relative_distance(call.get_numbers("energy"), one.energy), 2e-11);
          if (field) check_below(call, "fields of one differ by", relative_distance(call.get_numbers("field"), one.field), 2e-11);
        }
      });
    }
  }
}

// The list as the theory page advises: the range that suits it leaves one closest image for each pair.
BOOST_AUTO_TEST_CASE(a_move_in_one_row_of_pairs) {
  const Charges s = electrons(cell_of(fcc, 14, 1), 14, 34);
  const Numbers rnew = positions(s.cell, 1, 35);
  const Indices gvec = list_of(s.cell, 2 * 5.06 * 5.06 / suite::qmc::lattice_of(s.cell.data()).inscribed_radius, true);
  const Complexes rhok = structure_factor_of(s, gvec);
  standard("qmc.ewald", [&](Call& call) {
    const Row one = row(call, s, 9, rnew);
    set(call, s);
    call.indices("gvec", gvec, {3, static_cast<int64_t>(rhok.size())});
    call.complexes("rhok", rhok, {static_cast<int64_t>(rhok.size()), 1, 1});
    call.count("ie", 9);
    call.numbers("rnew", rnew, {3, 1, 1});
    call.numbers("energy", {1e30}, {1, 1});
    call.run();
    check_below(call, "energy differs by", relative_distance(call.get_numbers("energy"), one.energy), 2e-11);
  });
}

BOOST_AUTO_TEST_CASE(a_structure_factor_that_follows_moves) {
  const Charges start = electrons(cell_of(bcc, 11, 1), 11, 33);
  for (const bool in_rows : {true, false}) {
    const Indices gvec = list_of(start.cell, 9, in_rows);
    const auto count = static_cast<int64_t>(gvec.size()) / 3;
    each("qmc.structure_factor", [&](Call& call) {
      Charges s = start;
      s.charge[7] = 3;
      Complexes rhok(static_cast<size_t>(count));
      const auto run = [&](int32_t ie, const Numbers& to) {
        call.forget();
        call.numbers("cell", s.cell, {3, 3});
        call.indices("nele", {6, 5}, {2});
        call.numbers("rele", s.rele, {3, 11, 1});
        call.numbers("charge", s.charge, {11});
        call.indices("gvec", gvec, {3, count});
        call.complexes("rhok", rhok, {count, 1, 1});
        if (ie) {
          call.count("ie", ie);
          call.numbers("rnew", to, {3, 1, 1});
        }
        call.run();
        rhok = call.get_complexes("rhok");
      };
      run(0, {});
      for (int32_t m = 0; m < 12; ++m) {
        const int32_t ie = 3 * m % 11 + 1;
        const Numbers to = positions(s.cell, 1, static_cast<unsigned>(500 + m));
        run(ie, to);
        std::copy(to.begin(), to.end(), &s.rele[static_cast<size_t>(3 * (ie - 1))]);
      }
      const Complexes expected = structure_factor_of(s, gvec);
      double worst = 0;
      for (size_t g = 0; g < rhok.size(); ++g) worst = std::max(worst, std::abs(rhok[g] - expected[g]));
      check_below(call, "structure factor off by", worst, 1e-11);  // of up to 13 charges, after 12 moves
    });
  }
}

BOOST_AUTO_TEST_CASE(origin_and_images_do_not_matter) {
  const Charges s = electrons(cell_of(sc, 6, 3), 6, 9);
  Charges moved = s;
  for (int64_t i = 0; i < 6; ++i)
    for (int d = 0; d < 3; ++d) moved.rele[3 * i + d] += 0.37 + static_cast<double>(i % 3 - 1) * s.cell[3 * d + d];
  each("qmc.ewald", [&](Call& call) { check_below(call, "total moves by", std::abs(total(call, s) - total(call, moved)), 1e-11); });
}

BOOST_AUTO_TEST_SUITE_END()
