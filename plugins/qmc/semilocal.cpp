// SPDX-License-Identifier: BSD-3-Clause
#include "semilocal.hpp"

#include <numeric>

namespace suite::qmc {
namespace {

constexpr int least_power = -2, most_power = 8;

void check_range(const char* name, const std::vector<int32_t>& values, int32_t least, int32_t most, const std::string& rule) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] < least || values[i] > most) refuse(element(name, i) + " is " + text_of(int64_t{values[i]}) + "; " + rule);
}

}  // namespace

Semilocal semilocal_of(SemilocalArguments a, const Lattice* lattice) {
  const auto nset = static_cast<int32_t>(a.cutoff.size());
  const std::string sets = "the sets are 1 to " + text_of(int64_t{nset});
  for (size_t s = 0; s < a.cutoff.size(); ++s) {
    if (!(a.cutoff[s] > 0)) refuse(element("cutoff", s) + " is " + text_of(a.cutoff[s]) + " bohr; it must be positive");
    if (lattice && !(a.cutoff[s] <= lattice->inscribed_radius * (1 + 1e-9)))
      refuse(element("cutoff", s) + " is " + text_of(a.cutoff[s]) +
             " bohr; it must be at most the inscribed radius of the Wigner-Seitz cell, " + text_of(lattice->inscribed_radius));
  }
  check_range("set_of_ion", a.set_of_ion, 0, nset, sets + ", and 0 is none");
  check_range("term_set", a.term_set, 1, nset, sets);
  check_range("term_l", a.term_l, 0, l_channels - 1, "l must be from 0 to " + text_of(int64_t{l_channels - 1}));
  check_range("power", a.power, least_power, most_power,
              "it must be from " + text_of(int64_t{least_power}) + " to " + text_of(int64_t{most_power}));
  for (size_t t = 0; t < a.exponent.size(); ++t)
    if (!(a.exponent[t] > 0)) refuse(element("exponent", t) + " is " + text_of(a.exponent[t]) + " bohr^-2; it must be positive");

  Semilocal p;
  p.cutoff = std::move(a.cutoff);
  p.set_of_ion = std::move(a.set_of_ion);
  for (int32_t& set : p.set_of_ion) --set;
  p.largest_l.assign(static_cast<size_t>(nset), -1);
  std::vector<size_t> order(a.term_l.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto channel = [&](size_t t) { return l_channels * (a.term_set[t] - 1) + a.term_l[t]; };
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return channel(x) < channel(y); });
  p.first.assign(static_cast<size_t>(l_channels * nset + 1), 0);
  for (const size_t t : order) {
    ++p.first[static_cast<size_t>(channel(t) + 1)];
    int32_t& largest = p.largest_l[static_cast<size_t>(a.term_set[t] - 1)];
    largest = std::max(largest, a.term_l[t]);
    p.power.push_back(a.power[t]);
    p.exponent.push_back(a.exponent[t]);
    p.coefficient.push_back(a.coefficient[t]);
  }
  std::partial_sum(p.first.begin(), p.first.end(), p.first.begin());
  return p;
}

QuadratureCall check_pseudopotential(const Pseudopotential& c) {
  QuadratureCall call;
  call.one = c.ie.is_set();
  call.turns = all_or_none({{"seed", c.seed.is_set()}, {"sweep", c.sweep.is_set()}, {"stream", bool(c.stream)}},
                           "turned rules need all of seed, sweep and stream");
  for (const auto& [name, set] : {Together{"energy", bool(c.energy)}, Together{"negative", bool(c.negative)}})
    if (set && !c.ratio) refuse(std::string(name) + " is set but ratio is not; it is computed from it");
  const int64_t wanted = call.one ? 1 : c.netot();
  if (c.nelectron() != wanted)
    refuse("nelectron is " + text_of(c.nelectron()) + " in weight; " +
           (call.one ? "with ie set it must be 1" : "with ie unset it must be netot, " + text_of(wanted)));
  if (!call.one) return call;
  call.which = c.ie - 1;
  if (call.which < 0 || call.which >= c.netot())
    refuse("ie is " + text_of(call.which + 1) + "; the electrons are 1 to " + text_of(c.netot()));
  return call;
}

void check_pairs(int64_t pairs, int64_t mpair, int64_t electron, int64_t walker) {
  if (pairs > mpair)
    refuse("electron " + text_of(electron + 1) + " of walker " + text_of(walker + 1) + " is within the cutoffs of " + text_of(pairs) +
           " ions, but mpair is " + text_of(mpair));
}

}  // namespace suite::qmc
