// SPDX-License-Identifier: BSD-3-Clause
// qmc.local_energy. With psi = exp(J) D:  lap_i psi/psi = lap_i D/D + 2 grad_i D/D . grad_i J + lap_i J +
// |grad_i J|^2,  and lap_i ln|psi| = lap_i D/D - |grad_i D/D|^2 + lap_i J.
#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::form};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : form_(static_cast<Form>(p[0])) {}

  void execute(const suite_array* arguments) {
    const LocalEnergy c(arguments);
    const Wavefunction psi = wavefunction_of(c, form_);
    const Electrons& electrons = psi.electrons;
    const EwaldSums sums = sums_of(psi.lattice, c.ewald_alpha, c.ewald_tolerance);
    const std::vector<double> charges(static_cast<size_t>(electrons.netot), -1.0);
    for (int64_t w = 0; w < electrons.nwalker; ++w) {
      const double* const rele = &c.rele(0, 0, w);
      double kei = 0, ti = 0, fisq = 0, J = 0;
      for (int64_t i = 0; i < electrons.netot; ++i) {
        const Local j = psi.jastrow({rele, i, rele + 3 * i}), d = slater(psi, c, i, w, rele + 3 * i);
        Vector v;
        for (int k = 0; k < 3; ++k) v.x[k] = d.gradient.x[k] + j.gradient.x[k];
        kei -= 0.5 * (d.laplacian + 2 * dot(d.gradient, j.gradient) + j.laplacian + dot(j.gradient, j.gradient));
        ti -= 0.25 * (d.laplacian - dot(d.gradient, d.gradient) + j.laplacian);
        fisq += 0.5 * dot(v, v);
        J += 0.5 * j.value;
        for (int k = 0; k < 3 && c.velocity; ++k) c.velocity(k, i, w) = v.x[k];
      }
      const double ewald = ewald_total(psi.lattice, sums, electrons.netot, charges.data(), rele);
      const auto row = [&](Energy which) -> double& { return c.energy(static_cast<int>(which), w); };
      row(Energy::total) = kei + ewald;
      row(Energy::kei) = kei;
      row(Energy::ti) = ti;
      row(Energy::fisq) = fisq;
      row(Energy::ewald) = ewald;
      if (c.jastrow) c.jastrow(w) = J;
    }
  }

private:
  // grad_i D/D and lap_i D/D where electron i is: D(new)/D = 1 there.
  static Local slater(const Wavefunction& psi, const LocalEnergy& c, int64_t i, int64_t w, const double* r) {
    const int spin = psi.electrons.spin(i);
    const auto& dbar = spin ? c.dbar_dn : c.dbar_up;
    return slater_sum(psi.orbitals(spin, r), &dbar(0, i - psi.electrons.first(spin), w));
  }
  Form form_;
};

}  // namespace

extern const suite_kernel_table local_energy_table;
constexpr suite_kernel_table local_energy_table = kernel_table<LocalEnergy, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
