// SPDX-License-Identifier: BSD-3-Clause
// A table that binds each input key of an app to the settings member it fills:
//
//   const app::BoundKeys<Settings>& keys() {
//     static const app::BoundKeys<Settings> all{
//         {"sigma.gpp_broadening", app::energy(1, &Settings::gpp_broadening_eV), "0.5 eV", ">0", "..."},
//         {"sigma.model", app::choice(&Settings::model, {{"gpp", Model::gpp}, {"cohsex", Model::cohsex}}), "gpp", "..."},
//         {"sigma.bands", Kind::integers, nullptr, "1..1000000", "first and last band"},  // the app reads it itself
//     };
//
// A nested member is given by the chain of member pointers: app::real(&Settings::propagation, &PropagationSettings::gamma). A member
// keeps its value if a key without default is left out.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "input.hpp"

namespace suite::app {

// How a key fills a member of S.
template <class S> struct Binding {
  Kind kind;
  std::function<void(const Input&, const char* path, S&)> read;
  std::function<nlohmann::ordered_json(const S&)> value;  // for the fingerprint; empty if results do not depend on it
  std::shared_ptr<const std::string> choices = nullptr;   // names of a choice with named values
};

namespace binding {

// Follows a chain of member pointers.
template <class S> S& member(S& s) { return s; }
template <class S, class M, class O, class... Rest> decltype(auto) member(S& s, M O::*first, Rest... rest) {
  return member(s.*first, rest...);
}

template <class First, class... Rest> struct SettingsOf;
template <class M, class S, class... Rest> struct SettingsOf<M S::*, Rest...> {
  using type = S;
};
template <class... Members> using settings_of = typename SettingsOf<Members...>::type;

template <class T> nlohmann::ordered_json json_of(const T& value) {
  if constexpr (std::is_enum_v<T>) return static_cast<int>(value);
  else return value;
}
template <class T> nlohmann::ordered_json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : nlohmann::ordered_json();
}

// get(input, path) returns the value of the key.
template <class Get, class... Members> Binding<settings_of<Members...>> bound(Kind kind, Get get, Members... members) {
  using S = settings_of<Members...>;
  return {kind, [get, members...](const Input& input, const char* path, S& s) { member(s, members...) = get(input, path); },
          [members...](const S& s) { return json_of(member(s, members...)); }};
}

}  // namespace binding

template <class... Members> auto integer(Members... members) {
  return binding::bound(
      Kind::integer, [](const Input& input, const char* path) { return input.integer(path); }, members...);
}
// For a key whose range fits into an int.
template <class... Members> auto small_integer(Members... members) {
  return binding::bound(
      Kind::integer, [](const Input& input, const char* path) { return input.small_integer(path); }, members...);
}
template <class... Members> auto real(Members... members) {
  return binding::bound(
      Kind::real, [](const Input& input, const char* path) { return input.real(path); }, members...);
}
// unit_eV: the member's unit in eV; likewise unit_bohr and unit_fs.
template <class... Members> auto energy(double unit_eV, Members... members) {
  return binding::bound(
      Kind::energy, [=](const Input& input, const char* path) { return input.energy_eV(path) / unit_eV; }, members...);
}
template <class... Members> auto length(double unit_bohr, Members... members) {
  return binding::bound(
      Kind::length, [=](const Input& input, const char* path) { return input.length_bohr(path) / unit_bohr; }, members...);
}
template <class... Members> auto time(double unit_fs, Members... members) {
  return binding::bound(
      Kind::time, [=](const Input& input, const char* path) { return input.time_fs(path) / unit_fs; }, members...);
}
// Of any kind with a unit; unit: the member's, "Ha/bohr".
template <class... Members> auto quantity(Kind kind, const char* unit, Members... members) {
  return binding::bound(
      kind, [=](const Input& input, const char* path) { return input.quantity(path, unit); }, members...);
}
template <class... Members> auto quantities(Kind kind, const char* unit, Members... members) {
  return binding::bound(
      kind, [=](const Input& input, const char* path) { return input.quantities(path, unit); }, members...);
}
template <class... Members> auto boolean(Members... members) {
  return binding::bound(
      Kind::boolean, [](const Input& input, const char* path) { return input.boolean(path); }, members...);
}
template <class... Members> auto reals(Members... members) {
  return binding::bound(
      Kind::reals, [](const Input& input, const char* path) { return input.reals(path); }, members...);
}
// Its contents determine the results, not its name, so the fingerprint excludes the name.
template <class... Members> auto file(Members... members) {
  auto made = binding::bound(
      Kind::file, [](const Input& input, const char* path) { return input.file(path); }, members...);
  made.value = nullptr;
  return made;
}
// A choice stored as its text.
template <class... Members> auto text_choice(Members... members) {
  return binding::bound(
      Kind::choice, [](const Input& input, const char* path) { return input.text(path); }, members...);
}

// A choice that maps each name to a value, such as an enumerator or a bool.
template <class T, class... Members> auto choice(std::vector<std::pair<const char*, T>> values, Members... members) {
  std::string names;
  for (const auto& [name, value] : values) names += (names.empty() ? "" : " ") + std::string(name);
  auto made = binding::bound(
      Kind::choice,
      [values](const Input& input, const char* path) {
        const std::string text = input.text(path);
        for (const auto& [name, value] : values)
          if (text == name) return value;
        throw Failure(SUITE_INTERNAL, std::string("'") + path + "' has the choice '" + text + "' without a value");
      },
      members...);
  made.choices = std::make_shared<const std::string>(std::move(names));
  return made;
}
// For a member that does not affect the results: excluded from the fingerprint.
template <class S> Binding<S> aside(Binding<S> binding) {
  binding.value = nullptr;
  return binding;
}

template <class S> struct BoundKey {
  Key key;
  Binding<S> binding;  // read is empty if the app reads the key itself, together with others
  BoundKey(const char* path, Binding<S> bound, const char* default_text, const char* range, const char* meaning,
           const char* former_unit = nullptr)
      : key{path, bound.kind, default_text, bound.choices ? bound.choices->c_str() : range, meaning, former_unit},
        binding(std::move(bound)) {}
  BoundKey(const char* path, Kind kind, const char* default_text, const char* range, const char* meaning, const char* former_unit = nullptr,
           const char* unit_key = nullptr)
      : key{path, kind, default_text, range, meaning, former_unit, unit_key}, binding{kind, nullptr, nullptr} {}
};

template <class S> class BoundKeys {
public:
  BoundKeys(std::initializer_list<BoundKey<S>> bound) : bound_(bound) {
    for (const auto& b : bound_) keys_.push_back(b.key);
  }
  const std::vector<Key>& keys() const { return keys_; }
  // Fills the members of all keys whose path starts with section ("": all keys).
  void read(const Input& input, S& settings, const std::string& section = "") const {
    for (const auto& [key, binding] : bound_) {
      if (!binding.read || std::string(key.path).rfind(section, 0) != 0) continue;
      input.group([&] {
        const bool left_out = key.default_text && !*key.default_text && !input.has(key.path);
        if (!left_out || binding.kind == Kind::file) binding.read(input, key.path, settings);
      });
    }
  }
  // Values by key path, for the fingerprint of a run.
  nlohmann::ordered_json values(const S& settings) const {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    for (const auto& [key, binding] : bound_)
      if (binding.value) all[key.path] = binding.value(settings);
    return all;
  }

private:
  std::vector<BoundKey<S>> bound_;
  std::vector<Key> keys_;
};

}  // namespace suite::app
