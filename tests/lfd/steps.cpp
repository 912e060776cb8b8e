// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate: many steps in one call, whose launches a GPU may repeat as a whole (a graph), are as many calls of one step, which cannot.
#include "propagation.hpp"

using namespace lfd_test;

namespace {

struct Made {
  State state;
  Numbers dipole, current;
};

// One after another in the same arrays, without a new preparation in between: what was recorded in one call may serve the next.
Made in_calls(Call& call, const System& s, const State& start, const std::vector<Numbers>& drives, const Numbers& dt, bool current) {
  Made made{start, {}, {}};
  const auto steps = static_cast<int64_t>(drives[0].size() / 3);
  call.forget();
  call.choose("field", s.field);
  call.choose("functional", s.functional);
  call.choose("gauge", s.gauge);
  call.choose("mass_correction", s.mass_correction);
  call.choose("kinetic", s.kinetic);
  call.complexes("psi", start.psi, s.g.psi_extents());
  call.numbers("f", s.f, {s.g.norb});
  call.reals("vloc", s.vloc, s.g.extents());
  call.numbers("h", s.g.spacings(), {3});
  if (!s.k.empty()) call.numbers("k", s.k, {3, s.g.norb});
  call.reals("vH", start.vH, s.g.two_extents());
  call.count("field_steps", s.field_steps);
  if (s.nonlocal) s.nonlocal->set(call);
  call.reals("rho", Numbers(static_cast<size_t>(s.g.points()), 1e30), s.g.extents());
  call.numbers("dipole", Numbers(static_cast<size_t>(4 * steps), 1e30), {4, steps});
  if (current) call.numbers("current", Numbers(static_cast<size_t>(3 * steps), 1e30), {3, steps});
  for (size_t i = 0; i < drives.size(); ++i) {
    call.scalar("dt", dt[i]);
    call.numbers("drive", drives[i], {3, steps});
    call.run();
    const auto append = [](Numbers& to, const Numbers& more) { to.insert(to.end(), more.begin(), more.end()); };
    append(made.dipole, call.get_numbers("dipole"));
    if (current) append(made.current, call.get_numbers("current"));
  }
  made.state.psi = call.get_complexes("psi");
  made.state.vH = call.get_reals("vH");
  return made;
}

void check_steps(Call& call, const std::string& what, const System& s, const State& start, int64_t steps, bool current) {
  constexpr size_t calls = 3;
  const Numbers dt{0.02, 0.02, 0.013};
  std::vector<Numbers> many, single;
  Numbers dt_single;
  for (size_t i = 0; i < calls; ++i) {
    many.push_back(random_numbers(3 * steps, 60 + static_cast<unsigned>(i), -0.3, 0.3));
    for (int64_t n = 0; n < steps; ++n) {
      single.emplace_back(&many[i][3 * n], &many[i][3 * n] + 3);
      dt_single.push_back(dt[i]);
    }
  }
  const Made one = in_calls(call, s, start, many, dt, current), other = in_calls(call, s, start, single, dt_single, current);
  // The rounding of some dozen steps.
  const double tolerance = call.allow(1e-11, 2e-4);
  check_below(call, what + ": distance of psi", distance(one.state.psi, other.state.psi), tolerance);
  check_below(call, what + ": distance of vH", distance(one.state.vH, other.state.vH), tolerance);
  check_below(call, what + ": distance of dipoles", distance(one.dipole, other.dipole), tolerance);
  if (current) check_below(call, what + ": distance of currents", distance(one.current, other.current), tolerance);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(steps)

BOOST_AUTO_TEST_CASE(of_one_call_are_those_of_calls_of_one) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    const Grid g{{6, 4, 10}, {0.5, 0.6, 0.55}, 2};
    const Grid even{{6, 4, 4}, {0.5, 0.6, 0.55}, 2};
    for (const char* kinetic : {"differences", "fourier"})
      for (const char* gauge : {"length", "velocity"})
        for (const bool with_k : {false, true}) {
          System s;
          s.g = std::string(kinetic) == "fourier" ? g : even;
          s.f = {2.0, 0.7};
          s.vloc = random_numbers(s.g.points(), 61, -1, 1);
          s.kinetic = kinetic;
          s.gauge = gauge;
          if (with_k) s.k = random_numbers(6, 62, -0.5, 0.5);
          const State start{random_orbitals(s.g, 63), no_field(s.g)};
          const std::string what = std::string(kinetic) + ", " + gauge + (with_k ? ", k" : "");
          // The end of one step is the beginning of the next; with a current it is not.
          check_steps(call, what, s, start, 6, false);
          check_steps(call, what + ", current", s, start, 4, true);
          const Nonlocal V = some_nonlocal(s.g, {s.g.index(2, 1, 3), s.g.index(3, 2, 2)}, 1.1, 0.8);
          s.nonlocal = &V;
          check_steps(call, what + ", nonlocal", s, start, 4, true);
        }
  });
}

BOOST_AUTO_TEST_CASE(with_a_field_of_their_own) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    for (const char* field : {"loop", "fused", "closed", "spectral", "isolated"}) {
      System s;
      s.g = {{6, 4, 4}, {0.5, 0.6, 0.55}, 2};
      s.f = {2.0, 0.7};
      s.vloc = random_numbers(s.g.points(), 64, -1, 1);
      s.field = field;
      s.field_steps = 3;
      s.functional = "pw92";
      s.gauge = "velocity";
      const State start{random_orbitals(s.g, 65), no_field(s.g)};
      check_steps(call, field, s, start, 5, true);
    }
  });
}

// The moments of 1024 steps wait for their last sum.
BOOST_AUTO_TEST_CASE(beyond_a_thousand) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    System s;
    s.g = {{4, 1, 2}, {0.5, 0.6, 0.55}, 1};
    s.f = {2.0};
    s.vloc = random_numbers(s.g.points(), 66, -1, 1);
    const State start{random_orbitals(s.g, 67), no_field(s.g)};
    for (const bool current : {false, true}) {
      const Numbers drive = random_numbers(3 * 1100, 68, -0.3, 0.3);
      std::vector<Numbers> parts;
      for (size_t n = 0; n < drive.size(); n += 165) parts.emplace_back(&drive[n], &drive[n] + 165);
      const Made one = in_calls(call, s, start, {drive}, {0.02}, current),
                 other = in_calls(call, s, start, parts, Numbers(parts.size(), 0.02), current);
      check_below(call, "distance of dipoles", distance(one.dipole, other.dipole), call.allow(1e-10, 2e-3));
      if (current) check_below(call, "distance of currents", distance(one.current, other.current), call.allow(1e-10, 2e-3));
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
