// SPDX-License-Identifier: BSD-3-Clause
// Deterministic inputs of any size: spheres of G vectors in a lattice, random coefficients, a dielectric
// matrix with a share of invalid modes.
#include <suite/generate.hpp>

#include "crystal.hpp"

namespace suite::gw {
namespace {

using generate::Named, generate::Random, generate::parallel;
using Vector3 = std::array<double, 3>;
using Complex = std::complex<double>;

struct Size {
  int64_t ntband = 16, nex = 2, nspinor = 1, real = 0, lattice = 0, umklapp = 0, phased = 0, conjugate = 0, far = 0;
  int64_t ngpown = 0, zero_q = 0, padding = 0, mode = 3, unlisted = 0, cut_density = 0;
  int64_t ncouls = 100, npair = 128, nfreq = 1, frequencies = 0;
  double a = 10.26, ecutwfc = 8, ecuts = 4, invalid = 0.3, zero = 0.1, left_out = 0;
};

// "silicon": one call of the main job; "host300": one external band of a host with 300 bands; "medium",
// "large": cells of 4 and 30 times silicon's volume.
constexpr Named named_mtxel[] = {
    {"small", "ecutwfc=8,ecuts=4,ntband=16,nex=2"},        {"medium", "a=16.3,ecutwfc=25,ecuts=10,ntband=64,nex=2"},
    {"silicon", "ecutwfc=25,ecuts=10,ntband=32,nex=14"},   {"host300", "ecutwfc=26,ecuts=18,ntband=300,nex=1"},
    {"large", "a=32,ecutwfc=25,ecuts=10,ntband=64,nex=1"},
};

// Corners first: one plane wave, one band, one more and one less than a vector; both flavours, spinors,
// umklapp, phases, unequal grids.
constexpr const char* tests_mtxel[] = {
    "ecutwfc=0.3,ecuts=0.3,ntband=1,nex=1",
    "ecutwfc=2,ecuts=1,ntband=1,nex=3,umklapp=1",
    "ecutwfc=5,ecuts=3,ntband=7,nex=2,phased=1",
    "ecutwfc=5,ecuts=3,ntband=9,nex=1,conjugate=1",
    "ecutwfc=6,ecuts=3,ntband=17,nex=2,lattice=orthorhombic,umklapp=1,phased=1,conjugate=1",
    "ecutwfc=4,ecuts=2,ntband=5,nex=2,nspinor=2",
    "ecutwfc=5,ecuts=3,ntband=18,nex=3,nspinor=2,umklapp=1,phased=1",
    "ecutwfc=5,ecuts=3,ntband=1,nex=1,flavour=real",
    "ecutwfc=5,ecuts=3,ntband=16,nex=2,flavour=real,phased=1",
    "ecutwfc=6,ecuts=3,ntband=19,nex=3,flavour=real,umklapp=1,conjugate=1,lattice=orthorhombic",
    "ecutwfc=4,ecuts=3,ntband=6,nex=2,flavour=real,nspinor=2",
    "ecutwfc=3,ecuts=9,ntband=6,nex=2,far=1",  // more wanted G than plane waves, some out of reach
    "a=14,ecutwfc=9,ecuts=1,ntband=33,nex=1",
    "ecutwfc=9,ecuts=6,ntband=13,nex=5,lattice=skew,umklapp=1",
    "a=13,ecutwfc=12,ecuts=5,ntband=3,nex=1,lattice=orthorhombic",
    "ecutwfc=8,ecuts=0.1,ntband=11,nex=2",
};

constexpr Named named_screening[] = {
    {"small", "ecuts=10"},
    {"medium", "a=16.3,ecuts=18"},
    {"silicon", "ecuts=10"},
    {"large", "a=32,ecuts=10,ngpown=1100"},
};

constexpr const char* tests_screening[] = {
    "ecuts=0.3,invalid=0,zero=0",
    "ecuts=0.3,zero_q=1,mode=0",
    "ecuts=3,mode=0",
    "ecuts=4,mode=1",
    "ecuts=4,mode=2,zero_q=1",
    "ecuts=3,mode=0,flavour=real",
    "ecuts=5,mode=1,flavour=real,zero_q=1",
    "ecuts=5,mode=2,ngpown=7,padding=1",
    "ecuts=6,mode=2,ngpown=5,unlisted=1",
    "ecuts=4,mode=0,cut_density=1,lattice=orthorhombic",
    "ecuts=4,mode=3,lattice=skew",
    "ecuts=5,mode=0,ngpown=31,padding=1,flavour=real,lattice=skew",
    "ecuts=6,mode=0,invalid=0,zero=0.5",
};

// "gaas": one k point of GaAs with 18 bands and 7 Ry; "medium", "large": of cells of 8 and some 30 atoms.
constexpr Named named_chi[] = {
    {"small", "ncouls=100,npair=128"},
    {"medium", "ncouls=500,npair=1024"},
    {"large", "ncouls=2000,npair=1024"},
    {"gaas", "ncouls=113,npair=56"},
    {"frequencies", "ncouls=300,npair=512,nfreq=12,frequencies=complex"},
};

// Corners first: a single number, a single pair; one more and one less than tiles of any implementation; several slabs; slices and padding,
// all kinds of frequencies, pairs that do not count.
constexpr const char* tests_chi[] = {
    "ncouls=1,npair=1,unlisted=1",
    "ncouls=9,npair=3,ngpown=4,unlisted=1",
    "ncouls=8,npair=1,nfreq=2,frequencies=imaginary",
    "ncouls=33,npair=17,unlisted=1,left_out=0.3",
    "ncouls=65,npair=40,nfreq=3,frequencies=mixed,unlisted=1",
    "ncouls=31,npair=330,nfreq=2,frequencies=complex,left_out=0.1",
    "ncouls=70,npair=33,ngpown=21,padding=1,nfreq=2,frequencies=mixed",
    "ncouls=67,npair=13,ngpown=67,padding=1,frequencies=imaginary",
    "ncouls=40,npair=9,nfreq=4,frequencies=real",
    "ncouls=1,npair=650,flavour=real,unlisted=1",
    "ncouls=37,npair=21,flavour=real,nfreq=3,frequencies=imaginary,unlisted=1,left_out=0.2",
    "ncouls=130,npair=30,flavour=real,nfreq=3,frequencies=mixed,unlisted=1",
    "ncouls=50,npair=350,flavour=real,ngpown=19,padding=1,nfreq=2,frequencies=complex",
    "ncouls=12,npair=7,left_out=1",
};

constexpr std::string_view screening_only[] = {"ngpown", "zero_q", "padding", "mode",  "unlisted",    "cut_density", "invalid",
                                               "zero",   "ncouls", "npair",   "nfreq", "frequencies", "left_out"};
constexpr std::string_view mtxel_only[] = {"ntband",  "nex",    "nspinor", "umklapp", "phased",      "conjugate", "far",
                                           "ecutwfc", "ncouls", "npair",   "nfreq",   "frequencies", "left_out"};
constexpr std::string_view not_of_chi[] = {"ntband", "nex",     "nspinor", "umklapp", "phased", "conjugate",   "far",     "ecutwfc",
                                           "ecuts",  "lattice", "a",       "zero_q",  "mode",   "cut_density", "invalid", "zero"};
constexpr generate::Catalogue mtxel_sizes{named_mtxel, tests_mtxel, screening_only};
constexpr generate::Catalogue screening_sizes{named_screening, tests_screening, mtxel_only};
constexpr generate::Catalogue chi_sizes{named_chi, tests_chi, not_of_chi};

constexpr const char* kinds_of_frequencies[] = {"static", "imaginary", "real", "complex", "mixed", nullptr};
constexpr const char* flavours[] = {"complex", "real", nullptr};
constexpr const char* lattices[] = {"fcc", "orthorhombic", "skew", nullptr};
constexpr generate::IntegerKey<Size> integers[] = {
    {"ntband", &Size::ntband, 1, 1e6},
    {"nex", &Size::nex, 1, 1e5},
    {"nspinor", &Size::nspinor, 1, 2},
    {"umklapp", &Size::umklapp, 0, 1},
    {"phased", &Size::phased, 0, 1},
    {"conjugate", &Size::conjugate, 0, 1},
    {"far", &Size::far, 0, 1},
    {"ngpown", &Size::ngpown, 0, 1e6},
    {"zero_q", &Size::zero_q, 0, 1},
    {"padding", &Size::padding, 0, 1},
    {"mode", &Size::mode, -1, 3},
    {"unlisted", &Size::unlisted, 0, 1},
    {"cut_density", &Size::cut_density, 0, 1},
    {"ncouls", &Size::ncouls, 1, 1e6},
    {"npair", &Size::npair, 1, 1e7},
    {"nfreq", &Size::nfreq, 1, 1e4},
};
constexpr generate::RealKey<Size> reals[] = {{"a", &Size::a, 1, 1e3},
                                             {"ecutwfc", &Size::ecutwfc, 1e-3, 1e4},
                                             {"ecuts", &Size::ecuts, 1e-3, 1e4},
                                             {"invalid", &Size::invalid, 0, 1},
                                             {"zero", &Size::zero, 0, 1},
                                             {"left_out", &Size::left_out, 0, 1}};
constexpr generate::WordKey<Size> words[] = {
    {"flavour", &Size::real, flavours}, {"lattice", &Size::lattice, lattices}, {"frequencies", &Size::frequencies, kinds_of_frequencies}};
constexpr generate::Keys<Size> keys{integers, reals, words};

constexpr Vector3 k_point{0.15, -0.2, 0.3}, q_point{0.2, 0, 0.4};
constexpr Miller umklapp{1, -2, 1};

// Reciprocal lattices of cells of edge a: face-centred cubic; 1 x 0.8 x 1.3; the same with angles.
Metric metric_of(const Size& s) {
  const double u = 4 * std::numbers::pi * std::numbers::pi / (s.a * s.a);
  switch (s.lattice) {
    case 0: return {3 * u, -u, -u, -u, 3 * u, -u, -u, -u, 3 * u};
    case 1: return {u, 0, 0, 0, u / 0.64, 0, 0, 0, u / 1.69};
    default: return {u, 0.3 * u, -0.1 * u, 0.3 * u, u / 0.64, 0.2 * u, -0.1 * u, 0.2 * u, u / 1.69};
  }
}

struct Lists {
  std::vector<Miller> bra, ket, wanted;
};
Lists lists_of(const Size& s) {
  const Metric bdot = metric_of(s);
  Vector3 inner;
  for (int i = 0; i < 3; ++i) inner[i] = k_point[i] - q_point[i];
  Lists lists{sphere(bdot, k_point, s.ecutwfc), sphere(bdot, inner, s.ecutwfc), sphere(bdot, q_point, s.ecuts)};
  // A sphere smaller than the distance of its k point holds none.
  for (auto* list : {&lists.bra, &lists.ket, &lists.wanted})
    if (list->empty()) list->push_back({0, 0, 0});
  // k-q as the same point with another label: its G vectors move by one, those of q by the opposite.
  for (int d = 0; s.umklapp && d < 3; ++d) {
    for (Miller& g : lists.ket) g[d] += umklapp[d];
    for (Miller& g : lists.wanted) g[d] -= umklapp[d];
  }
  if (s.far) {
    lists.wanted.insert(lists.wanted.begin() + 1, Miller{40, 0, 0});
    lists.wanted.push_back({0, -41, 3});
  }
  return lists;
}

double* numbers_of(const suite_array& array) { return static_cast<double*>(array.data); }
void put(const suite_array& array, const std::vector<Miller>& list) {
  auto* const to = static_cast<int32_t*>(array.data);
  for (size_t i = 0; i < list.size(); ++i)
    for (int d = 0; d < 3; ++d) to[3 * i + d] = list[i][d];
}
void put_random(const suite_array& array, int64_t numbers, double scale, const Random& random) {
  parallel(numbers, [&](int64_t i) { numbers_of(array)[i] = scale * (random(i) - 0.5); });
}

// The results have the size of one coefficient's square root of its number: bands are normalised on average.
void fill(const Size& s, uint64_t seed, const suite_array* arguments) {
  const Mtxel c(arguments);
  const Lists lists = lists_of(s);
  put(c.g_bra, lists.bra);
  put(c.g_ket, lists.ket);
  put(c.g, lists.wanted);
  const double parts = c.parts();
  put_random(c.ket, c.parts() * c.npw_ket() * s.ntband * s.nspinor, std::sqrt(12 / (parts * static_cast<double>(c.npw_ket() * s.nspinor))),
             Random(seed, 0));
  put_random(c.bra, c.parts() * c.npw_bra() * s.nex * s.nspinor, std::sqrt(12 / (parts * static_cast<double>(c.npw_bra() * s.nspinor))),
             Random(seed, 1));
  const Random angle(seed, 2);
  for (int64_t i = 0; s.phased && i < c.ncouls(); ++i) {
    double* const phase = numbers_of(c.phase);
    if (s.real) {
      phase[i] = angle(i) < 0.5 ? -1 : 1;
    } else {
      phase[2 * i] = std::cos(6.3 * angle(i));
      phase[2 * i + 1] = std::sin(6.3 * angle(i));
    }
  }
  if (s.conjugate) *static_cast<int32_t*>(arguments[position<Mtxel>("conjugate")].data) = 1;
}

Vector3 q_of(const Size& s) { return s.zero_q ? Vector3{0, 0, 0} : q_point; }
std::vector<Miller> screened(const Size& s) {
  auto list = sphere(metric_of(s), q_of(s), s.ecuts);
  if (list.empty()) list.push_back({0, 0, 0});
  return list;
}
// Up to the longest difference of two G vectors, or (cut_density) half of it.
std::vector<Miller> charged(const Size& s) {
  const double cutoff = (s.cut_density ? 1.1 : 4.2) * s.ecuts;
  auto list = sphere(metric_of(s), {0, 0, 0}, cutoff);
  if (list.empty()) list.push_back({0, 0, 0});
  return list;
}
int64_t columns_of(const Size& s, int64_t ncouls) { return s.ngpown > 0 ? std::min(s.ngpown, ncouls) : ncouls; }

constexpr int grid_points = 125;
constexpr double electrons = 8;

void fill(const Size& s, uint64_t seed, const suite_array* arguments, const std::vector<Miller>& list) {
  const PolesOfScreening c(arguments);
  const Metric bdot = metric_of(s);
  const auto rho_list = charged(s);
  const Vector3 q = q_of(s);
  put(c.g, list);
  put(c.g_rho, rho_list);
  const int parts = c.parts();
  const auto at = [](double* x, int i) -> double& { return x[i]; };
  // A density that decays with G.
  const Random density(seed, 0);
  double* const rho = numbers_of(c.rho);
  for (size_t i = 0; i < rho_list.size(); ++i) {
    const Vector3 v{double(rho_list[i][0]), double(rho_list[i][1]), double(rho_list[i][2])};
    const double size = electrons / (1 + product(bdot, v.data(), v.data())), angle = 6.3 * density(static_cast<int64_t>(i));
    const bool origin = rho_list[i] == Miller{0, 0, 0};
    at(rho + parts * i, 0) = origin ? electrons : parts == 1 ? (angle < 3 ? size : -size) : size * std::cos(angle);
    if (parts == 2) at(rho + parts * i, 1) = origin ? 0 : size * std::sin(angle);
  }
  double* const v = numbers_of(c.vcoul);
  const double volume = cell_volume(bdot.data());
  std::vector<Vector3> x(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    for (int d = 0; d < 3; ++d) x[i][d] = q[d] + list[i][d];
    const double length2 = product(bdot, x[i].data(), x[i].data());
    v[i] = 8 * std::numbers::pi / (length2 > 1e-10 ? length2 : 0.01) / (grid_points * volume);
  }
  auto* const indigp = static_cast<int32_t*>(c.indigp.array().data);
  const int64_t ncouls = c.ncouls(), ngpown = c.ngpown();
  for (int64_t igp = 0; indigp && igp < ngpown; ++igp)
    indigp[igp] = s.padding && igp % 5 == 2 ? 0 : static_cast<int32_t>(igp * ncouls / ngpown + 1);
  for (int i = 0; i < 3; ++i) numbers_of(c.q)[i] = q[i];
  for (int i = 0; i < 9; ++i) numbers_of(c.bdot)[i] = bdot[i];
  *static_cast<int32_t*>(arguments[position<PolesOfScreening>("nq")].data) = grid_points;
  *static_cast<int32_t*>(arguments[position<PolesOfScreening>("invalid_gpp_mode")].data) = static_cast<int32_t>(s.mode);
  *numbers_of(arguments[position<PolesOfScreening>("w_imaginary")]) = 17.5;

  // I with the phase of Omega^2, and up to 1.2 beside it; opposite where the mode is to be invalid; below the
  // threshold where there is none.
  const DensityBox box = make_density_box(c);
  const Random kind(seed, 1), strength(seed, 2), turned(seed, 3), second(seed, 4);
  double *const eps = numbers_of(c.epsinv), *const eps_i = numbers_of(c.epsinv_imaginary);
  parallel(ncouls * ngpown, [&](int64_t i) {
    const int64_t ig = i % ncouls, igp = i / ncouls, column = indigp ? indigp[igp] - 1 : igp;
    Complex omega = 1;
    if (column >= 0) {
      Miller d;
      bool inside = true;
      for (int n = 0; n < 3; ++n) {
        d[n] = list[ig][n] - list[column][n];
        inside = inside && std::abs(d[n]) <= box.reach[n];
      }
      const int64_t place = inside ? box.at(d[0], d[1], d[2]) * parts : 0;
      if (inside) omega = parts == 2 ? Complex(box.value[place], box.value[place + 1]) : Complex(box.value[place]);
      omega *= product(bdot, x[ig].data(), x[column].data());
    }
    const double size = std::abs(omega);
    const Complex direction = size > 0 ? omega / size : Complex(1);
    const double u = kind(i);
    const double sign = u < s.invalid ? -1 : 1, magnitude = u > 1 - s.zero ? 3e-7 * strength(i) : 0.05 + 0.5 * strength(i);
    const Complex turn = parts == 2 ? std::polar(1.0, 2.4 * (turned(i) - 0.5)) : Complex(1);
    const Complex I = sign * magnitude * direction * turn;
    const Complex I_i = I * (second(i) < s.invalid ? -0.4 - second(i) : 0.1 + 0.8 * second(i)) *
                        (parts == 2 ? std::polar(1.0, 0.4 * (second(i) - 0.5)) : Complex(1));
    const double delta = ig == column ? 1 : 0;
    for (int p = 0; p < parts; ++p) {
      const double one = p == 0 ? delta : 0;
      eps[parts * i + p] = one - (p == 0 ? I.real() : I.imag());
      eps_i[parts * i + p] = one - (p == 0 ? I_i.real() : I_i.imag());
    }
  });
}

// Of energy differences from 0.2 Ry: real ones lie below all of them.
Complex frequency(int64_t kind, int64_t i) {
  const auto j = static_cast<double>(i);
  switch (kind) {
    case 0: return 0;
    case 1: return {0, 0.3 * j};
    case 2: return 0.19 * j / (1 + j);
    case 3: return {0.2 * (j + 1), 0.02};
    default: return i % 3 == 0 ? Complex(0, 0.4 * j) : i % 3 == 1 ? Complex(0.5 * j, 0.1) : Complex(0.15);
  }
}

void fill_chi(const Size& s, uint64_t seed, const suite_array* arguments) {
  const Chi c(arguments);
  const int64_t ncouls = c.ncouls(), ngpown = c.ngpown();
  put_random(c.aqs, c.parts() * ncouls * s.npair, 2, Random(seed, 0));
  const Random energy(seed, 1), occupied(seed, 2), counts(seed, 3);
  double *const delta = numbers_of(c.delta), *const weight = numbers_of(c.weight);
  for (int64_t p = 0; p < s.npair; ++p) {
    delta[p] = counts(p) < s.left_out ? (p % 2 ? 0 : -0.3) : 0.2 + 3 * energy(p);
    // Some are 0, and a few have the other sign, as f_v - f_c of partial occupations.
    weight[p] = occupied(p) < 0.05 ? 0 : 0.01 * (occupied(p) < 0.1 ? -0.5 : occupied(p));
  }
  for (int64_t i = 0; c.z && i < s.nfreq; ++i) {
    const Complex z = frequency(s.frequencies, i);
    numbers_of(c.z)[2 * i] = z.real();
    numbers_of(c.z)[2 * i + 1] = z.imag();
  }
  auto* const indigp = static_cast<int32_t*>(c.indigp.array().data);
  // The whole matrix has its columns in order, as hosts have them; slices go through all G, from the last to the first.
  for (int64_t igp = 0; indigp && igp < ngpown; ++igp)
    indigp[igp] = s.padding && igp % 5 == 2 ? 0 : static_cast<int32_t>(ngpown == ncouls ? igp + 1 : ncouls - igp * ncouls / ngpown);
  put_random(c.chi, c.parts() * ncouls * ngpown * s.nfreq, 0.01, Random(seed, 4));
  if (c.chi_imaginary) put_random(c.chi_imaginary, ncouls * ngpown * s.nfreq, 0.01, Random(seed, 5));
}

}  // namespace

int Chi::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) {
  return guarded(error, [&] {
    Size s;
    generate::parse(s, chi_sizes, keys, size ? size : "small");
    if (arguments[position<Chi>("chi")].data) return fill_chi(s, seed, arguments);
    describe_arguments<Chi>(arguments, s.real ? SUITE_REAL64 : SUITE_COMPLEX128,
                            {{"ncouls", s.ncouls}, {"npair", s.npair}, {"ngpown", columns_of(s, s.ncouls)}, {"nfreq", s.nfreq}});
    if (s.unlisted) arguments[position<Chi>("indigp")].rank = -1;
    if (s.frequencies == 0 && s.nfreq == 1) arguments[position<Chi>("z")].rank = -1;
    const bool complex_frequencies = s.frequencies == 3 || (s.frequencies == 4 && s.nfreq > 1);
    if (!s.real || !complex_frequencies) arguments[position<Chi>("chi_imaginary")].rank = -1;
  });
}

int Mtxel::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) {
  return guarded(error, [&] {
    Size s;
    generate::parse(s, mtxel_sizes, keys, size ? size : "small");
    if (arguments[position<Mtxel>("g")].data) return fill(s, seed, arguments);
    const Lists lists = lists_of(s);
    const auto count = [](const auto& list) { return static_cast<int64_t>(list.size()); };
    describe_arguments<Mtxel>(arguments, s.real ? SUITE_REAL64 : SUITE_COMPLEX128,
                              {{"npw_bra", count(lists.bra)},
                               {"npw_ket", count(lists.ket)},
                               {"ncouls", count(lists.wanted)},
                               {"ntband", s.ntband},
                               {"nex", s.nex},
                               {"nspinor", s.nspinor},
                               {"3", 3}});
    if (!s.phased) arguments[position<Mtxel>("phase")].rank = -1;
    if (!s.conjugate) arguments[position<Mtxel>("conjugate")].rank = -1;
  });
}

int PolesOfScreening::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) {
  return guarded(error, [&] {
    Size s;
    generate::parse(s, screening_sizes, keys, size ? size : "small");
    const auto list = screened(s);
    if (arguments[position<PolesOfScreening>("g")].data) return fill(s, seed, arguments, list);
    const auto ncouls = static_cast<int64_t>(list.size());
    describe_arguments<PolesOfScreening>(
        arguments, s.real ? SUITE_REAL64 : SUITE_COMPLEX128,
        {{"ncouls", ncouls}, {"ngpown", columns_of(s, ncouls)}, {"ng", static_cast<int64_t>(charged(s).size())}, {"3", 3}});
    if (s.unlisted) arguments[position<PolesOfScreening>("indigp")].rank = -1;
  });
}

}  // namespace suite::gw
