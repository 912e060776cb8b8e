// SPDX-License-Identifier: BSD-3-Clause
// A run that is stopped and continued is the run that was not, bit for bit; a damaged or foreign file is
// refused.
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "well.hpp"

using namespace suite;
using namespace suite::tddft;
using test::World;

namespace {

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "suite-checkpoint-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

// Two interacting electrons, so that the field counts too.
Settings interacting() {
  Settings s = test::well_settings();
  s.ground_state.functional = "pw92";
  s.ground_state.residual_tolerance = 1e-6;
  s.ground_state.implementation = "reference";
  s.propagation.field = "isolated";
  s.propagation.steps = 28;
  return s;
}

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

void require_same(const Calculation& a, const Calculation& b) {
  BOOST_REQUIRE(a.progress.runs.size() == b.progress.runs.size());
  for (size_t run = 0; run < a.progress.runs.size(); ++run) {
    const TimeSeries &x = a.progress.runs[run], &y = b.progress.runs[run];
    BOOST_TEST(same_bits(x.dipole, y.dipole));
    BOOST_TEST(same_bits(x.current, y.current));
    BOOST_TEST(same_bits(x.electrons, y.electrons));
    BOOST_TEST(same_bits(x.energies, y.energies));
  }
  BOOST_TEST(same_bits(a.density, b.density));
}

std::string refusal(const std::filesystem::path& file, const Settings& settings) {
  try {
    read_checkpoint(hdf5::File(file), settings);
  } catch (const Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_continued_run_is_the_uninterrupted_one) {
  for (const bool single : {false, true}) {
    Settings s = interacting();
    s.propagation.settling_steps = 9;
    s.propagation.single = single;
    const Folder whole, half, rest;
    World a("reference", whole.path), b("reference", half.path), c("reference", rest.path);
    const Calculation uninterrupted = calculate(s, a.context);
    Settings shorter = s;
    shorter.propagation.steps = 14;  // a multiple of the interval
    calculate(shorter, b.context);
    Settings longer = s;
    longer.restart = half.path / "checkpoint.h5";
    require_same(calculate(longer, c.context), uninterrupted);
  }
}

BOOST_AUTO_TEST_CASE(later_runs_start_from_the_ground_state_that_was_kept) {
  Settings s = interacting();
  s.all_directions = true;
  s.propagation.steps = 7;
  const Folder whole, half, rest;
  World a("reference", whole.path), c("reference", rest.path);
  const Calculation uninterrupted = calculate(s, a.context);
  // Stopped in the second run: its checkpoint by hand, since nobody sends a signal here.
  {
    World b("reference", half.path);
    Progress progress;
    progress.ground_state = solve_ground_state(s.system, s.ground_state);
    progress.sum_rule = sum_rule(s, progress.ground_state, b.context);
    const auto propagation = make_propagation(s, progress.ground_state, progress.sum_rule, b.context);
    for (int run = 0; run < 2; ++run) {
      progress.runs.emplace_back();
      propagation->rest(progress.ground_state);
      propagation->start(run, progress.runs.back());
      if (run == 1) break;
      propagation->advance(progress.runs.back(), 7);
      propagation->sample(progress.runs.back());
    }
    save_checkpoint(half.path / "checkpoint.h5", s, progress, *propagation, b.world);
  }
  Settings again = s;
  again.restart = half.path / "checkpoint.h5";
  require_same(calculate(again, c.context), uninterrupted);
}

// Stopped before t = 0: there is no series yet, and the settling begins again.
BOOST_AUTO_TEST_CASE(a_run_that_was_stopped_while_it_settled_settles_again) {
  Settings s = interacting();
  s.propagation.settling_steps = 9;
  s.propagation.steps = 7;
  const Folder whole, half, rest;
  World a("reference", whole.path), c("reference", rest.path);
  const Calculation uninterrupted = calculate(s, a.context);
  {
    World b("reference", half.path);
    Progress progress;
    progress.ground_state = solve_ground_state(s.system, s.ground_state);
    progress.sum_rule = sum_rule(s, progress.ground_state, b.context);
    const auto propagation = make_propagation(s, progress.ground_state, progress.sum_rule, b.context);
    propagation->rest(progress.ground_state);
    propagation->settle(0, 7);
    save_checkpoint(half.path / "checkpoint.h5", s, progress, *propagation, b.world);
  }
  Settings again = s;
  again.restart = half.path / "checkpoint.h5";
  require_same(calculate(again, c.context), uninterrupted);
}

BOOST_AUTO_TEST_CASE(other_settings_are_refused_by_name) {
  Settings s = interacting();
  s.propagation.steps = 7;
  const Folder folder;
  World world("reference", folder.path);
  calculate(s, world.context);
  const auto file = folder.path / "checkpoint.h5";
  BOOST_TEST(refusal(file, s) == "");
  Settings other = s;
  other.propagation.dt = 0.05;
  BOOST_TEST(refusal(file, other) == file.string() + " has other settings: time_step is 0.1 there and 0.05 here");
  other = s;
  other.propagation.settling_steps = 9;
  BOOST_TEST(refusal(file, other) == file.string() + " has other settings: settling_steps is 0 there and 9 here");
  other = s;
  other.propagation.steps = 700;  // a longer run is no other run
  BOOST_TEST(refusal(file, other) == "");
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_found_out) {
  Settings s = interacting();
  s.propagation.steps = 7;
  const Folder folder, rest;
  World world("reference", folder.path), again("reference", rest.path);
  calculate(s, world.context);
  const auto file = folder.path / "checkpoint.h5";
  s.restart = file;
  s.propagation.steps = 14;
  const auto size = std::filesystem::file_size(file);
  int refused = 0, tried = 0;
  for (const double share : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(share * static_cast<double>(size));
    stream.seekg(at);
    const char before = static_cast<char>(stream.get());
    stream.seekp(at);
    stream.put(static_cast<char>(before ^ 0x10));
    stream.close();
    ++tried;
    try {
      calculate(s, again.context);
    } catch (const Failure&) { ++refused; }
    std::fstream repair(file, std::ios::in | std::ios::out | std::ios::binary);
    repair.seekp(at);
    repair.put(before);
  }
  // A flipped bit between two datasets harms nobody.
  BOOST_TEST(refused >= tried - 1);
  calculate(s, again.context);
}
