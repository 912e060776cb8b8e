// SPDX-License-Identifier: BSD-3-Clause
// lfd.hpsi in OpenCL: lines of numbers of psi, then the spheres of each orbital (hpsi.cl).
#include "../stencil.hpp"
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class HpsiCL : public Plain<Hpsi, parameter::differences, parameter::axes, parameter::vector_potential> {
public:
  HpsiCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p),
        chosen_(p),
        weights_(b, q, "the weights of the stencil"),
        counts_(b, q, "the sizes of spheres"),
        places_(b, q, "the points of spheres"),
        displacements_(b, q, "the displacements of spheres"),
        beta_(b, q, "the projectors"),
        D_(b, q, "the coefficients of projectors"),
        momenta_(b, q, "A+k of the orbitals"),
        momentum_of_orbital_(b, q, "A+k of the orbitals"),
        phases_(b, q, "the phases of spheres") {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Hpsi::cost_with(a, HpsiChoices(p).radius, cost); }

  void prepare(const suite_array* a) {
    const Hpsi c(a);
    Plain::prepare(a);
    engine.set_single(is_single(c.psi.array()));
    ghost_ = engine.fetch<int32_t>(c.ghost.array(), "ghost");
    boundary_ = engine.fetch<int32_t>(c.boundary.array(), "boundary");
    spin_ = engine.fetch<int32_t>(c.spin.array(), "spin");
    const HpsiArrays all = arrays_of(c);
    V_ = read(engine, all.grid(), c.nonlocal);
    if (!V_.empty()) upload_spheres(all);
  }

  void execute(const suite_array* a) {
    const Hpsi c(a);
    const HpsiArrays all = arrays_of(c);
    const int64_t line = all.m[0] * all.nfast * (all.complex ? 2 : 1);
    if (line > std::numeric_limits<cl_int>::max() / 16 || all.norb() > std::numeric_limits<cl_int>::max() / 16)
      throw Failure(SUITE_UNSUPPORTED, concat("psi has ", line, " numbers along its fastest axis and ", all.norb(),
                                              " orbitals; the OpenCL kernels count up to ", std::numeric_limits<cl_int>::max() / 16));
    const std::vector<double> A = engine.read(c.A.array(), "A"), k = engine.read(c.k.array(), "k");
    const CallMomenta q(all.norb(), A.empty() ? nullptr : A.data(), k.empty() ? nullptr : k.data());
    const bool moving = c.A || c.k;
    run_stencil(c, all, q, moving);
    if (!V_.empty()) run_spheres(c, all, q, moving);
  }

private:
  // As hpsi.cl has them.
  struct Sizes {
    cl_int n[3], low[3], m[3], boundary[3], nfast, row;
  };

  HpsiArrays arrays_of(const Hpsi& c) const {
    const auto or_null = [](const std::vector<int32_t>& list) { return list.empty() ? nullptr : list.data(); };
    return hpsi_arrays(c, chosen_, h.x, or_null(ghost_), or_null(boundary_), or_null(spin_));
  }

  void upload_spheres(const HpsiArrays& all) {
    const int64_t ns = V_.nsphere, np = V_.nproj;
    std::vector<int64_t> places;
    for (const int32_t point : V_.points) places.push_back(all.place(std::max(point - 1, 0)));
    std::vector<double> beta(V_.beta.size()), D(V_.D);
    for (double& d : D) d *= V_.volume;
    for (int64_t atom = 0; atom < V_.natom; ++atom)
      for (int64_t p = 0; p < ns; ++p)
        for (int64_t i = 0; i < np; ++i)
          beta[static_cast<size_t>((atom * ns + p) * np + i)] = V_.beta[static_cast<size_t>((atom * np + i) * ns + p)];
    counts_.upload(V_.counts);
    places_.upload(places);
    displacements_.upload(V_.displacements);
    engine.upload(beta_, beta);
    engine.upload(D_, D);
  }

  // [term][orbital]: the center, then even and odd of each neighbour of each axis.
  std::vector<double> weights_of(const HpsiArrays& all, const CallMomenta& q) const {
    std::vector<double> weights;
    const auto term = [&](auto&& weight) {
      for (int64_t n = 0; n < all.norb(); ++n) weights.push_back(weight(q[n].x));
    };
    term([&](const double* x) {
      double center = 0;
      for (const AxisStencil& axis : all.axis) center += axis.center(x[axis.direction]);
      return center;
    });
    for (const AxisStencil& axis : all.axis)
      for (int m = 1; m <= axis.radius; ++m) {
        term([&](const double* x) { return axis.even(m, x[axis.direction]); });
        term([&](const double* x) { return axis.odd(m, x[axis.direction]); });
      }
    return weights;
  }

  // Whether all orbitals of a slow index have the same weights.
  static bool uniform(const HpsiArrays& all, const CallMomenta& q) {
    for (int64_t n = 0; n < all.norb(); ++n)
      if (q.of_orbital[n] != q.of_orbital[n - n % all.nfast]) return false;
    return true;
  }

  void run_stencil(const Hpsi& c, const HpsiArrays& all, const CallMomenta& q, bool moving) {
    engine.upload(weights_, weights_of(all, q));
    const int width = std::max(engine.vector(), all.complex ? 2 : 1);
    Sizes g{};
    for (int a = 0; a < 3; ++a) {
      g.n[a] = static_cast<cl_int>(all.n[a]);
      g.low[a] = static_cast<cl_int>(all.low[a]);
      g.m[a] = static_cast<cl_int>(all.m[a]);
      g.boundary[a] = static_cast<cl_int>(all.boundary[a]);
    }
    g.nfast = static_cast<cl_int>(all.nfast);
    g.row = g.nfast * (all.complex ? 2 : 1);
    const std::string options = define("W", width) + define("COMPLEX", all.complex) + define("MOVING", moving) +
                                define("RADIUS", chosen_.radius) + define("UNIFORM", uniform(all, q));
    const cl_mem psi = memory_of(c.psi);
    engine.run(hpsi_cl, "stencil", options,
               engine.vector_shares(opencl::ceil_div(all.m[0] * g.row, width), all.nslow * all.m[2] * all.m[1]), psi, memory_of(c.v),
               c.spin ? memory_of(c.spin) : psi, cl_int(bool(c.spin)), weights_.at_least(0), memory_of(c.hpsi), g,
               static_cast<cl_int>(all.nslow));
  }

  void run_spheres(const Hpsi& c, const HpsiArrays& all, const CallMomenta& q, bool moving) {
    const auto sphere_points = static_cast<cl_int>(V_.nsphere * V_.natom), different = static_cast<cl_int>(std::ssize(q.different));
    const uint64_t each = static_cast<uint64_t>(V_.nproj) * engine.real_bytes() * (all.complex ? 2 : 1);
    int local = engine.local(32);
    while (local > 1 && each * static_cast<uint64_t>(local) > engine.device.local_bytes / 2) local /= 2;
    const std::string options =
        define("W", 1) + define("COMPLEX", all.complex) + define("PHASED", moving) + define("NPROJ", V_.nproj) + define("LOCAL", local);
    const cl_mem phases = phases_.at_least(moving ? 2 * engine.real_bytes() * static_cast<size_t>(sphere_points) * q.different.size() : 8);
    momentum_of_orbital_.upload(q.of_orbital);
    if (moving) {
      momenta_.upload(q.different);
      engine.run(hpsi_cl, "sphere_phases", options, engine.shares(int64_t{sphere_points} * different, 64), momenta_.at_least(0),
                 displacements_.at_least(0), phases, sphere_points, different);
    }
    const auto items = static_cast<size_t>(local);
    engine.run(hpsi_cl, "spheres", options, {{items, static_cast<size_t>(std::min<int64_t>(all.norb(), 1 << 16)), 1}, {items, 1, 1}},
               memory_of(c.psi), counts_.at_least(0), places_.at_least(0), beta_.at_least(0), D_.at_least(0), phases,
               momentum_of_orbital_.at_least(0), memory_of(c.hpsi), static_cast<cl_int>(V_.nsphere), static_cast<cl_int>(V_.natom),
               static_cast<cl_int>(all.norb()), static_cast<cl_int>(all.nfast), static_cast<cl_long>(all.slice()));
  }

  HpsiChoices chosen_;
  Pseudopotential V_;
  std::vector<int32_t> ghost_, boundary_, spin_;
  opencl::Scratch weights_, counts_, places_, displacements_, beta_, D_, momenta_, momentum_of_orbital_, phases_;
};

}  // namespace

extern const suite_kernel_table hpsi_table;
constexpr suite_kernel_table hpsi_table = kernel_table<Hpsi, HpsiCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
