// SPDX-License-Identifier: BSD-3-Clause
#include "periodic_potential.hpp"

#include <algorithm>
#include <cmath>

#include "crystal.hpp"
#include "molecule/molecule.hpp"

namespace suite::vmc {

PeriodicPotential::PeriodicPotential(const System& system, const Pseudopotentials& potentials, const Implementation& how,
                                     const Device& device)
    : system_(system),
      potentials_(potentials),
      electrons_("qmc.ewald", how.name, how.variant, device),
      everything_("qmc.ewald", how.name, how.variant, device),
      charge_of_electrons_(static_cast<size_t>(system.netot()), -1.0),
      charge_(charge_of_electrons_) {
  const Molecule& m = *system_.molecule;
  charge_.insert(charge_.end(), m.charge.begin(), m.charge.end());
  electrons_->set("cell", system_.cell.data(), {3, 3});
  electrons_->set("charge", charge_of_electrons_.data(), {system_.netot()});
  everything_->set("cell", system_.cell.data(), {3, 3});
  everything_->set("charge", charge_.data(), {std::ssize(charge_)});
  app::TimedKernel nuclei("qmc.ewald", how.name, how.variant, device);
  nuclei->set("cell", system_.cell.data(), {3, 3});
  nuclei->set("charge", m.charge.data(), {m.nion()});
  nuclei->set("rele", m.rion.data(), {3, m.nion(), 1});
  nuclei->set("total", &nuclei_, {1});
  nuclei.run();
  nuclei->get("total", &nuclei_, {1});

  const qmc::Lattice& lattice = m.crystal->lattice;
  for (size_t a = 0; a < m.charge.size(); ++a) {
    reach_.push_back(potentials_.local_reach(a));
    auto& images = images_.emplace_back();
    if (!(reach_[a] > lattice.inscribed_radius)) {
      images.assign(3, 0);
      continue;
    }
    const auto n = qmc::vectors_within(lattice.a, reach_[a] + lattice.circumscribed_radius, false, "images of a pseudopotential");
    for (size_t i = 0; i < n.size(); i += 3)
      for (size_t d = 0; d < 3; ++d) images.push_back(n[i] * lattice.a[0][d] + n[i + 1] * lattice.a[1][d] + n[i + 2] * lattice.a[2][d]);
  }
}

void PeriodicPotential::coulomb(const std::vector<double>& rele, int64_t n) {
  const Molecule& m = *system_.molecule;
  const int64_t netot = system_.netot(), all = std::ssize(charge_);
  particles_.resize(static_cast<size_t>(3 * all * n));
  for (int64_t w = 0; w < n; ++w) {
    const auto to = particles_.begin() + 3 * all * w;
    std::copy_n(rele.begin() + 3 * netot * w, 3 * netot, to);
    std::copy(m.rion.begin(), m.rion.end(), to + 3 * netot);
  }
  ee_.resize(static_cast<size_t>(n)), all_.resize(static_cast<size_t>(n));
  const auto sum = [&](app::TimedKernel& kernel, const double* r, int64_t count, std::vector<double>& energy) {
    kernel->set("rele", r, {3, count, n});
    kernel->set("total", energy.data(), {n});
    kernel.run();
    kernel->get("total", energy.data(), {n});
  };
  sum(electrons_, rele.data(), netot, ee_);
  sum(everything_, particles_.data(), all, all_);
}

double PeriodicPotential::local(size_t ion, const double* vector) const {
  double value = 0;
  const auto& images = images_[ion];
  for (size_t i = 0; i < images.size(); i += 3) {
    const double r = std::hypot(vector[0] + images[i], vector[1] + images[i + 1], vector[2] + images[i + 2]);
    if (r < reach_[ion]) value += potentials_.local(ion, r);
  }
  return value;
}

void PeriodicPotential::add_records(std::vector<app::Row>& records) const {
  for (const auto* timed : {&electrons_, &everything_}) timed->add_to(records);
}

}  // namespace suite::vmc
