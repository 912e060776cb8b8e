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
      {"--plugin", "PATH", "", "a plugin to use (run: in place of --implementation), or a folder to search first"},
      {"--variant", "NAME", "run validate", "variant of the implementation, such as v9"},
      {"--parameter", "NAME=VALUE", "run compare bench ladder roofline",
       "a parameter of the implementation, such as precision=mixed; may be repeated (compare, bench: values A,B in turn)", true},
      {"--set", "KEY=VALUE", "run check compare bench", "overrides a key of the input; may be repeated", true},
      {"--fail-on", "WHAT,...", "compare",
       "OLD NEW: exit code 7 where the physics is different, a row is slower:5% (its whole 95 % interval), failed, or missing"},
      {"--output", "DIR", "run compare bench ladder roofline validate",
       "folder for the results; must be new or empty (default: results/<name>-<time>)"},
      {"--output", "FILE.html", "report", "the page (default: report.html beside the result); never written over another file"},
      {"--implementations", "A,B,...", "compare bench roofline", "implementations, separated by commas: names or paths of plugins"},
      {"--variants", "all|A,B,...", "compare bench roofline", "variants of each implementation that has them"},
      {"--size", "SIZE", "bench ladder roofline", "a named size, or extents such as ncouls=512,nw=3; may be repeated", true},
      {"--peak", "DEVICE|LIST", "roofline", "peaks of a data sheet, drawn dashed: h200-sxm, or fp64=9.7TFLOP/s,dram=1555GB/s"},
      {"--counters", "FILE.csv", "roofline", "what Nsight Compute counted (ncu --csv --page raw), as dots at each level of memory"},
      {"--seed", "N", "bench ladder roofline", "seed of the generated arguments"},
      {"--repeat", "N", "compare bench ladder roofline", "samples of each row"},
      {"--threads", "N", "run compare bench ladder roofline validate",
       "threads of the CPU kernels, also in OpenCL; bench takes a list such as 1,2"},
      {"--preset", "NAME", "bench", "smoke (10 s), standard (2 min) or full: a set of options for all kernels; those given besides win"},
      {"--time-limit", "S", "bench", "ends after about S seconds and says what was not run or was cut off; --resume goes on"},
      {"--resume", "DIR", "bench validate", "continues the run in DIR where it ended"},
      {"--scaling", "strong|weak", "bench", "the same work on more ranks, or as much on each, of an app's input or of a kernel"},
      {"--ranks", "A,B,...", "bench", "with --scaling: numbers of MPI ranks, started in turns"},
      {"--along", "KEY", "bench", "with --scaling: the key of the size or the input that says how much work there is"},
      {"--launcher", "COMMAND", "bench", "with --ranks: starts the ranks (default: \"mpirun -n\")"},
      {"--tune", nullptr, "bench", "tries the knobs of each implementation and keeps the settings that are FASTER, for later runs"},
      {"--retune", nullptr, "bench", "with --tune: looks again where settings are known"},
      {"--no-tuned", nullptr, "run compare bench roofline", "leaves knobs at their default values, whatever --tune has kept"},
      {"--dry-run", nullptr, "bench validate", "says what would run, with memory and time; runs nothing"},
      {"--deterministic", nullptr, "run compare bench",
       "the same bits with any number of threads and MPI ranks; what it costs is in docs/deterministic.md"},
      {"--polyalanine", "N", "init", "with polyalanine of about N atoms as the molecule, a strand, to see how times grow"},
      {"--helix", nullptr, "init", "polyalanine as an alpha helix; a long one has no gap in the local density approximation"},
      {"--json", nullptr, "run list compare bench ladder roofline validate version", "one JSON object on standard output, nothing else"},
      {"--quiet", nullptr, "run check compare bench ladder roofline validate report", "no tables, only errors"},
      {"--man", nullptr, "help", "the manual page, as its source: suite help --man | man -l -"},
      {"--schemas", "DIR", "help", "writes the JSON Schema of every output into this folder"},
      {"--help", nullptr, "", "what a verb does and which options it takes"},
  };
  return table;
}

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table{
      {"run", "FILE.yaml", 1, 1, "runs an app, or one kernel on generated data",
       "FILE is looked for in the current folder, then among the installed inputs. The results go to a folder of their "
       "own, results/<name>-<time>, with result.json in it; results/last points at the newest. The kernel is compared "
       "with the reference implementation on data of this input before its time is quoted.\n"
       "A captured call is an input too: suite run captures/gpp.sigma-1.h5 (the variable SUITE_CAPTURE, docs/capture.md).",
       run_verb},
      {"list", "[KERNEL]", 0, 1, "backends, plugins and kernels, and why a plugin cannot be used",
       "With a kernel: its arguments, and the parameters and variants of each implementation. No kernel is executed.", list_verb},
      {"check", "FILE.yaml", 1, 1, "reads and checks an input; reports every error; runs nothing", "", check_verb},
      {"compare", "FILE.yaml|OLD NEW", 1, 2, "implementations and variants side by side on the same input, or two stored results",
       "Every contender works on the same arguments, in one process, in turns (ABBA...), warmed up before. Each is verified "
       "against the reference, element by element, before it is ranked: a wrong one shows FAILED and no time, and the exit code "
       "is 1. ratio: median of the ratios of neighbouring samples to the first contender's, with its 95 % interval; FASTER and "
       "SLOWER are said only where that interval and a rank test allow it (docs/measuring.md). prepare and transfers are what "
       "a call costs beside its run, and are never in the time.\n"
       "OLD NEW: result.json files, or folders with one, of any verb. What apps computed is compared within the tolerances or "
       "standard errors that the results state. Rows are matched by kernel, size, implementation, variant, "
       "parameters and threads; what else differs (compiler, flags, plugins, devices, host, versions) is named. --fail-on "
       "physics,slower:5%,failed,missing ends with exit code 7 where the physics is not the same, a row is slower for certain, wrong, or "
       "not there any more.",
       compare_verb},
      {"bench", "[KERNEL|FAMILY|FILE.yaml]...", 0, 100, "times kernels on generated data, over sizes, variants and threads",
       "The figure of merit is what a kernel gets done in the field's own terms (suite list KERNEL: its formula); --json has "
       "it in 'merit'. The FMA ceiling is measured in the same run with the same threads. Where the reference would take "
       "longer than half a minute, contenders are verified at the size 'small' instead, and the row says so. Implementations "
       "that nobody named are left out, with the reason, where there is no device for them or where one run would take long "
       "beside the fastest. Sizes and numbers of threads may be lists and ranges: ncouls=512/1024, nw=1..3, nwalker=1..64x2. "
       "--tune and --scaling: docs/benchmarking.md.",
       bench_verb},
      {"ladder", "FAMILY|KERNEL", 1, 1, "the published optimisation steps of a kernel, one after the other",
       "Every choice of the parameter 'variant' of one implementation (default: cpu), verified against the reference and "
       "timed in turns. ratio: time to the step before, or to the step that 'to' names. expected: what the published times "
       "(or, without any, the authors of the step) say of that ratio; a difference of less than 3 % is 'same'. A step that "
       "fails verification is not ranked, and the exit code is 1. FMA: fraction of the ceiling measured on the same device.",
       ladder_verb},
      {"roofline", "[KERNEL|FAMILY ...]", 0, 100, "kernels beside what the device allows: measured ceilings, a figure, a table",
       "Ceilings are measured in the same run: multiply-adds, arithmetic that is not fused, divisions, and the bandwidth of every "
       "level of memory. A kernel stands at its counted flops per byte; its roof is the lower one of the FMA ceiling and of what "
       "the level that its arguments fit into can feed. Where the processor's counters may be read, the traffic of each level is "
       "counted too. With --variants all the steps of a ladder are joined. --counters FILE.csv without kernels runs none.",
       roofline_verb},
      {"validate", "[FAMILY|LIST.yaml]", 0, 1, "results of an app against published ones",
       "Without a family: which there are, with the CPU time and the memory that each takes; --dry-run: that of each case.\n"
       "Runs every input of inputs/validation/FAMILY and prints each number beside the published one with its source. A "
       "number with an error has to be within three standard errors of both; the exit code is 1 where one is not. What is "
       "finished is kept when the run is interrupted: --resume DIR continues, with the options that the run was given. Cases "
       "whose input, plugins or program have changed since are run again.\n"
       "A list of one's own has its inputs in the folder of its name: mine.yaml and mine/<case>.yaml.",
       validate_verb},
      {"report", "RESULT...", 1, 1000, "one page of HTML about results: right? fastest? how far from the limit? how measured?",
       "RESULT is a result.json or validation.json of any kind, a folder with one in it, or 'last', the newest run here; several "
       "make one page. It is one file without scripts that needs no network, prints well, and says nothing by colour alone.\n"
       "Default: report.html beside the result; of several results, in the current folder.",
       report_verb},
      {"init", "APP [FILE.yaml]", 1, 2, "writes a commented input to start from; never overwrites", "", init_verb},
      {"help", "[APP|VERB]", 0, 1, "this text, the keys of an app's input, or a verb's options", "", help_verb},
      {"completion", "bash|zsh|fish", 1, 1, "a script that completes verbs, options and names in a shell",
       "Installed with the program; by hand: source <(suite completion bash), the same with zsh; suite completion fish | source.\n"
       "The scripts ask for names with 'suite completion kernels', and families, implementations, backends or inputs.",
       completion_verb},
      {"version", "", 0, 0, "version and features of this build", "", version_verb},
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

const Option& find_option(const std::string& name, const std::string& verb) {
  bool known = false;
  for (const auto& option : options()) {
    if (name != option.name) continue;
    if (applies(option, verb)) return option;
    known = true;
  }
  if (known) throw UsageError("'suite " + verb + "' takes no option " + name + did_you_mean(name, option_names(verb)));
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
