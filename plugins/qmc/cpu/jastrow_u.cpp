// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_u: sum_{j/=i} u(r_ij), a row of pairs at a time with the others in the lanes (u_row.hpp).
#include "../parameters.hpp"
#include "u_row.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::form, threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : form_(static_cast<Form>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* arguments) {
    const JastrowU c(arguments);
    lattice_ = lattice_of(c.cell.data());
    u_ = UTable(u_term(form_, c, lattice_), c.alpha.data());
  }

  void execute(const suite_array* arguments) {
    const JastrowU c(arguments);
    electrons_ = electrons_of(c.rele, c.nele.data());
    moved_ = moved_of(c, c.npos());
    const Frame frame(lattice_.images);
    const int64_t nwalker = electrons_.nwalker, cloud_size = Cloud::size(electrons_);
    double* const memory = clouds_.at_least(cloud_size * nwalker);
    const double* const rele = c.rele.data();
    const int team = useful_threads(threads_, nwalker * moved_.npos, 2 * real(electrons_.netot));
    share(team, nwalker, [&](int64_t begin, int64_t end, int) {
      for (int64_t w = begin; w < end; ++w)
        Cloud::in(memory + cloud_size * w, electrons_).fill_from(frame, rele + 3 * electrons_.netot * w);
    });
    const bool row_by_row = c.gradient || c.laplacian;
    const bool by_parameters = c.dvalue || c.dgradient || c.dlaplacian;
    const URow row(lattice_, frame, u_);
    share(team, nwalker * moved_.npos, [&](int64_t begin, int64_t end, int) {
      for (int64_t item = begin; item < end; ++item) {
        const int64_t w = item / moved_.npos, electron = moved_.electron(item % moved_.npos);
        const Cloud cloud = Cloud::in(memory + cloud_size * w, electrons_);
        const int spin = electrons_.spin(electron);
        double at[3];
        if (moved_.one) frame.into(c.rnew.data() + 3 * item, at);
        else cloud.get(electron, at);
        if (row_by_row) put_row(c, item, row.laplacian(cloud, spin, cloud.place(electron), at));
        else row.value(cloud, spin, cloud.place(electron), &at, c.value.data() + item);
        if (by_parameters) by_kind(lattice_.images.kind, [&](auto kind) { derive<kind()>(c, item, frame, cloud, electron, at); });
      }
    });
  }

private:
  static void put_row(const JastrowU& c, int64_t item, const RowSums& row) {
    c.value.data()[item] = row.value;
    if (double* const gradient = c.gradient.data()) std::copy_n(row.gradient, 3, gradient + 3 * item);
    if (double* const laplacian = c.laplacian.data()) laplacian[item] = row.laplacian;
  }

  // Derivatives by the parameters, pair by pair: each takes part in nalpha of them.
  template <LatticeKind kind>
  void derive(const JastrowU& c, int64_t item, const Frame& frame, const Cloud& cloud, int64_t electron, const double* at) const {
    const UTerm& t = u_.term;
    const int64_t size = t.nalpha * t.nset;
    double *const dvalue = c.dvalue.data(), *const dgradient = c.dgradient.data(), *const dlaplacian = c.dlaplacian.data();
    if (dvalue) std::fill_n(dvalue + size * item, size, 0.0);
    if (dgradient) std::fill_n(dgradient + 3 * size * item, 3 * size, 0.0);
    if (dlaplacian) std::fill_n(dlaplacian + size * item, size, 0.0);
    const Closest<kind> closest(lattice_.images);
    const int spin = electrons_.spin(electron);
    const int64_t without = cloud.place(electron);
    for (int other = 0; other < 2; ++other) {
      const int64_t set = t.nalpha * set_of_pair(t.nset, spin, other);
      const int64_t end = cloud.start[other] + cloud.count[other];
      for (int64_t j = cloud.start[other]; j < end; j += lanes) {
        const Three d = closest({at[0] - load(cloud.x + j), at[1] - load(cloud.y + j), at[2] - load(cloud.z + j)});
        const Vector distance = root(square_of(d)) * frame.unit;
        const Mask inside = valid_lanes(j, end, without) & (distance < t.L);
        for (int lane = 0; lane < lanes; ++lane) {
          if (!inside[lane]) continue;
          const double r = distance[lane], scaled[3] = {d.x[lane], d.y[lane], d.z[lane]};
          double v[3];
          frame.out_of(scaled, v);
          for (int64_t l = 0; l < t.nalpha; ++l) {
            const Radial f = u_basis(t.form, l, t.nalpha, t.L, t.C, r);
            const int64_t to = size * item + set + l;
            if (dvalue) dvalue[to] += f.value;
            for (int i = 0; dgradient && i < 3; ++i) dgradient[3 * to + i] += f.first / r * v[i];
            if (dlaplacian) dlaplacian[to] += f.second + 2 * f.first / r;
          }
        }
      }
    }
  }

  Form form_;
  int64_t threads_;
  Lattice lattice_;
  UTable u_;
  Electrons electrons_;
  Moved moved_;
  cpu::Buffer<double> clouds_{"qmc.jastrow_u"};
};

}  // namespace

extern const suite_kernel_table jastrow_u_table;
constexpr suite_kernel_table jastrow_u_table = kernel_table<JastrowU, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
