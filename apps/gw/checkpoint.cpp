// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint.hpp"

#include <fmt/core.h>

#include "base/app.hpp"
#include "base/checkpoint/checkpoint.hpp"
#include "common/near.hpp"

namespace suite::gw {
namespace {

constexpr const char* app_name = "gw";
constexpr int version = 1;

}  // namespace

Checkpoint::Checkpoint(const Settings& settings, app::Context& context)
    : world_(context.world),
      fingerprint_(fingerprint(settings)),
      file_(context.folder / "checkpoint.h5"),
      restart_(settings.restart),
      interval_(settings.checkpoint_interval) {
  if (restart_.empty()) return;
  const hdf5::File file(restart_);
  app::require_checkpoint(file, app_name, version, fingerprint_);
  const auto read = [&](const char* name, std::vector<double>& to) {
    if (file.has(name)) to = file.read<double>(name, {hdf5::any});
  };
  read("epsilon/done", epsilon.done);
  read("epsilon/numbers", epsilon.numbers);
  read("sigma/done", sigma.done);
  read("sigma/values", sigma.values);
  read("sigma/seen", sigma.seen);
  if (file.has("sigma/iterations")) sigma.iterations = file.real("sigma/iterations", 0, 1e300);
}

bool Checkpoint::fits(const char* name, const std::vector<double>& values, size_t size) const {
  if (restart_.empty() || values.empty()) return false;
  if (values.size() != size) hdf5::File(restart_).fail(name, fmt::format("it has {} numbers, but this input {}", values.size(), size));
  return true;
}

bool Checkpoint::has_epsilon(size_t q, size_t numbers) const {
  return fits("epsilon/done", epsilon.done, q) && fits("epsilon/numbers", epsilon.numbers, numbers);
}

bool Checkpoint::has_sigma(size_t items, size_t values, size_t seen) const {
  return fits("sigma/done", sigma.done, items) && fits("sigma/values", sigma.values, values) && fits("sigma/seen", sigma.seen, seen);
}

int Checkpoint::agreed_signal() const { return app::agreed_signal(world_, stop_); }

void Checkpoint::save() const {
  if (!world_.root()) return;
  hdf5::Writer file(file_);
  app::begin_checkpoint(file, app_name, version, fingerprint_);
  if (!epsilon.done.empty()) {
    file.write("epsilon/done", epsilon.done);
    file.write("epsilon/numbers", epsilon.numbers);
  }
  if (!sigma.done.empty()) {
    file.write("sigma/done", sigma.done);
    file.write("sigma/values", sigma.values);
    file.write("sigma/seen", sigma.seen);
    file.write("sigma/iterations", &sigma.iterations, {});
  }
  file.commit();
}

void Checkpoint::remove() const {
  std::error_code none;
  if (world_.root()) std::filesystem::remove(file_, none);
}

void Checkpoint::stop(int signal) const {
  throw app::Stopped(signal, {{"files", {"checkpoint.h5"}}}, "to continue: --set restart.file=" + app::shell_word(file_.string()));
}

}  // namespace suite::gw
