// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "benchmark.hpp"
#include "pseudopotential.hpp"
#include "grid_xc.hpp"
#include "pulse.hpp"

namespace suite::tddft {
namespace {

constexpr int64_t sample_steps = 2;

// psi, fields and results of one call in one precision. Every run changes psi and vH, so each kernel that is given the call starts from
// copies of their initial values.
template <class R> struct Call {
  Settings settings;
  int64_t norb = 0;
  std::array<int64_t, 3> n{};
  std::vector<std::complex<R>> psi, moving;
  std::vector<R> vloc, vH, rho;
  std::vector<double> f, k, drive, dipole, current;
  Nonlocal nonlocal;

  explicit Call(const Settings& s) : settings(s) {
    const Grid& grid = s.system.grid;
    n = {grid.points[2], grid.points[1], grid.points[0]};
    const auto bands = occupations(s.system);  // of spin up, if there are two
    for (const auto& point : all_k_points(s.system))
      for (const double occupation : bands) {
        f.push_back(occupation * point.weight);
        k.insert(k.end(), point.k.begin(), point.k.end());
      }
    norb = static_cast<int64_t>(f.size());
    fill_orbitals(grid);
    const auto v = local_potential(s.system);
    vloc.assign(v.begin(), v.end());
    vH.assign(2 * grid.size(), 0);
    rho.resize(grid.size());
    nonlocal = nonlocal_potential(s.system);
    for (int64_t step = 0; step < sample_steps; ++step) {
      const Vec3 value = pulse_at(step);
      drive.insert(drive.end(), value.begin(), value.end());
    }
    dipole.resize(4 * sample_steps);
    current.resize(3 * sample_steps);
  }

  // The middle of a laser pulse, where its field is strong. Without a field the current would be a small difference of large numbers,
  // useless for comparing two kernels.
  Vec3 pulse_at(int64_t step) const {
    if (settings.excitation == Excitation::none) return {0, 0, settings.propagation.velocity_gauge ? 0.01 : 0};
    const double begin = settings.pulses.empty() ? 0 : settings.pulses.front().maximum;
    return tddft::drive(settings, 0, begin + static_cast<double>(step) * settings.propagation.dt);
  }

  // Distinct waves under a bell-shaped envelope: smooth and negligible at the faces of the cell.
  void fill_orbitals(const Grid& grid) {
    psi.resize(grid.size() * static_cast<size_t>(norb));
    std::vector<double> norm(static_cast<size_t>(norb), 0.0);
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz)
          for (int64_t orbital = 0; orbital < norb; ++orbital) {
            const int at[] = {ix, iy, iz};
            double bell = 1, angle = 0.3 * static_cast<double>(orbital);
            for (int d = 0; d < 3; ++d) {
              const double x = std::numbers::pi * at[d] / grid.points[static_cast<size_t>(d)];
              if (grid.points[static_cast<size_t>(d)] > 1) bell *= std::sin(x) * std::sin(x);
              angle += 2 * x * static_cast<double>((orbital * (d + 2) + d) % 3 - 1);
            }
            auto& value = psi[grid.index(ix, iy, iz) * static_cast<size_t>(norb) + static_cast<size_t>(orbital)];
            value = std::complex<R>(std::polar(bell, angle));
            norm[static_cast<size_t>(orbital)] += bell * bell * grid.point_volume();
          }
    for (size_t i = 0; i < psi.size(); ++i) psi[i] *= static_cast<R>(1 / std::sqrt(norm[i % static_cast<size_t>(norb)]));
  }

  void set(Kernel& kernel) {
    moving = psi;
    std::fill(vH.begin(), vH.end(), R(0));
    const PropagationSettings& p = settings.propagation;
    // Where the kernels lack the functional, every step is a call with the potential given.
    const bool given = !kernels_have(settings.ground_state.functional, settings.system);
    kernel.choose("field", given ? "frozen" : p.field);
    kernel.choose("functional", functional_of_kernels(settings));
    kernel.choose("gauge", p.velocity_gauge ? "velocity" : "length");
    kernel.choose("mass_correction", p.mass_correction ? "on" : "off");
    kernel.choose("kinetic", choice_of(settings.system.kinetic));
    kernel.set("psi", moving.data(), {norb, n[0], n[1], n[2]});
    kernel.set("f", f.data(), {norb});
    kernel.set("vloc", vloc.data(), {n[0], n[1], n[2]});
    kernel.set("h", settings.system.grid.h.data(), {3});
    kernel.set("dt", p.dt);
    kernel.set("drive", drive.data(), {3, sample_steps});
    if (std::any_of(k.begin(), k.end(), [](double x) { return x != 0; })) kernel.set("k", k.data(), {3, norb});
    kernel.set("vH", vH.data(), {n[0], n[1], n[2], 2});
    if (p.kappa > 0) kernel.set("kappa", p.kappa);
    kernel.set("gamma", p.gamma);
    kernel.set("field_steps", static_cast<int32_t>(p.field_steps));
    if (!nonlocal.empty()) {
      const auto& v = nonlocal;
      kernel.set("nlpoint", v.nlpoint.data(), {v.nsphere, v.natom});
      kernel.set("nldisp", v.nldisp.data(), {3, v.nsphere, v.natom});
      kernel.set("beta", v.beta.data(), {v.nsphere, v.nproj, v.natom});
      kernel.set("dnl", v.dnl.data(), {v.nproj, v.nproj, v.natom});
    }
    kernel.set("rho", rho.data(), {n[0], n[1], n[2]});
    kernel.set("dipole", dipole.data(), {4, sample_steps});
    if (p.velocity_gauge) kernel.set("current", current.data(), {3, sample_steps});
  }
};

template <class R> app::App::Sample sample_of(const Settings& settings) {
  const auto call = std::make_shared<Call<R>>(settings);
  app::App::Sample sample;
  sample.data = call;
  sample.set_arguments = [call = call.get()](Kernel& kernel) { call->set(kernel); };
  sample.description =
      fmt::format("{} orbitals on {}x{}x{} points, {} steps", call->norb, call->n[2], call->n[1], call->n[0], sample_steps);
  return sample;
}

// The benchmark's generated orbitals belong to a call that generates them; other calls copy them.
class Generated {
public:
  explicit Generated(const Settings& settings) : settings_(settings), owner_("lfd.propagate", "reference") {
    owner_.generate(benchmark_size(settings, sample_steps), 1);
    visit([&](const char*, const suite_array& array, size_t bytes, bool changes) {
      const char* data = static_cast<const char*>(array.data);
      first_.emplace_back(data, changes ? data + bytes : data);
    });
  }
  void set(Kernel& kernel) {
    choose_benchmark(settings_, kernel);
    size_t i = 0;
    visit([&](const char* name, const suite_array& array, size_t, bool) {
      std::copy(first_[i].begin(), first_[i].end(), static_cast<char*>(array.data));
      ++i;
      kernel.set(name, array);
    });
  }

private:
  template <class F> void visit(F&& f) const {
    const suite_kernel_table& table = owner_.table();
    for (uint32_t i = 0; i < table.argument_count; ++i) {
      const suite_argument& argument = table.arguments[i];
      const suite_array array = owner_.argument(argument.name);
      if (array.rank < 0) continue;
      f(argument.name, array, static_cast<size_t>(count_of(array)) * suite_type_size(array.type), argument.intent == SUITE_INOUT);
    }
  }
  Settings settings_;
  Kernel owner_;
  std::vector<std::vector<char>> first_;  // initial values of what a run changes
};

app::App::Sample benchmark_sample(const Settings& settings) {
  const auto generated = std::make_shared<Generated>(settings);
  app::App::Sample sample;
  sample.data = generated;
  sample.set_arguments = [generated = generated.get()](Kernel& kernel) { generated->set(kernel); };
  sample.description = benchmark_size(settings, sample_steps);
  return sample;
}

}  // namespace

app::App::Sample typical_call(const Settings& settings) {
  auto sample = settings.benchmark            ? benchmark_sample(settings)
                : settings.propagation.single ? sample_of<float>(settings)
                                              : sample_of<double>(settings);
  sample.kernel = "lfd.propagate";
  return sample;
}

}  // namespace suite::tddft
