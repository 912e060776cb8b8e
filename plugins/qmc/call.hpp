// SPDX-License-Identifier: BSD-3-Clause
// What every implementation checks before it computes, with the same sentences, and the sizes it reads off
// the arguments. Pointers are to host memory: an implementation on a device fetches the few numbers of cell,
// nele, and the lists of G first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "jastrow.hpp"
#include "lattice.hpp"
#include "qmc.hpp"
#include "text.hpp"

namespace suite::qmc {

[[noreturn]] inline void refuse(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }
// An element in a sentence; i from 0.
inline std::string element(const char* name, size_t i) { return concat(name, "(", i + 1, ")"); }

// Electrons by spin: the first up[...] of them are spin up.
struct Electrons {
  int64_t netot = 0, nup = 0, nwalker = 1;
  int spin(int64_t i) const { return i >= nup; }
  int64_t count(int spin) const { return spin ? netot - nup : nup; }
  int64_t first(int spin) const { return spin ? nup : 0; }
};

inline Electrons electrons_of(const suite_array& rele, const int32_t* nele) {
  const Electrons e{rele.extent[1], nele[0], rele.extent[2]};
  if (nele[0] < 0 || nele[1] < 0 || nele[0] + nele[1] != e.netot)
    throw Failure(SUITE_INVALID_ARGUMENT, "nele is " + text_of(int64_t{nele[0]}) + ", " + text_of(int64_t{nele[1]}) + " but rele has " +
                                              text_of(e.netot) + " electrons");
  return e;
}

// One electron at npos positions, or all where they are (ie and rnew unset). `which` is from 0.
struct Moved {
  bool one = false;
  int64_t which = 0, npos = 0;
  int64_t electron(int64_t position) const { return one ? which : position; }
};

template <class Call> Moved moved_of(const Call& c, int64_t npos) {
  const int64_t netot = c.netot();
  Moved moved;
  moved.one = c.ie.is_set();
  moved.npos = npos;
  if (moved.one != bool(c.rnew))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  moved.one ? "ie is set but rnew is not; a move needs both" : "rnew is set but ie is not; a move needs both");
  if (!moved.one) {
    if (npos != netot)
      throw Failure(SUITE_INVALID_ARGUMENT, "npos is " + text_of(npos) + "; with ie unset it must be netot, " + text_of(netot));
    return moved;
  }
  moved.which = c.ie - 1;
  if (moved.which < 0 || moved.which >= netot)
    throw Failure(SUITE_INVALID_ARGUMENT, "ie is " + text_of(moved.which + 1) + "; the electrons are 1 to " + text_of(netot));
  return moved;
}

// The u term of a call.
struct UTerm {
  Form form = Form::polynomial;
  int64_t nalpha = 0;
  int nset = 0, C = 3;
  double L = 0;
  bool there() const { return nalpha > 0; }
};

template <class Call> UTerm u_term(Form form, const Call& c, const Lattice& lattice) {
  UTerm u;
  u.form = form;
  u.nalpha = c.alpha.extent(0);
  u.nset = static_cast<int>(std::min<int64_t>(c.alpha.extent(1), 4));
  u.L = c.L_u;
  u.C = c.truncation;
  if (u.nset > 3)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "nset_u is " + text_of(c.alpha.extent(1)) + " in alpha; it must be one of 1, 2 (parallel, antiparallel), 3");
  if (u.form == Form::bspline && u.nalpha < 4)
    throw Failure(SUITE_INVALID_ARGUMENT, "nalpha is " + text_of(u.nalpha) + " in alpha; a cubic B-spline needs at least 4 coefficients");
  if (u.form == Form::polynomial && u.C != 2 && u.C != 3)
    throw Failure(SUITE_INVALID_ARGUMENT, "truncation is " + text_of(int64_t{u.C}) + "; it must be one of 2, 3");
  if (!(u.L > 0) || !(u.L <= lattice.inscribed_radius * (1 + 1e-9)))
    throw Failure(SUITE_INVALID_ARGUMENT, "L_u is " + text_of(u.L) +
                                              " bohr; it must be positive and at most the inscribed radius of the "
                                              "Wigner-Seitz cell, " +
                                              text_of(lattice.inscribed_radius));
  return u;
}

// A list of vectors, one of each +-, without 0: `name` is gvec or kvec.
inline void check_vectors(const char* name, const int32_t* n, int64_t count) {
  struct Key {
    int32_t n[3];
    int64_t where;
    bool operator<(const Key& other) const { return std::lexicographical_compare(n, n + 3, other.n, other.n + 3); }
    bool same(const Key& other) const { return std::equal(n, n + 3, other.n); }
  };
  std::vector<Key> keys;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t* const v = n + 3 * i;
    const auto element = [&] { return std::string(name) + "(:," + text_of(i + 1) + ")"; };
    for (int d = 0; d < 3; ++d)
      if (std::abs(int64_t{v[d]}) > 1000)
        throw Failure(SUITE_INVALID_ARGUMENT,
                      element() + " has the component " + text_of(int64_t{v[d]}) + "; components must be from -1000 to 1000");
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) throw Failure(SUITE_INVALID_ARGUMENT, element() + " is 0; the list must not contain 0");
    const int sign = v[0] < 0 || (v[0] == 0 && (v[1] < 0 || (v[1] == 0 && v[2] < 0))) ? -1 : 1;
    keys.push_back({{sign * v[0], sign * v[1], sign * v[2]}, i});
  }
  std::stable_sort(keys.begin(), keys.end());
  for (size_t i = 1; i < keys.size(); ++i)
    if (keys[i].same(keys[i - 1]))
      throw Failure(SUITE_INVALID_ARGUMENT, std::string(name) + "(:," + text_of(keys[i].where + 1) + ") is " + name + "(:," +
                                                text_of(keys[i - 1].where + 1) +
                                                ") or its opposite; the list must have one of each pair +-");
}

// The p term of a call.
struct PTerm {
  int64_t ngvec = 0, nstar = 0;
  int nset = 0;
  bool there() const { return ngvec > 0; }
};

// gvec and star: those of the call, on the host.
template <class Call> PTerm p_term(const Call& c, const int32_t* gvec, const int32_t* star) {
  PTerm p;
  p.ngvec = c.ngvec();
  p.nstar = c.a.extent(0);
  p.nset = static_cast<int>(std::min<int64_t>(c.a.extent(1), 4));
  if (c.star.extent(0) != p.ngvec)
    throw Failure(SUITE_INVALID_ARGUMENT, "ngvec is " + text_of(p.ngvec) + " in gvec but " + text_of(c.star.extent(0)) + " in star");
  if (p.nset > 3)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "nset_p is " + text_of(c.a.extent(1)) + " in a; it must be one of 1, 2 (parallel, antiparallel), 3");
  check_vectors("gvec", gvec, p.ngvec);
  for (int64_t i = 0; i < p.ngvec; ++i)
    if (star[i] < 1 || star[i] > p.nstar)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    "star(" + text_of(i + 1) + ") is " + text_of(int64_t{star[i]}) + "; a has the stars 1 to " + text_of(p.nstar));
  return p;
}

// A copy of an array argument on the host.
template <class Argument> auto copy_of(const Argument& argument) {
  const suite_array& array = argument;
  int64_t count = 1;
  for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
  return std::vector<std::decay_t<decltype(*argument.data())>>(argument.data(), argument.data() + count);
}

// Arguments that go together: all of them are set, or none.
struct Together {
  const char* name;
  bool set;
};
inline bool all_or_none(std::initializer_list<Together> group, const char* rule) {
  const char *set = nullptr, *unset = nullptr;
  for (const Together& t : group) (t.set ? set : unset) = t.name;
  if (set && unset) throw Failure(SUITE_INVALID_ARGUMENT, std::string(set) + " is set but " + unset + " is not; " + rule);
  return set != nullptr;
}
// The u and the p term of qmc.sweep and qmc.local_energy.
template <class Call> bool has_u(const Call& c) {
  const bool there = all_or_none({{"alpha", bool(c.alpha)}, {"L_u", c.L_u.is_set()}}, "a u term needs both alpha and L_u");
  if (!there && c.truncation.is_set())
    throw Failure(SUITE_INVALID_ARGUMENT, "truncation is set but alpha is not; it is part of the u term");
  return there;
}
template <class Call> bool has_p(const Call& c) {
  return all_or_none({{"gvec", bool(c.gvec)}, {"star", bool(c.star)}, {"a", bool(c.a)}}, "a p term needs all of gvec, star and a");
}
template <class Call> bool has_delayed(const Call& c) {
  return all_or_none({{"delayed_phi", bool(c.delayed_phi)},
                      {"delayed_dbar", bool(c.delayed_dbar)},
                      {"delayed_binv", bool(c.delayed_binv)},
                      {"delayed_electron", bool(c.delayed_electron)}},
                     "delayed updates need all of delayed_phi, delayed_dbar, delayed_binv and "
                     "delayed_electron");
}

// norb orbitals of nkvec wave vectors.
inline void check_orbitals(int64_t norb, int64_t nkvec, const int32_t* kvec) {
  if (norb > 1 + 2 * nkvec)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "norb is " + text_of(norb) + "; " + text_of(nkvec) + " vectors kvec make " + text_of(1 + 2 * nkvec) + " orbitals");
  check_vectors("kvec", kvec, nkvec);
}

// The inverse Slater matrix of a spin is there where there are electrons of it, and of their number.
template <class Call> void check_dbar(const Electrons& electrons, const Call& c) {
  for (int spin = 0; spin < 2; ++spin) {
    const auto& dbar = spin ? c.dbar_dn : c.dbar_up;
    const std::string name = spin ? "dbar_dn" : "dbar_up", count = spin ? "nele(2)" : "nele(1)";
    const int64_t n = electrons.count(spin);
    if (dbar && dbar.extent(0) != n)
      throw Failure(SUITE_INVALID_ARGUMENT, count + " is " + text_of(n) + " but " + name + " is for " + text_of(dbar.extent(0)));
    if (!dbar && n > 0) throw Failure(SUITE_INVALID_ARGUMENT, count + " is " + text_of(n) + " but " + name + " is unset");
  }
}

// A window of delayed updates of one walker: how many wait, and their electrons, from 1, no one twice.
inline void check_window(const int32_t* delayed_electron, int64_t kmax, int64_t n, int64_t walker) {
  const auto of_walker = [&] { return " of walker " + text_of(walker + 1); };
  const int64_t count = delayed_electron[0];
  if (count < 0 || count > kmax)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "delayed_electron(1)" + of_walker() + " is " + text_of(count) + "; the window holds at most " + text_of(kmax));
  for (int64_t l = 1; l <= count; ++l) {
    const int64_t electron = delayed_electron[l];
    if (electron < 1 || electron > n)
      throw Failure(SUITE_INVALID_ARGUMENT, "delayed_electron(" + text_of(l + 1) + ")" + of_walker() + " is " + text_of(electron) +
                                                "; the electrons are 1 to " + text_of(n));
    for (int64_t m = 1; m < l; ++m)
      if (delayed_electron[m] == electron)
        throw Failure(SUITE_INVALID_ARGUMENT,
                      "delayed_electron" + of_walker() + " has electron " + text_of(electron) + " twice; a window must contain each once");
  }
}

// An electron of this spin, from 1, as slater_ratio and slater_update take it.
inline void check_electron(const std::string& element, int64_t electron, int64_t n, bool none_allowed) {
  if (electron < (none_allowed ? 0 : 1) || electron > n)
    throw Failure(SUITE_INVALID_ARGUMENT, element + " is " + text_of(electron) + "; the electrons of this spin are 1 to " + text_of(n) +
                                              (none_allowed ? ", and 0 is no move" : ""));
}

// qmc.ewald: where npos is, and what is asked for.
inline Moved check_ewald(const Ewald& c) {
  if (!c.energy && !c.field && !c.total) throw Failure(SUITE_INVALID_ARGUMENT, "none of energy, total and field is set; set at least one");
  if (c.ie.is_set() && c.total)
    throw Failure(SUITE_INVALID_ARGUMENT, "ie and total are set; total is the energy of the cell without a move");
  all_or_none({{"gvec", bool(c.gvec)}, {"rhok", bool(c.rhok)}}, "gvec and rhok must be set together");
  return moved_of(c, c.energy ? c.energy.extent(0) : c.field ? c.field.extent(1) : c.netot());
}

// qmc.structure_factor: of all electrons, or a move of one.
inline Moved check_structure_factor(const StructureFactor& c) {
  if (const int64_t channels = c.nchannel(); channels != 1 && channels != 2)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "nchannel is " + text_of(channels) + " in rhok; it must be one of 1 (all electrons), 2 (by spin)");
  else if (channels == 2 && c.charge)
    throw Failure(SUITE_INVALID_ARGUMENT, "charge is set but nchannel is 2 in rhok; with charges it must be 1 (all electrons)");
  const Moved moved = moved_of(c, c.ie.is_set() ? c.rnew.extent(1) : c.netot());
  if (moved.one && moved.npos != 1) throw Failure(SUITE_INVALID_ARGUMENT, "npos is " + text_of(moved.npos) + "; with ie set it must be 1");
  if (!moved.one && c.accept) throw Failure(SUITE_INVALID_ARGUMENT, "accept is set but ie is not; it applies to a move");
  return moved;
}

// qmc.orbitals_blip: c(norb,Nz,Ny,Nx).
inline void check_blips(const OrbitalsBlip& call) {
  static constexpr const char* names[] = {"Nz", "Ny", "Nx"};
  for (int d = 0; d < 3; ++d)
    if (const int64_t points = call.c.extent(d + 1); points < 4)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    std::string(names[d]) + " is " + text_of(points) + "; a grid of blips needs at least 4 points in each direction");
  if (call.norb() != call.c.extent(0))
    throw Failure(SUITE_INVALID_ARGUMENT, "norb is " + text_of(call.c.extent(0)) + " in c but " + text_of(call.norb()) + " in phi");
}

// qmc.slater_ratio: electron ie, from 1, or every one at its own position.
struct SlaterMove {
  bool one = false;
  int64_t which = 0;  // from 0
};
inline SlaterMove check_slater_ratio(const SlaterRatio& c) {
  const auto needs = [](bool output, bool input, const char* name, const char* what) {
    if (output && !input)
      throw Failure(SUITE_INVALID_ARGUMENT, std::string(name) + " is set but " + what + " is not; it is computed from it");
  };
  needs(bool(c.drift), bool(c.dphi), "drift", "dphi");
  needs(bool(c.laplacian), bool(c.d2phi), "laplacian", "d2phi");
  SlaterMove move;
  move.one = c.ie.is_set();
  if (move.one) {
    move.which = c.ie - 1;
    check_electron("ie", move.which + 1, c.n(), false);
  } else if (c.npos() != c.n()) {
    throw Failure(SUITE_INVALID_ARGUMENT, "npos is " + text_of(c.npos()) + "; with ie unset it must be n, " + text_of(c.n()));
  }
  return move;
}

// qmc.slater_update: whether there is a window. The window and the moves may each be left out, not both.
inline bool check_slater_update(const SlaterUpdate& c) {
  const bool delayed = has_delayed(c);
  const bool moves = all_or_none({{"ie", bool(c.ie)}, {"phi", bool(c.phi)}}, "moves need both ie and phi");
  if (!delayed && !moves) throw Failure(SUITE_INVALID_ARGUMENT, "neither ie nor delayed_electron is set; there is nothing to do");
  if (!moves && c.ratio) throw Failure(SUITE_INVALID_ARGUMENT, "ratio is set but ie is not; it is a result of moves");
  return delayed;
}
inline void check_ratio(double ratio, int64_t walker, int64_t move) {
  if (!(std::abs(ratio) > 0) || !std::isfinite(ratio))
    throw Failure(SUITE_INVALID_ARGUMENT, "move " + text_of(move + 1) + " of walker " + text_of(walker + 1) + " has the ratio " +
                                              text_of(ratio) + "; its Slater matrix would be singular");
}
inline void check_determinant(double sign, int64_t walker) {
  if (sign == 0) throw Failure(SUITE_INVALID_ARGUMENT, "the Slater matrix of walker " + text_of(walker + 1) + " is singular");
}

// What qmc.sweep draws and how it moves.
struct Walk {
  Move move = Move::metropolis;
  double tau = 0, alimit = 0;
  int64_t nsweep = 0, first_sweep = 0, seed = 0;
};
inline Walk walk_of(Move move, const Sweep& c) {
  const Walk walk{move, c.tau, c.alimit, c.nsweep, c.first_sweep, c.seed};
  if (!(walk.tau > 0)) throw Failure(SUITE_INVALID_ARGUMENT, "tau is " + text_of(walk.tau) + "; it must be positive");
  if (!(walk.alimit > 0)) throw Failure(SUITE_INVALID_ARGUMENT, "alimit is " + text_of(walk.alimit) + "; it must be positive");
  if (walk.nsweep < 0) throw Failure(SUITE_INVALID_ARGUMENT, "nsweep is " + text_of(walk.nsweep) + "; it must be 0 or more");
  if (walk.first_sweep < 0 || walk.first_sweep + walk.nsweep > (int64_t{1} << 32))
    throw Failure(SUITE_INVALID_ARGUMENT, "first_sweep is " + text_of(walk.first_sweep) + "; it must be from 0 to 2^32 - 1");
  return walk;
}

// qmc.branch: what goes with a walker, arrays of `size` numbers a slot.
struct OfSlots {
  const suite_array* array;
  int64_t size;
};
struct ArraysOfSlots {
  OfSlots all[4];
  int count = 0;
  const OfSlots* begin() const { return all; }
  const OfSlots* end() const { return all + count; }
};
inline ArraysOfSlots arrays_of_slots(const Branch& c) {
  ArraysOfSlots set;
  for (const suite_array* array : {&c.rele.array(), &c.dbar_up.array(), &c.dbar_dn.array(), &c.carry.array()}) {
    if (!array->data) continue;
    int64_t size = 1;
    for (int d = 0; d + 1 < array->rank; ++d) size *= array->extent[d];
    set.all[set.count++] = {array, size};
  }
  return set;
}
// Where each of the first nwalker slots comes from.
inline void check_slots(int64_t nwalker, int64_t nslot) {
  if (nwalker > nslot)
    throw Failure(SUITE_INVALID_ARGUMENT, "nwalker is " + text_of(nwalker) + " in from but nslot is " + text_of(nslot) + " in rele");
}

inline void check_branch(const int32_t* from, int64_t nwalker, int64_t nslot) {
  check_slots(nwalker, nslot);
  for (int64_t w = 0; w < nwalker; ++w) {
    const int64_t source = from[w];
    const auto element = [&] { return "from(" + text_of(w + 1) + ") is " + text_of(source); };
    if (source < 1 || source > nslot) throw Failure(SUITE_INVALID_ARGUMENT, element() + "; the slots are 1 to " + text_of(nslot));
    if (source <= nwalker && from[source - 1] != source)
      throw Failure(SUITE_INVALID_ARGUMENT, element() + " but from(" + text_of(source) + ") is " + text_of(int64_t{from[source - 1]}) +
                                                "; a slot that is copied from must keep its walker");
  }
}

}  // namespace suite::qmc
