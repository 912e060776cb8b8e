// SPDX-License-Identifier: BSD-3-Clause
#include "potential.hpp"

namespace suite::lfd {

template <class T> void LocalPotential<T>::start(const PropagateCall<T>& call, int threads) {
  using Form = typename FieldSolver<T>::Form;
  v_.at_least(call.grid.points());
  switch (call.choices.field) {
    case Field::frozen: return;
    case Field::loop:
    case Field::fused: solver_.set(call.grid, call.field, Form::stepwise); break;
    case Field::closed: solver_.set(call.grid, call.field, Form::at_once); break;
    case Field::spectral:
    case Field::isolated:
    case Field::continuum: solver_.set(call.grid, call.field, Form::solution); solver_.set_solution(*solution_of(call.choices.field));
  }
  solver_.make_room(threads);
}

template <class T> void LocalPotential<T>::set(const PropagateCall<T>& call, const Team& team) {
  T* const v = v_.data();
  const int64_t points = call.grid.points(), begin = team.begin(points), end = team.end(points);
  exchange_correlation_of<T>(call.choices.functional, call.rho, v, nullptr, begin, end);
#pragma omp simd
  for (int64_t p = begin; p < end; ++p) v[p] = call.vloc[p] + call.vH[p] + v[p];
  team.wait();
}

template <class T> void LocalPotential<T>::first(const PropagateCall<T>& call, const Team& team) {
  if (call.choices.field == Field::closed) solver_.load_waves(team, call.vH);
  set(call, team);
}

// Field steps with many barriers are one thread's work on small grids.
template <class T> void LocalPotential<T>::field(const PropagateCall<T>& call, const Team& team) {
  const bool stepwise = call.choices.field == Field::loop || call.choices.field == Field::fused;
  if (stepwise && team.size() > 1 && call.grid.points() < FieldSolver<T>::points_for_a_team)
    return team.once([&] { field(call, Team::alone()); });
  switch (call.choices.field) {
    case Field::frozen: return;
    case Field::loop: return solver_.loop(team, call.vH, call.rho);
    case Field::fused: return solver_.fused(team, call.vH, call.rho);
    case Field::closed: return solver_.closed_waves(team, call.vH, call.rho);
    case Field::spectral:
    case Field::isolated:
    case Field::continuum: return solver_.solve(team, call.vH, call.rho);
  }
}

template <class T> void LocalPotential<T>::advance(const PropagateCall<T>& call, const Team& team) {
  field(call, team);
  set(call, team);
}

template <class T> void LocalPotential<T>::loop_joined(const PropagateCall<T>& call, int threads) {
  const auto joined = [&](auto&& piece) {
#pragma omp parallel num_threads(threads)
    piece(Team::all());
  };
  joined([&](const Team& team) { solver_.loop_begin(team, call.vH, call.rho); });
  for (int64_t step = 0; step < solver_.steps(); ++step) {
    joined([&](const Team& team) {
      for (int d = 0; d < 3; ++d) solver_.loop_ghosts(team, d);
    });
    joined([&](const Team& team) { solver_.loop_change(team); });
    joined([&](const Team& team) { solver_.loop_add(team); });
  }
  joined([&](const Team& team) { solver_.loop_end(team, call.vH); });
  set(call, Team::alone());
}

template <class T> void LocalPotential<T>::loop_together(const PropagateCall<T>& call, int threads) {
#pragma omp parallel num_threads(threads)
  {
    const Team team = Team::all();
    solver_.loop(team, call.vH, call.rho);
    set(call, team);
  }
}

template <class T> void LocalPotential<T>::finish(const PropagateCall<T>& call, const Team& team) {
  T* const w = call.vH + call.grid.points();
  const int64_t points = call.grid.points();
  if (call.choices.field == Field::closed) solver_.finish_waves(team, w);
  if (solution_of(call.choices.field)) std::fill(w + team.begin(points), w + team.end(points), T(0));
  team.wait();
}

template class LocalPotential<float>;
template class LocalPotential<double>;

}  // namespace suite::lfd
