// SPDX-License-Identifier: BSD-3-Clause
#include <iterator>

#include "base/structure/structure.hpp"
#include "settings.hpp"

namespace suite::tddft {
namespace {

// Conventional and abridged standard atomic weights of hydrogen to bismuth, IUPAC 2021; 0: no stable isotope.
constexpr double weights[] = {
    1.008,      4.002602,   6.94,       9.0121831,    10.81,     12.011,    14.007,    15.999,   18.998403162, 20.1797,    22.98976928,
    24.305,     26.9815384, 28.085,     30.973761998, 32.06,     35.45,     39.95,     39.0983,  40.078,       44.955907,  47.867,
    50.9415,    51.9961,    54.938043,  55.845,       58.933194, 58.6934,   63.546,    65.38,    69.723,       72.630,     74.921595,
    78.971,     79.904,     83.798,     85.4678,      87.62,     88.905838, 91.222,    92.90637, 95.95,        0,          101.07,
    102.90549,  106.42,     107.8682,   112.414,      114.818,   118.710,   121.760,   127.60,   126.90447,    131.293,    132.90545196,
    137.327,    138.90547,  140.116,    140.90766,    144.242,   0,         150.36,    151.964,  157.249,      158.925354, 162.500,
    164.930329, 167.259,    168.934219, 173.045,      174.9668,  178.486,   180.94788, 183.84,   186.207,      190.23,     192.217,
    195.084,    196.966570, 200.592,    204.38,       207.2,     208.98040};

}  // namespace

double standard_mass(std::string_view element) {
  for (size_t n = 0; n < std::size(weights); ++n)
    if (app::element_of_number(static_cast<long>(n) + 1) == element) return weights[n];
  return 0;
}

}  // namespace suite::tddft
