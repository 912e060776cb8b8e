// SPDX-License-Identifier: BSD-3-Clause
#include "casino_input.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/input.hpp"
#include "base/text_lines.hpp"
#include "common/io.hpp"
#include "mistakes.hpp"

namespace suite::vmc {
namespace {

using app::Line;
using app::Lines;
using app::lower;
using app::Word;

constexpr size_t largest_input_file = 1 << 20;
constexpr long most_electrons = 100000, most_steps = 2000000000, most_walkers = 1000000;

// Keywords that must have one particular value, because any other changes the wave function, the Hamiltonian or the kind of run. "": T
// or F.
enum class Of { any, gas, molecule };
struct Fixed {
  const char *keyword, *value, *why;
  Of of = Of::any;
};
constexpr Fixed fixed_keywords[] = {
    {"backflow", "F", "backflow is not supported"},
    {"complex_wf", "F", "complex wave functions are not supported"},
    {"expot", "F", "external potentials are not supported"},
    {"use_expot", "F", "external potentials are not supported"},
    {"noncoll_spin", "F", "noncollinear spins are not supported"},
    {"use_gjastrow", "F", "Jastrow factors of parameters.casl are not supported"},
    {"use_mpc", "F", "the model periodic Coulomb interaction is not supported"},
    {"interaction", "ewald", "the Coulomb interaction is the Ewald one", Of::gas},
    {"interaction", "coulomb", "a molecule is in open space", Of::molecule},
    {"periodic", "T", "the electron gas is periodic", Of::gas},
    {"periodic", "F", "a molecule is in open space", Of::molecule},
    {"psi_s", "slater", "the antisymmetric part is a Slater determinant"},
    {"vmc_method", "1", "electrons move one at a time", Of::gas},
    {"limdmc", "4", "the drift and the local energies are limited as with 4"},
    {"dmc_method", "1", "electrons move one at a time"},
    {"lwdmc", "F", "weighted walkers are not supported, walkers branch"},
    {"ibran", "T", "walkers branch"},
    {"newrun", "T", "a run is restarted with 'restart.file'"},
    {"testrun", "F", "'suite check' tests an input"},
};

// Position and value of a keyword.
struct Found {
  std::string keyword;
  Word value;
};

class InputReader {
public:
  InputReader(const std::string& name, const std::string& text) : lines_(name, text, "#!") {
    for (Lines scan = lines_; !scan.at_end();) {  // what the other keywords may be depends on it
      const std::string line = lower(scan.take().text);
      if (line.rfind("atom_basis_type", 0) != 0) continue;
      out_.slater = out_.slater || line.find("slater-type") != std::string::npos;
      out_.molecule = out_.molecule || out_.slater || line.find("gaussian") != std::string::npos;
    }
  }

  CasinoInput read() {
    while (!lines_.at_end())
      attempt([&] {
        const Line& line = lines_.take();
        if (lower(line.words[0].text) == "%block") read_block(line);
        else read_keyword(line);
      });
    attempt([&] { out_.molecule ? check_molecule() : check_gas(); });
    attempt([&] {
      if (out_.opt_dtvmc == 0 && !out_.dtvmc) lines_.fail(lines_.peek().at, "opt_dtvmc 0 keeps the time step of VMC, but dtvmc is missing");
    });
    if (!errors_.empty()) throw joined(errors_);
    return std::move(out_);
  }

private:
  // Continues after an error, so that errors in later lines are found too.
  template <class F> void attempt(F&& f) {
    try {
      f();
    } catch (const app::InputErrors& errors) { errors_.push_back(errors); }
  }

  void check_gas() {
    if (!block_)
      lines_.fail(lines_.peek().at,
                  "there is neither a block free_particles, the electron gas, nor atom_basis_type gaussian or slater-type, a molecule");
    for (size_t spin = 0; spin < 2; ++spin)
      if (count_[spin] && count_[spin] != out_.nele[spin])
        lines_.fail(count_at_[spin], fmt::format("{} is {}, but particle {} of free_particles has {} orbitals", spin ? "ned" : "neu",
                                                 count_[spin], spin + 1, out_.nele[spin]));
  }

  void check_molecule() {
    for (size_t spin = 0; spin < 2; ++spin)
      if (!keywords_.contains(spin ? "ned" : "neu"))
        lines_.fail(lines_.peek().at,
                    fmt::format("{}, the number of electrons with spin {}, is missing", spin ? "ned" : "neu", spin ? "down" : "up"));
    if (count_[0] < 1) lines_.fail(count_at_[0], fmt::format("neu is {}; a molecule needs at least one electron with spin up", count_[0]));
    out_.nele = count_;
  }

  bool truth(const Word& word, const std::string& what) {
    const std::string text = lower(word.text);
    for (const char* yes : {"t", "true", ".true.", "yes", "1"})
      if (text == yes) return true;
    for (const char* no : {"f", "false", ".false.", "no", "0"})
      if (text == no) return false;
    lines_.fail(word.at, what + " must be T or F; got '" + word.text + "'");
  }

  void read_keyword(const Line& line) {
    // "neu : 27", also without blanks around the colon.
    const std::string& text = line.text;
    const size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0) lines_.fail(line.at, "expected 'keyword : value', found '" + text + "'");
    std::string keyword = lower(text.substr(0, colon));
    keyword.erase(keyword.find_last_not_of(" \t") + 1);
    const size_t begin = text.find_first_not_of(" \t", colon + 1);
    if (begin == std::string::npos) lines_.fail(line.at, keyword + " has no value");
    const size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    const Word value{text.substr(begin, end - begin),
                     {line.at.line, line.at.column + static_cast<int>(begin), static_cast<int>(end - begin)}};
    if (!keywords_.emplace(keyword, line.at.line).second)
      lines_.fail(line.at, fmt::format("{} appears twice; first in line {}", keyword, keywords_[keyword] + 1));
    const Found found{keyword, value};
    if (set_system(found) || set_fixed(found)) return;
    (set_numbers(found) || set_names(found) ? out_.settable : out_.ignored).push_back(keyword);
  }

  bool set_system(const Found& f) {
    if (f.keyword == "neu" || f.keyword == "ned") {
      const size_t spin = f.keyword == "ned";
      count_[spin] = static_cast<int32_t>(lines_.integer(f.value, f.keyword, 0, most_electrons));
      count_at_[spin] = f.value.at;
      return true;
    }
    if (f.keyword != "atom_basis_type") return false;
    if (const std::string type = lower(f.value.text); type != "none" && type != "gaussian" && type != "slater-type")
      lines_.fail(f.value.at,
                  "atom_basis_type " + f.value.text +
                      " is not supported; it must be none, the electron gas, gaussian (gwfn.data), or slater-type (stowfn.data)" +
                      (type == "blip" || type == "plane-wave" ? "; crystals are read from ES-HDF files by 'system.eshdf'" : ""));
    return true;
  }

  bool set_fixed(const Found& f) {
    for (const Fixed& only : fixed_keywords) {
      if (f.keyword != only.keyword || (only.of != Of::any && (only.of == Of::molecule) != out_.molecule)) continue;
      const std::string value = only.value;
      const bool flag = value == "T" || value == "F";
      if (flag ? truth(f.value, f.keyword) != (value == "T") : lower(f.value.text) != value)
        lines_.fail(f.value.at, f.keyword + " " + f.value.text + " is not supported, it must be " + value + ": " + only.why);
      return true;
    }
    return false;
  }

  bool set_numbers(const Found& f) {
    struct Whole {
      const char* keyword;
      std::optional<int64_t>& to;
      long low, high;
    };
    // The ranges are those of the corresponding keys.
    if (f.keyword == "vmc_decorr_period" && f.value.text == "0") return false;  // chosen by the program
    if (f.keyword == "non_local_grid" && out_.molecule) {
      out_.non_local_grid = lines_.integer(f.value, f.keyword, 3, 7);
      return true;
    }
    for (const Whole& w :
         {Whole{"opt_dtvmc", out_.opt_dtvmc, 0, 1}, Whole{"vmc_nstep", out_.vmc_nstep, 1, most_steps},
          Whole{"vmc_equil_nstep", out_.vmc_equil_nstep, 0, 100000000}, Whole{"vmc_decorr_period", out_.vmc_decorr_period, 1, 100000},
          Whole{"dmc_equil_nstep", out_.dmc_equil_nstep, 0, 100000000}, Whole{"dmc_stats_nstep", out_.dmc_stats_nstep, 1, 1000000000},
          Whole{"opt_cycles", out_.opt_cycles, 1, 1000}, Whole{"vmc_nconfig_write", out_.vmc_nconfig_write, 0, 10000000}}) {
      if (f.keyword != w.keyword) continue;
      w.to = lines_.integer(f.value, f.keyword, w.low, w.high);
      return true;
    }
    struct Real {
      const char* keyword;
      std::optional<double>& to;
    };
    for (const Real& r :
         {Real{"dtvmc", out_.dtvmc}, Real{"dtdmc", out_.dtdmc}, Real{"alimit", out_.alimit}, Real{"alphalimit", out_.alphalimit}}) {
      if (f.keyword != r.keyword) continue;
      r.to = positive(f);
      return true;
    }
    if (f.keyword != "dmc_target_weight") return false;
    const double weight = positive(f);
    if (weight != std::round(weight) || weight > static_cast<double>(most_walkers))
      lines_.fail(f.value.at, fmt::format("dmc_target_weight must be a whole number up to {}, the walkers of all processes; got '{}'",
                                          most_walkers, f.value.text));
    out_.dmc_target_weight = static_cast<int64_t>(weight);
    return true;
  }

  double positive(const Found& f) {
    const double value = lines_.real(f.value, f.keyword);
    if (!(value > 0)) lines_.fail(f.value.at, f.keyword + " must be above 0; got '" + f.value.text + "'");
    return value;
  }

  bool set_names(const Found& f) {
    if (f.keyword == "use_jastrow") {
      out_.use_jastrow = truth(f.value, f.keyword);
    } else if (f.keyword == "cusp_correction" && out_.molecule) {
      out_.cusp_correction = truth(f.value, f.keyword);
    } else if (f.keyword == "use_tmove" && out_.molecule) {
      out_.use_tmove = truth(f.value, f.keyword);
    } else if (f.keyword == "runtype") {
      out_.runtype = one_of(f, {"vmc", "vmc_dmc", "vmc_opt"});
    } else if (f.keyword == "opt_method") {
      out_.opt_method = one_of(f, {"varmin", "varmin_linjas", "emin", "madmin"});
    } else {
      return false;
    }
    return true;
  }

  std::string one_of(const Found& f, std::initializer_list<const char*> values) {
    const std::string text = lower(f.value.text);
    std::string list;
    for (const char* value : values) {
      if (text == value) return text;
      list += std::string(list.empty() ? "" : ", ") + value;
    }
    lines_.fail(f.value.at, f.keyword + " " + f.value.text + " is not supported; it must be one of " + list);
  }

  void read_block(const Line& start) {
    const std::string name = lower(lines_.word(start, 1, "the name of the block").text);
    if (name != "free_particles" || block_ || out_.molecule) {
      skip_block();
      lines_.fail(start.at, block_ && name == "free_particles" ? "there is a second block free_particles"
                                                               : "the block " + name + " is not supported");
    }
    block_ = true;
    while (!lines_.starts_with("%endblock")) {
      if (lines_.at_end()) lines_.expect("%endblock");
      attempt([&] { read_block_line(lines_.take()); });
    }
    const Line& end = lines_.take();
    for (const auto& [keyword, what] :
         {std::pair{"r_s", "r_s"}, std::pair{"cell_geometry", "cell_geometry"}, std::pair{"particle", "line of a particle"}})
      if (!block_keywords_.contains(keyword)) attempt([&] { lines_.fail(end.at, std::string("free_particles has no ") + what); });
  }

  void skip_block() {
    while (!lines_.at_end() && !lines_.starts_with("%endblock")) lines_.take();
    if (!lines_.at_end()) lines_.take();
  }

  void read_block_line(const Line& line) {
    const std::string first = lower(line.words[0].text);
    block_keywords_.insert(first);
    if (first == "r_s") {
      const Word& word = lines_.word(line, 1, "r_s");
      out_.rs = lines_.real(word, "r_s");
      if (!(out_.rs > 0)) lines_.fail(word.at, "r_s must be above 0; got '" + word.text + "'");
    } else if (first == "dimensionality" || first == "periodicity") {
      const Word& word = lines_.word(line, 1, first);
      if (lines_.integer(word, first, 0, 3) != 3) lines_.fail(word.at, first + " " + word.text + " is not supported; it must be 3");
    } else if (first == "cell_geometry") {
      read_cell();
    } else if (first == "particle") {
      read_particle(line);
    } else if (first == "k_offset") {
      for (size_t d = 0; d < 3; ++d) {
        const Word& word = lines_.word(line, d + 1, "a component of k_offset");
        if (lines_.real(word, "k_offset") != 0)
          lines_.fail(word.at, "twisted boundary conditions are not supported; k_offset must be 0 0 0");
      }
    } else {
      lines_.fail(line.at, "'" + line.words[0].text + "' in free_particles is not supported");
    }
  }

  void read_cell() {
    bool read = true;
    for (size_t i = 0; i < 3; ++i) {
      const Line& row = lines_.take();
      const size_t before = errors_.size();
      attempt([&] {
        for (size_t d = 0; d < 3; ++d) {
          const std::string what = "a component of a lattice vector";
          out_.shape[3 * i + d] = lines_.real(lines_.word(row, d, what), what);
        }
      });
      read = read && errors_.size() == before;
    }
    const auto& a = out_.shape;
    const double volume = a[0] * (a[4] * a[8] - a[5] * a[7]) + a[1] * (a[5] * a[6] - a[3] * a[8]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
    if (read && volume == 0) lines_.fail(lines_.peek().at, "the lattice vectors of cell_geometry lie in a plane");
  }

  // particle 1 det 1 : 27 orbitals free
  void read_particle(const Line& line) {
    const long spin =
        lines_.integer(lines_.word(line, 1, "the number of the particle"), "the number of the particle (1 spin up, 2 spin down)", 1, 2);
    size_t at = 2;
    if (lower(lines_.word(line, at, "':'").text) == "det") {
      const std::string what = "the number of the determinant (one is supported)";
      lines_.integer(lines_.word(line, 3, what), what, 1, 1);
      at = 4;
    }
    if (lines_.word(line, at, "':'").text != ":") lines_.fail(line.words[at].at, "expected ':', found '" + line.words[at].text + "'");
    const std::string what = "the number of orbitals";
    const long count = lines_.integer(lines_.word(line, at + 1, what), what, 1, most_electrons);
    const Word& orbitals = lines_.word(line, at + 2, "'orbitals'");
    if (lower(orbitals.text) != "orbitals") lines_.fail(orbitals.at, "expected 'orbitals', found '" + orbitals.text + "'");
    const Word& kind = lines_.word(line, at + 3, "the kind of the orbitals");
    if (lower(kind.text) != "free") lines_.fail(kind.at, "orbitals '" + kind.text + "' are not supported; they must be free");
    int32_t& nele = out_.nele[static_cast<size_t>(spin - 1)];
    if (nele) lines_.fail(line.at, fmt::format("particle {} appears twice", spin));
    nele = static_cast<int32_t>(count);
  }

  Lines lines_;
  CasinoInput out_;
  bool block_ = false;
  std::set<std::string> block_keywords_;
  std::array<int32_t, 2> count_{};  // neu and ned; 0 in free-particle inputs
  std::array<app::Position, 2> count_at_{};
  std::map<std::string, int> keywords_;
  std::vector<app::InputErrors> errors_;
};

}  // namespace

CasinoInput parse_casino_input(const std::string& name, const std::string& text) { return InputReader(name, text).read(); }

CasinoInput read_casino_input(const std::filesystem::path& file) {
  return parse_casino_input(file.string(), app::read_text_file(file, largest_input_file));
}

}  // namespace suite::vmc
