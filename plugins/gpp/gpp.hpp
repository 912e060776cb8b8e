// SPDX-License-Identifier: BSD-3-Clause
// gpp - the GW self-energy in the generalized plasmon-pole model, as BerkeleyGW's Sigma computes it.
//
// gpp.sigma: for one q, one k and `nex` pairs of external bands (n,m), the sums over internal bands n' and
// over G, G'
//   asx(E) = -        sum_{n' occ} f_n' sum_{G,G'} M_nn'(G) conj(M_mn'(G')) v(q+G') ssx(G,G'; E - E_n')
//   ach(E) = + 1/2    sum_{n'}          sum_{G,G'} M_nn'(G) conj(M_mn'(G')) v(q+G') sch(G,G'; E - E_n')
// with x = E - E_n' (|x| < 1e-12 counts as 1e-12), D = x - w, delta = w/D, I = delta_GG' - eps^-1(G,G'), w =
// wtilde:
//   (A) |D|^2 > gamma^2 and |delta|^2 < 1/(4e-6):  sch = I delta,  ssx = w^2 I/(x^2 - w^2)
//   (B) otherwise, if |delta|^2 > 1e-12:           sch = 0,        ssx = -w^2 I delta/(4 w^2 (delta + 1/2))
//   (C) otherwise:                                 both 0.         Then ssx = 0 where |ssx| > sexcut |I| and
//   x < 0.
// Hybertsen and Louie, Phys. Rev. B 34, 5390 (1986), eqs. 34a, b; complex form: Zhang et al., Phys. Rev. B
// 40, 3162 (1989). Energies are in eV, v and results in Ry. Results are additive over the columns G'
// (ngpown), so those may be split over processes.
//
// gpp.sigma_offdiag: the same sums for all pairs (n,m) of `nex` external bands at energies that all of them
// share, as off-diagonal elements and frequency grids need them. v(q+G') ssx and v(q+G') sch do not depend on
// n and m, so that for every n' and E they are one matrix A(G,G') and Sigma_nm is M_n^T A conj(M_m).
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <suite/plugin.hpp>

namespace suite::gpp {

// The largest w of the model, eV: it stands for the static limit, and above any w of an invalid mode.
inline constexpr double largest_w = 1e12;

// x = E - E_n' as the model has it: never closer to zero than 1e-12.
inline double kept_off_zero(double x) { return x < 1e-12 && x > -1e-12 ? 1e-12 : x; }

// What both kernels have in common.
struct Screening : Arguments {
  using Arguments::Arguments;
  using integer = element::integer;
  using real = element::real;
  using complex = element::complex;
  using flavour = element::Either<real, complex>;  // real with inversion symmetry ("real flavour")

  // clang-format off
  SUITE_ARGUMENT(constant, complex, wtilde_array, "ncouls,ngpown", "eV", "plasmon-pole energies w(G,G'); real and >= 0 but for invalid_gpp_mode 1; "
                                                                         "0: no pole; 1e12: static limit");
  SUITE_ARGUMENT(constant, flavour, I_eps_array,  "ncouls,ngpown", "1",  "delta_GG' - eps^-1(G,G')");
  SUITE_ARGUMENT(constant, real,    vcoul,        "ncouls",        "Ry", "v(q+G) divided by the number of q points and the cell volume");
  SUITE_ARGUMENT(constant, integer, indigp,       "ngpown",        "1",  "G index (from 1) of each owned column G'; 0 (padding) and beyond ncouls: skipped",
                                                                         when_unset("1, 2, ... ngpown"), copied);
  SUITE_ARGUMENT(in,       real,    occ_array,    "ntband",        "1",  "occupation f_n', 0 to 1; SX counts where f > 0");
  SUITE_ARGUMENT(in,       real,    gamma,        "",              "eV", "gpp_broadening", when_unset("0.5"));
  SUITE_ARGUMENT(in,       real,    sexcut,       "",              "1",  "gpp_sexcutoff", when_unset("4.0"));
  // clang-format on

  // Every result is a sum over these, so that an owner of no column or no band has zeros.
  static constexpr const char* sums_over = "ngpown,ntband";

  int64_t ncouls() const { return wtilde_array.extent(0); }
  int64_t ngpown() const { return wtilde_array.extent(1); }
  int64_t ntband() const { return occ_array.extent(0); }
  bool is_real() const { return I_eps_array.is<real>(); }
  int parts() const { return is_real() ? 1 : 2; }  // numbers of a matrix element
};

struct Sigma : Screening {
  using Screening::Screening;
  static constexpr const char* name = "gpp.sigma";
  static constexpr const char* summary = "self-energy sums SX-X and CH of the plasmon-pole model for one k and q";
  static constexpr const char *merit_unit = "terms", *merit_count = "ncouls*ngpown*ntband*nex*nw";

  // clang-format off
  SUITE_ARGUMENT(in,  flavour, aqsntemp, "ncouls,ntband[,nex]", "1",  "M_nn'(G) = <nk|exp(i(q+G)r)|n'k-q> of each external band n");
  SUITE_ARGUMENT(in,  flavour, aqsmtemp, "ncouls,ntband[,nex]", "1",  "M_mn'(G') of each external band m; the same array as aqsntemp for the diagonal");
  SUITE_ARGUMENT(in,  real,    wx_array, "nw,ntband[,nex]",     "eV", "E_iw - E_n'k-q", when_unset("energies - ekq"));
  SUITE_ARGUMENT(out, complex, asxtemp,  "nw[,nex]",            "Ry", "SX - X", tolerance{1e-11});
  SUITE_ARGUMENT(out, complex, achtemp,  "nw[,nex]",            "Ry", "CH", tolerance{1e-11});
  SUITE_ARGUMENT(out, complex, acht_n1,  "nw,ntband[,nex]",     "Ry", "CH band by band: achtemp is its sum over n'", tolerance{1e-11},
                                                                      when_unset("not computed"));
  SUITE_ARGUMENT(out, complex, achstemp, "nex",                 "Ry", "static CH of the bands present, -1/2 sum M conj(M) v I, for the static remainder",
                                                                      tolerance{1e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(in,  real,    energies, "nw[,nex]",            "eV", "E_iw, with ekq instead of wx_array", when_unset("not used"));
  SUITE_ARGUMENT(in,  real,    ekq,      "ntband",              "eV", "E_n'k-q", when_unset("not used"));
  SUITE_ARGUMENT(out, complex, acht_n1_iw, "ntband[,nex]",      "Ry", "CH band by band at one energy, iw_n1", tolerance{1e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(out, complex, achst_n1, "ntband[,nex]",        "Ry", "static CH band by band: achstemp is its sum over n'", tolerance{1e-11},
                                                                      when_unset("not computed"));
  SUITE_ARGUMENT(in,  integer, iw_n1,    "",                    "1",  "the energy of acht_n1_iw, from 1", when_unset("1"));
  // clang-format on

  int64_t nw() const { return asxtemp.extent(0); }
  int64_t nex() const { return asxtemp.extent(1); }
  bool with_static() const { return achstemp || achst_n1; }
  bool by_band() const { return acht_n1 || acht_n1_iw || achst_n1; }
  int64_t energy_n1() const { return iw_n1 - 1; }  // of acht_n1_iw, from 0
  // Throws unless the energies are given in one way, and iw_n1 is one of them.
  void check_energies() const;
  // E - E_n' of the model, where wx_array lies on the host and is set (FilledEnergies).
  double x(int64_t iw, int64_t n1, int64_t e) const { return kept_off_zero(wx_array(iw, n1, e)); }

  static int cost(const suite_array* arguments, suite_cost* cost);
  // Where moments of the modes serve all energies (cpu/moments.hpp), but for what is summed over exactly near the poles.
  static int cost_of_moments(const suite_array* arguments, int64_t moments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct SigmaOffdiag : Screening {
  using Screening::Screening;
  static constexpr const char* name = "gpp.sigma_offdiag";
  static constexpr const char* summary = "self-energy matrix SX-X and CH of the plasmon-pole model between external bands, for one k and q";
  static constexpr const char *merit_unit = "terms", *merit_count = "ncouls*ngpown*ntband*nex*nex*nw";

  // clang-format off
  SUITE_ARGUMENT(in,  flavour, aqs,      "ncouls,ntband,nex", "1",  "M_nn'(G) = <nk|exp(i(q+G)r)|n'k-q> of each external band n");
  SUITE_ARGUMENT(in,  real,    wx_array, "nw,ntband",         "eV", "E_iw - E_n'k-q, the same E for all external bands");
  SUITE_ARGUMENT(out, complex, asx,      "nex,nex,nw",        "Ry", "SX - X of (n,m): n with G, m with G'; at one E not Hermitian in n and m",
                                                                    tolerance{1e-11});
  SUITE_ARGUMENT(out, complex, ach,      "nex,nex,nw",        "Ry", "CH of (n,m)", tolerance{1e-11});
  // clang-format on

  int64_t nw() const { return wx_array.extent(0); }
  int64_t nex() const { return aqs.extent(2); }

  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

using kernels = Kernels<Sigma, SigmaOffdiag>;

inline void Sigma::check_energies() const {
  if (wx_array ? energies || ekq : !energies || !ekq)
    throw Failure(SUITE_INVALID_ARGUMENT, wx_array ? "wx_array is set, and so are energies or ekq; set one or the others"
                                                   : "neither wx_array nor both of energies and ekq are set");
  if (acht_n1_iw && (iw_n1 < 1 || iw_n1 > nw()))
    throw Failure(SUITE_INVALID_ARGUMENT, concat("iw_n1 is ", int32_t{iw_n1}, "; it must lie from 1 to nw = ", nw()));
}

// The numbers of wx_array from energies(nw[,nex]) and ekq(ntband).
inline std::vector<double> energy_differences(const double* energies, const double* ekq, int64_t nw, int64_t ntband, int64_t nex) {
  std::vector<double> wx;
  wx.reserve(static_cast<size_t>(nw * ntband * nex));
  for (int64_t e = 0; e < nex; ++e)
    for (int64_t n1 = 0; n1 < ntband; ++n1)
      for (int64_t iw = 0; iw < nw; ++iw) wx.push_back(energies[e * nw + iw] - ekq[n1]);
  return wx;
}

// The arguments of a call of gpp.sigma with wx_array in any case. Where it was not set, `differences` says where its numbers lie:
// a function of the call.
class FilledEnergies {
public:
  template <class Differences> FilledEnergies(const suite_array* given, Differences&& differences) : arguments_(given) {
    const Sigma call(given);
    call.check_energies();
    if (call.wx_array) return;
    std::copy_n(given, arrays_.size(), arrays_.begin());
    suite_array& wx = arrays_[position<Sigma>("wx_array")];
    wx.data = const_cast<void*>(static_cast<const void*>(differences(call)));
    wx.type = SUITE_REAL64;
    wx.rank = 3;
    wx.place = call.ekq.array().place;
    wx.extent[0] = call.nw();
    wx.extent[1] = call.ntband();
    wx.extent[2] = call.nex();
    arguments_ = arrays_.data();
  }
  // On the host.
  explicit FilledEnergies(const suite_array* given)
      : FilledEnergies(given, [this](const Sigma& call) {
          own_ = energy_differences(call.energies.data(), call.ekq.data(), call.nw(), call.ntband(), call.nex());
          return own_.data();
        }) {}
  FilledEnergies(const FilledEnergies&) = delete;
  FilledEnergies& operator=(const FilledEnergies&) = delete;
  operator const suite_array*() const { return arguments_; }

private:
  std::vector<double> own_;
  std::array<suite_array, rows<Sigma>.size()> arrays_;
  const suite_array* arguments_;
};

// An owned column G' that counts, from 0: its column of w and I, its row in the matrix elements.
struct Column {
  int64_t igp, g;
};

// The owned columns but for padding and those outside the sphere, G' > ncouls: where a host distributes the columns of the largest
// sphere, some lie outside of a smaller one. indigp: on the host, null where it is unset. Throws where one is negative.
inline std::vector<Column> owned_columns(const int32_t* indigp, int64_t ngpown, int64_t ncouls) {
  std::vector<Column> owned;
  for (int64_t igp = 0; igp < ngpown; ++igp) {
    const int64_t g = indigp ? indigp[igp] : igp + 1;
    if (g < 0) throw Failure(SUITE_INVALID_ARGUMENT, concat("indigp(", igp + 1, ") is ", g, "; it must not be negative"));
    if (g > 0 && g <= ncouls) owned.push_back({igp, g - 1});
  }
  return owned;
}
inline std::vector<Column> owned_columns(const Screening& c) { return owned_columns(c.indigp.data(), c.ngpown(), c.ncouls()); }

}  // namespace suite::gpp
