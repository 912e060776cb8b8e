// SPDX-License-Identifier: BSD-3-Clause
#include "engine.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "texts.hpp"

namespace suite::qmc::cl {

Engine::Engine(const suite_backend* b, suite_queue* q, Knobs knobs, const char* name)
    : opencl::Engine(b, q, knobs, name, std::string(opencl::vectors_text) + text::common) {}

int Engine::lanes(int64_t least) const {
  return static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(vector()), std::bit_floor(static_cast<uint64_t>(least))));
}

int Engine::local_of_moves() const {
  const bool is_pocl =
      opencl::device_info<std::string>(device.id, CL_DEVICE_VERSION, "CL_DEVICE_VERSION").find("PoCL") != std::string::npos;
  return is_pocl && device.is_processor ? 1 : local();
}

cl_int as_int(int64_t n) {
  if (n > std::numeric_limits<cl_int>::max())
    throw Failure(SUITE_UNSUPPORTED, "a call has " + text_of(n) + " rows of work; the OpenCL kernels support " + "up to " +
                                         text_of(int64_t{std::numeric_limits<cl_int>::max()}));
  return static_cast<cl_int>(n);
}

void Cell::set(const suite_array& cell, bool any) {
  lattice_ = lattice_of(engine_.fetch<double>(cell, "cell").data());
  open_ = false;
  if (any) lattice_.images.kind = LatticeKind::general;
  upload();
}
void Cell::set_or_open(const suite_array& cell) {
  if (cell.data) return set(cell);
  lattice_ = Lattice{};
  open_ = true;
  upload();
}

void Cell::upload() {
  const ImageRule& rule = lattice_.images;
  const bool cubic = rule.kind != LatticeKind::general;
  std::vector<double> numbers;
  const auto put = [&](const double* x, size_t n, double factor = 1) {
    for (size_t i = 0; i < n; ++i) numbers.push_back(x[i] * factor);
  };
  double into[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, back[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; cubic && i < 3; ++i)
    for (int d = 0; d < 3; ++d) {
      const double axis = rule.aligned ? i == d : rule.axes[i][d];
      into[3 * i + d] = axis * rule.inverse_edge;
      back[3 * d + i] = axis * rule.edge;
    }
  put(into, 9);
  put(back, 9);
  numbers.push_back(cubic ? rule.edge : 1);
  put(&rule.inverse[0][0], 9);
  put(&rule.basis[0][0], 9);
  put(&rule.bound[0][0], 21);
  put(rule.inverse_square, 7);
  put(&lattice_.b[0][0], 9, 0.15915494309189535);
  put(&lattice_.b[0][0], 9);
  put(&lattice_.a[0][0], 9);
  numbers_.upload(numbers);
}

cl_mem Framed::set(Cell& cell, const Layout& layout, cl_mem positions, int64_t nwalker) {
  return multiply(cell, 0, layout, positions, nwalker);
}
cl_mem Framed::set_fractions(Cell& cell, const Layout& layout, cl_mem positions, int64_t nwalker) {
  return multiply(cell, 65, layout, positions, nwalker);
}
cl_mem Framed::multiply(Cell& cell, cl_int matrix, const Layout& layout, cl_mem positions, int64_t nwalker) {
  const cl_mem memory = memory_.at_least(static_cast<size_t>(3 * layout.size() * nwalker) * sizeof(double));
  engine_.start(text::geometry, "into_frame", define("KIND", 0), nwalker, 1, engine_.local(), positions, cell.numbers(), matrix, memory,
                as_int(layout.n), as_int(layout.first), as_int(layout.begin(1)), as_int(layout.size()), as_int(nwalker));
  return memory;
}

cl_mem Complaints::clear(int64_t nwalker) {
  zeros_.assign(static_cast<size_t>(2 * nwalker), 0.0);
  return last_ = memory_.upload(zeros_);
}

std::vector<double> Complaints::read() const {
  suite_array array{};
  array.data = last_;
  array.rank = 1;
  array.extent[0] = static_cast<int64_t>(zeros_.size());
  return engine_.fetch<double>(array, "the errors found");
}

}  // namespace suite::qmc::cl
