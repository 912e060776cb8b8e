// SPDX-License-Identifier: BSD-3-Clause
#include "lines.hpp"

#include <algorithm>
#include <cmath>

#include "sources.hpp"

namespace suite::lfd::cl {
namespace {

constexpr int64_t most_points = 1024;  // of a line, which a work-item holds twice

}  // namespace

Lines::Direction::Direction(Engine& e)
    : stages(e.backend, e.queue, "the stages of lines"),
      roots(e.backend, e.queue, "the roots of unity of lines"),
      waves(e.backend, e.queue, "the waves of lines"),
      phase(e.backend, e.queue, "the phases of waves"),
      turns(e.backend, e.queue, "the phases of points") {}

Lines::Lines(Engine& engine, bool blocks)
    : engine_(engine), blocks_(blocks), directions_{Direction(engine), Direction(engine), Direction(engine)} {}

void Lines::set(const Grid& grid) {
  const bool same =
      set_ && single_ == engine_.single() && std::equal(grid.n, grid.n + 3, grid_.n) && std::equal(grid.h, grid.h + 3, grid_.h);
  grid_ = grid;
  if (same) return;
  set_ = false;
  for (int d = 0; d < 3; ++d) {
    if (grid.n[d] > most_points)
      throw Failure(SUITE_UNSUPPORTED, concat("kinetic=fourier: the grid has ", grid.n[d],
                                              " points in a direction; the OpenCL kernels support ", most_points));
    const LinePlan plan(grid.n[d]);
    std::vector<int32_t> stages{0, 0};
    std::vector<double> roots, waves;
    for (const auto& [radix, length] : plan.stages) stages.insert(stages.end() - 2, {radix, length});
    for (int i = 0; i < plan.n; ++i) {
      const double angle = -2 * std::numbers::pi * i / plan.n;
      roots.insert(roots.end(), {std::cos(angle), std::sin(angle)});
      const LineWave wave = line_wave(plan.wave[i], plan.n, grid.h[d]);
      waves.insert(waves.end(), {wave.q, wave.slope});
    }
    Direction& to = directions_[d];
    to.count = static_cast<cl_int>(plan.stages.size());
    to.stages.upload(stages);
    engine_.upload(to.roots, roots);
    to.waves.upload(waves);
  }
  single_ = engine_.single();
  set_ = true;
}

// Room for a line in few sizes, as each is a program of its own.
std::string Lines::options() const {
  int64_t most = 64;
  while (most < std::max({grid_.n[0], grid_.n[1], grid_.n[2]})) most *= 4;
  return define("BLOCKS", blocks_) + define("MOST", most);
}

void Lines::set_step(double dt, cl_mem momenta, bool turns) {
  turns_ = turns;
  const auto padded = static_cast<size_t>(engine_.padded(grid_.norb));
  for (int d = 0; d < 3; ++d) {
    Direction& to = directions_[d];
    const size_t numbers = 2 * static_cast<size_t>(grid_.n[d]) * padded;
    engine_.run(lines_cl, "line_tables", options(), engine_.shares(static_cast<int64_t>(numbers / 2)), to.waves.at_least(0), momenta,
                to.phase.at_least(numbers * engine_.real_bytes()), to.turns.at_least(numbers * engine_.real_bytes()), dt, grid_.h[d],
                extent(d), cl_int(d), static_cast<cl_int>(grid_.norb));
  }
}

void Lines::propagate(cl_mem psi, cl_mem u) {
  const Counts n(grid_);
  bool waits = true;
  for (int d = 0; d < 3; ++d) {
    // One point has no waves, but the orbitals must have their phase in the end.
    if (grid_.n[d] == 1 && !(waits && d == 2)) continue;
    Direction& at = directions_[d];
    engine_.run(lines_cl, "propagate_lines", options(), engine_.orbital_shares(engine_.vectors(n.norb), n.points / grid_.n[d]), psi, u,
                at.stages.at_least(0), at.count, at.roots.at_least(0), at.phase.at_least(0), at.turns.at_least(0), cl_int(waits),
                cl_int(turns_), extent(d), cl_int(d), n.nx, n.ny, n.nz, n.norb);
    waits = false;
  }
}

void Lines::energies(cl_mem psi, cl_mem momenta, cl_mem partial) {
  const Counts n(grid_);
  for (int d = 0; d < 3; ++d) {
    Direction& at = directions_[d];
    engine_.run(lines_cl, "line_energies", options(), engine_.orbital_shares(engine_.vectors(n.norb), rows()), psi, at.stages.at_least(0),
                at.count, at.roots.at_least(0), at.waves.at_least(0), momenta, partial, rows(), cl_int(d == 0), extent(d), cl_int(d), n.nx,
                n.ny, n.nz, n.norb);
  }
}

void Lines::velocities(cl_mem psi, cl_mem momenta, cl_mem f, cl_mem partial) {
  const Counts n(grid_);
  for (int d = 0; d < 3; ++d) {
    Direction& at = directions_[d];
    engine_.run(lines_cl, "line_velocities", options(), engine_.orbital_shares(engine_.vectors(n.norb), rows()), psi, at.stages.at_least(0),
                at.count, at.roots.at_least(0), at.waves.at_least(0), momenta, at.turns.at_least(0), f, partial, rows(), cl_int(turns_),
                extent(d), cl_int(d), n.nx, n.ny, n.nz, n.norb);
  }
}

}  // namespace suite::lfd::cl
