// SPDX-License-Identifier: BSD-3-Clause
#include "upf.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "harmonics.hpp"
#include "numbers_in_text.hpp"
#include "pseudopotential.hpp"

namespace suite::tddft {
namespace {

constexpr long most_points = 100000, most_projectors = 30;
constexpr double hartree_Ry = 2;
constexpr double least_core = 1e-4;  // of its largest value

struct Tag {
  std::string_view attributes, body;
};

class UpfReader {
public:
  UpfReader(const std::string& file, const std::string& text) : file_(file, text), rest_(file_.text()) {
    version2_ = rest_.find("<UPF") != std::string_view::npos;
    const std::string_view end = "</PP_INFO>";
    if (const size_t at = rest_.find(end); at != std::string_view::npos) rest_ = rest_.substr(at + end.size());
  }

  RadialTables read() {
    const Tag header = tag(rest_, "PP_HEADER");
    if (version2_) read_header(header);
    else read_old_header(header);
    read_mesh();
    out_.local = numbers(tag(rest_, "PP_LOCAL"), "PP_LOCAL", points());
    for (double& v : out_.local) v /= hartree_Ry;
    check_charge();
    read_nonlocal();
    if (has_core_) read_core();
    if (find(rest_, "PP_RHOATOM")) out_.density = numbers(tag(rest_, "PP_RHOATOM"), "PP_RHOATOM", points());
    return std::move(out_);
  }

private:
  size_t points() const { return static_cast<size_t>(points_); }

  // The first tag of this name in `text`, without what is behind it.
  std::optional<Tag> find(std::string_view text, const std::string& name) const {
    const std::string open = "<" + name;
    for (size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at + 1)) {
      const size_t after = at + open.size();
      if (after >= text.size() || std::string_view(" \t\r\n>/").find(text[after]) == std::string_view::npos) continue;
      bool quoted = false;
      size_t end = after;
      for (; end < text.size() && (quoted || text[end] != '>'); ++end) quoted ^= text[end] == '"';
      if (end == text.size()) file_.fail(text.data() + at, fmt::format("the tag {} does not end", name));
      const std::string_view attributes = text.substr(after, end - after);
      if (!attributes.empty() && attributes.back() == '/') return Tag{attributes.substr(0, attributes.size() - 1), text.substr(end, 0)};
      const size_t close = text.find("</" + name, end);
      if (close == std::string_view::npos) file_.fail(text.data() + at, fmt::format("{} is not closed", name));
      return Tag{attributes, text.substr(end + 1, close - end - 1)};
    }
    return std::nullopt;
  }

  Tag tag(std::string_view text, const std::string& name) const {
    const auto found = find(text, name);
    if (!found) file_.fail(text.data(), fmt::format("there is no {} from here on", name));
    return *found;
  }

  // The value of an attribute, without its quotation marks and blanks around it.
  std::optional<std::string_view> attribute(const Tag& tag, const std::string& name) const {
    const std::string_view all = tag.attributes;
    for (size_t at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1)) {
      size_t equals = at + name.size();
      while (equals < all.size() && all[equals] == ' ') ++equals;
      if (at == 0 || equals >= all.size() || all[equals] != '=' || std::string_view(" \t\r\n").find(all[at - 1]) == std::string_view::npos)
        continue;
      const size_t open = all.find('"', equals);
      const size_t close = open == std::string_view::npos ? open : all.find('"', open + 1);
      if (close == std::string_view::npos)
        file_.fail(all.data() + at, fmt::format("the attribute {} has no value in quotation marks", name));
      std::string_view value = all.substr(open + 1, close - open - 1);
      while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
      while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
      return value;
    }
    return std::nullopt;
  }

  std::string_view needed(const Tag& tag, const std::string& name) const {
    const auto value = attribute(tag, name);
    if (!value || value->empty()) file_.fail(tag.attributes.data(), fmt::format("the attribute {} is missing", name));
    return *value;
  }

  bool is_set(const Tag& tag, const std::string& name) const {
    std::string_view value = attribute(tag, name).value_or("F");
    if (!value.empty() && value.front() == '.') value.remove_prefix(1);
    return !value.empty() && std::string_view("tT1").find(value.front()) != std::string_view::npos;
  }

  std::vector<double> numbers(const Tag& tag, const std::string& name, size_t count) const {
    return numbers(words_of(tag.body), tag, name, count);
  }
  std::vector<double> numbers(const std::vector<std::string_view>& words, const Tag& tag, const std::string& name, size_t count) const {
    if (words.size() != count) file_.fail(tag.body.data(), fmt::format("{} has {} numbers instead of {}", name, words.size(), count));
    std::vector<double> values;
    for (const std::string_view word : words) values.push_back(file_.real(word, "a number of " + name));
    return values;
  }

  void read_header(const Tag& header) {
    out_.element = needed(header, "element");
    const std::string type(needed(header, "pseudo_type"));
    if (is_set(header, "is_paw") || type == "PAW") refuse(header, "a PAW data set");
    if (is_set(header, "is_ultrasoft") || type == "US" || type == "USPP") refuse(header, "an ultrasoft pseudopotential");
    if (is_set(header, "is_coulomb") || type == "1/r") refuse(header, "the bare Coulomb potential, which no grid holds");
    if (type != "NC" && type != "SL") refuse(header, fmt::format("of the unknown type '{}'", type));
    if (is_set(header, "has_so")) refuse(header, "a fully relativistic pseudopotential (spin-orbit coupling)");
    set_functional(header, words_of(needed(header, "functional")));
    has_core_ = is_set(header, "core_correction");
    set_charge(needed(header, "z_valence"));
    points_ = file_.integer(needed(header, "mesh_size"), "mesh_size", 4, most_points);
    projectors_ = file_.integer(needed(header, "number_of_proj"), "number_of_proj", 0, most_projectors);
  }

  // Lines with values before their description.
  void read_old_header(const Tag& header) {
    std::vector<std::vector<std::string_view>> lines;
    for (size_t at = 0; at < header.body.size();) {
      const size_t end = std::min(header.body.find('\n', at), header.body.size());
      if (auto words = words_of(header.body.substr(at, end - at)); !words.empty()) lines.push_back(std::move(words));
      at = end + 1;
    }
    if (lines.size() < 11) file_.fail(header.body.data(), fmt::format("PP_HEADER has {} lines; version 1 has 11 or more", lines.size()));
    out_.element = lines[1][0];
    const std::string_view type = lines[2][0];
    if (type == "US") refuse(header, "an ultrasoft pseudopotential");
    if (type != "NC" && type != "SL") refuse(header, fmt::format("of the unknown type '{}'", type.substr(0, 20)));
    if (find(rest_, "PP_ADDINFO")) refuse(header, "a fully relativistic pseudopotential (spin-orbit coupling)");
    auto functional = lines[4];
    functional.resize(std::min<size_t>(functional.size(), 4));
    set_functional(header, functional);
    has_core_ = lines[3][0][0] == 'T' || lines[3][0] == ".true." || lines[3][0] == ".T.";
    set_charge(lines[5][0]);
    points_ = file_.integer(lines[9][0], "the number of points in the mesh", 4, most_points);
    if (lines[10].size() < 2) file_.fail(lines[10][0].data(), "the number of projectors is missing");
    projectors_ = file_.integer(lines[10][1], "the number of projectors", 0, most_projectors);
  }

  [[noreturn]] void refuse(const Tag& header, const std::string& what) const {
    file_.fail(header.attributes.data(),
               fmt::format("this is {}; only norm-conserving pseudopotentials without spin-orbit coupling are supported", what));
  }

  void set_functional(const Tag& header, const std::vector<std::string_view>& words) {
    std::string left;
    for (const std::string_view word : words) {
      if (word == "NOGX" || word == "NOGC" || word == "SLA") continue;
      left += (left.empty() ? "" : " ") + std::string(word.substr(0, 20));
      if (left.size() > 80) break;
    }
    for (const char* meta : {"TPSS", "SCAN", "M06L", "TB09", "META"})
      if (left.find(meta) != std::string::npos)
        file_.fail(header.attributes.data(),
                   fmt::format("it is made for the functional {}, of the kinetic energy density, which is not supported", meta));
    out_.functional = functional_of(left);
  }

  void set_charge(std::string_view word) {
    out_.charge = file_.real(word, "the charge of the ion");
    if (!(out_.charge > 0 && out_.charge <= 118))
      file_.fail(word.data(), fmt::format("the charge of the ion must be 0 to 118; got {:g}", out_.charge));
  }

  void read_mesh() {
    const Tag mesh = tag(rest_, "PP_MESH"), r = tag(mesh.body, "PP_R");
    out_.r = numbers(r, "PP_R", points());
    for (size_t i = 0; i < out_.r.size(); ++i)
      if (!(out_.r[i] >= 0) || (i > 0 && !(out_.r[i] > out_.r[i - 1])))
        file_.fail(r.body.data(), fmt::format("the radii of PP_R must increase from 0 on; number {} is {:g}", i + 1, out_.r[i]));
    if (!(out_.r[0] < 0.5) || !(out_.r.back() > 2))
      file_.fail(r.body.data(), fmt::format("PP_R goes from {:g} to {:g} bohr, which is too little", out_.r[0], out_.r.back()));
  }

  // Far out, nothing but -Z/r is left. Tables are written with what single precision or a generator leaves there.
  void check_charge() const {
    const double end = out_.r.back() * out_.local.back();
    if (!(std::abs(end + out_.charge) <= 0.02 * out_.charge))
      file_.fail(tag(rest_, "PP_LOCAL").body.data(),
                 fmt::format("r v_loc ends at {:g} e^2, which does not fit a charge of {:g}", end, out_.charge));
  }

  // The density itself, without a factor of r^2. What generators leave below 0 is noise of a table.
  void read_core() {
    const Tag core = tag(rest_, "PP_NLCC");
    out_.core = numbers(core, "PP_NLCC", points());
    const double largest = *std::max_element(out_.core.begin(), out_.core.end());
    for (size_t i = 0; i < out_.core.size(); ++i)
      if (!(out_.core[i] >= -least_core * largest))
        file_.fail(core.body.data(), fmt::format("the density of the core must not be negative; PP_NLCC is {:g} bohr^-3 at {:g} bohr",
                                                 out_.core[i], out_.r[i]));
    if (largest == 0) out_.core.clear();
  }

  RadialTables::Beta read_beta(const Tag& beta, const std::string& name) const {
    RadialTables::Beta out;
    std::vector<std::string_view> words = words_of(beta.body);
    size_t end = points();
    if (version2_) {
      out.l = static_cast<int>(file_.integer(needed(beta, "angular_momentum"), "angular_momentum", 0, largest_l));
      // The integrals of Quantum ESPRESSO end there.
      if (const auto index = attribute(beta, "cutoff_radius_index"))
        if (const long last = file_.integer(*index, "cutoff_radius_index", 0, most_points); last > 0)
          end = std::min(end, static_cast<size_t>(last));
      if (words.size() > points())
        file_.fail(beta.body.data(), fmt::format("{} has {} numbers where the mesh has {}", name, words.size(), points()));
    } else {
      // 1 0 Beta L / number of values / values, and what the version added later.
      if (words.size() < 5) file_.fail(beta.body.data(), fmt::format("{} is too short", name));
      out.l = static_cast<int>(file_.integer(words[1], "the angular momentum of a projector", 0, largest_l));
      const long count = file_.integer(words[4], "the number of values of a projector", 1, points_);
      if (words.size() < 5 + static_cast<size_t>(count))
        file_.fail(beta.body.data(), fmt::format("{} has {} numbers instead of {}", name, words.size() - 5, count));
      words = {words.begin() + 5, words.begin() + 5 + count};
    }
    out.times_r = numbers(words, beta, name, words.size());
    out.times_r.resize(std::min(end, out.times_r.size()));
    out.times_r.resize(points(), 0.0);
    return out;
  }

  void read_nonlocal() {
    if (projectors_ == 0) return;
    const Tag nonlocal = tag(rest_, "PP_NONLOCAL");
    std::string_view from = nonlocal.body;
    for (long i = 1; i <= projectors_; ++i) {
      const std::string name = version2_ ? fmt::format("PP_BETA.{}", i) : "PP_BETA";
      const Tag beta = tag(from, name);
      out_.betas.push_back(read_beta(beta, name));
      const char* const end = beta.body.data() + beta.body.size();
      if (!version2_) from = from.substr(static_cast<size_t>(end - from.data()));
    }
    read_coefficients(tag(nonlocal.body, "PP_DIJ"));
  }

  void read_coefficients(const Tag& dij) {
    const auto n = static_cast<size_t>(projectors_);
    if (version2_) {
      out_.d = numbers(dij, "PP_DIJ", n * n);
    } else {
      // Number of nonzero D and words, then i, j, D.
      const auto words = words_of(dij.body);
      out_.d.assign(n * n, 0.0);
      if (words.empty()) file_.fail(dij.body.data(), "PP_DIJ is empty");
      const auto count = static_cast<size_t>(file_.integer(words[0], "the number of coefficients D", 0, projectors_ * projectors_));
      if (words.size() < 3 * count) file_.fail(dij.body.data(), "PP_DIJ is too short");
      for (size_t c = 0; c < count; ++c) {
        const auto word = words.end() - static_cast<int64_t>(3 * (count - c));
        const auto i = static_cast<size_t>(file_.integer(word[0], "i of D_ij", 1, projectors_) - 1);
        const auto j = static_cast<size_t>(file_.integer(word[1], "j of D_ij", 1, projectors_) - 1);
        out_.d[i * n + j] = out_.d[j * n + i] = file_.real(word[2], "D_ij");
      }
    }
    for (double& d : out_.d) d /= hartree_Ry;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) {
        const double ij = out_.d[i * n + j], ji = out_.d[j * n + i];
        if (!(std::abs(ij - ji) <= 1e-6 * std::max(1.0, std::abs(ij))))
          file_.fail(dij.body.data(),
                     fmt::format("D must be symmetric; D({},{}) and D({},{}) differ by {:g} Ha", i + 1, j + 1, j + 1, i + 1, ij - ji));
        if (ij != 0 && out_.betas[i].l != out_.betas[j].l)
          file_.fail(dij.body.data(), fmt::format("D({},{}) couples l = {} with {}", i + 1, j + 1, out_.betas[i].l, out_.betas[j].l));
      }
  }

  TextFile file_;
  std::string_view rest_;
  bool version2_ = false, has_core_ = false;
  long points_ = 0, projectors_ = 0;
  RadialTables out_;
};

}  // namespace

bool is_upf(const std::string& text) { return text.find("<PP_HEADER") != std::string::npos || text.find("<UPF") != std::string::npos; }

RadialTables parse_upf(const std::string& file, const std::string& text) { return UpfReader(file, text).read(); }

}  // namespace suite::tddft
