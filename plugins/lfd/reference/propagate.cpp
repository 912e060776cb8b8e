// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate: whole time steps (lfd.hpp), one kernel after the other. vH as it is given belongs to the psi
// that is given; the density is made from psi. The field's forms loop, fused and closed are one and the same.
#include "kernels.hpp"

namespace suite::lfd::reference {
namespace {

class Propagation {
public:
  Propagation(const suite_array* arguments, const int64_t* p) : c_(arguments), g_(orbital_grid(c_.psi, c_.h.data())), choices_(p) {
    check_precision("psi", c_.psi, "vloc", c_.vloc);
    check_time_step(c_.dt, g_.h, g_.n, choices_.mass_correction, choices_.kinetic);
    constants_ = field_constants(g_, c_.wave);
    V_ = read_nonlocal(g_, c_.nonlocal);
    psi_ = read_orbitals(c_.psi);
    vloc_ = read_field(c_.vloc);
    vH_ = read_field(c_.vH);
    rho_ = compute_rho(psi_, g_, c_.f.data());
  }

  void run() {
    for (int64_t step = 0; step < c_.nsteps(); ++step) {
      Three drive;
      for (int d = 0; d < 3; ++d) drive.x[d] = c_.drive(d, step);
      const Three E = choices_.velocity ? Three{} : drive;
      const Momenta momenta{choices_.velocity ? drive : Three{}, c_.k.data()};
      one_step(E, momenta);
      write_dipole(step);
      if (c_.current) write_current(step, momenta);
    }
    write(psi_, c_.psi);
    write(vH_, c_.vH);
    write(rho_, c_.rho);
  }

private:
  void one_step(const Three& E, const Momenta& momenta) {
    potential(E);
    nlp_prop(psi_, g_, V_, momenta, c_.dt / 2, false);
    for (int d = 0; d < 3; ++d) kinetic(d, momenta);
    nlp_prop(psi_, g_, V_, momenta, c_.dt / 2, true);
    rho_ = compute_rho(psi_, g_, c_.f.data());
    field();
    potential(E);
  }

  void kinetic(int d, const Momenta& momenta) {
    if (choices_.fourier()) return fourier_prop(psi_, g_, d, c_.dt, momenta);
    const double theta = splitting_angle(c_.dt, g_.h[d], choices_.mass_correction);
    for (const Part part : {Part::half, Part::full, Part::half}) kin_prop(psi_, g_, d, part, theta, momenta);
  }

  // Half a step with v of the density and field as they are.
  void potential(const Three& E) {
    Field vxc, exc;
    compute_vxc(rho_, choices_.functional, vxc, exc);
    pot_prop(psi_, g_, set_prop(compute_v(g_, vloc_, vH_.data(), vxc.data(), E), c_.dt));
  }

  void field() {
    switch (choices_.field) {
      case lfd::Field::frozen: return;
      case lfd::Field::loop:
      case lfd::Field::fused:
      case lfd::Field::closed: return field_prop(g_, constants_, rho_, vH_.data(), vH_.data() + g_.points());
      case lfd::Field::spectral:
      case lfd::Field::isolated:
      case lfd::Field::continuum: vH_ = spectral_field_solve(rho_, g_, *solution_of(choices_.field)); vH_.resize(2 * vH_.size(), 0.0);
    }
  }

  void write_dipole(int64_t step) {
    double* const dipole = c_.dipole.data() + 4 * step;
    for (int i = 0; i < 4; ++i) dipole[i] = 0;
    for_each_point(g_, [&](const int64_t(&at)[3], int64_t i) {
      for (int d = 0; d < 3; ++d) dipole[d] += position(g_, d, at[d]) * rho_[i] * g_.volume_element();
      dipole[3] += rho_[i] * g_.volume_element();
    });
  }

  // i[T,r] of one bond, Im(psi_i* e^{i(A+k)h} psi_{i+1})/h.
  double current_of_bonds(int d, const Momenta& momenta) const {
    double sum = 0;
    for_each_point(g_, [&](const int64_t(&at)[3], int64_t i) {
      const int64_t next = neighbour(g_, at, d, 1);
      for (int64_t n = 0; n < g_.norb; ++n) {
        const Complex phase = std::polar(1.0, momenta(d, n) * g_.h[d]);
        sum +=
            c_.f.data()[n] * std::imag(std::conj(psi_[n + g_.norb * i]) * phase * psi_[n + g_.norb * next]) / g_.h[d] * g_.volume_element();
      }
    });
    return sum;
  }

  // i[V_nl,r] is, with c = <B|psi> and m = <B|(r - R)|psi>, -2 Im sum D_ij c_i* m_j.
  void write_current(int64_t step, const Momenta& momenta) {
    double* const current = c_.current.data() + 3 * step;
    const double* const f = c_.f.data();
    for (int d = 0; d < 3; ++d) {
      current[d] = 0;
      if (g_.n[d] > 1 && choices_.fourier()) {
        const auto velocity = [](const LineWave& wave, double kappa) { return wave.velocity(kappa); };
        const std::vector<double> velocities = fourier_sums(psi_, g_, d, momenta, velocity);
        for (int64_t n = 0; n < g_.norb; ++n) current[d] += f[n] * velocities[n];
      } else if (g_.n[d] > 1) {
        current[d] = current_of_bonds(d, momenta);
      }
      for (int64_t atom = 0; atom < V_.natom; ++atom)
        for (int64_t n = 0; n < g_.norb; ++n) {
          const std::vector<Complex> c = projections(g_, V_, momenta, psi_, n, atom);
          const std::vector<Complex> m = projections(g_, V_, momenta, psi_, n, atom, d);
          for (int64_t i = 0; i < V_.nproj; ++i)
            for (int64_t j = 0; j < V_.nproj; ++j)
              current[d] -= 2 * f[n] * V_.dnl[i + V_.nproj * (j + V_.nproj * atom)] * std::imag(std::conj(c[i]) * m[j]);
        }
    }
  }

  const Propagate c_;
  Grid g_;
  Choices choices_;
  FieldConstants constants_;
  Nonlocal V_;
  Orbitals psi_;
  Field vloc_, vH_, rho_;
};

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::field, parameter::functional, parameter::gauge, parameter::mass_correction,
                                                   parameter::kinetic};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : choices_(p, p + std::size(parameters)) {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Propagate::cost_with(a, Choices(p).kinetic, cost); }
  void execute(const suite_array* arguments) { Propagation(arguments, choices_.data()).run(); }

private:
  std::vector<int64_t> choices_;
};

}  // namespace

extern const suite_kernel_table propagate_table;
constexpr suite_kernel_table propagate_table = kernel_table<Propagate, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
