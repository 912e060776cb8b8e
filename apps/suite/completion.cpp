// SPDX-License-Identifier: BSD-3-Clause
#include "completion.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "options.hpp"
#include "registry.hpp"

namespace suite::app {
namespace {

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

bool is_literal(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '-'; });
}

void add_placeholder(const std::string& name, Completions& to) {
  const auto starts = [&](const char* with) { return name.rfind(with, 0) == 0; };
  const size_t dot = name.find('.');  // LIST.yaml
  if (dot != std::string::npos) {
    to.files = true;
    to.endings.push_back(name.substr(dot + 1));
    if (to.endings.back() == "yaml") to.endings.push_back("yml");
  }
  if (name == "FILE.yaml") {
    to.asked.push_back("inputs");
    to.endings.push_back("h5");  // a captured call
  }
  if (name == "LIST.yaml") to.asked = {"validations"};  // the families of the lists, not those of the kernels
  if (starts("PATH") || starts("RESULT") || starts("OLD") || starts("NEW")) to.files = to.any_file = true;
  if (name == "DIR") to.folders = true;
  if (name == "KERNEL") to.asked.push_back("kernels");
  if (name == "FAMILY") to.asked.push_back("families");
  if (name == "APP") to.words = app_names();
  if (name == "VERB")
    for (const auto& verb : verbs()) to.words.push_back(verb.name);
}

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string in_single_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// One call of a function of the generated script.
std::string bash_offer(const Completions& c) {
  std::string text;
  if (c.files) text += " _suite_files" + (c.endings.empty() ? "" : " '\\.(" + joined(c.endings, "|") + ")$'") + ";";
  if (c.folders) text += " _suite_folders;";
  if (!c.words.empty()) text += std::string(c.list ? " _suite_list " : " _suite_words ") + in_single_quotes(joined(c.words)) + ";";
  for (const auto& names : c.asked)
    text += c.pairs ? " _suite_pairs " + names + ";"
                    : std::string(c.list ? " _suite_list " : " _suite_words ") + "\"$(_suite_ask " + names + ")\";";
  return text.empty() ? " :;" : text;
}

constexpr const char* bash_functions = R"sh(# Completion of suite in bash, made by 'suite completion bash'.
_suite_add() {
  local found
  mapfile -t found < <(compgen "$@")
  COMPREPLY+=("${found[@]}")
}
_suite_words() { _suite_add -W "$1" -- "$cur"; }
_suite_files() {
  local entry
  compopt -o filenames 2>/dev/null
  while IFS= read -r entry; do
    if [[ -d $entry || $entry =~ ${1:-.} ]]; then COMPREPLY+=("$entry"); fi
  done < <(compgen -f -- "$cur")
}
_suite_folders() { compopt -o filenames 2>/dev/null; _suite_add -d -- "$cur"; }
_suite_list() {
  local before=''
  [[ $cur == *,* ]] && before=${cur%,*},
  compopt -o nospace 2>/dev/null
  _suite_add -P "$before" -W "$1" -- "${cur##*,}"
}
_suite_ask() { "${COMP_WORDS[0]}" completion "$1" -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null; }
_suite_pairs() {
  local pair
  if [[ -z $key ]]; then compopt -o nospace 2>/dev/null; fi
  while IFS= read -r pair; do
    if [[ -n $pair && $pair == "$key$cur"* ]]; then COMPREPLY+=("${pair#"$key"}"); fi
  done < <(_suite_ask "$1")
}

_suite() {
  local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) assigns='' key='' prev verb=${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $cur == '=' ]]; then cur='' assigns=1; elif [[ ${COMP_WORDS[at]} == '=' ]]; then at=$((at - 1)) assigns=1; fi
  prev=${COMP_WORDS[at]}
  if [[ -n $assigns && $prev != -* ]]; then  # --set KEY=VALUE
    key=$prev= at=$((at - 1))
    if [[ ${COMP_WORDS[at]} == '=' ]]; then at=$((at - 1)); fi
    prev=${COMP_WORDS[at]}
  fi
)sh";

// zsh treats ':' and brackets specially.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += std::string(c == ':' || c == '[' || c == ']' || c == '\\' ? "\\" : "") + c;
  return escaped;
}

std::string zsh_action(const Completions& c) {
  std::string text;
  if (c.files) text += c.endings.empty() ? "_files; " : "_files -g \"*.(" + joined(c.endings, "|") + ")\"; ";
  if (c.folders) text += "_files -/; ";
  const std::string option = c.list ? "-qS, " : c.pairs ? "-S \"\" " : "";
  const std::string begin = c.list ? "compset -P \"*,\"; " : "";
  if (!c.words.empty()) text += begin + "compadd " + option + "-- " + joined(c.words) + "; ";
  for (const auto& names : c.asked) text += begin + "_suite_ask " + names + " " + option + "; ";
  return text.empty() ? " " : "{ " + text + "}";
}

constexpr const char* zsh_functions = R"sh(#compdef suite
# Completion of suite in zsh, made by 'suite completion zsh'.
_suite_ask() {
  local -a names
  names=(${(f)"$($program completion $1 -- "${(@)words[1,CURRENT]}" 2>/dev/null)"})
  shift
  compadd "$@" -- $names
}

_suite() {
  local program=$words[1] context state state_descr line
  local -a verbs
  typeset -A opt_args
  _arguments -C '1: :->verb' '*:: :->rest'
)sh";

std::string fish_offer(const Completions& c) {
  std::vector<std::string> offers = c.words;
  for (const auto& names : c.asked) offers.push_back("(suite completion " + names + " -- (commandline -opc)[2..-1] (commandline -ct))");
  if (c.folders) offers.push_back("(__fish_complete_directories)");
  return offers.empty() ? "" : " -a " + in_single_quotes(joined(offers));
}

}  // namespace

namespace {

constexpr std::pair<const char*, const char*> names_of_options[] = {{"--implementation", "implementations"},
                                                                    {"--implementations", "implementations"},
                                                                    {"--backend", "backends"},
                                                                    {"--set", "keys"},
                                                                    {"--variant", "variants"},
                                                                    {"--variants", "variants"},
                                                                    {"--parameter", "parameters"},
                                                                    {"--size", "sizes"},
                                                                    {"--preset", "presets"}};

}  // namespace

Completions completions(const std::string& text, const std::string& option) {
  Completions found;
  found.list = text.find(',') != std::string::npos;
  for (const auto& part : split(text, "|[] "))
    if (is_literal(part) && part.find_first_not_of("-") != std::string::npos) found.words.push_back(part);
    else add_placeholder(part.substr(0, part.find("...")), found);
  if (found.any_file) found.endings.clear();
  for (const auto& [of, names] : names_of_options)
    if (option == of) found.asked.emplace_back(names);
  found.pairs = option == "--set" || option == "--parameter";
  return found;
}

std::string bash_completion() {
  std::ostringstream out;
  out << bash_functions << "  if ((COMP_CWORD == 1)); then _suite_words '";
  for (const auto& verb : verbs()) out << (&verb == &verbs().front() ? "" : " ") << verb.name;
  out << "'; return; fi\n  case \"$verb $prev\" in\n";
  for (const auto& verb : verbs())
    for (const auto& option : options())
      if (option.value && applies(option, verb.name))
        out << "    '" << verb.name << " " << option.name << "')" << bash_offer(completions(option.value, option.name)) << " return ;;\n";
  out << "  esac\n  case $verb in\n";
  for (const auto& verb : verbs()) {
    out << "    " << verb.name << ") if [[ $cur == -* ]]; then _suite_words '";
    std::vector<std::string> names;
    for (const auto& option : options())
      if (applies(option, verb.name)) names.push_back(option.name);
    out << joined(names) << "'; else" << bash_offer(completions(verb.arguments)) << " fi ;;\n";
  }
  out << "  esac\n}\ncomplete -F _suite suite\n";
  return out.str();
}

std::string zsh_completion() {
  std::ostringstream out;
  out << zsh_functions << "  case $state in\n  verb)\n    verbs=(";
  for (const auto& verb : verbs()) out << "\n      " << in_single_quotes(std::string(verb.name) + ":" + zsh_text(verb.summary));
  out << "\n    )\n    _describe verb verbs ;;\n  rest)\n    case $words[1] in\n";
  for (const auto& verb : verbs()) {
    out << "    " << verb.name << ") _arguments -s";
    for (const auto& option : options()) {
      if (!applies(option, verb.name)) continue;
      std::string spec =
          std::string(option.repeated ? "*" : "") + option.name + (option.value ? "=" : "") + "[" + zsh_text(option.meaning) + "]";
      if (option.value) spec += ":" + zsh_text(option.value) + ":" + zsh_action(completions(option.value, option.name));
      out << " \\\n      " << in_single_quotes(spec);
    }
    if (*verb.arguments)
      out << " \\\n      " << in_single_quotes("*:" + zsh_text(verb.arguments) + ":" + zsh_action(completions(verb.arguments)));
    out << " ;;\n";
  }
  out << "    esac ;;\n  esac\n}\nif [[ $funcstack[1] == _suite ]]; then _suite \"$@\"; else compdef _suite "
         "suite; fi\n";
  return out.str();
}

std::string fish_completion() {
  std::ostringstream out;
  out << "# Completion of suite in fish, made by 'suite completion fish'.\ncomplete -c suite -f\n";
  for (const auto& verb : verbs())
    out << "complete -c suite -n __fish_use_subcommand -a " << verb.name << " -d " << in_single_quotes(verb.summary) << "\n";
  for (const auto& verb : verbs()) {
    const std::string begin = "complete -c suite -n '__fish_seen_subcommand_from " + std::string(verb.name) + "'";
    const Completions arguments = completions(verb.arguments);
    if (arguments.files || !fish_offer(arguments).empty()) out << begin << (arguments.files ? " -F" : "") << fish_offer(arguments) << "\n";
    for (const auto& option : options()) {
      if (!applies(option, verb.name)) continue;
      const Completions values = completions(option.value ? option.value : "", option.name);
      out << begin << " -l " << std::string(option.name).substr(2)
          << (!option.value  ? ""
              : values.files ? " -r -F" + fish_offer(values)
                             : " -x" + fish_offer(values))
          << " -d " << in_single_quotes(option.meaning) << "\n";
    }
  }
  return out.str();
}

}  // namespace suite::app
