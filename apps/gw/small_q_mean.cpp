// SPDX-License-Identifier: BSD-3-Clause
#include "small_q_mean.hpp"

#include <algorithm>
#include <map>

namespace suite::gw {

using Complex = std::complex<double>;

SmallQMean::SmallQMean(const InverseDielectric& eps, const std::vector<Operation>& operations) : eps_(&eps), g_(eps.gvectors(0)) {
  const std::vector<Miller>& stored = eps.gvectors(0);
  std::map<Miller, int> place;
  for (size_t i = 0; i < stored.size(); ++i) place.emplace(stored[i], static_cast<int>(i));
  const Vector3& q0 = eps.small_q();
  std::vector<Vector3> star;
  for (const bool reversed : {false, true})
    for (const Operation& operation : operations) {
      // Of operations that take q0 to the same place one is enough: eps^-1 has the symmetry of those that keep it.
      const Vector3 moved = reversed ? -operation(q0) : operation(q0);
      if (std::ranges::any_of(star, [&](const Vector3& known) { return distance(known, moved) <= 1e-3 * distance(q0, {}); })) continue;
      star.push_back(moved);
      Image& image = images_.emplace_back(Image{reversed, {}, {}});
      for (const Miller& g : stored) {
        const Miller turned = operation(g), there = reversed ? -turned : turned;
        const auto [at, is_new] = place.emplace(there, static_cast<int>(g_.size()));
        if (is_new) g_.push_back(there);
        image.to.push_back(at->second);
        image.phase.push_back(std::polar(1.0, operation.phase(turned)));
      }
    }
  if (eps.truncation() != Truncation::none) v_ = eps.truncated_v(0);
  else
    for (const Miller& g : stored) v_.push_back(1 / length2(eps.crystal().bdot, eps.small_q() + g));
  for (double& v : v_)
    if (!(v > 0)) v = 1;
}

std::vector<Complex> SmallQMean::columns(int frequency, int64_t first, int64_t count) const {
  constexpr int64_t block = 64;
  const auto n = static_cast<int64_t>(v_.size()), all = static_cast<int64_t>(g_.size());
  // On the imaginary axis eps^-1 is Hermitian in its symmetric form, and time reversal conjugates; elsewhere it exchanges G and G'.
  const bool hermitian = static_cast<size_t>(frequency) < eps_->on_imaginary_axis();
  const double share = 1 / static_cast<double>(images_.size());
  std::vector<Complex> mean(static_cast<size_t>(all * count));
  // delta, of which each image that has the diagonal element takes its share away: what is added is eps^-1 - delta.
  for (int64_t j = first; j < first + count; ++j) mean[static_cast<size_t>((j - first) * all + j)] = 1;
  for (int64_t from = 0; from < n; from += block) {
    const int64_t here = std::min(block, n - from);
    std::vector<Complex> read = eps_->columns(0, frequency, from, here);
    for (int64_t j = 0; j < here; ++j) read[static_cast<size_t>(j * n + from + j)] -= 1;
    for (const Image& image : images_) {
      const auto add = [&](int64_t row, int64_t column, const Complex& value) {
        if (column >= first && column < first + count) mean[static_cast<size_t>((column - first) * all + row)] += share * value;
      };
      for (int64_t j = 0; j < here; ++j) {
        const auto jj = static_cast<size_t>(from + j);
        const int64_t to_j = image.to[jj];
        if ((!image.reversed || hermitian) && (to_j < first || to_j >= first + count)) continue;
        const Complex phase = std::conj(image.phase[jj]);
        for (int64_t i = 0; i < n; ++i) {
          const auto ii = static_cast<size_t>(i);
          const Complex turned = product(product(read[static_cast<size_t>(j * n + i)], image.phase[ii]), phase);
          const int64_t to_i = image.to[ii];
          if (!image.reversed) add(to_i, to_j, turned);
          else if (hermitian) add(to_i, to_j, std::conj(turned));
          else add(to_j, to_i, turned * (v_[jj] / v_[ii]));  // v(G)^1/2 v(G')^-1/2 before and after
        }
      }
    }
  }
  return mean;
}

}  // namespace suite::gw
