// SPDX-License-Identifier: BSD-3-Clause
#include "replay.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/near.hpp"
#include "session.hpp"
#include "table.hpp"
#ifdef SUITE_APP_HDF5
#include "hdf5/captured_call.hpp"
#include "measure/installed.hpp"
#endif

namespace suite::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

const std::vector<Key>& replay_keys() {
  static const std::vector<Key> keys{
      {"kernel", Kind::text, nullptr, nullptr, "captured kernel"},
      {"title", Kind::text, "", nullptr, "title, copied to the results"},
      {"implementation", Kind::text, "cpu", nullptr, "name shown by 'suite list', or path of a plugin"},
      {"variant", Kind::text, "best", nullptr, "variant of the implementation"},
      {"parameters", Kind::settings, "", nullptr, "parameters of the implementation, such as {precision: mixed}"},
      {"repeat", Kind::integer, "5", "1..100000", "number of timed runs"},
  };
  return keys;
}

// The table of an installed implementation, without opening its device; null if not installed.
const suite_kernel_table* table_of(const std::string& kernel, const std::string& implementation) {
  struct Search {
    const std::string &kernel, &implementation;
    const suite_kernel_table* found = nullptr;
  } search{kernel, implementation};
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        auto& s = *static_cast<Search*>(with);
        for (uint32_t i = 0; plugin && !s.found && i < plugin->kernel_count; ++i)
          if (s.kernel == plugin->kernels[i]->kernel && s.implementation == plugin->kernels[i]->implementation)
            s.found = plugin->kernels[i];
      },
      &search);
  return search.found;
}

bool is_default(const suite_parameter& known, const std::string& value) {
  return value == (known.choices ? known.choices[known.value].name : std::to_string(known.value));
}

// An output buffer with all bits set, which is NaN.
Output blank(const Output& like) { return {like.name, like.array, std::vector<char>(like.bytes.size(), '\xff')}; }

}  // namespace

bool Replay::recognises(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".h5" || ending == ".hdf5") return true;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  char first[8] = {};
  std::ifstream(file, std::ios::binary).read(first, sizeof first);
  return !std::memcmp(first, "\x89HDF\r\n\x1a\n", sizeof first);
}

#ifdef SUITE_APP_HDF5

Replay::Replay(const fs::path& file) : file_(file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw IoFailure(file.string() + ": " + (fs::exists(file, error) ? "is not a regular file" : "no such file"));
  hdf5::CapturedCall call = hdf5::read_captured_call(file);
  for (const auto& [name, text] : call.texts) texts_[name] = without_control(text);  // printed on a terminal
  seconds_ = call.seconds;
  call_ = call.number;
  tolerance_ = call.tolerance;
  kernel_ = texts_["kernel"];
  require_kernel(kernel_);
  read_parameters();
  Kernel reference(kernel_, "reference");
  const suite_kernel_table& table = reference.table();
  try {
    for (const auto& name : call.arguments) {
      const auto* end = table.arguments + table.argument_count;
      const auto* argument = std::find_if(table.arguments, end, [&](const suite_argument& a) { return name == a.name; });
      if (argument == end)
        throw Failure(SUITE_INVALID_ARGUMENT, kernel_ + " has no argument " + in_quotes(name) + " in this version of suite");
      const auto goes_in = call.before.find(name), comes_out = call.after.find(name);
      if ((goes_in != call.before.end()) != ((argument->intent & SUITE_IN) != 0) ||
          (comes_out != call.after.end()) != ((argument->intent & SUITE_OUT) != 0))
        throw Failure(SUITE_INVALID_ARGUMENT,
                      name + " of " + kernel_ + " has another direction (input or output) in this version of suite");
      if (comes_out != call.after.end()) results_.push_back({name, comes_out->second.array, std::move(comes_out->second.bytes)});
      arguments_.push_back(goes_in != call.before.end() ? Output{name, goes_in->second.array, std::move(goes_in->second.bytes)}
                                                        : blank(results_.back()));
      now_.push_back(comes_out != call.after.end() ? arguments_.back().bytes : std::vector<char>());
    }
    give(reference);  // sets types and ranks
  } catch (const Failure& failure) { throw Failure(SUITE_INVALID_ARGUMENT, file.string() + ": " + failure.what()); }
}

#else

Replay::Replay(const fs::path& file) {
  throw Failure(SUITE_UNSUPPORTED,
                file.string() + ": captures are HDF5 files, which this build cannot read (configure with libhdf5-dev installed)");
}

#endif

void Replay::read_parameters() {
  std::istringstream words(texts_["parameters"]);
  for (std::string word; words >> word;)
    if (const size_t equals = word.find('='); equals != std::string::npos)
      parameters_.push_back({word.substr(0, equals), word.substr(equals + 1)});
}

void Replay::give(Kernel& kernel) {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    suite_array array = arguments_[i].array;
    array.place = SUITE_HOST;
    if (!now_[i].empty()) now_[i] = arguments_[i].bytes;
    array.data = now_[i].empty() ? arguments_[i].bytes.data() : now_[i].data();
    kernel.set(arguments_[i].name.c_str(), array);
  }
}

// For the captured implementation, its non-default parameters; for another one, those that define what is computed.
Parameters Replay::parameters_for(const std::string& implementation) const {
  const suite_kernel_table* reference = table_of(kernel_, "reference");
  const suite_kernel_table* same = implementation == texts_.at("implementation") ? table_of(kernel_, implementation) : nullptr;
  Parameters wanted;
  for (const auto& parameter : parameters_) {
    if (parameter.name == "variant" || parameter.name == "threads") continue;
    const suite_parameter* known = reference ? find_parameter(*reference, parameter.name) : nullptr;
    if (!known && same) known = find_parameter(*same, parameter.name);
    if (known && !is_default(*known, parameter.value)) wanted.push_back(parameter);
  }
  return wanted;
}

Parameters Replay::meaning() const { return parameters_for("reference"); }

Input Replay::input(const Arguments& arguments) const {
  const std::string captured = texts_.at("implementation");
  const std::string implementation = chosen_implementation(arguments, kernel_, captured);
  ordered_json keys{{"kernel", kernel_}, {"implementation", captured}};
  for (const auto& [name, value] : parameters_)
    if (name == "variant" && implementation == captured) keys["variant"] = value;
  for (const auto& [name, value] : parameters_for(implementation)) keys["parameters"][name] = value;
  return Input::made(file_, keys.dump(-1, ' ', false, ordered_json::error_handler_t::replace), replay_keys(), arguments.all("--set"));
}

Verification Replay::reproduced(const Kernel& kernel, const std::vector<Output>& found) const {
  Verification verification = verify(kernel, results_, found, tolerance_);
  if (const size_t at = verification.detail.find("the reference has"); at != std::string::npos)
    verification.detail.replace(at, std::strlen("the reference has"), "the capture has");
  return verification;
}

std::string Replay::description() const {
  std::string variant;
  for (const auto& [name, value] : parameters_)
    if (name == "variant") variant = ", variant " + value;
  return "call " + fixed(call_, 0) + " of " + fs::path(texts_.at("program")).filename().string() +
         (texts_.at("rank").empty() ? "" : ", rank " + texts_.at("rank")) + " on " + texts_.at("host") + ", by " +
         texts_.at("implementation") + variant + ", " + texts_.at("utc");
}

CapturedCall Replay::captured() const {
  const auto text = [&](const char* name) { return texts_.at(name); };
  return {text("implementation"),
          text("backend"),
          text("device"),
          text("program"),
          text("host"),
          text("rank"),
          text("utc"),
          text("suite_version"),
          text("plugin_version"),
          text("plugin_compiler"),
          text("plugin_sha256"),
          parameters_,
          static_cast<long>(call_),
          seconds_};
}

SeenOutputs Reproductions::observer() {
  if (!replay_) return {};
  return [this](Candidate& candidate, const std::vector<Output>& outputs) {
    found_.emplace_back(candidate.label(), replay_->reproduced(candidate.kernel(), outputs));
  };
}

bool Reproductions::failed() const {
  return std::any_of(found_.begin(), found_.end(), [](const auto& f) { return f.second.failed(); });
}

std::string Reproductions::text() const {
  if (!replay_) return "";
  Table table;
  table.header({"  captured results", "max rel err", ""});
  table.right(1);
  std::string details;
  for (const auto& [label, v] : found_) {
    table.row({"  " + label, scientific(v.max_relative_error),
               v.failed() ? bad("DIFFERS", colour_on_stdout()) : good("reproduced", colour_on_stdout())});
    if (v.failed()) details += "  " + label + ": " + v.detail + "\n";
  }
  return "\n" + table.text() + details;
}

Reproduced Reproductions::stored() const {
  Reproduced all{replay_->captured(), {}};
  for (const auto& [label, verification] : found_) all.found.push_back({label, verification});
  return all;
}

}  // namespace suite::app
