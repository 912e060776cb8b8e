// SPDX-License-Identifier: BSD-3-Clause
#include "berkeleygw_input.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/text_lines.hpp"
#include "common/io.hpp"
#include "symmetry.hpp"

namespace suite::gw {
namespace {

constexpr size_t largest_file = 16 << 20;

struct Entry {
  int line = 0;
  std::vector<std::string> words;
};

// Keywords with their values, and the rows of blocks "begin NAME ... end".
class InputFile {
public:
  explicit InputFile(const std::filesystem::path& file) : name_(file.string()) {
    std::istringstream text(app::read_text_file(file, largest_file));
    std::string line, block;
    for (int number = 1; std::getline(text, line); ++number) {
      line = line.substr(0, line.find('#'));
      Entry entry{number, {}};
      std::istringstream words(line);
      for (std::string word; words >> word;) entry.words.push_back(word);
      if (entry.words.empty()) continue;
      const std::string first = app::lower(entry.words[0]);
      if (!block.empty() && first == "end") block.clear();
      else if (!block.empty()) blocks_[block].push_back(entry);
      else if (first == "begin" && entry.words.size() > 1) blocks_[block = app::lower(entry.words[1])];
      else if (!keywords_.emplace(first, entry).second) fail(number, "'" + first + "' appears twice");
    }
    if (!block.empty()) fail(1, "the block '" + block + "' has no 'end'");
  }

  [[noreturn]] void fail(int line, const std::string& sentence) const {
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: {}", name_, line, sentence));
  }

  bool has(const std::string& keyword) const { return keywords_.count(keyword) > 0; }
  double number(const Entry& entry, size_t at) const {
    if (at >= entry.words.size()) fail(entry.line, "a number is missing");
    std::string text = entry.words[at];
    std::ranges::replace_if(
        text, [](char c) { return c == 'd' || c == 'D'; }, 'e');
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != 0 || !std::isfinite(value)) fail(entry.line, "must be a number; got '" + entry.words[at] + "'");
    return value;
  }
  const Entry& entry(const std::string& keyword) const { return keywords_.at(keyword); }
  std::optional<double> number(const std::string& keyword) const {
    if (!has(keyword)) return std::nullopt;
    return number(entry(keyword), 1);
  }
  std::optional<long> integer(const std::string& keyword) const {
    const auto value = number(keyword);
    if (!value) return std::nullopt;
    if (*value != std::floor(*value) || std::abs(*value) > 1e9)
      fail(entry(keyword).line, fmt::format("'{}' must be a whole number; got '{}'", keyword, entry(keyword).words[1]));
    return std::lround(*value);
  }
  const std::vector<Entry>& block(const std::string& name) const {
    static const std::vector<Entry> none;
    const auto found = blocks_.find(name);
    return found == blocks_.end() ? none : found->second;
  }
  const std::map<std::string, Entry>& keywords() const { return keywords_; }
  const std::map<std::string, std::vector<Entry>>& blocks() const { return blocks_; }

private:
  std::string name_;
  std::map<std::string, Entry> keywords_;
  std::map<std::string, std::vector<Entry>> blocks_;
};

// A keyword whose value becomes that of a key, with a unit behind it.
struct Direct {
  const char *keyword, *key, *unit;
};

constexpr Direct of_epsilon[] = {
    {"epsilon_cutoff", "epsilon.cutoff", " Ry"},           {"number_bands", "epsilon.nbands", ""},
    {"plasma_freq", "epsilon.imaginary_frequency", " Ry"}, {"number_imaginary_freqs", "epsilon.imaginary_points", ""},
    {"delta_frequency", "epsilon.real_step", " eV"},       {"broadening", "epsilon.broadening", " eV"},
    {"occ_broadening", "epsilon.occ_broadening", " eV"}};
constexpr Direct of_sigma[] = {{"number_bands", "system.nbands", ""},
                               {"invalid_gpp_mode", "sigma.invalid_gpp_mode", ""},
                               {"gpp_broadening", "sigma.gpp_broadening", " eV"},
                               {"gpp_sexcutoff", "sigma.gpp_sexcutoff", ""},
                               {"finite_difference_form", "sigma.finite_difference_form", ""},
                               {"finite_difference_spacing", "sigma.finite_difference_spacing", " eV"}};
// Of the levels, in both files: below the section of the file.
constexpr Direct of_levels[] = {{"fermi_level", "fermi_level", " eV"}};
// The scissors operator, in the order of cvfit.
constexpr const char* scissors[] = {"evs", "ev0", "evdel", "ecs", "ec0", "ecdel"};
std::string unit_of(std::string_view name) { return name.ends_with("del") ? "" : " eV"; }

// What is computed does not depend on these.
const std::set<std::string> without_effect{"use_wfn_hdf5",
                                           "wfn_hdf5_min_band_block",
                                           "verbosity",
                                           "number_valence_pools",
                                           "number_sigma_pools",
                                           "gcomm_matrix",
                                           "gcomm_elements",
                                           "gcomm_gvectors",
                                           "comm_mpi",
                                           "comm_disk",
                                           "dont_check_norms",
                                           "restart",
                                           "memory_option",
                                           "write_vcoul",
                                           "number_kpoints",
                                           "number_qpoints",
                                           "number_offdiag",
                                           "frequency_low_cutoff",
                                           "degeneracy_check_override",
                                           "no_symmetries_offdiagonals",
                                           "min_fftgrid",
                                           "cell_average_cutoff"};

std::string three(const InputFile& in, const Entry& row) {
  const double scale = row.words.size() > 3 ? in.number(row, 3) : 1;
  if (scale == 0) in.fail(row.line, "the fourth number, by which the coordinates are divided, is 0");
  std::string text;
  for (size_t d = 0; d < 3; ++d) text += fmt::format("{}{:.12g}", d == 0 ? "[" : ", ", in.number(row, d) / scale);
  return text + "]";
}

// Of a row of 'qpoints': 1 or 2 for the small q.
double flag(const InputFile& in, const Entry& row) { return row.words.size() > 4 ? in.number(row, 4) : 0; }

struct ListedQ {
  int line = 0;
  Vector3 q{};
};

// The rows of 'qpoints', the small q as 0.
std::vector<ListedQ> listed_q(const InputFile& in) {
  std::vector<ListedQ> out;
  int small = 0;
  for (const Entry& row : in.block("qpoints")) {
    ListedQ& one = out.emplace_back(ListedQ{row.line, {}});
    if (flag(in, row) != 0) {
      if (small != 0) in.fail(row.line, fmt::format("a second small q beside that of line {}; here is one", small));
      small = row.line;
      continue;
    }
    const double scale = row.words.size() > 3 ? in.number(row, 3) : 1;
    for (size_t d = 0; d < 3; ++d) one.q[d] = in.number(row, d) / scale;
    if (equivalent(one.q, {0, 0, 0})) in.fail(row.line, "q = 0 needs the flag 1 or 2 and a small q in its place");
  }
  return out;
}

bool on_grid(const Vector3& q, const Miller& grid) {
  for (int i = 0; i < 3; ++i)
    if (!(std::abs(q[i] * grid[i] - std::round(q[i] * grid[i])) <= 1e-5)) return false;
  return true;
}

bool are_images(const Vector3& a, const Vector3& b, const std::vector<Operation>& operations) {
  return std::ranges::any_of(operations, [&](const Operation& each) { return equivalent(each(a), b) || equivalent(-each(a), b); });
}

class Translation {
public:
  Translation(const std::filesystem::path& file, std::string section) : in_(file), section_(std::move(section)) {}

  const InputFile& in() const { return in_; }
  void set(const std::string& key, const std::string& value) { values_.emplace_back(key, value); }
  void uses(const std::string& keyword) { used_.insert(keyword); }
  void take(std::span<const Direct> table, const std::string& section = "") {
    for (const auto& [keyword, key, unit] : table) {
      if (!in_.has(keyword)) continue;
      in_.number(keyword);
      uses(keyword);
      set(section + key, in_.entry(keyword).words[1] + unit);
    }
  }

  // Of the levels that keywords with this ending correct.
  void take_scissors(const std::string& ending = "") {
    const std::string section = fmt::format("{}.scissors{}.", section_, ending);
    for (const char* name : scissors) {
      const std::string keyword = name + ending;
      if (!in_.has(keyword)) continue;
      in_.number(keyword);
      uses(keyword);
      set(section + name, in_.entry(keyword).words[1] + unit_of(name));
    }
    if (!in_.has("cvfit" + ending)) return;
    uses("cvfit" + ending);
    const Entry& entry = in_.entry("cvfit" + ending);
    for (size_t i = 0; i < std::size(scissors); ++i) {
      in_.number(entry, i + 1);
      set(section + scissors[i], entry.words[i + 1] + unit_of(scissors[i]));
    }
  }

  // What both files have.
  void take_common() {
    take(of_levels, section_ + ".");
    take_scissors();
    if (const bool absolute = in_.has("fermi_level_absolute"); absolute || in_.has("fermi_level_relative")) {
      uses(absolute ? "fermi_level_absolute" : "fermi_level_relative");
      if (absolute) set(section_ + ".fermi_level_absolute", "true");
    }
    for (const char* kind : {"slab", "wire", "box"}) choose(fmt::format("cell_{}_truncation", kind), "coulomb.truncation", kind);
    for (const char* kind : {"semiconductor", "metal", "graphene"}) choose(fmt::format("screening_{}", kind), "system.screening", kind);
  }

  void choose(const std::string& keyword, const std::string& key, const std::string& value) {
    if (!in_.has(keyword)) return;
    uses(keyword);
    set(key, value);
  }

  KeyValues finish(const std::set<std::string>& blocks) {
    for (const auto& [keyword, entry] : in_.keywords())
      if (used_.count(keyword) == 0 && without_effect.count(keyword) == 0)
        in_.fail(entry.line, "'" + keyword + "' has no counterpart here; see docs/from-berkeleygw.md");
    for (const auto& [name, rows] : in_.blocks())
      if (blocks.count(name) == 0)
        in_.fail(rows.empty() ? 1 : rows.front().line, "the block '" + name + "' has no counterpart here; see docs/from-berkeleygw.md");
    return values_;
  }

private:
  InputFile in_;
  std::string section_;
  KeyValues values_;
  std::set<std::string> used_;
};

// frequency_dependence as a model of this app.
std::string model_of(Translation& t) {
  t.uses("frequency_dependence");
  t.uses("frequency_dependence_method");
  const InputFile& in = t.in();
  const long dependence = in.integer("frequency_dependence").value_or(1);
  if (dependence == 2 && in.integer("frequency_dependence_method").value_or(2) != 2)
    in.fail(in.entry("frequency_dependence_method").line,
            "full frequency on the real axis is not there; only contour deformation (frequency_dependence_method 2)");
  static const std::map<long, std::string> models{{0, "cohsex"}, {1, "gpp"}, {2, "contour_deformation"}, {3, "godby_needs"}};
  const auto found = models.find(dependence);
  if (found == models.end())
    in.fail(in.entry("frequency_dependence").line, fmt::format("'frequency_dependence' is {}; here are 0, 1, 2 and 3", dependence));
  return found->second;
}

}  // namespace

KeyValues values_of_epsilon_inp(const std::filesystem::path& file) {
  Translation t(file, "epsilon");
  t.take(of_epsilon);
  t.take_common();
  t.uses("frequency_dependence"), t.uses("frequency_dependence_method"), t.uses("eqp_corrections");
  if (t.in().has("eqp_corrections")) t.set("epsilon.eqp_corrections", "eqp.dat"), t.set("epsilon.eqp_corrections_q0", "eqp_q.dat");
  for (const auto& row : t.in().block("qpoints"))
    if (flag(t.in(), row) != 0) t.set("epsilon.q0", three(t.in(), row));
  return t.finish({"qpoints"});
}

bool takes_q0_of_wfn(const std::filesystem::path& epsilon_inp) {
  const InputFile in(epsilon_inp);
  return std::ranges::any_of(in.block("qpoints"), [&](const Entry& row) { return flag(in, row) == 2; });
}

std::optional<Miller> listed_q_grid(const std::filesystem::path& epsilon_inp, const std::vector<Miller>& grids,
                                    const std::vector<Operation>& operations, const std::string& wavefunctions) {
  const InputFile in(epsilon_inp);
  const std::vector<ListedQ> listed = listed_q(in);
  if (listed.empty()) return std::nullopt;
  // Of a grid what is missing in the list, or what the list has beside it.
  const auto wrong = [&](const Miller& grid) -> std::pair<int, std::string> {
    for (const ListedQ& one : listed)
      if (!on_grid(one.q, grid)) return {one.line, fmt::format("q = {} is no point of", text(one.q))};
    for (const WedgePoint& point : wedge_of(grid, operations, "the q grid"))
      if (std::ranges::none_of(listed, [&](const ListedQ& one) { return are_images(one.q, point.at, operations); }))
        return {listed.front().line, fmt::format("'qpoints' has neither q = {} nor an image of it, of", text(point.at))};
    return {0, ""};
  };
  for (const Miller& grid : grids) {
    try {
      if (wrong(grid).first == 0) return grid;
    } catch (const Failure&) {
      if (grid == grids.front()) throw;  // of the others some have not the symmetry of the crystal
    }
  }
  const auto [line, sentence] = wrong(grids.front());
  in.fail(line, fmt::format("{} the {} grid of {}; all q of a grid are computed here, so that the list must be one, or be left out",
                            sentence, text(grids.front()), wavefunctions));
}

void require_all_spins(const std::filesystem::path& sigma_inp, int spins, const std::string& wavefunctions) {
  const InputFile in(sigma_inp);
  for (const auto& [keyword, wanted] : {std::pair{"spin_index_min", 1}, {"spin_index_max", spins}}) {
    const long given = in.integer(keyword).value_or(wanted);
    if (given != wanted)
      in.fail(in.entry(keyword).line,
              fmt::format("'{}' is {}; {} has {}, and all of its spins are computed here: make it {}, or leave it out", keyword, given,
                          wavefunctions, spins == 1 ? "one spin" : "two spins", wanted));
  }
}

KeyValues values_of_sigma_inp(const std::filesystem::path& file, bool outer) {
  Translation t(file, "sigma");
  const InputFile& in = t.in();
  t.take(of_sigma);
  t.take_common();
  const std::string model = model_of(t);
  t.set("sigma.model", model);
  for (const char* keyword : {"band_index_min", "band_index_max"}) {
    if (!in.has(keyword)) in.fail(1, fmt::format("'{}' is missing", keyword));
    t.uses(keyword);
  }
  t.set("sigma.bands", fmt::format("[{}, {}]", *in.integer("band_index_min"), *in.integer("band_index_max")));
  t.uses("exact_static_ch"), t.uses("spin_index_min"), t.uses("spin_index_max");
  t.set("sigma.exact_static_ch", in.integer("exact_static_ch").value_or(model == "cohsex" ? 1 : 0) != 0 ? "true" : "false");
  t.uses("cd_integration_method");
  if (model == "contour_deformation") {
    const long rule = in.integer("cd_integration_method").value_or(0);
    if (rule != 0 && rule != 2)
      in.fail(in.entry("cd_integration_method").line, fmt::format("'cd_integration_method' is {}; here are 0 and 2", rule));
    t.set("sigma.contour_integration", rule == 0 ? "constant" : "quadratic");
  }
  t.choose("dont_use_vxcdat", "system.vxc", "VXC");
  t.choose("no_symmetries_q_grid", "sigma.symmetry", "false");
  t.choose("use_symmetries_q_grid", "sigma.symmetry", "true");
  t.choose("eqp_corrections", "sigma.eqp_corrections", "eqp.dat");
  if (outer) {
    t.take_scissors("_outer");
    t.choose("eqp_outer_corrections", "sigma.eqp_outer_corrections", "eqp_outer.dat");
  } else {
    // Without WFN_outer sigma.x does not look at these.
    t.uses("eqp_outer_corrections"), t.uses("cvfit_outer");
    for (const char* name : scissors) t.uses(fmt::format("{}_outer", name));
  }
  for (const char* keyword : {"init_frequency_eval", "delta_frequency_eval", "number_frequency_eval", "max_frequency_eval"})
    t.uses(keyword);
  if (const auto step = in.number("delta_frequency_eval")) {
    const auto most = in.number("max_frequency_eval");
    const double first = in.number("init_frequency_eval").value_or(most ? -*most : 0);
    const long points = in.integer("number_frequency_eval").value_or(most && *step > 0 ? std::lround(2 * *most / *step) + 1 : 1);
    t.set("sigma.frequency_grid.min", fmt::format("{:.10g} eV", first));
    t.set("sigma.frequency_grid.max", fmt::format("{:.10g} eV", first + *step * static_cast<double>(points - 1)));
    t.set("sigma.frequency_grid.points", fmt::format("{}", points));
    if (most && !in.has("finite_difference_form")) t.set("sigma.finite_difference_form", "-3");
  }
  t.uses("sigma_matrix");
  if (in.has("sigma_matrix")) {
    const Entry& entry = in.entry("sigma_matrix");
    t.set("sigma.sigma_matrix", fmt::format("[{:.0f}, {:.0f}]", in.number(entry, 1), in.number(entry, 2)));
  }
  const auto list = [&](const char* block, const char* key, const auto& text) {
    std::string rows;
    for (const auto& row : in.block(block)) rows += (rows.empty() ? "" : ", ") + text(row);
    if (!rows.empty()) t.set(key, "[" + rows + "]");
  };
  list("kpoints", "sigma.kpoints", [&](const Entry& row) { return three(in, row); });
  list("offdiag", "sigma.offdiag",
       [&](const Entry& row) { return fmt::format("[{:.0f}, {:.0f}, {:.0f}]", in.number(row, 0), in.number(row, 1), in.number(row, 2)); });
  // The numbers of that code: its random points, or no averages at all.
  const bool averaged = in.number("cell_average_cutoff").value_or(1) > 1e-9;
  t.set("coulomb.average", averaged ? "berkeleygw" : "none");
  t.set("coulomb.wings", "berkeleygw");
  return t.finish({"kpoints", "offdiag"});
}

}  // namespace suite::gw
