// SPDX-License-Identifier: BSD-3-Clause
// The Hartree field: its wave equation step by step, all steps at once wave by wave, and the field of a
// density at once (lfd.hpp, ../spectrum.hpp). The work is a team's; what only prepares it is done by one
// thread before.
#pragma once

#include "isolated.hpp"

namespace suite::lfd {

template <class T> class FieldSolver {
public:
  enum class Form { stepwise, at_once, solution };
  void set(const Grid& grid, const FieldConstants& constants, Form form);

  // For teams of at most so many threads, which do not allocate; after set() and set_solution().
  void make_room(int threads) {
    periodic_.make_room(threads);
    isolated_.make_room(threads);
  }

  // field_steps steps of vH(Nz,Ny,Nx,2) with rho at rest.
  void loop(const Team& team, T* vH, const T* rho);
  void fused(const Team& team, T* vH, const T* rho);
  void closed(const Team& team, T* vH, const T* rho);

  // The same with v and w kept as waves from call to call: load() once, v after each call, w by finish().
  void load_waves(const Team& team, const T* vH);
  void closed_waves(const Team& team, T* v, const T* rho);
  void finish_waves(const Team& team, T* w);

  // After set_solution(), which needs set() for the grid alone.
  void set_solution(Laplacian laplacian);
  void solve(const Team& team, T* v, const T* rho);

  // The pieces of loop(), for the variants that put the team around each of them: ghosts and source, the two
  // loops of a step, and the result.
  void loop_begin(const Team& team, const T* vH, const T* rho);
  void loop_ghosts(const Team& team, int d);
  void loop_change(const Team& team);
  void loop_add(const Team& team);
  void loop_end(const Team& team, T* vH);
  int64_t steps() const { return constants_.steps; }
  // Below this many points a team would wait longer at its barriers than work between them.
  static constexpr int64_t points_for_a_team = int64_t{1} << 19;

private:
  void make_source(const Team& team, const T* rho, T* source);
  double sum(const Team& team, const T* rho, double less);
  void powers();
  template <class F> void each_wave_row(const Team& team, F&& f) const;

  Grid grid_;
  FieldConstants constants_;
  T along_[3] = {}, keep_ = 1;  // kappa/h^2, 1 - gamma
  std::vector<double> plane_sums_;
  Buffer<T> ghosted_;  // loop: v, w, u with ghosts; fused: two v, w, source
  Buffer<T> source_field_;
  Waves<T> periodic_;
  IsolatedField<T> isolated_;
  // For the wave numbers 0..N/2 of x and y and all waves of z: v' = vv v + vw w + vr rho, w' = wv v + ww w +
  // wr rho.
  struct Powers {
    std::vector<T> vv, vw, vr, wv, ww, wr;
  } powers_;
  bool powers_set_ = false;
  std::vector<T> inverse_;  // of the eigenvalues, times 4 pi, in the same order
  Laplacian laplacian_ = Laplacian::differences;
  Buffer<T> v_waves_, w_waves_, rho_waves_;
};

extern template class FieldSolver<float>;
extern template class FieldSolver<double>;

}  // namespace suite::lfd
