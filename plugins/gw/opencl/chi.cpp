// SPDX-License-Identifier: BSD-3-Clause
// gw.chi in OpenCL: the host's side of chi.cl.
#include <suite/device.hpp>

#include "../device/tables.hpp"
#include "../pairs.hpp"
#include "sources.hpp"

namespace suite::gw {
namespace {

constexpr int64_t slab = 192;  // pairs that are packed at a time: on a CPU a panel of rows and one of columns stay in the first cache
constexpr int64_t tile_columns = 4;  // of an item
constexpr int64_t block_rows = 48;  // whose panels stay in the second cache of a CPU

class ChiInOpenCL {
public:
  static constexpr auto parameters = device::parameters();
  ChiInOpenCL(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : queue_(backend, queue, p, Chi::name),
        pairs_(queue_, "the pairs of gw.chi"),
        columns_(queue_, "the columns of gw.chi"),
        factors_(queue_, "the factors of gw.chi"),
        rows_(queue_, "the packed rows of gw.chi"),
        packed_(queue_, "the packed columns of gw.chi") {}

  void execute(const suite_array* arguments) {
    const Chi c(arguments);
    queue_.check_extent(c.aqs, 0, "aqs");
    queue_.check_extent(c.chi, 1, "chi");
    const HostCopies<Chi> host(queue_, arguments, {"indigp", "delta", "weight", "z"});
    const ChiSums sums = make_chi_sums(*host);
    if (sums.pairs.empty()) return;
    upload(sums);
    const Shape s(queue_, c);
    rows_.at_least(s.row_panels * s.width * s.parts * slab);
    packed_.at_least(s.column_panels * tile_columns * s.parts * slab);
    for (int64_t first = 0; first < sums.count(); first += slab) add_slab(c, s, sums, first, std::min(slab, sums.count() - first));
  }

private:
  // A GPU's items are neighbours where their rows are, and have a few numbers each.
  struct Shape {
    Shape(const device::Queue& queue, const Chi& c)
        : parts(c.parts()),
          vectors(queue.lanes() == 1 ? 4
                  : c.is_real()      ? 2
                                     : 1),
          width(vectors * queue.lanes()),
          row_panels(opencl::ceil_div(c.ncouls(), width)),
          column_panels(opencl::ceil_div(c.ngpown(), tile_columns)),
          block(queue.coarse() ? std::max<int64_t>(1, block_rows / width) : row_panels),
          panel_step(queue.coarse() ? slab * parts * width : parts * width),
          pair_step(queue.coarse() ? parts * width : row_panels * parts * width),
          tiles(opencl::ceil_div(row_panels, block) * block * column_panels) {
      queue.check_count(tiles, "tiles");
    }
    int64_t parts, vectors, width, row_panels, column_panels, block, panel_step, pair_step, tiles;
  };

  void upload(const ChiSums& sums) {
    std::vector<double> factors;
    for (const ChiProduct& product : sums.products) factors.insert(factors.end(), product.factor.begin(), product.factor.end());
    pairs_.set(sums.pairs);
    columns_.set(sums.columns);
    factors_.set(factors);
  }

  template <class... Arguments> void start(const Shape& s, const char* name, int64_t items, const Arguments&... arguments) {
    const int together = queue_.local();
    const std::string options = opencl::define("P", s.parts) + opencl::define("V", s.vectors) + opencl::define("CT", tile_columns);
    queue_.start(chi_cl, name, options, opencl::ceil_div(items, together), queue_.lanes(), together, arguments...);
  }

  void add_slab(const Chi& c, const Shape& s, const ChiSums& sums, int64_t begin, int64_t pairs) {
    const auto ncouls = static_cast<cl_int>(c.ncouls()), ngpown = static_cast<cl_int>(c.ngpown()), first = static_cast<cl_int>(begin),
               some = static_cast<cl_int>(pairs), row_panels = static_cast<cl_int>(s.row_panels),
               column_panels = static_cast<cl_int>(s.column_panels);
    const cl_mem aqs = opencl::memory_of(c.aqs);
    start(s, "pack_pair_rows", s.row_panels, aqs, pairs_.memory(), rows_.memory(), ncouls, first, some, row_panels, cl_long{s.panel_step},
          cl_long{s.pair_step});
    cl_long first_factor = 0;
    for (const ChiProduct& product : sums.products) {
      const suite_array& chi = product.imaginary ? c.chi_imaginary.array() : c.chi.array();
      start(s, "pack_pair_columns", s.column_panels, aqs, pairs_.memory(), columns_.memory(), factors_.memory(), packed_.memory(), ncouls,
            ngpown, first, some, column_panels, static_cast<cl_int>(slab), first_factor, cl_int{product.hermitian});
      start(s, "multiply_pairs", s.tiles, rows_.memory(), packed_.memory(), opencl::memory_of(chi), ncouls, ngpown, some, row_panels,
            column_panels, static_cast<cl_int>(s.block), static_cast<cl_int>(slab), cl_long{s.panel_step}, cl_long{s.pair_step},
            cl_long{product.frequency * c.ncouls() * c.ngpown() * s.parts}, cl_int{sums.square && product.hermitian});
      first_factor += static_cast<cl_long>(product.factor.size());
    }
  }

  device::Queue queue_;
  device::Buffer<int32_t> pairs_, columns_;
  device::Buffer<double> factors_, rows_, packed_;
};

constexpr suite_kernel_table chi_in_opencl = kernel_table<Chi, ChiInOpenCL>("opencl", "opencl");

}  // namespace

const suite_kernel_table* chi_table() { return &chi_in_opencl; }

}  // namespace suite::gw
