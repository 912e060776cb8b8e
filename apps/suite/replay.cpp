// SPDX-License-Identifier: BSD-3-Clause
#include "replay.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "common/near.hpp"
#include "session.hpp"
#include "table.hpp"
#ifdef SUITE_APP_HDF5
#include "common/hdf5/hdf5.hpp"
#endif

namespace suite::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr const char* schema = "suite-capture-1";

const std::vector<Key>& replay_keys() {
  static const std::vector<Key> keys{
      {"kernel", Kind::text, nullptr, nullptr, "the kernel that was captured"},
      {"title", Kind::text, "", nullptr, "a name for the reader; kept in the results"},
      {"implementation", Kind::text, "cpu", nullptr, "a name of 'suite list' or the path of a plugin"},
      {"variant", Kind::text, "best", nullptr, "variant of the implementation"},
      {"parameters", Kind::settings, "", nullptr, "parameters of the implementation, such as {precision: mixed}"},
      {"repeat", Kind::integer, "5", "1..100000", "runs that are timed"},
  };
  return keys;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The table of an implementation as it is installed, without opening its device; null where it is not.
const suite_kernel_table* table_of(const std::string& kernel, const std::string& implementation) {
  struct Search {
    const std::string &kernel, &implementation;
    const suite_kernel_table* found = nullptr;
  } search{kernel, implementation};
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        auto& s = *static_cast<Search*>(with);
        for (uint32_t i = 0; plugin && !s.found && i < plugin->kernel_count; ++i)
          if (s.kernel == plugin->kernels[i]->kernel && s.implementation == plugin->kernels[i]->implementation) s.found = plugin->kernels[i];
      },
      &search);
  return search.found;
}

bool is_standard(const suite_parameter& known, const std::string& value) {
  return value == (known.choices ? known.choices[known.value] : std::to_string(known.value));
}

// Something to run into: all bits set is NaN.
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
    throw InputErrors(file.string() + ": error: " + (fs::exists(file, error) ? "is no regular file" : "no such file"), 1);
  const hdf5::File in(file);
  const std::string has = in.text("schema");
  if (has != schema)
    throw Failure(SUITE_INVALID_ARGUMENT, file.string() + ": its schema is " + in_quotes(has) + "; a capture that this suite reads has " + in_quotes(schema));
  for (const char* name : {"kernel", "implementation", "backend", "device", "parameters", "choices", "arguments", "plugin_file", "plugin_sha256", "plugin_version",
                           "plugin_compiler", "suite_version", "program", "host", "pid", "rank", "utc"})
    texts_[name] = in.text(name);
  seconds_ = in.number("seconds");
  call_ = in.number("call");
  kernel_ = texts_["kernel"];
  require_kernel(kernel_);
  for (const auto& word : words_of(texts_["parameters"]))
    if (const size_t equals = word.find('='); equals != std::string::npos) parameters_.push_back({word.substr(0, equals), word.substr(equals + 1)});
  std::istringstream lines(texts_["choices"]);
  for (std::string line; std::getline(lines, line);) tolerance_ = std::max(tolerance_, stated_tolerance(line));
  const Kernel reference(kernel_, "reference");
  read(reference.table());
}

// Every argument that the kernel has must be there with what the kernel expects of it, and no other.
void Replay::read(const suite_kernel_table& table) {
  const hdf5::File in(file_);
  const auto fetch = [&](const std::string& dataset, const std::string& name) {
    hdf5::Array found = in.array(dataset);
    return Output{name, found.array, std::move(found.bytes)};
  };
  for (const auto& name : words_of(texts_["arguments"])) {
    const auto* end = table.arguments + table.argument_count;
    const auto* argument = std::find_if(table.arguments, end, [&](const suite_argument& a) { return name == a.name; });
    if (argument == end) in.fail(name, "the kernel " + kernel_ + " of this suite has no such argument");
    const bool goes_in = argument->intent & SUITE_IN, comes_out = argument->intent & SUITE_OUT;
    if (comes_out) results_.push_back(fetch("/results/" + name, name));
    arguments_.push_back(goes_in ? fetch("/" + name, name) : blank(results_.back()));
    now_.push_back(comes_out ? arguments_.back().bytes : std::vector<char>());
    const suite_array& array = arguments_.back().array;
    if (array.rank != argument->rank)
      in.fail(name, "its rank is " + std::to_string(array.rank) + " where " + kernel_ + " takes " + std::to_string(argument->rank));
    if (comes_out && results_.back().bytes.size() != arguments_.back().bytes.size()) in.fail(name, "it has another size before the run than after it");
  }
  try {
    Kernel trial(kernel_, "reference");
    give(trial);
  } catch (const Failure& failure) {
    throw Failure(SUITE_INVALID_ARGUMENT, file_.string() + ": " + failure.what());
  }
}

#else

Replay::Replay(const fs::path& file) {
  throw Failure(SUITE_UNSUPPORTED, file.string() + ": captures are HDF5 files, and this build has no HDF5 (configure with libhdf5-dev installed)");
}

#endif

void Replay::give(Kernel& kernel) {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    suite_array array = arguments_[i].array;
    array.place = SUITE_HOST;
    if (!now_[i].empty()) now_[i] = arguments_[i].bytes;
    array.data = now_[i].empty() ? arguments_[i].bytes.data() : now_[i].data();
    kernel.set(arguments_[i].name.c_str(), array);
  }
}

// Of the implementation that was captured those that are not its standard; of another one those that say what is computed.
Parameters Replay::parameters_for(const std::string& implementation) const {
  const suite_kernel_table* reference = table_of(kernel_, "reference");
  const suite_kernel_table* same = implementation == texts_.at("implementation") ? table_of(kernel_, implementation) : nullptr;
  Parameters wanted;
  for (const auto& parameter : parameters_) {
    if (parameter.name == "variant" || parameter.name == "threads") continue;
    const suite_parameter* known = reference ? find_parameter(*reference, parameter.name) : nullptr;
    if (!known && same) known = find_parameter(*same, parameter.name);
    if (known && !is_standard(*known, parameter.value)) wanted.push_back(parameter);
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
  return "call " + fixed(call_, 0) + " of " + fs::path(texts_.at("program")).filename().string() + (texts_.at("rank").empty() ? "" : ", rank " + texts_.at("rank")) +
         " on " + texts_.at("host") + ", by " + texts_.at("implementation") + variant + ", " + texts_.at("utc");
}

ordered_json Replay::json() const {
  ordered_json j;
  for (const char* name : {"implementation", "backend", "device", "program", "host", "rank", "utc", "suite_version", "plugin_version", "plugin_compiler", "plugin_sha256"})
    j[name] = texts_.at(name);
  j["parameters"] = ordered_json::object();
  for (const auto& [name, value] : parameters_) j["parameters"][name] = value;
  j["call"] = call_;
  j["execute_s"] = seconds_;
  return j;
}

SeenOutputs Reproductions::observer() {
  if (!replay_) return {};
  return [this](Contender& contender, const std::vector<Output>& outputs) {
    found_.emplace_back(contender.label(), replay_->reproduced(contender.kernel(), outputs));
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
    table.row({"  " + label, scientific(v.max_relative_error), v.failed() ? bad("DIFFERS", colour_on_stdout()) : good("reproduced", colour_on_stdout())});
    if (v.failed()) details += "  " + label + ": " + v.detail + "\n";
  }
  return "\n" + table.text() + details;
}

ordered_json Reproductions::json() const {
  ordered_json j = replay_->json();
  j["reproduced"] = ordered_json::array();
  for (const auto& [label, v] : found_) {
    j["reproduced"].push_back({{"contender", label}});
    j["reproduced"].back().update(verification_json(v));
  }
  return j;
}

ordered_json verification_json(const Verification& verification) {
  ordered_json j{{"status", verification.status}, {"max_relative_error", verification.max_relative_error}};
  if (!verification.detail.empty()) j["detail"] = verification.detail;
  return j;
}

}  // namespace suite::app
