// SPDX-License-Identifier: BSD-3-Clause
// Bands as lanes of vectors. In the real flavour a lane holds two bands, c_1 + i c_2: everything is linear in
// the internal bands and their matrix elements are real, so that M_1 + i M_2 comes out.
#pragma once

#include "lines.hpp"

namespace suite::gw {

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// `lanes` columns of coefficients, npw numbers (or pairs) each.
class Panel {
public:
  // data: (npw,nbands) of one spinor component.
  Panel(const double* data, bool real, int64_t npw, int64_t nbands, int64_t panel)
      : data_(data), real_(real), npw_(npw), nbands_(nbands), first_(panel * lanes * (real ? 2 : 1)) {}
  static int64_t count(bool real, int64_t nbands) { return ceil_div(nbands, lanes * (real ? 2 : 1)); }

  Z load(int64_t index) const {
    double re[lanes] = {}, im[lanes] = {};
    for (int l = 0; l < lanes; ++l) {
      const int64_t band = first_ + (real_ ? 2 * l : l);
      if (band >= nbands_) break;
      const double* const at = data_ + (band * npw_ + index) * (real_ ? 1 : 2);
      re[l] = at[0];
      im[l] = real_ ? band + 1 < nbands_ ? at[npw_] : 0 : at[1];
    }
    return {cpu::load(re), cpu::load(im)};
  }

private:
  const double* data_;
  bool real_;
  int64_t npw_, nbands_, first_;
};

// Where the elements of a panel of internal bands go.
class Elements {
public:
  Elements(const Mtxel& c, bool conjugate)
      : aqs_(static_cast<double*>(c.aqs.array().data)),
        phase_(static_cast<const double*>(c.phase.array().data)),
        real_(c.is_real()),
        conjugate_(conjugate),
        ncouls_(c.ncouls()),
        ntband_(c.ntband()) {}

  void store(int64_t ig, int64_t panel, int64_t n, Z z) const {
    if (real_) return store_real(ig, panel, n, z);
    if (conjugate_) z.im = -z.im;
    if (phase_) z = times(z, phase_[2 * ig], phase_[2 * ig + 1]);
    const int64_t first = panel * lanes, some = std::min<int64_t>(lanes, ntband_ - first);
    double* to = aqs_ + 2 * ((n * ntband_ + first) * ncouls_ + ig);
    for (int64_t l = 0; l < some; ++l, to += 2 * ncouls_) {
      to[0] = z.re[l];
      to[1] = z.im[l];
    }
  }

private:
  void store_real(int64_t ig, int64_t panel, int64_t n, Z z) const {
    if (phase_) z = phase_[ig] * z;
    const int64_t first = panel * 2 * lanes, some = std::min<int64_t>(2 * lanes, ntband_ - first);
    double* to = aqs_ + (n * ntband_ + first) * ncouls_ + ig;
    for (int64_t l = 0; l < some; ++l, to += ncouls_) *to = l % 2 ? z.im[l / 2] : z.re[l / 2];
  }

  double* aqs_;
  const double* phase_;
  bool real_, conjugate_;
  int64_t ncouls_, ntband_;
};

}  // namespace suite::gw
