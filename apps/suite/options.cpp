// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <charconv>
#include <filesystem>
#include <sstream>

#include <fmt/core.h>

#include "common/near.hpp"
#include "verbs.hpp"

namespace suite::app {

const std::vector<Option>& options() {
  static const std::vector<Option> table{
      {"--implementation", "NAME", "run ladder validate", "implementation of the kernels: a name of 'suite list', or the path of a plugin"},
      {"--backend", "NAME", "run compare bench ladder roofline validate",
       "backend and device to run on (cpu, cuda:1, opencl:pocl): chooses the implementation there"},
      {"--plugin", "PATH", "", "plugin to use (run: instead of --implementation), or folder to search first"},
      {"--variant", "NAME", "run validate", "variant of the implementation, such as v9"},
      {"--parameter", "NAME=VALUE", "run compare bench ladder roofline",
       "parameter of the implementation, such as precision=mixed; may be repeated (compare, bench: several values A,B)", true},
      {"--set", "KEY=VALUE", "run check compare bench", "overrides a key of the input; may be repeated", true},
      {"--fail-on", "WHAT,...", "compare",
       "OLD NEW: exits with 7 if the physics differs, or a row is slower:5% (its whole 95 % interval), failed or missing"},
      {"--fail-on", "slower:N%", "history",
       "exits with 7 if the newest time of a series is slower, by more than N % (its whole 95 % interval), than those since the last "
       "change"},
      {"--output", "DIR", "run compare bench ladder roofline validate",
       "folder for the results; must be new or empty (default: results/<name>-<time>)"},
      {"--output", "FILE.html|FILE.svg", "history", "writes a page with figures and tables, or the figure alone"},
      {"--output", "FILE.html", "report", "output page (default: report.html beside the result); never overwrites a file"},
      {"--implementations", "A,B,...", "compare bench roofline", "comma-separated implementations: names or paths of plugins"},
      {"--variants", "all|A,B,...", "compare bench roofline", "variants of each implementation that has them"},
      {"--size", "SIZE", "bench ladder roofline", "named size, or extents such as ncouls=512,nw=3; may be repeated", true},
      {"--peak", "DEVICE|LIST", "roofline", "data-sheet peaks, drawn as dashed lines: h200-sxm, or fp64=9.7TFLOP/s,dram=1555GB/s"},
      {"--counters", "FILE.csv", "roofline", "counters of Nsight Compute (ncu --csv --page raw), drawn as dots at each memory level"},
      {"--seed", "N", "bench ladder roofline", "seed of the generated arguments"},
      {"--repeat", "N", "compare bench ladder roofline", "number of samples of each row"},
      {"--threads", "N", "run compare bench ladder roofline validate",
       "threads of the CPU kernels, including OpenCL on a CPU; bench accepts a list such as 1,2"},
      {"--preset", "NAME", "bench", "smoke (10 s), standard (2 min) or full: options for all kernels; explicit options take precedence"},
      {"--time-limit", "S", "bench", "stops after about S seconds and reports what was not run or cut short; --resume continues"},
      {"--resume", "DIR", "bench validate", "continues the interrupted run in DIR"},
      {"--scaling", "strong|weak", "bench", "strong or weak scaling over MPI ranks, of an app's input or of a kernel"},
      {"--ranks", "A,B,...", "bench", "with --scaling: numbers of MPI ranks, run alternately"},
      {"--along", "KEY", "bench", "with --scaling: key of the size or the input that sets the amount of work"},
      {"--launcher", "COMMAND", "bench", "with --ranks: command that starts the ranks (default: \"mpirun -n\")"},
      {"--tune", nullptr, "bench", "tries the tuning parameters of each implementation and stores settings that are FASTER for later runs"},
      {"--retune", nullptr, "bench", "with --tune: repeats the search where settings are already stored"},
      {"--no-tuned", nullptr, "run compare bench roofline", "uses the default tuning parameters and ignores stored settings"},
      {"--dry-run", nullptr, "bench validate", "prints what would run, with memory and time, and runs nothing"},
      {"--deterministic", nullptr, "run compare bench",
       "bitwise identical results for any number of threads and MPI ranks; see docs/deterministic.md for the cost"},
      {"--polyalanine", "N", "init", "uses a polyalanine strand of about N atoms as the molecule, for scaling tests"},
      {"--species", "ELEMENT", "init",
       "app dfpt: writes a file with the numeric orbitals and grids of an element instead (default ELEMENT.yaml), for 'basis.species'"},
      {"--from", "PATH", "init",
       "an input for these files: a structure, CIF, POSCAR, XYZ or input of pw.x (dfpt, tddft); a folder of BerkeleyGW or pw2bgw.x (gw); "
       "a TREXIO or ES-HDF file, or a folder of CASINO (vmc)"},
      {"--helix", nullptr, "init", "with --polyalanine: an alpha helix; a long one has no gap in the local density approximation"},
      {"--all", nullptr, "list", "shows every plugin file with version and compiler, and the features of this build"},
      {"--kernel", "KERNEL|FAMILY", "history", "shows only this kernel or family; may be repeated", true},
      {"--figures", "DIR", "report",
       "instead of a page: writes the figures of an app or roofline with their data (CSV) and a matplotlib script"},
      {"--format", "svg|pdf|png,...", "report", "with --figures: file formats (default: svg)"},
      {"--json", nullptr, "run list compare bench ladder roofline validate history version",
       "prints one JSON object on standard output and nothing else"},
      {"--csv", nullptr, "list compare bench ladder roofline validate history",
       "prints the rows as comma-separated values, with the keys of --json as columns, and nothing else"},
      {"--junit", "FILE", "compare bench ladder roofline validate",
       "writes a JUnit file for continuous integration: a case for each row, failed if the row is wrong"},
      {"--quiet", nullptr, "run check compare bench ladder roofline validate report history", "prints errors only"},
      {"--man", nullptr, "help", "prints the manual page source: suite help --man | man -l -"},
      {"--schemas", "DIR", "help", "writes the JSON Schemas of all outputs to this folder, and those of inputs to its folder input"},
      {"--help", nullptr, "", "describes a command and its options"},
  };
  return table;
}

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table{
      {"run", "FILE.yaml", 1, 1, "runs an app, or one kernel on generated data",
       "FILE is searched in the current folder, then among the installed inputs. Results are written to a new folder, "
       "results/<name>-<time>, which contains result.json; results/last is a link to the newest. Every kernel is verified against the "
       "reference implementation on data of this input before its time is reported.\n"
       "A captured call is an input as well: suite run captures/gpp.sigma-1.h5 (see SUITE_CAPTURE and docs/capture.md).",
       run_verb},
      {"list", "[KERNEL]", 0, 1, "lists backends, plugins and kernels, and why a plugin is unavailable",
       "One line for each family and implementation; --all shows every file, and why others are not used. With a kernel: its arguments, "
       "and "
       "the parameters and variants of each implementation. Executes no kernel.",
       list_verb},
      {"check", "FILE.yaml", 1, 1, "checks an input and reports all errors; runs nothing", "", check_verb},
      {"compare", "FILE.yaml|OLD NEW", 1, 2, "compares implementations and variants on the same input, or two stored results",
       "All implementations run on the same arguments in one process, alternately (ABBA...), after a warm-up. Each is verified against the "
       "reference, element by element, before it is ranked: a wrong one shows FAILED instead of a time, and the exit code is 1. ratio: "
       "median of the ratios of neighbouring samples to those of the first implementation, with its 95 % interval; FASTER and SLOWER "
       "appear only where both that interval and a rank test support them (docs/measuring.md). prepare and transfers are costs of a call "
       "that are not part of the time.\n"
       "OLD NEW: result.json files of any command, or folders that contain one. Results of apps are compared within the tolerances or "
       "standard errors that they state. Rows are matched by kernel, size, implementation, variant, parameters and threads; other "
       "differences (compiler, flags, plugins, devices, host, versions) are listed. --fail-on physics,slower:5%,failed,missing exits with "
       "7 if the physics differs, or if a row is significantly slower, wrong or missing.",
       compare_verb},
      {"bench", "[KERNEL|FAMILY|FILE.yaml]...", 0, 100, "times kernels on generated data for given sizes, variants and threads",
       "The figure of merit is a rate of work in the field's own terms ('suite list KERNEL' shows its formula); it is 'merit' in --json. "
       "The FMA ceiling is measured in the same run with the same threads. Where the reference would take longer than half a minute, "
       "implementations are verified at size 'small' instead, and the row says so. Implementations that were not named explicitly are "
       "skipped, with the reason, if they have no device or are much slower than the fastest. Sizes and numbers of threads may be lists "
       "and ranges: ncouls=512/1024, nw=1..3, nwalker=1..64x2. --tune and --scaling: see docs/benchmarking.md.",
       bench_verb},
      {"ladder", "FAMILY|KERNEL", 1, 1, "times the published optimisation steps of a kernel",
       "All values of the parameter 'variant' of one implementation (default: cpu), verified against the reference and timed alternately. "
       "ratio: time relative to the previous step, or to the step in column 'to'. expected: that ratio according to the published times "
       "or, where there are none, to the authors of the step; less than 3 % is 'same'. A step that fails verification is not ranked, and "
       "the exit code is 1. FMA: fraction of the ceiling measured on the same device.",
       ladder_verb},
      {"roofline", "[KERNEL|FAMILY ...]", 0, 100, "measures the ceilings of a device and places kernels below them: figure and table",
       "Ceilings are measured in the same run: fused multiply-adds, separate multiplications and additions, divisions, and the bandwidth "
       "of every memory level. A kernel is drawn at its counted flops per byte; its roof is the lower of the FMA ceiling and the bandwidth "
       "limit of the level that its arguments fit into. Where hardware counters are readable, the traffic of each level is counted too. "
       "--variants connects all steps of a ladder. --counters FILE.csv without kernels runs none.",
       roofline_verb},
      {"validate", "[FAMILY|LIST.yaml]", 0, 1, "compares results of an app with published ones",
       "Without a family: lists the families with the CPU time and memory of each; --dry-run: those of each case.\n"
       "Runs every input of inputs/validation/FAMILY and prints each number beside the published one with its source. Numbers with a "
       "standard error must agree within three combined standard errors; the exit code is 1 if one does not. Finished cases of an "
       "interrupted run are kept: --resume DIR continues with the original options. Cases whose input, plugins or program have changed are "
       "run again.\n"
       "The inputs of your own list belong in a folder of the same name: mine.yaml and mine/<case>.yaml.",
       validate_verb},
      {"report", "RESULT...", 1, 1000, "writes an HTML page about results: correctness, ranking, distance to the limit, provenance",
       "RESULT is a result.json or validation.json, a folder that contains one, or 'last', the newest run here; several results share one "
       "page. The page is a single file without scripts, needs no network, prints well, and does not rely on colour.\n"
       "Default: report.html beside the result or, for several results, in the current folder.\n"
       "--figures DIR writes each figure as SVG, and as PDF or PNG with --format pdf,png, which need rsvg-convert, cairosvg or Chromium; "
       "with its data, NAME.csv, and a script that draws them again, NAME.py.",
       report_verb},
      {"history", "[RESULT|FOLDER]...", 0, 10000, "shows how the times of kernels have changed over stored results, with a figure",
       "Reads the results of bench, compare, ladder and roofline in the given folders (default: results/). Each kernel, size, "
       "implementation "
       "and number of threads on each machine has a series of its own, ordered by date: median, 95 % interval, version and revision. A "
       "result is compared with all samples since the last change: FASTER and SLOWER appear only where the interval of the ratio and a "
       "rank "
       "test support them (docs/measuring.md).",
       history_verb},
      {"init", "APP [FILE.yaml]", 1, 2, "writes a commented example input; never overwrites a file", "", init_verb},
      {"schema", "APP|kernel", 1, 1, "prints the JSON Schema of an app's inputs, for editors and other programs",
       "Draft-07. Installed as share/suite/schema/input/<app>.schema.json, which 'suite init' names in the first line of an input: editors "
       "with the YAML language server then complete and check its keys (docs/inputs.md). kernel: inputs for one kernel on generated data.",
       schema_verb},
      {"help", "[APP|VERB]", 0, 1, "prints this text, the input keys of an app, or the options of a command", "", help_verb},
      {"completion", "bash|zsh|fish", 1, 10000, "prints a shell script that completes commands, options and names",
       "Installed with the program; manually: source <(suite completion bash), or zsh; suite completion fish | source.\n"
       "The scripts obtain names from 'suite completion kernels', or keys, variants, parameters, sizes and others, which depend on the "
       "line so far: suite completion keys -- run gpp.yaml --set ''",
       completion_verb},
      {"version", "", 0, 0, "prints version and features of this build", "", version_verb},
  };
  return table;
}

const Verb* find_verb(const std::string& name) {
  for (const auto& verb : verbs())
    if (name == verb.name) return &verb;
  return nullptr;
}

bool applies(const Option& option, const std::string& verb) {
  std::istringstream stream(option.verbs);
  bool any = true;
  for (std::string word; stream >> word; any = false)
    if (word == verb) return true;
  return any;
}

namespace {

std::vector<std::string> option_names(const std::string& verb) {
  std::vector<std::string> names;
  for (const auto& option : options())
    if (applies(option, verb)) names.push_back(option.name);
  return names;
}

// "'suite bench' takes", or "'suite bench' and 'suite ladder' take".
std::string those_that_take(const std::string& name) {
  std::vector<std::string> takers;
  for (const auto& verb : verbs())
    for (const auto& option : options())
      if (name == option.name && applies(option, verb.name)) takers.push_back(verb.name);
  std::string text;
  for (size_t i = 0; i < takers.size(); ++i) text += (i == 0 ? "" : i + 1 < takers.size() ? ", " : " and ") + ("'suite " + takers[i]) + "'";
  return text + (takers.size() == 1 ? " takes" : " take");
}

const Option& find_option(const std::string& name, const std::string& verb) {
  bool known = false;
  for (const auto& option : options()) {
    if (name != option.name) continue;
    if (applies(option, verb)) return option;
    known = true;
  }
  if (known) {
    const std::string meant = did_you_mean(name, option_names(verb));
    throw UsageError("'suite " + verb + "' takes no option " + name + (meant.empty() ? "; " + those_that_take(name) + " it" : meant));
  }
  throw UsageError("unknown option " + in_quotes(name) + did_you_mean(name, option_names(verb)));
}

std::string verb_from(const std::string& word) {
  if (word == "--version" || word == "-V") return "version";
  if (word == "--help" || word == "-h") return "help";
  if (find_verb(word)) return word;
  std::vector<std::string> names;
  for (const auto& verb : verbs()) names.push_back(verb.name);
  const bool file = word.find(".yaml") != std::string::npos || word.find(".yml") != std::string::npos;
  throw UsageError("unknown verb " + in_quotes(word) + (file ? "; did you mean 'suite run " + word + "'?" : did_you_mean(word, names)));
}

}  // namespace

Arguments Arguments::parse(const std::vector<std::string>& words) {
  Arguments a;
  a.words_ = words;
  if (words.empty()) {
    a.verb_ = "help";
    return a;
  }
  a.verb_ = verb_from(words[0]);
  const Verb& verb = *find_verb(a.verb_);
  bool only_positional = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && !only_positional) {
      only_positional = true;
    } else if (only_positional || word.size() < 2 || word[0] != '-') {
      a.positional_.push_back(word);
    } else {
      const size_t equals = word.find('=');
      const std::string name = word == "-h" ? "--help" : word.substr(0, equals);
      const Option& option = find_option(name, a.verb_);
      if (!option.repeated && a.has(name)) throw UsageError("option " + name + " is given twice");
      if (!option.value && equals != std::string::npos) throw UsageError("option " + name + " takes no value");
      std::string value;
      if (option.value) {
        if (equals != std::string::npos) value = word.substr(equals + 1);
        else if (i + 1 < words.size() && words[i + 1].rfind("--", 0) != 0) value = words[++i];
        else throw UsageError("option " + name + " needs a value: " + name + " " + option.value);
        if (value.empty()) throw UsageError("option " + name + " needs a value: " + name + " " + option.value);
      }
      a.values_[name].push_back(value);
    }
  }
  if (a.has("--help")) return a;
  if (a.has("--json") && a.has("--csv")) throw UsageError("--json and --csv exclude each other");
  const std::string usage = std::string("suite ") + verb.name + (*verb.arguments ? " " : "") + verb.arguments;
  if (a.positional_.size() < verb.least) throw UsageError("'suite " + a.verb_ + "' needs " + verb.arguments + ": " + usage);
  if (a.positional_.size() > verb.most)
    throw UsageError("unexpected argument " + in_quotes(a.positional_[verb.most]) + "; usage: " + usage);
  return a;
}

std::string Arguments::get(const std::string& option, const std::string& otherwise) const {
  const auto found = values_.find(option);
  return found == values_.end() ? otherwise : found->second.back();
}

std::vector<std::string> Arguments::all(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

long Arguments::number(const std::string& option, long otherwise, long low, long high) const {
  if (!has(option)) return otherwise;
  const std::string text = get(option);
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    throw UsageError(fmt::format("option {} must be an integer, {}..{}; got {}", option, low, high, in_quotes(text)));
  return value;
}

std::vector<std::string> split_list(const std::string& list, const std::string& option) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  if (!list.empty() && list.back() == ',') parts.emplace_back();
  for (const auto& part : parts)
    if (part.empty()) throw UsageError("option " + option + " has an empty name in " + in_quotes(list));
  return parts;
}

}  // namespace suite::app
