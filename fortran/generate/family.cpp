// SPDX-License-Identifier: BSD-3-Clause
// Writes the Fortran modules of a family's kernels from the lines of its header: family <kernel> > suite_<family>_<kernel>_calls.f90.
// Compiled once for each family (SUITE_FAMILY, SUITE_FAMILY_HEADER) and run when suite is built; nothing is linked but the header.
//
// A kernel has suite_<family>_<kernel>_set for what stays from call to call, its constants, and suite_<family>_<kernel>, which takes
// what changes, runs and brings the results back. Where a kernel changes state such as wavefunctions, _put leaves that on the device,
// _continue runs on it with what else changes, and _get brings it; optional state goes with mandatory state. Each comes for host arrays,
// in every element type and with and without an extent in brackets, and for arrays on the device; the former describe their arrays and
// call the latter. Optional arguments do not tell specific procedures apart, so there is one for each way in which the mandatory ones
// differ; where no array is mandatory, the one for arrays on the device has a name of its own, suite_<family>_<kernel>_device.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include SUITE_FAMILY_HEADER

namespace {

using Text = std::string;
using Row = suite_argument;
using Rows = std::vector<Row>;

bool is_result(const Row& a) { return a.intent == SUITE_OUT; }
bool changes(const Row& a) { return a.intent == SUITE_OUT || a.intent == SUITE_INOUT; }
bool is_optional(const Row& a) { return a.when_unset != nullptr; }
// Given as type(suite_array) where it lies on a device. Scalars and short lists always lie on the host.
bool is_described(const Row& a) { return a.rank > 0 && !a.copied; }
bool has_types(const Row& a) { return a.type & SUITE_TYPE_SET; }
bool has_brackets(const Row& a) { return std::strchr(a.shape, '[') != nullptr; }

// The types of a set, the smaller code first.
std::vector<int> types_of(const Row& a) {
  std::vector<int> types;
  for (int t = SUITE_INT32; t <= SUITE_COMPLEX128; ++t)
    if (has_types(a) ? a.type & (1 << t) : a.type == t) types.push_back(t);
  return types;
}

bool is_single(int type) { return type == SUITE_REAL32 || type == SUITE_COMPLEX64; }
bool is_complex(int type) { return type == SUITE_COMPLEX64 || type == SUITE_COMPLEX128; }

struct TypeName {
  const char *text, *kind, *constant;  // in a declaration, in iso_c_binding, in names
};
TypeName name_of(int type) {
  switch (type) {
    case SUITE_INT32: return {"integer(c_int32_t)", "c_int32_t", "int32"};
    case SUITE_INT64: return {"integer(c_int64_t)", "c_int64_t", "int64"};
    case SUITE_REAL32: return {"real(c_float)", "c_float", "real32"};
    case SUITE_REAL64: return {"real(c_double)", "c_double", "real64"};
    case SUITE_COMPLEX64: return {"complex(c_float_complex)", "c_float_complex", "complex64"};
    default: return {"complex(c_double_complex)", "c_double_complex", "complex128"};
  }
}

Text joined(const std::vector<Text>& words, const char* between = ", ") {
  Text text;
  for (const Text& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// a, b and c
Text listed(std::vector<Text> words) {
  const Text last = words.back();
  words.pop_back();
  return words.empty() ? last : joined(words) + " and " + last;
}

// A statement, broken after commas where it is longer than a line; before: what each further line begins with.
Text folded(Text line, const Text& before, size_t most = 128) {
  Text text;
  while (line.size() > most) {
    const size_t cut = line.rfind(", ", most - 2);
    text += line.substr(0, cut + 2) + "&\n";
    line = before + line.substr(cut + 2);
  }
  return text + line + "\n";
}

// A comment, broken between words.
Text wrapped(Text line, const Text& before) {
  constexpr size_t most = 130;
  Text text;
  while (line.size() > most) {
    const size_t cut = line.rfind(' ', most);
    if (cut == Text::npos || cut < before.size()) break;
    text += line.substr(0, cut) + "\n";
    line = before + line.substr(cut + 1);
  }
  return text + line + "\n";
}

// What a procedure does with its arguments: gives them; gives them, runs and brings results back; leaves them on the device; brings them.
enum class Deed { give, run, put, get };

struct Procedure {
  Text what;  // behind suite_<family>_<kernel>
  Rows rows;
  Deed deed;
  Text comment;
  Rows unset{};  // what the rows stand in for, and may not be set beside them
};

// One specific procedure: which host arrays it takes.
struct Variant {
  Text suffix;  // "_complex_pair"
  int type;  // of arrays of a set
  bool brackets;
  bool device;
  bool real_results = false;  // results that the kernel has complex
};

class Kernel {
public:
  // sums: the extents over which all results are sums, or null. Such results may be added to what the host's arrays have.
  Kernel(const char* name, const char* summary, const char* sums, const Row* rows, size_t count)
      : kernel_(name), procedure_("suite_" + kernel_), summary_(summary), sums_(sums != nullptr), sums_over_(sums ? sums : "") {
    procedure_[procedure_.find('.')] = '_';
    Rows constants, changing, state, others;
    for (size_t i = 0; i < count; ++i) (rows[i].intent == SUITE_CONSTANT ? constants : changing).push_back(rows[i]);
    order(constants), order(changing);
    const bool with_state = std::any_of(changing.begin(), changing.end(), [](const Row& a) { return is_state(a) && !is_optional(a); });
    for (const Row& a : changing) (with_state && is_state(a) ? state : others).push_back(a);
    if (!constants.empty()) procedures_.push_back({"_set", constants, Deed::give, "What stays from call to call."});
    add_run(changing);
    if (state.empty() || others.empty()) return;
    procedures_.push_back({"_put", state, Deed::put, "State that stays on the device from now on."});
    procedures_.push_back({"_continue", others, Deed::run, "Runs on that state; what else changes, and results."});
    procedures_.push_back({"_get", state, Deed::get, "Copies the state to the host."});
  }
  const Text& name() const { return kernel_; }

  void print() const {
    std::printf(
        "! SPDX-License-Identifier: BSD-3-Clause\n! Written from the kernel's table when suite is built: fortran/generate/family.cpp.\n");
    print_opening();
    std::printf("module %s_calls\n", procedure_.c_str());
    print_uses();
    std::printf("  implicit none (type, external)\n  private\n\n");
    for (const Procedure& p : procedures_) print_interface(p);
    std::printf("contains\n");
    for (const Procedure& p : procedures_) print_procedures(p);
    std::printf("end module\n");
  }

private:
  // The procedure that runs. Where an input may be left out because others give it, when_unset("energies - ekq"), it has its place in
  // this one, and the others have a procedure of their own. So have optional arguments that come behind the others in the table: the
  // first procedure stays as it was before the table grew.
  void add_run(const Rows& changing) {
    for (const Row& whole : changing) {
      if (whole.intent != SUITE_IN || !whole.when_unset || !is_expression(whole.when_unset, changing)) continue;
      Rows parts, later, without_parts, without_whole;
      const auto is_part = [&](const Row& a) { return &a != &whole && has_word(whole.when_unset, a.name); };
      for (const Row& a : changing) {
        Row must = a;
        must.when_unset = nullptr;
        if (is_part(a)) {
          parts.push_back(a);
          without_whole.push_back(must);
        } else if (&a == &whole) {
          without_parts.push_back(must);
        } else {
          if (parts.empty()) without_parts.push_back(a);
          else if (is_result(a)) later.push_back(a);
          without_whole.push_back(a);
        }
      }
      if (parts.empty()) continue;
      order(without_parts), order(without_whole);
      Rows unset = parts;
      unset.insert(unset.end(), later.begin(), later.end());
      procedures_.push_back({"", without_parts, Deed::run, "What changes; runs, and returns the results.", unset});
      procedures_.push_back({Text("_") + parts[0].name,
                             without_whole,
                             Deed::run,
                             "The same, with " + joined(words(parts), " and ") + " instead of " + whole.name + ".",
                             {whole}});
      return;
    }
    procedures_.push_back({"", changing, Deed::run, "What changes; runs, and returns the results."});
  }
  // Whether every word of the text names one of these arguments.
  static bool is_expression(const Text& text, const Rows& of) {
    size_t words = 0;
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
      if (end == at) {
        ++at;
        continue;
      }
      const Text word = text.substr(at, end - at);
      if (std::none_of(of.begin(), of.end(), [&](const Row& a) { return word == a.name; })) return false;
      ++words, at = end;
    }
    return words > 0;
  }
  static bool has_word(const Text& text, const Text& word) {
    for (size_t at = text.find(word); at != Text::npos; at = text.find(word, at + 1)) {
      const auto is_letter = [&](size_t i) {
        return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
      };
      if (!(at > 0 && is_letter(at - 1)) && !is_letter(at + word.size())) return true;
    }
    return false;
  }

  // Inputs from the largest rank to scalars, then results, then what may be absent.
  static void order(Rows& rows) {
    const auto place = [](const Row& a) { return is_optional(a) ? 100 : is_result(a) ? 50 : SUITE_MAX_RANK - a.rank; };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return place(a) < place(b); });
  }

  static bool any(const Rows& rows, bool (*what)(const Row&)) { return std::any_of(rows.begin(), rows.end(), what); }
  static bool is_state(const Row& a) { return a.intent == SUITE_INOUT && is_described(a); }

  // Whether a mandatory array tells the specific procedures apart.
  static bool are_told_apart(const Rows& rows) {
    return any(rows, [](const Row& a) { return is_described(a) && !is_optional(a); });
  }

  // The specific procedures; the last takes arrays on the device, or everything where nothing could lie there.
  static std::vector<Variant> variants(const Rows& rows) {
    std::vector<Variant> all;
    if (any(rows, is_described)) {
      Rows telling;
      for (const Row& a : rows)
        if (is_described(a) && (!is_optional(a) || !are_told_apart(rows))) telling.push_back(a);
      const auto set = std::find_if(telling.begin(), telling.end(), has_types);
      const size_t types = set == telling.end() ? 1 : types_of(*set).size();
      const bool batches = any(telling, has_brackets);
      if (!are_told_apart(rows) && (types > 1 || batches)) throw std::runtime_error("no mandatory array tells the types or shapes apart");
      for (size_t t = types; t-- > 0;)
        for (const bool brackets : {true, false})
          if (brackets || batches) {
            all.push_back({(types > 1 ? "_" + type_word(*set, t) : "_host") + (batches ? brackets ? "_batch" : "_pair" : ""),
                           types > 1 ? types_of(*set)[t] : SUITE_REAL64, brackets, false});
            if (types == 1 || types_of(*set)[t] != SUITE_REAL64 || !any(rows, is_complex_result)) continue;
            all.push_back(all.back());
            all.back().suffix += "_all_real";
            all.back().real_results = true;
          }
      all.push_back({"_device", SUITE_REAL64, true, true});
    } else {
      all.push_back({"_lists", SUITE_REAL64, true, true});
    }
    return all;
  }

  static bool is_complex_result(const Row& a) { return is_result(a) && a.type == SUITE_COMPLEX128; }

  static Text type_word(const Row& set, size_t t) {
    const auto types = types_of(set);
    if (types[0] == SUITE_REAL64 && types[1] == SUITE_COMPLEX128) return t ? "complex" : "real";
    if (types.size() > 2) return Text(is_single(types[t]) ? "single" : "double") + (is_complex(types[t]) ? "_complex" : "_real");
    return t ? "double" : "single";
  }

  // The shape as it is in a variant: "ncouls,ntband,nex", or "ncouls,ntband" without what stands in brackets.
  static Text shape_of(const Row& a, bool brackets) {
    Text shape = a.shape;
    const size_t open = shape.find('[');
    if (open == Text::npos) return shape;
    return brackets ? shape.substr(0, open) + shape.substr(open + 1, shape.size() - open - 2) : shape.substr(0, open);
  }
  static int rank_of(const Row& a, bool brackets) {
    const Text shape = shape_of(a, brackets);
    return shape.empty() ? 0 : 1 + static_cast<int>(std::count(shape.begin(), shape.end(), ','));
  }
  static int type_of(const Row& a, const Variant& v) {
    if (v.real_results && is_complex_result(a)) return SUITE_REAL64;
    const auto types = types_of(a);
    if (!has_types(a) || std::find(types.begin(), types.end(), v.type) != types.end()) return has_types(a) ? v.type : types[0];
    // Another set than the one that tells the procedures apart: the type of the same precision.
    return *std::find_if(types.begin(), types.end(), [&](int type) { return is_single(type) == is_single(v.type); });
  }

  // Host codes may have default integers of 8 bytes: what the call copies is converted.
  static Text declared_type(const Row& a, const Variant& v) {
    if (v.device && is_described(a)) return "type(suite_array)";
    return !is_described(a) && a.type == SUITE_INT32 ? "integer" : name_of(type_of(a, v)).text;
  }

  // --- the opening comment
  void print_opening() const {
    std::printf("!> %s from Fortran: %s.\n!>\n", kernel_.c_str(), summary_.c_str());
    for (const Procedure& p : procedures_)
      std::printf("%s", folded("!>     call " + procedure_ + p.what + "(" + joined(names(p)) + ")", "!>         ").c_str());
    std::printf("!>\n");
    for (const Procedure& p : procedures_) {
      if (p.what == "_set") print_table(p.rows, procedure_ + "_set: what stays from call to call");
      if (p.what == "") print_table(p.rows, procedure_ + ": what changes; runs, and returns the results");
      if (p.what != "" && !p.unset.empty()) {
        Rows instead;
        for (const Row& a : p.rows)
          if ((!a.when_unset && has_word(p.unset[0].when_unset, a.name)) || is_new(a)) instead.push_back(a);
        print_table(instead, procedure_ + p.what + ": the same, instead of " + p.unset[0].name + ", and more on request");
      }
      if (p.what == "_set" || p.what == "" || !p.unset.empty()) std::printf("!>\n");
    }
    if (std::any_of(procedures_.begin(), procedures_.end(), [&](const Procedure& p) { return adds(p); }))
      std::printf("!> add: whether results are added to the host's arrays.\n");
    if (sums_) std::printf("!> %s may be 0: sums over nothing are 0.\n", sums_over_.c_str());
    if (std::any_of(procedures_.begin(), procedures_.end(), [](const Procedure& p) {
          const auto all = variants(p.rows);
          return std::any_of(all.begin(), all.end(), [](const Variant& v) { return v.real_results; });
        }))
      std::printf("!> With real inputs complex results may be real arrays, which get their real parts.\n");
    if (procedures_.back().deed == Deed::get) {
      const Rows& state = procedures_.back().rows;
      const Text stay = state.size() > 1 ? " stay" : " stays";
      const Text sentence = "!> Between _put and _get " + listed(words(state)) + stay + " on the device, and _continue runs on that state.";
      std::printf("%s!>\n", wrapped(sentence, "!> ").c_str());
    }
    std::printf(
        "!> An absent input keeps its earlier value; an absent result is not computed. Arrays are on the host, or of\n"
        "!> type(suite_array) on the device. Host arrays are used in place where the device shares the host's memory: an array must\n"
        "!> exist while a kernel runs. Between two runs it may be freed if another is set before the next.\n");
  }

  // Whether the first procedure that runs does without it.
  bool is_new(const Row& a) const {
    for (const Procedure& p : procedures_)
      if (p.what == "") return std::none_of(p.rows.begin(), p.rows.end(), [&](const Row& b) { return !std::strcmp(a.name, b.name); });
    return false;
  }

  static std::vector<Text> words(const Rows& rows) {
    std::vector<Text> all;
    for (const Row& a : rows) all.push_back(a.name);
    return all;
  }
  std::vector<Text> names(const Procedure& p) const {
    std::vector<Text> all = words(p.rows);
    all.insert(all.begin(), "call");
    if (adds(p)) all.push_back("add");
    if (p.deed == Deed::run) all.push_back("seconds");
    all.push_back("ierr");
    return all;
  }

  // Whether results may be added to what the host's arrays have; whether they may go through memory of the call's.
  bool adds(const Procedure& p) const { return sums_ && p.deed == Deed::run && p.what != "" && !p.unset.empty(); }
  bool converts(const Procedure& p) const { return sums_ && p.deed == Deed::run && any(p.rows, is_complex_result); }

  static Text words_of_type(const Row& a) {
    const auto types = types_of(a);
    if (types.size() > 2 || (types.size() > 1 && types[0] == SUITE_REAL64)) return "real or complex";
    switch (types.back()) {
      case SUITE_INT32: return "integer";
      case SUITE_INT64: return "integer(8)";
      case SUITE_REAL32: return "real(4)";
      case SUITE_REAL64: return "real";
      case SUITE_COMPLEX64: return "complex(4)";
      default: return "complex";
    }
  }
  static Text meaning_of(const Row& a) {
    Text meaning = Text(is_result(a) ? "result: " : a.intent == SUITE_INOUT ? "changed: " : "") + a.meaning;
    if (has_types(a) && types_of(a)[0] != SUITE_REAL64) meaning += "; single or double precision";
    if (a.when_unset) meaning += is_result(a) ? "; on request" : Text("; never set: ") + a.when_unset;
    return meaning;
  }

  static void print_table(const Rows& rows, const Text& title) {
    size_t name = 0, type = 0, shape = 0, unit = 0;
    for (const Row& a : rows) {
      name = std::max(name, std::strlen(a.name));
      type = std::max(type, words_of_type(a).size());
      shape = std::max(shape, std::strlen(a.shape) + 2);
      unit = std::max(unit, std::strlen(a.unit));
    }
    std::printf("!> %s\n", title.c_str());
    for (const Row& a : rows) {
      const auto padded = [](Text text, size_t width) { return text + Text(width - text.size() + 2, ' '); };
      Text line = "!>     " + padded(a.name, name) + padded(words_of_type(a), type) +
                  padded(a.rank ? "(" + Text(a.shape) + ")" : "scalar", std::max<size_t>(shape, 6)) + padded(a.unit, unit);
      const Text before = "!>" + Text(line.size() - 2, ' ');
      line += meaning_of(a);
      std::printf("%s", wrapped(line, before).c_str());
    }
  }

  // --- the module's head
  void print_uses() const {
    const bool arrays = std::any_of(procedures_.begin(), procedures_.end(), [](const Procedure& p) { return any(p.rows, is_described); });
    std::vector<Text> kinds{"c_double", "c_int"}, described, given{"run"};
    const auto add = [](std::vector<Text>& to, const Text& word) {
      if (std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
    };
    for (const Procedure& p : procedures_)
      for (const Variant& v : variants(p.rows))
        for (const Row& a : p.rows) {
          if (declared_type(a, v) == name_of(type_of(a, v)).text) add(kinds, name_of(type_of(a, v)).kind);
          if (is_described(a) && !v.device) add(described, describing(a, v));
          if (v.device && p.deed != Deed::get) add(given, giving(a, converts(p)));
          if (v.device && p.deed == Deed::put) add(given, "keep");
          if (v.device && changes(a) && (p.deed == Deed::run || p.deed == Deed::get)) add(given, converts(p) ? "bring_sum" : "bring");
        }
    if (std::any_of(procedures_.begin(), procedures_.end(), [](const Procedure& p) { return !p.unset.empty(); })) add(given, "unset");
    for (auto* list : {&kinds, &described, &given}) std::sort(list->begin(), list->end());
    std::printf("%s", folded("  use, intrinsic :: iso_c_binding, only: " + joined(kinds), "      ").c_str());
    std::printf("  use suite, only: %ssuite_call, suite_ok\n", arrays ? "suite_array, " : "");
    std::printf("%s  use suite_calls, only: suite_settle\n", folded("  use suite_arguments, only: " + joined(given), "      ").c_str());
    if (!described.empty()) std::printf("%s", folded("  use suite_host_arrays, only: " + joined(described), "      ").c_str());
  }

  void print_interface(const Procedure& p) const {
    std::vector<Text> specifics;
    for (const Variant& v : variants(p.rows)) specifics.push_back(specific(v, p));
    const bool apart = !any(p.rows, is_described) || are_told_apart(p.rows);
    if (!apart) specifics.pop_back();
    print_generic(procedure_ + p.what, p.comment, specifics);
    if (!apart)
      print_generic(procedure_ + p.what + "_device", "The same for arrays on the device.", {specific(variants(p.rows).back(), p)});
  }
  static void print_generic(const Text& name, const Text& comment, const std::vector<Text>& specifics) {
    std::printf("  !> %s\n  interface %s\n", comment.c_str(), name.c_str());
    std::printf("%s", folded("    procedure " + joined(specifics), "        ").c_str());
    std::printf("  end interface\n  public :: %s\n\n", name.c_str());
  }

  Text specific(const Variant& v, const Procedure& p) const { return kernel_.substr(kernel_.find('.') + 1) + p.what + v.suffix; }

  // --- procedures
  void print_procedures(const Procedure& p) const {
    for (const Variant& v : variants(p.rows)) {
      std::printf("%s", folded("\n  subroutine " + specific(v, p) + "(" + joined(names(p)) + ")", "      ").c_str());
      print_declarations(p, v);
      if (v.device) print_deed(p);
      else print_describing(p, v);
      std::printf("  end subroutine\n");
    }
  }

  struct Declaration {
    Text text, comment;
  };
  static Declaration declaration(const Row& a, const Variant& v, Deed deed) {
    const int rank = v.device && is_described(a) ? 0 : rank_of(a, v.brackets);
    const bool in_place = !v.device && is_described(a);
    // Descriptions are targets too: gfortran 12 takes memory behind the addresses in other intent(in) arguments as unchanged by the call.
    Declaration d;
    d.text = declared_type(a, v) + ", intent(" + (changes(a) && in_place && deed != Deed::put ? "inout" : "in") + ")" +
             (is_described(a) ? ", target" : "") + (is_optional(a) ? ", optional" : "") + " :: " + a.name;
    if (rank > 0) d.text += "(" + Text(":,:,:,:,:,:").substr(0, 2 * static_cast<size_t>(rank) - 1) + ")";
    d.comment = a.rank ? "(" + shape_of(a, v.brackets) + ")" : "";
    if (std::strcmp(a.unit, "1")) d.comment += (a.rank ? " " : "") + Text(a.unit);
    return d;
  }

  void print_declarations(const Procedure& p, const Variant& v) const {
    std::vector<Declaration> all{{"type(suite_call), intent(inout) :: call", "opened as " + kernel_}};
    for (const Row& a : p.rows) all.push_back(declaration(a, v, p.deed));
    if (adds(p)) all.push_back({"logical, intent(in), optional :: add", ".true.: to the host's arrays"});
    if (p.deed == Deed::run) all.push_back({"real(c_double), intent(out), optional :: seconds", "s: kernel time by the device's clock"});
    all.push_back({"integer, intent(out), optional :: ierr", "suite_ok, or a failure described by suite_message"});
    size_t width = 0;
    for (const Declaration& d : all) width = std::max(width, d.text.size());
    for (const Declaration& d : all)
      std::printf("    %s%s%s\n", d.text.c_str(), d.comment.empty() ? "" : Text(width - d.text.size() + 1, ' ').c_str(),
                  d.comment.empty() ? "" : ("!< " + d.comment).c_str());
    if (v.device) std::printf("    integer(c_int) :: status\n");
    std::printf("\n");
  }

  // The function of suite_host_arrays that describes an argument, and the procedure of suite_arguments that gives it.
  static Text describing(const Row& a, const Variant& v) {
    return suite::concat(Text(name_of(type_of(a, v)).constant), "_", rank_of(a, v.brackets));
  }
  static Text giving(const Row& a, bool added) {
    if (is_described(a)) return !is_result(a) ? "give" : added ? "ask_sum" : "ask";
    if (a.rank > 0) return suite::concat((a.type == SUITE_INT32 ? "give_indices_" : "give_list_"), a.rank);
    return a.type == SUITE_INT32 ? "give_count" : a.type == SUITE_INT64 ? "give_long" : "give_number";
  }

  void print_describing(const Procedure& p, const Variant& v) const {
    std::vector<Text> passed{"call"};
    for (const Row& a : p.rows) passed.push_back(is_described(a) ? describing(a, v) + "(" + a.name + ")" : Text(a.name));
    if (adds(p)) passed.push_back("add");
    if (p.deed == Deed::run) passed.push_back("seconds");
    passed.push_back("ierr");
    std::printf("%s", folded("    call " + specific(variants(p.rows).back(), p) + "(" + joined(passed) + ")", "        ").c_str());
  }

  void print_deed(const Procedure& p) const {
    const auto each = [&](const Text& what, bool (*of)(const Row&)) {
      for (const Row& a : p.rows) {
        const Text deed = what.empty() ? giving(a, converts(p)) : what;
        const bool added = deed == "ask_sum" || deed == "bring_sum";
        if (of(a))
          std::printf("    call %s(call, \"%s\", %s, %sstatus)\n", deed.c_str(), a.name, a.name,
                      !added    ? ""
                      : adds(p) ? "add, "
                                : ".false., ");
      }
    };
    const auto all = [](const Row&) { return true; };
    std::printf("    status = suite_ok\n");
    for (const Row& a : p.unset) std::printf("    call unset(call, \"%s\", status)\n", a.name);
    if (p.deed != Deed::get) each("", all);
    if (p.deed == Deed::put) each("keep", all);
    if (p.deed == Deed::run) std::printf("    call run(call, seconds, status)\n");
    if (p.deed == Deed::run || p.deed == Deed::get) each(converts(p) ? "bring_sum" : "bring", changes);
    std::printf("    call suite_settle(call, status, ierr)\n");
  }

  Text kernel_, procedure_, summary_;
  bool sums_;
  Text sums_over_;
  std::vector<Procedure> procedures_;
};

template <class K> const char* sums_over() {
  if constexpr (requires { K::sums_over; }) return K::sums_over;
  return nullptr;
}
template <class... K> std::vector<Kernel> kernels_of(suite::Kernels<K...>) {
  return {Kernel(K::name, K::summary, sums_over<K>(), suite::rows<K>.data(), suite::rows<K>.size())...};
}

}  // namespace

int main(int argc, char** argv) {
  for (const Kernel& kernel : kernels_of(suite::SUITE_FAMILY::kernels{}))
    if (argc == 2 && kernel.name() == argv[1]) return kernel.print(), 0;
  std::fprintf(stderr, "usage: family <kernel>; kernels() of the family's header has no %s\n", argc > 1 ? argv[1] : "such kernel");
  return 1;
}
