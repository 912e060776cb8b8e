// SPDX-License-Identifier: BSD-3-Clause
// lfd.calc_energy: the kinetic energy bond by bond in one reading of psi, or of the waves of lines. Sums of a line go on in double,
// those of planes are added in their order, so that any number of threads gives the same bits.
#include "../parameters.hpp"
#include "kernels.hpp"
#include "line_transform.hpp"
#include "orbital_rows.hpp"
#include "rows.hpp"
#include "vxc.hpp"

namespace suite::lfd {
namespace {

template <class T> struct Bonds {
  const FactorRows<T>* phase[3];  // of each direction, or null
  T weight[3];                    // 1/(2 h^2), 0 without the direction
};

// sums[2 Norb] += the bonds that begin on the line (i,j).
template <class T> void line_of_bonds(const Grid& g, const T* psi, const Bonds<T>& bonds, int64_t i, int64_t j, T* line, double* sums) {
  const int64_t row = 2 * g.norb;
  std::fill_n(line, row, T(0));
  const auto point = [&](int64_t x, int64_t y, int64_t z) { return psi + ((x * g.n[1] + y) * g.n[2] + z) * row; };
  for (int64_t k = 0; k < g.n[2]; ++k) {
    const T* const here = point(i, j, k);
    const T* const next[] = {point((i + 1) % g.n[0], j, k), point(i, (j + 1) % g.n[1], k), point(i, j, (k + 1) % g.n[2])};
    for (int d = 0; d < 3; ++d) {
      if (g.n[d] == 1) continue;
      const T* const there = next[d];
      const FactorRows<T>* const phase = bonds.phase[d];
      const T weight = bonds.weight[d];
      each_vector<T>(
          row, [&](auto type, int64_t n) __attribute__((always_inline)) {
            using V = decltype(type);
            V y = load_as<V>(there + n);
            if (phase) y = load_as<V>(phase->re.data() + n) * y + load_as<V>(phase->im.data() + n) * exchange_parts(y);
            const V difference = y - load_as<V>(here + n);
            const V sum = load_as<V>(line + n) + weight * difference * difference;
            std::memcpy(line + n, &sum, sizeof sum);
          });
    }
  }
  for (int64_t n = 0; n < row; ++n) sums[n] += static_cast<double>(line[n]);
}

// <T> of plane waves, of the lines along d in a plane of the first other direction, for a block of orbitals.
template <class T> class WaveEnergies {
public:
  using V = Vector<T>;
  WaveEnergies(const Grid& g, const T* psi, const double* A, const double* k) : g_(g), psi_(psi), A_(A), k_(k) {
    for (int d = 0; d < 3; ++d) lines_[d] = LineTransform<T>(g.n[d]);
  }
  static int64_t planes(const Grid& g) { return 2 * g.n[0] + g.n[1]; }
  std::vector<V> room() const {
    return std::vector<V>(static_cast<size_t>(std::max({lines_[0].room(), lines_[1].room(), lines_[2].room()})));
  }
  // sums[Norb] += those of a plane: Nx of lines along z, Nx along y, Ny along x.
  void add_plane(int64_t plane, V* room, double* sums) const {
    const int64_t nx = g_.n[0], ny = g_.n[1], nz = g_.n[2];
    const int d = plane < nx ? 2 : plane < 2 * nx ? 1 : 0;
    const int64_t at = plane % nx, lines = d == 2 ? ny : nz;
    if (g_.n[d] == 1) return;
    for (int64_t b = 0; b * lanes<T> < g_.norb; ++b)
      for (int64_t i = 0; i < lines; ++i)
        add_line(d, b, d == 2 ? at * ny * nz + i * nz : d == 1 ? at * ny * nz + i : (plane - 2 * nx) * nz + i, room, sums);
  }

private:
  void add_line(int d, int64_t b, int64_t first, V* room, double* sums) const {
    const int64_t apart = d == 0 ? g_.n[1] * g_.n[2] : d == 1 ? g_.n[2] : 1, there = std::min<int64_t>(lanes<T>, g_.norb - b * lanes<T>);
    double kappa[lanes<T>] = {};
    for (int64_t l = 0; l < there; ++l) kappa[l] = (A_ ? A_[d] : 0) + (k_ ? k_[3 * (b * lanes<T> + l) + d] : 0);
    V squares{}, weighted{}, slopes{};
    lines_[d].waves(
        room,
        [&](int64_t p, V& re, V& im) {
          const T* row = psi_ + 2 * ((first + p * apart) * g_.norb + b * lanes<T>);
          T padded[2 * lanes<T>] = {};
          if (there < lanes<T>) row = std::copy_n(row, 2 * there, padded) - 2 * there;
          split(row, re, im);
        },
        [&](int64_t place, V re, V im) {
          const LineWave wave = line_wave(lines_[d].wave()[place], g_.n[d], g_.h[d]);
          const V square = re * re + im * im;
          squares += square;
          slopes += static_cast<T>(wave.slope) * square;
          weighted += static_cast<T>(wave.energy(0)) * square;
        });
    for (int64_t l = 0; l < there; ++l)
      sums[b * lanes<T> + l] += (static_cast<double>(weighted[l]) +
                                 kappa[l] * (static_cast<double>(slopes[l]) + 0.5 * kappa[l] * static_cast<double>(squares[l]))) /
                                static_cast<double>(g_.n[d]);
  }

  Grid g_;
  const T* psi_;
  const double *A_, *k_;
  LineTransform<T> lines_[3];
};

class Cpu : public cpu::WithThreads<parameter::functional, parameter::kinetic_of_energy> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithThreads(b, q, p), functional_(static_cast<Functional>(p[0])), kinetic_(static_cast<Kinetic>(p[1])) {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) {
    return CalcEnergy::cost_with(a, static_cast<Kinetic>(p[1]), cost);
  }

  // The projectors stay from call to call; an energy needs no exponential of them.
  void prepare(const suite_array* a) {
    const CalcEnergy c(a);
    const Grid g = orbital_grid(c.psi, c.h.data());
    spheres_ = Spheres(g, c.nonlocal, 0, false);
  }

  void execute(const suite_array* a) {
    const CalcEnergy c(a);
    check_precision("psi", c.psi, "vloc", c.vloc);
    const Grid g = orbital_grid(c.psi, c.h.data());
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      if (kinetic_ == Kinetic::fourier) kinetic_of_waves<T>(g, c);
      else kinetic<T>(g, c);
      nonlocal<T>(g, c);
      total<T>(g, c);
    });
  }

private:
  template <class T> void kinetic(const Grid& g, const CalcEnergy& c) const {
    const double *const A = c.A.data(), *const k = c.k.data();
    const T* const psi = pairs(c.psi.as<complex_of<T>>().data());
    std::vector<FactorRows<T>> phases;
    Bonds<T> bonds;
    for (int d = 0; d < 3; ++d) phases.push_back(bloch_factors<T>(A || k ? g.norb : 0, A, k, d, g.h[d]));
    for (int d = 0; d < 3; ++d) {
      bonds.phase[d] = A || k ? &phases[d] : nullptr;
      bonds.weight[d] = static_cast<T>(0.5 / (g.h[d] * g.h[d]));
    }
    const int64_t row = 2 * g.norb;
    std::vector<double> sums(static_cast<size_t>(g.n[0] * row));
    in_parallel(threads_, g.n[0], 65536 / (g.n[1] * g.n[2] * row) + 1, [&](int64_t begin, int64_t end) {
      std::vector<T> line(static_cast<size_t>(row));
      for (int64_t i = begin; i < end; ++i)
        for (int64_t j = 0; j < g.n[1]; ++j) line_of_bonds(g, psi, bonds, i, j, line.data(), &sums[i * row]);
    });
    double* const ekin = c.ekin.data();
    std::fill_n(ekin, g.norb, 0.0);
    for (int64_t i = 0; i < g.n[0]; ++i)
      for (int64_t n = 0; n < row; ++n) ekin[n / 2] += sums[i * row + n] * g.volume_element();
  }

  template <class T> void kinetic_of_waves(const Grid& g, const CalcEnergy& c) const {
    const WaveEnergies<T> energies(g, pairs(c.psi.as<complex_of<T>>().data()), c.A.data(), c.k.data());
    const int64_t planes = energies.planes(g);
    std::vector<double> sums(static_cast<size_t>(planes * g.norb));
    in_parallel(threads_, planes, 1, [&](int64_t begin, int64_t end) {
      std::vector<Vector<T>> room = energies.room();
      for (int64_t i = begin; i < end; ++i) energies.add_plane(i, room.data(), &sums[i * g.norb]);
    });
    double* const ekin = c.ekin.data();
    std::fill_n(ekin, g.norb, 0.0);
    for (int64_t i = 0; i < planes; ++i)
      for (int64_t n = 0; n < g.norb; ++n) ekin[n] += sums[i * g.norb + n] * g.volume_element();
  }

  template <class T> void nonlocal(const Grid& g, const CalcEnergy& c) const {
    double* const enl = c.enl.data();
    std::fill_n(enl, g.norb, 0.0);
    // Only read: the rows are those of a propagation, which would also write.
    T* const psi = const_cast<T*>(pairs(c.psi.as<complex_of<T>>().data()));
    const int64_t blocks = (g.norb + lanes<T> - 1) / lanes<T>;
    in_parallel(threads_, blocks, 1, [&](int64_t begin, int64_t end) {
      std::vector<Vector<T>> workspace(static_cast<size_t>(4 * spheres_.nproj));
      for (int64_t b = begin; b < end; ++b)
        for (const Sphere& sphere : spheres_.atoms) {
          const OrbitalRows<T> rows(psi, g.norb, b, sphere, c.A.data(), c.k.data());
          const Vector<T> one = energy_of_sphere<T>(sphere, spheres_.nproj, rows, g.volume_element(), workspace.data());
          for (int64_t l = 0; l < lanes<T> && b * lanes<T> + l < g.norb; ++l) enl[b * lanes<T> + l] += static_cast<double>(one[l]);
        }
    });
  }

  template <class T> void total(const Grid& g, const CalcEnergy& c) const {
    const int64_t points = g.points();
    const T *const rho = c.rho.as<real_of<T>>().data(), *const vloc = c.vloc.as<real_of<T>>().data(),
                   *const vH = c.vH.as<real_of<T>>().data();
    std::vector<T> vxc(static_cast<size_t>(points)), exc(vxc.size());
    in_parallel(threads_, points, 4096,
                [&](int64_t begin, int64_t end) { exchange_correlation_of(functional_, rho, vxc.data(), exc.data(), begin, end); });
    const double *const f = c.f.data(), *const ekin = c.ekin.data(), *const enl = c.enl.data();
    double* const energy = c.energy.data();
    const auto integral = [&](const T* v) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t p = 0; p < points; ++p) sum += static_cast<double>(v[p]) * static_cast<double>(rho[p]);
      return sum * g.volume_element();
    };
    std::fill_n(energy, 5, 0.0);
    for (int64_t n = 0; n < g.norb; ++n) {
      energy[0] += f[n] * ekin[n];
      energy[2] += f[n] * enl[n];
    }
    energy[1] = integral(vloc);
    energy[3] = 0.5 * integral(vH);
    energy[4] = integral(exc.data());
  }

  Functional functional_;
  Kinetic kinetic_;
  Spheres spheres_;
};

}  // namespace

extern const suite_kernel_table calc_energy_table;
constexpr suite_kernel_table calc_energy_table = kernel_table<CalcEnergy, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
