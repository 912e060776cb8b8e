// SPDX-License-Identifier: BSD-3-Clause
#include "propagate.hpp"

namespace suite::lfd {

template <class T>
PropagateCall<T>::PropagateCall(const Choices& chosen, const Propagate& c)
    : choices(chosen),
      grid(orbital_grid(c.psi, c.h.data())),
      psi(c.psi.as<complex_of<T>>().data()),
      f(c.f.data()),
      k(c.k.data()),
      drive(c.drive.data()),
      vloc(c.vloc.as<real_of<T>>().data()),
      vH(c.vH.as<real_of<T>>().data()),
      rho(c.rho.as<real_of<T>>().data()),
      dt(c.dt),
      nsteps(c.nsteps()),
      field(field_constants(grid, c.wave)),
      spheres(grid, c.nonlocal, dt / 2, chosen.velocity || k),
      dipole(c.dipole.data()),
      current(c.current.data()) {
  check_precision("psi", c.psi, "vloc", c.vloc);
  check_time_step(dt, grid.h, grid.n, choices.mass_correction, choices.kinetic);
}

template struct PropagateCall<float>;
template struct PropagateCall<double>;

}  // namespace suite::lfd
