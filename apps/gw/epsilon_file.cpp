// SPDX-License-Identifier: BSD-3-Clause
#include "epsilon_file.hpp"

#include <algorithm>
#include <numeric>

namespace suite::gw {

namespace {
constexpr int64_t numbers_together = 1 << 22;  // written by one call: 32 MiB
constexpr const char *matrix = "mats/matrix", *diagonal = "mats/matrix-diagonal", *qpt_done = "eps_header/qpoints/qpt_done";
}// namespace

EpsilonFile::EpsilonFile(const std::filesystem::path& path, const DielectricPlan& plan, size_t first, size_t end)
    : plan_(plan), first_(first), done_(end - first), file_(path) {
  for (size_t iq = first; iq < end; ++iq) largest_ = std::max(largest_, static_cast<int64_t>(plan.q[iq].g.size()));
  // That code has complex matrices at other frequencies than zero.
  parts_ = plan.frequencies.size() > 1 ? 2 : plan.wavefunctions.flavour();
  // Those with a broadening first, then the imaginary ones, of which the first is 0.
  order_.resize(plan.frequencies.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(plan.on_imaginary_axis), order_.end());
  plan.wavefunctions.write_header(file_);
  write_header(end);
  const auto nq = static_cast<int64_t>(end - first), nfreq = static_cast<int64_t>(plan.frequencies.size());
  file_.create(matrix, {nq, 1, nfreq, largest_, largest_, parts_});
  file_.create(diagonal, {nq, largest_, parts_});
}

void EpsilonFile::write_header(size_t end) {
  const auto integer = [&](const char* name, int value) { file_.write(std::string("eps_header/") + name, &value, {}); };
  const auto real = [&](const char* name, double value) { file_.write(std::string("eps_header/") + name, &value, {}); };
  const auto nq = static_cast<int64_t>(end - first_), nfreq = static_cast<int64_t>(plan_.frequencies.size()),
             ng = static_cast<int64_t>(plan_.gspace.size());
  integer("versionnumber", 3);
  integer("flavor", plan_.wavefunctions.flavour());
  integer("params/matrix_type", 0);
  integer("params/has_advanced", 0);
  integer("params/nmatrix", 1);
  integer("params/matrix_flavor", static_cast<int>(parts_));
  integer("params/icutv", truncation_number(plan_.settings.truncation));
  real("params/ecuts", plan_.cutoff());
  integer("params/nband", plan_.nbands);
  real("params/efermi", plan_.fermi());
  integer("params/intraband_flag", 0);
  real("params/intraband_overlap_min", 0.5);
  integer("params/subsample", 0);
  integer("params/subspace", 0);
  // 0 and one imaginary frequency are that code's 3 (Godby-Needs), where 0 counts as real; more are its 2 (full frequency).
  const bool static_alone = nfreq == 1, two = nfreq == 2 && plan_.on_imaginary_axis == 2;
  const auto imaginary = static_cast<int>(plan_.on_imaginary_axis);
  integer("freqs/freq_dep", static_alone ? 0 : two ? 3 : 2);
  integer("freqs/nfreq", static_cast<int>(nfreq));
  integer("freqs/nfreq_imag", static_alone || two ? imaginary - 1 : imaginary);
  std::vector<double> freqs;
  for (const size_t i : order_)
    freqs.insert(freqs.end(), {plan_.frequencies[i].real() * rydberg_eV, plan_.frequencies[i].imag() * rydberg_eV});
  file_.write("eps_header/freqs/freqs", freqs.data(), {nfreq, 2});
  integer("qpoints/nq", static_cast<int>(nq));
  file_.write("eps_header/qpoints/qgrid", plan_.grid.data(), {3});
  std::vector<double> qpts, ekin, vcoul(static_cast<size_t>(nq * largest_));
  std::vector<int> sizes, from_rho, to_rho(static_cast<size_t>(nq * ng));
  const Matrix3& bdot = plan_.wavefunctions.crystal().bdot;
  for (size_t iq = first_; iq < end; ++iq) {
    const DielectricPlan::Q& q = plan_.q[iq];
    qpts.insert(qpts.end(), q.at.begin(), q.at.end());
    sizes.push_back(static_cast<int>(q.g.size()));
    // The lengths and the order of the small q are those of q = 0, but not v.
    const Vector3 at = q.at_zero ? Vector3{} : q.at;
    std::vector<double> length;
    for (const Miller& g : plan_.gspace) length.push_back(length2(bdot, at + g));
    // All G by length, those of the matrix in its order.
    std::vector<int> order(static_cast<size_t>(ng));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return length[static_cast<size_t>(a)] < length[static_cast<size_t>(b)]; });
    std::copy(q.numbers.begin(), q.numbers.end(), order.begin());
    const size_t row = (iq - first_) * static_cast<size_t>(ng);
    for (size_t i = 0; i < order.size(); ++i) {
      from_rho.push_back(order[i] + 1);
      to_rho[row + static_cast<size_t>(order[i])] = static_cast<int>(i + 1);
    }
    ekin.insert(ekin.end(), length.begin(), length.end());
    const std::vector<double> v = plan_.v(q);
    std::copy(v.begin(), v.end(), vcoul.begin() + static_cast<ptrdiff_t>(iq - first_) * largest_);
  }
  file_.write("eps_header/qpoints/qpts", qpts.data(), {nq, 3});
  integer("gspace/nmtx_max", static_cast<int>(largest_));
  file_.write("eps_header/gspace/nmtx", sizes);
  file_.write("eps_header/gspace/ekin", ekin.data(), {nq, ng});
  file_.write("eps_header/gspace/gind_eps2rho", from_rho.data(), {nq, ng});
  file_.write("eps_header/gspace/gind_rho2eps", to_rho.data(), {nq, ng});
  file_.write("eps_header/gspace/vcoul", vcoul.data(), {nq, largest_});
}

int64_t EpsilonFile::columns_together(int64_t n) const { return std::clamp<int64_t>(numbers_together / (n * parts_), 1, n); }

void EpsilonFile::put(size_t iq, const Numbers& inverse) {
  const auto n = static_cast<int64_t>(plan_.q[iq].g.size()), nfreq = static_cast<int64_t>(plan_.frequencies.size()),
             row = static_cast<int64_t>(iq - first_);
  std::vector<double> numbers;
  const auto add = [&](size_t at) {
    const std::complex<double> z = inverse[at];
    numbers.push_back(z.real() + 0.0);  // -0 becomes 0, as where processes pass it on by sums
    if (parts_ == 2) numbers.push_back(z.imag() + 0.0);
  };
  // Many columns together: every call reads, checks and writes again the chunks it meets.
  const int64_t together = columns_together(n);
  for (int64_t frequency = 0; frequency < nfreq; ++frequency)
    for (int64_t first = 0; first < n; first += together) {
      const int64_t columns = std::min(together, n - first);
      const int64_t begin = (static_cast<int64_t>(order_[static_cast<size_t>(frequency)]) * n + first) * n;
      numbers.clear();
      for (int64_t i = begin; i < begin + columns * n; ++i) add(static_cast<size_t>(i));
      file_.write_block(matrix, {row, 0, frequency, first, 0, 0}, {1, 1, 1, columns, n, parts_}, numbers.data());
    }
  numbers.clear();
  for (int64_t i = 0; i < n; ++i) add(static_cast<size_t>(i * (n + 1)));
  file_.write_block(diagonal, {row, 0, 0}, {1, n, parts_}, numbers.data());
  done_[iq - first_] = 1;
}

std::vector<EpsilonFile::Taken> EpsilonFile::take(const std::filesystem::path& earlier) {
  const hdf5::File file(earlier);
  const auto nq = static_cast<int64_t>(done_.size()), nfreq = static_cast<int64_t>(plan_.frequencies.size());
  const auto done = file.read<int>(qpt_done, {nq});
  const std::vector<int64_t> shape{nq, 1, nfreq, largest_, largest_, parts_};
  const auto place_of_static = std::find(order_.begin(), order_.end(), size_t{0}) - order_.begin();
  std::vector<Taken> taken;
  for (int64_t row = 0; row < nq; ++row) {
    if (!done[static_cast<size_t>(row)]) continue;
    const auto iq = first_ + static_cast<size_t>(row);
    const auto n = static_cast<int64_t>(plan_.q[iq].g.size()), together = columns_together(n);
    const auto copy = [&](const char* name, const std::vector<int64_t>& of, const std::vector<int64_t>& from,
                          const std::vector<int64_t>& count) {
      file_.write_block(name, from, count, file.read_block<double>(name, of, from, count).data());
    };
    for (int64_t frequency = 0; frequency < nfreq; ++frequency)
      for (int64_t first = 0; first < n; first += together)
        copy(matrix, shape, {row, 0, frequency, first, 0, 0}, {1, 1, 1, std::min(together, n - first), n, parts_});
    copy(diagonal, {nq, largest_, parts_}, {row, 0, 0}, {1, n, parts_});
    done_[static_cast<size_t>(row)] = 1;
    taken.push_back({iq, file.read_block<double>(matrix, shape, {row, 0, place_of_static, 0, 0, 0}, {1, 1, 1, 1, 1, 1})[0]});
  }
  return taken;
}

void EpsilonFile::commit() {
  file_.write(qpt_done, done_);
  file_.commit();
}

}  // namespace suite::gw
