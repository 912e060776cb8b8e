// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag in OpenCL: the host's side of sigma_offdiag.cl. Some n' at a time are packed, multiplied
// with A and contracted; sums stay on the device, in one order.
#include <algorithm>
#include <bit>

#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t column_tile = 4;  // of a work-item: with two vectors of bands, 16 sums of the 32 registers of AVX-512
constexpr cl_int pack_rows_step = 256;  // G that a work-item packs

struct OffdiagCall : SigmaOffdiag {
  explicit OffdiagCall(const suite_array* arguments)
      : SigmaOffdiag(arguments),
        ncouls(count_of(I_eps_array.array(), 0, "I_eps_array")),
        ngpown(count_of(I_eps_array.array(), 1, "I_eps_array")),
        ntband(count_of(wx_array.array(), 1, "wx_array")),
        nw(count_of(wx_array.array(), 0, "wx_array")),
        nex(count_of(aqs.array(), 2, "aqs")) {}
  cl_int ncouls, ngpown, ntband, nw, nex;
};

// How a call is cut up; lengths of arrays in doubles.
struct Shape {
  Shape(const Engine& engine, const OffdiagCall& call, bool real_w_)
      : real_w(real_w_), vector(engine.vector()), keep(!engine.device.is_processor) {
    // Along the external bands first: those read neighbouring numbers.
    const int items = engine.local(128);
    across = std::min(16, static_cast<int>(std::bit_floor(static_cast<unsigned>(items))));
    down = items / across;
    keep = keep || items > 1;
    vectors = 1;
    const int most = vector == 1 ? 4 : 2;
    while (vectors < most && across * vector * vectors < call.nex) vectors *= 2;
    const int64_t parts = call.is_real() && real_w ? 1 : 2;
    width = int64_t{across} * vectors * vector;
    panels = ceil_div(call.nex, width);
    columns = std::max<int64_t>(1, ceil_div(engine.ncolumns, column_tile * down)) * column_tile * down;
    externals = ceil_div(call.nex, column_tile * down) * column_tile * down;
    block = keep ? 32 : 128;
    const int64_t numbers = keep ? parts : parts + (real_w ? 1 : 2) + (call.is_real() ? 1 : 2);  // of A, w and v I
    while (block > 16 && 8 * column_tile * down * numbers * block > static_cast<int64_t>(engine.device.local_bytes)) block /= 2;

    // On a processor what a pass uses is to stay in its last cache.
    const int64_t room = int64_t{engine.device.is_processor ? 8 : 32} << 20;
    rows = parts * width * call.ncouls * panels;
    conjugates = parts * columns * externals;
    product = 2 * parts * width * columns * panels;
    energies = std::clamp<int64_t>(room / product, 1, call.nw);
    sums = 2 * energies * parts * width * externals * panels;
    bands = std::clamp<int64_t>(room / (rows + conjugates + energies * product), 1, std::min<cl_int>(call.ntband, 16));
    // Few groups of columns share the tasks out as well.
    const int64_t all = 2 * energies * bands, groups = columns / (column_tile * down);
    tasks = keep ? 1 : std::max<int64_t>(1, all * groups / std::max<int64_t>(groups, 8 * int64_t{engine.device.units}));
  }
  std::string options(const OffdiagCall& call) const {
    return define("VW", vector) + define("V", vectors) + define("LN", across) + define("LC", down) + define("LOCAL", local()) +
           define("CT", column_tile) + define("BLOCK", block) + define("REAL", call.is_real()) + define("REAL_W", real_w) +
           define("KEEP", keep);
  }
  int local() const { return across * down; }
  bool real_w;
  int vector, vectors, across, down;
  bool keep;
  int64_t width, panels, columns, externals, block;
  int64_t rows, conjugates;  // of one n'
  int64_t product;           // of one n' and E
  int64_t sums;              // of one pass's energies
  int64_t energies, bands;   // of a pass
  int64_t tasks;             // of a work-group
};

size_t size(int64_t n) { return static_cast<size_t>(n); }

class Offdiag {
public:
  static constexpr suite_parameter parameters[] = {
      opencl::vector_parameter,
      local_parameter,
  };

  Offdiag(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : engine_(backend, queue, {static_cast<int>(p[0]), static_cast<int>(p[1]), 0, false}, SigmaOffdiag::name),
        rows_(backend, queue, "the packed aqs"),
        conjugates_(backend, queue, "the packed columns of aqs"),
        products_(backend, queue, "the products of n' and column"),
        sums_(backend, queue, "the sums over n' and columns") {}

  void prepare(const suite_array* arguments) {
    const OffdiagCall call(arguments);
    list_columns(engine_, call);
    real_w_ = look_at_poles(engine_, call).real;
  }

  void execute(const suite_array* arguments) {
    const OffdiagCall call(arguments);
    const Shape shape(engine_, call, real_w_);
    const std::string options = shape.options(call);
    const auto bands = static_cast<cl_int>(shape.bands), energies = static_cast<cl_int>(shape.energies);
    for (cl_int iw = 0; iw < call.nw; iw += energies) {
      const cl_int in_pass = std::min(energies, call.nw - iw);
      for (cl_int first = 0; first < call.ntband; first += bands)
        add(call, shape, options, first, std::min(bands, call.ntband - first), iw, in_pass);
      opencl::launch(engine_.device, engine_.kernel(sigma_offdiag_cl, "unpack", options), "unpack",
                     {{size(call.nex), size(call.nex), size(in_pass)}}, sums_.at_least(0), memory_of(call.asx), memory_of(call.ach),
                     call.nex, static_cast<cl_int>(shape.externals), static_cast<cl_int>(shape.panels), iw);
    }
  }

private:
  // Some n' at some energies.
  void add(const OffdiagCall& call, const Shape& shape, const std::string& options, cl_int first, cl_int bands, cl_int iw,
           cl_int energies) {
    const opencl::Device& device = engine_.device;
    const auto kernel = [&](const char* name) -> const opencl::Kernel& { return engine_.kernel(sigma_offdiag_cl, name, options); };
    const cl_mem rows = rows_.at_least(size(shape.bands * shape.rows) * sizeof(double));
    const cl_mem conjugates = conjugates_.at_least(size(shape.bands * shape.conjugates) * sizeof(double));
    const cl_mem products = products_.at_least(size(shape.bands * shape.energies * shape.product) * sizeof(double));
    const cl_mem sums = sums_.at_least(size(shape.sums) * sizeof(double));
    const auto panels = static_cast<cl_int>(shape.panels), tasks = static_cast<cl_int>(shape.tasks);
    const size_t local = size(shape.local()), all = size(2 * energies) * size(bands), n1 = size(bands);

    opencl::launch(device, kernel("pack_rows"), "pack_rows",
                   {{size(shape.panels * shape.width), n1, size(ceil_div(call.ncouls, pack_rows_step))}}, memory_of(call.aqs), rows,
                   call.ncouls, call.ntband, call.nex, first, pack_rows_step);
    opencl::launch(device, kernel("pack_conjugates"), "pack_conjugates", {{size(shape.columns), size(shape.externals), n1}},
                   memory_of(call.aqs), engine_.row_of_column.at_least(0), conjugates, call.ncouls, call.ntband, call.nex, first,
                   engine_.ncolumns);
    const size_t column_groups = size(shape.columns / (column_tile * shape.down));
    const size_t task_groups = (all + size(shape.tasks) - 1) / size(shape.tasks);
    opencl::launch(device, kernel("multiply_rows"), "multiply_rows",
                   {{column_groups * local, task_groups, shape.keep ? size(shape.panels) : 1}, {local, 1, 1}}, rows, poles_of(call).w,
                   poles_of(call).I, engine_.igp_of_column.at_least(0), engine_.v_of_column.at_least(0), memory_of(call.wx_array),
                   memory_of(call.occ_array), products, call.ncouls, call.nw, engine_.ncolumns, panels, first, bands, iw, energies, tasks,
                   double{call.gamma}, double{call.sexcut});
    opencl::launch(device, kernel("multiply_columns"), "multiply_columns",
                   {{size(shape.externals / (column_tile * shape.down)) * local, size(2 * energies), size(shape.panels)}, {local, 1, 1}},
                   products, conjugates, memory_of(call.occ_array), sums, static_cast<cl_int>(shape.columns), first, bands,
                   cl_int(first > 0));
  }

  bool real_w_ = false;
  Engine engine_;
  opencl::Scratch rows_, conjugates_, products_, sums_;
};

}  // namespace

extern const suite_kernel_table offdiag_table;
constinit const suite_kernel_table offdiag_table = kernel_table<SigmaOffdiag, Offdiag>("opencl", "opencl");

}  // namespace suite::gpp
