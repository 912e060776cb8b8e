// SPDX-License-Identifier: BSD-3-Clause
// The flops that costs state against arithmetic written out with a number that counts, within 10 %, with and
// without each optional argument: for one point, pair of points or sphere, times how many there are. Counted
// is the best way known, not what the reference does.
#include "../common/costs.hpp"

#include <functional.hpp>

using namespace suite::test;

namespace {

constexpr double points = 12 * 8 * 10, norb = 7;
const std::string grid = "Nx=12,Ny=8,Nz=10,Norb=7";

struct CountedMath {
  static Counted root(Counted x) { return sqrt(x); }
  static Counted cube_root(Counted x) { return Counted::done(std::cbrt(x.value), 20); }
  static Counted logarithm(Counted x) { return log(x); }
  static Counted logarithm_1p(Counted x) { return Counted::done(std::log1p(x.value), 20); }
};
template <suite::lfd::Functional functional> double vxc_flops() {
  return flops_of([] { (void)suite::lfd::exchange_correlation<functional, Counted, CountedMath>(0.01); });
}

// a += i t e b, b += i t e* a, and the constant ep of each where it stands alone.
double pair_flops(bool phases, bool constant) {
  return flops_of([=] {
    CountedComplex a{1, 2}, b{3, 4};
    const CountedComplex te{0.1, 0.2};
    const Counted t = 0.1;
    const CountedComplex from_b = phases ? te * b : CountedComplex{t * b.im, t * b.re},
                         from_a = phases ? te * a : CountedComplex{t * a.im, t * a.re};
    a = a + from_b;
    b = b + from_a;
    if (constant) (void)(te * a), (void)(te * b);
  });
}
double phase_flops() {
  return flops_of([] { (void)(CountedComplex{1, 2} * CountedComplex{3, 4}); });
}
double density_flops() {
  return flops_of([] {
    Counted rho, re = 1, im = 2, f = 2;
    rho += f * (re * re + im * im);
  });
}

// One atom and orbital: c = B^T psi with a real B, what is done with c, B c added to psi. The phases
// e^{i(A+k).(r-R)} are those of a row times those along z where every orbital has its own.
struct Sphere {
  int points, nproj;
};
CountedComplex phased(CountedComplex x, bool phases, bool of_orbital) {
  if (!phases) return x;
  const CountedComplex z{0.8, 0.6}, row{0.6, 0.8};
  return (of_orbital ? row * z : z) * x;
}
double projections_flops(const Sphere& s, bool phases, bool of_orbital, bool moments = false) {
  return flops_of([=] {
    for (int p = 0; p < s.points; ++p) {
      const CountedComplex x = phased({1, 2}, phases, of_orbital);
      for (int kind = 0; kind < (moments ? 4 : 1); ++kind)  // beta (r - R)_d is the same for all orbitals
        for (int j = 0; j < s.nproj; ++j) {
          CountedComplex c;
          c = c + CountedComplex{Counted(0.1) * x.re, Counted(0.1) * x.im};
        }
    }
  });
}
double addition_flops(const Sphere& s, bool phases) {
  return flops_of([=] {
    for (int j = 0; j < s.nproj; ++j) {
      CountedComplex c;
      for (int l = 0; l < s.nproj; ++l) c = c + CountedComplex{0.1, 0.2} * CountedComplex{1, 2};
    }
    for (int p = 0; p < s.points; ++p) {
      CountedComplex sum{Counted(0.1) * 1.0, Counted(0.1) * 2.0}, psi;
      for (int j = 1; j < s.nproj; ++j) sum = sum + CountedComplex{Counted(0.1) * 1.0, Counted(0.1) * 2.0};
      psi = psi + phased(sum, phases, false);
    }
  });
}
// Sum D_ij Re c_i* m_j.
double expectation_flops(int nproj) {
  return flops_of([=] {
    Counted sum;
    for (int i = 0; i < nproj; ++i) {
      CountedComplex Dm;
      for (int j = 0; j < nproj; ++j) Dm = Dm + CountedComplex{Counted(0.1) * 1.0, Counted(0.1) * 2.0};
      sum += Counted(1) * Dm.re + Counted(2) * Dm.im;
    }
  });
}
// A transform by butterflies of N/2 log2 N, half of it for real numbers.
double transform_flops() {
  const double butterfly = flops_of([] {
    const CountedComplex a{1, 2}, b = CountedComplex{3, 4} * CountedComplex{0.6, 0.8};
    (void)(a + b), (void)(a - b);
  });
  return 0.5 * points / 2 * std::log2(points) * butterfly;
}
// One point of the wave equation; c holds kappa/h^2, the source is made once.
double field_step_flops(bool damped) {
  return flops_of([=] {
    Counted u, v = 1, w = 1, c = 0.1, source = 2;
    u = v * c;
    for (int d = 0; d < 3; ++d) u += (v + v) * c;
    u += source;
    w = damped ? w * c : w;
    w += u;
    v += w;
  });
}
constexpr double source_flops = 3;  // the mean, its subtraction, 4 pi kappa
// d = v - 4 pi rho/lambda and the power of steps, and back.
double closed_flops() {
  return flops_of([] {
    Counted v = 1, w = 2, rho = 3, c = 0.1;
    const Counted rest = c * rho, d = v - rest;
    v = c * d + c * w + rest;
    w = c * d + c * w;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(costs)

BOOST_AUTO_TEST_CASE(propagators) {
  states("lfd.kin_prop", grid, points / 2 * norb * pair_flops(false, true));
  for (const char* phases : {",k=1", ",A=1", ",k=1,A=1"}) states("lfd.kin_prop", grid + phases, points / 2 * norb * pair_flops(true, true));
  states("lfd.pot_prop", grid, points * norb * phase_flops());
  states("lfd.set_prop", grid, points * flops_of([] { (void)exp(Counted(1) * Counted(2)); }));
  states("lfd.periodic_bc", grid, 0);
}

BOOST_AUTO_TEST_CASE(densities_and_potentials) {
  states("lfd.compute_rho", grid, points * norb * density_flops());
  for (const char* exc : {",exc=0", ",exc=1"}) states("lfd.compute_vxc", grid + exc, points * vxc_flops<suite::lfd::Functional::pw92>());
  states("lfd.compute_vxc", grid, points * vxc_flops<suite::lfd::Functional::pz81>());
  for (const bool vxc : {false, true})
    for (const bool E : {false, true})
      states("lfd.compute_v", grid + (vxc ? ",vxc=1" : ",vxc=0") + (E ? ",E=1" : ""), points * flops_of([=] {
                                                                                        Counted v = Counted(1) + Counted(2);
                                                                                        if (vxc) v += 3;
                                                                                        if (E)
                                                                                          v += Counted(1) +
                                                                                               Counted(2);  // of a row and along z
                                                                                      }));
}

BOOST_AUTO_TEST_CASE(fields) {
  for (const bool damped : {false, true}) {
    const std::string gamma = damped ? ",gamma=0.3" : "";
    for (const int steps : {1, 2, 5})
      states("lfd.field_prop", grid + gamma + ",field_steps=" + std::to_string(steps),
             points * (steps * field_step_flops(damped) + source_flops));
    states("lfd.field_prop", grid + gamma + ",field_steps=300", 5 * transform_flops() + points * closed_flops());
  }
  states("lfd.field_prop", grid + ",field_steps=300,kappa=0.5", 5 * transform_flops() + points * closed_flops());
  states("lfd.spectral_field_solve", grid, 2 * transform_flops() + points * flops_of([] { (void)(Counted(1) * Counted(2)); }));
}

BOOST_AUTO_TEST_CASE(nonlocal_pseudopotentials) {
  for (const int nproj : {2, 5, 8}) {
    const Sphere s{57, nproj};
    const std::string size = grid + ",nonlocal=1,natom=3,nsphere=57,nproj=" + std::to_string(nproj);
    for (const auto& [keys, phases, of_orbital] : {std::tuple{"", false, false}, {",A=1", true, false}, {",k=1", true, true}}) {
      const double there = projections_flops(s, phases, of_orbital), back = addition_flops(s, phases);
      states("lfd.nlp_prop", size + keys, 3 * norb * (there + back));
    }
  }
}

BOOST_AUTO_TEST_CASE(energies) {
  for (const bool phases : {false, true})
    for (const bool nonlocal : {false, true}) {
      const double bond = flops_of([=] {
        Counted sum;
        const CountedComplex next{1, 2}, d = (phases ? CountedComplex{0.6, 0.8} * next : next) - next;
        sum += d.re * d.re + d.im * d.im;
        // The rotation and 1/(2 h^2) of a direction stand outside the sum.
      });
      const Sphere s{57, 5};
      const double projectors = nonlocal ? 2 * (projections_flops(s, phases, phases) + expectation_flops(s.nproj)) : 0;
      states("lfd.calc_energy", grid + (phases ? ",k=1" : "") + (nonlocal ? ",nonlocal=1" : ",nonlocal=0"),
             norb * (points * 3 * bond + projectors) + points * (vxc_flops<suite::lfd::Functional::pw92>() + 3 * flops_of([] {
                                                                                                               Counted sum;
                                                                                                               sum +=
                                                                                                                   Counted(1) * Counted(2);
                                                                                                             })));
    }
}

// Lines to waves by butterflies of four points, of N/4 log4 N; then |psi_q|^2 times a number of the wave.
double waves_flops() {
  const double butterfly = flops_of([] {
    CountedComplex x[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    const CountedComplex w{0.6, 0.8}, a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
    (void)(a + c), (void)(w * (a - c)), (void)(w * (b + d)), (void)(w * (b - d));  // i d is d with its parts exchanged
  });
  return points * norb * butterfly / 4 * (std::log2(12.0) + std::log2(8.0) + std::log2(10.0)) / 2;
}
double squares_flops() {
  return 3 * points * norb * flops_of([] {
           Counted sum, re = 1, im = 2;
           sum += Counted(0.1) * (re * re + im * im);
         });
}
BOOST_AUTO_TEST_CASE(plane_waves) {
  const std::pair<const char*, const char*> choice{"kinetic", "fourier"};
  const double of_field = points * (vxc_flops<suite::lfd::Functional::pw92>() + 4 + flops_of([] { (void)exp(Counted(1) * Counted(2)); }));
  const double at_ends = points * norb * (phase_flops() + density_flops()) + of_field;
  const double field = points * (2 * field_step_flops(false) + source_flops + 3);
  for (const int steps : {1, 10})
    for (const bool current : {false, true})
      states("lfd.propagate", grid + ",field_steps=2,nsteps=" + std::to_string(steps) + (current ? ",current=1" : ""),
             steps * (2 * waves_flops() + 3 * points * norb * phase_flops() + field +
                      (current ? waves_flops() + squares_flops() + points * norb * phase_flops() : 0)) +
                 (steps + 1) * at_ends,
             choice);
  const double fields = points * (vxc_flops<suite::lfd::Functional::pw92>() + 6);
  states("lfd.calc_energy", grid + ",nonlocal=0", waves_flops() + squares_flops() + fields, choice);
}

// A step: three parts along each direction, one phase for the end of the step before and the beginning of
// this one, the density, the pseudopotential twice, the field, v and its phase, the dipole. The first step
// needs density, v and phase of the beginning too. In the gauge of cells no phase stands on a bond inside.
BOOST_AUTO_TEST_CASE(whole_steps) {
  const double kinetic = points / 2 * norb * 9 * pair_flops(false, false);
  const double at_ends = points * norb * (phase_flops() + density_flops()) +
                         points * (vxc_flops<suite::lfd::Functional::pw92>() + 4 + flops_of([] { (void)exp(Counted(1) * Counted(2)); }));
  const double dipole = points * flops_of([] {  // x and y by rows
                          Counted n, z;
                          n += 1;
                          z += Counted(1) * Counted(2);
                        });
  const Sphere s{57, 5};
  const double projectors = 2 * norb * (projections_flops(s, false, false) + addition_flops(s, false));
  const double bonds = 3 * points * norb * flops_of([] {
                         Counted sum;
                         sum += Counted(1) * Counted(2) - Counted(3) * Counted(4);
                       });
  for (const int steps : {1, 10})
    for (const bool nonlocal : {false, true})
      for (const bool current : {false, true}) {
        const double of_current =
            current ? bonds + points * norb * phase_flops() +
                          (nonlocal ? 2 * norb * (projections_flops(s, false, false, true) + 3 * expectation_flops(s.nproj)) : 0)
                    : 0;
        const double field = points * (2 * field_step_flops(false) + source_flops);
        const double counted = steps * (kinetic + (nonlocal ? 2 * projectors : 0) + field + dipole + of_current) + (steps + 1) * at_ends;
        for (const char* k : {"", ",k=1"})
          states(
              "lfd.propagate",
              grid + ",field_steps=2,nsteps=" + std::to_string(steps) + (nonlocal ? ",nonlocal=1" : "") + (current ? ",current=1" : "") + k,
              counted);
      }
}

// Pairs of neighbours with real weights, i times their differences where there are A or k, and the point itself.
double stencil_flops(int axes, int radius, bool real, bool moving) {
  return flops_of([=] {
    Counted sum[2], slope[2];
    const Counted x = 1, y = 2, weight = 0.5, v = 0.25;
    const Counted center = v + weight;
    for (int part = 0; part < (real ? 1 : 2); ++part) {
      sum[part] = center * x;
      for (int m = 0; m < axes * radius; ++m) {
        sum[part] += weight * (x + y);
        if (moving) slope[part] += weight * (x - y);
      }
    }
    if (moving) sum[0] -= slope[1], sum[1] += slope[0];
  });
}
BOOST_AUTO_TEST_CASE(hamiltonians) {
  const Sphere s{57, 5};
  const double small = norb * 2 * flops_of([] {  // D c of each atom
                         Counted sum;
                         for (int i = 0; i < 25; ++i) sum += Counted(1) * Counted(2), sum += Counted(1) * Counted(2);
                       });
  const double atoms = 2 * norb * (projections_flops(s, false, false) + 4 * s.points * s.nproj) + small;
  const std::pair<const char*, int> orders[] = {{"second", 1}, {"fourth", 2}, {"sixth", 3}, {"eighth", 4}};
  for (const auto& [name, radius] : orders)
    for (const bool moving : {false, true})
      for (const char* layout : {"", ",slow=1", ",real=1"}) {
        const bool real = std::string(layout) == ",real=1";
        if (real && moving) continue;
        states("lfd.hpsi", grid + layout + (moving ? ",k=1" : ""), points * norb * stencil_flops(3, radius, real, moving),
               {"differences", name});
      }
  states("lfd.hpsi", "Nx=12,Ny=8,Nz=1,Norb=7,nonlocal=1", points / 10 * norb * stencil_flops(2, 4, false, false) + atoms);
}

BOOST_AUTO_TEST_SUITE_END()
