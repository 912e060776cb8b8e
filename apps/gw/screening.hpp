// SPDX-License-Identifier: BSD-3-Clause
// What one q brings to the self-energy: the Coulomb interaction, and the screening in plasmon-pole form.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "base/app.hpp"
#include "coulomb.hpp"
#include "kernel_source.hpp"
#include "plan.hpp"
#include "small_q_mean.hpp"
#include "slice.hpp"
#include "truncation.hpp"

namespace suite::gw {

// v(q+G) in the mode of the settings, Ry bohr^3.
class Coulomb {
public:
  // fft_grid: that of the charge density, for an interaction that is cut off.
  Coulomb(const Settings& settings, const Crystal& crystal, const Miller& grid, const std::vector<Operation>& operations,
          const Miller& fft_grid = {1, 1, 1});
  double v(const Vector3& q, const Miller& g) const;
  std::vector<double> v(const Vector3& q, const std::vector<Miller>& g) const;
  double one_over_q(const Vector3& q) const;  // <8 pi/|q|>, Ry bohr^2
  bool truncated() const { return truncated_.has_value(); }
  // The (eps^-1)_00 that makes W its mean over the cell of q = 0. Without a truncation: of what has no gap.
  std::complex<double> averaged_head(const SmallQ& at) const;
  // v is averaged over mini-cells, and the wings of eps^-1 have to follow. Without a gap eps^-1 v is smooth, and v is averaged at q+G = 0 alone.
  bool averaged() const { return mode_ != CoulombMode::none && kind_ == ScreeningKind::semiconductor; }
  // W at q = 0 is not averaged: nothing diverges there.
  bool of_molecule() const { return truncation_ == Truncation::box; }
  Wings wings() const { return wings_; }
  ScreeningKind kind() const { return kind_; }
  // Of a metal that is cut off, v(q) is taken as finite as W is.
  bool at_small_q() const { return kind_ == ScreeningKind::metal && truncated(); }
  // Not averaged.
  double plain(const Vector3& q) const;
  double slab_limit(const Vector3& q) const;  // of plain() for small q
  static bool takes_random_points(const Settings& settings);
  // Of the small q every image counts alike (small_q_mean.hpp), unless nothing is averaged; BerkeleyGW has its direction alone.
  static bool takes_mean_at_zero(const Settings& settings) {
    return settings.wings == Wings::symmetric && settings.coulomb != CoulombMode::none && settings.truncation != Truncation::box;
  }

private:
  TruncatedCoulomb::Head truncated_head(const SmallQ& at) const;
  ScreeningKind kind_;
  CoulombMode mode_;
  Wings wings_;
  Truncation truncation_;
  Miller grid_;
  Matrix3 bdot_;
  std::vector<Operation> operations_;
  CoulombAverage average_;
  std::optional<TruncatedCoulomb> truncated_;
  std::unique_ptr<CoulombFile> file_;
  std::unique_ptr<RandomPoints> random_;
  double head_ = 0;
};

struct Screening {
  Vector3 q{};
  bool at_zero = false;
  int ncouls = 0;
  std::vector<Miller> g;  // the sphere of the bare interaction; the first ncouls are those of eps^-1
  std::vector<double> vcoul;  // v(q+G) / (number of q, cell volume), Ry
  std::vector<int32_t> indigp;  // the columns of this rank, from 1; 0: one of padding, where it has none
  Numbers I_eps;  // (ncouls, columns), G fastest; in the plan's flavour
  std::vector<std::complex<double>> wtilde;  // the same, eV
  // Contour deformation: delta - eps^-1 as I_eps at each frequency of the files, those on the imaginary axis in the plan's flavour, the others complex.
  std::vector<Numbers> at_frequencies;
  // Several poles: real and imaginary parts of W and of R (multipole_fit.hpp), eV, each for all G; then by pole, then by column.
  std::vector<double> multipoles;
  size_t poles_of_pair = 0;
  PoleCount poles;
  // For the exact static CH: sum over the pairs G - G' = difference of I(G,G') vcoul(G'), G' of this rank.
  std::vector<Miller> difference;
  std::vector<std::complex<double>> pair_sum;

  int ngpown() const { return static_cast<int>(indigp.size()); }
};

// Makes the screening of one q after the other, by gw.screening.
class Screenings {
public:
  Screenings(const Plan& plan, KernelSource& source, Slice slice = {});
  // The same for another thread: with a kernel of its own.
  Screenings(const Screenings& first, KernelSource& source);
  // Of irreducible q number `iq`, or of its image `point` where that is given.
  Screening make(int iq, const FullGrid::Point* point = nullptr);
  // As the plan wants that of a point of the full grid.
  Screening make(const FullGrid::Point& point) { return make(point.irreducible, plan_.screening_by_image ? &point : nullptr); }
  // The row of gw.screening in result.json.
  const app::Row& record() const { return timed_.record(); }

private:
  Screenings(const Plan& plan, KernelSource& source, Slice slice, std::shared_ptr<const Coulomb> coulomb,
             std::shared_ptr<const SmallQMean> at_zero);
  // At q = 0 of a metal that is cut off v is that of the images of the small q.
  std::vector<double> v_of_images(const std::vector<Miller>& g) const;
  std::vector<double> v(const Vector3& q, const std::vector<Miller>& g) const;
  // inverse, imaginary: the columns of this rank, in the plan's flavour.
  void run(Screening& screening, const double* inverse, const double* imaginary);
  void verify(const Screening& screening, const double* inverse, const double* imaginary);

  const Plan& plan_;
  Slice slice_;
  std::shared_ptr<const Coulomb> coulomb_;
  std::shared_ptr<const SmallQMean> at_zero_;  // none: the matrix of the small q as it is
  Numbers rho_;
  app::TimedKernel timed_;
};

// The call of gw.screening for one q, where Sigma has no kernel of its own.
app::App::Sample sample_of_screening(const Settings& settings);

inline constexpr double static_limit = 1e12;  // of wtilde, eV

// All G with |q+G|^2 < cutoff.
std::vector<Miller> sphere(const Matrix3& bdot, const Vector3& q, double cutoff);

}  // namespace suite::gw
