// SPDX-License-Identifier: BSD-3-Clause
// Reads the body of one function.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "module.hpp"

namespace suite::ptx {

std::string_view trimmed(std::string_view text);
std::vector<std::string_view> words_of(std::string_view text, std::string_view separators = " \t\r\n");
uint32_t bytes_of_type(std::string_view type);  // "f64": 8

// ".shared .align 8 .b8 tile[1024] = {...}"
struct Declared {
  std::string_view name, type, initial;
  uint32_t element = 0, count = 0, align = 1;  // bytes; 0: an array without a size
};
Declared declared(std::string_view statement);

class Parser {
public:
  Parser(Module& module, const std::string& name, std::string_view text, int line);
  std::unique_ptr<Function> parse();

private:
  struct Statement {
    std::string_view text;
    int line = 0, source_line = 0;
  };
  struct Register {
    uint32_t index = 0;
    bool predicate = false;
  };
  struct Range {
    uint32_t first = 0, count = 0;
    bool predicate = false;
  };
  struct Scope {
    std::map<std::string_view, Register> registers;
    std::map<std::string_view, Range> ranges;
    std::map<std::string_view, Variable> variables;
  };
  struct Opcode {
    std::vector<std::string_view> parts;
    bool has(std::string_view part) const;
    std::string_view type() const { return parts.back(); }
  };

  void split(size_t body);
  void head(std::string_view text);
  void lay_out_shared();
  void declare_registers(std::string_view text);
  void declare_in_frame(std::string_view text);
  void instruction(const Statement& statement);
  void operands_of(Instruction& i, const Opcode& opcode, std::string_view text);
  void memory(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands);
  void address(Instruction& i, std::string_view text);
  void move(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands);
  void exchange(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands);
  void call(Instruction& i, const std::vector<std::string_view>& operands);
  void arithmetic(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands);

  const Register* find_register(std::string_view name);
  const Variable* find_variable(std::string_view name) const;
  Register need_register(std::string_view name);
  uint32_t need_predicate(std::string_view name);
  void add_result(Instruction& i, std::string_view name);
  void add_source(Instruction& i, std::string_view text);
  Operand constant(uint64_t value);
  [[noreturn]] void fail(const std::string& why) const;

  Module& module_;
  std::unique_ptr<Function> function_;
  std::string_view text_;
  int line_ = 0;
  std::vector<Statement> statements_;
  std::vector<Scope> scopes_;
  std::map<std::string_view, Register> found_;  // of ranges, by full name
  std::map<std::string_view, uint32_t> labels_;
  std::vector<std::pair<size_t, std::string_view>> jumps_;  // instruction, label
  std::map<uint64_t, uint32_t> constants_;
  Statement current_;
  uint32_t used_bytes_ = ~0u;
  uint32_t carry_ = 0;  // the predicate that holds the condition code, 0: none yet
};

}  // namespace suite::ptx
