// SPDX-License-Identifier: BSD-3-Clause
#include "output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <suite/plugin.hpp>

#include "bands_output.hpp"
#include "measure/fields_json.hpp"
#include "measure/plot.hpp"
#include "qp_hamiltonian.hpp"
#include "results.hpp"

namespace suite::gw {
namespace {

bool has_remainder(const Settings& settings) { return settings.has_remainder(); }

// A column of sigma_hp.log.
struct Column {
  const char* title;
  double Quasiparticle::*value;
};
using Q = Quasiparticle;
constexpr Column plain_columns[] = {{"Emf", &Q::emf},   {"Eo", &Q::eo},   {"X", &Q::x},       {"SX-X", &Q::sx},  {"CH", &Q::ch},
                                    {"Sig", &Q::sigma}, {"Vxc", &Q::vxc}, {"Eqp0", &Q::eqp0}, {"Eqp1", &Q::eqp1}};
constexpr Column primed_columns[] = {
    {"CH`", &Q::ch_primed}, {"Sig`", &Q::sigma_primed}, {"Eqp0`", &Q::eqp0_primed}, {"Eqp1`", &Q::eqp1_primed}};
constexpr Column last_column = {"Znk", &Q::z};
// What contour deformation has in their place: residues, and the integral over imaginary frequencies.
constexpr std::pair<const char*, const char*> contour_titles[] = {{"SX-X", "Res"}, {"CH", "Int"}, {"CH`", "Int`"}};
constexpr Column imaginary_column = {"ImSig", &Q::imaginary};

std::vector<Column> columns(bool primed, Model model = Model::gpp) {
  std::vector<Column> all(std::begin(plain_columns), std::end(plain_columns));
  if (primed) all.insert(all.end(), std::begin(primed_columns), std::end(primed_columns));
  all.push_back(last_column);
  if (model == Model::multipole) all.push_back(imaginary_column);
  if (model != Model::contour_deformation) return all;
  for (Column& c : all)
    for (const auto& [other, title] : contour_titles)
      if (c.title == std::string_view(other)) {
        c.title = title;
        break;
      }
  all.push_back(imaginary_column);
  return all;
}

int frequency_dependence(Model model) {
  switch (model) {
    case Model::gpp: return 1;
    case Model::contour_deformation:
    case Model::multipole: return 2;
    case Model::godby_needs: return 3;
    case Model::cohsex: break;
  }
  return 0;
}

// The states of one k: [first, end); and those of one k and spin.
size_t end_of_k(const std::vector<Quasiparticle>& states, size_t first) {
  size_t end = first;
  while (end < states.size() && states[end].k == states[first].k) ++end;
  return end;
}
size_t end_of_spin(const std::vector<Quasiparticle>& states, size_t first) {
  size_t end = first;
  while (end < states.size() && states[end].k == states[first].k && states[end].spin == states[first].spin) ++end;
  return end;
}

bool is_gamma(const Vector3& k) { return std::abs(k[0]) + std::abs(k[1]) + std::abs(k[2]) < 1e-6; }

std::string k_text(const Vector3& k) { return fmt::format("{:.4g} {:.4g} {:.4g}", k[0] + 0.0, k[1] + 0.0, k[2] + 0.0); }

// A degenerate set in one line: "2-4".
std::string set_line(const std::vector<Quasiparticle>& s, size_t first, size_t end, const char* mark) {
  const Quasiparticle& p = s[first];
  const std::string bands = end - first == 1 ? fmt::format("{}", p.band) : fmt::format("{}-{}", p.band, s[end - 1].band);
  return fmt::format("{:>7} {:<2}{:10.4f}{:10.4f}{:9.4f}{:10.4f}{:10.4f}{:10.4f}{:7.3f}{:10.4f}{:10.4f}\n", bands, mark, p.emf, p.x, p.sx,
                     p.ch, p.sigma, p.vxc, p.z, p.eqp0, p.eqp1);
}

// A column of the elements between two bands, at energy number i of theirs. E of "SX(E)" is followed by iw.
struct ElementColumn {
  const char *before, *after;
  int width;  // of the title
  std::complex<double> (*value)(const OffDiagonal&, size_t i);
};
constexpr ElementColumn plain_element_columns[] = {
    {"X", "", 25, [](const OffDiagonal& o, size_t) { return o.x; }},
    {"SX(E", ")-X", 15, [](const OffDiagonal& o, size_t i) { return o.sx[i]; }},
    {"CH(E", ")", 15, [](const OffDiagonal& o, size_t i) { return o.ch[i] + o.remainder; }},
    {"Sig(E", ")", 15, [](const OffDiagonal& o, size_t i) { return o.x + o.sx[i] + o.ch[i] + o.remainder; }},
    {"Vxc", "", 15, [](const OffDiagonal& o, size_t) { return o.vxc.value_or(0.0); }},
};
constexpr ElementColumn primed_element_columns[] = {
    {"CH`(E", ")", 15, [](const OffDiagonal& o, size_t i) { return o.ch[i]; }},
    {"Sig`(E", ")", 15, [](const OffDiagonal& o, size_t i) { return o.x + o.sx[i] + o.ch[i]; }},
};

// The elements between two bands of one k: a table for every energy.
std::string element_tables(const std::vector<OffDiagonal>& all, int k, int spin, bool primed, bool contour) {
  std::vector<const OffDiagonal*> of_k;
  for (const auto& o : all)
    if (o.k == k && o.spin == spin) of_k.push_back(&o);
  if (of_k.empty()) return "";
  std::vector<ElementColumn> columns(std::begin(plain_element_columns), std::end(plain_element_columns));
  if (primed) columns.insert(columns.end(), std::begin(primed_element_columns), std::end(primed_element_columns));
  if (contour) columns[1].before = "Res(E", columns[1].after = ")", columns[2].before = "Int(E";
  if (contour && primed) columns[5].before = "Int`(E";
  constexpr const char* energies[] = {"E1 = E0 - dE", "E2 = E0", "E3 = E0 + dE"};
  std::string text;
  for (size_t i = 0; i < of_k[0]->iw.size(); ++i) {
    const int iw = of_k[0]->iw[i];
    text += fmt::format("\n   {}\n   n   m   l", energies[iw - 1]);
    for (const auto& c : columns)
      text += fmt::format("{:>{}}", *c.after ? fmt::format("{}{}{}", c.before, iw, c.after) : c.before, c.width);
    text += '\n';
    for (const auto* o : of_k)
      for (const char* part : {"real", "imag"}) {
        text += fmt::format("{:4}{:4}{:4}   {}   ", o->element.n, o->element.m, o->element.l, part);
        for (const auto& c : columns) text += fmt::format("{:15.9f}", *part == 'r' ? c.value(*o, i).real() : c.value(*o, i).imag());
        text += '\n';
      }
  }
  return text;
}

bool lacks_vxc(const std::vector<OffDiagonal>& all) {
  return std::any_of(all.begin(), all.end(), [](const OffDiagonal& o) { return !o.vxc; });
}

}  // namespace

std::string eqp_file(const Solution& solution, double Quasiparticle::*level) {
  std::string text;
  const auto& states = solution.states;
  for (size_t first = 0; first < states.size();) {
    const size_t end = end_of_k(states, first);
    const Vector3& k = solution.result.kpoints.at(states[first].k);
    text += fmt::format("{:13.9f}{:13.9f}{:13.9f}{:8}\n", k[0], k[1], k[2], static_cast<int>(end - first));
    for (size_t i = first; i < end; ++i)
      text += fmt::format("{:8}{:8}{:15.9f}{:15.9f}\n", states[i].spin, states[i].band, states[i].emf, states[i].*level);
    first = end;
  }
  return text;
}

std::string sigma_log(const Solution& solution) {
  const Settings& settings = solution.settings;
  const auto& states = solution.states;
  int low = settings.band_min, high = settings.band_max;
  if (!states.empty()) {
    const auto by_band = [](const auto& a, const auto& b) { return a.band < b.band; };
    low = std::min_element(states.begin(), states.end(), by_band)->band;
    high = std::max_element(states.begin(), states.end(), by_band)->band;
  }
  std::string text = fmt::format("\n frequency_dependence{:4}\n\n band_index{:6}{:6}\n sigma_matrix{:6}{:4}\n",
                                 frequency_dependence(settings.model), low, high, settings.sigma_matrix[0], settings.sigma_matrix[1]);
  const int form = settings.model == Model::cohsex ? -2 : settings.finite_difference_form;
  text += fmt::format("\n finite_difference_form{:4}\n", form);
  if (form >= -1) text += fmt::format(" finite_difference_spacing{:10.6f}\n", settings.finite_difference_spacing_eV);
  const auto list = columns(has_remainder(settings), settings.model);
  for (size_t first = 0; first < states.size();) {
    const size_t end = end_of_spin(states, first);
    const Vector3& k = solution.result.kpoints.at(states[first].k);
    text += fmt::format("\n       k ={:10.6f}{:10.6f}{:10.6f} ik ={:4} spin ={:2}\n\n   n", k[0], k[1], k[2], states[first].k + 1,
                        states[first].spin);
    for (const auto& c : list) text += fmt::format("{:>15}", c.title);
    text += '\n';
    for (size_t i = first; i < end; ++i) {
      text += fmt::format("{:4}", states[i].band);
      for (const auto& c : list) text += fmt::format("{:15.9f}", states[i].*c.value);
      text += '\n';
    }
    text += element_tables(solution.result.off_diagonal, states[first].k, states[first].spin, has_remainder(settings), settings.contour());
    first = end;
  }
  text += settings.levels.correct() ? "\n n: band. Energies in eV. Emf: mean-field energy, Eo: the same with corrections."
                                    : "\n n: band. Energies in eV. Emf = Eo: mean-field energy.";
  text +=
      " X: bare exchange. SX-X, CH: screened "
      "exchange without X and Coulomb hole, at Eo.\n"
      " Sig = X + (SX-X) + CH. Eqp0 = Emf - Vxc + Sig(Eo). Znk = 1/(1 - dSig/dE). Eqp1 = Eqp0 + (dSig/dE) "
      "Znk (Eqp0 - Eo).\n";
  if (settings.contour()) text += " Res, Int: residues and the integral over imaginary frequencies, in their place.\n";
  if (settings.full_frequency()) text += " ImSig: imaginary part of Sig(Eo).\n";
  if (settings.model == Model::cohsex)
    text += has_remainder(settings) ? " CH is exact; CH` is its sum over bands.\n" : " CH is exact, without a sum over bands.\n";
  else
    text += has_remainder(settings) ? " Primed columns are without the static remainder, the others with it.\n"
            : settings.contour()    ? " Int is without a static remainder.\n"
                                    : " CH is the sum over bands, without a static remainder.\n";
  if (const auto& all = solution.result.off_diagonal; !all.empty()) {
    text += " n, m, l: the element <n|Sig|m> at E0, the mean-field energy of band l; not averaged over degenerate sets.\n";
    if (lacks_vxc(all)) text += " Vxc between two bands is 0 where the file of Vxc does not have it.\n";
  }
  return text;
}

std::string table(const Solution& solution) {
  const auto& [settings, result, states] = solution;
  const auto mean_field = find_gap(states, &Q::emf, result);
  const auto gap = find_gap(states, &Q::eqp1, result);
  constexpr size_t most_k = 16, around = 4;  // k points shown; sets shown on each side of the gap at Gamma
  std::string text =
      fmt::format("{:>7}   {:>10}{:>10}{:>9}{:>10}{:>10}{:>10}{:>7}{:>10}{:>10}\n", "bands", "Emf", "X",
                  settings.contour() ? "Res" : "SX-X", settings.contour() ? "Int" : "CH", "Sigma", "Vxc", "Z", "Eqp0", "Eqp1");
  size_t shown = 0, left_out = 0;
  for (size_t first = 0; first < states.size();) {
    const size_t end = end_of_spin(states, first);
    const int ik = states[first].k, spin = states[first].spin;
    const bool notable = is_gamma(result.kpoints.at(ik)) || (gap && (ik == gap->k_valence || ik == gap->k_conduction));
    if (shown >= most_k && !notable) {
      left_out += spin == 1;
    } else {
      ++shown;
      text += "k = " + k_text(result.kpoints[ik]) + result.spin_text(spin) + "\n";
      std::vector<std::pair<size_t, size_t>> sets;
      for (size_t i = first; i < end;) {
        const size_t last = std::min(end, end_of_degenerate_set(states, i));
        sets.emplace_back(i, last);
        i = last;
      }
      size_t valence = 0;  // sets that are occupied
      const auto occupied = [&](const Quasiparticle& s) { return result.is_occupied(spin, s.band, s.eo); };
      while (valence < sets.size() && occupied(states[sets[valence].first])) ++valence;
      const size_t each = is_gamma(result.kpoints[ik]) ? around : 1;
      const size_t from = valence > each ? valence - each : 0, to = std::min(sets.size(), valence + each);
      for (size_t s = from; s < to; ++s) {
        const char* mark = "";
        if (gap && ik == gap->k_valence && spin == gap->spin_valence && s + 1 == valence) mark = "v";
        if (gap && ik == gap->k_conduction && spin == gap->spin_conduction && s == valence) mark = "c";
        text += set_line(states, sets[s].first, sets[s].second, mark);
      }
    }
    first = end;
  }
  if (left_out) text += fmt::format("{} more k points in eqp1.dat\n", left_out);
  if (result.fermi_eV)
    text += fmt::format("\nFermi level {:.4f} eV of the mean field; bands are occupied up to band {}{}\n", *result.fermi_eV,
                        result.occupied[0], result.spins == 2 ? fmt::format(" and {}", result.occupied[1]) : "");
  if (gap && mean_field) {
    text += fmt::format("\ngap {:.4f} eV (mean field {:.4f}), from k = {} (v) to {} (c)", gap->gap(), mean_field->gap(),
                        k_text(result.kpoints[gap->k_valence]), k_text(result.kpoints[gap->k_conduction]));
    if (gap->direct_at_gamma && mean_field->direct_at_gamma)
      text += fmt::format("; direct at Gamma {:.4f} eV (mean field {:.4f})", *gap->direct_at_gamma, *mean_field->direct_at_gamma);
    text += '\n';
  }
  return text;
}

namespace {

EdgesResult edges_of(const std::optional<Gap>& gap) {
  if (!gap) return {std::nan(""), {}, {}, {}};
  return {gap->gap(), gap->direct_at_gamma, gap->valence_top, gap->conduction_bottom};
}

}  // namespace

namespace {

std::vector<std::string> epsilon_files(const std::vector<ScreeningAtQ>& dielectric) {
  if (dielectric.empty()) return {};
  return dielectric.size() == 1 ? std::vector<std::string>{"eps0mat.h5"} : std::vector<std::string>{"eps0mat.h5", "epsmat.h5"};
}

void put_occupied(const Result& result, GwResults& out) {
  out.occupied_bands = result.occupied[0];
  if (result.spins == 2) out.occupied_bands_spin_2 = result.occupied[1];
  out.fermi = result.fermi_eV;
}

}  // namespace

nlohmann::ordered_json results_of_epsilon(const Result& result) {
  GwResults out;
  out.quasiparticle = out.mean_field = edges_of({});
  put_occupied(result, out);
  out.dielectric = result.dielectric;
  out.files = epsilon_files(result.dielectric);
  return app::json_of(out);
}

nlohmann::ordered_json results(const Solution& solution, const BandStructure* bands) {
  const auto& [settings, result, states] = solution;
  const auto gap = find_gap(states, &Q::eqp1, result);
  GwResults out;
  out.quasiparticle = edges_of(gap);
  out.mean_field = edges_of(find_gap(states, &Q::emf, result));
  if (gap) {
    out.k_valence_top = result.kpoints[gap->k_valence];
    out.k_conduction_bottom = result.kpoints[gap->k_conduction];
  }
  put_occupied(result, out);
  if (const auto& poles = result.poles; poles.pairs > 0)
    out.invalid_poles = InvalidPoles{poles.invalid / poles.pairs, poles.invalid_weight / poles.weight};
  for (const auto& s : states) {
    LevelResult& level = out.levels.emplace_back();
    level = {result.kpoints.at(s.k), s.band, s.emf, s.x, s.sx, s.ch, s.sigma, s.vxc, s.z, s.eqp0, s.eqp1, {}, {}, {}, {}};
    if (settings.levels.correct()) level.eo = s.eo;
    if (has_remainder(settings)) level.static_remainder = s.ch - s.ch_primed;
    if (result.spins == 2) level.spin = s.spin;
    if (settings.full_frequency()) level.imaginary = s.imaginary;
  }
  if (!result.dielectric.empty()) out.dielectric = result.dielectric;
  if (bands) out.bands = bands_results(*bands);
  out.files = epsilon_files(result.dielectric);
  const auto pair = [](const std::complex<double>& z) { return std::array{z.real(), z.imag()}; };
  if (!result.off_diagonal.empty()) out.off_diagonal.emplace();
  for (const auto& o : result.off_diagonal)
    for (size_t i = 0; i < o.iw.size(); ++i) {
      ElementResult& element = out.off_diagonal->emplace_back();
      element.k = result.kpoints.at(o.k);
      if (result.spins == 2) element.spin = o.spin;
      element.n = o.element.n, element.m = o.element.m, element.l = o.element.l;
      element.energy = o.e_l + (o.iw[i] - 2) * settings.finite_difference_spacing_eV;
      element.x = pair(o.x), element.sx = pair(o.sx[i]), element.ch = pair(o.ch[i] + o.remainder);
      element.sigma = pair(o.x + o.sx[i] + o.ch[i] + o.remainder);
      if (o.vxc) element.vxc = pair(*o.vxc);
      if (has_remainder(settings)) element.static_remainder = pair(o.remainder);
    }
  for (const MixedLevels& at : mixed_levels(settings, result)) {
    if (!out.mixed) out.mixed.emplace();
    MixedLevelsResult& levels = out.mixed->emplace_back();
    levels.k = result.kpoints.at(static_cast<size_t>(at.k));
    levels.shift = (at.iw - 2) * settings.finite_difference_spacing_eV;
    if (result.spins == 2) levels.spin = at.spin;
    levels.energies = at.energies, levels.bands = at.bands, levels.shares = at.shares;
  }
  return app::json_of(out);
}

nlohmann::ordered_json results_schema() { return app::schema_of<GwResults>(); }

std::string plot(const Solution& solution) {
  const auto& [settings, result, states] = solution;
  plot::Series valence{"occupied bands", {}, {}, plot::Marker::filled_circle, plot::Line::none};
  plot::Series conduction{"empty bands", {}, {}, plot::Marker::open_square, plot::Line::none};
  plot::Series before{"mean field (MF)", {}, {}, plot::Marker::open_square, plot::Line::none};
  plot::Series after{"quasiparticle (QP)", {}, {}, plot::Marker::dash, plot::Line::none};
  for (const auto& s : states) {
    auto& side = result.is_occupied(s.spin, s.band, s.eo) ? valence : conduction;
    side.x.push_back(s.emf);
    side.y.push_back(s.eqp1 - s.emf);
    before.x.push_back(s.k + 1 - 0.15);
    before.y.push_back(s.emf);
    after.x.push_back(s.k + 1 + 0.15);
    after.y.push_back(s.eqp1);
  }
  plot::Panel corrections{"Quasiparticle corrections", "E_{MF} (eV)", "E_{QP} − E_{MF} (eV)", {valence, conduction}, {}, {}};
  plot::Panel levels{"Levels at each k point", "k (b_{1} b_{2} b_{3})", "E (eV)", {before, after}, {}, {}};
  if (result.kpoints.size() <= 24)
    for (size_t ik = 0; ik < result.kpoints.size(); ++ik)
      levels.x_labels.emplace_back(static_cast<double>(ik + 1), k_text(result.kpoints[ik]));
  else levels.x_label = "number of the k point";
  const auto gap = find_gap(states, &Q::eqp1, result);
  const auto mean_field = find_gap(states, &Q::emf, result);
  if (gap) levels.bands.push_back({gap->valence_top, gap->conduction_bottom, "gap"});
  std::string title = "Quasiparticle energies, " + (result.system.empty() ? std::string("GW") : result.system);
  if (gap) title += fmt::format(": gap {:.3f} eV, mean field {:.3f} eV", gap->gap(), mean_field->gap());
  return plot::svg(title, {corrections, levels});
}

namespace {

// The rest of a line "n m l real X SX CH Sig Vxc [CH` Sig`]", or with "imag". The elements of a k have the same order at each energy.
template <class Fail> void read_element(std::istringstream& words, int n, int iw, int spin, SigmaLog& log, const Fail& fail) {
  OffDiagonal row;
  row.k = static_cast<int>(log.kpoints.size()) - 1;
  row.spin = spin;
  row.element.n = n;
  std::string part;
  double x = 0, sx = 0, ch = 0, sigma = 0, vxc = 0, primed = 0;
  if (!(words >> row.element.m >> row.element.l >> part >> x >> sx >> ch >> sigma >> vxc) || (part != "real" && part != "imag"))
    fail("expected 'n m l', 'real' or 'imag', and numbers");
  if (!(words >> primed)) primed = ch;
  const auto same = [&](const OffDiagonal& o) { return o.k == row.k && o.spin == row.spin && o.element == row.element; };
  auto found = std::find_if(log.off_diagonal.begin(), log.off_diagonal.end(), same);
  if (found == log.off_diagonal.end()) found = log.off_diagonal.insert(found, row);
  if (found->iw.empty() || found->iw.back() != iw) {
    found->iw.push_back(iw);
    found->sx.emplace_back();
    found->ch.emplace_back();
  }
  const auto put = [&](std::complex<double>& z, double value) { part == "real" ? z.real(value) : z.imag(value); };
  put(found->x, x);
  put(found->sx.back(), sx);
  put(found->ch.back(), primed);
  put(found->remainder, ch - primed);
  std::complex<double> v = found->vxc.value_or(0.0);
  put(v, vxc);
  found->vxc = v;
}

}  // namespace

SigmaLog read_sigma_log(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw Failure(SUITE_NOT_FOUND, "cannot open " + file.string());
  std::map<std::string, double Quasiparticle::*> known;
  for (const Model model : {Model::gpp, Model::contour_deformation})
    for (const auto& c : columns(true, model)) known[c.title] = c.value;
  SigmaLog log;
  std::vector<std::string> titles;
  int spin = 1;
  int iw = 0;  // of the table of elements between two bands; 0: in another
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto fail = [&](const std::string& sentence) {
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: {}", file.string(), number, sentence));
    };
    std::istringstream words(line);
    std::string word;
    if (!(words >> word)) continue;
    if (word == "k") {
      Vector3 k;
      if (!(words >> word >> k[0] >> k[1] >> k[2]) || word != "=") fail("expected 'k = k1 k2 k3'");
      std::string ik, is;  // "ik = 1 spin = 1"
      if (!(words >> word >> word >> ik >> word >> is >> spin) || word != "spin") spin = 1;
      if (spin == 1 || log.kpoints.empty() || log.kpoints.back() != k) log.kpoints.push_back(k);
      titles.clear();
      iw = 0;
    } else if (word == "E1" || word == "E2" || word == "E3") {
      iw = word[1] - '0';
    } else if (iw > 0 && word == "n") {
      continue;
    } else if (iw > 0 && std::isdigit(static_cast<unsigned char>(word[0]))) {
      read_element(words, std::atoi(word.c_str()), iw, spin, log, fail);
    } else if (word == "n" && !log.kpoints.empty() && titles.empty()) {
      while (words >> word) titles.push_back(word);
      for (const auto& title : titles)
        if (!known.count(title)) fail("unknown column " + title);
    } else if (!titles.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); })) {
      Quasiparticle row;
      row.k = static_cast<int>(log.kpoints.size()) - 1;
      row.spin = spin;
      row.band = std::atoi(word.c_str());
      for (const auto& title : titles)
        if (!(words >> row.*known[title])) fail("no value in column " + title);
      if (std::none_of(titles.begin(), titles.end(), [](const std::string& title) { return title == "CH`" || title == "Int`"; }))
        row.ch_primed = row.ch, row.sigma_primed = row.sigma, row.eqp0_primed = row.eqp0, row.eqp1_primed = row.eqp1;
      log.states.push_back(row);
    } else if (!titles.empty()) {
      break;  // the notes at the end
    }
  }
  if (log.states.empty()) throw Failure(SUITE_INVALID_ARGUMENT, file.string() + " has no table of quasiparticle energies");
  return log;
}

}  // namespace suite::gw
