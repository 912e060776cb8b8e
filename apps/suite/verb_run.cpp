// SPDX-License-Identifier: BSD-3-Clause
// suite run FILE.yaml: the header that says what runs where, the app (or one kernel), the result folder, the time.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>
#include <thread>

#include "common/io.hpp"
#include "common/near.hpp"
#include "common/result.hpp"
#include "common/statistics.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "registry.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

constexpr const char* schema = "suite-result-1";

class Run {
public:
  Run(const Arguments& arguments, const Communicator& world)
      : arguments_(arguments),
        world_(world),
        machine_(machine()),
        progress_(world.root() && !arguments.has("--quiet")),
        out_(world.root() && !arguments.has("--json") && !arguments.has("--quiet") ? std::cout.rdbuf() : nullptr),
        begin_s_(wall_s()),
        begin_cpu_s_(cpu_s()) {
    provenance_.started = utc_time(false);
    provenance_.ranks = world.size();
    provenance_.command_line = arguments.words();
    provenance_.command_line.insert(provenance_.command_line.begin(), "suite");
  }

  // Everything that can be wrong before work begins; ranks find the same, so all of them end together.
  void prepare() {
    std::ostringstream about;
    loaded_.emplace(load_input(arguments_, about));
    about_ = about.str();
    const bool app = loaded_->app != nullptr;
    implementation_ = chosen_implementation(arguments_, loaded_->input.text(app ? "kernel.implementation" : "implementation"));
    variant_ = arguments_.get("--variant", loaded_->input.text(app ? "kernel.variant" : "variant"));
    provenance_.input_file = loaded_->input.source().string();
    provenance_.input_sha256 = loaded_->input.sha256();
    provenance_.overrides = loaded_->input.overrides();
    open_arguments();
  }

  int execute() {
    make_folder();
    ordered_json results;
    {
      const InterruptNote note("suite: interrupted; what was finished is in " + folder_.string(),
                               world_.root() ? folder_ / "result.json" : std::filesystem::path(), result_json("interrupted", {}).dump(2) + "\n");
      contend();
      print_header();
      results = loaded_->app ? run_app() : run_kernel();
    }
    progress_.finish();
    return conclude(results);
  }

private:
  void make_folder() {
    std::string name;
    if (world_.root()) {
      folder_ = make_run_folder(loaded_->input.source().stem().string(), arguments_.get("--output"));
      name = folder_.string();
    }
    char text[4096] = {};
    name.copy(text, sizeof text - 1);
    world_.broadcast(text, 0);
    folder_ = text;
  }

  // The arguments of the check against the reference: a typical call of the app, or the generated ones.
  void open_arguments() {
    if (loaded_->app) {
      sample_ = loaded_->app->sample(loaded_->input);
      set_ = sample_.set_arguments;
      kernel_ = sample_.kernel;
    } else {
      kernel_ = loaded_->kernel;
      generated_ = std::make_unique<GeneratedArguments>(kernel_, loaded_->input.text("size"), static_cast<uint64_t>(loaded_->input.integer("seed")));
      set_ = generated_->setter();
    }
    contender_ = std::make_unique<Contender>(kernel_, implementation_, variant_);
  }

  void contend() {
    Contender reference(kernel_, "reference", "");
    const auto expected = reference.first_run(set_);
    verification_ = verify(reference.kernel().table(), expected, contender_->first_run(set_));
    contender_->accept(verification_);
    provenance_.threads = threads_in_use();
    if (contender_->record().backend == std::string("cpu")) ceiling_ = fma_ceiling(provenance_.threads);
  }

  void print_header() {
    const auto& record = contender_->record();
    const std::string input = provenance_.input_file;
    Table table;
    table.row({"suite " + std::string(suite_version()),
               std::to_string(machine_.cores) + (machine_.cores == 1 ? " core, " : " cores, ") + machine_.simd + ", " + bytes_text(static_cast<double>(machine_.memory_B)) +
                   (world_.size() > 1 ? ", " + std::to_string(world_.size()) + " ranks" : ""),
               "input " + input + " (sha256 " + provenance_.input_sha256.substr(0, 8) + ")"});
    const std::string title = loaded_->input.text("title");
    if (loaded_->app) table.row({std::string("app      ") + loaded_->app->name(), title.empty() ? loaded_->app->summary() : title, ""});
    else table.row({"app      none", "one kernel on generated data, size " + loaded_->input.text("size"), ""});
    std::string check = "reference: " + verification_.status;
    check = verification_.failed() ? bad("reference: FAILED", colour()) : good(check, colour()) + ", max rel " + scientific(verification_.max_relative_error);
    table.row({"kernel   " + kernel_, "on " + contender_->label() + " (" + record.backend + ", " + std::to_string(provenance_.threads) +
                                          (provenance_.threads == 1 ? " thread" : " threads") + ")",
               check});
    out_ << table.text() << about_ << std::flush;
  }

  ordered_json run_app() {
    Context context{world_, progress_, out_, folder_, implementation_, variant_, kernels_};
    ordered_json results = loaded_->app->run(loaded_->input, context);
    for (auto& record : kernels_)
      if (record.kernel == kernel_ && (record.verification.empty() || record.verification == "not checked")) {
        record.verification = verification_.status;
        record.max_relative_error = verification_.max_relative_error;
        record.detail = verification_.detail;
      }
    return results;
  }

  ordered_json run_kernel() {
    const long repeat = loaded_->input.integer("repeat");
    progress_.start("samples", repeat);
    for (long i = 0; i < repeat; ++i) {
      contender_->sample();
      progress_.advance(i + 1);
    }
    kernels_.push_back(contender_->record());
    const Estimate time = estimate(contender_->record().samples_s);
    out_ << "\n median of " << repeat << " samples " << seconds_text(time.median);
    if (time.interval) out_ << "  (95 % interval " << seconds_text(time.low) << " to " << seconds_text(time.high) << ")";
    out_ << "\n";
    return {{"median_s", time.median}, {"low_s", time.low}, {"high_s", time.high}};
  }

  int conclude(const ordered_json& results) {
    bool failed = verification_.failed();
    for (const auto& record : kernels_) failed = failed || record.verification == "failed";
    if (!world_.root()) return failed ? exit_verification : exit_ok;
    const ordered_json result = result_json(failed ? "failed" : "ok", results);
    write_text_file(folder_ / "result.json", result.dump(2) + "\n");
    point_last_at(folder_);
    if (arguments_.has("--json")) std::cout << result.dump(2) << "\n";
    out_ << "\n results in " << folder_.string() << "\n" << time_line(failed) << next_line() << std::flush;
    if (failed) std::cerr << "suite: verification failed: " << failure_detail() << " (exit " << exit_verification << ")\n";
    return failed ? exit_verification : exit_ok;
  }

  std::string failure_detail() const {
    if (verification_.failed()) return kernel_ + " on " + contender_->label() + ": " + verification_.detail;
    for (const auto& record : kernels_)
      if (record.verification == "failed") return record.kernel + " on " + record.implementation + ": " + record.detail;
    return "";
  }

  std::string time_line(bool failed) const {
    std::string line = " time " + seconds_text(wall_s() - begin_s_);
    std::vector<std::string> names;
    for (const auto& record : kernels_)
      if (std::find(names.begin(), names.end(), record.kernel) == names.end()) names.push_back(record.kernel);
    for (const auto& name : names) {
      double seconds = 0, flops = 0, terms = 0;
      for (const auto& record : kernels_)
        if (record.kernel == name) {
          for (double s : record.samples_s) seconds += s;
          flops += record.flops;
          terms += record.terms;
        }
      if (failed) {
        line += "   " + name + " FAILED verification: its time is not quoted";
        continue;
      }
      line += "   " + name + " " + seconds_text(seconds);
      if (seconds <= 0) continue;
      if (terms > 0) line += "   " + giga(terms / seconds) + " G terms/s";
      if (flops > 0) line += "   " + giga(flops / seconds) + " GFLOP/s";
      if (ceiling_ > 0 && flops > 0) line += "   " + percent(flops / seconds / ceiling_) + " of the FMA ceiling";
    }
    return line + "\n";
  }

  std::string next_line() const {
    std::string list;
    for (const auto& name : implementations_of(kernel_)) list += (list.empty() ? "" : ",") + name;
    return "next: suite compare " + provenance_.input_file + " --implementations " + list + "\n";
  }

  ordered_json result_json(const char* status, const ordered_json& results) const {
    ordered_json j{{"schema", schema}, {"app", loaded_->app ? loaded_->app->name() : "kernel"}, {"title", loaded_->input.text("title")}, {"status", status}};
    j["results"] = results.is_null() ? ordered_json::object() : results;
    j["kernels"] = ordered_json::array();
    for (const auto& record : kernels_) j["kernels"].push_back(kernel_json(record));
    if (ceiling_ > 0) j["ceilings"] = {{"fma_flop_per_s", ceiling_}};
    j["times"] = {{"wall_s", wall_s() - begin_s_}, {"cpu_s", cpu_s() - begin_cpu_s_}};
    j["provenance"] = provenance_json(provenance_, machine_, kernels_);
    j["folder"] = folder_.string();
    return j;
  }

  bool colour() const { return colour_on_stdout(); }

  const Arguments& arguments_;
  const Communicator& world_;
  Machine machine_;
  Progress progress_;
  std::ostream out_;
  double begin_s_, begin_cpu_s_;
  Provenance provenance_;
  std::optional<Loaded> loaded_;
  std::string about_, implementation_, variant_, kernel_;
  App::Sample sample_;
  std::unique_ptr<GeneratedArguments> generated_;
  SetArguments set_;
  std::unique_ptr<Contender> contender_;
  Verification verification_;
  double ceiling_ = 0;
  std::filesystem::path folder_;
  std::vector<KernelRecord> kernels_;
};

// Ranks that prepare to the same end: the lowest one that failed speaks, and all leave.
bool all_well(const Communicator& world, bool well, bool& speaks) {
  std::vector<double> failed(static_cast<size_t>(world.size()), 0.0);
  failed[static_cast<size_t>(world.rank())] = well ? 0 : 1;
  world.sum(failed);
  const auto first = std::find_if(failed.begin(), failed.end(), [](double f) { return f > 0; });
  speaks = first - failed.begin() == world.rank();
  return first == failed.end();
}

}  // namespace

int run_verb(const Arguments& arguments) {
  apply_environment(arguments);
  const auto world = Communicator::world();
  Run run(arguments, *world);
  std::exception_ptr trouble;
  int code = exit_ok;
  try {
    run.prepare();
  } catch (const std::exception& e) {
    trouble = std::current_exception();
    code = exit_code_of(e);
  }
  bool speaks = true;
  if (!all_well(*world, !trouble, speaks)) {
    if (trouble && speaks) std::rethrow_exception(trouble);
    return trouble ? code : exit_usage;
  }
  if (world->size() == 1) return run.execute();
  try {
    return run.execute();
  } catch (const std::exception& e) {
    // The other ranks may wait for this one forever, so all are ended. The root speaks at once, the others only if
    // nobody ended them meanwhile: one message for one mistake.
    if (!world->root()) std::this_thread::sleep_for(std::chrono::milliseconds(300 + 100 * std::min(world->rank(), 20)));
    std::cerr << "suite: error on rank " << world->rank() << ": " << e.what() << std::endl;
    world->abort(exit_code_of(e));
  }
  return exit_bug;
}

}  // namespace suite::app
