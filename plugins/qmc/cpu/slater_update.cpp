// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_update: moves wait in a window and dbar gets them together, as products of matrices
// (inverse.hpp), or each at once by Sherman and Morrison.
#include "../parameters.hpp"
#include "windows.hpp"

namespace suite::qmc {
namespace {

// Moves that wait at most where the caller has no window: 32 keep both halves of the window (174 KiB for 339
// orbitals) in a near cache while dbar is read a 32nd as often (docs/performance/qmc.slater_update.md).
constexpr suite_parameter delay_parameter =
    knob("delay", 32, 1, 1024, "moves", "number of moves delayed before dbar is updated, if the call has no window");

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::update_variant, delay_parameter, threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : variant_(static_cast<UpdateStep>(p[0])), delay_(p[1]), threads_(p[2]) {}

  void execute(const suite_array* arguments) {
    const SlaterUpdate c(arguments);
    const bool delayed = check_slater_update(c);
    const int64_t n = c.n(), nwalker = c.nwalker();
    const auto* const ie = c.ie.data();
    const int64_t nupdate = c.nupdate();
    for (int64_t i = 0; i < nupdate * nwalker; ++i)
      check_electron("ie(" + text_of(i % nupdate + 1) + "," + text_of(i / nupdate + 1) + ")", ie[i], n, true);
    const Windows windows(c, delayed);
    const int64_t kmax = delayed ? windows.kmax() : std::min(delay_, std::max<int64_t>(nupdate, 1));
    const int team = useful_threads(threads_, nwalker, real(std::max<int64_t>(nupdate, 1)) * (100 + 0.05 * real(n * n)));
    scratch_.reserve(team, Window::size(n, kmax) + inverse_scratch(n, kmax));
    // A single move gains nothing from a window: 23 us by Sherman and Morrison, 39 us by a window of one, of
    // a whole move of one electron among 678 (fortran/examples/casino_style).
    const bool at_once = !delayed && (variant_ == UpdateStep::sherman_morrison || (variant_ == UpdateStep::best && kmax == 1));
    failures_.assign(static_cast<size_t>(nwalker), {-1, 1});
    each(team, nwalker, [&](int64_t w, int thread) {
      double *const memory = scratch_.of(thread), *const work = memory + Window::size(n, kmax);
      double* const dbar = c.dbar.data() + n * n * w;
      Window window = delayed ? windows.of(w, memory) : Window::in(memory, n, kmax);
      const auto bring_up_to_date = [&] {
        flush(window, dbar, work);
        if (delayed) Windows::clear(window);
      };
      if (!ie) bring_up_to_date();
      for (int64_t m = 0; m < nupdate; ++m) {
        double ratio = 1;
        if (const int64_t j = ie[nupdate * w + m] - 1; j >= 0) {
          const double* const phi = c.phi.data() + n * (nupdate * w + m);
          if (at_once) {
            ratio = sherman_morrison(dbar, n, j, phi, work);
          } else {
            if (waits(window, j)) bring_up_to_date();
            ratio = add_move(window, dbar, j, phi, nullptr, work);
            if (window.count == kmax) bring_up_to_date();
          }
          if (!(std::abs(ratio) > 0) || !std::isfinite(ratio)) {
            failures_[static_cast<size_t>(w)] = {m, ratio};
            break;
          }
        }
        if (double* const ratios = c.ratio.data()) ratios[nupdate * w + m] = ratio;
      }
      if (delayed) windows.keep(w, window);
      else flush(window, dbar, work);
    });
    for (int64_t w = 0; w < nwalker; ++w)
      if (const Refused& f = failures_[static_cast<size_t>(w)]; f.move >= 0) check_ratio(f.ratio, w, f.move);
  }

private:
  struct Refused {
    int64_t move;
    double ratio;
  };
  UpdateStep variant_;
  int64_t delay_, threads_;
  Scratch scratch_;
  std::vector<Refused> failures_;
};

}  // namespace

extern const suite_kernel_table slater_update_table;
constexpr suite_kernel_table slater_update_table = kernel_table<SlaterUpdate, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
