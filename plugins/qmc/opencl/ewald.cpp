// SPDX-License-Identifier: BSD-3-Clause
// The sums of qmc.ewald and qmc.local_energy, and the former.
#include <algorithm>

#include "ewald.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {

EwaldOnDevice::EwaldOnDevice(Engine& engine, Cell& cell, SumStep step)
    : engine_(engine),
      cell_(cell),
      step_(step),
      long_range_(engine, cell),
      images_(engine.backend, engine.queue, "the images of a charge"),
      charge_(engine.backend, engine.queue, "the charges"),
      short_range_(engine.backend, engine.queue, "the short-range interaction"),
      potential_(engine.backend, engine.queue, "the long-range potential"),
      gradient_(engine.backend, engine.queue, "the gradient of the potential"),
      frame_(engine, "the positions of the charges") {}

void EwaldOnDevice::set(const EwaldAlpha& ewald_alpha, double ewald_tolerance, bool total_only) {
  // Pair by pair, the sum over G costs as much as that over images; by rho it is cheap, and cheaper still
  // where one does not ask for each particle.
  const double alpha_L = step_ <= SumStep::split_loops ? 2.8 : step_ == SumStep::best && total_only ? 9.0 : 6.0;
  const bool listed = !gvec_.empty();
  const double alpha = listed ? ewald_alpha : ewald_alpha_of(ewald_alpha, cell_.lattice(), alpha_L),
               tolerance = ewald_tolerance_of(ewald_tolerance);
  std::vector<double> made_of(&cell_.lattice().a[0][0], &cell_.lattice().a[0][0] + 9);
  made_of.insert(made_of.end(), {alpha, tolerance});
  if (made_of == made_of_) return;
  sums_ = listed ? ewald_sums_of_list(cell_.lattice(), ewald_alpha, tolerance, gvec_.data(), std::ssize(gvec_) / 3)
                 : ewald_sums(cell_.lattice(), alpha, tolerance);
  long_range_.set(sums_.n.data(), sums_.g_count(), sums_.weight, 1);
  images_.upload(sums_.images);
  made_of_ = std::move(made_of);
}

void EwaldOnDevice::set_list(std::vector<int32_t> gvec) {
  if (gvec == gvec_) return;
  gvec_ = std::move(gvec);
  made_of_.clear();
}

void EwaldOnDevice::set_charges(const std::vector<double>& charge) {
  total_charge_ = sum_of_squares_ = 0;
  for (const double q : charge) {
    total_charge_ += q;
    sum_of_squares_ += q * q;
  }
  charge_.upload(to_whole_vectors(charge));
}

void EwaldOnDevice::compute(Seats seats, const Wanted& wanted) {
  const auto rows = static_cast<size_t>(seats.rows());
  const cl_mem near = short_range_.at_least(4 * rows * sizeof(double)), potential = potential_.at_least(rows * sizeof(double)),
               gradient = gradient_.at_least((wanted.field ? 3 * rows : 1) * sizeof(double));
  seats.first = seats.netot;
  seats.channels = 1;
  seats.charge = charge_.at_least(0);
  const Outputs far{potential, gradient, potential, wanted.field ? 3 : 1};
  const auto rho = [&] { return wanted.rho ? wanted.rho : long_range_.rho(seats); };
  const cl_mem images = images_.at_least(0);
  const auto image_count = static_cast<cl_int>(sums_.image_count());
  if (step_ == SumStep::pair) {
    const WaveSums::Images pairs{images, image_count, sums_.alpha, sums_.r_cut, near};
    long_range_.by_pairs(seats, far, &pairs);
  } else {
    const Layout layout{engine_.lanes(seats.netot), seats.netot, seats.netot};
    const cl_mem frame = frame_.set(cell_, layout, seats.rele, seats.nwalker);
    engine_.start(text::ewald, "ewald_short_range", cell_.kind(), seats.rows(), layout.lanes, engine_.local(), seats.rele, seats.rnew,
                  frame, seats.charge, cell_.numbers(), images, image_count, sums_.alpha, sums_.r_cut, near, seats.one(),
                  as_int(seats.moved.npos), as_int(seats.netot), as_int(layout.size()), as_int(seats.rows()));
    if (step_ == SumStep::best && !wanted.energy && !wanted.field) {
      engine_.start(text::ewald, "ewald_total", cell_.kind(), seats.nwalker, engine_.lanes(long_range_.list().count()), engine_.local(),
                    near, rho(), long_range_.coefficients(), long_range_.list().count(), seats.charge, total_charge_, sum_of_squares_,
                    sums_.background, sums_.xi, wanted.total, as_int(seats.netot), as_int(seats.nwalker));
      return;
    }
    if (step_ == SumStep::split_loops) long_range_.by_tables(seats, far);
    else long_range_.by_rho(seats, rho(), far);
  }
  const auto or_any = [&](cl_mem memory) { return memory ? memory : near; };
  engine_.start(text::ewald, "ewald_sum_up", cell_.kind(), seats.nwalker, 1, engine_.local(), near, potential, gradient, seats.charge,
                total_charge_, sums_.background, sums_.xi, or_any(wanted.energy), or_any(wanted.field), or_any(wanted.total),
                cl_int((wanted.energy != nullptr) + 2 * (wanted.field != nullptr) + 4 * (wanted.total != nullptr)), seats.one(),
                as_int(seats.moved.npos), as_int(seats.nwalker));
}

namespace {

class EwaldCL : public opencl::WithEngine<Engine, Ewald, parameter::ewald_variant> {
public:
  EwaldCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), cell_(engine), ewald_(engine, cell_, static_cast<SumStep>(p[0])) {}

  void prepare(const suite_array* arguments) {
    const Ewald c(arguments);
    cell_.set(c.cell);
    ewald_.set_charges(engine.fetch<double>(c.charge, "charge"));
    ewald_.set_list(engine.fetch<int32_t>(c.gvec, "gvec"));
  }
  void execute(const suite_array* arguments) {
    const Ewald c(arguments);
    Seats seats;
    seats.moved = check_ewald(c);
    ewald_.set(c.ewald_alpha, c.ewald_tolerance, !c.energy && !c.field);
    seats.rele = memory_of(c.rele);
    seats.rnew = memory_or(c.rnew, seats.rele);
    seats.netot = c.netot();
    seats.nwalker = c.nwalker();
    ewald_.compute(seats,
                   {memory_or(c.energy, nullptr), memory_or(c.field, nullptr), memory_or(c.total, nullptr), memory_or(c.rhok, nullptr)});
  }

private:
  Cell cell_;
  EwaldOnDevice ewald_;
};

}  // namespace

extern const suite_kernel_table ewald_table;
constexpr suite_kernel_table ewald_table = kernel_table<Ewald, EwaldCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
