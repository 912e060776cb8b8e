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
    using K = LocalEnergy;
    const Wavefunction psi = wavefunction_of<K>(arguments, form_);
    const Electrons& electrons = psi.electrons;
    const EwaldSums sums = sums_of(psi.lattice, arguments[K::ewald_alpha], arguments[K::ewald_tolerance]);
    const std::vector<double> charges(static_cast<size_t>(electrons.netot), -1.0);
    const View<double, 2> energy(arguments[K::energy]);
    const View<double, 3> velocity(arguments[K::velocity]);
    const View<double, 1> jastrow(arguments[K::jastrow]);
    for (int64_t w = 0; w < electrons.nwalker; ++w) {
      const double* const rele = numbers(arguments[K::rele]) + 3 * electrons.netot * w;
      double kei = 0, ti = 0, fisq = 0, J = 0;
      for (int64_t i = 0; i < electrons.netot; ++i) {
        const Local j = psi.jastrow({rele, i, rele + 3 * i}), d = slater(psi, arguments, i, w, rele + 3 * i);
        Vector v;
        for (int c = 0; c < 3; ++c) v.x[c] = d.gradient.x[c] + j.gradient.x[c];
        kei -=
            0.5 * (d.laplacian + 2 * dot(d.gradient, j.gradient) + j.laplacian + dot(j.gradient, j.gradient));
        ti -= 0.25 * (d.laplacian - dot(d.gradient, d.gradient) + j.laplacian);
        fisq += 0.5 * dot(v, v);
        J += 0.5 * j.value;
        for (int c = 0; c < 3 && velocity; ++c) velocity(c, i, w) = v.x[c];
      }
      const double ewald = ewald_total(psi.lattice, sums, electrons.netot, charges.data(), rele);
      const auto row = [&](Energy which) -> double& { return energy(static_cast<int>(which), w); };
      row(Energy::total) = kei + ewald;
      row(Energy::kei) = kei;
      row(Energy::ti) = ti;
      row(Energy::fisq) = fisq;
      row(Energy::ewald) = ewald;
      if (jastrow) jastrow(w) = J;
    }
  }

private:
  // grad_i D/D and lap_i D/D where electron i is: D(new)/D = 1 there.
  static Local slater(const Wavefunction& psi, const suite_array* arguments, int64_t i, int64_t w,
                      const double* r) {
    const int spin = psi.electrons.spin(i);
    const int64_t n = psi.electrons.count(spin);
    const double* const dbar = numbers(arguments[spin ? LocalEnergy::dbar_dn : LocalEnergy::dbar_up]);
    return slater_sum(psi.orbitals(spin, r), dbar + n * (i - psi.electrons.first(spin) + n * w));
  }
  Form form_;
};

}  // namespace

extern const suite_kernel_table local_energy_table;
constexpr suite_kernel_table local_energy_table = kernel_table<LocalEnergy, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
