// SPDX-License-Identifier: BSD-3-Clause
// Shapes such as "ncouls,nbatches+1": parsed once per kernel, then checked against the arrays of a call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <suite/abi.h>

namespace suite::core {

class Shapes {
public:
  // Throws suite::Failure naming the argument whose shape cannot be read.
  // merit_unit, merit_count: of the suite_kernel_table, or null.
  Shapes(const suite_argument* arguments, uint32_t count, const char* merit_unit = nullptr, const char* merit_count = nullptr);
  // Arrays without data are passed over. Throws when extents contradict each other.
  void check(const suite_array* arrays) const;
  // The extents that an argument has according to the inputs; -1 where they do not determine one. Throws as check does.
  void expect(const suite_array* arrays, int argument, int64_t* extents) const;
  // The number of the merit; 0 where there is none, or the arrays do not tell.
  double merit(const suite_array* arrays) const;

private:
  // Reverse Polish: a number, the index of a name, or an operation.
  struct Token {
    enum Kind { number, name, operation } kind;
    int64_t value;
  };
  struct Dimension {
    int argument, axis;
    std::string text;
    std::vector<Token> code;
    int name = -1;  // >= 0: just this name
  };
  struct Known {
    bool known = false;
    int64_t value = 0;
    int argument = -1;
  };
  friend class ShapeParser;

  int name_index(const std::string& name);
  void learn_extents(const suite_array* arrays, std::vector<Known>& known) const;
  void learn_scalars(const suite_array* arrays, std::vector<Known>& known) const;
  void learn_by_solving(const suite_array* arrays, std::vector<Known>& known) const;
  bool solve(const Dimension& dimension, int64_t extent, std::vector<Known>& known) const;
  static std::optional<int64_t> evaluate(const std::vector<Token>& code, const std::vector<Known>& known);
  [[noreturn]] void contradict(const Dimension& dimension, int64_t extent, int64_t wanted, const std::vector<Known>& known) const;

  const suite_argument* arguments_;
  uint32_t count_;
  std::vector<std::string> names_;
  std::vector<Dimension> dimensions_;
  std::vector<Token> merit_;
};

}  // namespace suite::core
