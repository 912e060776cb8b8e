// SPDX-License-Identifier: BSD-3-Clause
// Walkers of the electron gas: positions and inverse Slater matrices stay on the device between calls.
#include "walkers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "device_arrays.hpp"
#include "kernel_arguments.hpp"
#include "measure/timed_kernel.hpp"

namespace suite::vmc {
namespace {

constexpr size_t rows_of_diffusion = 2;

// The inverse Slater matrix of one spin, and the kernel that recomputes it.
struct Spin {
  int spin;
  int64_t first, count;  // electrons
  Array<double> dbar;
  std::vector<double> r;      // r(3,count,n), on the host
  std::vector<double> ratio;  // of every electron at its position: 1

  Spin(const Device& device, const System& s, int which, int64_t capacity)
      : spin(which), first(which == 0 ? 0 : s.nele[0]), count(s.nele[static_cast<size_t>(which)]), dbar(device, {count, count, capacity}) {}
  const char* argument() const { return spin == 0 ? "dbar_up" : "dbar_dn"; }
};

struct GasState {
  System system;
  Jastrow jastrow;
  int64_t seed, capacity, size = 0;
  Device device;
  app::TimedKernel sweep, energy, orbitals, invert, ratio, branch;
  Array<double> rele, phi;
  std::vector<Spin> spins;
  std::vector<int64_t> stream;
  std::vector<int32_t> accepted, from;
  std::vector<double> diffusion, rows, energies, velocities;  // rows: of qmc.local_energy
  bool inverted = false;

  GasState(const System& s, const Jastrow& j, const Implementation& how, int64_t seed_, int64_t capacity_)
      : system(s),
        jastrow(j),
        seed(seed_),
        capacity(capacity_),
        device(app::device_of("qmc.sweep", how.name)),
        sweep("qmc.sweep", how.name, how.variant, device, how.parameters),
        energy("qmc.local_energy", how.name, how.variant, device),
        orbitals("qmc.orbitals_free", how.name, how.variant, device),
        invert("qmc.slater_invert", how.name, how.variant, device),
        ratio("qmc.slater_ratio", how.name, how.variant, device),
        branch("qmc.branch", how.name, how.variant, device),
        rele(device, {3, s.netot(), capacity_}),
        phi(device, {std::max(s.nele[0], s.nele[1]), std::max(s.nele[0], s.nele[1]), capacity_}) {
    for (int spin = 0; spin < 2; ++spin)
      if (system.nele[static_cast<size_t>(spin)] > 0) spins.emplace_back(device, system, spin, capacity);
    for (auto* timed : {&sweep, &energy}) {
      set_system(timed->kernel(), system);
      set_factor(timed->kernel(), jastrow);
    }
    sweep->set("seed", seed);
    clear(rele);
    branch->set("rele", rele.array());
    for (Spin& one : spins) {
      clear(one.dbar);
      branch->set(one.argument(), one.dbar.array());
    }
    orbitals->set("cell", system.cell.data(), {3, 3});
    orbitals->set("kvec", system.kvec.data(), {3, system.nkvec()});
  }

  void set_size(std::span<const int64_t> streams) {
    if (streams.empty() || static_cast<int64_t>(streams.size()) > capacity)
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} walkers; the number must be 1 to {}", streams.size(), capacity));
    stream.assign(streams.begin(), streams.end());
    size = static_cast<int64_t>(streams.size());
    const auto n = static_cast<size_t>(size);
    accepted.assign(n, 0);
    diffusion.assign(rows_of_diffusion * n, 0);
    rows.assign(part::of_gas * n, 0);
    energies.assign(part::count * n, 0);
    for (auto* timed : {&sweep, &energy}) {
      timed->kernel().set("rele", first_walkers(rele, size));
      for (const Spin& s : spins) timed->kernel().set(s.argument(), first_walkers(s.dbar, size));
    }
    sweep->set("stream", stream.data(), {size});
    sweep->set("accepted", accepted.data(), {size});
    sweep->set("diffusion", diffusion.data(), {static_cast<int64_t>(rows_of_diffusion), size});
    energy->set("energy", rows.data(), {static_cast<int64_t>(part::of_gas), size});
  }

  std::vector<double> download() const {
    std::vector<double> host(static_cast<size_t>(3 * system.netot() * size));
    copy(device, first_walkers(rele, size), host.data(), Direction::to_host);
    return host;
  }

  void split(const std::vector<double>& all) {
    for (Spin& s : spins) {
      s.r.resize(static_cast<size_t>(3 * s.count * size));
      for (int64_t w = 0; w < size; ++w)
        std::copy_n(all.begin() + 3 * (w * system.netot() + s.first), 3 * s.count, s.r.begin() + 3 * w * s.count);
    }
  }

  // |D(r)/D - 1| of electrons that have not moved.
  double deviation(Spin& s, const suite_array& columns) {
    s.ratio.assign(static_cast<size_t>(s.count * size), 0.0);
    ratio->set("dbar", first_walkers(s.dbar, size));
    ratio->set("phi", columns);
    ratio->set("ratio", s.ratio.data(), {s.count, size});
    ratio.run();
    ratio->get("ratio", s.ratio.data(), {s.count, size});
    double largest = 0;
    for (const double x : s.ratio)
      if (!(std::abs(x - 1) <= largest)) largest = std::abs(x - 1);
    return largest;
  }

  double reinvert() {
    split(download());
    double largest = 0;
    for (Spin& s : spins) {
      suite_array columns = first_walkers(phi, size);
      columns.extent[0] = columns.extent[1] = s.count;
      orbitals->set("r", s.r.data(), {3, s.count, size});
      orbitals->set("phi", columns);
      orbitals.run();
      if (inverted) largest = std::max(largest, deviation(s, columns));
      invert->set("phi", columns);
      invert->set("dbar", first_walkers(s.dbar, size));
      invert.run();
    }
    inverted = true;
    return largest;
  }
};

class GasWalkers final : public Walkers {
public:
  GasWalkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed, int64_t capacity)
      : state_(system, jastrow, implementation, seed, capacity) {
    check(system, jastrow);
  }

  int64_t size() const override { return state_.size; }
  int64_t capacity() const override { return state_.capacity; }
  const System& system() const override { return state_.system; }
  const Device& device() const override { return state_.device; }
  suite_array positions_array() const override { return first_walkers(state_.rele, state_.size); }

  void place(std::span<const double> rele, std::span<const int64_t> streams) override {
    GasState& s = state_;
    if (rele.size() != static_cast<size_t>(3 * s.system.netot()) * streams.size())
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("{} coordinates for {} walkers of {} electrons", rele.size(), streams.size(), s.system.netot()));
    s.set_size(streams);
    copy(s.device, positions_array(), rele.data(), Direction::to_device);
    s.inverted = false;
    s.reinvert();
  }

  size_t whole_size() const override {
    size_t size = static_cast<size_t>(3 * state_.system.netot());
    for (const Spin& s : state_.spins) size += static_cast<size_t>(s.count * s.count);
    return size;
  }

  std::vector<double> whole() const override {
    const GasState& s = state_;
    const auto n = static_cast<size_t>(s.size);
    std::vector<double> out(whole_size() * n);
    size_t row = 0;
    const auto add = [&](const suite_array& there) {
      const size_t each = static_cast<size_t>(count_of(there)) / n;
      std::vector<double> part(each * n);
      copy(s.device, there, part.data(), Direction::to_host);
      for (size_t w = 0; w < n; ++w) std::copy_n(part.data() + w * each, each, out.data() + w * whole_size() + row);
      row += each;
    };
    add(positions_array());
    for (const Spin& spin : s.spins) add(first_walkers(spin.dbar, s.size));
    return out;
  }

  void place_whole(std::span<const double> walkers, std::span<const int64_t> streams) override {
    GasState& s = state_;
    s.set_size(streams);
    const size_t n = streams.size();
    size_t row = 0;
    const auto take = [&](const suite_array& there) {
      const size_t each = static_cast<size_t>(count_of(there)) / n;
      std::vector<double> part(each * n);
      for (size_t w = 0; w < n; ++w) std::copy_n(walkers.data() + w * whole_size() + row, each, part.data() + w * each);
      copy(s.device, there, part.data(), Direction::to_device);
      row += each;
    };
    take(positions_array());
    for (const Spin& spin : s.spins) take(first_walkers(spin.dbar, s.size));
    s.inverted = true;
  }

  void resize(std::span<const int64_t> streams) override { state_.set_size(streams); }

  void sweep(const SweepSettings& settings) override {
    GasState& s = state_;
    s.sweep->choose("move", qmc::moves[static_cast<size_t>(settings.move)].name);
    s.sweep->set("tau", settings.tau);
    s.sweep->set("alimit", settings.alimit);
    s.sweep->set("nsweep", static_cast<int32_t>(settings.nsweep));
    s.sweep->set("first_sweep", settings.first_sweep);
    s.sweep.run();
    s.sweep->get("accepted", s.accepted.data(), {s.size});
    s.sweep->get("diffusion", s.diffusion.data(), {static_cast<int64_t>(rows_of_diffusion), s.size});
  }
  const std::vector<int32_t>& accepted() const override { return state_.accepted; }
  const std::vector<double>& diffusion() const override { return state_.diffusion; }

  const std::vector<double>& energies(bool velocities) override {
    GasState& s = state_;
    const int64_t netot = s.system.netot();
    if (velocities) {
      s.velocities.resize(static_cast<size_t>(3 * netot * s.size));
      s.energy->set("velocity", s.velocities.data(), {3, netot, s.size});
    } else {
      s.energy->set<double>("velocity", nullptr, {3, netot, s.size});
    }
    s.energy.run();
    s.energy->get("energy", s.rows.data(), {static_cast<int64_t>(part::of_gas), s.size});
    for (size_t w = 0; w < static_cast<size_t>(s.size); ++w)
      std::copy_n(&s.rows[part::of_gas * w], part::of_gas, &s.energies[part::count * w]);
    if (velocities) s.energy->get("velocity", s.velocities.data(), {3, netot, s.size});
    return s.energies;
  }
  const std::vector<double>& velocities() const override { return state_.velocities; }

  double reinvert() override { return state_.reinvert(); }

  void branch(std::span<const int32_t> from, std::vector<double>* carry) override {
    GasState& s = state_;
    s.from.assign(from.begin(), from.end());
    s.branch->set("from", s.from.data(), {static_cast<int64_t>(s.from.size())});
    const int64_t rows = carry ? static_cast<int64_t>(carry->size()) / s.capacity : 1;
    s.branch->set("carry", carry ? carry->data() : nullptr, {rows, s.capacity});
    s.branch.run();
    if (carry) s.branch->get("carry", carry->data(), {rows, s.capacity});
  }

  std::vector<double> positions() const override { return state_.download(); }

  void set_jastrow(const Jastrow& jastrow) override {
    GasState& s = state_;
    check(s.system, jastrow);
    s.jastrow = jastrow;
    for (auto* timed : {&s.sweep, &s.energy}) set_factor(timed->kernel(), s.jastrow);
  }

  void add_records(std::vector<app::Row>& records) const override {
    const GasState& s = state_;
    for (const auto* timed : {&s.sweep, &s.energy, &s.orbitals, &s.invert, &s.ratio, &s.branch}) timed->add_to(records);
  }

protected:
  int64_t seed() const override { return state_.seed; }

private:
  GasState state_;
};

}  // namespace

std::unique_ptr<Walkers> make_gas_walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed,
                                          int64_t capacity) {
  return std::make_unique<GasWalkers>(system, jastrow, implementation, seed, capacity);
}

}  // namespace suite::vmc
