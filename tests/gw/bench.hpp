// SPDX-License-Identifier: BSD-3-Clause
// A bench to run the self-energy on, and BerkeleyGW's results to hold it against.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <base/app.hpp>

#include "dielectric.hpp"
#include "gw.hpp"

namespace suite::gw::test {

std::filesystem::path data(const std::string& name);  // below inputs/data

// A folder that is removed at the end.
class Scratch {
public:
  Scratch();
  ~Scratch();
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

private:
  std::filesystem::path folder_;
};

// The sentence with which f fails; empty if it does not.
std::string complaint(const std::function<void()>& f);

// The q=0 averages that the reference runs used (theirs are by random points).
inline constexpr double head_silicon = 5162.0935, head_78bands = 3302.96715443917765, head_gaas = 891.06446;

Settings silicon();          // 10 k x 14 bands, 32 bands, no static remainder
Settings silicon_78bands();  // 8 k x 8 bands, static remainder
// Empirical pseudopotentials, 3 k x 8 bands, 18 bands, static remainder. Their densities are sums over
// irreducible k only and break the symmetry.
Settings gallium_arsenide();
Settings silicon_empirical();  // v averaged
// The same two with eps^-1 of their own, from wavefunctions on a shifted grid.
Settings gallium_arsenide_from_wavefunctions();
Settings silicon_empirical_from_wavefunctions();

struct Outcome {
  Result result;
  std::vector<app::Row> kernels;
  app::Outcome outcome;
};
// folder: for what a run writes, a dielectric matrix of its own.
Outcome run(const Settings& settings, const std::string& implementation = "cpu", const std::filesystem::path& folder = ".");

// The answer of `ranks` processes, each a thread, of which one runs at a time. A failure of one is a failure of all.
Outcome run_on_ranks(const Settings& settings, int ranks, const std::filesystem::path& folder = ".");

// eps^-1 alone, from the wavefunctions of the settings.
DielectricResult make_epsilon(const Settings& settings, const std::filesystem::path& folder);

// Columns of sigma_hp.log by name ("X", "SX-X", "CH", "CH`"), by k in the file's order, then band.
struct Log {
  std::vector<Vector3> kpoints;
  std::vector<std::map<int, std::map<std::string, double>>> states;
};
Log read_log(const std::filesystem::path& path);

// The largest distance of X, SX-X, CH', CH and their sum Sigma from the log in eV, degenerate sets averaged.
struct Distance {
  double x = 0, sx = 0, ch_bands = 0, ch = 0, sigma = 0;
  int states = 0;
  double worst() const;
};
Distance compare(const Result& result, const Log& log);
std::ostream& operator<<(std::ostream& out, const Distance& d);

// The largest distance between two results' columns, degenerate sets averaged, eV.
double difference(const Result& a, const Result& b);

}  // namespace suite::gw::test
