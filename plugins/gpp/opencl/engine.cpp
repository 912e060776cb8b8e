// SPDX-License-Identifier: BSD-3-Clause
// What both kernels of this plugin do on the host: the device's shape, compiled programs, the list of columns
// and a look at w.
#include <algorithm>

#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {
Engine::Engine(const suite_backend* b, suite_queue* q, const Choices& choices_, const char* name)
    : opencl::Engine(b, q, {choices_.vector, choices_.local}, name, common_cl),
      choices(choices_),
      igp_of_column(b, q, "the list of columns"),
      row_of_column(b, q, "the list of columns"),
      v_of_column(b, q, "the list of columns"),
      partial(b, q, "the partial sums of gpp.sigma"),
      bands(b, q, "the sums by bands of gpp.sigma"),
      found(b, q, "the search for complex poles") {
  set_single(choices.mixed);
}

int Engine::local(int most) const {
  const int wanted = choices.local > 0 ? choices.local : device.is_processor ? 1 : most;
  return std::min(wanted, static_cast<int>(std::min<size_t>(device.most_items, 4096)));
}

const opencl::Kernel& Engine::kernel(const char* source, const char* name, const std::string& options) {
  return opencl::Engine::kernel(source == sums_cl ? "" : common_cl, source, name, options);
}

void list_columns(Engine& engine, const Screening& call) {
  const auto igp = engine.fetch<int32_t>(call.indigp.array(), "indigp");
  const auto vcoul = engine.read(call.vcoul.array(), "vcoul");
  std::vector<cl_int> column, row;
  std::vector<double> v;
  for (const Column& owned : owned_columns(call.indigp ? igp.data() : nullptr, call.ngpown(), call.ncouls())) {
    column.push_back(static_cast<cl_int>(owned.igp));
    row.push_back(static_cast<cl_int>(owned.g));
    v.push_back(vcoul[static_cast<size_t>(owned.g)]);
  }
  engine.ncolumns = static_cast<cl_int>(column.size());
  const auto upload = [](auto& values, auto& listed, opencl::Scratch& to) {
    if (!values.empty() && values == listed) return;
    to.upload(values);
    listed = std::move(values);
  };
  upload(column, engine.igp_listed, engine.igp_of_column);
  upload(row, engine.row_listed, engine.row_of_column);
  upload(v, engine.v_listed, engine.v_of_column);
}

Poles look_at_poles(Engine& engine, const Screening& call) {
  const size_t items = engine.device.is_processor ? 64 : 16384;
  const cl_mem memory = engine.found.at_least(items * 2 * sizeof(double));
  const auto local = static_cast<size_t>(engine.local(64));
  const auto& kernel = engine.kernel(sums_cl, "look_at_poles", define("LOCAL", static_cast<int64_t>(local)));
  opencl::launch(engine.device, kernel, "look_at_poles", {{items, 1, 1}, {1, 1, 1}}, memory_of(call.wtilde_array), memory,
                 static_cast<cl_ulong>(call.ncouls() * call.ngpown()), largest_w);
  suite_array array{};
  array.data = memory;
  array.rank = 1;
  array.extent[0] = static_cast<int64_t>(2 * items);
  const auto values = opencl::read_back<double>(engine.backend, engine.queue, array, "the search for complex poles");
  Poles poles{true, largest_w};
  for (size_t i = 0; i < items; ++i) {
    poles.real = poles.real && values[2 * i] == 1;
    poles.lowest = std::min(poles.lowest, values[2 * i + 1]);
  }
  return poles;
}

}  // namespace suite::gpp
