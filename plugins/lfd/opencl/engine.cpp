// SPDX-License-Identifier: BSD-3-Clause
#include "engine.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "sources.hpp"

namespace suite::lfd::cl {

std::string define(const char* name, int64_t value) {
  return std::string(" -D") + name + "=" + std::to_string(value);
}

Engine::Engine(const suite_backend* backend_, suite_queue* queue_, Knobs knobs, const char* name)
    : backend(backend_), queue(queue_), device(backend_, queue_), knobs_(knobs), name_(name) {
  if (device.doubles == 0) throw Failure(SUITE_UNSUPPORTED, device.name + " has no double precision");
  if (knobs.vector != 0 && !std::has_single_bit(static_cast<uint64_t>(knobs.vector)))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "vector is " + std::to_string(knobs.vector) + "; it may be 0, 1, 2, 4, 8 or 16");
}

int Engine::vector() const {
  if (knobs_.vector > 0) return static_cast<int>(knobs_.vector);
  if (!device.is_processor) return 1;
  return static_cast<int>(std::min(16u, std::bit_floor(device.doubles) * (single_ ? 2u : 1u)));
}

int Engine::local(int most) const {
  const int64_t wanted = knobs_.local > 0 ? knobs_.local : device.is_processor ? 1 : most;
  return static_cast<int>(std::min<int64_t>({wanted, most, static_cast<int64_t>(device.most_items)}));
}

bool Engine::coarse() const { return device.is_processor && local(256) == 1; }

opencl::Range Engine::shares(int64_t n, int64_t least) const {
  if (coarse()) {
    const int64_t most = std::min<int64_t>(16 * device.units, n / std::max<int64_t>(least, 1));
    return {{static_cast<size_t>(std::max<int64_t>(n > 0, most)), 1, 1}, {1, 1, 1}};
  }
  const auto group = static_cast<int64_t>(local(256));
  const int64_t groups = std::min<int64_t>(ceil_div(n, group), 1 << 16);
  return {{static_cast<size_t>(groups * group), 1, 1}, {static_cast<size_t>(group), 1, 1}};
}

opencl::Range Engine::orbital_shares(int64_t vectors, int64_t n) const {
  if (coarse()) {
    const opencl::Range range = shares(n);
    return {{static_cast<size_t>(vectors > 0), range.global[0], 1}, {1, 1, 1}};
  }
  const auto group = static_cast<int64_t>(local(256));
  return {{static_cast<size_t>(ceil_div(vectors, group) * group),
           static_cast<size_t>(std::min<int64_t>(n, 1 << 15)), 1},
          {static_cast<size_t>(group), 1, 1}};
}

const opencl::Kernel& Engine::kernel(const char* source, const char* name, const std::string& more) {
  const Key key{source, define("SINGLE", single_) + define("VW", vector()) + more};
  auto& kernels = kernels_[key];
  if (const auto found = kernels.find(name); found != kernels.end()) return found->second;
  auto program = programs_.find(key);
  if (program == programs_.end())
    program = programs_
                  .emplace(key, opencl::build_program(device, std::string(common_cl) + source,
                                                      "-cl-std=CL1.2 -cl-mad-enable" + key.second, name_))
                  .first;
  return kernels.emplace(name, opencl::make_kernel(program->second, name)).first->second;
}

void Engine::upload(opencl::Scratch& to, const std::vector<double>& values) const {
  if (single_)
    to.upload(std::vector<float>(values.begin(), values.end()));
  else
    to.upload(values);
}

std::vector<double> Engine::read(const suite_array& array, const char* name) const {
  if (!array.data) return {};
  return opencl::read_back<double>(backend, queue, array, name);
}

Counts::Counts(const Grid& g) {
  constexpr int64_t most = std::numeric_limits<cl_int>::max() / 16;
  if (g.points() > most || g.norb > most)
    throw Failure(SUITE_UNSUPPORTED,
                  "psi has " + std::to_string(g.points()) + " points and " + std::to_string(g.norb) +
                      " orbitals; the OpenCL kernels count up to " + std::to_string(most) + " of each");
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

void Tables::set(const Grid& grid, const suite_array* k, const suite_array* f, const Three& A,
                 const double* length, const double* scale, int slot) {
  const auto padded = static_cast<size_t>(engine_.padded(grid.norb));
  const cl_mem waves = waves_.at_least(3 * padded * sizeof(double)),
               bonds = bonds_.at_least(slots * 6 * padded * engine_.real_bytes());
  const cl_mem f_double = f_double_.at_least(padded * sizeof(double)),
               f_real = f_real_.at_least(padded * engine_.real_bytes());
  const bool has_k = k && k->data, has_f = f && f->data;
  engine_.run(orbitals_cl, "tables", define("BLOCKS", 0), engine_.shares(static_cast<int64_t>(padded)),
              has_k ? opencl::memory_of(*k) : waves, has_f ? opencl::memory_of(*f) : waves, waves, bonds,
              cl_int(slot), f_double, f_real, static_cast<cl_int>(grid.norb), cl_int(has_k), cl_int(has_f),
              A.x[0], A.x[1], A.x[2], length[0], length[1], length[2], scale[0], scale[1], scale[2]);
}

}  // namespace suite::lfd::cl
