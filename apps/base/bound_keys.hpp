// SPDX-License-Identifier: BSD-3-Clause
// The input keys of an app, each with the member of its settings that it fills, said once:
//
//   const app::BoundKeys<Settings>& keys() {
//     static const app::BoundKeys<Settings> all{
//         {"sigma.gpp_broadening", app::energy(1, &Settings::gpp_broadening_eV), "0.5 eV", ">0", "..."},
//         {"sigma.model", app::choice(&Settings::model, {{"gpp", Model::gpp}, {"cohsex", Model::cohsex}}), "gpp", "..."},
//         {"sigma.bands", Kind::integers, nullptr, "1..1000000", "first and last band"},  // the app reads it by itself
//     };
//
// Members of structs inside are named by the way to them: app::real(&Settings::propagation, &PropagationSettings::gamma). A member
// keeps its value where a key without default is left out.
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
  std::function<nlohmann::ordered_json(const S&)> value;  // for the fingerprint; empty: results do not depend on it
  std::shared_ptr<const std::string> choices = nullptr;   // of a choice with named values
};

namespace binding {

// The member at the end of the way.
template <class S> S& member(S& s) { return s; }
template <class S, class M, class O, class... Rest> decltype(auto) member(S& s, M O::*first, Rest... rest) {
  return member(s.*first, rest...);
}

template <class First, class... Rest> struct SettingsOf;
template <class M, class S, class... Rest> struct SettingsOf<M S::*, Rest...> {
  using type = S;
};
template <class... Way> using settings_of = typename SettingsOf<Way...>::type;

template <class T> nlohmann::ordered_json json_of(const T& value) {
  if constexpr (std::is_enum_v<T>) return static_cast<int>(value);
  else return value;
}
template <class T> nlohmann::ordered_json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : nlohmann::ordered_json();
}

// get(input, path) is what the key says.
template <class Get, class... Way> Binding<settings_of<Way...>> bound(Kind kind, Get get, Way... way) {
  using S = settings_of<Way...>;
  return {kind, [get, way...](const Input& input, const char* path, S& s) { member(s, way...) = get(input, path); },
          [way...](const S& s) { return json_of(member(s, way...)); }};
}

}  // namespace binding

template <class... Way> auto integer(Way... way) {
  return binding::bound(
      Kind::integer, [](const Input& input, const char* path) { return input.integer(path); }, way...);
}
// Of a key whose range an int holds.
template <class... Way> auto small_integer(Way... way) {
  return binding::bound(
      Kind::integer, [](const Input& input, const char* path) { return input.small_integer(path); }, way...);
}
template <class... Way> auto real(Way... way) {
  return binding::bound(
      Kind::real, [](const Input& input, const char* path) { return input.real(path); }, way...);
}
// unit_eV: the member's unit in eV; unit_bohr and unit_fs likewise.
template <class... Way> auto energy(double unit_eV, Way... way) {
  return binding::bound(
      Kind::energy, [=](const Input& input, const char* path) { return input.energy_eV(path) / unit_eV; }, way...);
}
template <class... Way> auto length(double unit_bohr, Way... way) {
  return binding::bound(
      Kind::length, [=](const Input& input, const char* path) { return input.length_bohr(path) / unit_bohr; }, way...);
}
template <class... Way> auto time(double unit_fs, Way... way) {
  return binding::bound(
      Kind::time, [=](const Input& input, const char* path) { return input.time_fs(path) / unit_fs; }, way...);
}
template <class... Way> auto boolean(Way... way) {
  return binding::bound(
      Kind::boolean, [](const Input& input, const char* path) { return input.boolean(path); }, way...);
}
template <class... Way> auto reals(Way... way) {
  return binding::bound(
      Kind::reals, [](const Input& input, const char* path) { return input.reals(path); }, way...);
}
// A file is one of the inputs of a run whose contents count, not its name.
template <class... Way> auto file(Way... way) {
  auto made = binding::bound(
      Kind::file, [](const Input& input, const char* path) { return input.file(path); }, way...);
  made.value = nullptr;
  return made;
}
// A choice that is kept as its text.
template <class... Way> auto text_choice(Way... way) {
  return binding::bound(
      Kind::choice, [](const Input& input, const char* path) { return input.text(path); }, way...);
}

// A choice with a value for each name, such as an enumeration's or a switch's.
template <class T, class... Way> auto choice(std::vector<std::pair<const char*, T>> values, Way... way) {
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
      way...);
  made.choices = std::make_shared<const std::string>(std::move(names));
  return made;
}
// A member on which no number of the results depends, so that the fingerprint leaves it out.
template <class S> Binding<S> aside(Binding<S> binding) {
  binding.value = nullptr;
  return binding;
}

template <class S> struct BoundKey {
  Key key;
  Binding<S> binding;  // read: empty where the app reads the key by itself, with others
  BoundKey(const char* path, Binding<S> bound, const char* default_text, const char* range, const char* meaning)
      : key{path, bound.kind, default_text, bound.choices ? bound.choices->c_str() : range, meaning}, binding(std::move(bound)) {}
  BoundKey(const char* path, Kind kind, const char* default_text, const char* range, const char* meaning)
      : key{path, kind, default_text, range, meaning}, binding{kind, nullptr, nullptr} {}
};

template <class S> class BoundKeys {
public:
  BoundKeys(std::initializer_list<BoundKey<S>> bound) : bound_(bound) {
    for (const auto& b : bound_) keys_.push_back(b.key);
  }
  const std::vector<Key>& keys() const { return keys_; }
  // Fills the members of all keys below the section; "": of all keys.
  void read(const Input& input, S& settings, const std::string& section = "") const {
    for (const auto& [key, binding] : bound_) {
      if (!binding.read || std::string(key.path).rfind(section, 0) != 0) continue;
      input.group([&] {
        const bool left_out = key.default_text && !*key.default_text && !input.has(key.path);
        if (!left_out || binding.kind == Kind::file) binding.read(input, key.path, settings);
      });
    }
  }
  // Members by the path of their key, for the fingerprint of a run.
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
