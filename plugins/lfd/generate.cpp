// SPDX-License-Identifier: BSD-3-Clause
// Deterministic inputs of any size for the kernels of this family. Compiled into every implementation.
#include <suite/generate.hpp>

#include <cmath>
#include <complex>
#include <numbers>

#include "lfd.hpp"
#include "spectrum.hpp"

namespace suite::lfd {
namespace {

using generate::Named, generate::Random, generate::parallel, generate::shape;

// "case1" and "case2" are those of the published timings (32^3 points, 32 and 64 orbitals; steps and field
// steps inferred), "standard" the same grid for fewer steps, "small" has everything on.
constexpr Named named[] = {
    {"small", "Nx=10,Ny=8,Nz=12,Norb=5,nsteps=3,field_steps=4,k=1,A=1,E=1,nonlocal=1,current=1"},
    {"standard", "N=32,Norb=64,nsteps=20"},
    {"case1", "N=32,Norb=32,nsteps=1000,field_steps=220,precision=single"},
    {"case2", "N=32,Norb=64,nsteps=1000,field_steps=1100,precision=single"},
    {"large", "N=64,Norb=256,nsteps=10"},
};

// The sizes that tests walk through, corners first: one point, one direction, two points (both sets of pairs
// are the same pair), grids that are no cube and no power of two, orbitals one less and one more than a
// vector or a block, both precisions, and each optional argument set and unset.
constexpr const char* tests[] = {
    "N=1,Norb=1,nsteps=1",
    "Nx=1,Ny=1,Nz=2,Norb=1,nsteps=2",
    "Nx=10,Ny=8,Nz=12,Norb=5,nsteps=3,field_steps=4,k=1,A=1,E=1,nonlocal=1,current=1",
    "Nx=10,Ny=8,Nz=12,Norb=5,nsteps=3,field_steps=4,k=1,A=1,E=1,nonlocal=1,current=1,precision=single",
    "Nx=2,Ny=4,Nz=2,Norb=3,nsteps=2,A=1,k=1,field_steps=3,kappa=0.5,gamma=0.3,current=1",
    "Nx=64,Ny=1,Nz=1,Norb=2,nsteps=5,E=1,vxc=0,exc=0,field_steps=7,current=1",
    "Nx=1,Ny=22,Nz=6,Norb=31,nsteps=3,vxc=1,E=1,field_steps=11,gamma=1.5",
    "Nx=6,Ny=14,Nz=10,Norb=33,nsteps=2,nonlocal=1,natom=3,nsphere=40,nproj=8,dt=-0.05,field_steps=0,kappa=0."
    "99",
    "Nx=14,Ny=6,Nz=8,Norb=17,nsteps=2,nonlocal=1,natom=4,nsphere=27,nproj=4,A=1,overlap=1,current=1,dt=0.1",
    "Nx=8,Ny=10,Nz=6,Norb=16,nsteps=4,k=1,precision=single,nonlocal=1,natom=2,nsphere=33,nproj=2,field_steps="
    "5",
    "Nx=4,Ny=6,Nz=34,Norb=1,nsteps=3,precision=single,E=1,field_steps=20,gamma=0.2,current=1",
    "Nx=12,Ny=4,Nz=4,Norb=64,nsteps=2,precision=single,A=1,field_steps=2",
    "Nx=4,Ny=4,Nz=4,Norb=129,nsteps=2,nonlocal=1,natom=1,nsphere=1,nproj=1,field_steps=2",
    // Many atoms, some of which touch, in the cell and around its border, in an order that is not that of their places.
    "Nx=10,Ny=8,Nz=12,Norb=34,nsteps=2,nonlocal=1,natom=13,nsphere=75,nproj=9,k=1,A=1,current=1,dt=0.1",
    "Nx=8,Ny=10,Nz=8,Norb=7,nsteps=2,precision=single,nonlocal=1,natom=11,nsphere=130,nproj=5,A=1,dt=0.1",
    // More projections of an orbital than shared memory holds.
    "Nx=8,Ny=8,Nz=8,Norb=2,nonlocal=1,natom=200,nsphere=6,nproj=16,k=1",
    "Nx=16,Ny=16,Nz=16,Norb=8,nsteps=1,field_steps=100,gamma=0.1,kappa=0.9",
    // More steps than OpenCL adds moments of at once (64); short ones, so that rounding does not grow.
    "Nx=4,Ny=6,Nz=2,Norb=9,nsteps=70,dt=0.005",
    // The same grid with another number of field steps: what a kernel keeps of the call before is of no use.
    "Nx=4,Ny=6,Nz=2,Norb=9,nsteps=2,field_steps=3",
    // Directions that do not exist, with phases; points that fill no block of threads.
    "Nx=1,Ny=1,Nz=10,Norb=18,nsteps=2,A=1,k=1,field_steps=2,current=1",
    "Nx=6,Ny=1,Nz=1,Norb=35,nsteps=2,A=1,E=1",
};
constexpr generate::Catalogue sizes{named, tests, {}};

// Of lfd.hpsi, whose grids have any number of points: "silicon" has the shapes of eight atoms at eight k points in a host whose orbitals are
// its slowest index, "molecule" those of five real orbitals in a box.
constexpr Named hpsi_named[] = {
    {"small", "Nx=10,Ny=9,Nz=12,Norb=5,k=1,A=1,nonlocal=1,nspin=2,ghost=4,edge=mixed"},
    {"standard", "N=32,Norb=64"},
    {"silicon", "N=12,Norb=128,slow=1,k=1,nonlocal=1,natom=8,nsphere=180,nproj=4,h=0.855"},
    {"molecule", "N=64,Norb=5,slow=1,real=1,edge=zeros,h=0.47"},
    {"large", "N=64,Norb=64,slow=1"},
};
// One point; boxes narrower than the stencil, down to two points, which are each other's neighbours on both sides; each kind of edge
// with ghosts that are more than enough; orbitals in front, behind, and both; spheres that reach across the border.
constexpr const char* hpsi_tests[] = {
    "N=1,Norb=1",
    "Nx=10,Ny=9,Nz=12,Norb=5,k=1,A=1,nonlocal=1,nspin=2,ghost=4,edge=mixed",
    "Nx=10,Ny=9,Nz=12,Norb=5,k=1,A=1,nonlocal=1,nspin=2,ghost=4,edge=mixed,precision=single",
    "Nx=2,Ny=3,Nz=5,Norb=3,A=1,k=1",
    "Nx=3,Ny=2,Nz=1,Norb=7,slow=1,k=1,edge=zeros",
    "Nx=1,Ny=7,Nz=4,Norb=4,slow=1,A=1,ghost=5,edge=ghosts",
    "Nx=9,Ny=5,Nz=7,Norb=9,slow=1,real=1,nonlocal=1,natom=3,nsphere=40,nproj=8,nspin=3",
    "Nx=9,Ny=5,Nz=7,Norb=9,slow=1,real=1,nonlocal=1,natom=2,nsphere=31,nproj=3,edge=zeros,precision=single",
    "Nx=6,Ny=7,Nz=8,Norb=17,real=1,nonlocal=1,natom=2,nsphere=57,nproj=3,ghost=4,edge=ghosts",
    "Nx=8,Ny=6,Nz=13,Norb=12,fast=4,k=1,nonlocal=1,natom=4,nsphere=27,nproj=9,overlap=1",
    "Nx=5,Ny=11,Nz=9,Norb=18,fast=9,A=1,nonlocal=1,natom=1,nsphere=1,nproj=1,nspin=2,precision=single",
    "Nx=12,Ny=11,Nz=10,Norb=16,slow=1,k=1,nonlocal=1,natom=3,nsphere=90,nproj=4,ghost=1",
    "Nx=4,Ny=5,Nz=37,Norb=34,A=1",
    "Nx=4,Ny=3,Nz=70,Norb=3,slow=1,k=1,A=1,precision=single",
    "Nx=21,Ny=1,Nz=1,Norb=2,slow=1",
    "Nx=6,Ny=5,Nz=4,Norb=6,slow=1,precision=single",
    "Nx=5,Ny=4,Nz=6,Norb=3,slow=1,real=1,nonlocal=1,natom=1,nsphere=20,nproj=6,precision=single",
};
constexpr generate::Catalogue hpsi_sizes{hpsi_named, hpsi_tests, {}};

struct Size {
  int64_t N = 0, Nx = 8, Ny = 8, Nz = 8, Norb = 4, nsteps = 1, field_steps = 1;
  int64_t single = 0, k = 0, A = 0, E = 0, vxc = 1, exc = 1, current = 0;
  int64_t nonlocal = 0, natom = 2, nsphere = 57, nproj = 5, overlap = 0;
  int64_t slow = 0, fast = 0, real = 0, nspin = 1, ghost = 0, edge = 0;
  double h = 0.4, dt = 0.04, kappa = 0, gamma = -1;

  int64_t points() const { return Nx * Ny * Nz; }
  int32_t orbital() const { return single ? SUITE_COMPLEX64 : SUITE_COMPLEX128; }
  int32_t wavefunction() const { return real ? field() : orbital(); }
  int64_t nfast() const { return slow ? 1 : fast ? fast : Norb; }
  int32_t field() const { return single ? SUITE_REAL32 : SUITE_REAL64; }
};

constexpr const char* precisions[] = {"double", "single", nullptr};
constexpr generate::IntegerKey<Size> integers[] = {
    {"N", &Size::N, 1, 4096},
    {"Nx", &Size::Nx, 1, 1e6},
    {"Ny", &Size::Ny, 1, 1e6},
    {"Nz", &Size::Nz, 1, 1e6},
    {"Norb", &Size::Norb, 1, 1e6},
    {"nsteps", &Size::nsteps, 1, 1e7},
    {"natom", &Size::natom, 1, 1e5},
    {"nsphere", &Size::nsphere, 1, 1e6},
    {"nproj", &Size::nproj, 1, 32},
    {"field_steps", &Size::field_steps, 0, 1e9},
    {"k", &Size::k, 0, 1},
    {"A", &Size::A, 0, 1},
    {"E", &Size::E, 0, 1},
    {"vxc", &Size::vxc, 0, 1},
    {"exc", &Size::exc, 0, 1},
    {"current", &Size::current, 0, 1},
    {"nonlocal", &Size::nonlocal, 0, 1},
    {"overlap", &Size::overlap, 0, 1},
};
// Of lfd.hpsi: whether orbitals are the slowest index, or how many are the fastest; ghosts on each side; whether orbitals are real.
constexpr generate::IntegerKey<Size> hpsi_integers[] = {
    {"N", &Size::N, 1, 4096},          {"Nx", &Size::Nx, 1, 1e6},   {"Ny", &Size::Ny, 1, 1e6},       {"Nz", &Size::Nz, 1, 1e6},
    {"Norb", &Size::Norb, 1, 1e6},     {"slow", &Size::slow, 0, 1}, {"fast", &Size::fast, 0, 1e6},   {"ghost", &Size::ghost, 0, 64},
    {"nspin", &Size::nspin, 1, 64},    {"real", &Size::real, 0, 1}, {"natom", &Size::natom, 1, 1e5}, {"nsphere", &Size::nsphere, 1, 1e6},
    {"nproj", &Size::nproj, 1, 32},    {"k", &Size::k, 0, 1},       {"A", &Size::A, 0, 1},           {"nonlocal", &Size::nonlocal, 0, 1},
    {"overlap", &Size::overlap, 0, 1},
};
constexpr generate::RealKey<Size> hpsi_reals[] = {{"h", &Size::h, 1e-3, 1e3}};
constexpr const char* edges[] = {"periodic", "zeros", "ghosts", "mixed", nullptr};
constexpr generate::WordKey<Size> hpsi_words[] = {{"precision", &Size::single, precisions}, {"edge", &Size::edge, edges}};
constexpr generate::Keys<Size> hpsi_keys{hpsi_integers, hpsi_reals, hpsi_words};

constexpr generate::RealKey<Size> reals[] = {
    {"h", &Size::h, 1e-3, 1e3},
    {"dt", &Size::dt, -1e3, 1e3},
    {"kappa", &Size::kappa, 0, 1e6},  // as a share of the stable limit; 0: unset
    {"gamma", &Size::gamma, 0, 1e6},  // below 0: unset
};
constexpr generate::WordKey<Size> words[] = {{"precision", &Size::single, precisions}};
constexpr generate::Keys<Size> keys{integers, reals, words};

template <class Kernel> Size size_of(const char* text) {
  Size s;
  if constexpr (std::is_same_v<Kernel, Hpsi>) generate::parse(s, hpsi_sizes, hpsi_keys, text ? text : "small");
  else generate::parse(s, sizes, keys, text ? text : "small");
  if (s.N > 0) s.Nx = s.Ny = s.Nz = s.N;
  s.nsphere = std::min(s.nsphere, s.points());
  if (s.fast && s.Norb % s.fast != 0)
    throw Failure(SUITE_INVALID_ARGUMENT, concat("Norb is ", s.Norb, ", which is no multiple of fast = ", s.fast));
  return s;
}

// Spacings that differ by direction, so that a kernel that takes the wrong one is caught.
void spacings(const Size& s, double* h) {
  h[0] = s.h;
  h[1] = 1.125 * s.h;
  h[2] = 1.25 * s.h;
}

template <class F> void fill(const suite_array& array, int64_t n, F&& f) {
  if (array.type == SUITE_REAL32) {
    auto* x = static_cast<float*>(array.data);
    parallel(n, [&](int64_t i) { x[i] = static_cast<float>(f(i)); });
  } else {
    auto* x = static_cast<double*>(array.data);
    parallel(n, [&](int64_t i) { x[i] = f(i); });
  }
}

template <class F> void fill_integers(const suite_array& array, int64_t n, F&& f) {
  for (int64_t i = 0; i < n; ++i) static_cast<int32_t*>(array.data)[i] = static_cast<int32_t>(f(i));
}

// A phase e^{2 pi i m.r/L} by tables of one period per direction.
class Waves {
public:
  explicit Waves(const Size& s) {
    const int64_t n[] = {s.Nx, s.Ny, s.Nz};
    for (int d = 0; d < 3; ++d)
      for (int64_t i = 0; i < n[d]; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n[d]);
        table_[d].emplace_back(std::cos(angle), std::sin(angle));
      }
  }
  // Point in the order of v(Nz,Ny,Nx).
  std::complex<double> operator()(const int* m, int64_t point) const {
    const auto nz = std::ssize(table_[2]), ny = std::ssize(table_[1]);
    return at(0, m[0], point / (nz * ny)) * at(1, m[1], point / nz % ny) * at(2, m[2], point % nz);
  }

private:
  std::complex<double> at(int d, int m, int64_t i) const {
    const auto n = std::ssize(table_[d]);
    return table_[d][static_cast<size_t>(((m * i) % n + n) % n)];
  }
  std::vector<std::complex<double>> table_[3];
};

// Wave numbers from -2 to 2.
struct Wave {
  int m[3];
  Wave(const Random& random, int64_t which) {
    for (int d = 0; d < 3; ++d) m[d] = static_cast<int>(5 * random(3 * which + d)) - 2;
  }
};

// Three waves of each orbital, normalised on average: smooth, bounded, nearly orthogonal.
void fill_psi(const Size& s, uint64_t seed, const suite_array& psi, const int64_t* ghosts = nullptr) {
  const Random wave(seed, 0), phase(seed, 1);
  double h[3];
  spacings(s, h);
  const double norm = 1 / std::sqrt(1.25 * static_cast<double>(s.points()) * h[0] * h[1] * h[2]);
  const Waves waves(s);
  std::vector<Wave> m;
  std::vector<std::complex<double>> factor;
  for (int64_t n = 0; n < s.Norb; ++n)
    for (int64_t t = 0; t < 3; ++t) {
      m.emplace_back(wave, 3 * n + t);
      const double angle = 2 * std::numbers::pi * phase(3 * n + t), size = t == 0 ? 1 : t == 1 ? 0.4 : 0.3;
      factor.push_back(norm * size * std::complex<double>(std::cos(angle), std::sin(angle)));
    }
  const auto value = [&](int64_t n, int64_t point) {
    std::complex<double> sum = 0;
    for (int64_t t = 3 * n; t < 3 * n + 3; ++t) {
      const std::complex<double> w = waves(m[t].m, point), f = factor[t];
      sum += std::complex<double>(w.real() * f.real() - w.imag() * f.imag(), w.real() * f.imag() + w.imag() * f.real());
    }
    return sum;
  };
  // With ghosts, the points around the grid hold what no wave has, so that a skipped copy is seen.
  const auto at = [&](int64_t i) -> std::complex<double> {
    const int64_t n = i % s.Norb, point = i / s.Norb;
    if (!ghosts) return value(n, point);
    const int64_t z = point % ghosts[2] - 1, y = point / ghosts[2] % ghosts[1] - 1, x = point / (ghosts[2] * ghosts[1]) - 1;
    if (x < 0 || x >= s.Nx || y < 0 || y >= s.Ny || z < 0 || z >= s.Nz) return {static_cast<double>(i % 7), 0.5};
    return value(n, z + s.Nz * (y + s.Ny * x));
  };
  const int64_t count = s.Norb * (ghosts ? ghosts[0] * ghosts[1] * ghosts[2] : s.points());
  if (psi.type == SUITE_COMPLEX64) {
    auto* x = static_cast<std::complex<float>*>(psi.data);
    parallel(count, [&](int64_t i) { x[i] = std::complex<float>(at(i)); });
  } else {
    auto* x = static_cast<std::complex<double>*>(psi.data);
    parallel(count, [&](int64_t i) { x[i] = at(i); });
  }
}

// Of lfd.hpsi: all waves of the grid alike, in the ghosts as well.
void fill_any_psi(const Size& s, uint64_t seed, const suite_array& psi) {
  const Random random(seed, 0);
  const double size = 2 / std::sqrt(static_cast<double>(s.points()) * s.h * s.h * s.h);
  const bool single = is_single(psi);
  const int64_t count = psi.extent[0] * psi.extent[1] * psi.extent[2] * psi.extent[3] * psi.extent[4] * (s.real ? 1 : 2);
  parallel(count, [&](int64_t i) {
    const double x = size * (random(i) - 0.5);
    if (single) static_cast<float*>(psi.data)[i] = static_cast<float>(x);
    else static_cast<double*>(psi.data)[i] = x;
  });
}

// low to high, smooth, with a little noise.
void fill_field(const Size& s, uint64_t seed, int stream, const suite_array& v, double low, double high, int64_t slices = 1) {
  const Random wave(seed, stream), noise(seed, stream + 1);
  const Waves waves(s);
  const int64_t points = s.points();
  fill(v, points * slices, [&](int64_t i) {
    const int64_t slice = i / points;
    double sum = 0;
    for (int64_t t = 0; t < 3; ++t) sum += waves(Wave(wave, 3 * slice + t).m, i % points).real() / 3;
    return low + (high - low) * (0.5 + 0.45 * sum + 0.1 * (noise(i) - 0.5));
  });
}

// Densities over eight decades, and some that count as zero.
void fill_densities(const Size& s, uint64_t seed, const suite_array& rho) {
  const Random random(seed, 10), decade(seed, 11);
  fill(rho, s.points(), [&](int64_t i) {
    if (i % 97 == 5) return i % 2 ? 0.0 : 1e-22;
    return std::ldexp(1 + random(i), static_cast<int>(28 * decade(i)) - 26);
  });
}

void fill_drive(uint64_t seed, const suite_array& drive, int64_t n, double size) {
  const Random random(seed, 12);
  fill(drive, n, [&](int64_t i) { return size * (2 * random(i) - 1); });
}

void fill_occupations(const Size& s, const suite_array& f) {
  fill(f, s.Norb, [&](int64_t n) { return n % 3 == 2 ? 1.25 : 2.0; });
}

// Projectors as atoms have them: a Gaussian times 1, x, y, z, r^2, xy, yz, zx, then the same times r^2.
double projector(int64_t which, const double* r, double r2) {
  const double shapes[] = {1, r[0], r[1], r[2], r2, r[0] * r[1], r[1] * r[2], r[2] * r[0]};
  double value = shapes[which % 8];
  for (int64_t i = 0; i < which / 8; ++i) value *= r2;
  return value;
}

// The grid points nearest to each atom; atoms a cell's half apart, or on top of each other (overlap). The
// second, fourth, .. atom has a point less and one projector without coefficients.
void fill_nonlocal(const Size& s, uint64_t seed, const suite_array& nlpoint, const suite_array& nldisp, const suite_array& beta,
                   const suite_array& dnl) {
  const int64_t n[] = {s.Nx, s.Ny, s.Nz};
  double h[3];
  spacings(s, h);
  const Random random(seed, 13);
  auto* point = static_cast<int32_t*>(nlpoint.data);
  auto* displacement = static_cast<double*>(nldisp.data);
  auto* projectors = static_cast<double*>(beta.data);
  auto* coefficients = static_cast<double*>(dnl.data);
  struct Near {
    double r2, r[3];
    int32_t point;
  };
  for (int64_t atom = 0; atom < s.natom; ++atom) {
    std::vector<Near> all(static_cast<size_t>(s.points()));
    double center[3];
    for (int d = 0; d < 3; ++d) center[d] = s.overlap ? 0.5 + random(3 * atom + d) : static_cast<double>(n[d]) * random(3 * atom + d);
    for (int64_t i = 0; i < s.points(); ++i) {
      const int64_t at[] = {i / (s.Nz * s.Ny), i / s.Nz % s.Ny, i % s.Nz};
      Near& near = all[i];
      near.r2 = 0;
      near.point = static_cast<int32_t>(i + 1);
      for (int d = 0; d < 3; ++d) {
        const double period = static_cast<double>(n[d]);
        double x = static_cast<double>(at[d]) - center[d];
        if (x > 0.5 * period) x -= period;
        if (x < -0.5 * period) x += period;
        near.r[d] = x * h[d];
        near.r2 += near.r[d] * near.r[d];
      }
    }
    std::sort(all.begin(), all.end(), [](const Near& a, const Near& b) { return a.r2 != b.r2 ? a.r2 < b.r2 : a.point < b.point; });
    const int64_t count = std::max<int64_t>(1, s.nsphere - atom % 2);
    const double width2 = 0.3 * all[count - 1].r2 + h[0] * h[0];
    for (int64_t i = 0; i < s.nsphere; ++i) {
      const bool there = i < count;
      point[i + s.nsphere * atom] = there ? all[i].point : 0;
      for (int d = 0; d < 3; ++d) displacement[d + 3 * (i + s.nsphere * atom)] = there ? all[i].r[d] : 0;
      for (int64_t p = 0; p < s.nproj; ++p)
        projectors[i + s.nsphere * (p + s.nproj * atom)] =
            there ? projector(p, all[i].r, all[i].r2) * std::exp(-all[i].r2 / (2 * width2)) : 0.25;
    }
    for (int64_t p = 0; p < s.nproj; ++p) {  // to norm 1
      double* const b = projectors + s.nsphere * (p + s.nproj * atom);
      double norm2 = 0;
      for (int64_t i = 0; i < count; ++i) norm2 += b[i] * b[i] * h[0] * h[1] * h[2];
      for (int64_t i = 0; i < s.nsphere && norm2 > 0; ++i) b[i] /= std::sqrt(norm2);
    }
    const int64_t used = s.nproj > 1 ? s.nproj - atom % 2 : 1;
    for (int64_t q = 0; q < s.nproj; ++q)
      for (int64_t p = 0; p < s.nproj; ++p) {
        const bool pair = p == q || (p + q == 4 && p * q == 0);  // 1 and r^2
        coefficients[p + s.nproj * (q + s.nproj * atom)] =
            p < used && q < used && pair ? (p == q ? 2.0 - 0.5 * static_cast<double>(p) : -0.4) : 0;
      }
  }
}

double kappa_of(const Size& s) {
  const int64_t n[] = {s.Nx, s.Ny, s.Nz};
  double h[3];
  spacings(s, h);
  const double lambda = largest_eigenvalue(n, h);
  return lambda > 0 ? s.kappa * (4 - 2 * std::max(0.0, s.gamma)) / lambda : s.kappa;
}

// Arguments by name, so that a kernel's list of them says all: describe() shapes what the size asks for,
// fill_all() fills what was shaped.
using Rows = std::span<const suite_argument>;

bool wanted(const Size& s, std::string_view name, bool nonlocal) {
  if (name == "k") return s.k;
  if (name == "A") return s.A;
  if (name == "E") return s.E;
  if (name == "vxc") return s.vxc;
  if (name == "exc") return s.exc;
  if (name == "current") return s.current;
  if (name == "kappa") return s.kappa > 0;
  if (name == "gamma") return s.gamma >= 0;
  if (name == "spin") return s.nspin > 1;
  if (name == "ghost") return s.ghost > 0;
  if (name == "boundary") return s.edge > 0;
  if (name.starts_with("nl") || name == "beta" || name == "dnl") return nonlocal;
  return true;
}

// An extent of the shapes in lfd.hpp.
int64_t extent(const Size& s, std::string_view word) {
  if (word.ends_with("+2")) return extent(s, word.substr(0, word.size() - 2)) + 2;
  if (word == "Norb") return s.Norb;
  if (word == "Nx") return s.Nx;
  if (word == "Ny") return s.Ny;
  if (word == "Nz") return s.Nz;
  if (word == "nsteps") return s.nsteps;
  if (word == "natom") return s.natom;
  if (word == "nsphere") return s.nsphere;
  if (word == "nproj") return s.nproj;
  if (word == "nspin") return s.nspin;
  if (word == "Nfast") return s.nfast();
  if (word == "Nslow") return s.Norb / s.nfast();
  const int64_t axes[] = {s.Nz, s.Ny, s.Nx};  // the fastest first
  if (word[0] == 'N' && word[1] >= '1' && word[1] <= '3') return axes[word[1] - '1'];
  if (word[0] == 'M') return axes[word[1] - '1'] + 2 * s.ghost;
  return std::atoll(std::string(word).c_str());
}

void describe(const Size& s, bool nonlocal, Rows rows, suite_array* arrays) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const int32_t type = rows[i].type == any_complex::code   ? s.orbital()
                         : rows[i].type == any_real::code    ? s.field()
                         : rows[i].type == any_orbital::code ? s.wavefunction()
                                                             : rows[i].type;
    arrays[i].rank = -1;
    if (rows[i].when_unset && !wanted(s, rows[i].name, nonlocal)) continue;
    shape(arrays, static_cast<int>(i), type, {});
    for (const std::string& name : extents_in(rows[i].shape)) arrays[i].extent[arrays[i].rank++] = extent(s, name);
  }
}

void fill_scalar(const Size& s, std::string_view name, void* data) {
  if (name == "dt") *static_cast<double*>(data) = s.dt;
  if (name == "kappa") *static_cast<double*>(data) = kappa_of(s);
  if (name == "gamma") *static_cast<double*>(data) = s.gamma;
  if (name == "field_steps") *static_cast<int32_t*>(data) = static_cast<int32_t>(s.field_steps);
}

void fill_all(const Size& s, uint64_t seed, Rows rows, const suite_array* arrays, bool densities_of_atoms) {
  const suite_array* sphere[4] = {};
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string_view name = rows[i].name;
    const suite_array& array = arrays[i];
    if (!(rows[i].intent & SUITE_IN) || array.data == nullptr) continue;
    if (array.rank == 0) fill_scalar(s, name, array.data);
    if (name == "psi" && rows[i].type == any_orbital::code) fill_any_psi(s, seed, array);
    if (name == "psi" && rows[i].type == any_complex::code) {
      const int64_t ghosts[] = {array.extent[3], array.extent[2], array.extent[1]};
      fill_psi(s, seed, array, ghosts[0] == s.Nx ? nullptr : ghosts);
    }
    if (name == "h") spacings(s, static_cast<double*>(array.data));
    if (name == "f") fill_occupations(s, array);
    if (name == "k") fill_drive(seed + 1, array, 3 * s.Norb, 0.3);
    if (name == "A" || name == "E") fill_drive(seed + 2, array, 3, 0.2);
    if (name == "drive") fill_drive(seed + 3, array, 3 * s.nsteps, 0.05);
    if (name == "vloc" || name == "v") fill_field(s, seed, 2, array, -1.5, 0.5, s.nspin);
    if (name == "spin") fill_integers(array, s.Norb, [&](int64_t n) { return 1 + n % s.nspin; });
    if (name == "ghost") fill_integers(array, 6, [&](int64_t) { return s.ghost; });
    if (name == "boundary") fill_integers(array, 3, [&](int64_t d) { return s.edge == 3 ? d : s.edge; });
    if (name == "vxc") fill_field(s, seed, 4, array, -0.8, -0.1);
    if (name == "vH") fill_field(s, seed, 6, array, -0.3, 0.3, 2);
    if (name == "rho" && densities_of_atoms) fill_densities(s, seed, array);
    if (name == "rho" && !densities_of_atoms) fill_field(s, seed, 8, array, 0.01, 0.4);
    if (name == "u") {  // phases, as lfd.set_prop makes them
      const Random random(seed, 14);
      const auto unit = [&](int64_t i) {
        const double angle = 0.2 * (random(i) - 0.5);
        return std::complex<double>(std::cos(angle), std::sin(angle));
      };
      if (array.type == SUITE_COMPLEX64) {
        auto* u = static_cast<std::complex<float>*>(array.data);
        parallel(s.points(), [&](int64_t j) { u[j] = std::complex<float>(unit(j)); });
      } else {
        auto* u = static_cast<std::complex<double>*>(array.data);
        parallel(s.points(), [&](int64_t j) { u[j] = unit(j); });
      }
    }
    if (name == "nlpoint") sphere[0] = &array;
    if (name == "nldisp") sphere[1] = &array;
    if (name == "beta") sphere[2] = &array;
    if (name == "dnl") sphere[3] = &array;
  }
  if (sphere[0]) fill_nonlocal(s, seed, *sphere[0], *sphere[1], *sphere[2], *sphere[3]);
}

template <class Kernel> int generate_for(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) {
  return guarded(error, [&] {
    const Size s = size_of<Kernel>(size);
    const bool nonlocal = s.nonlocal || std::is_same_v<Kernel, NlpProp>;
    if (arguments[0].data == nullptr)  // every kernel's first argument must be set
      describe(s, nonlocal, rows<Kernel>, arguments);
    else fill_all(s, seed, rows<Kernel>, arguments, std::is_same_v<Kernel, ComputeVxc>);
  });
}

}  // namespace

#define SUITE_LFD_GENERATE(Kernel)                                                                    \
  int Kernel::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) { \
    return generate_for<Kernel>(size, seed, arguments, error);                                        \
  }
SUITE_LFD_GENERATE(KinProp)
SUITE_LFD_GENERATE(PotProp)
SUITE_LFD_GENERATE(SetProp)
SUITE_LFD_GENERATE(PeriodicBc)
SUITE_LFD_GENERATE(ComputeRho)
SUITE_LFD_GENERATE(ComputeVxc)
SUITE_LFD_GENERATE(ComputeV)
SUITE_LFD_GENERATE(FieldProp)
SUITE_LFD_GENERATE(SpectralFieldSolve)
SUITE_LFD_GENERATE(NlpProp)
SUITE_LFD_GENERATE(CalcEnergy)
SUITE_LFD_GENERATE(Propagate)
SUITE_LFD_GENERATE(Hpsi)

}  // namespace suite::lfd
