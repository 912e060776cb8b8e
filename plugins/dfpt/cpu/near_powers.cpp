// SPDX-License-Identifier: BSD-3-Clause
#include "near_powers.hpp"

#include "paired_sums.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {

void NearPowers::prepare(const SumUpCall& call, const SumUp& arrays, const std::vector<NearList>& lists, bool paired) {
  paired_ = paired;
  n_knots_ = call.n_knots;
  place_.assign(at(arrays.n_tables() * n_knots_), -1);
  for (const NearList& list : lists) {
    auto run = list.runs.begin();
    for (const NearList::Atom& atom : list.atoms)
      for (const auto end = run + atom.runs; run != end; ++run)
        if (run->knot != run->far_away) place_[at(n_knots_ * (arrays.atom_table(atom.number) - 1) + run->knot)] = 0;
  }
  knots_.clear();
  for (int64_t i = 0; i < std::ssize(place_); ++i)
    if (place_[at(i)] == 0) {
      place_[at(i)] = static_cast<int32_t>(knots_.size());
      knots_.push_back(i);
    }
  size_ = rounded((4 * call.n_lm + 1) * call.n_dir + lanes, lanes);
}

void NearPowers::read(const SumUpCall& call, const SumUp& arrays, int64_t threads) {
  constexpr int64_t least = 256;  // knots for a thread
  const int64_t n = call.n_lm, next = 4 * n * std::ssize(place_), count = std::ssize(knots_);
  double* const powers = powers_.at_least(size_ * count);
  with_l_max(call.l_max, [&](auto l) {
    cpu::in_parallel(threads, count, least, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        double *const of_knot = powers + size_ * i, *to = of_knot;
        for (int64_t d = 0; d < call.n_dir; ++d) {
          const double* from = arrays.potential_spl.data() + next * d + 4 * n * knots_[at(i)];
          for (int k = 0; k < 4; ++k, from += n, to += n) to_powers<decltype(l)::value>(from, to);
        }
        for (int64_t d = 0; paired_ && d < call.n_dir; ++d) *to++ = prepare_pairs<decltype(l)::value>(of_knot + 4 * n * d);
      }
    });
  });
}

}  // namespace suite::dfpt
