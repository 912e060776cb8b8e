// SPDX-License-Identifier: BSD-3-Clause
#include "bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "checkpoint.hpp"
#include "lattice.hpp"

namespace suite::gw::test {

namespace {

// NaN counts as infinitely far.
void widen(double& worst, double distance) {
  worst = distance <= worst ? worst : (distance == distance ? distance : std::numeric_limits<double>::infinity());
}

// Averages every column over degenerate sets of one k.
std::vector<State> averaged(const Result& result) {
  auto states = result.states;
  for (size_t from = 0; from < states.size();) {
    size_t to = from + 1;
    while (to < states.size() && states[to].k == states[from].k && states[to].spin == states[from].spin &&
           std::abs(states[to].emf - states[to - 1].emf) < tol_energy_Ry * rydberg_eV)
      ++to;
    const auto average = [&](auto&& column) {
      auto sum = column(states[from]);
      for (size_t i = from + 1; i < to; ++i) sum += column(states[i]);
      for (size_t i = from; i < to; ++i) column(states[i]) = sum / static_cast<double>(to - from);
    };
    average([](State& s) -> double& { return s.x; });
    average([](State& s) -> double& { return s.remainder; });
    for (size_t iw = 0; iw < states[from].sx.size(); ++iw) {
      average([iw](State& s) -> auto& { return s.sx[iw]; });
      average([iw](State& s) -> auto& { return s.ch[iw]; });
    }
    from = to;
  }
  return states;
}

// What the ranks of a run share, each of them a thread. One of them runs at a time, until it waits for others: HDF5 is not for several threads.
struct Meeting {
  struct Rank {
    std::span<double> values;  // of sum
    const double* mine = nullptr;  // of gather
    double* all = nullptr;
  };
  explicit Meeting(int ranks) : of_rank(static_cast<size_t>(ranks)) {}
  std::mutex running;
  std::condition_variable changed;
  std::vector<Rank> of_rank;
  std::map<std::pair<int, int>, int> arrived, done;  // by number of ranks that meet, and rank: how often it came, and was let go
  bool failed = false;  // some rank: the others need not wait for it
};

// One of `size` ranks.
class Member : public app::Communicator {
public:
  Member(int rank, Meeting& meeting) : rank_(rank), meeting_(meeting) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_.of_rank.size()); }
  void sum(std::span<double> values) const override {
    meet(0, size(), {values}, [&](std::span<Meeting::Rank> ranks) {
      for (const auto& rank : ranks.subspan(1)) {
        if (rank.values.size() != ranks[0].values.size()) throw std::runtime_error("sums of different lengths");
        for (size_t i = 0; i < rank.values.size(); ++i) ranks[0].values[i] += rank.values[i];
      }
      for (const auto& rank : ranks.subspan(1)) std::copy(ranks[0].values.begin(), ranks[0].values.end(), rank.values.begin());
    });
  }
  void gather(const double* mine, double* all, size_t rows, std::span<const size_t> owned, size_t matrices) const override {
    const int ranks = static_cast<int>(owned.size());
    meet(rank_ - rank_ % ranks, ranks, {{}, mine, all}, [&](std::span<Meeting::Rank> members) {
      for (const auto& member : members)
        for (size_t matrix = 0, at = 0; matrix < matrices; ++matrix)
          for (size_t i = 0; i < owned.size(); at += rows * owned[i], ++i)
            std::copy_n(members[i].mine + matrix * rows * owned[i], rows * owned[i], member.all + at);
    });
  }

private:
  // The last of the ranks to arrive does the work for all.
  template <class Work> void meet(int first, int ranks, const Meeting::Rank& mine, Work&& work) const {
    meeting_.of_rank[rank_] = mine;
    const int number = ++meeting_.arrived[{ranks, rank_}];
    bool last = true;
    for (int other = first; other < first + ranks; ++other) last = last && meeting_.arrived[{ranks, other}] == number;
    if (last) {
      work(std::span(meeting_.of_rank).subspan(static_cast<size_t>(first), static_cast<size_t>(ranks)));
      for (int other = first; other < first + ranks; ++other) meeting_.done[{ranks, other}] = number;
      meeting_.changed.notify_all();
      return;
    }
    std::unique_lock lock(meeting_.running, std::adopt_lock);
    meeting_.changed.wait(lock, [&] { return meeting_.failed || meeting_.done[{ranks, rank_}] == number; });
    lock.release();
    if (meeting_.failed) throw std::runtime_error("another rank has failed");
  }

  int rank_;
  Meeting& meeting_;
};

Outcome run_with(const Settings& settings, const app::Communicator& world, const std::string& implementation,
                 const std::filesystem::path& folder) {
  Outcome outcome;
  app::Progress progress(false);
  std::ostringstream out;
  app::Context context{world, progress, out, folder, implementation, "best", outcome.kernels, outcome.outcome};
  Checkpoint checkpoint(settings, context);
  outcome.result = self_energy(settings, context, checkpoint);
  return outcome;
}

}  // namespace

std::filesystem::path data(const std::string& name) { return std::filesystem::path(SUITE_SOURCE_DIR) / "inputs/data" / name; }

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "suite_gw_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  folder_ = name;
}
Scratch::~Scratch() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

std::string complaint(const std::function<void()>& f) {
  try {
    f();
  } catch (const Failure& failure) { return failure.what(); }
  return "";
}

Settings silicon() {
  Settings s;
  const auto folder = data("silicon");
  s.wavefunctions = folder / "WFN_inner.h5";
  s.density = folder / "RHO";
  s.vxc = folder / "vxc.dat";
  s.eps0 = folder / "eps0mat.h5";
  s.eps = folder / "epsmat.h5";
  s.nbands = 32;
  s.band_min = 1;
  s.band_max = 14;
  s.exact_static_ch = false;
  s.coulomb = CoulombMode::none;
  s.coulomb_head = head_silicon;
  return s;
}

Settings silicon_78bands() {
  Settings s = silicon();
  const auto folder = data("silicon_78bands");
  s.wavefunctions = folder / "WFN_inner.h5";
  s.density = folder / "RHO";
  s.vxc = folder / "vxc.dat";
  s.eps0 = folder / "eps0mat.h5";
  s.eps = folder / "epsmat.h5";
  s.nbands = 78;
  s.band_max = 8;
  s.exact_static_ch = true;
  s.coulomb_head = head_78bands;
  return s;
}

Settings gallium_arsenide() {
  Settings s = silicon_78bands();
  const auto folder = data("gaas");
  s.wavefunctions = folder / "WFN_inner.h5";
  s.density = folder / "RHO";
  s.vxc = folder / "vxc.dat";
  s.eps0 = folder / "eps0mat.h5";
  s.eps = folder / "epsmat.h5";
  s.nbands = 18;
  s.coulomb_head = head_gaas;
  return s;
}

Settings silicon_empirical() {
  Settings s = gallium_arsenide();
  const auto folder = std::filesystem::path(SUITE_SOURCE_DIR) / "tests/data/si_epm";
  s.wavefunctions = folder / "WFN_inner.h5";
  s.density = folder / "RHO";
  s.vxc = folder / "vxc.dat";
  s.eps0 = folder / "eps0mat.h5";
  s.eps = folder / "epsmat.h5";
  s.coulomb = CoulombMode::cell;
  s.coulomb_head = 0;
  return s;
}

namespace {

// From WFN.h5 and WFNq.h5 beside the files of the settings.
Settings from_wavefunctions(Settings s) {
  const auto folder = s.wavefunctions.parent_path();
  s.eps0 = s.eps = "";
  s.epsilon.wavefunctions = folder / "WFN.h5";
  s.epsilon.wavefunctions_q0 = folder / "WFNq.h5";
  s.epsilon.cutoff_Ry = 7;
  s.epsilon.nbands = 18;
  return s;
}

}  // namespace

Settings gallium_arsenide_from_wavefunctions() { return from_wavefunctions(gallium_arsenide()); }
Settings silicon_empirical_from_wavefunctions() { return from_wavefunctions(silicon_empirical()); }

Outcome run(const Settings& settings, const std::string& implementation, const std::filesystem::path& folder) {
  return run_with(settings, app::Communicator(), implementation, folder);
}

Outcome run_on_ranks(const Settings& settings, int ranks, const std::filesystem::path& folder) {
  Meeting meeting(ranks);
  std::vector<Outcome> outcomes(static_cast<size_t>(ranks));
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      const std::lock_guard lock(meeting.running);
      try {
        if (!meeting.failed) outcomes[rank] = run_with(settings, Member(rank, meeting), "cpu", folder);
      } catch (...) {
        if (!meeting.failed) failure = std::current_exception();
        meeting.failed = true;
        meeting.changed.notify_all();
      }
    });
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  return outcomes[0];
}

DielectricResult make_epsilon(const Settings& settings, const std::filesystem::path& folder) {
  Outcome outcome;
  app::Progress progress(false);
  std::ostringstream out;
  const app::Communicator world;
  app::Context context{world, progress, out, folder, "cpu", "best", outcome.kernels, outcome.outcome};
  Checkpoint checkpoint(settings, context);
  return make_dielectric(DielectricPlan(settings), context, checkpoint);
}

Log read_log(const std::filesystem::path& path) {
  Log log;
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot open " + path.string());
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<std::string> word;
    for (std::string w; words >> w;) word.push_back(w);
    if (word.size() > 4 && word[0] == "k" && word[1] == "=") {
      log.kpoints.push_back({std::stod(word[2]), std::stod(word[3]), std::stod(word[4])});
      log.states.emplace_back();
    } else if (word.size() > 5 && word[0] == "n") {
      names = word;
    } else if (!names.empty() && word.size() == names.size() && !log.states.empty() &&
               word[0].find_first_not_of("0123456789") == std::string::npos) {
      for (size_t i = 1; i < word.size(); ++i) log.states.back()[std::stoi(word[0])][names[i]] = std::stod(word[i]);
    }
  }
  return log;
}

double Distance::worst() const {
  double w = 0;
  for (double d : {x, sx, ch_bands, ch, sigma}) widen(w, d);
  return w;
}

Distance compare(const Result& result, const Log& log) {
  Distance d;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& s : averaged(result)) {
    for (size_t k = 0; k < log.kpoints.size(); ++k) {
      if (!(distance(log.kpoints[k], result.kpoints[s.k]) <= 1e-5) || !log.states[k].count(s.band)) continue;
      const auto& row = log.states[k].at(s.band);
      // The energy nearest to the mean-field one stands in the log.
      size_t at = 0;
      for (size_t iw = 0; iw < s.energies.size(); ++iw)
        if (std::abs(s.energies[iw] - s.emf) < std::abs(s.energies[at] - s.emf)) at = iw;
      const double sx = s.sx.empty() ? nan : s.sx[at].real(), ch = s.ch.empty() ? nan : s.ch[at].real();
      ++d.states;
      widen(d.x, std::abs(s.x - row.at("X")));
      widen(d.sx, std::abs(sx - row.at("SX-X")));
      widen(d.ch, std::abs(ch + s.remainder - row.at("CH")));
      widen(d.sigma, std::abs(s.x + sx + ch + s.remainder - row.at("Sig")));
      if (row.count("CH`")) widen(d.ch_bands, std::abs(ch - row.at("CH`")));
    }
  }
  return d;
}

std::ostream& operator<<(std::ostream& out, const Distance& d) {
  return out << d.states << " states; X " << d.x << ", SX-X " << d.sx << ", CH' " << d.ch_bands << ", CH " << d.ch << ", Sigma " << d.sigma
             << " eV";
}

double difference(const Result& a, const Result& b) {
  const auto first = averaged(a), second = averaged(b);
  if (first.size() != second.size() || first.empty()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    widen(worst, std::abs(first[i].x - second[i].x));
    widen(worst, std::abs(first[i].remainder - second[i].remainder));
    for (size_t iw = 0; iw < first[i].sx.size(); ++iw) {
      widen(worst, std::abs(first[i].sx[iw] - second[i].sx.at(iw)));
      widen(worst, std::abs(first[i].ch[iw] - second[i].ch.at(iw)));
    }
  }
  return worst;
}

}  // namespace suite::gw::test
