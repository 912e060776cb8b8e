// SPDX-License-Identifier: BSD-3-Clause
#include "checker.hpp"

#include <algorithm>
#include <set>

#include "common/near.hpp"
#include "common/paths.hpp"
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
      if (!i->is_directory(error)) others.push_back((wanted.parent_path() / i->path().filename()).string());
  return "names a file that does not exist: " + in_quotes(text) + did_you_mean(text, others);
}

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
      case Kind::energy:
      case Kind::length:
      case Kind::time:
        if (const auto v = read_quantity(node, key.kind, problem)) range(*v, node.text);
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
    }
    if (problem.empty()) return;
    unreadable_.insert(key.path);
    diagnostics_.add(at->at, "'" + name + "' " + problem);
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
};

}  // namespace

void check_keys(const Node& root, const std::vector<Key>& order, const std::map<std::string, Key>& keys, const fs::path& source,
                Diagnostics& diagnostics, Checked& checked) {
  Checker(order, keys, source, diagnostics, checked).check(root);
}

}  // namespace suite::app
