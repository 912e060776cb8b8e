// SPDX-License-Identifier: BSD-3-Clause
// A work unit of the propagation: some of the orbitals on the device, with the kernels that propagate and measure them.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <string>
#include <vector>

#include "base/work_units.hpp"
#include "measure/timed_kernel.hpp"
#include "ground_state.hpp"
#include "settings.hpp"

namespace suite::tddft {

// Orbitals [begin, end) of all, which are of one spin. If there are none, the unit holds one orbital that is zero and contributes nothing.
struct Share {
  int64_t all = 0, begin = 0, end = 0;
  int spin = 0;
  Share(const GroundState& g, const app::WorkUnits& units, int unit, int of_spin)
      : all(g.orbitals), begin(first(g, units, unit, of_spin)), end(first(g, units, unit + 1, of_spin)), spin(of_spin) {}
  static int64_t first(const GroundState& g, const app::WorkUnits& units, int unit, int spin) {
    return g.orbitals_of_spin() * spin + g.orbitals_of_spin() * unit / units.count();
  }
  int64_t own() const { return end - begin; }
  int64_t held() const { return std::max<int64_t>(1, own()); }
};

// A deterministic run divides the orbitals of each spin by their number alone.
inline app::WorkUnits units_of(int64_t orbitals, const app::Context& context) {
  constexpr int64_t least = 4;  // orbitals per unit: a vector of complex doubles
  return context.deterministic ? app::WorkUnits::of_input(context.world, orbitals / least) : app::WorkUnits(context.world);
}

// Data common to all orbitals.
template <class R> struct Surroundings {
  std::array<int64_t, 3> n;  // Nz, Ny, Nx
  Vec3 h;
  std::vector<R> vloc;
  Nonlocal nonlocal;
  bool any_k;
  const char* kinetic;

  Surroundings(const System& system, const GroundState& g)
      : n{system.grid.points[2], system.grid.points[1], system.grid.points[0]},
        h(system.grid.h),
        vloc(g.vloc.begin(), g.vloc.end()),
        nonlocal(g.nonlocal),
        any_k(std::any_of(g.k.begin(), g.k.end(), [](double x) { return x != 0; })),
        kinetic(choice_of(system.kinetic)) {}

  size_t points() const { return vloc.size(); }
  template <class T> void set_field(Kernel& kernel, const char* name, const T* data) const { kernel.set(name, data, {n[0], n[1], n[2]}); }
  void set_hartree(Kernel& kernel, const R* data) const { kernel.set("vH", data, {n[0], n[1], n[2], 2}); }
};

// The orbitals of a share with their occupations.
template <class R> struct OrbitalShare : Share {
  const Surroundings<R>& around;
  std::vector<double> f, k;

  OrbitalShare(const Surroundings<R>& surroundings, const GroundState& g, const app::WorkUnits& units, int unit, int spin)
      : Share(g, units, unit, spin), around(surroundings) {
    f.assign(g.f.begin() + begin, g.f.begin() + end);
    k.assign(g.k.begin() + 3 * begin, g.k.begin() + 3 * end);
    f.resize(static_cast<size_t>(held()), 0.0);
    k.resize(static_cast<size_t>(3 * held()), 0.0);
  }

  // Sets the arguments common to all kernels on orbitals.
  void set(Kernel& kernel) const {
    kernel.set("f", f.data(), {held()});
    kernel.set("h", around.h.data(), {3});
    if (around.any_k) kernel.set("k", k.data(), {3, held()});
    set_nonlocal(kernel);
  }
  void set_nonlocal(Kernel& kernel) const {
    if (around.nonlocal.empty()) return;
    const auto& v = around.nonlocal;
    kernel.set("nlpoint", v.nlpoint.data(), {v.nsphere, v.natom});
    kernel.set("nldisp", v.nldisp.data(), {3, v.nsphere, v.natom});
    kernel.set("beta", v.beta.data(), {v.nsphere, v.nproj, v.natom});
    kernel.set("dnl", v.dnl.data(), {v.nproj, v.nproj, v.natom});
  }

  // The share's part of psi(Norb,Nz,Ny,Nx), in the precision of the propagation.
  std::vector<std::complex<R>> part_of(const std::vector<std::complex<double>>& psi) const {
    const size_t points = around.points(), each = static_cast<size_t>(held());
    std::vector<std::complex<R>> part(points * each);
    for (size_t p = 0; p < points; ++p)
      for (int64_t i = begin; i < end; ++i)
        part[p * each + static_cast<size_t>(i - begin)] = std::complex<R>(psi[p * static_cast<size_t>(all) + static_cast<size_t>(i)]);
    return part;
  }
};

// lfd.calc_energy for the orbitals of a share, without exchange and correlation that the kernels do not have.
template <class R> class Energy {
public:
  Energy(const OrbitalShare<R>& share, const std::string& functional, const std::string& implementation, const Device& device)
      : share_(share), kernel_("lfd.calc_energy", implementation, "", device), ekin_(share.f.size()), enl_(share.f.size()) {
    kernel_->choose("functional", functional);
    kernel_->choose("kinetic", share.around.kinetic);
    share_.set(kernel_.kernel());
    share_.around.set_field(kernel_.kernel(), "vloc", share_.around.vloc.data());
    kernel_->set("ekin", ekin_.data(), {share_.held()});
    kernel_->set("enl", enl_.data(), {share_.held()});
    kernel_->set("energy", parts_.data(), {5});
    for (const char* unread : {"ekin", "enl"}) kernel_->keep(unread);
  }
  // psi, vH, rho (of all orbitals) at vector potential A. Parts 0 and 2 are of these orbitals, the others integrals of the density.
  const std::array<double, 5>& operator()(const suite_array& psi, const std::vector<R>& vH, const std::vector<R>& rho, const Vec3& A) {
    kernel_->set("psi", psi);
    share_.around.set_hartree(kernel_.kernel(), vH.data());
    share_.around.set_field(kernel_.kernel(), "rho", rho.data());
    A_ = A;
    kernel_->set("A", A_.data(), {3});
    kernel_.run();
    kernel_->get("energy", parts_.data(), {5});
    return parts_;
  }
  const app::TimedKernel& timed() const { return kernel_; }
  // To be called when the ions of the surroundings have moved.
  void set_ions() {
    share_.set_nonlocal(kernel_.kernel());
    share_.around.set_field(kernel_.kernel(), "vloc", share_.around.vloc.data());
  }

private:
  const OrbitalShare<R>& share_;
  app::TimedKernel kernel_;
  std::vector<double> ekin_, enl_;
  std::array<double, 5> parts_{};
  Vec3 A_{};
};

// Energies of all units of all processes. of_unit(i): the parts of the orbitals of one spin in one unit of this process, which are number
// spins * unit + spin.
template <class F> std::array<double, 5> energy_of_all(const app::WorkUnits& units, int spins, F&& of_unit) {
  std::array<double, 5> parts{};
  std::vector<double> own;
  for (int u = 0; u < units.own(); ++u) {
    own.insert(own.end(), {0.0, 0.0});
    for (int spin = 0; spin < spins; ++spin) {
      parts = of_unit(static_cast<size_t>(spins * u + spin));
      own[own.size() - 2] += parts[0];
      own[own.size() - 1] += parts[2];
    }
  }
  const auto sums = units.sum(own, 2);
  parts[0] = sums[0];
  parts[2] = sums[1];
  return parts;
}

template <class R> class OrbitalUnit {
public:
  // frozen: the potential is constant within a call; the caller accounts for its change.
  OrbitalUnit(OrbitalShare<R> share, const Settings& settings, const app::Context& context, const Device& device, bool frozen)
      : share_(std::move(share)),
        frozen_(frozen),
        velocity_gauge_(settings.propagation.velocity_gauge),
        dt_(settings.propagation.dt),
        propagate_("lfd.propagate", context.implementation, context.variant, device, context.parameters),
        rho_kernel_("lfd.compute_rho", context.implementation, "", device),
        pot_prop_("lfd.pot_prop", context.implementation, "", device),
        energy_(share_, functional_of_kernels(settings), context.implementation, device),
        psi_(device, {share_.held(), around().n[0], around().n[1], around().n[2]}),
        rho_(around().points()) {
    const PropagationSettings& p = settings.propagation;
    propagate_->choose("field", frozen ? "frozen" : p.field);
    propagate_->choose("functional", frozen ? "none" : functional_of_kernels(settings));
    propagate_->choose("gauge", velocity_gauge_ ? "velocity" : "length");
    propagate_->choose("mass_correction", p.mass_correction ? "on" : "off");
    propagate_->choose("kinetic", around().kinetic);
    share_.set(propagate_.kernel());
    propagate_->set("psi", psi_.array());
    propagate_->set("dt", dt_);
    if (!frozen) around().set_field(propagate_.kernel(), "vloc", around().vloc.data());
    rho_kernel_->set("psi", psi_.array());
    rho_kernel_->set("f", share_.f.data(), {share_.held()});
    pot_prop_->set("psi", psi_.array());
  }
  OrbitalUnit(const OrbitalUnit&) = delete;

  const OrbitalShare<R>& share() const { return share_; }
  Kernel& propagate() { return propagate_.kernel(); }
  const std::vector<R>& rho() const { return rho_; }  // of these orbitals only

  void set_time_step(double dt) {
    dt_ = dt;
    propagate_->set("dt", dt_);
  }
  // To be called when the ions of the surroundings have moved.
  void set_ions() {
    share_.set_nonlocal(propagate_.kernel());
    if (!frozen_) around().set_field(propagate_.kernel(), "vloc", around().vloc.data());
    energy_.set_ions();
  }
  void upload(const std::vector<std::complex<R>>& psi) { psi_.upload(psi); }
  void download(std::vector<std::complex<R>>& psi) const { psi_.download(psi); }

  void update_density() {
    around().set_field(rho_kernel_.kernel(), "rho", rho_.data());
    rho_kernel_.run();
    rho_kernel_->get("rho", describe(rho_.data(), {around().n[0], around().n[1], around().n[2]}));
  }
  const std::array<double, 5>& energy(const std::vector<R>& vH, const std::vector<R>& rho, const Vec3& A) {
    return energy_(psi_.array(), vH, rho, A);
  }
  void multiply(const std::complex<R>* u) {
    around().set_field(pot_prop_.kernel(), "u", u);
    pot_prop_.run();
  }

  // Advances `count` steps; returns dipole(4,count) and, in the velocity gauge, current(3,count) of these orbitals.
  void run(const double* drive, double* dipole, double* current, int64_t count) {
    propagate_->set("drive", drive, {3, count});
    propagate_->set("dipole", dipole, {4, count});
    if (velocity_gauge_) propagate_->set("current", current, {3, count});
    around().set_field(propagate_.kernel(), "rho", rho_.data());
    propagate_.run();
    propagate_->get("dipole", dipole, {4, count});
    if (velocity_gauge_) propagate_->get("current", current, {3, count});
    propagate_->get("rho", rho_.data(), {around().n[0], around().n[1], around().n[2]});
  }

  // Measures the current by a step of zero length. scratch(Nz,Ny,Nx) is overwritten.
  void measure_current(R* scratch, double* current) {
    std::array<double, 4> dipole{};
    propagate_->set("dt", 0.0);
    propagate_->set("dipole", dipole.data(), {4, 1});
    around().set_field(propagate_.kernel(), "rho", scratch);
    for (const char* unread : {"dipole", "rho"}) propagate_->keep(unread);
    propagate_.run();
    propagate_->get("current", current, {3, 1});
    propagate_->set("dt", dt_);
  }

  std::array<const app::TimedKernel*, 4> kernels() const { return {&propagate_, &energy_.timed(), &rho_kernel_, &pot_prop_}; }

private:
  const Surroundings<R>& around() const { return share_.around; }

  OrbitalShare<R> share_;
  bool frozen_;
  bool velocity_gauge_;
  double dt_;
  app::TimedKernel propagate_, rho_kernel_, pot_prop_;
  Energy<R> energy_;
  Array<std::complex<R>> psi_;
  std::vector<R> rho_;
};

}  // namespace suite::tddft
