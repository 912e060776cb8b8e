// SPDX-License-Identifier: BSD-3-Clause
#include "checker.hpp"

#include <algorithm>
#include <set>

#include "common/near.hpp"
#include "common/paths.hpp"
#include "quantity.hpp"
#include "values.hpp"

namespace suite::app {

namespace fs = std::filesystem;

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }
std::string parent_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

namespace {

std::string in_section(const std::string& section) { return section.empty() ? "" : " in '" + section + "'"; }

std::vector<fs::path> search_folders(const fs::path& source, bool override) {
  std::vector<fs::path> folders;
  if (override) folders.push_back(".");
  folders.push_back(source.has_parent_path() ? source.parent_path() : fs::path("."));
  folders.push_back(installed_inputs());
  return folders;
}

}  // namespace

fs::path find_file(const std::string& text, const fs::path& source, bool override) {
  const fs::path wanted = text;
  std::error_code error;
  if (wanted.is_absolute()) return fs::is_regular_file(wanted, error) ? wanted : fs::path();
  for (const auto& folder : search_folders(source, override))
    if (fs::is_regular_file(folder / wanted, error)) return (folder / wanted).lexically_normal();
  return {};
}

namespace {

// The name of a file like this one: mistyped, or with the same ending and a longer stem ("WFN_inner.h5" for "WFN.h5").
std::string like_file(const fs::path& wanted, const std::vector<std::string>& names) {
  if (const std::string near = nearest(wanted.string(), names); !near.empty()) return near;
  std::vector<std::string> stems;
  for (const fs::path name : names)
    if (name.extension() == wanted.extension()) stems.push_back(name.stem().string());
  const std::string near = nearest(wanted.stem().string(), stems);
  return near.empty() ? "" : near + wanted.extension().string();
}

}  // namespace

std::string no_file(const std::string& text, const fs::path& source, bool override) {
  const fs::path wanted = text;
  std::error_code error;
  std::vector<fs::path> folders{fs::path()};
  if (!wanted.is_absolute()) folders = search_folders(source, override);
  for (const auto& folder : folders)
    if (fs::is_directory(folder / wanted, error)) return "must be a file; " + in_quotes(text) + " is a folder";
  std::vector<std::string> others;
  for (const auto& folder : folders)
    for (fs::directory_iterator i((folder / wanted).parent_path(), error), end; !error && i != end && others.size() < 1000;
         i.increment(error))
      if (!i->is_directory(error)) others.push_back(i->path().filename().string());
  const std::string like = like_file(wanted.filename(), others);
  return "names a file that does not exist: " + in_quotes(text) +
         (like.empty() ? "" : "; did you mean '" + (wanted.parent_path() / like).string() + "'?");
}

namespace {

class Checker {
public:
  Checker(const std::vector<Key>& order, const std::map<std::string, Key>& keys, const fs::path& source, Diagnostics& diagnostics,
          Checked& checked)
      : order_(order),
        keys_(keys),
        source_(source),
        diagnostics_(diagnostics),
        written_(checked.written),
        sections_(checked.sections),
        unreadable_(checked.unreadable) {
    for (const auto& [path, key] : keys_)
      for (std::string up = parent_of(path); !up.empty(); up = parent_of(up)) known_sections_.insert(up);
  }

  void check(const Node& root) {
    walk(root, "");
    require_units();
    for (const auto& key : order_)
      if (!key.default_text && !written_.count(key.path) && !unreadable_.count(key.path)) missing(key);
  }

private:
  void walk(const Node& map, const std::string& prefix) {
    for (const auto& [name, value] : map.members) {
      const std::string path = prefix.empty() ? name.text : prefix + "." + name.text;
      if (keys_.count(path)) {
        written_[path] = value;
        check_value(keys_.at(path), value);
      } else if (known_sections_.count(path)) {
        sections_[path] = name.at;
        if (value.type == Node::Type::map) walk(value, path);
        if (value.type == Node::Type::scalar || value.type == Node::Type::list) {
          diagnostics_.add(value.at, "'" + path + "' is a section (keys: " + members_of(path) + "), not a value");
          excuse(path);
        }
      } else {
        unknown(name, prefix);
      }
    }
  }

  std::vector<std::string> siblings(const std::string& section) const {
    std::set<std::string> names;
    const std::string prefix = section.empty() ? "" : section + ".";
    for (const auto& [path, key] : keys_)
      if (path.compare(0, prefix.size(), prefix) == 0)
        names.insert(path.substr(prefix.size(), path.find('.', prefix.size()) - prefix.size()));
    return {names.begin(), names.end()};
  }

  std::string members_of(const std::string& section) const {
    std::string list;
    for (const auto& name : siblings(section)) list += (list.empty() ? "" : ", ") + name;
    return list;
  }

  void unknown(const Node& name, const std::string& section) {
    std::string sentence = "unknown key " + in_quotes(name.text) + in_section(section);
    const std::string near = nearest(name.text, siblings(section));
    std::string elsewhere;
    for (const auto& [path, key] : keys_)
      if (last_part(path) == name.text) elsewhere = path;
    if (!elsewhere.empty() && near.empty()) {
      const std::string home = parent_of(elsewhere);
      sentence += home.empty() ? "; it belongs to the top level" : "; it belongs in '" + home + "'";
      unreadable_.insert(elsewhere);
    } else if (!near.empty()) {
      sentence += "; did you mean '" + near + "'?";
      excuse(section.empty() ? near : section + "." + near);
    } else {
      sentence += " (keys: " + members_of(section) + ")";
    }
    diagnostics_.add(name.at, sentence);
  }

  void missing(const Key& key) {
    const std::string path = key.path;
    unreadable_.insert(path);
    std::string section = parent_of(path);
    while (!section.empty() && !sections_.count(section)) section = parent_of(section);
    const Position at = section.empty() ? Position{} : sections_.at(section);
    diagnostics_.add(at, "missing key '" + (section.empty() ? path : path.substr(section.size() + 1)) + "'" + in_section(section) + " (" +
                             describe_kind(key) + "): " + key.meaning);
  }

  void check_value(const Key& key, const Node& node) {
    const std::string name = node.at.override_ >= 0 ? key.path : last_part(key.path);
    std::string problem;
    const Node* at = &node;
    auto range = [&](double value, const std::string& text) {
      if (problem.empty()) problem = check_range(value, key, text);
    };
    switch (key.kind) {
      case Kind::integer:
        if (const auto v = read_integer(node, problem)) range(static_cast<double>(*v), node.text);
        break;
      case Kind::real:
        if (const auto v = read_real(node, problem)) range(*v, node.text);
        break;
      case Kind::boolean: read_boolean(node, problem); break;
      case Kind::text: read_text(node, problem); break;
      case Kind::choice:
        if (const auto v = read_text(node, problem)) {
          const auto choices = split_choices(key.choices);
          if (std::find(choices.begin(), choices.end(), *v) == choices.end())
            problem = "must be " + describe_kind(key) + "; got " + in_quotes(*v) + did_you_mean(*v, choices);
        }
        break;
      case Kind::file:
        if (const auto v = read_text(node, problem)) {
          const bool override = node.at.override_ >= 0;
          if (v->empty()) problem = "names no file";
          else if (find_file(*v, source_, override).empty()) problem = no_file(*v, source_, override);
        }
        break;
      case Kind::integers:
        if (const auto v = read_integers(node, problem, at))
          for (size_t i = 0; i < v->size() && problem.empty(); ++i) {
            at = &node.items[i];
            range(static_cast<double>((*v)[i]), at->text);
          }
        break;
      case Kind::reals:
        if (const auto v = read_reals(node, problem, at))
          for (size_t i = 0; i < v->size() && problem.empty(); ++i) {
            at = &node.items[i];
            range((*v)[i], at->text);
          }
        break;
      case Kind::names: read_names(node, problem, at); break;
      case Kind::points:
        if (const auto v = read_points(node, problem, at))
          for (size_t i = 0; i < v->size(); ++i)
            for (size_t j = 0; j < (*v)[i].size() && problem.empty(); ++j) {
              at = &node.items[i].items[j];
              range((*v)[i][j], at->text);
            }
        break;
      case Kind::settings:
        if (read_settings(node, problem, at))
          for (const auto& [setting, value] : node.members) written_[std::string(key.path) + "." + setting.text] = value;
        break;
      case Kind::energies:
      case Kind::lengths:
      case Kind::times:
      case Kind::positions: problem = check_list_with_unit(key, name, node, at); break;
      default: problem = check_quantity(key, name, node);
    }
    if (problem.empty()) return;
    unreadable_.insert(key.path);
    diagnostics_.add(at->at, "'" + name + "' " + problem);
  }

  // A unit that is accepted as missing is warned about: `instead` shows how to write the value.
  void warn_of_unit(const Position& at, const std::string& name, const std::string& instead, const std::string& written) {
    diagnostics_.warn(at, "'" + name + "' has a unit; write " + in_quotes(instead) + " instead of " + in_quotes(written));
  }

  std::string check_quantity(const Key& key, const std::string& name, const Node& node) {
    std::string problem;
    const auto value = read_quantity(node, key.kind, problem);
    if (!value) return problem;
    const Unit* unit = value->unit;
    if (!unit) {
      if (!key.former_unit) return needs_unit(key.kind, node.text);
      unit = find_unit(key.kind, key.former_unit);
    }
    problem = check_range(value->amount * unit->factor, key, node.text);
    if (problem.empty() && !value->unit) warn_of_unit(node.at, name, node.text + " " + unit->name, node.text);
    return problem;
  }

  // Lists and tables whose numbers have a unit.
  std::string check_list_with_unit(const Key& key, const std::string& name, const Node& node, const Node*& at) {
    std::string problem;
    const auto values = read_quantities(node, key.kind, problem, at);
    if (!values) return problem;
    const bool table = key.kind == Kind::positions;
    const Unit* former = key.former_unit ? find_unit(key.kind, key.former_unit) : nullptr;
    bool bare = false;
    for (size_t i = 0; i < values->size(); ++i) {
      const auto& [amount, written] = (*values)[i];
      bare = bare || !written;
      const Unit* unit = written ? written : former;
      const std::string text = table ? "" : node.items[i].text;
      if (problem = check_range(amount * (unit ? unit->factor : 1), key, text); problem.empty()) continue;
      if (!table) at = &node.items[i];
      return problem;
    }
    if (!bare) return "";
    if (key.unit_key) lists_without_unit_.emplace_back(&key, name);
    else if (former) warn_of_unit(node.at, name, list_text(node, std::string(" ") + former->name), list_text(node, ""));
    else return "needs a unit, such as " + in_quotes(list_text(node, " " + canonical_unit(key.kind)));
    return "";
  }

  // "[8, 8, 10 bohr]"; long lists and tables are shortened.
  static std::string list_text(const Node& node, const std::string& unit) {
    constexpr size_t most = 4;
    std::string text = "[";
    for (size_t i = 0; i < node.items.size(); ++i) {
      if (i + 1 < node.items.size() && i >= most - 1) {
        if (i == most - 1) text += ", ...";
        continue;
      }
      const bool last = i + 1 == node.items.size();
      const Node& item = node.items[i];
      text += (i > 0 ? ", " : "") + (item.type == Node::Type::list ? list_text(item, last ? unit : "") : item.text + (last ? unit : ""));
    }
    return text + "]";
  }

  // Lists without a unit in a section whose 'unit' is missing too: one error for all lists of a section.
  void require_units() {
    std::set<std::string> reported;
    for (const auto& [key, name] : lists_without_unit_) {
      const std::string unit_key = key->unit_key;
      if (written_.count(unit_key) || unreadable_.count(unit_key)) continue;
      const Node& node = written_.at(key->path);
      unreadable_.insert(key->path);
      if (reported.insert(unit_key).second)
        diagnostics_.add(node.at, "'" + name + "' needs a unit (" + unit_list(key->kind) +
                                      "): " + list_text(node, " " + canonical_unit(key->kind)) + ", or '" + last_part(unit_key) + ": " +
                                      canonical_unit(key->kind) + "' for all lists of '" + parent_of(unit_key) + "'");
    }
  }

  // Keys of a mistyped or misused section are not reported as missing as well.
  void excuse(const std::string& meant) {
    for (const auto& [path, key] : keys_)
      if (path == meant || path.compare(0, meant.size() + 1, meant + ".") == 0) unreadable_.insert(path);
  }

  const std::vector<Key>& order_;
  const std::map<std::string, Key>& keys_;
  const fs::path& source_;
  Diagnostics& diagnostics_;
  std::map<std::string, Node>& written_;
  std::map<std::string, Position>& sections_;
  std::set<std::string>& unreadable_;
  std::set<std::string> known_sections_;
  std::vector<std::pair<const Key*, std::string>> lists_without_unit_;  // and the names they have in messages
};

}  // namespace

void check_keys(const Node& root, const std::vector<Key>& order, const std::map<std::string, Key>& keys, const fs::path& source,
                Diagnostics& diagnostics, Checked& checked) {
  Checker(order, keys, source, diagnostics, checked).check(root);
}

}  // namespace suite::app
