// SPDX-License-Identifier: BSD-3-Clause
#include "propagate.hpp"

namespace suite::lfd {

template <class T>
PropagateCall<T>::PropagateCall(const Choices& chosen, const suite_array* a)
    : choices(chosen),
      grid(orbital_grid(a[Propagate::psi], static_cast<const double*>(a[Propagate::h].data))),
      psi(static_cast<std::complex<T>*>(a[Propagate::psi].data)),
      f(static_cast<const double*>(a[Propagate::f].data)),
      k(static_cast<const double*>(a[Propagate::k].data)),
      drive(static_cast<const double*>(a[Propagate::drive].data)),
      vloc(static_cast<const T*>(a[Propagate::vloc].data)),
      vH(static_cast<T*>(a[Propagate::vH].data)),
      rho(static_cast<T*>(a[Propagate::rho].data)),
      dt(*static_cast<const double*>(a[Propagate::dt].data)),
      nsteps(a[Propagate::drive].extent[1]),
      field(field_constants(grid, a[Propagate::kappa], a[Propagate::gamma], a[Propagate::field_steps])),
      spheres(grid, a[Propagate::nlpoint], a[Propagate::nldisp], a[Propagate::beta], a[Propagate::dnl],
              dt / 2, chosen.velocity || k),
      dipole(static_cast<double*>(a[Propagate::dipole].data)),
      current(static_cast<double*>(a[Propagate::current].data)) {
  check_precision("psi", a[Propagate::psi], "vloc", a[Propagate::vloc]);
  check_time_step(dt, grid.h, grid.n, choices.mass_correction);
}

template struct PropagateCall<float>;
template struct PropagateCall<double>;

}  // namespace suite::lfd
