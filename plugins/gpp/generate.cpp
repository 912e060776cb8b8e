// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost, and deterministic inputs of any size. Compiled into every
// implementation.
#include "gpp.hpp"

#include <suite/generate.hpp>

namespace suite::gpp {
namespace {

using generate::Named, generate::Random, generate::parallel;

// "published" is the timing case of the optimisation talk (Si-214) with the 428 occupied bands of that supercell,
// "published_nvband2" with two, "headline" its largest size (Si-510),
// "mini" the size of the public mini-apps, "standard" a quarter of that along G, "silicon" one call of the
// main job.
constexpr Named named[] = {
    {"small", "ntband=64,ngpown=128,ncouls=512,nw=2"},
    {"standard", "ntband=512,ngpown=409,ncouls=4096,nw=3"},
    {"mini", "ntband=512,ngpown=409,ncouls=16384,nw=3"},
    {"published", "ntband=800,ngpown=1385,ncouls=11075,nw=2,nvband=428"},
    {"published_nvband2", "ntband=800,ngpown=1385,ncouls=11075,nw=2,nvband=2"},
    {"headline", "ntband=2763,ngpown=6633,ncouls=26529,nw=3"},
    {"silicon", "ntband=32,ngpown=144,ncouls=144,nw=2,nex=14,nvband=4,infinite=0.3,zero=0.1"},
};

// The sizes that tests walk through: test:0, test:1, ... Corners first: one of everything, one more and one
// less than a vector or a block, primes, every nw, both flavours, complex w, non-square, padding, partial
// occupation.
constexpr const char* tests[] = {
    "ntband=1,ngpown=1,ncouls=1,nw=1,nvband=0",
    "ntband=1,ngpown=1,ncouls=1,nw=3,nvband=1,band_resolved=1,static=1",
    "ntband=31,ngpown=31,ncouls=31,nw=2,nex=2",
    "ntband=33,ngpown=33,ncouls=33,nw=3,nex=3,nvband=5,infinite=0.3,zero=0.1,reversed=1,band_resolved=1,"
    "static=1",
    "ntband=31,ngpown=33,ncouls=37,nw=1,nex=1,offdiagonal=1,static=1",
    "ntband=33,ngpown=17,ncouls=97,nw=7,nex=2,nvband=4,offdiagonal=1,band_resolved=1,static=1",
    "ntband=13,ngpown=7,ncouls=41,nw=2,nex=5,infinite=0.3,zero=0.2,padding=1,offdiagonal=1,reversed=1",
    "ntband=31,ngpown=31,ncouls=31,nw=2,nex=2,flavour=real,static=1",
    "ntband=33,ngpown=29,ncouls=67,nw=3,nex=3,flavour=real,nvband=4,infinite=0.3,zero=0.1,offdiagonal=1,"
    "band_resolved=1",
    "ntband=17,ngpown=13,ncouls=53,nw=7,nex=2,flavour=real,infinite=0.2,padding=1,static=1",
    "ntband=19,ngpown=23,ncouls=43,nw=3,nex=2,mode=1,infinite=0.4,zero=0.1,reversed=1,band_resolved=1,static="
    "1",
    "ntband=19,ngpown=11,ncouls=47,nw=2,nex=2,mode=1,infinite=0.4,flavour=real,offdiagonal=1",
    "ntband=19,ngpown=13,ncouls=29,nw=2,nex=3,nvband=5,soft=1,tilted=1,offdiagonal=1,band_resolved=1",
    "ntband=23,ngpown=19,ncouls=61,nw=3,nex=4,nvband=6,gamma=2.5,sexcut=0.7,soft=1,offdiagonal=1",
    "ntband=23,ngpown=19,ncouls=61,nw=2,nex=4,nvband=6,gamma=0,sexcut=4,partial=1,soft=1",
    "ntband=521,ngpown=19,ncouls=71,nw=2,nex=2,nvband=9,infinite=0.3,zero=0.1,offdiagonal=1",
    "ntband=131,ngpown=31,ncouls=101,nw=3,nex=1,nvband=3",
    "ntband=37,ngpown=31,ncouls=89,nw=3,nex=3,nvband=11,infinite=0.3,zero=0.1,uneven=1,partial=1,static=1",
    "ntband=29,ngpown=17,ncouls=71,nw=3,nex=2,nvband=9,infinite=0.2,zero=0.1,uneven=1,gamma=0.05,soft=1",
    "ntband=41,ngpown=13,ncouls=37,nw=2,nex=12,flavour=real,nvband=7,infinite=0.3,zero=0.1,sexcut=0.9",
    "ntband=21,ngpown=27,ncouls=35,nw=2,nex=2,nvband=4,unlisted=1,offdiagonal=1,static=1",
    // As a host asks that has its energies apart, and CH band by band at one of them.
    "ntband=27,ngpown=23,ncouls=39,nw=3,nex=2,nvband=4,infinite=0.3,zero=0.1,energies=1,at_energy=2,static=1,static_resolved=1",
    "ntband=35,ngpown=21,ncouls=33,nw=4,nex=3,nvband=5,flavour=real,infinite=0.3,reversed=1,energies=1,at_energy=4,"
    "static_resolved=1,beyond=1",
    "ntband=18,ngpown=21,ncouls=33,nw=2,nex=2,nvband=5,mode=1,infinite=0.3,reversed=1,at_energy=1,band_resolved=1,static_resolved=1",
    "ntband=11,ngpown=21,ncouls=33,nw=5,nex=2,nvband=5,mode=1,infinite=0.3,flavour=real,energies=1,at_energy=5,static_resolved=1",
    // Vectors of occupied bands alone, two at a time, with poles below, among and above their energies.
    "ntband=71,ngpown=9,ncouls=45,nw=3,nex=2,nvband=67,infinite=0.2,zero=0.1,soft=1,static=1,static_resolved=1",
    "ntband=90,ngpown=8,ncouls=37,nw=2,nex=2,nvband=61,offdiagonal=1,partial=1,reversed=1,band_resolved=1",
    "ntband=83,ngpown=7,ncouls=41,nw=2,nex=2,nvband=53,uneven=1,gamma=0.05,flavour=real,static=1,at_energy=2",
    "ntband=64,ngpown=11,ncouls=530,nw=4,nex=1,nvband=39,uneven=1,gamma=0.01,sexcut=1.2,at_energy=4,padding=1",
    // More energies than are summed at a time, between which SX of infinite poles is cut.
    "ntband=43,ngpown=9,ncouls=35,nw=5,nex=2,nvband=29,infinite=0.4,sexcut=0.9,at_energy=5",
    // Many energies: bands far from all poles, among them and below zero.
    "ntband=40,ngpown=9,ncouls=120,nw=20,nvband=15,infinite=0.2,zero=0.1,static=1",
    "ntband=29,ngpown=11,ncouls=90,nw=10,nex=2,nvband=12,uneven=1,soft=1,gamma=0.05,sexcut=0.7,flavour=real,band_resolved=1,at_energy=3",
};

// gpp.sigma_offdiag: many external bands, so that the matrix products dominate, and few bands n'. "large" has
// the G and G' of "published".
constexpr Named named_offdiag[] = {
    {"small", "ntband=16,ngpown=64,ncouls=256,nw=2,nex=16"},
    {"standard", "ntband=32,ngpown=409,ncouls=2048,nw=3,nex=64"},
    {"large", "ntband=64,ngpown=1385,ncouls=11075,nw=2,nex=128"},
    {"silicon", "ntband=32,ngpown=144,ncouls=144,nw=2,nex=14,nvband=4,infinite=0.3,zero=0.1"},
};

constexpr const char* tests_offdiag[] = {
    "ntband=1,ngpown=1,ncouls=1,nw=1,nex=1,nvband=0",
    "ntband=1,ngpown=1,ncouls=1,nw=3,nex=2,nvband=1",
    "ntband=7,ngpown=31,ncouls=31,nw=2,nex=3",
    "ntband=9,ngpown=33,ncouls=37,nw=3,nex=17,nvband=4,infinite=0.3,zero=0.1,reversed=1",
    "ntband=5,ngpown=13,ncouls=257,nw=1,nex=33,nvband=2",
    "ntband=6,ngpown=7,ncouls=41,nw=2,nex=5,infinite=0.3,zero=0.2,padding=1",
    "ntband=7,ngpown=31,ncouls=31,nw=2,nex=9,flavour=real",
    "ntband=6,ngpown=29,ncouls=67,nw=3,nex=16,flavour=real,nvband=4,infinite=0.3,zero=0.1,padding=1",
    "ntband=7,ngpown=23,ncouls=43,nw=3,nex=4,mode=1,infinite=0.4,zero=0.1",
    "ntband=6,ngpown=11,ncouls=47,nw=2,nex=8,mode=1,infinite=0.4,flavour=real",
    "ntband=7,ngpown=13,ncouls=29,nw=2,nex=3,nvband=5,soft=1,tilted=1",
    "ntband=13,ngpown=19,ncouls=61,nw=3,nex=6,nvband=6,gamma=2.5,sexcut=0.7,soft=1",
    "ntband=13,ngpown=19,ncouls=61,nw=2,nex=4,nvband=6,gamma=0,sexcut=4,partial=1,soft=1",
    "ntband=67,ngpown=19,ncouls=71,nw=2,nex=2,nvband=9,infinite=0.3,zero=0.1",
    "ntband=3,ngpown=141,ncouls=149,nw=2,nex=5,infinite=0.2,padding=1",  // more columns than a tile
    "ntband=6,ngpown=27,ncouls=35,nw=2,nex=3,nvband=4,unlisted=1",
    "ntband=6,ngpown=27,ncouls=35,nw=2,nex=3,nvband=4,beyond=1",
};

// The keys that gpp.sigma alone has.
constexpr std::string_view sigma_only[] = {"offdiagonal", "band_resolved", "static", "energies", "static_resolved", "at_energy"};
constexpr generate::Catalogue sigma_sizes{named, tests, {}};
constexpr generate::Catalogue offdiag_sizes{named_offdiag, tests_offdiag, sigma_only};

struct Size {
  int64_t ntband = 64, ngpown = 128, ncouls = 512, nw = 2, nex = 1, nvband = 2, mode = 3;
  int64_t offdiagonal = 0, padding = 0, uneven = 0, partial = 0, soft = 0, tilted = 0, reversed = 0, band_resolved = 0, static_ch = 0,
          real = 0, unlisted = 0, energies = 0, static_resolved = 0, at_energy = 0, beyond = 0;
  double infinite = 0, zero = 0, gamma = -1, sexcut = -1;
};

constexpr const char* flavours[] = {"complex", "real", nullptr};
constexpr generate::IntegerKey<Size> integers[] = {
    {"ntband", &Size::ntband, 1, 1e7},
    {"ngpown", &Size::ngpown, 1, 1e7},
    {"ncouls", &Size::ncouls, 1, 1e7},
    {"nw", &Size::nw, 1, 1e5},
    {"nex", &Size::nex, 1, 1e6},
    {"nvband", &Size::nvband, 0, 1e7},
    {"mode", &Size::mode, 0, 3},
    {"offdiagonal", &Size::offdiagonal, 0, 1},
    {"padding", &Size::padding, 0, 1},
    {"partial", &Size::partial, 0, 1},
    {"soft", &Size::soft, 0, 1},
    {"tilted", &Size::tilted, 0, 1},
    {"reversed", &Size::reversed, 0, 1},
    {"band_resolved", &Size::band_resolved, 0, 1},
    {"uneven", &Size::uneven, 0, 1},
    {"static", &Size::static_ch, 0, 1},
    {"unlisted", &Size::unlisted, 0, 1},  // indigp unset
    {"energies", &Size::energies, 0, 1},  // energies and ekq instead of wx_array
    {"static_resolved", &Size::static_resolved, 0, 1},
    {"at_energy", &Size::at_energy, 0, 1e5},  // acht_n1_iw at this one; 0: none
    {"beyond", &Size::beyond, 0, 1},          // some columns G' beyond ncouls
};
constexpr generate::RealKey<Size> reals[] = {
    {"infinite", &Size::infinite, 0, 1}, {"zero", &Size::zero, 0, 1}, {"gamma", &Size::gamma, 0, 1e3}, {"sexcut", &Size::sexcut, 0, 1e12}};
constexpr generate::WordKey<Size> words[] = {{"flavour", &Size::real, flavours}};
constexpr generate::Keys<Size> keys{integers, reals, words};

// Optional arguments that the size does not ask for are left out.
template <class K> void describe(const Size& s, suite_array* arguments) {
  describe_arguments<K>(arguments, s.real ? SUITE_REAL64 : SUITE_COMPLEX128,
                        {{"ncouls", s.ncouls}, {"ngpown", s.ngpown}, {"ntband", s.ntband}, {"nw", s.nw}, {"nex", s.nex}});
  if (s.unlisted) arguments[position<K>("indigp")].rank = -1;
  if (s.gamma < 0) arguments[position<K>("gamma")].rank = -1;
  if (s.sexcut < 0) arguments[position<K>("sexcut")].rank = -1;
  if constexpr (std::is_same_v<K, Sigma>) {
    if (!s.band_resolved) arguments[position<K>("acht_n1")].rank = -1;
    if (!s.static_ch) arguments[position<K>("achstemp")].rank = -1;
    if (!s.static_resolved) arguments[position<K>("achst_n1")].rank = -1;
    if (!s.at_energy) arguments[position<K>("acht_n1_iw")].rank = arguments[position<K>("iw_n1")].rank = -1;
    if (s.energies) arguments[position<K>("wx_array")].rank = -1;
    else arguments[position<K>("energies")].rank = arguments[position<K>("ekq")].rank = -1;
  }
}

double* numbers_of(const suite_array& array) { return static_cast<double*>(array.data); }

// Plasmon energies of 5 to 65 eV (soft: 0 to 6 eV, so that every branch of the formula is met; tilted: with
// an imaginary part, as no real calculation has them but the public mini-apps do), a share of invalid modes
// as invalid_gpp_mode would leave them, a share of zero ones.
void fill_modes(const Size& s, uint64_t seed, const Screening& c) {
  const Random w(seed, 0), kind(seed, 1);
  auto* wtilde = static_cast<std::complex<double>*>(c.wtilde_array.array().data);
  parallel(s.ncouls * s.ngpown, [&](int64_t i) {
    const double energy = s.soft ? 6 * w(i) : 5 + 60 * w(i), u = kind(i);
    wtilde[i] = {energy, s.tilted ? 8 * (kind(i + s.ncouls * s.ngpown) - 0.5) : 0.0};
    if (u < s.infinite)
      wtilde[i] = s.mode == 0 ? std::complex<double>(0) : s.mode == 1 ? std::complex<double>(0, energy) : s.mode == 2 ? 27.21138506 : 1e12;
    else if (u < s.infinite + s.zero) wtilde[i] = 0;
  });
}

void fill_numbers(double* x, int64_t n, const Random& random) {
  parallel(n, [&](int64_t i) { x[i] = random(i) - 0.5; });
}

// Bands: nvband valence states up to 0 eV, then empty ones from 2.5 eV at 1.3 eV each, squeezed below 100 eV.
// External bands lie from 1 eV below the valence top upwards, 1.7 eV apart, and energies 1 eV apart about
// them (uneven: ever further apart).
double band_energy(const Size& s, int64_t n1) {
  const auto nv = static_cast<double>(std::min(s.nvband, s.ntband)), n = static_cast<double>(n1);
  if (n < nv) return -12 * (1 - (n + 0.5) / nv);
  const double empty = static_cast<double>(s.ntband) - nv;
  return 2.5 + std::min(1.3, 100 / empty) * (n - nv);
}

double energy(const Size& s, int64_t iw, int64_t e) {
  return -1.0 + 1.7 * static_cast<double>(e) + static_cast<double>(iw) + (s.uneven ? 0.3 * static_cast<double>(iw * iw) : 0.0) -
         0.5 * static_cast<double>(s.nw - 1);
}

// reversed: the highest band first, so that a kernel that sorts bands is caught when it answers in its own
// order.
int64_t place(const Size& s, int64_t n1) { return s.reversed ? s.ntband - 1 - n1 : n1; }

// energies_of: external bands that have energies of their own.
void fill_bands(const Size& s, uint64_t seed, double* wx, double* occ, int64_t energies_of) {
  const Random jitter(seed, 2);
  for (int64_t e = 0; wx && e < energies_of; ++e)
    for (int64_t n1 = 0; n1 < s.ntband; ++n1)
      for (int64_t iw = 0; iw < s.nw; ++iw)
        wx[(e * s.ntband + place(s, n1)) * s.nw + iw] = energy(s, iw, e) - band_energy(s, n1) - 0.2 * jitter(n1);
  for (int64_t n1 = 0; n1 < s.ntband; ++n1) occ[place(s, n1)] = n1 >= s.nvband ? 0 : s.partial && n1 % 2 ? 0.5 : 1;
}

// The same energies, not subtracted from each other.
void fill_energies(const Size& s, uint64_t seed, double* energies, double* ekq) {
  const Random jitter(seed, 2);
  for (int64_t e = 0; e < s.nex; ++e)
    for (int64_t iw = 0; iw < s.nw; ++iw) energies[e * s.nw + iw] = energy(s, iw, e);
  for (int64_t n1 = 0; n1 < s.ntband; ++n1) ekq[place(s, n1)] = band_energy(s, n1) + 0.2 * jitter(n1);
}

template <class K> void fill_screening(const Size& s, uint64_t seed, const suite_array* arguments) {
  const K c(arguments);
  fill_modes(s, seed, c);
  fill_numbers(numbers_of(c.I_eps_array.array()), c.parts() * s.ncouls * s.ngpown, Random(seed, 3));
  const Random v(seed, 6);
  double* const vcoul = numbers_of(c.vcoul.array());
  for (int64_t ig = 0; ig < s.ncouls; ++ig) vcoul[ig] = (0.5 + v(ig)) / (1 + 0.01 * static_cast<double>(ig));
  // Owned columns spread over all G, as a block-cyclic distribution has them.
  const int64_t stride = std::max<int64_t>(1, s.ncouls / s.ngpown);
  auto* const indigp = static_cast<int32_t*>(c.indigp.array().data);
  for (int64_t igp = 0; indigp && igp < s.ngpown; ++igp) {
    indigp[igp] = static_cast<int32_t>((igp * stride + igp * stride / s.ncouls) % s.ncouls + 1);
    if (s.padding && igp % 5 == 2) indigp[igp] = 0;
    if (s.beyond && igp % 4 == 1) indigp[igp] = static_cast<int32_t>(s.ncouls + igp);
  }
  if (s.gamma >= 0) *numbers_of(arguments[position<K>("gamma")]) = s.gamma;
  if (s.sexcut >= 0) *numbers_of(arguments[position<K>("sexcut")]) = s.sexcut;
}

void fill(const Size& s, uint64_t seed, const suite_array* arguments) {
  fill_screening<Sigma>(s, seed, arguments);
  const Sigma c(arguments);
  const int64_t m = c.parts() * s.ncouls * s.ntband * s.nex;
  fill_numbers(numbers_of(c.aqsntemp.array()), m, Random(seed, 4));
  fill_numbers(numbers_of(c.aqsmtemp.array()), m, Random(seed, s.offdiagonal ? 5 : 4));
  fill_bands(s, seed, numbers_of(c.wx_array.array()), numbers_of(c.occ_array.array()), s.nex);
  if (s.energies) fill_energies(s, seed, numbers_of(c.energies.array()), numbers_of(c.ekq.array()));
  if (s.at_energy) *static_cast<int32_t*>(arguments[position<Sigma>("iw_n1")].data) = static_cast<int32_t>(s.at_energy);
}

// gpp.sigma_offdiag: the numbers of gpp.sigma of this size, its first external band's energies for all.
void fill_offdiag(const Size& s, uint64_t seed, const suite_array* arguments) {
  fill_screening<SigmaOffdiag>(s, seed, arguments);
  const SigmaOffdiag c(arguments);
  fill_numbers(numbers_of(c.aqs.array()), c.parts() * s.ncouls * s.ntband * s.nex, Random(seed, 4));
  fill_bands(s, seed, numbers_of(c.wx_array.array()), numbers_of(c.occ_array.array()), 1);
}

// Arrays without memory are described, others filled.
template <class K, class Fill>
int describe_or_fill(const generate::Catalogue& sizes, const char* size, suite_array* arguments, suite_error* error, const Fill& fill_all) {
  return guarded(error, [&] {
    Size s;
    generate::parse(s, sizes, keys, size ? size : "small");
    if (arguments[position<K>("vcoul")].data == nullptr) describe<K>(s, arguments);
    else fill_all(s);
  });
}

}  // namespace

int Sigma::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) {
  return describe_or_fill<Sigma>(sigma_sizes, size, arguments, error, [&](const Size& s) { fill(s, seed, arguments); });
}

namespace {

// How many pairs (G,G') have a pole: those of w = 0 are left out, and those of an infinite one share their
// factor, so that they only add up M I. Without the modes at hand (on a device, or before they are made) all.
struct Poles {
  double finite = 0, infinite = 0, none = 0;
};
bool at_hand(const suite_array& array) { return array.data && array.place == SUITE_HOST; }
// Whether the list of columns is, where there is one.
bool columns_at_hand(const Screening& c) { return !c.indigp.is_set() || at_hand(c.indigp.array()); }
bool is_owned(const Screening& c, int64_t igp) { return !c.indigp || (c.indigp(igp) != 0 && c.indigp(igp) <= c.ncouls()); }
Poles poles_of(const Screening& c) {
  const int64_t ncouls = c.ncouls(), columns = c.ngpown();
  const auto& w = c.wtilde_array;
  if (!at_hand(w.array()) || !columns_at_hand(c)) return {static_cast<double>(ncouls * columns)};
  // Numbers without branches: a run asks for its cost each time.
  int64_t finite = 0, infinite = 0, none = 0;
  for (int64_t igp = 0; igp < columns; ++igp) {
    if (!is_owned(c, igp)) continue;
    const auto* const column = reinterpret_cast<const double*>(w.data() + igp * ncouls);
    int64_t zeros = 0, largest = 0;
    for (int64_t ig = 0; ig < ncouls; ++ig) {
      const double re = column[2 * ig], im = column[2 * ig + 1];
      zeros += (re == 0) & (im == 0);
      largest += (re == largest_w) & (im == 0);
    }
    none += zeros;
    infinite += largest;
    finite += ncouls - zeros - largest;
  }
  return {static_cast<double>(finite), static_cast<double>(infinite), static_cast<double>(none)};
}

// How many bands n' have SX: none where occupations are not at hand.
double occupied_bands(const Screening& c) {
  if (!at_hand(c.occ_array.array())) return 0;
  const double* const f = c.occ_array.data();
  return static_cast<double>(std::count_if(f, f + c.ntband(), [](double x) { return x > 0; }));
}

}  // namespace

namespace {

// Flops of one triple (n',G',G) with a finite pole, but for the product P = M I: of all energies, more where n' is occupied, and more
// with static CH.
struct TripleCost {
  double energies, occupied, with_static;
};

double flops_of_sum(const Sigma& c) { return c.is_real() ? 1 : 2; }

// P = M conj(M) takes 6 flop (real flavour 1). A pair with an infinite pole takes 8 (real 2) for all energies, one without a pole
// nothing. Static CH adds up M I of every pair. Cutoffs and the end of each (G',G) are not counted.
int cost_of(const Sigma& c, const TripleCost& triple, suite_cost* cost) {
  const bool real = c.is_real();
  const double product = real ? 1 : 6, sum = flops_of_sum(c);
  const double pairs = static_cast<double>(c.ncouls()) * static_cast<double>(c.ngpown());
  const double bands = static_cast<double>(c.ntband()) * static_cast<double>(c.nex());
  const double element = real ? 8 : 16;
  const Poles poles = poles_of(c);
  cost->flops = bands * (poles.finite * (product + triple.energies) + poles.infinite * (product + sum)) +
                occupied_bands(c) * static_cast<double>(c.nex()) * poles.finite * triple.occupied;
  if (c.achstemp.is_set() || c.achst_n1.is_set())
    cost->flops += bands * (poles.finite * (triple.with_static + sum) + poles.none * (product + sum));
  // w (its complex array is read), I, and both sets of matrix elements once; the same array counts once.
  const bool diagonal = c.aqsntemp && c.aqsmtemp.array().data == c.aqsntemp.array().data;
  const double rows = static_cast<double>(c.ncouls()) + (diagonal ? 0.0 : static_cast<double>(c.ngpown()));
  cost->bytes = pairs * (16 + element) + bands * (rows * element + static_cast<double>(c.nw()) * 8);
  return SUITE_OK;
}

}  // namespace

// Groups of three, two or one energies with one reciprocal each, counted as its three FMA, 25, 19 or 11 flop (real 19, 15 or 9): with
// P 31, 25, 17 complex and 20, 16, 10 real for nw = 3, 2, 1. SX of an occupied band adds up its terms over x^2 - w^2 once more,
// times w: 4 (real 2) for each energy. Static CH scales the reciprocals instead of M I.
int Sigma::cost(const suite_array* arguments, suite_cost* cost) {
  const Sigma c(arguments);
  const int64_t nw = c.nw();
  static constexpr double group[2][4] = {{0, 11, 19, 25}, {0, 9, 15, 19}};
  const double* const flops = group[c.is_real()];
  return cost_of(c,
                 {static_cast<double>(nw / 3) * flops[3] + flops[nw % 3], static_cast<double>(nw) * 2 * flops_of_sum(c),
                  static_cast<double>((nw + 2) / 3)},
                 cost);
}

// Sums of P and of its products with the higher moments; static CH scales the lowest, too.
int Sigma::cost_of_moments(const suite_array* arguments, int64_t moments, suite_cost* cost) {
  const Sigma c(arguments);
  return cost_of(c, {static_cast<double>(2 * moments - 1) * flops_of_sum(c), 0, flops_of_sum(c)}, cost);
}

int SigmaOffdiag::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) {
  return describe_or_fill<SigmaOffdiag>(offdiag_sizes, size, arguments, error, [&](const Size& s) { fill_offdiag(s, seed, arguments); });
}

// Per n', E and (G',G): v sch from w, I and x 10 flop (real flavour 9) with the reciprocal as three FMA, and
// the product with M_n of each external band 8 flop (real 2); then 8 (2) for each n, m and G'. SX of an
// occupied band costs the same again and 3 flop more. Columns of padding are left out; what has no pole is
// not, in a product of matrices.
int SigmaOffdiag::cost(const suite_array* arguments, suite_cost* cost) {
  const SigmaOffdiag c(arguments);
  const bool real = c.is_real();
  const auto rows = static_cast<double>(c.ncouls()), columns = static_cast<double>(c.ngpown());
  const auto nw = static_cast<double>(c.nw()), bands = static_cast<double>(c.ntband()), occupied = occupied_bands(c);
  const auto external = static_cast<double>(c.nex());
  const double product = real ? 2 : 8, element = real ? 8 : 16;
  double owned = columns;
  for (int64_t igp = 0; columns_at_hand(c) && igp < c.ngpown(); ++igp) owned -= !is_owned(c, igp);
  const double elements = product * external * external + rows * product * external;
  cost->flops = nw * owned * ((bands + occupied) * (elements + rows * (real ? 9 : 10)) + occupied * rows * 3);
  cost->bytes = rows * columns * (16 + element) + rows * bands * external * element + bands * nw * 8 + 2 * 16 * external * external * nw;
  return SUITE_OK;
}

}  // namespace suite::gpp
