// SPDX-License-Identifier: BSD-3-Clause
#include "walkers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include <suite/qmc/philox.hpp>
#include "measure/timed_kernel.hpp"
#include "kernel_arguments.hpp"

namespace suite::vmc {
namespace {

constexpr size_t rows_of_diffusion = 2;

template <class T> suite_array with_last(const Array<T>& array, int64_t last) {
  suite_array first = array.array();
  first.extent[first.rank - 1] = last;
  return first;
}

void copy(const Device& device, const suite_array& there, const double* host, bool up) {
  suite_array here = there;
  here.data = const_cast<double*>(host);
  here.place = SUITE_HOST;
  suite_error error{};
  require(up ? suite_upload(device.handle(), &there, &here, &error) : suite_download(device.handle(), &here, &there, &error), error);
}

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

}  // namespace

struct Walkers::State {
  System system;
  Jastrow jastrow;
  int64_t seed, capacity, size = 0;
  Device device;
  app::TimedKernel sweep, energy, orbitals, invert, ratio, branch;
  Array<double> rele, phi;
  std::vector<Spin> spins;
  std::vector<int64_t> stream;
  std::vector<int32_t> accepted, from;
  std::vector<double> diffusion, energies, velocities;
  bool inverted = false;

  State(const System& s, const Jastrow& j, const Implementation& how, int64_t seed_, int64_t capacity_)
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

  // Initialises slots that have not been filled.
  static void clear(Array<double>& array) { array.upload(std::vector<double>(static_cast<size_t>(count_of(array.array())), 0.0)); }

  void set_size(std::span<const int64_t> streams) {
    if (streams.empty() || static_cast<int64_t>(streams.size()) > capacity)
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} walkers; the number must be 1 to {}", streams.size(), capacity));
    stream.assign(streams.begin(), streams.end());
    size = static_cast<int64_t>(streams.size());
    const auto n = static_cast<size_t>(size);
    accepted.assign(n, 0);
    diffusion.assign(rows_of_diffusion * n, 0);
    energies.assign(part::count * n, 0);
    for (auto* timed : {&sweep, &energy}) {
      timed->kernel().set("rele", with_last(rele, size));
      for (const Spin& s : spins) timed->kernel().set(s.argument(), with_last(s.dbar, size));
    }
    sweep->set("stream", stream.data(), {size});
    sweep->set("accepted", accepted.data(), {size});
    sweep->set("diffusion", diffusion.data(), {static_cast<int64_t>(rows_of_diffusion), size});
    energy->set("energy", energies.data(), {static_cast<int64_t>(part::count), size});
  }

  std::vector<double> download() const {
    std::vector<double> host(static_cast<size_t>(3 * system.netot() * size));
    copy(device, with_last(rele, size), host.data(), false);
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
    ratio->set("dbar", with_last(s.dbar, size));
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
      suite_array columns = with_last(phi, size);
      columns.extent[0] = columns.extent[1] = s.count;
      orbitals->set("r", s.r.data(), {3, s.count, size});
      orbitals->set("phi", columns);
      orbitals.run();
      if (inverted) largest = std::max(largest, deviation(s, columns));
      invert->set("phi", columns);
      invert->set("dbar", with_last(s.dbar, size));
      invert.run();
    }
    inverted = true;
    return largest;
  }
};

Walkers::Walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed, int64_t capacity)
    : state_(std::make_unique<State>(system, jastrow, implementation, seed, capacity)) {
  check(system, jastrow);
}
Walkers::~Walkers() = default;

int64_t Walkers::size() const { return state_->size; }
int64_t Walkers::capacity() const { return state_->capacity; }
const System& Walkers::system() const { return state_->system; }
const Device& Walkers::device() const { return state_->device; }
suite_array Walkers::positions_array() const { return with_last(state_->rele, state_->size); }

std::vector<double> scattered(const System& system, int64_t seed, std::span<const int64_t> streams) {
  std::vector<double> rele;
  const int64_t netot = system.netot();
  rele.reserve(static_cast<size_t>(3 * netot) * streams.size());
  for (const int64_t stream : streams)
    for (int64_t i = 0; i < netot; ++i) {
      const qmc::Words words = qmc::draw(seed, stream, 0, netot + 1 + i, 0);
      for (size_t x = 0; x < 3; ++x) {
        double sum = 0;
        for (size_t d = 0; d < 3; ++d) sum += qmc::open_uniform(words.w[d]) * system.cell[3 * d + x];
        rele.push_back(sum);
      }
    }
  return rele;
}

void Walkers::scatter(std::span<const int64_t> streams) { place(scattered(state_->system, state_->seed, streams), streams); }

void Walkers::place(std::span<const double> rele, std::span<const int64_t> streams) {
  State& s = *state_;
  if (rele.size() != static_cast<size_t>(3 * s.system.netot()) * streams.size())
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("{} coordinates for {} walkers of {} electrons", rele.size(), streams.size(), s.system.netot()));
  s.set_size(streams);
  copy(s.device, positions_array(), rele.data(), true);
  s.inverted = false;
  s.reinvert();
}

size_t Walkers::whole_size() const {
  size_t size = static_cast<size_t>(3 * state_->system.netot());
  for (const Spin& s : state_->spins) size += static_cast<size_t>(s.count * s.count);
  return size;
}

std::vector<double> Walkers::whole() const {
  const State& s = *state_;
  const auto n = static_cast<size_t>(s.size);
  std::vector<double> out(whole_size() * n);
  size_t row = 0;
  const auto add = [&](const suite_array& there) {
    const size_t each = static_cast<size_t>(count_of(there)) / n;
    std::vector<double> part(each * n);
    copy(s.device, there, part.data(), false);
    for (size_t w = 0; w < n; ++w) std::copy_n(part.data() + w * each, each, out.data() + w * whole_size() + row);
    row += each;
  };
  add(positions_array());
  for (const Spin& spin : s.spins) add(with_last(spin.dbar, s.size));
  return out;
}

void Walkers::place_whole(std::span<const double> walkers, std::span<const int64_t> streams) {
  State& s = *state_;
  s.set_size(streams);
  const size_t n = streams.size();
  size_t row = 0;
  const auto take = [&](const suite_array& there) {
    const size_t each = static_cast<size_t>(count_of(there)) / n;
    std::vector<double> part(each * n);
    for (size_t w = 0; w < n; ++w) std::copy_n(walkers.data() + w * whole_size() + row, each, part.data() + w * each);
    copy(s.device, there, part.data(), true);
    row += each;
  };
  take(positions_array());
  for (const Spin& spin : s.spins) take(with_last(spin.dbar, s.size));
  s.inverted = true;
}

void Walkers::resize(std::span<const int64_t> streams) { state_->set_size(streams); }

void Walkers::sweep(const SweepSettings& settings) {
  State& s = *state_;
  s.sweep->choose("move", qmc::moves[static_cast<size_t>(settings.move)].name);
  s.sweep->set("tau", settings.tau);
  s.sweep->set("alimit", settings.alimit);
  s.sweep->set("nsweep", static_cast<int32_t>(settings.nsweep));
  s.sweep->set("first_sweep", settings.first_sweep);
  s.sweep.run();
  s.sweep->get("accepted", s.accepted.data(), {s.size});
  s.sweep->get("diffusion", s.diffusion.data(), {static_cast<int64_t>(rows_of_diffusion), s.size});
}
const std::vector<int32_t>& Walkers::accepted() const { return state_->accepted; }
const std::vector<double>& Walkers::diffusion() const { return state_->diffusion; }

const std::vector<double>& Walkers::energies(bool velocities) {
  State& s = *state_;
  const int64_t netot = s.system.netot();
  if (velocities) {
    s.velocities.resize(static_cast<size_t>(3 * netot * s.size));
    s.energy->set("velocity", s.velocities.data(), {3, netot, s.size});
  } else {
    s.energy->set<double>("velocity", nullptr, {3, netot, s.size});
  }
  s.energy.run();
  s.energy->get("energy", s.energies.data(), {static_cast<int64_t>(part::count), s.size});
  if (velocities) s.energy->get("velocity", s.velocities.data(), {3, netot, s.size});
  return s.energies;
}
const std::vector<double>& Walkers::velocities() const { return state_->velocities; }

double Walkers::reinvert() { return state_->reinvert(); }

void Walkers::branch(std::span<const int32_t> from, std::vector<double>* carry) {
  State& s = *state_;
  s.from.assign(from.begin(), from.end());
  s.branch->set("from", s.from.data(), {static_cast<int64_t>(s.from.size())});
  const int64_t rows = carry ? static_cast<int64_t>(carry->size()) / s.capacity : 1;
  s.branch->set("carry", carry ? carry->data() : nullptr, {rows, s.capacity});
  s.branch.run();
  if (carry) s.branch->get("carry", carry->data(), {rows, s.capacity});
}

std::vector<double> Walkers::positions() const { return state_->download(); }

void Walkers::set_jastrow(const Jastrow& jastrow) {
  State& s = *state_;
  check(s.system, jastrow);
  s.jastrow = jastrow;
  for (auto* timed : {&s.sweep, &s.energy}) set_factor(timed->kernel(), s.jastrow);
}

void Walkers::add_records(std::vector<app::Row>& records) const {
  const State& s = *state_;
  for (const auto* timed : {&s.sweep, &s.energy, &s.orbitals, &s.invert, &s.ratio, &s.branch}) timed->add_to(records);
}

}  // namespace suite::vmc
