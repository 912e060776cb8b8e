// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate: whole time steps (lfd.hpp), one kernel after the other. vH as it is given belongs to the psi
// that is given; the density is made from psi. The field's forms loop, fused and closed are one and the same.
#include "kernels.hpp"

namespace suite::lfd::reference {
namespace {

class Propagation {
public:
  Propagation(const suite_array* arguments, const int64_t* p)
      : a_(arguments),
        g_(orbital_grid(arguments[K::psi], numbers(arguments[K::h]))),
        field_(static_cast<lfd::Field>(p[0])),
        functional_(static_cast<Functional>(p[1])),
        velocity_gauge_(p[2] != 0),
        mass_correction_(p[3] != 0),
        dt_(*numbers(arguments[K::dt])) {
    check_precision("psi", a_[K::psi], "vloc", a_[K::vloc]);
    check_time_step(dt_, g_.h, g_.n, mass_correction_);
    constants_ = field_constants(g_, a_[K::kappa], a_[K::gamma], a_[K::field_steps]);
    V_ = read_nonlocal(g_, a_[K::nlpoint], a_[K::nldisp], a_[K::beta], a_[K::dnl]);
    psi_ = read_orbitals(a_[K::psi]);
    vloc_ = read_field(a_[K::vloc]);
    vH_ = read_field(a_[K::vH]);
    rho_ = compute_rho(psi_, g_, numbers(a_[K::f]));
  }

  void run() {
    for (int64_t step = 0; step < a_[K::drive].extent[1]; ++step) {
      Three drive;
      for (int d = 0; d < 3; ++d) drive.x[d] = numbers(a_[K::drive])[d + 3 * step];
      const Three E = velocity_gauge_ ? Three{} : drive;
      const Momenta momenta{velocity_gauge_ ? drive : Three{}, numbers(a_[K::k])};
      one_step(E, momenta);
      write_dipole(step);
      if (a_[K::current].data) write_current(step, momenta);
    }
    write_orbitals(psi_, a_[K::psi]);
    write_field(vH_, a_[K::vH]);
    write_field(rho_, a_[K::rho]);
  }

private:
  using K = Propagate;

  void one_step(const Three& E, const Momenta& momenta) {
    potential(E);
    nlp_prop(psi_, g_, V_, momenta, dt_ / 2, false);
    for (int d = 0; d < 3; ++d) {
      const double theta = splitting_angle(dt_, g_.h[d], mass_correction_);
      for (const Part part : {Part::half, Part::full, Part::half})
        kin_prop(psi_, g_, d, part, theta, momenta);
    }
    nlp_prop(psi_, g_, V_, momenta, dt_ / 2, true);
    rho_ = compute_rho(psi_, g_, numbers(a_[K::f]));
    field();
    potential(E);
  }

  // Half a step with v of the density and field as they are.
  void potential(const Three& E) {
    Field vxc, exc;
    compute_vxc(rho_, functional_, vxc, exc);
    pot_prop(psi_, g_, set_prop(compute_v(g_, vloc_, vH_.data(), vxc.data(), E), dt_));
  }

  void field() {
    switch (field_) {
      case lfd::Field::frozen:
        return;
      case lfd::Field::loop:
      case lfd::Field::fused:
      case lfd::Field::closed:
        return field_prop(g_, constants_, rho_, vH_.data(), vH_.data() + g_.points());
      case lfd::Field::spectral:
      case lfd::Field::isolated:
        vH_ = spectral_field_solve(
            rho_, g_, field_ == lfd::Field::spectral ? Laplacian::differences : Laplacian::isolated);
        vH_.resize(2 * vH_.size(), 0.0);
    }
  }

  void write_dipole(int64_t step) {
    double* const dipole = static_cast<double*>(a_[K::dipole].data) + 4 * step;
    for (int i = 0; i < 4; ++i) dipole[i] = 0;
    for_each_point(g_, [&](const int64_t(&at)[3], int64_t i) {
      for (int d = 0; d < 3; ++d) dipole[d] += position(g_, d, at[d]) * rho_[i] * g_.volume_element();
      dipole[3] += rho_[i] * g_.volume_element();
    });
  }

  // i[T,r] of one bond is Im(psi_i* e^{i(A+k)h} psi_{i+1})/h; of V_nl, with c = <B|psi> and m = <B|(r -
  // R)|psi>, -2 Im sum D_ij c_i* m_j.
  void write_current(int64_t step, const Momenta& momenta) {
    double* const current = static_cast<double*>(a_[K::current].data) + 3 * step;
    const double* const f = numbers(a_[K::f]);
    for (int d = 0; d < 3; ++d) {
      current[d] = 0;
      if (g_.n[d] > 1)
        for_each_point(g_, [&](const int64_t(&at)[3], int64_t i) {
          const int64_t next = neighbour(g_, at, d, 1);
          for (int64_t n = 0; n < g_.norb; ++n) {
            const Complex phase = std::polar(1.0, momenta(d, n) * g_.h[d]);
            current[d] += f[n] *
                          std::imag(std::conj(psi_[n + g_.norb * i]) * phase * psi_[n + g_.norb * next]) /
                          g_.h[d] * g_.volume_element();
          }
        });
      for (int64_t atom = 0; atom < V_.natom; ++atom)
        for (int64_t n = 0; n < g_.norb; ++n) {
          const std::vector<Complex> c = projections(g_, V_, momenta, psi_, n, atom);
          const std::vector<Complex> m = projections(g_, V_, momenta, psi_, n, atom, d);
          for (int64_t i = 0; i < V_.nproj; ++i)
            for (int64_t j = 0; j < V_.nproj; ++j)
              current[d] -=
                  2 * f[n] * V_.dnl[i + V_.nproj * (j + V_.nproj * atom)] * std::imag(std::conj(c[i]) * m[j]);
        }
    }
  }

  const suite_array* a_;
  Grid g_;
  lfd::Field field_;
  Functional functional_;
  bool velocity_gauge_, mass_correction_;
  double dt_;
  FieldConstants constants_;
  Nonlocal V_;
  Orbitals psi_;
  Field vloc_, vH_, rho_;
};

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::field, parameter::functional, parameter::gauge,
                                                   parameter::mass_correction};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : choices_(p, p + std::size(parameters)) {}
  void execute(const suite_array* arguments) { Propagation(arguments, choices_.data()).run(); }

private:
  std::vector<int64_t> choices_;
};

}  // namespace

extern const suite_kernel_table propagate_table;
constexpr suite_kernel_table propagate_table = kernel_table<Propagate, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
