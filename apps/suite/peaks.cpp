// SPDX-License-Identifier: BSD-3-Clause
#include "peaks.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/yaml.hpp"
#include "common/io.hpp"
#include "common/near.hpp"
#include "common/paths.hpp"
#include "options.hpp"

namespace suite::app {
namespace {

const std::vector<std::string> names{"fp64", "fp32", "dram", "l1", "l2", "l3"};

// Parses "9.7TFLOP/s" or "9.7 TFLOP/s"; 0 for anything else.
double value_of(const std::string& text, bool bandwidth) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string unit = end;
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  const std::string ending = bandwidth ? "B/s" : "FLOP/s";
  if (unit.size() != ending.size() + 1 || !unit.ends_with(ending)) return 0;
  const double scale = unit[0] == 'G' ? 1e9 : unit[0] == 'T' ? 1e12 : unit[0] == 'P' ? 1e15 : 0;
  return number * scale;
}

Peak peak_of(const std::string& name, const std::string& value, const std::string& device, const std::string& source) {
  Peak peak{name, 0, device, source};
  peak.per_s = value_of(value, peak.is_bandwidth());
  if (!(peak.per_s > 0 && peak.per_s < 1e21))
    throw UsageError("--peak: " + name + " must be a number with its unit, such as " + (peak.is_bandwidth() ? "1555GB/s" : "9.7TFLOP/s") +
                     "; got " + in_quotes(value));
  return peak;
}

std::string scalar(const Node& device, const std::string& key) {
  const Node* found = device.find(key);
  return found ? found->text : "";
}

std::vector<Peak> peaks_of_device(const std::string& name) {
  const auto file = installed_inputs() / "data" / "devices.yaml";
  const std::string text = read_text_file(file, largest_file);
  Diagnostics diagnostics(file.string(), text, {});
  const auto root = parse_yaml(text, diagnostics);
  if (!diagnostics.empty()) diagnostics.raise();
  std::vector<std::string> known;
  if (root)
    for (const auto& [key, device] : root->members) {
      known.push_back(key.text);
      if (key.text != name) continue;
      std::vector<Peak> peaks;
      for (const auto& quantity : names)
        if (const std::string value = scalar(device, quantity); !value.empty())
          peaks.push_back(peak_of(quantity, value, scalar(device, "title"), scalar(device, "source")));
      return peaks;
    }
  std::string list;
  for (const auto& one : known) list += (list.empty() ? "" : ", ") + one;
  throw UsageError("--peak: no device " + in_quotes(name) + did_you_mean(name, known) + " (devices: " + list +
                   "); or give numbers, such as fp64=9.7TFLOP/s,dram=1555GB/s");
}

}  // namespace

std::vector<Peak> given_peaks(const std::string& text) {
  if (text.find('=') == std::string::npos) return peaks_of_device(text);
  std::vector<Peak> peaks;
  for (const auto& part : split_list(text, "--peak")) {
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    if (equals == std::string::npos || std::find(names.begin(), names.end(), name) == names.end())
      throw UsageError("--peak: " + in_quotes(part) + " must be one of fp64=, fp32=, dram=, l1=, l2=, l3=" + did_you_mean(name, names));
    for (const auto& earlier : peaks)
      if (earlier.name == name) throw UsageError("--peak: " + name + " is given twice");
    peaks.push_back(peak_of(name, part.substr(equals + 1), "", "given with --peak"));
  }
  return peaks;
}

}  // namespace suite::app
