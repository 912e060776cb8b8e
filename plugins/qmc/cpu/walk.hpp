// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of one walker: positions in the frame with the electron fastest, what each spin sees of the p term,
// and a window of delayed moves for each spin, from the first move to the last.
#pragma once

#include "../philox.hpp"
#include "inverse.hpp"
#include "trial.hpp"

namespace suite::qmc {

struct Outcome {
  int32_t accepted = 0;
  double diffused_accepted = 0, diffused = 0, logpsi = 0;
  int64_t refused = -1;  // the electron whose accepted move makes the matrix singular
  double refused_ratio = 0;
};

class OneWalker {
public:
  // Doubles of working memory.
  static int64_t size(const Trial& trial, const Electrons& electrons, int64_t delay) { return Sizes(trial, electrons, delay).total(); }
  OneWalker(const Trial& trial, const Electrons& electrons, int64_t delay, double* memory, double* rele, double* dbar_up, double* dbar_dn);
  Outcome go(const Walk& walk, int64_t stream);

private:
  // What the wavefunction is at a position of the electron that moves, relative to where it is.
  struct Place {
    double r[3], frame[3];
    double *k, *G;  // exp(i k.r), exp(i G.r): real parts, then imaginary ones
    double ratio = 1, jastrow = 0, drift[3] = {0, 0, 0};
  };
  // What moves share for one electron.
  struct Own {
    int spin;
    int64_t index, place;  // among its spin, in the cloud
  };

  struct Sizes {
    int64_t cloud, G, k, column, tables, work, capacity[2], window[2];
    Sizes(const Trial& trial, const Electrons& electrons, int64_t delay);
    int64_t total() const {  // and what borders of 64 bytes take
      return cloud + 10 * G + 4 * k + 2 * column + tables + work + window[0] + window[1] + 8 * 16;
    }
  };
  bool move(const Walk& walk, int64_t stream, int64_t sweep, int64_t i);
  void find_column(const Own& own);
  void values(const Own& own);
  void drift(const Walk& walk, const Own& own, Place& place);
  bool accept(int64_t i, const Own& own);

  const Trial& trial_;
  const Electrons electrons_;
  double *rele_ = nullptr, *dbar_[2] = {nullptr, nullptr};
  Cloud cloud_{};
  Window window_[2]{};
  double *seen_ = nullptr, *others_ = nullptr, *column_ = nullptr, *phi_ = nullptr, *tables_ = nullptr, *work_ = nullptr;
  Place here_{}, there_{};
  Outcome outcome_;
};

}  // namespace suite::qmc
