// SPDX-License-Identifier: BSD-3-Clause
// The sizes that generate() understands: keys, named sizes and the sizes that tests walk through.
#pragma once

#include <cstdint>
#include <string_view>

namespace suite::qmc {

inline constexpr const char* lattices[] = {"sc", "fcc", "bcc", "triclinic", "turned", nullptr};
enum Cell : int64_t { sc, fcc, bcc, triclinic, turned };

struct Size {
  int64_t lattice = sc, nup = 7, ndn = 7, both = 0, nwalker = 1, npos = 0, one = 0;
  int64_t nset_u = 2, nset_p = 1, nalpha = 7, truncation = 0, ngvec = 28, u = 1, p = 1, rhok = 0;
  int64_t energy = 1, total = 1, field = 0, gradient = 1, derivatives = 0, accept = 0, charge = 0, ions = 0;
  int64_t norb = 0, Nx = 6, Ny = 5, Nz = 4, single = 0, nfrom = 5, nto = 6;
  int64_t kmax = 0, waiting = 0, nupdate = 3, flush = 0, ordered = 0;
  int64_t nsweep = 0, nslot = 0, ncarry = 3;
  int64_t nbeta = 5, nspin = 1, nset = 2, cusp = 0;  // of chi
  int64_t nf_en = 4, nf_ee = 4, nset_f = 2;          // of f
  int64_t nion = 3, zeta = 2, at_ion = 0, open = 0;  // zeta: of the basis, as in cc-pVDZ (2), cc-pVTZ (3)
  int64_t npoint = 12, mpair = 0, lmax = 2, turn = 1, ratio = 1;  // of pseudopotentials; mpair 0: nion
  int64_t ewald_list = 0;  // not a key: 1 where gvec is the list of an Ewald sum
  int64_t signs = 0;       // 1: every third vector of the lists is the opposite one; powers of pseudopotentials are negative
  double cutoff = 0;
  double rs = 5, tau = 0.2, alimit = 0, ewald_alpha = 0, ewald_tolerance = 0;

  int64_t netot() const { return nup + ndn; }
  // The basis of shells: every ion of odd number has one zeta less. Shells of one l; contracted primitives of one shell; of all ions.
  int64_t zeta_of(int64_t ion) const { return zeta - (ion % 2 && zeta > 0); }
  static int64_t shells(int64_t zeta_of_ion, int64_t l) { return l <= zeta_of_ion ? zeta_of_ion + 1 - l : 0; }
  static int64_t primitives(int64_t l, int64_t shell) { return l == 0 && shell < 2 ? 8 : l == 1 && shell == 0 ? 3 : 1; }
  int64_t terms() const { return 2 * (lmax + 1); }  // of the pseudopotential of a set
  template <class Of> int64_t over_shells(const Of& of) const {
    int64_t sum = 0;
    for (int64_t ion = 0; ion < nion; ++ion)
      for (int64_t l = 0; l <= zeta_of(ion); ++l)
        for (int64_t shell = 0; shell < shells(zeta_of(ion), l); ++shell) sum += of(l, shell);
    return sum;
  }
  int64_t waves() const;                         // wave vectors for the orbitals of both spins
  int64_t by_name(std::string_view word) const;  // an extent that is a key, or -1
  bool wants(std::string_view optional) const;   // whether an optional argument is set
};

// "small", "standard", "heg54", "heg678", "test:0", .. and pairs key=value that change them.
Size size_of(std::string_view kernel, std::string_view text);

}  // namespace suite::qmc
