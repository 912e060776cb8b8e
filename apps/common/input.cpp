// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <suite/suite.h>

#include "io.hpp"
#include "near.hpp"
#include "paths.hpp"
#include "values.hpp"
#include "yaml.hpp"

namespace suite::app {

namespace fs = std::filesystem;

struct Input::State {
  fs::path source;
  std::vector<std::string> overrides;
  std::map<std::string, Key> keys;
  std::map<std::string, Node> written;      // leaves, by path
  std::map<std::string, Position> sections;  // where a section's name stands
  mutable std::optional<Diagnostics> diagnostics;
};

namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }
std::string parent_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}
std::string in_section(const std::string& section) { return section.empty() ? "" : " in '" + section + "'"; }

// The file's tree with the overrides put in; nullopt when diagnostics hold the reason.
struct Document {
  std::string text;
  Diagnostics diagnostics;
  std::optional<Node> root;
};

Node* member(Node& map, const std::string& name) {
  for (auto& [key, value] : map.members)
    if (key.text == name) return &value;
  return nullptr;
}

// Puts one "path=value" into the tree; sections that are not there are made.
bool apply_override(Node& root, const std::string& text, int index, Diagnostics& diagnostics) {
  const Position here{0, 0, 1, index};
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    diagnostics.add(here, "must be key=value, such as sigma.bands=8");
    return false;
  }
  auto value = parse_yaml(text.substr(equals + 1), diagnostics, index);
  if (!value) return false;
  value->at = here;
  Node* at = &root;
  std::string path = text.substr(0, equals);
  for (;;) {
    const size_t dot = path.find('.');
    const std::string name = path.substr(0, dot);
    if (name.empty()) {
      diagnostics.add(here, "has an empty part in the key; keys look like sigma.bands");
      return false;
    }
    if (at->type == Node::Type::null) at->type = Node::Type::map;
    if (at->type != Node::Type::map) {
      diagnostics.add(here, "'" + name + "' cannot be set: what holds it is a value, not a section");
      return false;
    }
    Node* next = member(*at, name);
    if (!next) {
      Node key;
      key.type = Node::Type::scalar;
      key.text = name;
      key.at = here;
      at->members.emplace_back(key, Node{});
      next = &at->members.back().second;
      next->at = here;
    }
    if (dot == std::string::npos) {
      for (auto& [key, unused] : at->members)
        if (key.text == name) key.at = here;
      *next = std::move(*value);
      return true;
    }
    at = next;
    path = path.substr(dot + 1);
  }
}

Document load(const fs::path& file, const std::vector<std::string>& overrides) {
  std::error_code error;
  const std::string name = file.string();
  if (!fs::exists(file, error)) {
    std::vector<std::string> others;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (fs::directory_iterator i(folder, error), end; !error && i != end && others.size() < 1000; i.increment(error))
      if (!i->is_directory(error)) others.push_back(i->path().filename().string());
    throw InputErrors(name + ": error: no such file" + did_you_mean(file.filename().string(), others), 1);
  }
  if (fs::is_directory(file, error)) throw InputErrors(name + ": error: is a folder; an input is a file", 1);
  if (fs::is_regular_file(file, error) && fs::file_size(file, error) > largest_file)
    throw InputErrors(name + ": error: " + std::to_string(fs::file_size(file, error)) + " bytes; an input has at most " +
                          std::to_string(largest_file),
                      1);
  Document document{read_text_file(file, largest_file), Diagnostics("", "", {}), std::nullopt};
  document.diagnostics = Diagnostics(name, document.text, overrides);
  document.root = parse_yaml(document.text, document.diagnostics);
  if (!document.root) return document;
  const Node::Type type = document.root->type;
  if (type == Node::Type::null && overrides.empty()) {
    document.diagnostics.add({}, "the file is empty; 'suite init gw' writes an input to start from");
    document.root.reset();
  } else if (type == Node::Type::scalar || type == Node::Type::list) {
    document.diagnostics.add(document.root->at, std::string("an input is a mapping (key: value), not a ") +
                                                    (type == Node::Type::list ? "list" : "single value"));
    document.root.reset();
  }
  for (size_t i = 0; document.root && i < overrides.size(); ++i)
    apply_override(*document.root, overrides[i], static_cast<int>(i), document.diagnostics);
  return document;
}

std::vector<fs::path> search_folders(const fs::path& source, bool override) {
  std::vector<fs::path> folders;
  if (override) folders.push_back(".");
  folders.push_back(source.has_parent_path() ? source.parent_path() : fs::path("."));
  folders.push_back(installed_inputs());
  return folders;
}

fs::path find_file(const std::string& text, const fs::path& source, bool override) {
  const fs::path wanted = text;
  std::error_code error;
  if (wanted.is_absolute()) return fs::is_regular_file(wanted, error) ? wanted : fs::path();
  for (const auto& folder : search_folders(source, override))
    if (fs::is_regular_file(folder / wanted, error)) return (folder / wanted).lexically_normal();
  return {};
}

std::string no_file(const std::string& text, const fs::path& source, bool override) {
  const fs::path wanted = text;
  std::error_code error;
  std::vector<fs::path> folders{fs::path()};
  if (!wanted.is_absolute()) folders = search_folders(source, override);
  for (const auto& folder : folders)
    if (fs::is_directory(folder / wanted, error)) return "must be a file; " + in_quotes(text) + " is a folder";
  std::vector<std::string> others;
  for (const auto& folder : folders)
    for (fs::directory_iterator i((folder / wanted).parent_path(), error), end; !error && i != end && others.size() < 1000; i.increment(error))
      if (!i->is_directory(error)) others.push_back((wanted.parent_path() / i->path().filename()).string());
  return "names a file that does not exist: " + in_quotes(text) + did_you_mean(text, others);
}

class Checker {
public:
  Checker(const std::vector<Key>& order, const std::map<std::string, Key>& keys, const fs::path& source, Diagnostics& diagnostics, std::map<std::string, Node>& written,
          std::map<std::string, Position>& sections)
      : order_(order), keys_(keys), source_(source), diagnostics_(diagnostics), written_(written), sections_(sections) {
    for (const auto& [path, key] : keys_)
      for (std::string up = parent_of(path); !up.empty(); up = parent_of(up)) known_sections_.insert(up);
  }

  void check(const Node& root) {
    walk(root, "");
    for (const auto& key : order_)
      if (!key.standard && !written_.count(key.path) && !meant_.count(key.path)) missing(key);
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
      if (path.compare(0, prefix.size(), prefix) == 0) names.insert(path.substr(prefix.size(), path.find('.', prefix.size()) - prefix.size()));
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
      meant_.insert(elsewhere);
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
      case Kind::words: read_words(node, problem, at); break;
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
    if (!problem.empty()) diagnostics_.add(at->at, "'" + name + "' " + problem);
  }

  // What a mistyped or misused section would have given is not reported missing too.
  void excuse(const std::string& meant) {
    for (const auto& [path, key] : keys_)
      if (path == meant || path.compare(0, meant.size() + 1, meant + ".") == 0) meant_.insert(path);
  }

  const std::vector<Key>& order_;
  const std::map<std::string, Key>& keys_;
  const fs::path& source_;
  Diagnostics& diagnostics_;
  std::map<std::string, Node>& written_;
  std::map<std::string, Position>& sections_;
  std::set<std::string> known_sections_, meant_;
};

}  // namespace

const std::vector<Key>& common_keys() {
  static const std::vector<Key> keys{
      {"app", Kind::text, nullptr, nullptr, "what to compute"},
      {"title", Kind::text, "", nullptr, "a name for the reader; kept in the results"},
      {"kernel.implementation", Kind::text, "cpu", nullptr, "implementation of the kernels: a name of 'suite list' or the path of a plugin"},
      {"kernel.variant", Kind::text, "best", nullptr, "variant of the implementation"},
      {"kernel.parameters", Kind::settings, "", nullptr, "parameters of the implementation, such as {precision: mixed}; 'suite list KERNEL' shows them"},
  };
  return keys;
}

const std::vector<Key>& kernel_keys() {
  static const std::vector<Key> keys{
      {"kernel", Kind::text, nullptr, nullptr, "the kernel, such as gpp.sigma"},
      {"title", Kind::text, "", nullptr, "a name for the reader; kept in the results"},
      {"size", Kind::text, "small", nullptr, "a named size, or extents such as ncouls=512,nw=3"},
      {"seed", Kind::integer, "1", "0..", "seed of the generated arguments"},
      {"implementation", Kind::text, "cpu", nullptr, "a name of 'suite list' or the path of a plugin"},
      {"variant", Kind::text, "best", nullptr, "variant of the implementation"},
      {"parameters", Kind::settings, "", nullptr, "parameters of the implementation, such as {precision: mixed}"},
      {"repeat", Kind::integer, "5", "1..100000", "runs that are timed"},
  };
  return keys;
}

Header read_header(const fs::path& file, const std::vector<std::string>& apps, const std::vector<std::string>& overrides) {
  Document document = load(file, overrides);
  if (!document.root) document.diagnostics.raise();
  const Node* app = document.root->find("app");
  const Node* kernel = document.root->find("kernel");
  if (app) {
    std::string problem;
    const auto name = read_text(*app, problem);
    if (name && std::find(apps.begin(), apps.end(), *name) != apps.end()) return {*name, ""};
    std::string list;
    for (const auto& a : apps) list += (list.empty() ? "" : ", ") + a;
    document.diagnostics.add(app->at, name ? "unknown app " + in_quotes(*name) + (list.empty() ? "; this build has none" : " (known: " + list + ")") +
                                                 did_you_mean(*name, apps)
                                           : "'app' " + problem);
  } else if (kernel && kernel->type == Node::Type::scalar) {
    return {"", kernel->text};
  } else {
    Position at{};
    std::string sentence = "missing key 'app' (or 'kernel', for one kernel on generated data)";
    for (const auto& [key, value] : document.root->members)
      if (sentence.find("did you") == std::string::npos && value.type == Node::Type::scalar && key.text.size() <= 8 &&
          !did_you_mean(key.text, {"app", "kernel"}).empty()) {
        sentence = "unknown key " + in_quotes(key.text) + did_you_mean(key.text, {"app", "kernel"});
        at = key.at;
      }
    document.diagnostics.add(at, sentence);
  }
  document.diagnostics.raise();
}

Input::Input(std::shared_ptr<State> state) : state_(std::move(state)) {}

Input Input::read(const fs::path& file, const std::vector<Key>& keys, const std::vector<std::string>& overrides) {
  Document document = load(file, overrides);
  auto state = std::make_shared<State>();
  state->source = file;
  state->overrides = overrides;
  std::vector<Key> order;
  if (&keys != &kernel_keys()) order = common_keys();
  order.insert(order.end(), keys.begin(), keys.end());
  for (const auto& key : order) state->keys.insert_or_assign(key.path, key);
  if (document.root) Checker(order, state->keys, file, document.diagnostics, state->written, state->sections).check(*document.root);
  if (!document.diagnostics.empty()) document.diagnostics.raise();
  state->diagnostics.emplace(std::move(document.diagnostics));
  return Input(std::move(state));
}

bool Input::has(const std::string& path) const { return state_->written.count(path) > 0; }

namespace {

[[noreturn]] void bug(const std::string& path, const std::string& what) {
  throw Failure(SUITE_INTERNAL, "input key '" + path + "' " + what + "; this is an error of the program");
}

}  // namespace

// The node of a key: as written, or made from its standard.
static Node node_of(const std::map<std::string, Key>& keys, const std::map<std::string, Node>& written, const std::string& path,
                    std::initializer_list<Kind> kinds) {
  const auto key = keys.find(path);
  if (key == keys.end()) bug(path, "is not in the table of keys");
  if (std::find(kinds.begin(), kinds.end(), key->second.kind) == kinds.end()) bug(path, "is of another kind");
  if (const auto found = written.find(path); found != written.end()) return found->second;
  const char* standard = key->second.standard;
  if (!standard) bug(path, "has no value");
  const Kind kind = key->second.kind;
  const bool list = kind == Kind::integers || kind == Kind::reals || kind == Kind::words || kind == Kind::points;
  if (list || kind == Kind::settings) {
    Diagnostics ignored("", "", {});
    auto node = parse_yaml(*standard ? standard : kind == Kind::settings ? "{}" : "[]", ignored);
    if (!node) bug(path, std::string("has a malformed standard '") + standard + "'");
    return *node;
  }
  Node node;
  node.type = Node::Type::scalar;
  node.text = standard;
  return node;
}

template <class T> static T value_or_bug(const std::optional<T>& value, const std::string& path, const std::string& problem) {
  if (!value) bug(path, problem);
  return *value;
}

long Input::integer(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_integer(node_of(state_->keys, state_->written, path, {Kind::integer}), problem), path, problem);
}
double Input::real(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_real(node_of(state_->keys, state_->written, path, {Kind::real}), problem), path, problem);
}
double Input::energy_eV(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_quantity(node_of(state_->keys, state_->written, path, {Kind::energy}), Kind::energy, problem), path, problem);
}
double Input::length_bohr(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_quantity(node_of(state_->keys, state_->written, path, {Kind::length}), Kind::length, problem), path, problem);
}
double Input::time_fs(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_quantity(node_of(state_->keys, state_->written, path, {Kind::time}), Kind::time, problem), path, problem);
}
bool Input::boolean(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_boolean(node_of(state_->keys, state_->written, path, {Kind::boolean}), problem), path, problem);
}
std::string Input::text(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_text(node_of(state_->keys, state_->written, path, {Kind::text, Kind::choice, Kind::file}), problem), path, problem);
}
fs::path Input::file(const std::string& path) const {
  const Node node = node_of(state_->keys, state_->written, path, {Kind::file});
  if (node.text.empty()) return {};
  const fs::path found = find_file(node.text, state_->source, node.at.override_ >= 0);
  return found.empty() ? fs::path(node.text) : found;
}
std::vector<long> Input::integers(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_integers(node_of(state_->keys, state_->written, path, {Kind::integers}), problem, at), path, problem);
}
std::vector<double> Input::reals(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_reals(node_of(state_->keys, state_->written, path, {Kind::reals}), problem, at), path, problem);
}
std::vector<std::string> Input::words(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_words(node_of(state_->keys, state_->written, path, {Kind::words}), problem, at), path, problem);
}
std::vector<std::vector<double>> Input::points(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_points(node_of(state_->keys, state_->written, path, {Kind::points}), problem, at), path, problem);
}
std::vector<std::pair<std::string, std::string>> Input::settings(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_settings(node_of(state_->keys, state_->written, path, {Kind::settings}), problem, at), path, problem);
}

const fs::path& Input::source() const { return state_->source; }
const std::vector<std::string>& Input::overrides() const { return state_->overrides; }

std::string Input::sha256() const {
  char digits[65] = {};
  suite_error error{};
  if (suite_hash_file(state_->source.c_str(), digits, &error) != SUITE_OK) throw IoFailure(error.message);
  return digits;
}

void Input::fail(const std::string& path, const std::string& sentence) const {
  Position at{};
  if (const auto found = state_->written.find(path); found != state_->written.end()) {
    at = found->second.at;
  } else {
    std::string section = parent_of(path);
    while (!section.empty() && !state_->sections.count(section)) section = parent_of(section);
    if (!section.empty()) at = state_->sections.at(section);
  }
  state_->diagnostics->add(at, sentence);
}

void Input::finish() const {
  if (!state_->diagnostics->empty()) state_->diagnostics->raise();
}

}  // namespace suite::app
