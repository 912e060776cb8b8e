// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"

#include <algorithm>
#include <map>

#include <suite/sha256.hpp>
#include <suite/suite.h>

#include "common/io.hpp"
#include "common/near.hpp"
#include "checker.hpp"
#include "document.hpp"
#include "quantity.hpp"
#include "values.hpp"
#include "common/quantities.hpp"

namespace suite::app {

namespace fs = std::filesystem;

struct Input::State {
  fs::path source;
  std::string sha256;
  std::vector<std::string> overrides;
  std::map<std::string, Key> keys;
  Checked checked;
  mutable std::optional<Diagnostics> diagnostics;
};

const std::vector<Key>& common_keys() {
  static const std::vector<Key> keys{
      {"app", Kind::text, nullptr, nullptr, "app to run"},
      {"title", Kind::text, "", nullptr, "title, copied to the results"},
      {"kernel.implementation", Kind::text, "cpu", nullptr,
       "implementation of the kernels: name shown by 'suite list', or path of a plugin"},
      {"kernel.variant", Kind::text, "best", nullptr, "variant of the implementation"},
      {"kernel.parameters", Kind::settings, "", nullptr,
       "parameters of the implementation, such as {precision: mixed}; 'suite list KERNEL' shows them"},
  };
  return keys;
}

const std::vector<Key>& kernel_keys() {
  static const std::vector<Key> keys{
      {"kernel", Kind::text, nullptr, nullptr, "kernel, such as gpp.sigma"},
      {"title", Kind::text, "", nullptr, "title, copied to the results"},
      {"size", Kind::text, "small", nullptr, "named size, or extents such as ncouls=512,nw=3"},
      {"seed", Kind::integer, "1", "0..", "seed of the generated arguments"},
      {"implementation", Kind::text, "cpu", nullptr, "name shown by 'suite list', or path of a plugin"},
      {"variant", Kind::text, "best", nullptr, "variant of the implementation"},
      {"parameters", Kind::settings, "", nullptr, "parameters of the implementation, such as {precision: mixed}"},
      {"repeat", Kind::integer, "5", "1..100000", "number of timed runs"},
  };
  return keys;
}

Header read_header(const InputText& input, const std::vector<std::string>& apps, const std::vector<std::string>& overrides) {
  Document document = parse_document(input.file.string(), input.text, overrides);
  if (!document.root) document.diagnostics.raise();
  const Node* app = document.root->find("app");
  const Node* kernel = document.root->find("kernel");
  if (app) {
    std::string problem;
    const auto name = read_text(*app, problem);
    if (name && std::find(apps.begin(), apps.end(), *name) != apps.end()) return {*name, ""};
    std::string list;
    for (const auto& a : apps) list += (list.empty() ? "" : ", ") + a;
    document.diagnostics.add(app->at,
                             name ? "unknown app " + in_quotes(*name) +
                                        (list.empty() ? "; this build has no apps" : " (known: " + list + ")") + did_you_mean(*name, apps)
                                  : "'app' " + problem,
                             name ? SUITE_NOT_FOUND : SUITE_INVALID_ARGUMENT);
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

struct Input::Asked {
  const fs::path& file;
  const std::vector<Key>& keys;
  const std::vector<std::string>& overrides;
};

Input Input::read_on(const InputText& input, const std::vector<Key>& keys, const std::vector<std::string>& overrides) {
  std::vector<Key> order;
  if (&keys != &kernel_keys()) order = common_keys();
  order.insert(order.end(), keys.begin(), keys.end());
  Input made = checked({input.file, order, overrides}, parse_document(input.file.string(), input.text, overrides));
  made.state_->sha256 = hexadecimal(suite::sha256(input.text.data(), input.text.size()));
  return made;
}

Input Input::read(const fs::path& file, const std::vector<Key>& keys, const std::vector<std::string>& overrides) {
  Input input = read_on(read_input_text(file), keys, overrides);
  input.finish();
  return input;
}

Input Input::made(const fs::path& file, const std::string& text, const std::vector<Key>& keys, const std::vector<std::string>& overrides) {
  Input input = checked({file, keys, overrides}, parse_document(file.string(), text, overrides));
  char digits[65] = {};
  suite_error error{};
  if (suite_hash_file(file.c_str(), digits, &error) != SUITE_OK) throw IoFailure(error.message);
  input.state_->sha256 = digits;
  input.finish();
  return input;
}

Input Input::checked(const Asked& asked, Document document) {
  auto state = std::make_shared<State>();
  state->source = asked.file;
  state->overrides = asked.overrides;
  for (const auto& key : asked.keys) state->keys.insert_or_assign(key.path, key);
  if (!document.root) document.diagnostics.raise();
  check_keys(*document.root, asked.keys, state->keys, asked.file, document.diagnostics, state->checked);
  state->diagnostics.emplace(std::move(document.diagnostics));
  return Input(std::move(state));
}

bool Input::has(const std::string& path) const {
  if (state_->checked.written.count(path) > 0) return true;
  const auto key = state_->keys.find(path);
  if (key != state_->keys.end() && key->second.default_text && state_->checked.unreadable.count(path))
    throw Unreadable();  // written under another name
  return false;
}

void Input::needs(std::initializer_list<const char*> paths) const {
  for (const char* path : paths)
    if (state_->checked.unreadable.count(path)) throw Unreadable();
}

bool Input::sound() const { return state_->diagnostics->empty(); }

namespace {

[[noreturn]] void bug(const std::string& path, const std::string& what) {
  throw Failure(SUITE_INTERNAL, "input key '" + path + "' " + what + "; this is an internal error");
}

}  // namespace

// The node of a key: as written, or built from its default.
static Node node_of(const std::map<std::string, Key>& keys, const Checked& checked, const std::string& path,
                    std::initializer_list<Kind> kinds) {
  const auto key = keys.find(path);
  if (key == keys.end()) bug(path, "is not in the table of keys");
  if (std::find(kinds.begin(), kinds.end(), key->second.kind) == kinds.end()) bug(path, "is of another kind");
  if (checked.unreadable.count(path)) throw Unreadable();
  if (const auto found = checked.written.find(path); found != checked.written.end()) return found->second;
  const char* default_text = key->second.default_text;
  if (!default_text) bug(path, "has no value");
  const Kind kind = key->second.kind;
  const bool list =
      kind == Kind::integers || kind == Kind::reals || kind == Kind::names || kind == Kind::points || kind_of_items(kind) != kind;
  if (list || kind == Kind::settings) {
    Diagnostics ignored("", "", {});
    auto node = parse_yaml(*default_text ? default_text : kind == Kind::settings ? "{}" : "[]", ignored);
    if (!node) bug(path, std::string("has a malformed default '") + default_text + "'");
    return *node;
  }
  Node node;
  node.type = Node::Type::scalar;
  node.text = default_text;
  return node;
}

template <class T> static T value_or_bug(const std::optional<T>& value, const std::string& path, const std::string& problem) {
  if (!value) bug(path, problem);
  return *value;
}

long Input::integer(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_integer(node_of(state_->keys, state_->checked, path, {Kind::integer}), problem), path, problem);
}
int Input::small_integer(const std::string& path) const {
  const long value = integer(path);
  if (value != static_cast<int>(value)) bug(path, "has a range beyond an int");
  return static_cast<int>(value);
}
double Input::real(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_real(node_of(state_->keys, state_->checked, path, {Kind::real}), problem), path, problem);
}
double Input::canonical(const std::string& path, Kind kind) const {
  std::string problem;
  const Node node = node_of(state_->keys, state_->checked, path, {kind});
  const auto value = value_or_bug(read_quantity(node, kind, problem), path, problem);
  return value.amount * value_or_bug(unit_of(value, state_->keys.at(path)), path, "has no unit").factor;
}
double Input::energy_eV(const std::string& path) const { return canonical(path, Kind::energy); }
double Input::length_bohr(const std::string& path) const { return canonical(path, Kind::length); }
double Input::time_fs(const std::string& path) const { return canonical(path, Kind::time); }

double Input::quantity(const std::string& path, const std::string& unit) const {
  const auto values = converted(path, unit);
  if (values.size() != 1) bug(path, "is a list");
  return values.front();
}

std::vector<double> Input::quantities(const std::string& path, const std::string& unit) const { return converted(path, unit); }

std::vector<std::vector<double>> Input::positions_bohr(const std::string& path) const {
  const auto numbers = converted(path, "bohr");
  const size_t rows = node_of(state_->keys, state_->checked, path, {Kind::positions}).items.size();
  std::vector<std::vector<double>> table;
  for (size_t i = 0; i < rows; ++i) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(i * numbers.size() / rows);
    table.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(numbers.size() / rows));
  }
  return table;
}

std::vector<double> Input::converted(const std::string& path, const std::string& name) const {
  const auto found = state_->keys.find(path);
  if (found == state_->keys.end() || !has_unit(found->second.kind)) bug(path, "is not in the table of keys with a unit");
  const Key& key = found->second;
  const Unit* wanted = find_unit(key.kind, name);
  if (!wanted) bug(path, "has no unit '" + name + "'");
  const Node node = node_of(state_->keys, state_->checked, path, {key.kind});
  std::string problem;
  const Node* at = nullptr;
  std::vector<Quantity> all;
  if (kind_of_items(key.kind) == key.kind) all = {value_or_bug(read_quantity(node, key.kind, problem), path, problem)};
  else all = value_or_bug(read_quantities(node, key.kind, problem, at), path, problem);
  std::vector<double> values;
  for (const auto& quantity : all)
    values.push_back(quantity.amount * (value_or_bug(unit_of(quantity, key), path, "has no unit").factor / wanted->factor));
  return values;
}

// The unit of a value: its own, that of its section, or that of inputs older than the rule of units.
std::optional<Unit> Input::unit_of(const Quantity& quantity, const Key& key) const {
  const Unit* unit = quantity.unit;
  if (!unit && key.unit_key && state_->checked.written.count(key.unit_key)) unit = find_unit(key.kind, text(key.unit_key));
  if (!unit && key.former_unit) unit = find_unit(key.kind, key.former_unit);
  return unit ? std::optional(*unit) : std::nullopt;
}
bool Input::boolean(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_boolean(node_of(state_->keys, state_->checked, path, {Kind::boolean}), problem), path, problem);
}
std::string Input::text(const std::string& path) const {
  std::string problem;
  return value_or_bug(read_text(node_of(state_->keys, state_->checked, path, {Kind::text, Kind::choice, Kind::file}), problem), path,
                      problem);
}
fs::path Input::file(const std::string& path) const {
  const Node node = node_of(state_->keys, state_->checked, path, {Kind::file});
  if (node.text.empty()) return {};
  const fs::path found = find_file(node.text, state_->source, node.at.override_ >= 0);
  return found.empty() ? fs::path(node.text) : found;
}
std::vector<long> Input::integers(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_integers(node_of(state_->keys, state_->checked, path, {Kind::integers}), problem, at), path, problem);
}
std::vector<double> Input::reals(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_reals(node_of(state_->keys, state_->checked, path, {Kind::reals}), problem, at), path, problem);
}
std::vector<std::string> Input::names(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_names(node_of(state_->keys, state_->checked, path, {Kind::names}), problem, at), path, problem);
}
std::vector<std::vector<double>> Input::points(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_points(node_of(state_->keys, state_->checked, path, {Kind::points}), problem, at), path, problem);
}
std::vector<std::pair<std::string, std::string>> Input::settings(const std::string& path) const {
  std::string problem;
  const Node* at = nullptr;
  return value_or_bug(read_settings(node_of(state_->keys, state_->checked, path, {Kind::settings}), problem, at), path, problem);
}

const fs::path& Input::source() const { return state_->source; }
const std::vector<std::string>& Input::overrides() const { return state_->overrides; }

std::string Input::sha256() const { return state_->sha256; }

Position Input::position_of(const std::string& path) const {
  Position at{};
  if (const auto found = state_->checked.written.find(path); found != state_->checked.written.end()) {
    at = found->second.at;
  } else {
    std::string section = parent_of(path);
    while (!section.empty() && !state_->checked.sections.count(section)) section = parent_of(section);
    if (!section.empty()) at = state_->checked.sections.at(section);
  }
  return at;
}

void Input::fail(const std::string& path, const std::string& sentence, suite_status status) const {
  state_->diagnostics->add(position_of(path), sentence, status);
}

void Input::warn(const std::string& path, const std::string& sentence) const { state_->diagnostics->warn(position_of(path), sentence); }

std::string Input::warnings() const { return state_->diagnostics->warnings(); }

void Input::fail_missing(const std::string& path, const std::string& what) const {
  fail(path, "missing key '" + last_part(path) + "' in '" + parent_of(path) + "': " + what);
}

void Input::refuse(std::initializer_list<const char*> paths, const std::string& why) const {
  for (const char* path : paths)
    if (state_->checked.written.count(path)) fail(path, why);
}

void Input::refuse_section(const std::string& section, const std::string& why, const std::string& except) const {
  for (const auto& [path, node] : state_->checked.written)
    if (path.rfind(section + ".", 0) == 0 && path != except) fail(path, why);
}

bool Input::need_three(const std::string& path, size_t found) const {
  if (found == 3) return true;
  fail(path, "'" + last_part(path) + "' has " + counted(found, "number") + "; it needs 3, for x, y and z");
  return false;
}

std::optional<std::array<double, 3>> Input::three_reals(const std::string& path) const {
  const auto list = reals(path);
  if (!need_three(path, list.size())) return std::nullopt;
  return std::array<double, 3>{list[0], list[1], list[2]};
}

std::optional<std::array<double, 3>> Input::three_quantities(const std::string& path, const std::string& unit) const {
  const auto list = quantities(path, unit);
  if (!need_three(path, list.size())) return std::nullopt;
  return std::array<double, 3>{list[0], list[1], list[2]};
}

std::optional<std::array<int, 3>> Input::three_integers(const std::string& path) const {
  const auto list = integers(path);
  if (!need_three(path, list.size())) return std::nullopt;
  return std::array<int, 3>{static_cast<int>(list[0]), static_cast<int>(list[1]), static_cast<int>(list[2])};
}

void Input::finish() const {
  if (!state_->diagnostics->empty()) state_->diagnostics->raise();
}

}  // namespace suite::app
