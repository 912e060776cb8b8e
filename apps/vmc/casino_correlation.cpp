// SPDX-License-Identifier: BSD-3-Clause
#include "casino_correlation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/text_lines.hpp"
#include "common/io.hpp"
#include "molecule/molecule.hpp"

namespace suite::vmc {
namespace {

using app::Line;
using app::Lines;
constexpr size_t largest_correlation_file = 16 << 20;
constexpr long largest_order = 40, largest_order_f = 15, most_vectors = 1000000, largest_index = 1000, most_sets = 1000;

constexpr const char* spin_dep_line = "Spin dep (0->uu=dd=ud; 1->uu=dd/=ud; 2->uu/=dd/=ud)";
constexpr const char* cutoff_line = "Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)";
constexpr const char* parameters_line = "Parameter values  ;  Optimizable (0=NO; 1=YES)";
constexpr const char* vectors_line = "Number of simulation-cell G-vectors (NB, cannot have both G & -G)";
constexpr const char* vector_line = "G-vector (in terms of rec latt vects) ; label";
constexpr const char* labelling_line = "Number of sets ; labelling (1->atom in s. cell; 2->atom in p. cell; 3->species)";
constexpr const char* chi_cusp_line = "Impose electron-nucleus cusp (0=NO; 1=YES)";
constexpr const char* chi_spin_dep_line = "Spin dep (0->u=d; 1->u/=d)";
constexpr const char* prevent_u_line = "Prevent duplication of u term (0=NO; 1=YES)";
constexpr const char* prevent_chi_line = "Prevent duplication of chi term (0=NO; 1=YES)";
constexpr const char* order_en_line = "Electron-nucleus expansion order N_f_eN";
constexpr const char* order_ee_line = "Electron-electron expansion order N_f_ee";
constexpr const char* value_line = "Parameter value ; Optimizable (0=NO; 1=YES)";

class CorrelationReader {
public:
  // system: nullptr if unknown.
  CorrelationReader(const std::string& name, const std::string& text, const System* system) : lines_(name, text, "!"), system_(system) {}

  CorrelationData read() {
    bool jastrow = false;
    while (!lines_.at_end()) {
      if (lines_.starts_with("START HEADER")) {
        out_.header = free_text("START HEADER", "END HEADER");
      } else if (lines_.starts_with("START VERSION")) {
        lines_.take();
        const Line& line = lines_.take();
        lines_.integer(lines_.word(line, 0, "the version"), "the version", 1, 1);
        lines_.expect("END VERSION");
      } else if (lines_.starts_with("START JASTROW")) {
        if (jastrow) lines_.fail(lines_.peek().at, "there is a second JASTROW section");
        jastrow = true;
        read_jastrow();
      } else {
        refuse("section");
      }
    }
    if (!jastrow) lines_.fail(lines_.peek().at, "there is no JASTROW section");
    if (!out_.jastrow.any()) lines_.fail(lines_.peek().at, "the JASTROW section has none of U TERM, CHI TERM, F TERM and P TERM");
    for (const auto* flags : {&cutoff_of_u_, &cutoffs_of_chi_, &cutoffs_of_f_})
      out_.free_cutoffs.insert(out_.free_cutoffs.end(), flags->begin(), flags->end());
    if (system_) apply_cusp(*system_, out_.jastrow);
    return std::move(out_);
  }

private:
  // Refuses a term without a kernel by name.
  [[noreturn]] void refuse(const std::string& kind) {
    const Line& line = lines_.peek();
    if (app::lower(line.words[0].text) == "start" && line.words.size() > 1)
      lines_.fail(line.at, kind + " " + line.text.substr(line.text.find(line.words[1].text)) +
                               " is not supported: a correlation.data may have HEADER, VERSION and JASTROW with U TERM" +
                               (!system_        ? ", CHI TERM, F TERM and P TERM"
                                : !periodic()   ? ", CHI TERM and F TERM"
                                : of_molecule() ? ", CHI TERM, F TERM and P TERM"
                                                : " and P TERM"));
    lines_.fail(line.at, "'" + line.text + "' is unexpected here");
  }

  // Lines up to the end marker.
  std::string free_text(const char* start, const char* end) {
    lines_.expect(start);
    std::string text;
    while (!lines_.at_end() && !lines_.starts_with(end)) text += (text.empty() ? "" : "\n") + lines_.take().text;
    lines_.expect(end);
    return text;
  }

  long number_below(const char* heading, const std::string& what, long low, long high) {
    lines_.expect(heading);
    const Line& line = lines_.take();
    return lines_.integer(lines_.word(line, 0, what), what, low, high);
  }

  void read_jastrow() {
    lines_.expect("START JASTROW");
    if (lines_.starts_with("Title")) {
      lines_.take();
      out_.title.clear();
      while (!lines_.at_end() && !lines_.starts_with("Truncation order"))
        out_.title += (out_.title.empty() ? "" : "\n") + lines_.take().text;
    }
    out_.jastrow.truncation = static_cast<int>(number_below("Truncation order", "the truncation order C", 2, 3));
    while (!lines_.starts_with("END JASTROW")) {
      if (lines_.at_end()) lines_.expect("END JASTROW");
      const bool u = lines_.starts_with("START U TERM"), p = lines_.starts_with("START P TERM") && (!system_ || periodic()),
                 chi = lines_.starts_with("START CHI TERM") && (!system_ || of_molecule()),
                 f = lines_.starts_with("START F TERM") && (!system_ || of_molecule());
      if (!u && !p && !chi && !f) refuse("term");
      if (u ? out_.jastrow.has_u() : p ? out_.jastrow.has_p() : chi ? out_.jastrow.has_chi() : out_.jastrow.has_f())
        lines_.fail(lines_.peek().at, std::string("there is a second ") + (u ? "U" : p ? "P" : chi ? "CHI" : "F") + " TERM");
      u ? read_u() : p ? read_p() : chi ? read_chi() : read_f();
    }
    lines_.expect("END JASTROW");
  }

  void read_u() {
    Jastrow& j = out_.jastrow;
    lines_.expect("START U TERM");
    number_below("Number of sets", "the number of sets of the U TERM", 1, 1);
    lines_.expect("START SET 1");
    read_harmonic("U TERM");
    if (lines_.starts_with("Functional form"))
      number_below("Functional form", "the functional form of the U TERM (0, the polynomial, is supported)", 0, 0);
    j.nalpha = 1 + static_cast<int>(number_below("Expansion order N_u", "N_u", 1, largest_order));
    j.nset_u = 1 + static_cast<int>(number_below("Spin dep", "Spin dep of the U TERM", 0, 2));
    j.L_u = read_cutoff(usual_cutoff_of_u, 1, cutoff_of_u_);
    lines_.expect("Parameter values");
    std::vector<double> values;
    read_values("END SET", "U TERM", static_cast<size_t>((j.nalpha - 1) * j.nset_u), values, out_.free_alpha);
    j.alpha.assign(static_cast<size_t>(j.nalpha * j.nset_u), 0);
    const auto tied = static_cast<size_t>(tied_row(j.form));
    auto value = values.begin();
    for (size_t at = 0; at < j.alpha.size() && value != values.end(); ++at)
      if (at % static_cast<size_t>(j.nalpha) != tied) j.alpha[at] = *value++;
    lines_.expect("END SET 1");
    lines_.expect("END U TERM");
  }

  void read_harmonic(const std::string& term) {
    lines_.expect("Spherical harmonic l,m");
    const Line& lm = lines_.take();
    for (size_t i = 0; i < 2; ++i) lines_.integer(lines_.word(lm, i, "l or m of the " + term), "l and m of the " + term, 0, 0);
  }

  // usual: of a molecule; part: of the inscribed radius that it may have; adds its flag.
  double read_cutoff(double usual, double part, std::vector<bool>& flags) {
    lines_.expect("Cutoff");
    const Line& line = lines_.take();
    const auto& word = lines_.word(line, 0, "the cutoff");
    const double cutoff = lines_.real(word, "the cutoff"), largest = system_ ? part * system_->inscribed_radius() : std::max(cutoff, 1.0);
    if (!(cutoff >= 0)) lines_.fail(word.at, "the cutoff must not be negative; got '" + word.text + "'");
    if (cutoff > largest * (1 + 1e-9))
      lines_.fail(word.at, "the cutoff " + word.text + " is beyond the radius " + fmt::format("{:.10g}", largest) +
                               " of the sphere inscribed in the Wigner-Seitz cell");
    const std::string what = "the flag of the cutoff";
    flags.push_back(lines_.flag(lines_.word(line, 1, what), what));
    return cutoff > 0 ? std::min(cutoff, largest) : system_ && of_molecule() ? std::min(usual, largest) : largest;
  }

  struct ChiSet {
    int nbeta = 0, nspin = 0;
    double L = 0;
    bool cusp = false;
    std::vector<size_t> ions;
    std::vector<double> values;
    std::vector<bool> free;
  };

  void read_chi() {
    std::vector<ChiSet> sets;
    read_sets("CHI TERM", [&](bool species, std::set<size_t>& seen) { sets.push_back(read_chi_set(species, seen)); });
    put_chi(sets);
  }

  // The sets of a term of ions.
  template <class F> void read_sets(const std::string& term, F&& read_set) {
    lines_.expect(("START " + term).c_str());
    lines_.expect("Number of sets");
    const Line& line = lines_.take();
    const std::string of_sets = "the number of sets of the " + term, of_labels = "the labelling of the " + term;
    const long count = lines_.integer(lines_.word(line, 0, of_sets), of_sets, 1, most_sets);
    const bool species = lines_.integer(lines_.word(line, 1, of_labels), of_labels, 1, 3) == 3;
    std::set<size_t> seen;
    for (long k = 1; k <= count; ++k) {
      const std::string name = fmt::format("SET {}", k);
      lines_.expect("START " + name);
      read_set(species, seen);
      lines_.expect("END " + name);
    }
    lines_.expect("END " + term);
  }

  ChiSet read_chi_set(bool species, std::set<size_t>& seen) {
    ChiSet set;
    read_harmonic("CHI TERM");
    set.ions = read_labels(species, seen);
    set.cusp = number_below("Impose electron-nucleus cusp", "the flag of the electron-nucleus cusp", 0, 1) == 1;
    set.nbeta = 1 + static_cast<int>(number_below("Expansion order N_chi", "N_chi", 1, largest_order));
    set.nspin = 1 + static_cast<int>(number_below("Spin dep", "Spin dep of the CHI TERM", 0, 1));
    set.L = read_cutoff(usual_cutoff_of_chi, 1, cutoffs_of_chi_);
    lines_.expect("Parameter values");
    const auto parameters = static_cast<size_t>((set.nbeta - 1) * set.nspin);
    read_values("END SET", "set of the CHI TERM", parameters, set.values, set.free);
    set.values.resize(parameters, 0);
    set.free.resize(parameters, true);
    return set;
  }

  // The ions of a set.
  std::vector<size_t> read_labels(bool species, std::set<size_t>& seen) {
    std::vector<size_t> ions;
    const long atoms = number_below("Number of", "the number of atoms of the set", 1, most_vectors);
    lines_.expect(lines_.starts_with("Labels") ? "Labels" : "Label");
    for (long left = atoms; left > 0;) {
      const Line& line = lines_.take();
      if (line.words.empty()) lines_.fail(line.at, "the labels of the atoms end too early");
      for (const auto& word : line.words) {
        if (--left < 0) lines_.fail(word.at, fmt::format("there are more than the {} labels of the set", atoms));
        put_ions(word, species, seen, ions);
      }
    }
    return ions;
  }

  // The ions that a label means, from 0.
  void put_ions(const app::Word& word, bool species, std::set<size_t>& seen, std::vector<size_t>& ions) {
    const std::string what = species ? "the number of a species" : "the number of an atom";
    if (!system_) {
      lines_.integer(word, what, 1, most_vectors);
      return;
    }
    const Molecule& m = *system_->molecule;
    const auto kinds = m.kind_of_ion();
    const auto label = lines_.integer(word, what, 1, species ? std::ssize(m.kinds()) : m.nion());
    for (size_t a = 0; a < kinds.size(); ++a) {
      if ((species ? kinds[a] : static_cast<int32_t>(a)) != static_cast<int32_t>(label - 1)) continue;
      if (!seen.insert(a).second) lines_.fail(word.at, fmt::format("atom {} is in two sets", a + 1));
      ions.push_back(a);
    }
  }

  // Sets with fewer coefficients than others have zeros that stay as they are.
  void put_chi(const std::vector<ChiSet>& sets) {
    Jastrow& j = out_.jastrow;
    j.nset_chi = static_cast<int>(sets.size());
    for (const ChiSet& set : sets) j.nbeta = std::max(j.nbeta, set.nbeta), j.nspin_chi = std::max(j.nspin_chi, set.nspin);
    if (system_) j.set_of_ion.assign(system_->molecule->charge.size(), 0);
    for (size_t k = 0; k < sets.size(); ++k) {
      const ChiSet& set = sets[k];
      if (set.nspin != j.nspin_chi) lines_.fail(lines_.peek().at, "the sets of the CHI TERM must all have the same Spin dep");
      j.L_chi.push_back(set.L);
      j.slope_chi.push_back(0);
      size_t next = 0;
      for (int spin = 0; spin < set.nspin; ++spin)
        for (int l = 0; l < j.nbeta; ++l) {
          j.beta.push_back(l != 1 && l < set.nbeta ? set.values[next] : 0);
          if (l == 1) continue;
          out_.free_beta.push_back(l < set.nbeta && set.free[next]);
          if (l < set.nbeta) ++next;
        }
      for (const size_t ion : set.ions) {
        j.set_of_ion[ion] = static_cast<int32_t>(k + 1);
        if (!set.cusp) continue;
        const double slope = -system_->molecule->charge[ion];
        if (j.slope_chi[k] != 0 && j.slope_chi[k] != slope)
          lines_.fail(lines_.peek().at, fmt::format("set {} of the CHI TERM has the cusp of nuclei with different charges", k + 1));
        j.slope_chi[k] = slope;
      }
    }
  }

  bool of_molecule() const { return system_->molecule != nullptr; }
  bool periodic() const { return !of_molecule() || system_->crystal(); }

  // Value and flag of each parameter, or no parameters at all.
  void read_values(const char* end, const std::string& term, size_t count, std::vector<double>& values, std::vector<bool>& free) {
    const std::string of_term = " of the " + term, all = std::to_string(count);
    while (!lines_.at_end() && !lines_.starts_with(end)) {
      const Line& line = lines_.take();
      if (values.size() == count) lines_.fail(line.at, "there are more than the " + all + " parameters" + of_term);
      const std::string name = fmt::format("parameter {}{}", values.size() + 1, of_term);
      values.push_back(lines_.real(line.words[0], name));
      free.push_back(lines_.flag(lines_.word(line, 1, "the flag of " + name), "the flag of " + name));
    }
    if (!values.empty() && values.size() != count)
      lines_.fail(lines_.peek().at, fmt::format("there are {} of the {} parameters{}", values.size(), all, of_term));
  }

  struct FSet {
    FShape shape;
    int npair = 0;
    double L = 0;
    std::vector<size_t> ions;
    std::vector<double> values;
    std::vector<bool> free;
  };

  void read_f() {
    std::vector<FSet> sets;
    read_sets("F TERM", [&](bool species, std::set<size_t>& seen) { sets.push_back(read_f_set(species, seen)); });
    put_f(sets);
  }

  FSet read_f_set(bool species, std::set<size_t>& seen) {
    FSet set;
    set.ions = read_labels(species, seen);
    const auto prevents = [&](const char* heading) {
      return number_below(heading, "the flag of '" + std::string(heading) + "'", 0, 1) == 1;
    };
    set.shape.without_u = prevents("Prevent duplication of u");
    set.shape.without_chi = prevents("Prevent duplication of chi");
    set.shape.nen = static_cast<int>(number_below("Electron-nucleus expansion order", "N_f_eN", 1, largest_order_f));
    set.shape.nee = static_cast<int>(number_below("Electron-electron expansion order", "N_f_ee", 0, largest_order_f));
    set.npair = 1 + static_cast<int>(number_below("Spin dep", "Spin dep of the F TERM", 0, 2));
    set.L = read_cutoff(usual_cutoff_of_f, 0.5, cutoffs_of_f_);
    lines_.expect("Parameter values");
    const size_t all = FConstraints(set.shape, out_.jastrow.truncation, set.L).free().size() * static_cast<size_t>(set.npair);
    read_values("END SET", "set of the F TERM, whose cusps fix the others", all, set.values, set.free);
    set.values.resize(all, 0);
    set.free.resize(all, true);
    return set;
  }

  void put_f(const std::vector<FSet>& sets) {
    Jastrow& j = out_.jastrow;
    j.nset_f = static_cast<int>(sets.size());
    j.npair_f = sets.front().npair;
    for (const FSet& set : sets) j.nf_en = std::max(j.nf_en, set.shape.nen + 1), j.nf_ee = std::max(j.nf_ee, set.shape.nee + 1);
    if (system_) j.f_of_ion.assign(system_->molecule->charge.size(), 0);
    j.gamma.assign(static_cast<size_t>(j.nf_en * j.nf_en * j.nf_ee * j.npair_f * j.nset_f), 0);
    for (size_t k = 0; k < sets.size(); ++k) {
      const FSet& set = sets[k];
      if (set.npair != j.npair_f) lines_.fail(lines_.peek().at, "the sets of the F TERM must all have the same Spin dep");
      j.shape_f.push_back(set.shape);
      j.L_f.push_back(set.L);
      for (const size_t ion : set.ions) j.f_of_ion[ion] = static_cast<int32_t>(k + 1);
      out_.free_gamma.insert(out_.free_gamma.end(), set.free.begin(), set.free.end());
    }
    for (size_t k = 0; k < sets.size(); ++k) {
      auto value = sets[k].values.begin();
      for_each_free_gamma(j, k, [&](double& gamma, int, const FConstraints::Powers&) { gamma = *value++; });
    }
  }

  void read_p() {
    Jastrow& j = out_.jastrow;
    lines_.expect("START P TERM");
    j.nset_p = 1 + static_cast<int>(number_below("Spin dep", "Spin dep of the P TERM", 0, 2));
    const long count = number_below("Number of simulation-cell G-vectors", "the number of G vectors", 1, most_vectors);
    lines_.expect("G-vector");
    std::set<std::array<int32_t, 3>> seen;
    for (long i = 0; i < count; ++i) read_vector(seen);
    check_stars();
    lines_.expect("Parameter value");
    std::vector<double> values;
    read_values("END P TERM", "P TERM", static_cast<size_t>(j.nstar * j.nset_p), values, out_.free_a);
    j.a = values;
    j.a.resize(static_cast<size_t>(j.nstar * j.nset_p), 0);
    lines_.expect("END P TERM");
  }

  void read_vector(std::set<std::array<int32_t, 3>>& seen) {
    const Line& line = lines_.take();
    std::array<int32_t, 3> g{}, minus{};
    for (size_t d = 0; d < 3; ++d) {
      const std::string what = "a component of a G vector";
      g[d] = static_cast<int32_t>(lines_.integer(lines_.word(line, d, what), what, -largest_index, largest_index));
      minus[d] = -g[d];
    }
    if (g == minus) lines_.fail(line.at, "G = 0 cannot be in the P TERM");
    if (!seen.insert(g).second || seen.contains(minus)) lines_.fail(line.at, "this G vector or its negative appears twice");
    const std::string what = "the label of a G vector";
    const long label = lines_.integer(lines_.word(line, 3, what), what, 1, most_vectors);
    out_.jastrow.gvec.insert(out_.jastrow.gvec.end(), g.begin(), g.end());
    out_.jastrow.star.push_back(static_cast<int32_t>(label));
    out_.jastrow.nstar = std::max(out_.jastrow.nstar, static_cast<int>(label));
  }

  void check_stars() {
    const std::set<int32_t> labels(out_.jastrow.star.begin(), out_.jastrow.star.end());
    if (static_cast<int>(labels.size()) != out_.jastrow.nstar)
      lines_.fail(lines_.peek().at,
                  fmt::format("the G vectors have labels up to {}, but only {} different labels", out_.jastrow.nstar, labels.size()));
  }

  Lines lines_;
  const System* system_;
  std::vector<bool> cutoff_of_u_, cutoffs_of_chi_, cutoffs_of_f_;
  CorrelationData out_;
};

std::string value_row(double value, bool free, const std::string& label) {
  return fmt::format("  {:24.16E}            {}       ! {}\n", value, free ? 1 : 0, label);
}

bool free_at(const std::vector<bool>& free, size_t i) { return i >= free.size() || free[i]; }

// Of a cutoff; what no file says is fixed.
std::string cutoff_rows(double L, const std::vector<bool>& free, size_t i) {
  return fmt::format(" {}\n   {:.17g}            {}\n {}\n", cutoff_line, L, i < free.size() && free[i] ? 1 : 0, parameters_line);
}

std::string labels_of(const std::vector<int32_t>& set_of_ion, int set) {
  std::string labels;
  int atoms = 0;
  for (size_t a = 0; a < set_of_ion.size(); ++a)
    if (set_of_ion[a] == set + 1) labels += fmt::format(" {}", a + 1), ++atoms;
  return fmt::format(" Number of atoms in set\n   {}\n Label{} in this set\n  {}\n", atoms, atoms == 1 ? " of the atom" : "s of the atoms",
                     labels);
}

std::string u_term(const CorrelationData& data) {
  const Jastrow& j = data.jastrow;
  std::string out = " START U TERM\n Number of sets\n   1\n START SET 1\n Spherical harmonic l,m\n   0 0\n";
  out += fmt::format(" Expansion order N_u\n   {}\n {}\n   {}\n", j.nalpha - 1, spin_dep_line, j.nset_u - 1);
  out += cutoff_rows(j.L_u, data.free_cutoffs, 0);
  size_t row = 0;
  for (int set = 0; set < j.nset_u; ++set)
    for (int l = 0; l < j.nalpha; ++l)
      if (l != tied_row(j.form)) {
        out += value_row(j.alpha[static_cast<size_t>(set * j.nalpha + l)], free_at(data.free_alpha, row),
                         fmt::format("alpha_{},{}", l, set + 1));
        ++row;
      }
  return out + " END SET 1\n END U TERM\n";
}

std::string chi_term(const CorrelationData& data) {
  const Jastrow& j = data.jastrow;
  std::string out = fmt::format(" START CHI TERM\n {}\n   {} 1\n", labelling_line, j.nset_chi);
  size_t row = 0;
  for (int set = 0; set < j.nset_chi; ++set) {
    const auto k = static_cast<size_t>(set);
    out += fmt::format(" START SET {}\n Spherical harmonic l,m\n   0 0\n", set + 1) + labels_of(j.set_of_ion, set);
    out += fmt::format(" {}\n   {}\n Expansion order N_chi\n   {}\n {}\n   {}\n", chi_cusp_line, j.slope_chi[k] != 0 ? 1 : 0, j.nbeta - 1,
                       chi_spin_dep_line, j.nspin_chi - 1);
    out += cutoff_rows(j.L_chi[k], data.free_cutoffs, (j.has_u() ? 1 : 0) + k);
    for (int spin = 0; spin < j.nspin_chi; ++spin)
      for (int l = 0; l < j.nbeta; ++l)
        if (l != 1) {
          out += value_row(j.beta[static_cast<size_t>((set * j.nspin_chi + spin) * j.nbeta + l)], free_at(data.free_beta, row),
                           fmt::format("beta_{},{},{}", l, spin + 1, set + 1));
          ++row;
        }
    out += fmt::format(" END SET {}\n", set + 1);
  }
  return out + " END CHI TERM\n";
}

std::string f_term(const CorrelationData& data) {
  const Jastrow& j = data.jastrow;
  std::string out = fmt::format(" START F TERM\n {}\n   {} 1\n", labelling_line, j.nset_f);
  size_t row = 0;
  for (int set = 0; set < j.nset_f; ++set) {
    const auto k = static_cast<size_t>(set);
    const FShape& shape = j.shape_f[k];
    out += fmt::format(" START SET {}\n", set + 1) + labels_of(j.f_of_ion, set);
    out += fmt::format(" {}\n   {}\n {}\n   {}\n", prevent_u_line, shape.without_u ? 1 : 0, prevent_chi_line, shape.without_chi ? 1 : 0);
    out += fmt::format(" {}\n   {}\n {}\n   {}\n", order_en_line, shape.nen, order_ee_line, shape.nee);
    out += fmt::format(" {}\n   {}\n", spin_dep_line, j.npair_f - 1);
    out += cutoff_rows(j.L_f[k], data.free_cutoffs, (j.has_u() ? 1 : 0) + j.L_chi.size() + k);
    for_each_free_gamma(j, k, [&](const double& value, int pair, const FConstraints::Powers& p) {
      out += value_row(value, free_at(data.free_gamma, row++), fmt::format("gamma_{},{},{},{},{}", p.l, p.m, p.n, pair + 1, set + 1));
    });
    out += fmt::format(" END SET {}\n", set + 1);
  }
  return out + " END F TERM\n";
}

std::string p_term(const CorrelationData& data) {
  const Jastrow& j = data.jastrow;
  std::string out =
      fmt::format(" START P TERM\n {}\n   {}\n {}\n   {}\n {}\n", spin_dep_line, j.nset_p - 1, vectors_line, j.star.size(), vector_line);
  for (size_t i = 0; i < j.star.size(); ++i)
    out += fmt::format("   {:5} {:5} {:5}    {:4}\n", j.gvec[3 * i], j.gvec[3 * i + 1], j.gvec[3 * i + 2], j.star[i]);
  out += fmt::format(" {}\n", value_line);
  for (size_t i = 0; i < j.a.size(); ++i) {
    const auto nstar = static_cast<size_t>(j.nstar);
    out += value_row(j.a[i], free_at(data.free_a, i), fmt::format("a_{},{}", i % nstar + 1, i / nstar + 1));
  }
  return out + " END P TERM\n";
}

}  // namespace

CorrelationData parse_correlation_data(const std::string& name, const std::string& text, const System& system) {
  return CorrelationReader(name, text, &system).read();
}

std::string correlation_data_text(const CorrelationData& data) {
  const Jastrow& j = data.jastrow;
  if (j.has_u() && j.form != Form::polynomial)
    throw Failure(SUITE_INVALID_ARGUMENT, "correlation.data supports polynomials only; this u term is a B-spline");
  std::string out = " START HEADER\n " + data.header + "\n END HEADER\n\n START VERSION\n   1\n END VERSION\n\n";
  out += fmt::format(" START JASTROW\n Title\n {}\n Truncation order C\n   {}\n", data.title, j.truncation);
  if (j.has_u()) out += u_term(data);
  if (j.has_chi()) out += chi_term(data);
  if (j.has_f()) out += f_term(data);
  if (j.has_p()) out += p_term(data);
  return out + " END JASTROW\n";
}

CorrelationData read_correlation_data(const std::filesystem::path& file, const System& system) {
  return parse_correlation_data(file.string(), app::read_text_file(file, largest_correlation_file), system);
}

void check_correlation_data(const std::filesystem::path& file) {
  CorrelationReader(file.string(), app::read_text_file(file, largest_correlation_file), nullptr).read();
}

}  // namespace suite::vmc
