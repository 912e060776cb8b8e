// SPDX-License-Identifier: BSD-3-Clause
// lfd.hpsi: line after line of the grid (stencil_lines.hpp), then the spheres of a vector of orbitals after the other (hpsi_spheres.hpp).
#include <limits>

#include "hpsi_points.hpp"
#include "kernels.hpp"
#include "stencil_lines.hpp"

namespace suite::lfd {
namespace {

// Orbitals of the fastest index, from one to another, that have the same A + k and potential.
struct Run {
  int64_t begin, end;
};

template <class T, bool complex> class Stencil {
public:
  static constexpr int64_t parts = complex ? 2 : 1;

  Stencil(const HpsiArrays& all, const CallMomenta& q, const int32_t* spin, const T* psi, const T* v, T* hpsi)
      : all_(all), q_(q), spin_(spin), psi_(psi), v_(v), hpsi_(hpsi), row_(parts * all.nfast), reach_(all.axis[0].radius * row_) {
    line_.resize(static_cast<size_t>(all.n[0] * row_ + 2 * reach_));
    zeros_.resize(static_cast<size_t>(all.n[0] * row_));
    set_distances();
  }

  // Plane `slow` M3 + i of hpsi.
  void plane(int64_t index) {
    const int64_t slow = index / all_.m[2], k = index % all_.m[2] - all_.low[2], size = row_ * all_.m[0];
    T* const to = hpsi_ + parts * (slow * all_.slice()) + (index % all_.m[2]) * all_.m[1] * size;
    if (k < 0 || k >= all_.n[2]) return std::fill_n(to, all_.m[1] * size, T(0)), void();
    if (slow != slow_) set_runs(slow);
    for (int64_t row = 0; row < all_.m[1]; ++row) {
      const int64_t j = row - all_.low[1], inside = all_.n[0] * row_, left = all_.low[0] * row_;
      T* const line = to + row * size;
      if (j < 0 || j >= all_.n[1]) {
        std::fill_n(line, size, T(0));
        continue;
      }
      std::fill_n(line, left, T(0));
      fill_line(slow, j, k, line + left);
      std::fill_n(line + left + inside, size - left - inside, T(0));
    }
  }

private:
  void set_runs(int64_t slow) {
    slow_ = slow;
    runs_.clear();
    weights_.clear();
    const auto differ = [&](int64_t a, int64_t b) { return q_.of_orbital[a] != q_.of_orbital[b] || (spin_ && spin_[a] != spin_[b]); };
    const int64_t first = slow * all_.nfast;
    for (int64_t n = 0; n < all_.nfast; ++n) {
      if (n == 0 || differ(first + n, first + n - 1)) {
        runs_.push_back({n, n});
        weights_.push_back(piece_weights<T>(all_, q_[first + n].x));
      }
      runs_.back().end = n + 1;
    }
  }

  const T* grid_line(int64_t slow, int64_t j, int64_t k) const {
    return psi_ + parts * (slow * all_.slice() + all_.first() + j * all_.stride(1) + k * all_.stride(2));
  }

  // What neighbour_along() says of all points of an axis: how far away each of their 2R neighbours is, up and down in turns, in numbers of psi.
  void set_distances() {
    for (int a = 0; a < 3; ++a)
      for (int64_t i = 0; i < all_.n[a]; ++i)
        for (int m = 1; m <= all_.axis[a].radius; ++m)
          for (const int step : {m, -m}) {
            const Neighbour at = neighbour_along(all_, a, i + step);
            distances_[a].push_back(at.there ? parts * (at.at - i) * all_.stride(a) : nowhere);
          }
  }
  const int64_t* distances(int a, int64_t i) const { return &distances_[a][static_cast<size_t>(2 * all_.axis[a].radius * i)]; }

  // The elements of a line with those that the stencil reaches before and behind it.
  const T* extended_line(const T* from) {
    if (all_.boundary[0] == Boundary::ghosts) return from;
    T* const to = line_.data() + reach_;
    const int64_t n = all_.n[0];
    std::copy_n(from, n * row_, to);
    const int64_t *const behind = distances(0, n - 1), *const before = distances(0, 0);
    for (int m = 1; m <= all_.axis[0].radius; ++m) {
      copy_row(from + (n - 1) * row_, behind[2 * m - 2], to + (n - 1 + m) * row_);
      copy_row(from, before[2 * m - 1], to - m * row_);
    }
    return to;
  }
  void copy_row(const T* here, int64_t distance, T* to) const {
    const T* const from = distance == nowhere ? zeros_.data() : here + distance;
    for (int64_t e = 0; e < row_; ++e) to[e] = from[e];
  }

  void fill_line(int64_t slow, int64_t j, int64_t k, T* to) {
    const T *const line = grid_line(slow, j, k), *const center = extended_line(line);
    const int64_t *const along_second = distances(1, j), *const along_third = distances(2, k);
    const auto at = [&](int64_t distance) { return distance == nowhere ? zeros_.data() : line + distance; };
    PieceLines<T> lines;
    for (int m = 0; m < all_.axis[0].radius; ++m) {
      lines.up[0][m] = center + (m + 1) * row_;
      lines.down[0][m] = center - (m + 1) * row_;
      lines.up[1][m] = at(along_second[2 * m]);
      lines.down[1][m] = at(along_second[2 * m + 1]);
      lines.up[2][m] = at(along_third[2 * m]);
      lines.down[2][m] = at(along_third[2 * m + 1]);
    }
    const int64_t n = all_.n[0], first = slow * all_.nfast;
    for (size_t r = 0; r < runs_.size(); ++r) {
      const int64_t spin = spin_ ? spin_[first + runs_[r].begin] - 1 : 0;
      const T* const v = v_ + spin * all_.points() + n * (j + all_.n[1] * k);
      const int64_t begin = parts * runs_[r].begin, length = parts * (runs_[r].end - runs_[r].begin);
      if (length == row_) pieces(weights_[r], lines, center, v, 0, n * row_, to);
      else
        for (int64_t i = 0; i < n; ++i) pieces(weights_[r], lines, center, v, i * row_ + begin, length, to);
    }
  }

  void pieces(const PieceWeights<T>& w, const PieceLines<T>& lines, const T* center, const T* v, int64_t begin, int64_t length, T* to) {
    for (int64_t end = begin + length; begin < end;) {
      // The last piece takes what would be shorter than a vector.
      const int64_t count = end - begin < most_of_piece + lanes<T> ? end - begin : most_of_piece;
      set_potential(v, static_cast<T>(w.center), begin, count);
      stencil_piece<complex>(all_.axis[0].radius, w, lines, begin, center + begin, buffers_, to + begin, count);
      begin += count;
    }
  }

  void set_potential(const T* v, T constant, int64_t begin, int64_t count) {
    T* const to = buffers_.v;
    int64_t i = begin / row_;
    if (row_ == parts) {
      for (int64_t e = 0; e < count / parts; ++e)
        for (int64_t part = 0; part < parts; ++part) to[parts * e + part] = v[i + e] + constant;
      return;
    }
    for (int64_t e = 0, left = row_ - begin % row_; e < count; ++i, left = row_) {
      const int64_t some = std::min(left, count - e);
      std::fill_n(to + e, some, v[i] + constant);
      e += some;
    }
  }

  const HpsiArrays& all_;
  const CallMomenta& q_;
  const int32_t* spin_;
  const T *psi_, *v_;
  T* hpsi_;
  int64_t row_, reach_;  // numbers of a row of orbitals, and from a point to the stencil's last neighbour in a line
  static constexpr int64_t nowhere = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> distances_[3];
  int64_t slow_ = -1;
  std::vector<Run> runs_;
  std::vector<PieceWeights<T>> weights_;
  std::vector<T> line_, zeros_;
  PieceBuffers<T> buffers_;
};

class Cpu : public cpu::WithThreads<parameter::differences, parameter::axes, parameter::vector_potential> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p) : WithThreads(b, q, p), chosen_(p) {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Hpsi::cost_with(a, HpsiChoices(p).radius, cost); }

  void prepare(const suite_array* a) {
    const Hpsi c(a);
    const HpsiArrays all = arrays_of(c);
    spheres_ = Spheres(all.grid(), c.nonlocal, 0, false);
    single_phases_.forget();
    double_phases_.forget();
    places_.clear();
    single_points_.clear();
    double_points_.clear();
    const double volume = all.grid().volume_element();
    for (Sphere& sphere : spheres_.atoms) {
      for (size_t i = 0; i < sphere.K.size(); ++i) sphere.K[i] = volume * sphere.D[i];
      std::vector<int64_t>& places = places_.emplace_back();
      for (const int32_t point : sphere.point) places.push_back((all.complex ? 2 : 1) * all.place(point));
    }
  }

  void execute(const suite_array* a) {
    const Hpsi c(a);
    const HpsiArrays all = arrays_of(c);
    by_precision(c.v.array(), [&](auto type) {
      using T = decltype(type);
      if (all.complex) run<T, true>(c, all, pairs(c.psi.as<complex_of<T>>().data()), pairs(c.hpsi.as<complex_of<T>>().data()));
      else run<T, false>(c, all, c.psi.as<real_of<T>>().data(), c.hpsi.as<real_of<T>>().data());
    });
  }

private:
  HpsiArrays arrays_of(const Hpsi& c) const {
    return hpsi_arrays(c, chosen_, c.h.data(), c.ghost.data(), c.boundary.data(), c.spin.data());
  }

  template <class T, bool complex> void run(const Hpsi& c, const HpsiArrays& all, const T* psi, T* hpsi) {
    const CallMomenta q(all.norb(), c.A.data(), c.k.data());
    const int64_t planes = all.nslow * all.m[2];
    if (!spheres_.empty() && (c.A || c.k))
      phases_of(T()).set(spheres_, q, [&](int64_t count, auto&& make) { in_parallel(threads_, count, 1, make); });
    if constexpr (complex)
      if (!spheres_.empty() && all.nfast < lanes<T> && all.nslow >= 2 * team_size(threads_)) {
        // Spheres follow the stencil of two slow indices, while their orbitals are in a near cache.
        set_points(T());
        return in_parallel(threads_, (all.nslow + 1) / 2, 1, [&](int64_t begin, int64_t end) {
          Stencil<T, complex> stencil(all, q, c.spin.data(), psi, c.v.as<real_of<T>>().data(), hpsi);
          std::vector<Vector<T>> workspace(static_cast<size_t>(4 * spheres_.nproj));
          for (int64_t slow = 2 * begin, next; slow < std::min(2 * end, all.nslow); slow = next) {
            next = std::min(slow + 2, all.nslow);
            for (int64_t i = slow * all.m[2]; i < next * all.m[2]; ++i) stencil.plane(i);
            add_points<T>(c.A || c.k, all, psi, hpsi, slow * all.nfast, next * all.nfast, workspace.data());
          }
        });
      }
    const int64_t least = 1 + 20000 / std::max<int64_t>(1, all.slice() / all.m[2]);
    in_parallel(threads_, planes, least, [&](int64_t begin, int64_t end) {
      Stencil<T, complex> stencil(all, q, c.spin.data(), psi, c.v.as<real_of<T>>().data(), hpsi);
      for (int64_t i = begin; i < end; ++i) stencil.plane(i);
    });
    if (!spheres_.empty()) add_spheres<T, complex>(c.A || c.k, all, psi, hpsi);
  }

  template <class T, bool complex> void add_spheres(bool phased, const HpsiArrays& all, const T* psi, T* hpsi) {
    const SpherePhases<T>& phases = phases_of(T());
    const int64_t blocks = (all.norb() + lanes<T> - 1) / lanes<T>, atoms = std::ssize(spheres_.atoms);
    if constexpr (complex)
      if (all.nfast < lanes<T>) {
        set_points(T());
        return in_parallel(threads_, (all.norb() + 1) / 2, 1, [&](int64_t begin, int64_t end) {
          std::vector<Vector<T>> workspace(static_cast<size_t>(4 * spheres_.nproj));
          add_points<T>(phased, all, psi, hpsi, 2 * begin, std::min(2 * end, all.norb()), workspace.data());
        });
      }
    in_parallel(threads_, blocks, 1, [&](int64_t begin, int64_t end) {
      std::vector<Vector<T>> workspace(static_cast<size_t>(4 * spheres_.nproj));
      Vector<T>*const c = workspace.data(), *const rest = c + 2 * spheres_.nproj;
      for (int64_t b = begin; b < end; ++b) {
        HpsiRows<T, complex> rows(psi, hpsi, all, b * lanes<T>);
        for (int64_t atom = 0; atom < atoms; ++atom) {
          const Sphere& sphere = spheres_.atoms[atom];
          rows.at_sphere(places_[atom].data(), phased ? &phases : nullptr, b * lanes<T>, atom);
          project<T>(sphere, spheres_.nproj, rows, c);
          add_projectors<T>(sphere, spheres_.nproj, rows, 1, c, rest);
        }
      }
    });
  }

  template <class T> void set_points(T type) {
    std::vector<PointLanes<T>>& atoms = points_of(type);
    for (size_t atom = atoms.size(); atom < places_.size(); ++atom)
      atoms.emplace_back(spheres_.atoms[atom], spheres_.nproj, places_[atom].data());
  }
  // The spheres of the orbitals [begin, end), two at a time.
  template <class T>
  void add_points(bool phased, const HpsiArrays& all, const T* psi, T* hpsi, int64_t begin, int64_t end, Vector<T>* workspace) {
    const std::vector<PointLanes<T>>& atoms = points_of(T());
    for (int64_t n = begin; n < end; n += 2)
      for (size_t atom = 0; atom < atoms.size(); ++atom) {
        const T *from[2], *phase[2] = {};
        T* to[2];
        const bool pair = n + 1 < end;
        for (int64_t r = 0; r < 1 + pair; ++r) {
          const int64_t start = 2 * ((n + r) % all.nfast + (n + r) / all.nfast * all.slice());
          from[r] = psi + start;
          to[r] = hpsi + start;
          if (phased) phase[r] = phases_of(T()).of(n + r, static_cast<int64_t>(atom));
        }
        if (pair) atoms[atom].template add<2>(from, to, phased ? phase : nullptr, workspace);
        else atoms[atom].template add<1>(from, to, phased ? phase : nullptr, workspace);
      }
  }

  SpherePhases<float>& phases_of(float) { return single_phases_; }
  SpherePhases<double>& phases_of(double) { return double_phases_; }

  std::vector<PointLanes<float>>& points_of(float) { return single_points_; }
  std::vector<PointLanes<double>>& points_of(double) { return double_points_; }

  HpsiChoices chosen_;
  Spheres spheres_;
  std::vector<std::vector<int64_t>> places_;  // of each atom's points, in numbers of psi
  SpherePhases<float> single_phases_;
  SpherePhases<double> double_phases_;
  std::vector<PointLanes<float>> single_points_;  // of each atom, where orbitals are not side by side
  std::vector<PointLanes<double>> double_points_;
};

}  // namespace

extern const suite_kernel_table hpsi_table;
constexpr suite_kernel_table hpsi_table = kernel_table<Hpsi, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
