// SPDX-License-Identifier: BSD-3-Clause
// Reads species files.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/input.hpp"
#include "common/near.hpp"
#include "common/quantities.hpp"
#include "integration_setup.hpp"
#include "lebedev.hpp"
#include "species_definition.hpp"

namespace suite::all_electron {
namespace {

using app::Kind;

// Names of the kinds, in the order of NumericFunction::Kind, with an example.
struct KindName {
  const char *name, *example;
};
constexpr KindName kinds[] = {
    {"ionic", "ionic 3s"}, {"confined", "confined 3d 5"}, {"hydro", "hydro 3d 4.2"}, {"gaussian", "gaussian d 0.4"}};

const std::vector<app::Key>& species_keys() {
  static const std::vector<app::Key> keys{
      {"species", Kind::text, nullptr, nullptr, "symbol of the element, such as Mg"},
      {"shells", Kind::names, nullptr, nullptr, "occupied shells of the free atom, such as [1s 2, 2s 2, 2p 4]"},
      {"ion", Kind::names, "[]", nullptr, "occupied shells of the ion whose potential makes functions 'ionic'"},
      {"tier_1", Kind::names, nullptr, nullptr, "functions beyond the free atom's, such as [hydro 2p 1.8, ionic 3s]"},
      {"tier_2", Kind::names, "[]", nullptr, "more functions, for 'basis.tier: 2'"},
      {"tier_3", Kind::names, "[]", nullptr, "more functions, for 'basis.tier: 3'"},
      {"tier_4", Kind::names, "[]", nullptr, "more functions, for 'basis.tier: 4'"},
      {"light.onset", Kind::length, nullptr, ">0", "radius where the confining potential begins"},
      {"light.width", Kind::length, nullptr, ">0", "distance from there to the wall"},
      {"light.radial_shells", Kind::integer, nullptr, "5..1000", "radial shells of the grid before their refinement"},
      {"light.radial_multiplier", Kind::integer, nullptr, "1..16", "radial grid refinement factor"},
      {"light.outermost_shell", Kind::length, nullptr, ">0", "radius of the last of them"},
      {"light.angular_points", Kind::integers, nullptr, "6..974", "points of the Lebedev grids, from the nucleus outwards"},
      {"light.angular_radii", Kind::lengths, "[]", ">0", "radii where one angular grid ends and the next begins"},
      {"light.l_hartree", Kind::integer, nullptr, "0..8", "maximum l of the multipole expansion of the potential"},
      {"light.without", Kind::names, "[]", nullptr, "functions of the tiers that this level leaves out"},
  };
  static const std::vector<app::Key> both = [] {
    static std::vector<std::string> paths;  // of the level tight; keys hold pointers
    std::vector<app::Key> all = keys;
    paths.reserve(keys.size());
    for (const app::Key& key : keys)
      if (const std::string path = key.path; path.rfind("light.", 0) == 0) {
        paths.push_back("tight." + path.substr(6));
        all.push_back(key);
        all.back().path = paths.back().c_str();
      }
    return all;
  }();
  return both;
}

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

int momentum(char letter) {
  const size_t l = std::string(shell_letters).find(letter);
  return l == std::string::npos ? -1 : static_cast<int>(l);
}

struct Quantum {
  int n, l;
};

// "3d"; entry: the whole text, for messages.
Quantum quantum_numbers(const std::string& entry, const std::string& word) {
  const bool shaped = word.size() == 2 && word[0] >= '1' && word[0] <= '9' && momentum(word[1]) >= 0;
  if (!shaped) refuse(fmt::format("'{}': {} must be n and a letter of {}, such as 3d", entry, app::in_quotes(word), shell_letters));
  const Quantum q{word[0] - '0', momentum(word[1])};
  if (q.n <= q.l) refuse(fmt::format("'{}': there is no {}; n of {} functions is {} or more", entry, word, word[1], q.l + 1));
  return q;
}

double positive(const std::string& entry, const std::string& word, const char* what) {
  size_t end = 0;
  double value = 0;
  try {
    value = std::stod(word, &end);
  } catch (const std::exception&) { end = 0; }
  if (end == 0 || end != word.size()) refuse(fmt::format("'{}': {} must be a number; got {}", entry, what, app::in_quotes(word)));
  if (!(value > 0) || !std::isfinite(value)) refuse(fmt::format("'{}': {} must be above 0", entry, what));
  return value;
}

Shell shell_of(const std::string& entry) {
  const auto words = split(entry);
  if (words.size() != 2) refuse(fmt::format("'{}' must be a shell and its electrons, such as '3p 2'", entry));
  const Quantum q = quantum_numbers(entry, words[0]);
  const double occupation = positive(entry, words[1], "the number of electrons");
  if (const int most = 2 * (2 * q.l + 1); occupation > most)
    refuse(fmt::format("'{}': a shell {} holds at most {} electrons", entry, shell_letters[q.l], most));
  return {q.n, q.l, occupation};
}

NumericFunction function_of(const std::string& entry) {
  const auto words = split(entry);
  std::vector<std::string> names;
  for (const KindName& kind : kinds) names.emplace_back(kind.name);
  const auto found = words.empty() ? names.end() : std::find(names.begin(), names.end(), words[0]);
  if (found == names.end())
    refuse(fmt::format("'{}': no such kind of function (known: {}, {}, {}, {})", entry, names[0], names[1], names[2], names[3]) +
           app::did_you_mean(words.empty() ? "" : words[0], names));
  const auto number = static_cast<size_t>(found - names.begin());
  if (words.size() != split(kinds[number].example).size())
    refuse(fmt::format("'{}' must be written as '{}'", entry, kinds[number].example));
  NumericFunction function{static_cast<NumericFunction::Kind>(number), 0, 0, 0};
  if (function.kind == NumericFunction::Kind::gaussian) {
    function.l = words[1].size() == 1 ? momentum(words[1][0]) : -1;
    if (function.l < 0) refuse(fmt::format("'{}': {} must be a letter of {}", entry, app::in_quotes(words[1]), shell_letters));
    function.n = function.l + 1;
    function.value = positive(entry, words[2], "the exponent");
    return function;
  }
  const Quantum q = quantum_numbers(entry, words[1]);
  function.n = q.n, function.l = q.l;
  if (function.kind == NumericFunction::Kind::hydrogenic) function.value = positive(entry, words[2], "the charge z");
  if (function.kind == NumericFunction::Kind::confined) function.value = positive(entry, words[2], "the onset of confinement (bohr)");
  return function;
}

class SpeciesReader {
public:
  explicit SpeciesReader(const app::Input& input) : input_(input) {}

  SpeciesDefinition read() {
    input_.group([&] { read_element(); });
    input_.group([&] { read_atom(); });
    for (int tier = 1; tier <= most_tiers; ++tier) input_.group([&] { read_tier(fmt::format("tier_{}", tier)); });
    while (!species_.tiers.empty() && species_.tiers.back().empty()) species_.tiers.pop_back();
    input_.group([&] { read_level("light.", species_.light); });
    input_.group([&] { read_level("tight.", species_.tight); });
    input_.finish();
    return std::move(species_);
  }

private:
  void read_element() {
    const std::string symbol = input_.text("species");
    species_.Z = atomic_number(symbol);
    if (species_.Z == 0) input_.fail("species", no_such_element(symbol));
  }

  // Returns the number of electrons; nullopt after an error.
  std::optional<double> read_shells(const char* key, std::vector<Shell>& shells) {
    double electrons = 0;
    bool right = true;
    for (const std::string& entry : input_.names(key))
      right = input_.holds(key, [&] {
        const Shell shell = shell_of(entry);
        for (const Shell& other : shells)
          if (other.n == shell.n && other.l == shell.l)
            refuse(fmt::format("the shell {}{} appears twice", shell.n, shell_letters[shell.l]));
        electrons += shell.occupation;
        shells.push_back(shell);
      }) && right;
    return right ? std::optional(electrons) : std::nullopt;
  }

  void read_atom() {
    input_.needs({"species", "shells", "ion"});
    const auto electrons = read_shells("shells", species_.shells);
    const auto of_ion = read_shells("ion", species_.ion);
    if (species_.Z == 0) return;
    const char* symbol = element_symbol(species_.Z);
    if (electrons && std::abs(*electrons - species_.Z) > 1e-9)
      input_.fail("shells", fmt::format("'shells' hold {:g} electrons, and a neutral {} atom has {}", *electrons, symbol, species_.Z));
    if (of_ion && !(*of_ion < species_.Z))
      input_.fail("ion", fmt::format("'ion' holds {:g} electrons; a positive ion of {} has fewer than {}", *of_ion, symbol, species_.Z));
  }

  void read_tier(const std::string& key) {
    std::vector<NumericFunction> tier;
    for (const std::string& entry : input_.names(key))
      input_.holds(key, [&] {
        const NumericFunction function = function_of(entry);
        if (function.kind == NumericFunction::Kind::ionic && !input_.has("ion"))
          refuse(fmt::format("'{}' needs 'ion', the shells of the ion, such as [1s 2, 2s 2, 2p 6, 3s 1]", entry));
        if (!seen_.insert(text_of(function)).second) refuse(fmt::format("'{}' appears twice", text_of(function)));
        tier.push_back(function);
      });
    species_.tiers.push_back(std::move(tier));
  }

  void read_level(const std::string& section, SpeciesLevel& level) {
    const auto key = [&](const char* name) { return section + name; };
    level.confinement = {input_.length_bohr(key("onset")), input_.length_bohr(key("width")), 1};
    level.base_shells = input_.small_integer(key("radial_shells"));
    level.radial_multiplier = input_.small_integer(key("radial_multiplier"));
    level.outermost = input_.length_bohr(key("outermost_shell"));
    level.l_hartree = input_.small_integer(key("l_hartree"));
    read_angular(key("angular_points"), key("angular_radii"), level);
    for (const std::string& entry : input_.names(key("without")))
      input_.holds(key("without"), [&] {
        level.without.push_back(function_of(entry));
        if (seen_.count(text_of(level.without.back())) == 0)
          refuse(fmt::format("'{}' is not among the functions of the tiers", text_of(level.without.back())));
      });
  }

  void read_angular(const std::string& points_key, const std::string& radii_key, SpeciesLevel& level) {
    const auto points = input_.integers(points_key);
    const auto radii = input_.quantities(radii_key, "bohr");
    for (const long number : points)
      if (!input_.holds(points_key, [&] { angular_grid(static_cast<int>(number)); })) return;
    if (points.empty() || radii.size() + 1 != points.size())
      return input_.fail(points_key, fmt::format("'angular_points' has {} for {} 'angular_radii'; it needs one more than these",
                                                 app::counted(static_cast<long>(points.size()), "number"), radii.size()));
    if (!std::is_sorted(radii.begin(), radii.end())) return input_.fail(radii_key, "'angular_radii' must ascend");
    for (size_t i = 0; i < radii.size(); ++i) level.regions.push_back({radii[i], static_cast<int>(points[i])});
    level.outer_points = static_cast<int>(points.back());
  }

  const app::Input& input_;
  SpeciesDefinition species_;
  std::set<std::string> seen_;
};

}  // namespace

std::string text_of(const NumericFunction& f) {
  const char* kind = kinds[static_cast<size_t>(f.kind)].name;
  if (f.kind == NumericFunction::Kind::gaussian) return fmt::format("{} {} {:g}", kind, shell_letters[f.l], f.value);
  const std::string text = fmt::format("{} {}{}", kind, f.n, shell_letters[f.l]);
  return f.kind == NumericFunction::Kind::ionic ? text : text + fmt::format(" {:g}", f.value);
}

SpeciesDefinition parse_species(const std::string& name, const std::string& text) {
  // A species file is no input: it names no app.
  const app::Input input = app::Input::read_on({name, text}, species_keys(), {"app=dfpt"});
  SpeciesDefinition species = SpeciesReader(input).read();
  species.text = text;
  return species;
}

SpeciesDefinition read_species(const std::filesystem::path& file) {
  SpeciesDefinition species = parse_species(file.string(), app::read_input_text(file).text);
  species.source = file.filename().string();
  return species;
}

std::vector<NumericFunction> tier_functions(const SpeciesDefinition& species, Level level, int tier) {
  const auto last = static_cast<int>(species.tiers.size());
  if (tier < 0 || tier > last)
    refuse(fmt::format("the numeric basis of {} has the tiers 0 (minimal basis) to {}; got {}", element_symbol(species.Z), last, tier));
  std::vector<NumericFunction> functions;
  for (int t = 0; t < tier; ++t)
    functions.insert(functions.end(), species.tiers[static_cast<size_t>(t)].begin(), species.tiers[static_cast<size_t>(t)].end());
  const auto& without = species.at(level).without;
  std::erase_if(functions, [&](const NumericFunction& f) { return std::find(without.begin(), without.end(), f) != without.end(); });
  return functions;
}

}  // namespace suite::all_electron
