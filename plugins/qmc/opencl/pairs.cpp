// SPDX-License-Identifier: BSD-3-Clause
// qmc.closest_images and qmc.jastrow_u.
#include "../steps.hpp"
#include "engine.hpp"
#include "sources.hpp"
#include "u_term.hpp"

namespace suite::qmc::cl {
namespace {

constexpr suite_parameter image_variant{
    "variant", static_cast<int>(ImageStep::best), 0, 2, image_variants, SUITE_QMC_CLOSEST_IMAGES_VARIANTS};

class ClosestImagesCL : public opencl::WithEngine<Engine, ClosestImages, image_variant> {
public:
  ClosestImagesCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p),
        step_(static_cast<ImageStep>(p[0])),
        cell_(engine),
        from_(engine, "the positions to look from"),
        to_(engine, "the positions to look at") {}

  void prepare(const suite_array* a) {
    cell_.set(a[ClosestImages::cell], step_ != ImageStep::best);
    kind_ = step_ == ImageStep::search ? define("KIND", 4) : cell_.kind();
  }
  void execute(const suite_array* a) {
    using K = ClosestImages;
    const int64_t nfrom = a[K::rfrom].extent[1], nto = a[K::rto].extent[1], nwalker = a[K::rto].extent[2];
    const int lanes = engine.lanes(nto);
    const Layout from{1, nfrom, nfrom}, to{lanes, nto, nto};
    const cl_mem r1 = from_.set(cell_, from, memory_of(a[K::rfrom]), nwalker),
                 r2 = to_.set(cell_, to, memory_of(a[K::rto]), nwalker);
    as_int(4 * ceil_div(nto, lanes) * lanes);
    engine.start(geometry_cl, "closest_images", kind_, nfrom * nwalker, lanes, engine.local(), r1, r2,
                 cell_.numbers(), memory_of(a[K::eevecs]), as_int(nfrom), as_int(nto), as_int(from.size()),
                 as_int(to.size()), as_int(nwalker));
    as_int(nfrom * nwalker);
  }

private:
  ImageStep step_;
  Cell cell_;
  std::string kind_;
  Framed from_, to_;
};

class JastrowUCL : public opencl::WithEngine<Engine, JastrowU, parameter::form> {
public:
  JastrowUCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), cell_(engine), u_(engine, static_cast<Form>(p[0])), frame_(engine, "positions") {}

  void prepare(const suite_array* a) {
    using K = JastrowU;
    cell_.set(a[K::cell]);
    nele_ = engine.fetch<int32_t>(a[K::nele], "nele");
    u_.set(a[K::alpha], a[K::L_u], a[K::truncation], cell_.lattice());
  }
  void execute(const suite_array* a) {
    using K = JastrowU;
    const Electrons electrons = electrons_of(a[K::rele], nele_.data());
    const int64_t npos = a[K::value].extent[0];
    const Moved moved = moved_of(a[K::ie], a[K::rnew], electrons.netot, npos);
    const int lanes = engine.lanes(std::max(electrons.nup, electrons.netot - electrons.nup)),
              items = engine.local();
    const Layout layout{lanes, electrons.netot, electrons.nup};
    const cl_mem rele = memory_of(a[K::rele]),
                 frame = frame_.set(cell_, layout, rele, electrons.nwalker),
                 value = memory_of(a[K::value]);
    const std::string options = cell_.kind() + u_.options();
    const cl_int rows = as_int(npos * electrons.nwalker), one = moved.one ? as_int(moved.which) : -1;
    const auto counts = [&](auto&& f) {
      f(one, as_int(npos), as_int(electrons.netot), as_int(electrons.nup), as_int(layout.begin(1)),
        as_int(layout.size()), rows);
    };
    counts([&](auto... n) {
      engine.start(pairs_cl, "jastrow_u", options, rows, lanes, items, rele, memory_or(a[K::rnew], rele),
                   frame, cell_.numbers(), u_.coefficients(), u_.cutoff(), u_.sets(), value,
                   memory_or(a[K::gradient], value), memory_or(a[K::laplacian], value),
                   cl_int(a[K::gradient].data != nullptr), cl_int(a[K::laplacian].data != nullptr), n...);
      if (!a[K::dvalue].data && !a[K::dgradient].data && !a[K::dlaplacian].data) return;
      engine.start(pairs_cl, "jastrow_u_derivatives", options, rows, lanes, items, rele,
                   memory_or(a[K::rnew], rele), frame, cell_.numbers(), u_.cutoff(), u_.sets(),
                   memory_or(a[K::dvalue], value), memory_or(a[K::dgradient], value),
                   memory_or(a[K::dlaplacian], value), cl_int(a[K::dvalue].data != nullptr),
                   cl_int(a[K::dgradient].data != nullptr), cl_int(a[K::dlaplacian].data != nullptr), n...);
    });
  }

private:
  Cell cell_;
  UOnDevice u_;
  Framed frame_;
  std::vector<int32_t> nele_;
};

}  // namespace

extern const suite_kernel_table closest_images_table, jastrow_u_table;
constexpr suite_kernel_table closest_images_table =
    kernel_table<ClosestImages, ClosestImagesCL>("opencl", "opencl");
constexpr suite_kernel_table jastrow_u_table = kernel_table<JastrowU, JastrowUCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
