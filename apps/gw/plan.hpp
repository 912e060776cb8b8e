// SPDX-License-Identifier: BSD-3-Clause
// What is to be computed: the files, checked against each other, and the list of (k,q) that the self-energy
// sums over.
#pragma once

#include "density.hpp"
#include "epsilon.hpp"
#include "symmetry.hpp"
#include "wavefunctions.hpp"

namespace suite::gw {

struct Plan {
  // Reads headers and density; fails where the files or the settings contradict each other.
  explicit Plan(const Settings& settings);

  // One external k and spin with its bands, from 0, end excluded. They cover whole degenerate sets, because the
  // symmetry-reduced sum over q is right only for the average over a set; so there may be more than the
  // settings ask for.
  struct External {
    int k = 0;  // of outer()
    int spin = 0;
    int first = 0, end = 0;
    int count() const { return end - first; }
  };
  // One (k,q): the internal states are at k - q = k_full[inner] + umklapp.
  struct Item {
    int external = 0, q = 0;  // q: of q_full
    int inner = 0;
    Miller umklapp{};
    double weight = 1;
  };

  Settings settings;
  Wavefunctions wavefunctions;
  std::optional<Wavefunctions> outer_file;  // wavefunctions_outer
  DensityFile density;
  InverseDielectric eps;
  FullGrid k_full, q_full;
  std::vector<External> externals;  // spins of a k follow each other
  std::vector<Item> items;  // those with the same screening follow each other, the largest matrices first
  std::vector<double> energy_shifts;  // E - E_nk at which Sigma is wanted, eV
  // Every image of a q has its own screening; otherwise one for each irreducible q serves all its images.
  bool screening_by_image = false;
  // The external states: Sigma is computed between them. The sum over states is one over `wavefunctions`.
  const Wavefunctions& outer() const { return outer_file ? *outer_file : wavefunctions; }
  int inner_k(const Item& item) const { return k_full[item.inner].irreducible; }
  // The number of an item's screening.
  int screening_of(const Item& item) const { return screening_by_image ? item.q : q_full[item.q].irreducible; }
  // What was read, before it was made symmetric; electrons, see asymmetry().
  double density_asymmetry = 0;
  bool density_breaks_symmetry() const { return !(density_asymmetry <= tolerated_asymmetry); }
  static constexpr double tolerated_asymmetry = 1e-5;  // files hold 1e-8 and less

  // Numbers of a matrix element: 1 where the files are of the real flavour and the translations of all operations are halves of lattice vectors, so
  // that the phases of images are 1 or -1.
  int parts = 2;

  void require_outer_levels() const;
  double bare_cutoff() const { return wavefunctions.cutoff(); }
  int largest_external() const;
  std::string system() const;  // "2 atoms, 8 electrons"
  // What was done about a density that breaks the symmetry, one sentence.
  std::string density_sentence() const;
  // Of bands from 0: external ones with corrections and without, and internal ones with corrections.
  double external_eV(const External& e, int band) const { return outer().energy(e.k, band, e.spin) * rydberg_eV; }
  double mean_field_eV(const External& e, int band) const { return outer().mean_field(e.k, band, e.spin) * rydberg_eV; }
  double internal_eV(const Item& item, int band) const { return wavefunctions.energy(inner_k(item), band, spin_of(item)) * rydberg_eV; }
  // Of an item, and of its internal states: the bands up to the last that holds electrons, and how many one of them holds.
  int spin_of(const Item& item) const { return externals[static_cast<size_t>(item.external)].spin; }
  int occupied_of(const Item& item) const { return wavefunctions.levels().occupied_at(inner_k(item), spin_of(item)); }
  double occupation_of(const Item& item, int band) const { return wavefunctions.levels().occupation(inner_k(item), band, spin_of(item)); }
};

// E - E_nk at which Sigma is wanted, eV.
std::vector<double> energy_shifts_of(const Settings& settings);

// What can be wrong with the bands and the k points that an input asks for: a Failure of each.
// Partly filled bands, or none, are those of another kind of crystal than `screening` says.
void require_screening(const Settings& settings, const Wavefunctions& wavefunctions);
// A sum over bands 1 to `nbands` must hold the occupied ones and whole degenerate sets.
void require_band_sum(int nbands, const Wavefunctions& wavefunctions);
// Of these and of the next function the file is that of the external states.
void require_bands(const Settings& settings, const Wavefunctions& wavefunctions);
// Those wanted, as numbers of the file's: k and k + G are one.
std::vector<int> chosen_kpoints(const Settings& settings, const Wavefunctions& wavefunctions);
// The file of external states, without which there are those of `wavefunctions`. They are of the same crystal, but of a Hamiltonian of their own.
std::optional<Wavefunctions> open_outer(const Settings& settings);
void require_same_kind(const Wavefunctions& outer, const Wavefunctions& inner);

}  // namespace suite::gw
