// SPDX-License-Identifier: BSD-3-Clause
// What both kernels of this plugin do on the host: the device's shape, compiled programs, the list of columns
// and a look at w.
#include <algorithm>
#include <utility>

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
  std::string before = source == sums_cl ? "" : common_cl;
  if (source == moments_cl) before += pole_series_cl;
  if (source == moments_cl || source == bands_cl) before += modes_cl;
  return opencl::Engine::kernel(before, source, name, options);
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

namespace {

// What each work-item of a kernel of sums.cl finds in w, so many numbers. more: arguments of the kernel.
template <class... More>
std::vector<double> look_at(Engine& engine, const Screening& call, const char* name, size_t numbers, const More&... more) {
  const size_t items = engine.device.is_processor ? 64 : 16384, count = items * numbers;
  const cl_mem memory = engine.found.at_least(count * sizeof(double));
  const auto& kernel = engine.kernel(sums_cl, name, define("LOCAL", engine.local(64)));
  opencl::launch(engine.device, kernel, name, {{items, 1, 1}, {1, 1, 1}}, poles_of(call).w, memory,
                 static_cast<cl_ulong>(call.ncouls() * call.ngpown()), largest_w, more...);
  suite_array array{};
  array.data = memory;
  array.rank = 1;
  array.extent[0] = static_cast<int64_t>(count);
  return opencl::read_back<double>(engine.backend, engine.queue, array, "what was found in wtilde_array");
}

}  // namespace

Poles look_at_poles(Engine& engine, const Screening& call) {
  const auto values = look_at(engine, call, "look_at_poles", 2);
  Poles poles{true, largest_w};
  for (size_t i = 0; i < values.size(); i += 2) {
    poles.real = poles.real && values[i] == 1;
    poles.lowest = std::min(poles.lowest, values[i + 1]);
  }
  return poles;
}

PoleBins<finite_bins> find_bins(Engine& engine, const Screening& call, double lowest) {
  PoleBins<finite_bins> bins;
  bins.lowest = lowest;
  const size_t samples = engine.device.is_processor ? 64 : 1;
  std::vector<double> sample = look_at(engine, call, "sample_poles", 1 + samples, static_cast<cl_int>(samples));
  for (size_t i = 0; i < sample.size(); i += 1 + samples) bins.highest = std::max(bins.highest, std::exchange(sample[i], 0.0));
  std::erase_if(sample, [](double w) { return !(w > 0 && w < largest_w); });
  bins.spread(std::move(sample));
  return bins;
}

}  // namespace suite::gpp
