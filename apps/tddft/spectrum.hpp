// SPDX-License-Identifier: BSD-3-Clause
// Absorption spectrum from the motion of the electrons after a kick. Hartree atomic units.
//
// A field K delta(t) gives every electron the momentum -K. With r(t) = int r rho along K, the dynamical polarisability and the dipole
// strength function are
//   alpha(w) = -(1/K) int_0^T [r(t) - r(0)] e^{iwt} f(t) dt
//   S(w) = (2w/pi) Im alpha(w),   int_0^oo S dw = N
// and in a crystal of volume V, where only the current j = dr/dt is defined,
//   V sigma(w) = -(1/K) int_0^T j(t) e^{iwt} f(t) dt
//   S(w) = (2/pi) Re V sigma(w),   eps = 1 + 4 pi i sigma/w.
// Of an insulator j(t) is a sum of cosines. A sum over too few k points leaves a constant c besides, since its effective masses do not add up to
// zero, and with it 4 pi c/(K V w^2) in eps. c is the mean of j weighted with x^2 (1-x)^2, x = t/T, which lines beyond a few 2 pi/T hardly
// reach. Where it is taken out, eps is that of the polarisation,
//   V chi(w) = -(1/K) int_0^T [int_0^t (j - c) dt'] e^{iwt} f(t) dt,   eps = 1 + 4 pi chi,
// which window and broadening leave finite at w = 0; 4 pi i sigma/w diverges there, with whatever they leave of Re sigma.
// The window f(t) = (1 - 3x^2 + 2x^3) exp(-broadening t), x = t/T (Yabana and Bertsch, Phys. Rev. B 54, 4484 (1996)), turns every
// excitation into a line of known shape and width 2 pi/T, so that its energy and strength can be fitted to better than the width.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "settings.hpp"

namespace suite::tddft {

enum class Observable { dipole, current };

// Motion along the kick divided by -K: g(n) at t = n dt, n = 0..N.
struct Response {
  Observable observable = Observable::dipole;
  double dt = 0;
  std::vector<double> g;
  double duration() const { return dt * static_cast<double>(g.size() - 1); }
};

struct Peak {
  double energy = 0;  // Ha
  double strength = 0;  // dipole strength: number of electrons of the line
  bool fitted = false;  // false: the fit failed; taken from the maximum and its height
};

struct Spectrum {
  std::vector<double> energy;  // Ha
  std::vector<std::complex<double>> response;  // alpha, bohr^3; or V sigma, bohr^3 Ha/hbar
  std::vector<double> strength;  // S, 1/Ha
  std::vector<std::complex<double>> chi;  // V chi, bohr^3; empty unless the persistent current was taken out
  double persistent = 0;  // of a current: what persists of it, -c/K, in electrons
  std::vector<Peak> peaks;  // sorted by energy
  double sum_in_range = 0;  // int S dw over `energy`
  double sum = 0;  // over all energies, from the short-time response to the kick
  double resolution = 0;  // smallest separation of two resolved lines, Ha
};

// settings.persistent automatic is as keep.
Spectrum spectrum(const Response& response, const SpectrumSettings& settings);

// eps at energy[i] of a crystal of this volume (bohr^3); NaN at 0 if the persistent current was kept.
std::complex<double> dielectric(const Spectrum& spectrum, double volume, size_t i);

// Light that the electrons send out while a laser drives them: Larmor's energy per photon energy, S(w) = 2/(3 pi c^3) |a(w)|^2 with
// a(w) = int_0^T f(t) d^2/dt^2 [int r rho] e^{iwt} dt, taken as -w^2 times the transform of the dipole or -iw times that of the current.
// (Of a crystal: of one cell, as if its light did not meet that of others.)
struct Emission {
  std::vector<double> energy;  // Ha
  std::vector<Vec3> intensity;  // S of the light polarised along x, y, z, in Ha per Ha
  struct Harmonic {
    int order;
    double energy;  // Ha: of that many photons
    double intensity;  // int S dw over the energies that are nearer to it than to another order, Ha
  };
  std::vector<Harmonic> harmonics;
};
Emission emission(const std::array<Response, 3>& motion, double photon_energy, const SpectrumSettings& settings);

// int_0^T f(t) e^{i w t} dt
std::complex<double> window_transform(double w, double duration, const SpectrumSettings& settings);

// S of one excitation of strength 1 at `energy`, convolved with the window.
double line_shape(double w, double energy, Observable observable, double duration, const SpectrumSettings& settings);

}  // namespace suite::tddft
