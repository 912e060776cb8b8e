// SPDX-License-Identifier: BSD-3-Clause
// The Ewald sums of a configuration: the short-range one over pairs in the lanes, the reciprocal one by
// structure factors. The range of the screening charge is such that, of many charges, only closest images are
// within reach.
#pragma once

#include "../ewald.hpp"
#include "frame.hpp"
#include "screened.hpp"
#include "wave_rows.hpp"

namespace suite::qmc {

// The range, as a multiple of V^(-1/3), that takes least time for so many charges: for their energies, or for
// npos positions of one of them.
double fastest_alpha(const Lattice& lattice, int64_t charges, double tolerance, int64_t npos = 0);

class Coulomb {
public:
  Coulomb() = default;
  Coulomb(const Lattice& lattice, const EwaldSums& sums);

  const EwaldSums& sums() const { return sums_; }
  const WaveList& waves() const { return waves_; }
  const ImageRule& rule() const { return rule_; }

  // sum_j q_j erfc(alpha r)/r over the images in reach, j from `first` on without `without`, and minus its
  // gradient; charges are padded with zeros.
  template <LatticeKind kind> double row(const Cloud& cloud, const double* charge, const double* at, int64_t first, int64_t without) const;
  struct Row {
    double value = 0, field[3] = {0, 0, 0};
  };
  template <LatticeKind kind> Row field_row(const Cloud& cloud, const double* charge, const double* at, int64_t without) const;

  // 1/2 sum_G w (|rho_G|^2 - sum q^2), with rho_G in memory of reciprocal_size(n) doubles afterwards.
  int64_t reciprocal_size(int64_t n) const { return 2 * waves_.count() + waves_.sum_size(n); }
  double reciprocal(const double* rele, const double* charge, int64_t n, double* memory) const;
  double reciprocal(const double* rho, const double* charge, int64_t n) const;  // from rho_G
  // What pairs add through the background and charges through their own images.
  double constants(const double* charge, int64_t n) const;
  // The short-range energy of rows begin .. end - 1 with what stands behind them.
  template <LatticeKind kind> double short_range_rows(const Cloud& cloud, const double* charge, int64_t begin, int64_t end) const {
    double total = 0;
    for (int64_t i = begin; i < end; ++i) {
      const double at[3] = {cloud.x[i], cloud.y[i], cloud.z[i]};
      total += charge[i] * row<kind>(cloud, charge, at, i + 1, -1);
    }
    return total;
  }

  // sum_G w cos(G.d), which is what a charge sees of rho's part of its own from d away. As v_E does not
  // depend on the range, from sums whose halves are equal: for a long list of G less than a tenth of its
  // time.
  int64_t own_size() const { return own_rows_.table_size(); }
  double own(const Lattice& lattice, const double* d, double* memory) const;
  void prepare_own(const Lattice& lattice, double tolerance);

private:
  EwaldSums own_sums_;
  WaveRows own_rows_;
  std::vector<double> own_images_;  // all but 0: x, y, z, each padded by what is out of reach

  EwaldSums sums_;
  WaveList waves_;
  ImageRule rule_;
  Frame frame_{ImageRule{}};
  std::vector<double> images_;  // in the frame, those in reach of a closest image
  Screened screened_;
};

template <LatticeKind kind>
double Coulomb::row(const Cloud& cloud, const double* charge, const double* at, int64_t first, int64_t without) const {
  const Closest<kind> closest(rule_);
  const int64_t end = cloud.count[0], images = static_cast<int64_t>(images_.size()) / 3;
  const Screened& screened = screened_;
  Vector value{};
  int64_t j = first / lanes * lanes;
  const auto to = [&](int64_t k) -> Three { return {at[0] - load(cloud.x + k), at[1] - load(cloud.y + k), at[2] - load(cloud.z + k)}; };
  const auto valid = [&](int64_t k) { return Screened::valid(k, first, end, without); };
  for (; images == 1 && j + lanes < end; j += 2 * lanes)
    screened.add<2>({closest.square(to(j)), closest.square(to(j + lanes))}, charge + j, {valid(j), valid(j + lanes)}, value);
  for (; j < end; j += lanes) {
    const Three v = closest(to(j));
    screened.add<1>({square_of(v)}, charge + j, {valid(j)}, value);
    for (int64_t m = 1; m < images; ++m)
      screened.add<1>({square_of({v.x - images_[3 * m], v.y - images_[3 * m + 1], v.z - images_[3 * m + 2]})}, charge + j, {valid(j)},
                      value);
  }
  return screened.total(value);
}

template <LatticeKind kind>
Coulomb::Row Coulomb::field_row(const Cloud& cloud, const double* charge, const double* at, int64_t without) const {
  const Closest<kind> closest(rule_);
  const double alpha = sums_.alpha, unit = frame_.unit, reach = sums_.r_cut;
  const int64_t end = cloud.count[0], images = static_cast<int64_t>(images_.size()) / 3;
  Vector value{}, fx{}, fy{}, fz{};
  for (int64_t j = 0; j < end; j += lanes) {
    const Mask place = lane_numbers() + j, valid = (place < end) & (place != without);
    const Vector q = load(charge + j);
    const Three d = closest({at[0] - load(cloud.x + j), at[1] - load(cloud.y + j), at[2] - load(cloud.z + j)});
    const auto add = [&](const Three& v) {
      const Vector distance = root(square_of(v)) * unit;
      const Mask inside = valid & (distance < reach);
      if (!any(inside)) return;
      const Vector r = inside ? distance : fill(0.5 * reach), weight = inside ? q : Vector{};
      const ShortRange s = short_range<true>(r, alpha);
      const Vector slope = weight * s.slope;
      value += weight * s.value;
      fx += slope * v.x;
      fy += slope * v.y;
      fz += slope * v.z;
    };
    add(d);
    for (int64_t m = 1; m < images; ++m) add({d.x - images_[3 * m], d.y - images_[3 * m + 1], d.z - images_[3 * m + 2]});
  }
  Row sums;
  sums.value = sum(value);
  const double f[3] = {sum(fx), sum(fy), sum(fz)};
  frame_.out_of(f, sums.field);
  return sums;
}

}  // namespace suite::qmc
