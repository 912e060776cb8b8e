// SPDX-License-Identifier: BSD-3-Clause
#include "propagation.hpp"

#include <algorithm>
#include <cmath>

#include "../common/timed_kernel.hpp"
#include "pulse.hpp"

namespace suite::tddft {
namespace {

using app::device_of, app::TimedKernel;

using Shape = std::array<int64_t, 3>;  // Nz, Ny, Nx

Shape shape_of(const Grid& grid) { return {grid.points[2], grid.points[1], grid.points[0]}; }

// The orbitals of this process: [begin, end) of all. One without any holds one that is zero and counts
// nothing.
struct Share {
  int64_t all = 0, begin = 0, end = 0;
  Share(int64_t orbitals, const app::Communicator& world)
      : all(orbitals),
        begin(orbitals * world.rank() / world.size()),
        end(orbitals * (world.rank() + 1) / world.size()) {}
  int64_t own() const { return end - begin; }
  int64_t held() const { return std::max<int64_t>(1, own()); }
};

// What every kernel with orbitals is given beside them.
template <class R>
struct Constants {
  Share share;
  Shape n;
  Vec3 h;
  std::vector<double> f, k;
  std::vector<R> vloc;
  Nonlocal nonlocal;
  bool any_k;

  Constants(const Grid& grid, const GroundState& g, const app::Communicator& world)
      : share(g.orbitals, world),
        n(shape_of(grid)),
        h(grid.h),
        vloc(g.vloc.begin(), g.vloc.end()),
        nonlocal(g.nonlocal) {
    f.assign(g.f.begin() + share.begin, g.f.begin() + share.end);
    k.assign(g.k.begin() + 3 * share.begin, g.k.begin() + 3 * share.end);
    f.resize(static_cast<size_t>(share.held()), 0.0);
    k.resize(static_cast<size_t>(3 * share.held()), 0.0);
    any_k = std::any_of(g.k.begin(), g.k.end(), [](double x) { return x != 0; });
  }

  void set(Kernel& kernel) const {
    kernel.set("f", f.data(), {share.held()});
    kernel.set("h", h.data(), {3});
    if (any_k) kernel.set("k", k.data(), {3, share.held()});
    if (nonlocal.empty()) return;
    const auto& v = nonlocal;
    kernel.set("nlpoint", v.nlpoint.data(), {v.nsphere, v.natom});
    kernel.set("nldisp", v.nldisp.data(), {3, v.nsphere, v.natom});
    kernel.set("beta", v.beta.data(), {v.nsphere, v.nproj, v.natom});
    kernel.set("dnl", v.dnl.data(), {v.nproj, v.nproj, v.natom});
  }
  template <class T>
  void set_field(Kernel& kernel, const char* name, const T* data) const {
    kernel.set(name, data, {n[0], n[1], n[2]});
  }
  void set_hartree(Kernel& kernel, const R* data) const { kernel.set("vH", data, {n[0], n[1], n[2], 2}); }
};

// Orbitals [begin, end) of psi(Norb,Nz,Ny,Nx) in the precision of the propagation.
template <class R>
std::vector<std::complex<R>> part_of(const std::vector<std::complex<double>>& psi, const Share& share) {
  const size_t points = psi.size() / static_cast<size_t>(share.all), held = static_cast<size_t>(share.held());
  std::vector<std::complex<R>> part(points * held);
  for (size_t p = 0; p < points; ++p)
    for (int64_t n = share.begin; n < share.end; ++n)
      part[p * held + static_cast<size_t>(n - share.begin)] =
          std::complex<R>(psi[p * static_cast<size_t>(share.all) + static_cast<size_t>(n)]);
  return part;
}

template <class R>
void sum_over_ranks(const app::Communicator& world, std::vector<R>& values) {
  if (world.size() == 1) return;
  std::vector<double> sum(values.begin(), values.end());
  world.sum(sum);
  std::transform(sum.begin(), sum.end(), values.begin(), [](double x) { return static_cast<R>(x); });
}

// lfd.calc_energy on the orbitals of all processes.
template <class R>
class Energy {
public:
  Energy(const Constants<R>& constants, const std::string& functional, const std::string& implementation,
         const Device& device)
      : c_(constants),
        kernel_("lfd.calc_energy", implementation, "", device),
        ekin_(constants.f.size()),
        enl_(constants.f.size()) {
    kernel_->choose("functional", functional);
    c_.set(kernel_.kernel());
    c_.set_field(kernel_.kernel(), "vloc", c_.vloc.data());
    kernel_->set("ekin", ekin_.data(), {c_.share.held()});
    kernel_->set("enl", enl_.data(), {c_.share.held()});
    kernel_->set("energy", parts_.data(), {5});
  }
  // psi, vH, rho (of all) at A.
  std::array<double, 5> operator()(const suite_array& psi, const std::vector<R>& vH,
                                   const std::vector<R>& rho, const Vec3& A, const app::Communicator& world) {
    kernel_->set("psi", psi);
    c_.set_hartree(kernel_.kernel(), vH.data());
    c_.set_field(kernel_.kernel(), "rho", rho.data());
    A_ = A;
    kernel_->set("A", A_.data(), {3});
    kernel_.run();
    kernel_->get("energy", parts_.data(), {5});
    auto parts = parts_;
    std::array<double, 2> own{parts[0], parts[2]};  // the others are integrals of the density of all
    world.sum(std::span<double>(own));
    parts[0] = own[0];
    parts[2] = own[1];
    return parts;
  }
  const TimedKernel& timed() const { return kernel_; }

private:
  const Constants<R>& c_;
  TimedKernel kernel_;
  std::vector<double> ekin_, enl_;
  std::array<double, 5> parts_{};
  Vec3 A_{};
};

template <class R>
class Orbitals final : public Propagation {
public:
  Orbitals(const Settings& settings, const GroundState& g, const Vec3& sum_rule, const app::Context& context)
      : s_(settings),
        world_(context.world),
        sum_rule_(sum_rule),
        c_(s_.system.grid, g, world_),
        device_(device_of("lfd.propagate", context.implementation)),
        propagate_("lfd.propagate", context.implementation, context.variant, device_, context.parameters),
        rho_kernel_("lfd.compute_rho", context.implementation, "", device_),
        pot_prop_("lfd.pot_prop", context.implementation, "", device_),
        energy_(c_, s_.ground_state.functional, context.implementation, device_),
        psi_(device_, {c_.share.held(), c_.n[0], c_.n[1], c_.n[2]}),
        rho_(s_.system.grid.size()),
        vH_(2 * rho_.size()),
        u_(rho_.size()) {
    prepare_propagate();
    prepare_field(context.implementation);
    if (world_.size() > 1) prepare_steps(context.implementation);
    rho_kernel_->set("psi", psi_.array());
    rho_kernel_->set("f", c_.f.data(), {c_.share.held()});
    c_.set_field(rho_kernel_.kernel(), "rho", rho_.data());
    pot_prop_->set("psi", psi_.array());
  }

  void start(const GroundState& g, int run, Track& track) override {
    run_ = run;
    psi_.upload(part_of<R>(g.psi, c_.share));
    update_density();
    solve_field();
    if (s_.excitation == Excitation::kick && !s_.propagation.velocity_gauge) kick();
    track = Track{};
    const auto moments = moments_of(rho_);
    track.dipole.push_back({moments[0], moments[1], moments[2]});
    track.electrons.push_back(moments[3]);
    track.current.push_back(first_current());
    look(track);
  }

  void advance(Track& track, int64_t count) override {
    const double t = s_.propagation.dt * static_cast<double>(track.steps());
    drive_.resize(static_cast<size_t>(3 * count));
    for (int64_t n = 0; n < count; ++n) {
      const Vec3 value = drive(s_, run_, t + static_cast<double>(n) * s_.propagation.dt);
      std::copy(value.begin(), value.end(), drive_.begin() + 3 * n);
    }
    dipole_.assign(static_cast<size_t>(4 * count), 0.0);
    current_.assign(static_cast<size_t>(3 * count), 0.0);
    if (world_.size() == 1)
      propagate_alone(count);
    else
      propagate_together(count);
    for (int64_t n = 0; n < count; ++n) record(track, n);
  }

  void look(Track& track) override {
    const int64_t step = track.steps();
    Look now;
    now.step = step;
    now.parts = energy_(psi_.array(), vH_, rho_, potential_at(s_, run_, time_of(step)), world_);
    if (!track.looks.empty()) now.work = track.looks.back().work + work_since(track, track.looks.back().step);
    track.looks.push_back(now);
  }

  std::vector<double> density() override { return {rho_.begin(), rho_.end()}; }

  void save(app::hdf5::Writer* file, const std::string& group) override {
    const auto& p = s_.system.grid.points;
    const size_t plane = static_cast<size_t>(p[1]) * p[2], all = static_cast<size_t>(c_.share.all),
                 held = static_cast<size_t>(c_.share.held());
    std::vector<std::complex<R>> own(rho_.size() * held), whole(file ? rho_.size() * all : 0);
    psi_.download(own);
    std::vector<std::complex<double>> gathered(plane * all);
    for (size_t ix = 0; ix < static_cast<size_t>(p[0]); ++ix) {
      std::fill(gathered.begin(), gathered.end(), 0);
      for (size_t i = 0; i < plane; ++i)
        for (size_t n = 0; n < static_cast<size_t>(c_.share.own()); ++n)
          gathered[i * all + static_cast<size_t>(c_.share.begin) + n] = own[(ix * plane + i) * held + n];
      world_.sum(std::span<std::complex<double>>(gathered));
      if (file)
        std::transform(gathered.begin(), gathered.end(),
                       whole.begin() + static_cast<int64_t>(ix * plane * all),
                       [](const std::complex<double>& z) { return std::complex<R>(z); });
    }
    if (!file) return;
    file->write(group + "/psi", reinterpret_cast<const R*>(whole.data()),
                {p[0], p[1], p[2], c_.share.all, 2});
    file->write(group + "/vH", vH_.data(), {2, p[0], p[1], p[2]});
  }

  void restore(const app::hdf5::File& file, const std::string& group, int run) override {
    run_ = run;
    const auto& p = s_.system.grid.points;
    const std::vector<int64_t> shape{p[0], p[1], p[2], c_.share.all, 2};
    std::vector<std::complex<R>> own(rho_.size() * static_cast<size_t>(c_.share.held()));
    if (c_.share.own() > 0) {
      const auto block = file.read_block<R>(group + "/psi", shape, {0, 0, 0, c_.share.begin, 0},
                                            {p[0], p[1], p[2], c_.share.own(), 2});
      std::copy_n(block.data(), block.size(), reinterpret_cast<R*>(own.data()));
    }
    psi_.upload(own);
    vH_ = file.read<R>(group + "/vH", {2, p[0], p[1], p[2]});
    update_density();
  }

  void add_records(std::vector<app::KernelRecord>& records) const override {
    for (const TimedKernel* kernel : {&propagate_, &energy_.timed(), &rho_kernel_, &pot_prop_})
      if (kernel->used()) records.push_back(kernel->record());
    for (const auto* kernel : {&field_, &wave_, &vxc_kernel_, &v_kernel_, &set_prop_})
      if (*kernel && (*kernel)->used()) records.push_back((*kernel)->record());
  }

private:
  double time_of(int64_t step) const { return s_.propagation.dt * static_cast<double>(step); }

  void prepare_propagate() {
    const PropagationSettings& p = s_.propagation;
    const bool together = world_.size() > 1;
    propagate_->choose("field", together ? "frozen" : p.field);
    propagate_->choose("functional", together ? "none" : s_.ground_state.functional);
    propagate_->choose("gauge", p.velocity_gauge ? "velocity" : "length");
    propagate_->choose("mass_correction", p.mass_correction ? "on" : "off");
    c_.set(propagate_.kernel());
    propagate_->set("psi", psi_.array());
    propagate_->set("dt", p.dt);
    if (!together) c_.set_field(propagate_.kernel(), "vloc", c_.vloc.data());
    if (together || !has_wave_equation()) return;
    set_wave_equation(propagate_.kernel());
  }

  bool has_wave_equation() const {
    const std::string& field = s_.propagation.field;
    return field == "loop" || field == "fused" || field == "closed";
  }

  void set_wave_equation(Kernel& kernel) const {
    const PropagationSettings& p = s_.propagation;
    if (p.kappa > 0) kernel.set("kappa", p.kappa);
    kernel.set("gamma", p.gamma);
    kernel.set("field_steps", static_cast<int32_t>(p.field_steps));
  }

  // The Hartree field at rest, for the start and, with the spectral fields, for every step.
  void prepare_field(const std::string& implementation) {
    if (s_.ground_state.functional == "none") return;
    field_.emplace("lfd.spectral_field_solve", implementation, "", device_);
    (*field_)->choose("laplacian", s_.system.boundary == Boundary::isolated ? "isolated" : "differences");
    (*field_)->set("h", c_.h.data(), {3});
    c_.set_field(field_->kernel(), "rho", rho_.data());
    c_.set_hartree(field_->kernel(), vH_.data());
  }

  // The kernels that lfd.propagate uses inside where one process has all orbitals.
  void prepare_steps(const std::string& implementation) {
    zero_.assign(vH_.size(), 0);
    vxc_.resize(rho_.size());
    v_.resize(rho_.size());
    v_before_.resize(rho_.size());
    if (s_.ground_state.functional != "none") {
      vxc_kernel_.emplace("lfd.compute_vxc", implementation, "", device_);
      (*vxc_kernel_)->choose("functional", s_.ground_state.functional);
    }
    v_kernel_.emplace("lfd.compute_v", implementation, "", device_);
    set_prop_.emplace("lfd.set_prop", implementation, "", device_);
    if (has_wave_equation()) {
      wave_.emplace("lfd.field_prop", implementation, s_.propagation.field, device_);
      (*wave_)->set("h", c_.h.data(), {3});
      set_wave_equation(wave_->kernel());
    }
  }

  void kick() {
    const Grid& grid = s_.system.grid;
    const Vec3 K = s_.direction_of(run_);
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz) {
          const double angle = -s_.kick * (K[0] * grid.coordinate(0, ix) + K[1] * grid.coordinate(1, iy) +
                                           K[2] * grid.coordinate(2, iz));
          u_[grid.index(ix, iy, iz)] = std::complex<R>(std::polar(1.0, angle));
        }
    c_.set_field(pot_prop_.kernel(), "u", u_.data());
    pot_prop_.run();
  }

  // Right after the kick every electron has its momentum, and the whole current is what the sum rule says.
  Vec3 first_current() const {
    Vec3 j{};
    if (s_.excitation == Excitation::kick)
      for (int d = 0; d < 3; ++d) j[d] = -s_.kick * s_.direction_of(run_)[d] * sum_rule_[d];
    return j;
  }

  void update_density() {
    c_.set_field(rho_kernel_.kernel(), "rho", rho_.data());
    rho_kernel_.run();
    rho_kernel_->get("rho", suite::describe(rho_.data(), {c_.n[0], c_.n[1], c_.n[2]}));
    sum_over_ranks(world_, rho_);
  }

  void solve_field() {
    if (!field_) return;
    c_.set_field(field_->kernel(), "rho", rho_.data());
    c_.set_hartree(field_->kernel(), vH_.data());
    field_->run();
    (*field_)->get("vH", suite::describe(vH_.data(), {c_.n[0], c_.n[1], c_.n[2], 2}));
  }

  // int r rho and int rho.
  std::array<double, 4> moments_of(const std::vector<R>& rho) const {
    const Grid& grid = s_.system.grid;
    std::array<double, 4> sum{};
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz) {
          const double value = rho[grid.index(ix, iy, iz)];
          sum[0] += grid.coordinate(0, ix) * value;
          sum[1] += grid.coordinate(1, iy) * value;
          sum[2] += grid.coordinate(2, iz) * value;
          sum[3] += value;
        }
    for (double& x : sum) x *= grid.point_volume();
    return sum;
  }

  void run_propagate(double* drive, double* dipole, double* current, int64_t count) {
    propagate_->set("drive", drive, {3, count});
    propagate_->set("dipole", dipole, {4, count});
    if (s_.propagation.velocity_gauge) propagate_->set("current", current, {3, count});
    c_.set_field(propagate_.kernel(), "rho", rho_.data());
    propagate_.run();
    propagate_->get("dipole", dipole, {4, count});
    if (s_.propagation.velocity_gauge) propagate_->get("current", current, {3, count});
    propagate_->get("rho", rho_.data(), {c_.n[0], c_.n[1], c_.n[2]});
  }

  void propagate_alone(int64_t count) {
    c_.set_hartree(propagate_.kernel(), vH_.data());
    run_propagate(drive_.data(), dipole_.data(), current_.data(), count);
    propagate_->get("vH", vH_.data(), {c_.n[0], c_.n[1], c_.n[2], 2});
  }

  void propagate_together(int64_t count) {
    update_density();
    update_potential(v_);
    for (int64_t n = 0; n < count; ++n) {
      c_.set_field(propagate_.kernel(), "vloc", v_.data());
      c_.set_hartree(propagate_.kernel(), zero_.data());
      run_propagate(&drive_[static_cast<size_t>(3 * n)], &dipole_[static_cast<size_t>(4 * n)],
                    &current_[static_cast<size_t>(3 * n)], 1);
      sum_over_ranks(world_, rho_);
      update_field();
      v_before_.swap(v_);
      update_potential(v_);
      for (size_t i = 0; i < v_.size(); ++i) v_before_[i] = v_[i] - v_before_[i];
      multiply_phase(v_before_);
      if (s_.propagation.velocity_gauge) measure_current(n);
    }
    world_.sum(std::span<double>(dipole_));
    world_.sum(std::span<double>(current_));
  }

  // The phase at the end of a step has changed the current of step n. A step of no time moves nothing and
  // measures it; its density goes where vxc was, which the next step makes anew.
  void measure_current(int64_t n) {
    propagate_->set("dt", 0.0);
    propagate_->set("dipole", spare_.data(), {4, 1});
    c_.set_field(propagate_.kernel(), "rho", vxc_.data());
    propagate_.run();
    propagate_->get("current", &current_[static_cast<size_t>(3 * n)], {3, 1});
    propagate_->set("dt", s_.propagation.dt);
  }

  void update_field() {
    const std::string& field = s_.propagation.field;
    if (field == "spectral" || field == "isolated") return solve_field();
    if (!wave_) return;
    c_.set_field(wave_->kernel(), "rho", rho_.data());
    c_.set_hartree(wave_->kernel(), vH_.data());
    wave_->run();
    (*wave_)->get("vH", vH_.data(), {c_.n[0], c_.n[1], c_.n[2], 2});
  }

  // v = vloc + vH + vxc, without the external field.
  void update_potential(std::vector<R>& v) {
    if (vxc_kernel_) {
      c_.set_field(vxc_kernel_->kernel(), "rho", rho_.data());
      c_.set_field(vxc_kernel_->kernel(), "vxc", vxc_.data());
      vxc_kernel_->run();
      (*vxc_kernel_)->get("vxc", vxc_.data(), {c_.n[0], c_.n[1], c_.n[2]});
      c_.set_field(v_kernel_->kernel(), "vxc", vxc_.data());
    }
    c_.set_field(v_kernel_->kernel(), "vloc", c_.vloc.data());
    c_.set_hartree(v_kernel_->kernel(), vH_.data());
    (*v_kernel_)->set("h", c_.h.data(), {3});
    c_.set_field(v_kernel_->kernel(), "v", v.data());
    v_kernel_->run();
    (*v_kernel_)->get("v", v.data(), {c_.n[0], c_.n[1], c_.n[2]});
  }

  void multiply_phase(const std::vector<R>& v) {
    c_.set_field(set_prop_->kernel(), "v", v.data());
    (*set_prop_)->set("dt", s_.propagation.dt);
    c_.set_field(set_prop_->kernel(), "u", u_.data());
    set_prop_->run();
    (*set_prop_)->get("u", u_.data(), {c_.n[0], c_.n[1], c_.n[2]});
    c_.set_field(pot_prop_.kernel(), "u", u_.data());
    pot_prop_.run();
  }

  // Step n of the last advance. The kernel's current is with A of the middle of the step; its change to the
  // end of it is that of free electrons, by the sum rule.
  void record(Track& track, int64_t n) const {
    const double end = time_of(track.steps() + 1);
    const double* r = &dipole_[static_cast<size_t>(4 * n)];
    track.dipole.push_back({r[0], r[1], r[2]});
    track.electrons.push_back(r[3]);
    Vec3 j{};
    if (s_.propagation.velocity_gauge) {
      const Vec3 A = potential_at(s_, run_, end);
      for (size_t d = 0; d < 3; ++d)
        j[d] = current_[static_cast<size_t>(3 * n) + d] +
               sum_rule_[d] * (A[d] - drive_[static_cast<size_t>(3 * n) + d]);
    }
    track.current.push_back(j);
  }

  // -int E.j dt over the steps from `step` on.
  double work_since(const Track& track, int64_t step) const {
    if (s_.excitation != Excitation::laser) return 0;
    double sum = 0;
    for (int64_t n = step; n < track.steps(); ++n) {
      const Vec3 E = mean_field(s_, run_, time_of(n));
      for (size_t d = 0; d < 3; ++d) {
        const size_t i = static_cast<size_t>(n);
        sum -= E[d] * (s_.propagation.velocity_gauge
                           ? s_.propagation.dt * (track.current[i][d] + track.current[i + 1][d]) / 2
                           : track.dipole[i + 1][d] - track.dipole[i][d]);
      }
    }
    return sum;
  }

  const Settings& s_;
  const app::Communicator& world_;
  Vec3 sum_rule_;
  Constants<R> c_;
  Device device_;
  TimedKernel propagate_, rho_kernel_, pot_prop_;
  Energy<R> energy_;
  std::optional<TimedKernel> field_, wave_, vxc_kernel_, v_kernel_, set_prop_;
  Array<std::complex<R>> psi_;
  std::vector<R> rho_, vH_, zero_, vxc_, v_, v_before_;
  std::vector<std::complex<R>> u_;
  std::vector<double> drive_, dipole_, current_;
  std::array<double, 4> spare_{};
  int run_ = 0;
};

}  // namespace

std::unique_ptr<Propagation> make_propagation(const Settings& settings, const GroundState& system,
                                              const Vec3& sum_rule, const app::Context& context) {
  if (settings.propagation.single)
    return std::make_unique<Orbitals<float>>(settings, system, sum_rule, context);
  return std::make_unique<Orbitals<double>>(settings, system, sum_rule, context);
}

Vec3 sum_rule(const Settings& settings, const GroundState& g, const app::Context& context) {
  const Constants<double> constants(settings.system.grid, g, context.world);
  const Device device = device_of("lfd.calc_energy", context.implementation);
  Energy<double> energy(constants, "none", context.implementation, device);
  Array<std::complex<double>> psi(device,
                                  {constants.share.held(), constants.n[0], constants.n[1], constants.n[2]});
  psi.upload(part_of<double>(g.psi, constants.share));
  const std::vector<double> nothing(2 * settings.system.grid.size(), 0.0),
      rho(settings.system.grid.size(), 0.0);
  const auto at = [&](int d, double A) {
    Vec3 vector{};
    vector[static_cast<size_t>(d)] = A;
    const auto parts = energy(psi.array(), nothing, rho, vector, context.world);
    return parts[0] + parts[2];
  };
  Vec3 sums{};
  const double still = at(0, 0);
  for (int d = 0; d < 3; ++d) {
    if (settings.system.grid.points[static_cast<size_t>(d)] == 1) continue;
    // Second differences with the steps a and 2a, extrapolated: what is left is of order (a h)^4.
    const double a = 0.02;
    const double fine = (at(d, a) - 2 * still + at(d, -a)) / (a * a);
    const double coarse = (at(d, 2 * a) - 2 * still + at(d, -2 * a)) / (4 * a * a);
    sums[static_cast<size_t>(d)] = (4 * fine - coarse) / 3;
  }
  return sums;
}

}  // namespace suite::tddft
