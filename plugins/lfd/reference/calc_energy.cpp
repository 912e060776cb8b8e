// SPDX-License-Identifier: BSD-3-Clause
// lfd.calc_energy. The kinetic energy is a sum over bonds, with the operator of the propagator:
//   <psi|T|psi> = sum_d sum_i |e^{i(A+k)h} psi_{i+1} - psi_i|^2/(2 h^2) dr
// or over waves.
#include <numeric>

#include "kernels.hpp"

namespace suite::lfd::reference {

std::vector<double> kinetic_energies(const Orbitals& psi, const Grid& g, const Momenta& momenta) {
  // In double, the rounding of a sum over some hundred thousand bonds, one after the other, would be the
  // largest error.
  std::vector<long double> energy(static_cast<size_t>(g.norb));
  for (int d = 0; d < 3; ++d) {
    if (g.n[d] == 1) continue;
    for_each_point(g, [&](const int64_t(&at)[3], int64_t i) {
      const int64_t next = neighbour(g, at, d, 1);
      for (int64_t n = 0; n < g.norb; ++n) {
        const Complex phase = std::polar(1.0, momenta(d, n) * g.h[d]);
        energy[n] += std::norm(phase * psi[n + g.norb * next] - psi[n + g.norb * i]) / (2 * g.h[d] * g.h[d]) * g.volume_element();
      }
    });
  }
  return {energy.begin(), energy.end()};
}

std::vector<double> kinetic_energies_of_waves(const Orbitals& psi, const Grid& g, const Momenta& momenta) {
  std::vector<double> energy(static_cast<size_t>(g.norb));
  for (int d = 0; d < 3; ++d) {
    const std::vector<double> along =
        fourier_sums(psi, g, d, momenta, [](const LineWave& wave, double kappa) { return wave.energy(kappa); });
    for (int64_t n = 0; n < g.norb; ++n) energy[n] += along[n];
  }
  return energy;
}

std::vector<double> nonlocal_energies(const Orbitals& psi, const Grid& g, const Nonlocal& V, const Momenta& momenta) {
  std::vector<double> energy(static_cast<size_t>(g.norb));
  for (int64_t atom = 0; atom < V.natom; ++atom)
    for (int64_t n = 0; n < g.norb; ++n) {
      const std::vector<Complex> c = projections(g, V, momenta, psi, n, atom);
      for (int64_t i = 0; i < V.nproj; ++i)
        for (int64_t j = 0; j < V.nproj; ++j) energy[n] += V.dnl[i + V.nproj * (j + V.nproj * atom)] * std::real(std::conj(c[i]) * c[j]);
    }
  return energy;
}

namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::functional, parameter::kinetic_of_energy};
  Reference(const suite_backend*, suite_queue*, const int64_t* p)
      : functional_(static_cast<Functional>(p[0])), kinetic_(static_cast<Kinetic>(p[1])) {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) {
    return CalcEnergy::cost_with(a, static_cast<Kinetic>(p[1]), cost);
  }

  void execute(const suite_array* arguments) {
    const CalcEnergy c(arguments);
    check_precision("psi", c.psi, "vloc", c.vloc);
    const Grid g = orbital_grid(c.psi, c.h.data());
    const Nonlocal V = read_nonlocal(g, c.nonlocal);
    const Momenta momenta{three_or_zero(c.A), c.k.data()};
    const Orbitals psi = read_orbitals(c.psi);
    const Field rho = read_field(c.rho);
    Field vxc, exc;
    compute_vxc(rho, functional_, vxc, exc);
    const std::vector<double> ekin =
        kinetic_ == Kinetic::fourier ? kinetic_energies_of_waves(psi, g, momenta) : kinetic_energies(psi, g, momenta);
    const std::vector<double> enl = nonlocal_energies(psi, g, V, momenta);

    const double *f = c.f.data(), dr = g.volume_element();
    const double parts[] = {
        std::inner_product(ekin.begin(), ekin.end(), f, 0.0),
        integral(read_field(c.vloc), rho) * dr,
        std::inner_product(enl.begin(), enl.end(), f, 0.0),
        0.5 * integral(read_field(c.vH), rho) * dr,
        integral(exc, rho) * dr,
    };
    std::copy(ekin.begin(), ekin.end(), c.ekin.data());
    std::copy(enl.begin(), enl.end(), c.enl.data());
    std::copy(std::begin(parts), std::end(parts), c.energy.data());
  }

private:
  static double integral(const Field& a, const Field& rho) { return std::inner_product(rho.begin(), rho.end(), a.begin(), 0.0); }
  Functional functional_;
  Kinetic kinetic_;
};

}  // namespace

extern const suite_kernel_table calc_energy_table;
constexpr suite_kernel_table calc_energy_table = kernel_table<CalcEnergy, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
