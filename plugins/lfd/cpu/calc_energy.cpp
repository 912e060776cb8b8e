// SPDX-License-Identifier: BSD-3-Clause
// lfd.calc_energy: the kinetic energy bond by bond in one reading of psi. Sums of a line go on in double,
// those of planes are added in their order, so that any number of threads gives the same bits.
#include "../parameters.hpp"
#include "kernels.hpp"
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

class Cpu : public cpu::WithThreads<parameter::functional> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p) : WithThreads(b, q, p), functional_(static_cast<Functional>(p[0])) {}

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
      kinetic<T>(g, c);
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
          const Vector<T> one = expectation<T>(sphere, spheres_.nproj, rows, g.volume_element(), -1, workspace.data());
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
  Spheres spheres_;
};

}  // namespace

extern const suite_kernel_table calc_energy_table;
constexpr suite_kernel_table calc_energy_table = kernel_table<CalcEnergy, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
