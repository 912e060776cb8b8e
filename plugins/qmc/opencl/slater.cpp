// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_ratio, qmc.slater_update, qmc.slater_invert.
#include "engine.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

const char* slater_text() {
  static const std::string text = std::string(text::windows) + text::slater;
  return text.c_str();
}
constexpr const char* work_in_global = " -DKIND=0 -DWORK=__global";

// Whole tiles of moves (slater.cl, WINDOW_STEP).
int64_t room_for(int64_t kmax, int lanes) {
  const int64_t step = lanes > 1 ? 4 * lanes : 1;
  return ceil_div(kmax, step) * step;
}

// Of one group: row, phi, four small arrays, partial sums (slater.cl, small_arrays).
int64_t small_size(int64_t n, int64_t room, int lanes, int items) {
  return 2 * ceil_div(n, lanes) * lanes + 4 * room + std::max<int64_t>(items * lanes, room);
}

size_t doubles(int64_t n) { return static_cast<size_t>(std::max<int64_t>(n, 1)) * sizeof(double); }

// The caller's window: checked, and on the device with the transposed copies that the kernels want.
class CallersWindow {
public:
  explicit CallersWindow(Engine& engine)
      : engine_(engine),
        V_(engine.backend, engine.queue, "the columns of moves that wait"),
        U_(engine.backend, engine.queue, "the columns of moves that wait") {}

  template <class Call>
  void set(const Call& c, int lanes, int items) {
    const int64_t n = c.n(), nwalker = c.nwalker();
    kmax = c.kmax();
    room = room_for(kmax, lanes);
    const std::vector<int32_t> who = engine_.fetch<int32_t>(c.delayed_electron, "delayed_electron");
    for (int64_t w = 0; w < nwalker; ++w) check_window(&who[static_cast<size_t>((kmax + 1) * w)], kmax, n, w);
    V = V_.at_least(doubles(n * room * nwalker));
    U = U_.at_least(doubles(n * room * nwalker));
    engine_.start(slater_text(), "transpose_windows", work_in_global, nwalker, lanes, items,
                  memory_of(c.delayed_phi), memory_of(c.delayed_dbar), memory_of(c.delayed_electron), V, U,
                  as_int(n), as_int(kmax), as_int(room), as_int(nwalker));
  }
  int64_t kmax = 0, room = 1;
  cl_mem V = nullptr, U = nullptr;

private:
  Engine& engine_;
  opencl::Scratch V_, U_;
};

class SlaterRatioCL : public opencl::WithEngine<Engine, SlaterRatio> {
public:
  SlaterRatioCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), window_(engine), work_(b, q, "a column of dbar") {}

  void execute(const suite_array* arguments) {
    const SlaterRatio c(arguments);
    const SlaterMove move = check_slater_ratio(c);
    const bool delayed = has_delayed(c);
    const int64_t n = c.n(), nwalker = c.nwalker(), npos = c.npos();
    const int lanes = engine.lanes(n), items = engine.local();
    if (delayed) window_.set(c, lanes, items);
    const int64_t rows = move.one ? nwalker : nwalker * npos;
    const int64_t size = small_size(n, window_.room, lanes, items);
    const cl_mem work = work_.at_least(doubles(size * engine.groups(rows, items)));
    const cl_mem dbar = memory_of(c.dbar), ratio = memory_of(c.ratio);
    as_int(nwalker * npos);
    engine.start(slater_text(), "slater_ratio", work_in_global, rows, lanes, items, dbar, memory_of(c.phi),
                 memory_or(c.dphi, dbar), memory_or(c.d2phi, dbar), memory_or(c.delayed_dbar, dbar),
                 memory_or(c.delayed_binv, dbar), memory_or(c.delayed_electron, dbar),
                 delayed ? window_.V : dbar, work, static_cast<cl_ulong>(size), ratio,
                 memory_or(c.drift, ratio), memory_or(c.laplacian, ratio), cl_int(delayed),
                 cl_int(c.drift ? 1 : 0), cl_int(c.laplacian ? 1 : 0),
                 move.one ? as_int(move.which) : cl_int(-1), as_int(n), as_int(npos),
                 as_int(delayed ? window_.kmax : 0), as_int(delayed ? window_.room : 1), as_int(nwalker));
  }

private:
  CallersWindow window_;
  opencl::Scratch work_;
};

constexpr suite_parameter delay_parameter =
    knob("delay", 0, 0, 128, "moves", "moves that wait for each other where the caller has no window; 0: 32");

class SlaterUpdateCL
    : public opencl::WithEngine<Engine, SlaterUpdate, parameter::update_variant, delay_parameter> {
public:
  SlaterUpdateCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p),
        step_(static_cast<UpdateStep>(p[0])),
        delay_(p[1] > 0 ? p[1] : 32),
        callers_(engine),
        V_(b, q, "the columns of moves that wait"),
        U_(b, q, "the columns of moves that wait"),
        P_(b, q, "B, U and B^-1 U"),
        T_(b, q, "M V - E"),
        binv_(b, q, "B^-1"),
        who_(b, q, "the electrons of moves that wait"),
        work_(b, q, "the arrays of a move"),
        complaints_(engine) {}

  void execute(const suite_array* arguments) {
    const SlaterUpdate c(arguments);
    const bool delayed = check_slater_update(c), moves = bool(c.ie);
    const int64_t n = c.n(), nwalker = c.nwalker();
    const int64_t nupdate = c.nupdate();
    if (moves) check_electrons(c.ie, n);
    const int lanes = engine.lanes(n), items = engine.local_of_moves();
    const int64_t groups = engine.groups(nwalker, items);
    const cl_mem complaints = complaints_.clear(nwalker), dbar = memory_of(c.dbar);
    const cl_int has_ratio = c.ratio ? 1 : 0;
    if (!delayed && step_ == UpdateStep::sherman_morrison) {
      const int64_t size = 2 * ceil_div(n, lanes) * lanes;
      engine.start(slater_text(), "sherman_morrison", work_in_global, nwalker, lanes, items, dbar,
                   memory_of(c.ie), memory_of(c.phi), work_.at_least(doubles(size * groups)),
                   static_cast<cl_ulong>(size), memory_or(c.ratio, dbar), has_ratio, complaints, as_int(n),
                   as_int(nupdate), as_int(nwalker));
    } else {
      if (delayed) callers_.set(c, lanes, items);
      const int64_t kmax = delayed ? callers_.kmax : delay_, room = room_for(kmax, lanes),
                    size = small_size(n, room, lanes, items), padded = ceil_div(n, lanes) * lanes;
      const auto own = [&](opencl::Scratch& scratch, int64_t each) {
        return scratch.at_least(doubles(each * groups));
      };
      const cl_mem V = delayed ? callers_.V : own(V_, n * room), U = delayed ? callers_.U : own(U_, n * room);
      const cl_mem binv = delayed ? memory_of(c.delayed_binv) : own(binv_, kmax * kmax),
                   who = delayed ? memory_of(c.delayed_electron) : own(who_, kmax + 1);
      engine.start(slater_text(), "delayed_updates", work_in_global, nwalker, lanes, items, dbar,
                   memory_or(c.ie, dbar), memory_or(c.phi, dbar), cl_int(moves),
                   memory_or(c.delayed_phi, dbar), memory_or(c.delayed_dbar, dbar), binv, who,
                   cl_int(delayed), V, U, own(P_, (2 * padded + room) * kmax), own(T_, n * room),
                   own(work_, size), static_cast<cl_ulong>(size), memory_or(c.ratio, dbar), has_ratio,
                   complaints, as_int(n), as_int(nupdate), as_int(kmax), as_int(room), as_int(nwalker));
    }
    const std::vector<double> found = complaints_.read();
    for (int64_t w = 0; w < nwalker; ++w)
      if (const double* const f = &found[static_cast<size_t>(2 * w)]; f[0] > 0)
        check_ratio(f[1], w, static_cast<int64_t>(f[0]) - 1);
  }

private:
  void check_electrons(const suite_array& array, int64_t n) {
    const std::vector<int32_t> ie = engine.fetch<int32_t>(array, "ie");
    for (int64_t w = 0; w < array.extent[1]; ++w)
      for (int64_t m = 0; m < array.extent[0]; ++m)
        check_electron("ie(" + text_of(m + 1) + "," + text_of(w + 1) + ")",
                       ie[static_cast<size_t>(m + array.extent[0] * w)], n, true);
  }
  UpdateStep step_;
  int64_t delay_;
  CallersWindow callers_;
  opencl::Scratch V_, U_, P_, T_, binv_, who_, work_;
  Complaints complaints_;
};

class SlaterInvertCL : public opencl::WithEngine<Engine, SlaterInvert> {
public:
  SlaterInvertCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p),
        work_(b, q, "matrices under elimination"),
        order_(b, q, "the order of pivots"),
        complaints_(engine) {}

  void execute(const suite_array* arguments) {
    const SlaterInvert c(arguments);
    const int64_t n = c.n(), nwalker = c.nwalker();
    const int lanes = engine.lanes(n), items = engine.local();
    const int64_t groups = engine.groups(nwalker, items), padded = ceil_div(n, lanes) * lanes,
                  size = (n + 1) * padded;
    const cl_mem dbar = memory_of(c.dbar);
    as_int(n * padded);
    engine.start(
        slater_text(), "slater_invert", work_in_global, nwalker, lanes, items, memory_of(c.phi), dbar,
        memory_or(c.logdet, dbar), cl_int(c.logdet ? 1 : 0), memory_or(c.sign, dbar), cl_int(c.sign ? 1 : 0),
        complaints_.clear(nwalker), work_.at_least(doubles(size * groups)), static_cast<cl_ulong>(size),
        order_.at_least(sizeof(cl_int) * static_cast<size_t>(2 * n * groups)), as_int(n), as_int(nwalker));
    const std::vector<double> found = complaints_.read();
    for (int64_t w = 0; w < nwalker; ++w)
      if (found[static_cast<size_t>(2 * w)] > 0) check_determinant(0, w);
  }

private:
  opencl::Scratch work_, order_;
  Complaints complaints_;
};

}  // namespace

extern const suite_kernel_table slater_ratio_table, slater_update_table, slater_invert_table;
constexpr suite_kernel_table slater_ratio_table =
    kernel_table<SlaterRatio, SlaterRatioCL>("opencl", "opencl");
constexpr suite_kernel_table slater_update_table =
    kernel_table<SlaterUpdate, SlaterUpdateCL>("opencl", "opencl");
constexpr suite_kernel_table slater_invert_table =
    kernel_table<SlaterInvert, SlaterInvertCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
