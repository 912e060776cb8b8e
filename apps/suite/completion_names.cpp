// SPDX-License-Identifier: BSD-3-Clause
#include "completion_names.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>

#include <suite/suite.h>

#include "base/values.hpp"
#include "common/paths.hpp"
#include "measure/installed.hpp"
#include "bench_plan.hpp"
#include "registry.hpp"
#include "session.hpp"
#include "validation_list.hpp"

namespace suite::app {
namespace {

using Words = std::vector<std::string>;
using Names = std::set<std::string>;

Words list_of(const Names& names) { return {names.begin(), names.end()}; }

// The command line that is being completed, as far as it can be understood.
class Line {
public:
  explicit Line(const Words& words) {
    // bash hands over "--set=a=b" in pieces.
    Words whole;
    for (size_t i = 0; i < words.size(); ++i)
      if (words[i] == "=" && !whole.empty()) whole.back() += "=" + (i + 1 < words.size() ? words[++i] : std::string());
      else whole.push_back(words[i]);
    for (size_t i = 1; i < whole.size(); ++i) {
      if (i + 1 == whole.size()) current_ = whole[i];
      if (whole[i].rfind("--", 0) != 0) {
        if (i + 1 < whole.size()) positional_.push_back(whole[i]);
        continue;
      }
      const size_t equals = whole[i].find('=');
      const std::string name = whole[i].substr(0, equals);
      if (i + 1 == whole.size()) current_ = equals == std::string::npos ? whole[i] : whole[i].substr(equals + 1);
      else if (equals != std::string::npos) options_.emplace_back(name, whole[i].substr(equals + 1));
      else if (takes_value(name)) {
        if (++i + 1 == whole.size()) current_ = whole[i];
        options_.emplace_back(name, whole[i]);
      }
    }
  }
  const std::string& current() const { return current_; }
  const Words& positional() const { return positional_; }
  // Values of --implementation, --implementations and --backend.
  Names implementations() const {
    Names names;
    for (const auto& [name, value] : options_)
      if (name == "--implementation" || name == "--implementations" || name == "--backend")
        for (size_t begin = 0, end; begin <= value.size(); begin = end + 1) {
          end = std::min(value.find(',', begin), value.size());
          names.insert(value.substr(begin, std::min(value.find(':', begin), end) - begin));
        }
    return names;
  }

private:
  static bool takes_value(const std::string& name) {
    return std::any_of(options().begin(), options().end(), [&](const Option& option) { return name == option.name && option.value; });
  }
  Words positional_;
  std::vector<std::pair<std::string, std::string>> options_;
  std::string current_;
};

// The app or kernel of the first input on the line.
std::optional<Header> header_of(const Line& line) {
  Words apps;
  for (const auto& app : registered_apps()) apps.push_back(app.name);
  for (const auto& word : line.positional()) try {
      if (is_input(word)) return read_header(read_input_text(find_input(word)), apps, {});
    } catch (const std::exception&) {}  // not an input, or not yet
  return std::nullopt;
}

template <class F> void each_table(F&& seen) {
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        if (plugin)
          for (const suite_kernel_table* table : std::span(plugin->kernels, plugin->kernel_count))
            (*static_cast<std::remove_reference_t<F>*>(with))(*table);
      },
      &seen);
}

std::string family_part(const std::string& kernel) { return kernel.substr(0, kernel.find('.')); }

// The kernels and families on the line, or the kernel of its input; empty: any.
Names kernels_on(const Line& line) {
  Names wanted;
  each_table([&](const suite_kernel_table& table) {
    for (const auto& word : line.positional())
      if (word == table.kernel || word == family_part(table.kernel)) wanted.insert(table.kernel);
  });
  if (wanted.empty())
    if (const auto header = header_of(line); header && !header->kernel.empty()) wanted.insert(header->kernel);
  return wanted;
}

// The tables of the kernels and implementations on the line.
template <class F> void each_table_of(const Line& line, F&& seen) {
  const Names kernels = kernels_on(line), implementations = line.implementations();
  each_table([&](const suite_kernel_table& table) {
    const bool implemented =
        implementations.empty() || implementations.count(table.implementation) > 0 || implementations.count(table.backend) > 0;
    if (implemented && (kernels.empty() || kernels.count(table.kernel) > 0)) seen(table);
  });
}

Words kernels(const Words&) { return kernel_names(); }

Words families(const Words&) {
  Names names;
  for (const auto& kernel : kernel_names()) names.insert(family_part(kernel));
  return list_of(names);
}

Words implementations(const Words& words) {
  Names names;
  const Names wanted = kernels_on(Line(words));
  each_table([&](const suite_kernel_table& table) {
    if (wanted.empty() || wanted.count(table.kernel)) names.insert(table.implementation);
  });
  return list_of(names);
}

Words backends(const Words&) {
  Names names;
  suite_visit(
      [](void* to, const char*, const suite_plugin* plugin, const char*) {
        if (plugin && plugin->backend) static_cast<Names*>(to)->insert(plugin->backend->name);
      },
      &names);
  return list_of(names);
}

Words inputs(const Words&) {
  Names names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(installed_inputs(), error))
    if (entry.path().extension() == ".yaml") names.insert(entry.path().filename().string());
  return list_of(names);
}

Words validations(const Words&) { return validated_families(); }

Words preset_names(const Words&) {
  Words names;
  for (const auto& preset : presets()) names.emplace_back(preset.name);
  return names;
}

// Keys of the input on the line as "sigma.model=", and the values of the one before a '=': "sigma.model=gpp".
Words input_keys(const Words& words) {
  const Line line(words);
  const auto header = header_of(line);
  if (!header) return {};
  std::vector<Key> keys = kernel_keys();
  if (!header->app.empty()) {
    keys = common_keys();
    const auto app = make_app(header->app);
    keys.insert(keys.end(), app->keys().begin(), app->keys().end());
  }
  Words names;
  const size_t equals = line.current().find('=');
  for (const auto& key : keys) {
    const std::string assigned = std::string(key.path) + "=";
    if (equals == std::string::npos) names.push_back(assigned);
    else if (line.current().substr(0, equals + 1) == assigned) {
      const Words values = key.kind == Kind::boolean  ? Words{"true", "false"}
                           : key.kind == Kind::choice ? split_choices(key.choices)
                                                      : Words{};
      for (const auto& value : values) names.push_back(assigned + value);
    }
  }
  return names;
}

Words variants(const Words& words) {
  Names names;
  each_table_of(Line(words), [&](const suite_kernel_table& table) {
    for (const auto& variant : variants_of(table)) names.insert(variant);
  });
  return list_of(names);
}

// "precision=", or with a '=' before the cursor "precision=mixed".
Words parameters(const Words& words) {
  const Line line(words);
  const size_t equals = line.current().find('=');
  Names names;
  each_table_of(line, [&](const suite_kernel_table& table) {
    for (const suite_parameter& parameter : std::span(table.parameters, table.parameter_count)) {
      const std::string assigned = std::string(parameter.name) + "=";
      if (assigned == "variant=" || assigned == "threads=") continue;  // options of their own
      if (equals == std::string::npos) names.insert(assigned);
      else if (parameter.choices && line.current().substr(0, equals + 1) == assigned)
        for (const suite_choice& choice : std::span(parameter.choices, parameter.choice_count)) names.insert(assigned + choice.name);
    }
  });
  return list_of(names);
}

// A kernel lists its sizes where it refuses one: "unknown size '?' (known: small, standard, ncouls, ...)".
Words sizes(const Words& words) {
  constexpr const char* opening = "(known: ";
  const Names wanted = kernels_on(Line(words));
  Names names;
  for (const auto& kernel : wanted) try {
      const std::string sentence = trouble_with(kernel, "?");
      size_t begin = sentence.find(opening);
      if (begin == std::string::npos) continue;
      begin += std::string(opening).size();
      const std::string list = sentence.substr(begin, sentence.rfind(')') - begin) + ", ";
      for (size_t at = 0, end; (end = list.find(", ", at)) != std::string::npos; at = end + 2) names.insert(list.substr(at, end - at));
    } catch (const std::exception&) {}
  return list_of(names);
}

}  // namespace

const std::vector<NameTopic>& name_topics() {
  static const std::vector<NameTopic> topics{{"kernels", kernels},       {"families", families}, {"implementations", implementations},
                                             {"backends", backends},     {"inputs", inputs},     {"validations", validations},
                                             {"presets", preset_names},  {"keys", input_keys},   {"variants", variants},
                                             {"parameters", parameters}, {"sizes", sizes}};
  return topics;
}

}  // namespace suite::app
