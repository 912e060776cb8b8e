// SPDX-License-Identifier: BSD-3-Clause
// The flops that costs state against arithmetic written out with a number that counts, within 10 %, with and
// without each optional argument: what one pair of a point and an atom, one component or one batch takes,
// times how many the generated call has. Counted is the best way known, not what the reference does.
#include "../common/costs.hpp"

#include <map>
#include <set>

#include <harmonics.hpp>

using namespace suite::test;

namespace dfpt_costs {

double number(int64_t n) { return static_cast<double>(n); }
const int32_t* integers(suite::Kernel& k, const char* name) { return static_cast<const int32_t*>(k.argument(name).data); }
const double* reals(suite::Kernel& k, const char* name) { return static_cast<const double*>(k.argument(name).data); }
double squared_distance(const double* a, const double* b) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

double product_flops() {
  return flops_of([] {
    Counted sum;
    sum += Counted(1) * Counted(2);
  });
}
double harmonics_flops(int l_max) {
  return flops_of([=] {
    suite::dfpt::with_l_max(l_max, [](auto l) {
      Counted Y[suite::dfpt::components(suite::dfpt::largest_l)];
      suite::dfpt::spherical_harmonics<decltype(l)::value>(Counted(0.6), Counted(0.8), Counted(0.0), Y);
    });
  });
}
// r^2 and, where it is close enough, 1/r and the direction.
Counted square(Counted (&d)[3]) {
  for (Counted& x : d) x = Counted(3) - Counted(1);
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}
double square_flops() {
  return flops_of([] {
    Counted d[3];
    square(d);
  });
}
double direction_flops() {
  return flops_of([] {
    const Counted inverse = inverse_sqrt(Counted(2));
    for (int d = 0; d < 3; ++d) (void)(Counted(1) * inverse);
  });
}
// x of the radius and what lies behind its knot.
double knot_flops(bool by_shells) {
  return flops_of([=] {
    const Counted r = Counted(2) * Counted(3);
    const Counted x = by_shells ? Counted(5) * sqrt(1.0 - exp(r * 0.3)) : Counted(5) * log(r * 0.3);
    (void)(x - 3.0);
  });
}
Counted cubic(Counted d) { return Counted(1) + d * (Counted(2) + d * (Counted(3) + d * Counted(4))); }

double basis_flops(suite::Kernel& k) {
  const int32_t *const points = integers(k, "batch_points"), *const list = integers(k, "batch_basis"),
                       *const functions = integers(k, "i_basis"), *const atom = integers(k, "basis_atom"),
                       *const fn = integers(k, "basis_fn");
  const double *const r = reals(k, "coords"), *const R = reals(k, "atom_coords"), *const outer = reals(k, "outer_radius");
  const int64_t n_basis = k.argument("basis_l").extent[0];
  std::vector<int> l_max(static_cast<size_t>(k.argument("species").extent[0]));
  for (int64_t i = 0; i < n_basis; ++i) l_max[atom[i] - 1] = std::max(l_max[atom[i] - 1], integers(k, "basis_l")[i]);
  const double way = direction_flops() + knot_flops(false), value = flops_of([] { (void)(cubic(0.5) * Counted(1)); });
  double sum = 0;
  for (int64_t b = 0; b + 1 < k.argument("batch_points").extent[0]; ++b)
    for (int64_t p = points[b] - 1; p < points[b + 1] - 1; ++p) {
      int64_t last = -1;
      bool reached = false;
      double square = 0;
      for (int64_t i = list[b] - 1; i < list[b + 1] - 1; ++i) {
        const int64_t f = functions[i] - 1, a = atom[f] - 1;
        if (a != last) {
          last = a;
          reached = false;
          square = squared_distance(r + 3 * p, R + 3 * a);
          sum += square_flops();
        }
        if (square >= outer[fn[f] - 1] * outer[fn[f] - 1]) continue;
        sum += value + (reached ? 0 : way + harmonics_flops(l_max[atom[f] - 1]));
        reached = true;
      }
    }
  return sum;
}

// f(functions, points) of each batch, added up.
template <class F> double of_batches(suite::Kernel& k, F&& f) {
  const int32_t *const points = integers(k, "batch_points"), *const list = integers(k, "batch_basis");
  double sum = 0;
  for (int64_t b = 0; b + 1 < k.argument("batch_points").extent[0]; ++b) sum += f(list[b + 1] - list[b], number(points[b + 1] - points[b]));
  return sum;
}

// A spline in the knot's number, with pivots that all components share.
double spline_flops(int64_t knots) {
  return number(knots) * flops_of([] {
           const Counted a = 1, b = 2, c = 3, M = 4, inverse = 5;
           const Counted second = a - 2.0 * b + c, right = 6.0 * second - M * inverse;  // and down,
           const Counted here = (right - M) * inverse;                                  // and up
           (void)(b - a - (2.0 * here + M) / 6), (void)(here / 2), (void)((M - here) / 6);
         });
}
double poisson_flops(suite::Kernel& k) {
  const int64_t n_grid = k.argument("grid_shell").extent[0], n_knots = k.argument("knots").extent[0],
                n_lm = k.argument("moments").extent[0], n_atoms = k.argument("moments").extent[1], n_dir = k.argument("moments").extent[2];
  // Powers of r, weights of polynomials and fractions of knots are the same for many components.
  const double integrals = flops_of([] {
    for (int way = 0; way < 2; ++way) {
      const Counted g = Counted(1) * Counted(2);
      Counted sum;
      sum += 13.0 * (g + 1.0) - (g + 2.0);
      Counted v;
      v += Counted(3) * sum;
    }
  });
  const double on_knot = flops_of([] {
    Counted sum;
    for (int i = 0; i < 6; ++i) sum += Counted(1) * Counted(2);
  });
  double sum = 0;
  for (int64_t a = 0; a < n_atoms; ++a) {
    const int64_t s = integers(k, "species")[a] - 1, shells = integers(k, "radial_points")[s];
    double covered = 0;
    for (int64_t i = 0; i < n_grid; ++i) covered += reals(k, "grid_shell")[n_grid * s + i] <= number(shells);
    const double table = number(n_knots) * on_knot + spline_flops(n_knots);
    const bool density = k.argument("density_spl").data != nullptr;
    sum += number(n_lm * n_dir) *
           (spline_flops(shells + 2) + covered * flops_of([] { cubic(0.5); }) + number(n_grid) * integrals + (density ? 2 : 1) * table);
  }
  return sum;
}

double sum_up_flops(suite::Kernel& k) {
  const int64_t n_points = k.argument("coords").extent[1], n_atoms = k.argument("atom_coords").extent[1],
                n_lm = k.argument("moments").extent[0], n_dir = k.argument("potential").extent[1];
  const int l_max = static_cast<int>(std::lround(std::sqrt(number(n_lm)))) - 1;
  double near = 0;
  for (int64_t p = 0; p < n_points; ++p)
    for (int64_t a = 0; a < n_atoms; ++a) {
      const double radius = reals(k, "multipole_radius")[integers(k, "species")[a] - 1];
      near += squared_distance(reals(k, "coords") + 3 * p, reals(k, "atom_coords") + 3 * a) < radius * radius;
    }
  const double pairs = number(n_points * n_atoms);
  const double all = square_flops() + direction_flops() + harmonics_flops(l_max);
  // The sums of each l, then by powers of 1/r; splines in powers of what lies behind the knot.
  const double by_moments = number(n_dir) * (number(n_lm) + l_max + 1) * product_flops(),
               by_table = knot_flops(k.argument("grid_scale").data != nullptr) + number(n_dir * n_lm) * flops_of([] {
                                                                                   Counted sum;
                                                                                   sum += cubic(0.5) * Counted(1);
                                                                                 });
  return pairs * all + near * by_table + (pairs - near) * by_moments;
}

double response_flops(suite::Kernel& k) {
  const bool products = k.argument("HC1").data != nullptr;
  const double n = number(k.argument("C").extent[0]), states = number(k.argument("C").extent[1]), occupied = *integers(k, "n_occ"),
               empty = states - occupied, n_dir = number(k.argument(products ? "HC1" : "H1").extent[2]);
  double flops = products ? 0 : n * n * occupied * product_flops();
  flops += 2 * n * occupied * empty * product_flops();  // U and C1
  flops += occupied * empty * flops_of([] { (void)(Counted(1) * Counted(2)); });
  if (k.argument("density_matrix").data)  // one triangle of C1 C^T + C C1^T
    flops += occupied * n * (n + 1) / 2 * 2 * product_flops();
  return n_dir * flops + occupied * empty * flops_of([] { (void)(1.0 / (Counted(1) - Counted(2))); });
}

// Two plane waves of a line g_1, g_2 with g_3 and -g_3 have cosine and sine in common.
double reciprocal_flops(suite::Kernel& k) {
  const int64_t n_g = k.argument("g_weight").extent[0], n_atoms = k.argument("moments").extent[1], n_lm = k.argument("moments").extent[0],
                n_points = k.argument("potential").extent[0], n_dir = k.argument("potential").extent[1];
  std::map<std::pair<int, int>, std::set<int>> lines;
  for (int64_t g = 0; g < n_g; ++g) {
    const int32_t* const index = integers(k, "g_index") + 3 * g;
    const bool turned = index[0] < 0 || (index[0] == 0 && index[1] < 0);
    lines[{turned ? -index[0] : index[0], turned ? -index[1] : index[1]}].insert(std::abs(index[2]));
  }
  double pairs = 0;
  for (const auto& [line, waves] : lines) pairs += number(std::ssize(waves));
  const double of_pair = 4 * product_flops(), of_line = flops_of([] {
                                                Counted sum;
                                                sum += Counted(1) * Counted(2) - Counted(3) * Counted(4);
                                              });
  const double phase = flops_of([] {
    (void)(Counted(1) * Counted(2) - Counted(3) * Counted(4));
    (void)(Counted(1) * Counted(2) + Counted(3) * Counted(4));
  });
  const int l_max = static_cast<int>(std::lround(std::sqrt(number(n_lm)))) - 1;
  const double factors =
      direction_flops() + harmonics_flops(l_max) + number(n_atoms) * (phase + number(n_dir) * (number(n_lm) * product_flops() + phase + 2));
  return number(n_g) * factors +
         number(n_points) * (number(n_dir) * (pairs * of_pair + number(std::ssize(lines)) * of_line) + number(std::ssize(lines)) * phase);
}

}  // namespace dfpt_costs

using namespace dfpt_costs;

BOOST_AUTO_TEST_SUITE(costs)

BOOST_AUTO_TEST_CASE(functions) {
  for (const char* size : {"natoms=3", "natoms=12,nbatches=6", "natoms=12,nbatches=6,lbasis=2", "natoms=24,nbatches=3,lbasis=3"})
    states("dfpt.basis", size, basis_flops);
}

BOOST_AUTO_TEST_CASE(densities) {
  for (const char* size : {"natoms=3", "natoms=12,nbatches=8", "natoms=24,nbatches=8,lbasis=2"})
    for (const int dir : {1, 3}) {
      const std::string keys = size + std::string(",ndir=") + std::to_string(dir);
      states("dfpt.rho", keys, [&](suite::Kernel& k) {
        return of_batches(k, [&](double n, double points) {
          return points * dir * ((n * (n - 1) / 2 + n) * product_flops() + n * flops_of([] {
                                                                             Counted density;
                                                                             density += (2.0 * Counted(1)) * Counted(2);
                                                                           }));
        });
      });
      for (const bool first : {false, true})
        states("dfpt.rho", keys + ",nocc=5" + (first ? "" : ",first=0"), [&](suite::Kernel& k) {
          return of_batches(k, [&](double n, double points) { return points * 5 * (first ? 1 + dir : 1) * (n + 1) * product_flops(); });
        });
    }
}

BOOST_AUTO_TEST_CASE(matrices) {
  for (const char* size : {"natoms=3", "natoms=12,nbatches=8"})
    for (const int dir : {1, 3})
      for (const bool v : {false, true}) {
        const std::string keys = size + std::string(",ndir=") + std::to_string(dir) + (v ? "" : ",v=0");
        const auto matrix = [&](double n, double points, int sides) {
          return points * dir * (sides * n * (n + 1) / 2 * product_flops() + n + (v ? 1 : 0));
        };
        const auto product = [&](double n, double points) {  // psi is the same for all directions
          return points * 5 * (n * product_flops() + dir * (n * product_flops() + 1));
        };
        for (const int sides : {1, 2})
          states("dfpt.h", keys + (sides == 2 ? ",right=1" : ""),
                 [&](suite::Kernel& k) { return of_batches(k, [&](double n, double points) { return matrix(n, points, sides); }); });
        states("dfpt.h", keys + ",nocc=5,matrix=0",
               [&](suite::Kernel& k) { return of_batches(k, [&](double n, double points) { return product(n, points); }); });
        states("dfpt.h", keys + ",nocc=5", [&](suite::Kernel& k) {
          return of_batches(k, [&](double n, double points) { return matrix(n, points, 1) + product(n, points); });
        });
      }
}

BOOST_AUTO_TEST_CASE(multipoles) {
  for (const int l_max : {0, 2, 4, 6})
    for (const int dir : {1, 3})
      states("dfpt.multipoles", "natoms=3,ndir=" + std::to_string(dir) + ",lmax=" + std::to_string(l_max), [&](suite::Kernel& k) {
        const double n_lm = (l_max + 1) * (l_max + 1);
        return number(k.argument("point_atom").extent[0]) *
               (square_flops() + direction_flops() + harmonics_flops(l_max) + dir * (1 + n_lm * product_flops()));
      });
}

BOOST_AUTO_TEST_CASE(potentials) {
  for (const char* keys : {"", ",density=1", ",nknots=40,nlog=300", ",nknots=40,nlog=300,density=1"})
    states("dfpt.poisson", std::string("natoms=3") + keys, poisson_flops);
  for (const char* size : {"natoms=3,nbatches=4", "natoms=40,nbatches=4", "natoms=120,nbatches=2,points=60"})
    for (const char* keys : {"", ",lmax=6", ",ndir=1", ",knots=log", ",field=near", ",field=far"})
      states("dfpt.sum_up", std::string(size) + keys, sum_up_flops);
}

BOOST_AUTO_TEST_CASE(plane_waves) {
  for (const char* size : {"natoms=3,waves=4,coarse=4", "natoms=12,nbatches=3,waves=6", "natoms=5,nbatches=1,points=40,waves=9"})
    for (const char* keys : {"", ",ndir=1", ",lmax=0", ",lmax=6"}) states("dfpt.reciprocal", std::string(size) + keys, reciprocal_flops);
}

BOOST_AUTO_TEST_CASE(responses) {
  for (const char* size : {"natoms=3", "natoms=12", "natoms=12,nstates=30"})
    for (const char* keys : {"", ",C1=0", ",P1=0", ",matrix=0", ",matrix=0,P1=0", ",ndir=1"})
      states("dfpt.response", std::string(size) + keys, response_flops);
}

BOOST_AUTO_TEST_SUITE_END()
