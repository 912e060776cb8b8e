// SPDX-License-Identifier: BSD-3-Clause
#include "p_term.hpp"

#include "texts.hpp"

namespace suite::qmc::cl {

POnDevice::POnDevice(Engine& engine, Cell& cell)
    : engine_(engine),
      cell_(cell),
      sums_(engine, cell),
      by_star_(engine.backend, engine.queue, "the list of stars"),
      begin_(engine.backend, engine.queue, "the list of stars") {}

void POnDevice::set(const PTerm& term, const std::vector<int32_t>& gvec, const std::vector<int32_t>& star, const std::vector<double>& a) {
  term_ = term;
  const auto of_star = [&](int64_t g) { return star[static_cast<size_t>(g)] - 1; };
  std::vector<double> coefficients;
  for (int64_t set = 0; set < term_.nset; ++set)
    for (int64_t g = 0; g < term_.ngvec; ++g) coefficients.push_back(a[static_cast<size_t>(of_star(g) + term_.nstar * set)]);
  sums_.set(gvec.data(), term_.ngvec, coefficients, term_.nset);
  std::vector<cl_int> list, begin{0};
  for (int64_t s = 0; s < term_.nstar; ++s) {
    for (int64_t g = 0; g < term_.ngvec; ++g)
      if (of_star(g) == s) list.push_back(static_cast<cl_int>(g));
    begin.push_back(static_cast<cl_int>(list.size()));
  }
  by_star_.upload(list);
  begin_.upload(begin);
}

void POnDevice::derivatives(const Seats& s, cl_mem rho, const Outputs& out) {
  const int lanes = engine_.lanes(s.moved.npos), items = engine_.local();
  const int64_t shares = ceil_div(s.moved.npos, lanes) * term_.nstar * s.nwalker;
  engine_.start(text::waves, "derivatives_by_star", "", ceil_div(as_int(shares), items), lanes, items, s.rele, s.rnew, cell_.numbers(),
                sums_.list().memory(), by_star_.at_least(0), begin_.at_least(0), as_int(term_.nstar), cl_int(term_.nset),
                sums_.list().count(), sums_.list().size(), rho, out.value, out.gradient, out.laplacian, out.has, s.one(),
                as_int(s.moved.npos), as_int(s.netot), as_int(s.first), as_int(s.nwalker));
}

}  // namespace suite::qmc::cl
