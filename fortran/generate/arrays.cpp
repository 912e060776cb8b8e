// SPDX-License-Identifier: BSD-3-Clause
// Writes what the modules need for every element type and rank: arrays set|get|host > suite_<word>_arrays.f90. Run when suite is built.
//
// Explicit ranks instead of assumed rank (dimension(..)), because flang 19 cannot compile the latter in a procedure written in
// Fortran.
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <suite/plugin.hpp>

namespace {

using Text = std::string;

// One module: `comment` and `body` are written with <type> (real64), <declaration> (real(c_double)), <rank>, <shape> and so on.
struct Module {
  const char *word, *comment, *uses;
  bool generic;  // one name for all procedures
  int lowest_rank;
  const char* body;
};

constexpr const char* set_or_get = R"(
  subroutine <word>_<type>_<rank>(call, name, array, ierr)
    type(suite_call), intent(inout) :: call
    character(len=*), intent(in) :: name
    <declaration>, intent(<intent>), target :: array<shape>
    integer, intent(out), optional :: ierr

    call suite_<word>_described(call, name, c_loc(array), suite_<type>, shape(array, c_int64_t), <contiguous>, ierr)
  end subroutine
)";

constexpr Module modules[] = {
    {"set", "call suite_set(call, name, array, ierr): sets an argument of a call, for every element type and rank 0 to 6.",
     "  use suite_calls, only: suite_call, suite_set_described\n", true, 0, set_or_get},
    {"get", "call suite_get(call, name, array, ierr): copies a result, for every element type and rank 0 to 6.",
     "  use suite_calls, only: suite_call, suite_get_described\n", true, 0, set_or_get},
    {"host", "real64_2(array) and so on: the description of a host's array; of one that is absent, rank -1. For the families' modules.",
     "  use suite_arguments, only: described\n", false, 1, R"(
  type(suite_array) function <type>_<rank>(array) result(there)
    <declaration>, intent(in), target, optional :: array<shape>

    if (present(array)) there = described(c_loc(array), suite_<type>, shape(array, c_int64_t), is_contiguous(array))
  end function
)"}};

constexpr std::pair<const char*, const char*> types[] = {
    {"int32", "integer(c_int32_t)"}, {"int64", "integer(c_int64_t)"},           {"real32", "real(c_float)"},
    {"real64", "real(c_double)"},    {"complex64", "complex(c_float_complex)"}, {"complex128", "complex(c_double_complex)"}};

Text filled(Text text, std::initializer_list<std::pair<const char*, Text>> words) {
  for (const auto& [word, value] : words)
    for (size_t at; (at = text.find(word)) != text.npos;) text.replace(at, Text(word).size(), value);
  return text;
}

void print(const Module& module) {
  const Text word = module.word;
  Text names, bodies;
  for (const auto& [type, declaration] : types) {
    names += names.empty() ? "" : ", &\n        ";
    for (int rank = module.lowest_rank; rank <= 6; ++rank) {
      const Text name = suite::concat((module.generic ? word + "_" : ""), type, "_", rank);
      names += (rank > module.lowest_rank ? ", " : "") + name;
      bodies += filled(module.body, {{"<word>", word},
                                     {"<type>", type},
                                     {"<rank>", std::to_string(rank)},
                                     {"<declaration>", declaration},
                                     {"<intent>", word == "get" ? "inout" : "in"},
                                     {"<shape>", rank ? "(" + Text(":,:,:,:,:,:").substr(0, 2 * static_cast<size_t>(rank) - 1) + ")" : ""},
                                     {"<contiguous>", rank ? "is_contiguous(array)" : ".true."}});
    }
  }
  const bool returned = bodies.find("type(suite_array)") != bodies.npos;
  std::printf("! SPDX-License-Identifier: BSD-3-Clause\n! Written when suite is built: fortran/generate/arrays.cpp.\n!> %s\n",
              module.comment);
  std::printf("module suite_%s_arrays\n", module.word);
  std::printf(
      "  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_float, c_float_complex, c_int32_t, c_int64_t, "
      "c_loc\n");
  std::printf("%s  use suite_bindings, only: %ssuite_complex128, suite_complex64, suite_int32, suite_int64, suite_real32, suite_real64\n",
              module.uses, returned ? "suite_array, " : "");
  std::printf("  implicit none (type, external)\n  private\n\n");
  if (module.generic) {
    const Text generic = "suite_" + word;
    std::printf("  interface %s\n    procedure %s\n  end interface\n  public :: %s\n", generic.c_str(), names.c_str(), generic.c_str());
  } else {
    std::printf("  public :: %s\n", names.c_str());
  }
  std::printf("\ncontains\n%send module\n", bodies.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  for (const Module& module : modules)
    if (argc == 2 && Text(argv[1]) == module.word) return print(module), 0;
  std::fprintf(stderr, "usage: arrays set|get|host\n");
  return 1;
}
