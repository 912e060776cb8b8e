// SPDX-License-Identifier: BSD-3-Clause
// Exact energies of plane-wave determinants in the Ewald convention.
#include <cmath>

#include <boost/test/unit_test.hpp>

#include <vmc/hartree_fock.hpp>

using namespace suite::vmc;

namespace {

// Parts for each electron at r_s = 1, summed independently (numpy) to ten digits.
struct Row {
  Lattice lattice;
  int up, down;
  double kinetic, exchange, madelung;
};

constexpr Row published[] = {
    {Lattice::sc, 7, 7, 1.1209128678, -0.1492302009, -0.3651483380},
    {Lattice::sc, 19, 19, 1.0611642022, -0.2327738022, -0.2617685544},
    {Lattice::sc, 27, 27, 1.0634200001, -0.2613407233, -0.2328345474},
    {Lattice::sc, 33, 33, 1.0993990921, -0.2640076273, -0.2177696543},
    {Lattice::sc, 57, 57, 1.1223399841, -0.2885778254, -0.1815001785},
    {Lattice::sc, 93, 93, 1.0979600391, -0.3176768024, -0.1541727759},
    {Lattice::sc, 123, 123, 1.1137184382, -0.3268126340, -0.1404538466},
    {Lattice::sc, 257, 257, 1.1000095476, -0.3556337908, -0.1098645633},
    {Lattice::fcc, 9, 9, 1.1704451584, -0.1582177378, -0.3418397623},
    {Lattice::fcc, 15, 15, 0.9991556513, -0.2227941766, -0.2883188218},
    {Lattice::fcc, 27, 27, 1.1253826845, -0.2444337855, -0.2370184532},
    {Lattice::fcc, 51, 51, 1.1047242307, -0.2832061891, -0.1917402793},
    {Lattice::fcc, 59, 59, 1.0704207696, -0.2981842707, -0.1826498881},
    {Lattice::fcc, 89, 89, 1.1303803100, -0.3056785700, -0.1592600125},
    {Lattice::fcc, 113, 113, 1.1044290465, -0.3216733139, -0.1470767190},
    {Lattice::fcc, 259, 259, 1.1044070209, -0.3529501558, -0.1115501502},
    {Lattice::fcc, 339, 339, 1.1006236154, -0.3631136230, -0.1019773013},
    {Lattice::bcc, 13, 13, 1.0066295192, -0.2095800887, -0.3024237788},
    {Lattice::bcc, 19, 19, 1.0695864926, -0.2322903168, -0.2664889380},
    {Lattice::bcc, 43, 43, 1.0966914981, -0.2756824359, -0.2029742294},
    {Lattice::bcc, 55, 55, 1.0914872809, -0.2912918892, -0.1869861716},
    {Lattice::bcc, 141, 141, 1.0985961047, -0.3319648770, -0.1366230623},
    {Lattice::bcc, 369, 369, 1.1014441522, -0.3653551087, -0.0991413734},
    {Lattice::sc, 7, 0, 1.7793382654, -0.1880182714, -0.4600580774},
    {Lattice::sc, 19, 0, 1.6844931709, -0.2932766133, -0.3298077119},
    {Lattice::sc, 27, 0, 1.6880740268, -0.3292686785, -0.2933531474},
    {Lattice::sc, 57, 0, 1.7816036714, -0.3635852767, -0.2286758954},
    {Lattice::fcc, 113, 0, 1.7531718303, -0.4052829793, -0.1853050543},
    {Lattice::fcc, 387, 0, 1.7601930896, -0.4592094452, -0.1229352488},
};

constexpr double digits = 1e-9;

}  // namespace

BOOST_AUTO_TEST_CASE(closed_shells_have_their_exact_energies) {
  for (const Row& row : published)
    for (const double rs : {1.0, 5.0}) {
      const System system = make_system(rs, row.lattice, {}, row.up, row.down);
      const HartreeFock e = hartree_fock(system);
      const auto n = static_cast<double>(system.netot());
      BOOST_TEST_CONTEXT(name_of(row.lattice) << " " << row.up << " + " << row.down << ", rs " << rs) {
        BOOST_TEST(std::abs(e.kinetic / n * rs * rs - row.kinetic) <= digits);
        BOOST_TEST(std::abs(e.exchange / n * rs - row.exchange) <= digits);
        BOOST_TEST(std::abs(e.madelung / n * rs - row.madelung) <= digits);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_lattice_given_by_its_vectors_is_the_same_one) {
  const System fcc = make_system(2, Lattice::fcc, {}, 27, 15);
  const System same = make_system(2, Lattice::given, {1, 1, 0, 1, 0, -1, 0, 1, -1}, 27, 15);
  BOOST_TEST(std::abs(hartree_fock(fcc).total() - hartree_fock(same).total()) <= 1e-10);
}
