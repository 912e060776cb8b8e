// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up
#include "../device/far_field.hpp"
#include "../fractions.hpp"
#include "../steps.hpp"
#include "engine.hpp"
#include "pair_runs.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

constexpr auto sum_up_cl_steps = with_meaning(
    sum_up_steps,
    {{"naive", "one work-item per batch of points, one direction at a time, everything in global memory"},
     {"parallelism", "one work-item per point"},
     {"memory", "moments in constant, harmonics in private memory, fused loops"},
     {"control_flow", "points near nuclei separated from the others, one call for near and far, l_max and n_dir as build options"},
     {"best", "vectors of points, all directions at once, near pairs sorted by atom and knot"}});
constexpr suite_parameter sum_up_variant = variant_of(sum_up_cl_steps);

constexpr int batch_points = 128;  // of the step naive; this interface has no batches

class SumUpCL : public opencl::WithEngine<Engine, SumUp, sum_up_variant, far_parameter> {
public:
  SumUpCL(const suite_backend* b, suite_queue* q, const int64_t* p) : WithEngine(b, q, p), step_(static_cast<Step>(p[0])) {
    if (step_ == Step::best && static_cast<Far>(p[1]) == Far::tree) far_ = std::make_unique<FarField>(b, q, p + 2);
  }

  void prepare(const suite_array* a) {
    const HostCopies<SumUp> host(
        engine, a,
        {"coords", "atom_coords", "species", "atom_table", "r_grid_min", "r_grid_inc", "grid_scale", "grid_max", "multipole_radius"});
    call_ = check_sum_up(*host);
    opencl::count_of(host->coords, 1, "coords");
    by_shells_ = bool(host->grid_scale);
    upload_atoms(*host);
    if (far_) far_->prepare(call_, *host);
    if (step_ == Step::best) make_pairs(*host);
    if (step_ == Step::control_flow) make_lists(*host);
  }

  void execute(const suite_array* a) {
    const SumUp c(a);
    if (step_ == Step::best) best(c);
    else ladder(c);
  }

private:
  void upload_atoms(const SumUp& host) {
    std::vector<double> atoms, grids;
    tables_ = {host.atom_coords.data(), {}, {}};
    for (int64_t i = 0; i < call_.n_atoms; ++i) {
      const double radius = host.radius_of(i), *const nucleus = &host.atom_coords(0, i);
      atoms.insert(atoms.end(), nucleus, nucleus + 3);
      atoms.push_back(radius * radius);
      tables_.radius_squared.push_back(radius * radius);
      tables_.grid.push_back(call_.grids[at(host.species(i) - 1)]);
    }
    grids = numbers_of(tables_.grid);
    atoms_.upload(atoms);
    grids_.upload(grids);
    if (step_ == Step::best) upload_fractions();
  }

  // What lies behind the knots of each species' grid, as sum_up.cl reads it.
  void upload_fractions() {
    std::vector<double> polynomials, coefficients;
    for (const RadialGrid& grid : call_.grids) {
      const KnotFractions fractions(grid);
      for (int32_t knot = 0; knot < grid.n_knots; ++knot) {
        const auto f = fractions.behind(std::min(knot, grid.n_knots - 2));
        polynomials.insert(polynomials.end(), {f.scale, f.shift, static_cast<double>(coefficients.size()), double(f.count)});
        coefficients.insert(coefficients.end(), f.coefficients, f.coefficients + f.count);
      }
    }
    coefficients.push_back(0);  // none may be needed
    polynomials_.upload(polynomials);
    coefficients_.upload(coefficients);
  }

  // Blocks of points: large, so that the points of a knot are many, but enough for all units.
  void make_pairs(const SumUp& host) {
    const int64_t most = engine.coarse() ? 16384 : 4096, units = 8 * int64_t{engine.device.units};
    const int64_t block = std::clamp<int64_t>(ceil_div(call_.n_points, units), 64, most);
    const NearPairs pairs = near_pairs(host.coords.data(), call_.n_points, tables_, block, engine.vector());
    n_blocks_ = pairs.blocks();
    as_int(std::ssize(pairs.pair_point), "pairs of a point and an atom near it");
    block_run_.upload(pairs.block_run);
    run_atom_.upload(pairs.run_atom);
    run_vector_.upload(pairs.run_vector);
    vector_knot_.upload(pairs.vector_knot);
    pair_point_.upload(pairs.pair_point);
  }

  // Points that lie near some nucleus, then the others.
  void make_lists(const SumUp& host) {
    std::vector<int32_t> list(at(call_.n_points));
    std::vector<char> is_near(list.size());
    const NearPairs pairs = near_pairs(host.coords.data(), call_.n_points, tables_, 1024, 1);
    for (const int32_t p : pairs.pair_point) is_near[at(p)] = 1;
    n_near_ = 0;
    for (int64_t p = 0; p < call_.n_points; ++p)
      if (is_near[at(p)]) list[at(n_near_++)] = static_cast<int32_t>(p);
    int64_t place = n_near_;
    for (int64_t p = 0; p < call_.n_points; ++p)
      if (!is_near[at(p)]) list[at(place++)] = static_cast<int32_t>(p);
    near_list_.upload(std::vector<int32_t>(list.begin(), list.begin() + n_near_));
    far_list_.upload(std::vector<int32_t>(list.begin() + n_near_, list.end()));
  }

  void best(const SumUp& c) {
    const int lanes = engine.vector(), items = engine.local();
    const auto n_points = static_cast<cl_int>(call_.n_points), n_dir = static_cast<cl_int>(call_.n_dir);
    const auto n_tables = static_cast<cl_int>(c.n_tables());
    const cl_mem coords = memory_of(c.coords), potential = memory_of(c.potential), atom_table = memory_of(c.atom_table);
    const std::string l_max = define("L_MAX", call_.l_max);
    const auto rows = as_int(4 * call_.n_knots * n_tables * call_.n_dir, "rows of tables"),
               moments = as_int(n_tables * call_.n_dir, "moments of tables");
    const int64_t n_lm = components(static_cast<int>(call_.l_max));
    const cl_mem powers = powers_.at_least(at(n_lm * rows) * sizeof(double)),
                 scaled = scaled_.at_least(at(n_lm * moments) * sizeof(double)), spline = memory_of(c.potential_spl);
    engine.start(text::sum_up, "tables", l_max, ceil_div(rows, int64_t{64} * items), lanes, items, spline, memory_of(c.moments), powers,
                 scaled, rows, moments);
    if (far_) far_by_tree(c, scaled);
    else
      engine.start(text::sum_up, "far_field", l_max, ceil_div(call_.n_points, int64_t{lanes} * items), lanes, items, coords,
                   atoms_.at_least(0), atom_table, scaled, potential, n_points, static_cast<cl_int>(call_.n_atoms), n_tables, n_dir);
    engine.start(text::sum_up, "near_field", l_max, n_blocks_, lanes, items, coords, atoms_.at_least(0), memory_of(c.species), atom_table,
                 grids_.at_least(0), polynomials_.at_least(0), coefficients_.at_least(0), spline, powers, block_run_.at_least(0),
                 run_atom_.at_least(0), run_vector_.at_least(0), vector_knot_.at_least(0), pair_point_.at_least(0), potential,
                 static_cast<cl_int>(n_blocks_), n_points, static_cast<cl_int>(call_.n_knots), n_tables, n_dir, cl_int(by_shells_));
  }

  void far_by_tree(const SumUp& c, cl_mem scaled) {
    const auto n_dir = static_cast<cl_int>(call_.n_dir);
    for (cl_int first = 0, dirs = 0; first < n_dir; first += dirs) {
      dirs = first + 3 <= n_dir ? 3 : 1;
      far_->expand(c, first, dirs);
      engine.start(text::sum_up, "far_leaves", define("L_MAX", call_.l_max), far_->leaves().count(), engine.vector(), engine.local(),
                   memory_of(c.coords), atoms_.at_least(0), memory_of(c.atom_table), scaled, far_->locals().memory(),
                   far_->cells().memory(), far_->leaves().memory(), far_->points().memory(), far_->direct().memory(),
                   memory_of(c.potential), static_cast<cl_int>(far_->leaves().count()), static_cast<cl_int>(call_.n_points),
                   static_cast<cl_int>(c.n_tables()), first, dirs);
    }
  }

  void ladder(const SumUp& c) {
    const std::string options = space(c) + define("BATCH", batch_points);
    if (step_ == Step::naive) return step(c, "naive", options, ceil_div(call_.n_points, batch_points), near_list_, call_.n_points);
    if (step_ == Step::parallelism) return step(c, "parallelism", options, call_.n_points, near_list_, call_.n_points);
    if (step_ == Step::memory) return step(c, "memory", options, call_.n_points, near_list_, call_.n_points);
    const std::string special = options + define("L_MAX", call_.l_max) + define("N_DIR", call_.n_dir);
    step(c, "near_points", special, n_near_, near_list_, n_near_);
    step(c, "far_points", special, call_.n_points - n_near_, far_list_, call_.n_points - n_near_);
  }

  // Where the moments are: constant memory is small on some devices.
  std::string space(const SumUp& c) const {
    const auto bytes = static_cast<cl_ulong>(c.moments.extent(0) * c.moments.extent(1) * c.moments.extent(2)) * 8;
    const auto most =
        opencl::device_info<cl_ulong>(engine.device.id, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE");
    return bytes <= most ? " -DSPACE=__constant" : " -DSPACE=__global";
  }

  void step(const SumUp& c, const char* name, const std::string& options, int64_t pieces, Scratch& list, int64_t n_list) {
    if (n_list == 0) return;
    const int items = engine.local();
    const int64_t count = ceil_div(pieces, items), workspace = 2 * components(largest_l) + 2 * (largest_l + 1);
    const size_t bytes = at(engine.groups(count, items) * items * workspace) * sizeof(double);
    engine.start(text::sum_up_ladder, name, options + define("WORKSPACE", workspace), count, 1, items, memory_of(c.coords),
                 atoms_.at_least(0), memory_of(c.atom_table), grids_.at_least(0), memory_of(c.potential_spl), memory_of(c.moments),
                 memory_of(c.potential), workspace_.at_least(bytes), list.at_least(0), static_cast<cl_int>(n_list),
                 static_cast<cl_int>(call_.n_points), static_cast<cl_int>(call_.n_atoms), static_cast<cl_int>(call_.n_knots),
                 static_cast<cl_int>(c.n_tables()), static_cast<cl_int>(call_.n_dir), cl_int(call_.l_max), cl_int(by_shells_));
  }

  Scratch scratch(const char* what) { return Scratch(engine.backend, engine.queue, what); }

  const Step step_;
  std::unique_ptr<FarField> far_;  // if far fields are expanded
  SumUpCall call_;
  AtomTables tables_{};
  bool by_shells_ = false;
  int64_t n_blocks_ = 0, n_near_ = 0;
  Scratch powers_ = scratch("the tables in powers of z"), scaled_ = scratch("the scaled moments"), atoms_ = scratch("the nuclei"),
          grids_ = scratch("the radial grids"), polynomials_ = scratch("the radial grids"), coefficients_ = scratch("the radial grids"),
          block_run_ = scratch("the near pairs"), run_atom_ = scratch("the near pairs"), run_vector_ = scratch("the near pairs"),
          vector_knot_ = scratch("the near pairs"), pair_point_ = scratch("the near pairs"), near_list_ = scratch("the points near nuclei"),
          far_list_ = scratch("the points far from nuclei"), workspace_ = scratch("the work-items' temporaries");
};

}  // namespace

}  // namespace suite::dfpt::cl

const suite_kernel_table* suite::dfpt::sum_up_table() {
  static constexpr suite_kernel_table table = kernel_table<SumUp, cl::SumUpCL>("opencl", "opencl");
  return &table;
}
