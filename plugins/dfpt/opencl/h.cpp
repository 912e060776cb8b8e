// SPDX-License-Identifier: BSD-3-Clause
// dfpt.h
#include "../steps.hpp"
#include "segment_lists.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

constexpr auto h_cl_steps = without_expectation(
    with_meaning(h_steps, {{"naive", "one work-item per batch, potential times functions in global memory"},
                           {"parallelism", "one work-group per batch, no temporaries"},
                           {"memory", "both factors in tiles of 32 x 32 in local memory"},
                           {"control_flow", "tiles of one triangle, points without weight skipped, n_dir as a build option"},
                           {"best", "products of small matrices in registers"}}));
constexpr suite_parameter h_variant = variant_of(h_cl_steps);

// What the parts of H of one round of segments or batches may take, in numbers.
constexpr int64_t most_of_round = int64_t{1} << 25;

class HCL : public opencl::WithEngine<Engine, Hamiltonian, h_variant> {
public:
  HCL(const suite_backend* b, suite_queue* q, const int64_t* p) : WithEngine(b, q, p), step_(static_cast<Step>(p[0])), lists_(engine) {}

  void prepare(const suite_array* a) {
    const HostCopies<Hamiltonian> host(engine, a, {"batch_points", "batch_basis", "i_basis", "partition_tab"});
    call_ = check_h(*host);
    lists_.set(call_.batches, host->i_basis.data());
    opencl::count_of(host->partition_tab, 0, "partition_tab");
    list_points(host->partition_tab.data());
  }

  void execute(const suite_array* a) {
    const Hamiltonian c(a);
    if (step_ != Step::best) return ladder(c);
    if (call_.matrices) matrices(c);
    if (call_.products) products(c);
  }

private:
  // The points that count, batch by batch, for the step control_flow.
  void list_points(const double* W) {
    std::vector<int32_t> points, first{0};
    for (const Batch& b : call_.batches.batch) {
      for (int64_t p = 0; p < b.points; ++p)
        if (step_ != Step::control_flow || W[b.first_point + p] != 0) points.push_back(static_cast<int32_t>(p));
      first.push_back(static_cast<int32_t>(points.size()));
    }
    points_.upload(points);
    first_of_points_.upload(first);
  }

  // Segments of a round whose parts take `size` numbers each.
  int64_t round(int64_t count, int64_t size, int items) const {
    const int64_t most = std::max<int64_t>(1, most_of_round / std::max<int64_t>(size, 1));
    return std::min({count, most, engine.groups(int64_t{1} << 16, items)});
  }
  cl_mem potential(const Hamiltonian& c) const { return memory_or(c.v, memory_of(c.partition_tab)); }

  void matrices(const Hamiltonian& c) {
    const int lanes = engine.vector(), items = engine.local();
    const Tile tile(lanes);
    const bool right = bool(c.wave_right);
    const int sides = right ? 2 : 1;
    const int64_t ld = ceil_div(lists_.most_functions, lanes) * lanes, part = lists_.most_functions * ld;
    const int64_t parts = part * call_.n_dir;
    const int64_t scaled = tile.whole_rows(call_.batches.most_functions) * call_.batches.most_points,
                  panel = call_.batches.most_points * tile.width, workspace = sides * (scaled + panel);
    const int64_t at_once = round(lists_.n_segments, parts, items);
    const cl_mem kept = group_memory(parts_, at_once, parts),
                 workspaces = group_memory(workspace_, engine.groups(at_once, items), workspace), wave = memory_of(c.wave);
    const auto n_basis = static_cast<cl_int>(call_.n_basis), n_dir = static_cast<cl_int>(call_.n_dir);
    const cl_int part_size = as_int(part, "elements of a part of the matrix");
    for (int64_t first = 0; first < lists_.n_segments; first += at_once) {
      const int64_t count = std::min(at_once, lists_.n_segments - first);
      engine.start(text::tiles, "h_of_segments", "", count, lanes, items, lists_.batch.at_least(0), lists_.wave_at.at_least(0),
                   lists_.place.at_least(0), lists_.segment_batch.at_least(0), lists_.segment_function.at_least(0), wave,
                   memory_or(c.wave_right, wave), cl_int(sides), memory_of(c.partition_tab), potential(c), cl_int(bool(c.v)), kept,
                   static_cast<cl_ulong>(parts), part_size, workspaces, static_cast<cl_ulong>(workspace), static_cast<cl_ulong>(scaled),
                   static_cast<cl_int>(panel), static_cast<cl_int>(first), static_cast<cl_int>(count),
                   static_cast<cl_int>(call_.batches.n_points), n_dir);
      engine.start(text::tiles, "add_segments", "", call_.n_basis, lanes, items, lists_.segment_function.at_least(0),
                   lists_.function.at_least(0), kept, static_cast<cl_ulong>(parts), part_size, memory_of(c.H), static_cast<cl_int>(first),
                   static_cast<cl_int>(count), n_basis, n_dir);
    }
    engine.start(text::tiles, "mirror", "", call_.n_basis * call_.n_dir, lanes, items, memory_of(c.H), n_basis, n_dir);
  }

  void products(const Hamiltonian& c) {
    const int lanes = engine.vector(), items = engine.local();
    const Tile tile(lanes);
    const int64_t ldo = tile.whole_width(call_.n_occ), part = lists_.most_functions * ldo;
    const int64_t parts = part * call_.n_dir;
    const cl_mem C = group_memory(turned_, call_.n_basis, ldo);
    const auto n_basis = static_cast<cl_int>(call_.n_basis), n_dir = static_cast<cl_int>(call_.n_dir),
               n_occ = static_cast<cl_int>(call_.n_occ);
    engine.start(text::tiles, "turn_orbitals", "", call_.n_basis, lanes, items, memory_of(c.C), C, n_basis, n_occ, static_cast<cl_int>(ldo),
                 cl_int(1));
    const int64_t scaled = tile.whole_rows(call_.batches.most_functions) * call_.batches.most_points,
                  workspace = scaled * call_.n_dir + tile.whole_rows(call_.batches.most_points) * tile.width;
    const int64_t at_once = round(lists_.n_segments, parts, items);
    const cl_mem kept = group_memory(parts_, at_once, parts),
                 workspaces = group_memory(workspace_, engine.groups(at_once, items), workspace);
    const cl_int part_size = as_int(part, "elements of a part of the products");
    for (int64_t first = 0; first < lists_.n_segments; first += at_once) {
      const int64_t count = std::min(at_once, lists_.n_segments - first);
      engine.start(text::tiles, "hc_of_segments", "", count, lanes, items, lists_.batch.at_least(0), lists_.wave_at.at_least(0),
                   lists_.place.at_least(0), lists_.list.at_least(0), lists_.segment_batch.at_least(0), lists_.segment_function.at_least(0),
                   memory_of(c.wave), C, memory_of(c.partition_tab), potential(c), cl_int(bool(c.v)), kept, static_cast<cl_ulong>(parts),
                   part_size, workspaces, static_cast<cl_ulong>(workspace), static_cast<cl_ulong>(scaled), static_cast<cl_int>(first),
                   static_cast<cl_int>(count), static_cast<cl_int>(ldo), static_cast<cl_int>(call_.batches.n_points), n_dir);
      engine.start(text::tiles, "add_products_of_segments", "", ceil_div(call_.n_occ * call_.n_dir, items), lanes, items,
                   lists_.segment_function.at_least(0), lists_.function.at_least(0), kept, static_cast<cl_ulong>(parts), part_size,
                   memory_of(c.HC), static_cast<cl_int>(first), static_cast<cl_int>(count), n_basis, n_occ, static_cast<cl_int>(ldo),
                   n_dir);
    }
  }

  // Rounds of batches: each group its batch's block, then one batch after the other into the results.
  void ladder(const Hamiltonian& c) {
    constexpr const char* names[] = {"h_naive", "h_parallelism", "h_memory", "h_control_flow"};
    const int items = step_ == Step::naive ? 1 : engine.local();
    std::string options;
    if (step_ == Step::control_flow) options += define("N_DIR", call_.n_dir);
    const int64_t n = call_.batches.most_functions, points = call_.batches.most_points, n_dir = call_.n_dir;
    const int64_t block = n * std::max(call_.matrices ? n : 0, call_.n_occ) * n_dir;
    const int64_t workspace = points * std::max(n, call_.n_occ);
    const int64_t at_once = round(call_.batches.count(), block, items);
    const cl_mem kept = group_memory(parts_, at_once, block),
                 workspaces = group_memory(workspace_, engine.groups(at_once, items), workspace), wave = memory_of(c.wave);
    for (const bool matrix : {true, false}) {
      if (!(matrix ? call_.matrices : call_.products)) continue;
      for (int64_t first = 0; first < call_.batches.count(); first += at_once) {
        const auto count = static_cast<cl_int>(std::min(at_once, call_.batches.count() - first));
        engine.start(text::ladder, matrix ? names[static_cast<int>(step_)] : "h_of_orbitals", options, count, 1, items,
                     lists_.batch.at_least(0), lists_.wave_at.at_least(0), lists_.list.at_least(0), points_.at_least(0),
                     first_of_points_.at_least(0), wave, memory_or(c.wave_right, wave), memory_of(c.partition_tab), potential(c),
                     cl_int(bool(c.v)), memory_or(c.C, wave), kept, static_cast<cl_ulong>(block), workspaces,
                     static_cast<cl_ulong>(workspace), static_cast<cl_int>(first), count, static_cast<cl_int>(call_.n_basis),
                     static_cast<cl_int>(call_.n_occ), static_cast<cl_int>(call_.batches.n_points), static_cast<cl_int>(n_dir));
        engine.start(text::ladder, "add_blocks", options, ceil_div(matrix ? call_.n_basis : call_.n_occ, items), 1, items,
                     lists_.batch.at_least(0), lists_.list.at_least(0), kept, static_cast<cl_ulong>(block), memory_of(matrix ? c.H : c.HC),
                     static_cast<cl_int>(first), count, static_cast<cl_int>(call_.n_basis), static_cast<cl_int>(matrix ? 0 : call_.n_occ),
                     static_cast<cl_int>(n_dir));
      }
    }
  }

  Scratch scratch(const char* what) { return Scratch(engine.backend, engine.queue, what); }

  const Step step_;
  HCall call_;
  SegmentLists lists_;
  Scratch parts_ = scratch("the parts of the matrices"), workspace_ = scratch("the work-groups' temporaries"),
          turned_ = scratch("the orbitals"), points_ = scratch("the points with weight"),
          first_of_points_ = scratch("the points with weight");
};

}  // namespace

}  // namespace suite::dfpt::cl

const suite_kernel_table* suite::dfpt::h_table() {
  static constexpr suite_kernel_table table = kernel_table<Hamiltonian, cl::HCL>("opencl", "opencl");
  return &table;
}
