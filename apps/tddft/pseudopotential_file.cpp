// SPDX-License-Identifier: BSD-3-Clause
#include "pseudopotential_file.hpp"

#include <algorithm>

#include <fmt/core.h>

#include <suite/plugin.hpp>
#include <suite/sha256.hpp>

#include "base/checker.hpp"
#include "common/io.hpp"
#include "common/near.hpp"
#include "grid_xc.hpp"
#include "gth.hpp"
#include "tabulated.hpp"
#include "upf.hpp"

namespace suite::tddft {
namespace {

constexpr size_t largest_file = 64 << 20;
constexpr const char* key = "system.pseudopotentials";

// In the folder of the input, among the installed inputs, or where the command was given.
std::string found(const app::Input& input, const std::string& text) {
  for (const bool override : {false, true})
    if (const auto file = app::find_file(text, input.source(), override); !file.empty()) return file.string();
  throw Failure(SUITE_INVALID_ARGUMENT, "the pseudopotential " + app::no_file(text, input.source(), false));
}

// "FILE", or "FILE:NAME" for the entry NAME of a file of several.
PseudopotentialFile file_of(const app::Input& input, const std::string& element, const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {element, found(input, text), "", ""};
  return {element, found(input, text.substr(0, colon)), text.substr(colon + 1), ""};
}

}  // namespace

std::shared_ptr<const Pseudopotential> parse_pseudopotential(const std::string& file, const std::string& text, const std::string& element,
                                                             const std::string& entry, const Grid& grid, Boundary boundary) {
  if (!is_upf(text)) return parse_gth(file, text, element, entry);
  const auto refuse = [&](const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, file + ": " + sentence); };
  const RadialTables tables = parse_upf(file, text);
  if (tables.element != element) refuse(fmt::format("this is a pseudopotential of {}, not of {}", tables.element, element));
  if (!entry.empty()) refuse(fmt::format("a UPF file has no entries to choose '{}' from", entry));
  return std::make_shared<Tabulated>(tables, grid, boundary);
}

std::optional<std::vector<PseudopotentialFile>> read_pseudopotentials(const app::Input& input, const std::string& functional,
                                                                      System& system) {
  std::vector<PseudopotentialFile> files;
  std::vector<std::string> elements;
  for (const Atom& atom : system.atoms) elements.push_back(atom.element);
  bool good = true;
  for (const auto& [element, text] : input.settings(key)) {
    const std::string path = std::string(key) + "." + element;
    if (std::find(elements.begin(), elements.end(), element) == elements.end()) {
      input.fail(path, "there is no atom of " + app::in_quotes(element) + " here" + app::did_you_mean(element, elements));
      good = false;
      continue;
    }
    good &= input.holds(path, [&, element = element, text = text] {
      PseudopotentialFile file = file_of(input, element, text);
      const std::string contents = app::read_text_file(file.file, largest_file);
      file.sha256 = hexadecimal(sha256(contents.data(), contents.size()));
      const auto potential = parse_pseudopotential(file.file, contents, element, file.entry, system.grid, system.boundary);
      if (!potential->functional.empty() && functional != "none" && potential->functional != functional)
        input.warn(
            path, fmt::format("this pseudopotential is made for the functional {}, and the run has {}", potential->functional, functional));
      system.pseudopotentials[element] = potential;
      files.push_back(std::move(file));
    });
  }
  if (!good) return std::nullopt;
  return files;
}

void take_built_in(const app::Input& input, const std::string& functional, System& system) {
  const auto xc = xc_named(functional);
  if (!xc || !needs_gradients(*xc)) return;
  std::vector<std::string> without;
  for (const Atom& atom : system.atoms) {
    if (system.pseudopotentials.contains(atom.element)) continue;
    if (const Gth* own = built_in(atom.element, true)) system.pseudopotentials[atom.element] = std::make_shared<Gth>(*own);
    else if (std::find(without.begin(), without.end(), atom.element) == without.end()) without.push_back(atom.element);
  }
  for (const std::string& element : without)
    input.warn("system.functional",
               fmt::format("the built-in pseudopotential of {} is made for the functional pw92, and the run has {}", element, functional));
}

void filter_all(System& system) {
  for (const Atom& atom : system.atoms)
    if (const auto* gth = dynamic_cast<const Gth*>(&pseudopotential(system, atom)))
      system.pseudopotentials[atom.element] = std::make_shared<Tabulated>(tables_of(*gth), system.grid, system.boundary);
}

}  // namespace suite::tddft
