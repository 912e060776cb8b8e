// SPDX-License-Identifier: BSD-3-Clause
// suite run FILE.yaml: prints what runs where, runs the app (or one kernel), writes the result folder and reports the time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/core.h>

#include <suite/deterministic.hpp>

#include "base/stop.hpp"
#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/near.hpp"
#include "measure/ceilings.hpp"
#include "measure/energy.hpp"
#include "measure/generated_arguments.hpp"
#include "measure/result.hpp"
#include "measure/statistics.hpp"
#include "measure/verification.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "registry.hpp"
#include "replay.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

struct RunResult {
  std::string app, title, status;
  ordered_json results = ordered_json::object();  // of the app
  std::vector<Row> kernels;
  std::optional<Ceilings> ceilings;
  std::optional<Outcome> outcome;
  Closing closing;
  std::optional<ErrorMessage> error;
};

// A captured call and the deviation of its stored results from those computed here.
struct Replayed {
  CapturedCall call;
  Verification stored;
};

// One kernel on generated data, or a captured call.
struct KernelRun {
  Estimate time;
  std::optional<Replayed> capture;
};

constexpr const char* run_status_words[] = {"ok", "failed", "error", "interrupted"};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<RunResult> = std::tuple{
    Constant{"schema", "suite-result-1"},
    Field{&RunResult::app,      "app",      "", "'kernel' runs one kernel on generated data", not_empty},
    Field{&RunResult::title,    "title",    "", ""},
    Field{&RunResult::status,   "status",   "", "", {.one_of = run_status_words}},
    Field{&RunResult::results,  "results",  "", "results of the app; partial if the run was interrupted"},
    as<AsKernel>(&RunResult::kernels, "kernels", ""),
    Field{&RunResult::ceilings, "ceilings", "", ""},
    Flat{&RunResult::outcome},
    Flat{&RunResult::closing},
    Field{&RunResult::error,    "error",    "", ""},
};
template <> inline constexpr auto fields<Replayed> = std::tuple{
    Flat{&Replayed::call},
    Field{&Replayed::stored, "stored", "", "deviation from the stored results"},
};
template <> inline constexpr auto fields<KernelRun> = std::tuple{
    flat_as<OfSamples>(&KernelRun::time),
    Field{&KernelRun::capture, "capture", "", "the captured call, of `suite run CAPTURE.h5`"},
};
// clang-format on

SchemaObject run_schema() {
  SchemaObject schema = schema_of<RunResult>();
  const auto where = [&](const SchemaObject& condition, const SchemaObject& then) {
    schema["allOf"].push_back({{"if", {{"properties", condition}}}, {"then", then}});
  };
  const auto results_of = [&](const char* app, const SchemaObject& results) {
    where({{"app", {{"const", app}}}, {"status", {{"const", "ok"}}}}, {{"properties", {{"results", results}}}});
  };
  for (const auto& registered : registered_apps())
    if (registered.make) results_of(registered.name, registered.make()->results_schema());
  results_of("kernel", schema_of<KernelRun>());
  where({{"status", {{"const", "error"}}}}, {{"required", SchemaObject{"error"}}});
  return schema;
}

namespace {

class Run {
public:
  Run(const Arguments& arguments, const Communicator& world)
      : arguments_(arguments),
        world_(world),
        machine_(machine()),
        progress_(world.root() && !arguments.has("--quiet")),
        out_(world.root() && !arguments.has("--json") && !arguments.has("--quiet") ? std::cout.rdbuf() : nullptr),
        begin_s_(wall_s()),
        begin_cpu_s_(cpu_s()),
        begin_waited_s_(waited_s()) {
    provenance_.utc = utc_time(false);
    provenance_.ranks = world.size();
    provenance_.command_line = arguments.words();
    provenance_.command_line.insert(provenance_.command_line.begin(), "suite");
  }

  // Checks everything that can fail before work begins; all ranks find the same errors, so they end together.
  void prepare() {
    std::ostringstream about;
    loaded_.emplace(load_input(arguments_, about));
    about_ = about.str();
    const bool app = loaded_->app != nullptr;
    require_device(arguments_);
    variant_ = arguments_.get("--variant", loaded_->input.text(app ? "kernel.variant" : "variant"));
    choose_parameters(app ? "kernel.parameters" : "parameters");
    provenance_.input = {loaded_->input.source().string(), loaded_->input.sha256()};
    provenance_.overrides = loaded_->input.overrides();
    open_arguments();
  }

  int execute() {
    make_folder();
    ordered_json results;
    {
      const InterruptNote note("suite: interrupted; partial results are in " + folder_.string(),
                               world_.root() ? folder_ / "result.json" : std::filesystem::path(),
                               json_document(json_of(result_of("interrupted", {}))));
      try {
        contend();
        share_devices();
        print_header();
        energy_.emplace(EnergyMeter::of(candidate_->device()));
        // Do not compute with a kernel that is wrong here.
        if (!verification_.failed()) results = loaded_->app ? run_app() : run_kernel();
        else kernels_.push_back(candidate_->record());
        progress_.finish();
      } catch (const Stopped& stopped) {
        progress_.finish();
        return conclude_stopped(stopped);
      } catch (const std::exception& e) {
        progress_.finish();
        keep_error(e);
        throw;
      }
    }
    return conclude(results);
  }

private:
  // Also records the error in the folder. A second error (a full disk) must not hide the first.
  void keep_error(const std::exception& e) const {
    if (!world_.root()) return;
    RunResult result = result_of("error", {});
    result.error = ErrorMessage{exit_code_of(e), e.what()};
    try {
      write_text_file(folder_ / "result.json", json_document(json_of(result)));
    } catch (const std::exception&) {}
  }

  // The app stopped gracefully after a signal.
  int conclude_stopped(const Stopped& stopped) {
    if (world_.root()) {
      report_outcome();
      write_text_file(folder_ / "result.json", json_document(json_of(result_of("interrupted", stopped.results()))));
      std::cerr << "\nsuite: interrupted; " << stopped.what() << "\n";
    }
    return exit_code_of_signal(stopped.signal());
  }

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

  // The input's parameters, unless overridden by --parameter.
  void choose_parameters(const std::string& path) {
    parameters_ = given_parameters(arguments_);
    for (const auto& [name, value] : loaded_->input.settings(path))
      if (std::none_of(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == name; })) {
        parameters_.push_back({name, value});
        of_input_.insert(name);
      }
  }

  // Reports an error where it was made: in the input or on the command line.
  void check_parameters(const std::string& path) {
    for (const auto& parameter : parameters_) try {
        set_parameter(candidate_->kernel(), parameter);
      } catch (const Failure& failure) {
        if (!of_input_.count(parameter.name)) throw UsageError(std::string("--parameter: ") + failure.what());
        loaded_->input.fail(path + "." + parameter.name, failure.what());
      }
    loaded_->input.finish();
  }

  // Arguments for verification against the reference: a representative call of the app, or the generated ones.
  void open_arguments() {
    if (loaded_->app) {
      sample_ = loaded_->app->sample(loaded_->input);
      set_ = sample_.set_arguments;
      kernel_ = sample_.kernel;
    } else if (loaded_->replay) {
      kernel_ = loaded_->kernel;
      set_ = loaded_->replay->setter();
    } else {
      kernel_ = loaded_->kernel;
      generated_ =
          std::make_unique<GeneratedArguments>(kernel_, loaded_->input.text("size"), static_cast<uint64_t>(loaded_->input.integer("seed")));
      set_ = generated_->setter();
    }
    implementation_ =
        chosen_implementation(arguments_, kernel_, loaded_->input.text(loaded_->app ? "kernel.implementation" : "implementation"));
    candidate_ = std::make_unique<Candidate>(kernel_, implementation_, variant_);
    if (parameters_.empty()) return;
    check_parameters(loaded_->app ? "kernel.parameters" : "parameters");
    candidate_ = std::make_unique<Candidate>(kernel_, implementation_, variant_, parameters_);
  }

  void contend() {
    candidate_->use(tuned_settings(arguments_));
    Truth truth(kernel_, sample_.set_part ? sample_.set_part : set_);
    const auto& expected = truth.of(*candidate_);
    const auto found = candidate_->first_run(set_, sample_.set_part);
    verification_ = verify(candidate_->kernel(), expected, found);
    candidate_->accept(verification_);
    if (loaded_->replay) reproduced_ = loaded_->replay->reproduced(candidate_->kernel(), found);
    provenance_.threads = threads_in_use();
    ceiling_ = fma_ceiling(provenance_.threads, *candidate_);
  }

  // Collects the device of each rank.
  void share_devices() {
    if (world_.size() == 1) return;
    const std::string name = suite_device_name(suite_call_device(candidate_->kernel().handle())),
                      backend = name.substr(0, name.rfind(':') + 1);
    std::vector<double> numbers(static_cast<size_t>(world_.size()), 0.0);
    numbers[static_cast<size_t>(world_.rank())] = std::stod(name.substr(backend.size()));
    world_.sum(numbers);
    for (const double number : numbers) provenance_.devices.push_back(backend + fixed(number, 0));
  }

  std::string devices_text() const {
    constexpr size_t most = 8;
    std::string text;
    for (size_t rank = 0; rank < provenance_.devices.size() && rank <= most; ++rank)
      text += rank == most ? ", ..." : (rank ? ", " : "") + provenance_.devices[rank];
    return text;
  }

  void print_header() {
    const auto& record = candidate_->record();
    const std::string title = loaded_->input.text("title"), behind = title.empty() ? "" : "   " + title;
    std::vector<std::pair<std::string, std::string>> lines;
    lines.emplace_back(fmt::format("suite {}   {}{}{}, {}{}", suite_version(), machine_.cores, machine_.cores == 1 ? " core, " : " cores, ",
                                   machine_.simd, bytes_text(static_cast<double>(machine_.memory_B)),
                                   world_.size() > 1 ? fmt::format(", {} MPI ranks", world_.size()) : ""),
                       "input " + input_name() + " (sha256 " + provenance_.input.sha256.substr(0, 8) + ")");
    if (loaded_->app)
      lines.emplace_back(std::string("app      ") + loaded_->app->name() + "   " + (title.empty() ? loaded_->app->summary() : title), "");
    else if (loaded_->replay)
      lines.emplace_back("capture  " + loaded_->replay->description() + behind,
                         "stored results: " + verdict_text(reproduced_, "reproduced"));
    else lines.emplace_back("app      none, one kernel on generated data" + behind, "size " + loaded_->input.text("size"));
    lines.emplace_back("kernel   " + kernel_ + " on " + record.implementation.substr(record.implementation.rfind('/') + 1) +
                           (record.variant.empty() ? "" : ", variant " + record.variant) + with_commas(record.parameters) +
                           with_commas(candidate_->tuned()) + (candidate_->tuned().empty() ? "" : " (tuned)") + " (" +
                           (record.implementation == record.backend ? "" : record.backend + ", ") + counted(provenance_.threads, "thread") +
                           (record.backend == "cpu" ? ", " + simd_of(record.plugin_file) : "") + ")",
                       "reference: " + verdict_text(verification_, "verified"));
    if (record.backend != "cpu") lines.emplace_back("device   " + record.device, "");
    if (record.backend != "cpu" && world_.size() > 1) lines.emplace_back("ranks    " + devices_text(), "");
    constexpr size_t column = 100;  // the right-hand side begins at this column at the latest
    size_t widest = 0;
    for (const auto& [left, right] : lines)
      if (!right.empty()) widest = std::max(widest, std::min(left.size() + 3, column));
    for (const auto& [left, right] : lines)
      out_ << left << (right.empty() ? "" : std::string(left.size() + 3 <= widest ? widest - left.size() : 3, ' ') + right) << "\n";
    out_ << about_ << std::flush;
  }

  static std::string verdict_text(const Verification& verification, const char* agrees) {
    if (verification.failed()) return bad("FAILED", colour_on_stdout());
    return good(agrees, colour_on_stdout()) + ", max rel " + scientific(verification.max_relative_error);
  }

  static std::string with_commas(const Parameters& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters) text += ", " + name + "=" + value;
    return text;
  }

  ordered_json run_app() {
    const Parameters& tuned = candidate_->tuned();
    Context context{world_, progress_, out_, folder_, implementation_, variant_, kernels_, outcome_, parameters_, deterministic_wanted()};
    context.parameters.insert(context.parameters.end(), tuned.begin(), tuned.end());
    sample_ = {};  // a run may need the memory of its arguments
    set_ = nullptr;
    const double begin_s = wall_s();
    ordered_json results = loaded_->app->run(loaded_->input, context);
    app_s_ = wall_s() - begin_s;
    for (auto& record : kernels_)
      if (record.kernel == kernel_ && record.verification.status == "not checked") record.verification = verification_;
    return results;
  }

  ordered_json run_kernel() {
    const long repeat = loaded_->input.integer("repeat");
    while (candidate_->warm_up_turn()) {}
    progress_.start("samples", repeat);
    for (long i = 0; i < repeat; ++i) {
      candidate_->sample();
      progress_.advance(i + 1);
    }
    candidate_->conclude();
    kernels_.push_back(candidate_->record());
    const Estimate& time = *candidate_->record().time;
    out_ << "\n median of " << repeat << " samples " << seconds_text(time.median);
    if (time.interval) out_ << "  (95 % interval " << seconds_text(time.low) << " to " << seconds_text(time.high) << ")";
    out_ << "\n";
    return json_of<OfSamples>(time);
  }

  int conclude(const ordered_json& results) {
    bool wrong = verification_.failed();
    for (const auto& record : kernels_) wrong = wrong || record.failed();
    const bool failed = wrong || reproduced_.failed();
    if (!world_.root()) return failed ? exit_verification : exit_ok;
    report_outcome();
    const std::string result = json_document(json_of(result_of(failed ? "failed" : "ok", results)));
    write_text_file(folder_ / "result.json", result);
    point_last_at(folder_);
    if (arguments_.has("--json")) std::cout << result;
    out_ << "\n results in " << folder_.string() << "\n"
         << times_text(wrong) << first_calls_text(kernels_) << waiting_text() << (failed ? "" : next_line()) << std::flush;
    if (failed) std::cerr << "suite: verification failed: " << failure_detail() << " (exit " << exit_verification << ")\n";
    return failed ? exit_verification : exit_ok;
  }

  // Prints the consistency checks in one line; broken ones are warnings, also with --json and --quiet.
  void report_outcome() {
    const auto& checks = outcome_.checks;
    const auto held = std::count_if(checks.begin(), checks.end(), [](const ConsistencyCheck& check) { return check.holds(); });
    if (!checks.empty()) out_ << "\n " << consistency_line(static_cast<size_t>(held)) << "\n" << std::flush;
    for (const auto& sentence : warning_sentences(outcome_)) std::cerr << "suite: warning: " << sentence << "\n";
  }

  std::string consistency_line(size_t held) const {
    std::string broken;
    for (const auto& check : outcome_.checks)
      if (!check.holds()) broken += (broken.empty() ? "; " + bad("BROKEN", colour_on_stdout()) + ": " : ", ") + check.name;
    return fmt::format("checks {} of {} conservation laws, sum rules and symmetries hold{}", held, outcome_.checks.size(), broken);
  }

  std::string failure_detail() const {
    if (verification_.failed()) return kernel_ + " on " + candidate_->label() + ": " + verification_.detail;
    for (const auto& record : kernels_)
      if (record.failed()) return record.kernel + " on " + record.implementation + ": " + record.verification.detail;
    if (reproduced_.failed()) return "the captured results differ from those of " + candidate_->label() + ": " + reproduced_.detail;
    return "";
  }

  // Totals of one kernel over all calls of the run.
  struct Total {
    std::string kernel;
    double seconds = 0, flops = 0;
    Merit merit;
  };

  // The most expensive first.
  std::vector<Total> totals() const {
    std::vector<Total> all;
    for (const auto& record : kernels_) {
      auto total = std::find_if(all.begin(), all.end(), [&](const Total& t) { return t.kernel == record.kernel; });
      if (total == all.end()) total = all.insert(all.end(), {record.kernel, 0, 0, {}});
      for (double s : record.samples_s) total->seconds += s;
      total->flops += record.flops;
      const double so_far = total->merit.count;
      total->merit = record.merit;
      total->merit.count += so_far;
    }
    std::stable_sort(all.begin(), all.end(), [](const Total& a, const Total& b) { return a.seconds > b.seconds; });
    return all;
  }

  // Rates of a kernel; empty if no work is counted.
  struct Rates {
    std::string merit, flops, fraction;
  };
  Rates rates_of(const Total& total) const {
    const auto& [kernel, seconds, flops, merit] = total;
    const bool counted = seconds > 0 && flops > 0;
    return {seconds > 0 && merit.count > 0 ? rate_text(merit, seconds) : "", counted ? giga(flops / seconds) : "",
            counted && ceiling_ > 0 ? of_ceiling(flops / seconds / ceiling_) : ""};
  }

  double waited() const { return waited_share(waited_s() - begin_waited_s_, cpu_s() - begin_cpu_s_); }

  std::string waiting_text() const {
    const double share = waited();
    return share > waits_noticeably ? " ! its threads waited for a core " + percent(share) + " of the time\n" : "";
  }

  // One kernel is shown in the line, several in a table below it.
  std::string times_text(bool failed) const {
    std::string line = " time " + seconds_text(wall_s() - begin_s_) + " (CPU " + seconds_text(cpu_s() - begin_cpu_s_) + ")";
    if (const double joules = energy_ && world_.size() == 1 ? energy_->joules() : NAN; std::isfinite(joules))
      line += "   energy " + joules_text(joules);
    const auto all = totals();
    if (failed) {
      for (const auto& total : all) line += "   " + total.kernel + " FAILED verification: no time is reported";
      return line + "\n";
    }
    if (all.size() < 2) {
      for (const auto& total : all) {
        const Rates rates = rates_of(total);
        line += "   " + total.kernel + " " + seconds_text(total.seconds);
        if (!rates.merit.empty()) line += "   " + rates.merit;
        if (!rates.flops.empty()) line += "   " + rates.flops + " GFLOP/s";
        if (!rates.fraction.empty()) line += "   " + rates.fraction + " of the FMA ceiling";
      }
      return explained(line + "\n");
    }
    const auto or_none = [](const std::string& text) { return text.empty() ? "-" : text; };
    Table table;
    table.header({"  kernel", "time", "figure of merit", "GFLOP/s", "FMA"});
    for (size_t column = 1; column < 5; ++column) table.right(column);
    for (const auto& total : all) {
      const Rates rates = rates_of(total);
      table.row({"  " + total.kernel, seconds_text(total.seconds), or_none(rates.merit), or_none(rates.flops), or_none(rates.fraction)});
    }
    return line + "\n" + explained(table.text());
  }

  // The input as the user named it; a bare name not found in the current folder is an installed input.
  std::string input_name() const {
    const std::string& named = arguments_.positional().front();
    return provenance_.input.file == named ? named : "installed " + named;
  }

  // The result as the user would name it; the input as the user named it, and the implementation just used besides the reference.
  std::string next_line() const {
    const std::string& used = candidate_->record().implementation;
    const std::string result = arguments_.has("--output") ? shell_word(folder_.string()) : "last";
    return "next: suite report " + result + "\nnext: suite compare " + shell_word(arguments_.positional().front()) +
           " --implementations reference," + (used == "reference" ? "cpu" : used) + parameter_options() + "\n";
  }

  std::string parameter_options() const {
    std::string text;
    for (const auto& [name, value] : parameters_) text += " --parameter " + name + "=" + value;
    return text;
  }

  // The app received tuned settings as parameters; the result states which they were.
  Row row_of(Row row) const {
    const double total_s = row.total_s();
    row.merit.per_s = total_s > 0 ? row.merit.count / total_s : 0;
    if (!candidate_ || row.kernel != kernel_) return row;
    row.tuned = candidate_->tuned();
    for (const auto& setting : row.tuned) std::erase_if(row.parameters, [&](const Parameter& p) { return p.name == setting.name; });
    return row;
  }

  RunResult result_of(const char* status, const ordered_json& results) const {
    RunResult result;
    result.app = loaded_->app ? loaded_->app->name() : "kernel";
    result.title = loaded_->input.text("title");
    result.status = status;
    result.results = results.is_null() ? ordered_json::object() : results;
    if (loaded_->replay) result.results["capture"] = json_of(Replayed{loaded_->replay->captured(), reproduced_});
    for (const auto& record : kernels_) result.kernels.push_back(row_of(record));
    if (ceiling_ > 0) result.ceilings = Ceilings{ceiling_};
    if (loaded_->app) result.outcome = outcome_;
    Times& times = result.closing.times;
    times.wall_s = wall_s() - begin_s_;
    times.cpu_s = cpu_s() - begin_cpu_s_;
    times.waited_fraction = waited();
    if (energy_) add_energy(times);
    if (app_s_ > 0) times.app_s = app_s_;
    result.closing.provenance = completed(provenance_, kernels_);
    result.closing.folder = folder_.string();
    return result;
  }

  // Energy of the device that ran the kernels, from verification on.
  void add_energy(Times& times) const {
    times.energy_J = NAN;
    if (world_.size() > 1) times.energy_why = "several ranks: the energy of their machines is not summed";
    else if (const double joules = energy_->joules(); std::isfinite(joules)) times.energy_J = joules;
    else times.energy_why = energy_->why_not().empty() ? "the energy counter was temporarily unreadable" : energy_->why_not();
  }

  const Arguments& arguments_;
  const Communicator& world_;
  Machine machine_;
  Progress progress_;
  std::ostream out_;
  double begin_s_, begin_cpu_s_, begin_waited_s_, app_s_ = 0;
  Provenance provenance_;
  std::optional<Loaded> loaded_;
  std::string about_, implementation_, variant_, kernel_;
  Parameters parameters_;
  std::set<std::string> of_input_;  // parameters set by the input
  App::Sample sample_;
  std::unique_ptr<GeneratedArguments> generated_;
  SetArguments set_;
  std::unique_ptr<Candidate> candidate_;
  Verification verification_, reproduced_;  // against the reference, and against the capture
  double ceiling_ = 0;
  std::optional<EnergyOfRun> energy_;
  std::filesystem::path folder_;
  std::vector<Row> kernels_;
  Outcome outcome_;
};

// Lets ranks fail together: the lowest rank that failed reports, and all exit with its code.
struct Agreement {
  int code = exit_ok;
  bool speaks = false;
};
Agreement agree(const Communicator& world, int code) {
  std::vector<double> codes(static_cast<size_t>(world.size()), 0.0);
  codes[static_cast<size_t>(world.rank())] = code;
  world.sum(codes);
  for (size_t rank = 0; rank < codes.size(); ++rank)
    if (codes[rank] > 0) return {static_cast<int>(codes[rank]), static_cast<int>(rank) == world.rank()};
  return {};
}

// Ranks other than the root wait for its report before the launcher ends everybody: one message per error.
void let_root_report(int rank) {
  if (rank > 0) std::this_thread::sleep_for(std::chrono::milliseconds(300 + 100 * std::min(rank, 20)));
}

}  // namespace

int run_verb(const Arguments& arguments) {
  apply_environment(arguments);
  std::unique_ptr<Communicator> world;
  try {
    world = Communicator::world();
  } catch (const std::exception& e) {
    const int rank = launched_rank();
    if (rank <= 0) throw;
    let_root_report(rank);
    return exit_code_of(e);
  }
  Run run(arguments, *world);
  std::exception_ptr trouble;
  int code = exit_ok;
  try {
    run.prepare();
  } catch (const std::exception& e) {
    trouble = std::current_exception();
    code = exit_code_of(e);
  }
  const Agreement agreement = agree(*world, code);
  if (agreement.code != exit_ok) {
    if (world->size() == 1) std::rethrow_exception(trouble);
    if (agreement.speaks) report_failure(trouble, "run --help", arguments.has("--json"));
    // The launcher ends all ranks as soon as one exits with a code, so wait until everything has been reported.
    world->barrier();
    return agreement.code;
  }
  if (world->size() == 1) return run.execute();
  try {
    return run.execute();
  } catch (const std::exception& e) {
    // The other ranks may wait for this one forever, so end all.
    let_root_report(world->rank());
    std::cerr << "suite: error on rank " << world->rank() << ": " << e.what() << std::endl;
    world->abort(exit_code_of(e));
  }
  return exit_bug;
}

}  // namespace suite::app
