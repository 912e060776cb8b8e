// SPDX-License-Identifier: BSD-3-Clause
#include "engine.hpp"

#include <limits>

#include "sources.hpp"

namespace suite::lfd::cl {

Engine::Engine(const suite_backend* b, suite_queue* q, Knobs knobs, const char* name)
    : opencl::Engine(b, q, knobs, name, std::string(opencl::vectors_text) + common_cl) {}

Counts::Counts(const Grid& g) {
  constexpr int64_t most = std::numeric_limits<cl_int>::max() / 16;
  if (g.points() > most || g.norb > most)
    throw Failure(SUITE_UNSUPPORTED,
                  concat("psi has ", g.points(), " points and ", g.norb, " orbitals; the OpenCL kernels count up to ", most, " of each"));
  nx = static_cast<cl_int>(g.n[0]);
  ny = static_cast<cl_int>(g.n[1]);
  nz = static_cast<cl_int>(g.n[2]);
  norb = static_cast<cl_int>(g.norb);
  points = static_cast<cl_int>(g.points());
}

Tables::Tables(Engine& engine)
    : engine_(engine),
      waves_(engine.backend, engine.queue, "A+k of the orbitals"),
      bonds_(engine.backend, engine.queue, "the phases of bonds"),
      f_double_(engine.backend, engine.queue, "the occupations"),
      f_real_(engine.backend, engine.queue, "the occupations") {}

void Tables::set(const Grid& grid, cl_mem k, cl_mem f, const Three& A, const double* length, const double* scale, int slot) {
  const auto padded = static_cast<size_t>(engine_.padded(grid.norb));
  const cl_mem waves = waves_.at_least(3 * padded * sizeof(double)), bonds = bonds_.at_least(slots * 6 * padded * engine_.real_bytes());
  const cl_mem f_double = f_double_.at_least(padded * sizeof(double)), f_real = f_real_.at_least(padded * engine_.real_bytes());
  engine_.run(orbitals_cl, "tables", define("BLOCKS", 0), engine_.shares(static_cast<int64_t>(padded)), k ? k : waves, f ? f : waves, waves,
              bonds, cl_int(slot), f_double, f_real, static_cast<cl_int>(grid.norb), cl_int(k != nullptr), cl_int(f != nullptr), A.x[0],
              A.x[1], A.x[2], length[0], length[1], length[2], scale[0], scale[1], scale[2]);
}

}  // namespace suite::lfd::cl
