// SPDX-License-Identifier: BSD-3-Clause
#include "manual.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <suite/suite.h>

#include "exit_codes.hpp"
#include "options.hpp"
#include "registry.hpp"

namespace suite::app {
namespace {

struct Variable {
  const char *name, *meaning;
};
constexpr Variable variables[] = {
    {"SUITE_PLUGIN_PATH", "folders with plugins, separated by colons, searched before the installed ones"},
    {"SUITE_ISA", "x86-64-v4, x86-64-v3, armv8-a+sve (64-bit ARM) or baseline: highest instruction set of the CPU plugins that are loaded"},
    {"SUITE_CHECK", "0: does not check kernel arguments for NaN and infinities"},
    {"SUITE_CAPTURE", "folder in which arguments and results of calls are captured, as inputs of run and compare"},
    {"SUITE_CAPTURE_LIMIT",
     "maximum number of calls of each kernel (8), amount of data (2GiB), or both (8,2GiB) to capture; default: 4,4GiB"},
    {"SUITE_CAPTURE_SKIP", "number of calls of each kernel to skip before the first capture"},
    {"SUITE_CAPTURE_KERNEL", "kernel or family whose calls are captured; default: all"},
    {"SUITE_PROGRESS_INTERVAL", "seconds between lines of progress where stderr is no terminal; default: 60; 0: no lines"},
    {"SUITE_TRACE", "new file for a trace of every call, which Perfetto opens"},
    {"SUITE_DETERMINISTIC", "1: bitwise identical results for any number of threads and ranks, as --deterministic"},
    {"SUITE_TUNED", "file in which 'suite bench --tune' stores settings"},
    {"SUITE_POWERCAP", "folder of the CPU's energy counters (default: /sys/class/powercap)"},
    {"SUITE_ROCTX", "1: emits ranges for AMD's profilers even if none is detected"},
    {"SUITE_OPENCL_CACHE", "0: does not cache binaries of OpenCL programs"},
    {"SUITE_LOCAL_RANK", "rank within the node, which selects the device of a process if none is named; default: from MPI"},
    {"OMP_NUM_THREADS", "threads of the CPU kernels, including OpenCL on a CPU; --threads takes precedence"},
    {"OMP_WAIT_POLICY", "wait policy of OpenMP threads; if this and GOMP_SPINCOUNT are unset, they spin for 40 us before they sleep"},
    {"NO_COLOR", "disables colours on a terminal"},
};

// Escapes text for troff; a '.' or ''' at the start of a line would be a request.
std::string plain(const std::string& text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((i == 0 || text[i - 1] == '\n') && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') escaped += "\\e";
    else if (c == '-') escaped += "\\-";
    else if (c == '\'') escaped += "\\(aq";
    else if (c == '^') escaped += "\\(ha";
    else if (c == '~') escaped += "\\(ti";
    else if (c == '`') escaped += "\\(ga";
    else escaped += c;
  }
  return escaped;
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + (text.empty() || !std::ispunct(static_cast<unsigned char>(text.back())) ? "." : "");
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

// Capitals, which the user replaces, are set in italics, the rest in bold: "bash|zsh", "[APP|VERB]".
std::string arguments_text(const std::string& text) {
  std::string out, word;
  const auto flush = [&] {
    if (!word.empty())
      out += std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c); }) ? italic(word) : bold(word);
    word.clear();
  };
  for (const char c : text)
    if (c == '|' || c == '[' || c == ']' || c == ' ') flush(), out += c;
    else word += c;
  flush();
  return out;
}

std::string option_text(const Option& option) { return bold(option.name) + (option.value ? " " + arguments_text(option.value) : ""); }

// Options of all verbs have a section of their own.
bool is_general(const Option& option) { return !*option.verbs; }

void add_options(std::ostream& out, const std::string& verb) {
  for (const auto& option : options())
    if (is_general(option) == verb.empty() && applies(option, verb))
      out << ".TP\n" << option_text(option) << "\n" << plain(option.meaning) << "\n";
}

}  // namespace

std::string manual_page() {
  std::ostringstream out;
  out << ".\\\" Made by 'suite help --man' from the tables of verbs and options.\n.TH SUITE 1 \"\" " << '"' << "suite " << suite_version()
      << "\" \"User Commands\"\n"
      << ".SH NAME\nsuite \\- electronic\\-structure kernels as swappable plugins\n.SH SYNOPSIS\n"
      << bold("suite") << " " << italic("VERB") << " [" << italic("ARGUMENTS") << "] [" << italic("OPTIONS") << "]\n"
      << ".SH DESCRIPTION\nRuns, verifies, compares and measures kernels of electronic\\-structure codes on "
         "the backends that are installed, and\n"
         "applications made of them. No time is ranked unless the result agrees with the reference "
         "implementation.\n"
      << ".SH VERBS\n";
  for (const auto& verb : verbs()) {
    out << ".SS suite " << plain(verb.name) << (*verb.arguments ? " " + arguments_text(verb.arguments) : "") << "\n"
        << plain(sentence(verb.summary)) << "\n";
    std::istringstream paragraphs(verb.details);
    for (std::string text; std::getline(paragraphs, text);) out << ".PP\n" << plain(text) << "\n";
    add_options(out, verb.name);
  }
  out << ".SH OPTIONS OF EVERY VERB\n";
  add_options(out, "");
  out << ".SH APPS\n";
  for (const auto& app : registered_apps())
    out << ".TP\n"
        << bold(app.name) << "\n"
        << plain(app.make ? app.make()->summary() : std::string("not in this build: ") + app.missing) << "\n";
  out << ".SH EXIT STATUS\n";
  for (const auto& exit : exit_meanings) out << ".TP\n" << bold(std::to_string(exit.code)) << "\n" << plain(exit.meaning) << "\n";
  out << ".SH ENVIRONMENT\n";
  for (const auto& variable : variables) out << ".TP\n" << bold(variable.name) << "\n" << plain(variable.meaning) << "\n";
  out << ".SH FILES\n.TP\n"
      << italic("results/<name>-<time>/result.json") << "\nresults of a run; " << italic("results/last") << " points at the newest\n"
      << ".SH EXAMPLES\n.TP\n"
      << bold("suite run gpp.yaml") << "\nan installed input\n.TP\n"
      << bold("suite compare gpp.yaml --implementations reference,cpu") << "\ntwo implementations on the same input\n.TP\n"
      << bold("suite bench gpp.sigma --size ncouls=512,nw=3") << "\none kernel on generated data\n";
  return out.str();
}

}  // namespace suite::app
