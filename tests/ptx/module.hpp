// SPDX-License-Identifier: BSD-3-Clause
// PTX as the executor holds it: a function is an array of instructions whose operands are numbers of registers and constants
// (PTX ISA 9.0, sections 4 to 9). Function bodies are read when they are first launched: a module has many that no test uses.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace suite::ptx {

inline constexpr int warp_lanes = 32;
using Lanes = std::array<uint64_t, warp_lanes>;  // a register of all lanes; narrower types lie in the low bits

// What an instruction is counted as.
enum class Kind : uint8_t {
  fma64,
  fp64,
  div64,  // division and square root, which ptxas expands
  mma64,  // by tensor cores: 8 multiply-adds of each lane, 16 where A has 16 rows
  fp32,
  special,  // MUFU: approximate reciprocals, square roots, exponentials and logarithms
  integer,
  convert,
  move,  // moves, selections, predicates
  load_global,
  store_global,
  load_shared,
  store_shared,
  load_local,
  store_local,
  load_param,
  generic,  // loads and stores that name no address space
  atomic,
  shuffle,
  branch,
  barrier,
  count
};
inline constexpr std::array<const char*, static_cast<size_t>(Kind::count)> kind_names{
    "fma64",       "fp64",       "div64",       "mma64",        "fp32",        "special",      "integer",
    "convert",     "move",       "load_global", "store_global", "load_shared", "store_shared", "load_local",
    "store_local", "load_param", "generic",     "atomic",       "shuffle",     "branch",       "barrier"};

enum class Space : uint8_t { generic, global, shared, local, param };
enum class Flow : uint8_t { plain, branch, end, call, block_barrier, warp_barrier, exchange };

// Predicates 0 and 1 of every function are the constants false and true.
struct Operand {
  uint32_t index = 0;
  bool constant = false;  // of the function's constants, not of the warp's registers
};

struct Warp;
struct Function;
struct Instruction;
using Action = void (*)(Warp&, const Instruction&, uint32_t mask);

struct Call {
  std::string name;
  std::vector<uint32_t> arguments, results;  // offsets of .param variables in the caller's frame
  const Function* function = nullptr;
};

// What becomes of a source that was never set. A register has two halves, since nvcc packs a value with an undefined half and shifts
// that out again.
enum class Undefined : uint8_t {
  reported,
  copied,  // moves and selections: the result is undefined then; it is no error yet
  packed,  // two registers become one
  unpacked,
  shifted_down,  // by 32 bits
  shifted_up,
  low_half  // the other is not looked at
};

struct Instruction {
  Action run = nullptr;
  Flow flow = Flow::plain;
  Kind kind = Kind::move;
  bool writes_predicate = false;
  Undefined undefined = Undefined::reported;
  bool guard_not = false;
  bool is_signed = false;
  bool pairs = false;  // the second result is a predicate (shfl: d|p)
  Space space = Space::generic;
  uint8_t width = 0;     // bytes of an element that is loaded or stored
  uint8_t elements = 1;  // of a vector
  uint8_t results = 0, sources = 0, predicates = 0;
  uint32_t guard = 1;
  std::array<uint32_t, 4> result{};
  std::array<Operand, 7> source{};
  std::array<uint32_t, 2> predicate{};
  int64_t offset = 0;
  uint32_t used_bytes = ~0u;  // of a vector that is loaded: the others may lie beyond the array
  uint32_t target = 0;
  int line = 0, source_line = 0;  // in the PTX; in the .cu (.loc), 0 where there is none
  int mode = 0;                   // of a shuffle or a vote
  std::shared_ptr<Call> call;
  std::string_view text;
};

struct Variable {
  Space space = Space::local;
  uint32_t offset = 0, bytes = 0;
  const void* global = nullptr;  // of .global and .const variables
};

// Registers that the hardware sets, the first of every warp.
enum Special : uint32_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  specials
};

struct Parameter {
  uint32_t offset = 0, bytes = 0;
};

struct Function {
  std::string name;
  bool entry = false;
  std::vector<Instruction> code;
  std::vector<Lanes> constants;
  uint32_t registers = specials, predicates = 2;
  uint32_t frame_bytes = 0;            // local memory of a thread
  std::vector<Parameter> parameters;   // of an entry in its parameter buffer, of another function in its frame
  std::vector<Parameter> return_values;
  uint32_t parameter_bytes = 0;
  std::vector<Variable> shared;  // static shared variables, with gaps between them
  uint32_t shared_bytes = 0;     // static, as laid out with the gaps; dynamic shared memory starts here
  uint32_t shared_sum = 0;       // static, without the gaps
  uint32_t granule = 4;          // bytes of shared memory that are watched as one: 1 where single bytes are accessed
  mutable std::vector<uint64_t> executed, executed_lanes;  // of each instruction
};

struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Module {
public:
  explicit Module(std::string text);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  // The function of that name; throws ParseError where there is none or where it has an instruction that is not known.
  const Function& function(const std::string& name);
  bool has(const std::string& name) const { return bodies_.contains(name); }
  const std::map<std::string, std::unique_ptr<Function>>& parsed() const { return functions_; }
  const std::map<std::string, Variable, std::less<>>& variables() const { return variables_; }
  const std::vector<std::vector<uint8_t>>& globals() const { return globals_; }

private:
  struct Body {
    size_t begin = 0, end = 0;  // from .entry or .func to the closing brace
    int line = 0;
  };
  void scan();
  void declare_variable(std::string_view statement, int line);
  friend class Parser;

  std::string text_;
  std::map<std::string, Body> bodies_;
  std::map<std::string, std::unique_ptr<Function>> functions_;
  std::map<std::string, Variable, std::less<>> variables_;  // of the module
  std::vector<std::vector<uint8_t>> globals_;
};

// What an opcode does, without its operands: "add.s32". False where it is not known.
struct Operation {
  Action run = nullptr;
  Kind kind = Kind::integer;
  bool writes_predicate = false;
  Undefined undefined = Undefined::reported;
};
bool find_operation(const std::string& opcode, Operation& found);

}  // namespace suite::ptx
