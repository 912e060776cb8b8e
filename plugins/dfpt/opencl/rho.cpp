// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho
#include "../steps.hpp"
#include "segment_lists.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

constexpr auto rho_cl_steps =
    without_expectation(with_meaning(rho_steps, {{"naive", "one work-item per batch, its matrix and products in global memory"},
                                                 {"parallelism", "one work-group per batch, no temporaries"},
                                                 {"memory", "the matrix in tiles of 32 x 32 in local memory"},
                                                 {"control_flow", "tiles of one triangle, empty batches skipped, n_dir as a build option"},
                                                 {"best", "products of small matrices in registers"}}));
constexpr suite_parameter rho_variant = variant_of(rho_cl_steps);

class RhoCL : public opencl::WithEngine<Engine, Rho, rho_variant> {
public:
  RhoCL(const suite_backend* b, suite_queue* q, const int64_t* p) : WithEngine(b, q, p), step_(static_cast<Step>(p[0])), lists_(engine) {}

  void prepare(const suite_array* a) {
    const HostCopies<Rho> host(engine, a, {"batch_points", "batch_basis", "i_basis"});
    call_ = check_rho(*host);
    lists_.set(call_.batches, host->i_basis.data());
    opencl::count_of(host->rho, 0, "rho");
    std::vector<int32_t> with_work;
    for (int64_t b = 0; b < call_.batches.count(); ++b)
      if (const Batch& batch = call_.batches.batch[at(b)]; batch.points > 0 && (step_ != Step::control_flow || batch.functions > 0))
        with_work.push_back(static_cast<int32_t>(b));
    n_work_ = std::ssize(with_work);
    with_work_.upload(with_work);
  }

  void execute(const suite_array* a) {
    const Rho c(a);
    if (step_ != Step::best) ladder(c);
    else if (call_.form == RhoForm::density_matrix) from_matrices(c);
    else from_orbitals(c);
  }

private:
  void from_matrices(const Rho& c) {
    const int lanes = engine.vector(), items = engine.local();
    const Tile tile(lanes);
    const int64_t ld = ceil_div(lists_.most_functions, lanes) * lanes, part = lists_.most_functions * ld;
    const int64_t panel = call_.batches.most_functions * tile.width, sums = tile.whole_rows(call_.batches.most_points) * lanes;
    const int64_t workspace = call_.n_dir * part + panel + sums, groups = engine.groups(lists_.n_segments, items);
    engine.start(text::tiles, "rho_of_matrices", "", lists_.n_segments, lanes, items, lists_.batch.at_least(0), lists_.wave_at.at_least(0),
                 lists_.place.at_least(0), lists_.segment_batch.at_least(0), lists_.segment_function.at_least(0),
                 lists_.function.at_least(0), memory_of(c.wave), memory_of(c.density_matrix), memory_of(c.rho),
                 group_memory(workspace_, groups, workspace), static_cast<cl_ulong>(workspace),
                 as_int(part, "elements of a part of the matrix"), as_int(panel, "elements of a panel"),
                 static_cast<cl_int>(lists_.n_segments), static_cast<cl_int>(call_.n_basis), static_cast<cl_int>(call_.batches.n_points),
                 static_cast<cl_int>(call_.n_dir));
  }

  cl_mem turned(const suite_array& C, Scratch& to, int lanes, int items, int64_t matrices) {
    const int64_t ldo = Tile(lanes).whole_width(call_.n_occ), rows = call_.n_basis * matrices;
    const cl_mem memory = group_memory(to, rows, ldo);
    engine.start(text::tiles, "turn_orbitals", "", rows, lanes, items, memory_of(C), memory, static_cast<cl_int>(call_.n_basis),
                 static_cast<cl_int>(call_.n_occ), static_cast<cl_int>(ldo), static_cast<cl_int>(matrices));
    return memory;
  }

  void from_orbitals(const Rho& c) {
    const int lanes = engine.vector(), items = engine.local();
    const Tile tile(lanes);
    const bool first = call_.form == RhoForm::first_order_orbitals;
    const cl_mem C = turned(c.C, turned_, lanes, items, 1), C1 = first ? turned(c.C1, turned_first_, lanes, items, call_.n_dir) : C;
    const int64_t points = tile.whole_rows(call_.batches.most_points), n_batches = call_.batches.count();
    const int64_t workspace = points * (tile.width + lanes * call_.n_dir);
    engine.start(text::tiles, "rho_of_orbitals", "", n_batches, lanes, items, lists_.batch.at_least(0), lists_.wave_at.at_least(0),
                 lists_.list.at_least(0), memory_of(c.wave), C, C1, memory_of(c.rho),
                 group_memory(workspace_, engine.groups(n_batches, items), workspace), static_cast<cl_ulong>(workspace),
                 static_cast<cl_int>(points), cl_int(first), static_cast<cl_int>(n_batches), static_cast<cl_int>(call_.n_basis),
                 static_cast<cl_int>(tile.whole_width(call_.n_occ)), static_cast<cl_int>(call_.batches.n_points),
                 static_cast<cl_int>(call_.n_dir));
  }

  void ladder(const Rho& c) {
    constexpr const char* names[] = {"rho_naive", "rho_parallelism", "rho_memory", "rho_control_flow"};
    const bool matrix = call_.form == RhoForm::density_matrix;
    const int items = step_ == Step::naive ? 1 : engine.local();
    const int64_t n = call_.batches.most_functions, points = call_.batches.most_points;
    const int64_t workspace = matrix ? n * (n + points) : 2 * call_.n_occ * points;
    std::string options;
    if (step_ == Step::control_flow) {
      options += define("N_DIR", call_.n_dir);
      engine.start(text::ladder, "clear", options, ceil_div(call_.batches.n_points, items), 1, items, memory_of(c.rho),
                   static_cast<cl_int>(call_.batches.n_points * call_.n_dir));
    }
    if (n_work_ == 0) return;
    const cl_mem wave = memory_of(c.wave);
    engine.start(text::ladder, matrix ? names[static_cast<int>(step_)] : "rho_from_orbitals", options, n_work_, 1, items,
                 with_work_.at_least(0), lists_.batch.at_least(0), lists_.wave_at.at_least(0), lists_.list.at_least(0), wave,
                 memory_or(matrix ? c.density_matrix.array() : c.C.array(), wave), memory_or(c.C1, wave), memory_of(c.rho),
                 group_memory(workspace_, engine.groups(n_work_, items), workspace), static_cast<cl_ulong>(workspace),
                 static_cast<cl_int>(n_work_), static_cast<cl_int>(call_.n_basis), static_cast<cl_int>(call_.n_occ),
                 static_cast<cl_int>(call_.batches.n_points), static_cast<cl_int>(call_.n_dir),
                 cl_int(call_.form == RhoForm::first_order_orbitals), cl_int(step_ == Step::naive));
  }

  Scratch scratch(const char* what) { return Scratch(engine.backend, engine.queue, what); }

  const Step step_;
  RhoCall call_;
  SegmentLists lists_;
  int64_t n_work_ = 0;
  Scratch with_work_ = scratch("the batches with work"), workspace_ = scratch("the work-groups' temporaries"),
          turned_ = scratch("the orbitals"), turned_first_ = scratch("the first-order orbitals");
};

}  // namespace

}  // namespace suite::dfpt::cl

const suite_kernel_table* suite::dfpt::rho_table() {
  static constexpr suite_kernel_table table = kernel_table<Rho, cl::RhoCL>("opencl", "opencl");
  return &table;
}
