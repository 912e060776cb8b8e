// SPDX-License-Identifier: BSD-3-Clause
#include "u_term.hpp"

#include <algorithm>
#include <string>

#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

const char* pairs_text() {
  static const std::string text = std::string(text::seats) + text::pairs;
  return text.c_str();
}

}  // namespace

void UOnDevice::set(const UTerm& term, std::vector<double> values) {
  term_ = term;
  if (form_ == Form::bspline) {
    // The cubic of each interval, in powers of the place in it.
    std::vector<double> cubics;
    for (int64_t set = 0; set < term_.nset; ++set)
      for (int64_t i = 0; i + 3 < term_.nalpha; ++i) {
        const double* const c = &values[static_cast<size_t>(set * term_.nalpha + i)];
        cubics.insert(cubics.end(),
                      {(c[0] + 4 * c[1] + c[2]) / 6, (c[2] - c[0]) / 2, (c[0] + c[2]) / 2 - c[1], (c[3] - c[0]) / 6 + (c[1] - c[2]) / 2});
      }
    values = std::move(cubics);
  }
  coefficients_.upload(values);
}

std::string UOnDevice::options() const {
  return there() ? define("FORM", static_cast<int>(form_)) + define("NALPHA", term_.nalpha) + define("CUT", term_.C) : std::string();
}

// `arguments` stand between the cell and the outputs.
template <class... Arguments> void UOnDevice::start(const char* name, const Seats& s, const Outputs& out, const Arguments&... arguments) {
  const Layout layout{engine_.lanes(std::max(s.first, s.netot - s.first)), s.netot, s.first};
  const cl_mem frame = frame_.set(cell_, layout, s.rele, s.nwalker);
  engine_.start(pairs_text(), name, cell_.kind() + options(), s.rows(), layout.lanes, engine_.local(), s.rele, s.rnew, frame,
                cell_.numbers(), arguments..., term_.L, sets(), out.value, out.gradient, out.laplacian, out.has, s.one(),
                as_int(s.moved.npos), as_int(s.netot), as_int(s.first), as_int(layout.begin(1)), as_int(layout.size()), as_int(s.rows()));
}

void UOnDevice::sums(const Seats& seats, const Outputs& out) { start("jastrow_u", seats, out, coefficients()); }
void UOnDevice::derivatives(const Seats& seats, const Outputs& out) { start("jastrow_u_derivatives", seats, out); }

}  // namespace suite::qmc::cl
