// SPDX-License-Identifier: BSD-3-Clause
// What both kernels of this plugin do on the host: the device's shape, compiled programs, the list of columns
// and a look at w.
#include <algorithm>

#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {
namespace {

template <class T>
std::vector<T> read_back(const Engine& engine, const suite_array* arguments, int which) {
  return opencl::read_back<T>(engine.backend, engine.queue, arguments[which], Sigma::arguments[which].name);
}

}  // namespace

Engine::Engine(const suite_backend* b, suite_queue* q, const Choices& choices_, const char* name)
    : opencl::Engine(b, q, {choices_.vector, choices_.local}, name, common_cl),
      choices(choices_),
      igp_of_column(b, q, "the list of columns"),
      row_of_column(b, q, "the list of columns"),
      v_of_column(b, q, "the list of columns"),
      partial(b, q, "the partial sums of gpp.sigma"),
      bands(b, q, "the sums by bands of gpp.sigma") {
  set_single(choices.mixed);
}

int Engine::local(int most) const {
  const int wanted = choices.local > 0 ? choices.local : device.is_processor ? 1 : most;
  return std::min(wanted, static_cast<int>(std::min<size_t>(device.most_items, 4096)));
}

const opencl::Kernel& Engine::kernel(const char* source, const char* name, const std::string& options) {
  return opencl::Engine::kernel(source == sums_cl ? "" : common_cl, source, name, options);
}

void list_columns(Engine& engine, const suite_array* arguments) {
  auto igp = read_back<int32_t>(engine, arguments, Sigma::indigp);
  const auto vcoul = read_back<double>(engine, arguments, Sigma::vcoul);
  suite_array host[Sigma::indigp + 1];
  std::copy_n(arguments, std::size(host), host);
  host[Sigma::indigp].data = igp.data();
  check_columns(host);
  std::vector<cl_int> column, row;
  std::vector<double> v;
  for (size_t i = 0; i < igp.size(); ++i) {
    if (igp[i] == 0) continue;
    column.push_back(static_cast<cl_int>(i));
    row.push_back(igp[i] - 1);
    v.push_back(vcoul[static_cast<size_t>(igp[i] - 1)]);
  }
  engine.ncolumns = static_cast<cl_int>(column.size());
  engine.igp_of_column.upload(column);
  engine.row_of_column.upload(row);
  engine.v_of_column.upload(v);
}

Poles look_at_poles(Engine& engine, cl_mem wtilde, int64_t count) {
  const size_t items = engine.device.is_processor ? 64 : 16384;
  opencl::Scratch found(engine.backend, engine.queue, "the search for complex poles");
  const cl_mem memory = found.at_least(items * 2 * sizeof(double));
  const auto local = static_cast<size_t>(engine.local(64));
  const auto& kernel = engine.kernel(sums_cl, "look_at_poles", define("LOCAL", static_cast<int64_t>(local)));
  opencl::launch(engine.device, kernel, "look_at_poles", {{items, 1, 1}, {1, 1, 1}}, wtilde, memory,
                 static_cast<cl_ulong>(count), largest_w);
  suite_array array{};
  array.data = memory;
  array.rank = 1;
  array.extent[0] = static_cast<int64_t>(2 * items);
  const auto values =
      opencl::read_back<double>(engine.backend, engine.queue, array, "the search for complex poles");
  Poles poles{true, largest_w};
  for (size_t i = 0; i < items; ++i) {
    poles.real = poles.real && values[2 * i] == 1;
    poles.lowest = std::min(poles.lowest, values[2 * i + 1]);
  }
  return poles;
}

}  // namespace suite::gpp
