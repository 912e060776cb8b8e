// SPDX-License-Identifier: BSD-3-Clause
// Reads one instruction: what it does, and where its operands are.
#include <algorithm>

#include "actions.hpp"
#include "parser.hpp"

namespace suite::ptx {
namespace {

std::vector<std::string_view> operands_in(std::string_view text) {
  std::vector<std::string_view> all;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    const char letter = at < text.size() ? text[at] : ',';
    depth += (letter == '(' || letter == '[' || letter == '{') - (letter == ')' || letter == ']' || letter == '}');
    if (letter == ',' && (depth == 0 || at == text.size())) {
      const auto one = trimmed(text.substr(begin, at - begin));
      if (!one.empty()) all.push_back(one);
      begin = at + 1;
    }
  }
  return all;
}

std::string joined(const std::vector<std::string_view>& parts) {
  std::string all;
  for (const auto part : parts) all += (all.empty() ? "" : ".") + std::string(part);
  return all;
}

Kind kind_of_access(Space space, bool is_load) {
  switch (space) {
    case Space::global: return is_load ? Kind::load_global : Kind::store_global;
    case Space::shared: return is_load ? Kind::load_shared : Kind::store_shared;
    case Space::local: return is_load ? Kind::load_local : Kind::store_local;
    case Space::param: return Kind::load_param;
    default: return Kind::generic;
  }
}

}  // namespace

void Parser::instruction(const Statement& statement) {
  Instruction i;
  i.line = statement.line;
  i.source_line = statement.source_line;
  i.text = statement.text;
  std::string_view text = statement.text;
  if (text.front() == '@') {
    const size_t end = text.find_first_of(" \t\n");
    auto guard = text.substr(1, end - 1);
    i.guard_not = guard.front() == '!';
    if (i.guard_not) guard.remove_prefix(1);
    i.guard = need_predicate(guard);
    text = trimmed(text.substr(end));
  }
  const size_t blank = std::min(text.find_first_of(" \t\n"), text.size());
  Opcode opcode{words_of(text.substr(0, blank), ".")};
  operands_of(i, opcode, trimmed(text.substr(blank)));
  function_->code.push_back(std::move(i));
}

void Parser::operands_of(Instruction& i, const Opcode& opcode, std::string_view text) {
  const std::string_view name = opcode.parts.front();
  const auto operands = operands_in(text);
  const auto flow = [&](Flow what, Kind kind, Action run = nothing) {
    i.flow = what;
    i.kind = kind;
    i.run = run;
  };
  if (name == "ld" || name == "st" || name == "ldu" || name == "atom" || name == "red") {
    memory(i, opcode, operands);
  } else if (name == "mov" && opcode.type() != "pred") {
    move(i, opcode, operands);
  } else if (name == "bra") {
    flow(Flow::branch, Kind::branch);
    jumps_.emplace_back(function_->code.size(), operands.at(0));
  } else if (name == "ret" || name == "exit") {
    flow(Flow::end, Kind::branch);
  } else if (name == "trap") {
    flow(Flow::plain, Kind::branch, trap);
  } else if (name == "call") {
    flow(Flow::call, Kind::branch);
    call(i, operands);
  } else if ((name == "bar" || name == "barrier") && opcode.has("warp")) {
    flow(Flow::warp_barrier, Kind::barrier);
    add_source(i, operands.at(0));
  } else if (name == "bar" || name == "barrier") {
    if (!opcode.has("sync") || operands.size() != 1 || operands[0] != "0") fail("of the barriers of a block only bar.sync 0 is known");
    flow(Flow::block_barrier, Kind::barrier);
  } else if (name == "membar" || name == "fence") {
    flow(Flow::plain, Kind::barrier);
  } else if (name == "shfl" || name == "vote" || name == "activemask" || name == "mma") {
    exchange(i, opcode, operands);
  } else if (name == "cvta") {
    // Global addresses are generic ones; the others lie in windows.
    const uint64_t window = opcode.has("shared") ? shared_window : opcode.has("local") ? local_window : 0;
    i.kind = Kind::integer;
    i.run = add_offset;
    i.offset = static_cast<int64_t>(opcode.has("to") ? 0 - window : window);
    add_result(i, operands.at(0));
    add_source(i, operands.at(1));
  } else {
    arithmetic(i, opcode, operands);
  }
}

void Parser::arithmetic(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands) {
  const std::string_view name = opcode.parts.front();
  auto parts = opcode.parts;
  const bool approximate = opcode.has("approx");
  std::erase_if(parts, [&](std::string_view part) { return part == "rn" || part == "uni" || (part == "ftz" && !approximate); });
  Operation operation;
  if (!find_operation(joined(parts), operation)) fail("an instruction that the executor does not know");
  i.run = operation.run;
  i.kind = operation.kind;
  i.writes_predicate = operation.writes_predicate;
  i.undefined = operation.undefined;
  const auto results = words_of(operands.at(0), "| ");
  for (const auto one : results) {
    if (operation.writes_predicate && one != "_") i.result[i.results++] = need_predicate(one);
    else if (!operation.writes_predicate) add_result(i, one);
  }
  if (opcode.type() == "pred")
    for (size_t n = 1; n < operands.size(); ++n) i.predicate[i.predicates++] = need_predicate(operands[n]);
  else
    for (size_t n = 1; n < operands.size(); ++n) add_source(i, operands[n]);
  // The condition code of extended precision is one more predicate.
  if (opcode.has("cc") || name == "addc" || name == "subc" || name == "madc") {
    if (carry_ == 0) carry_ = function_->predicates++;
    i.predicate[0] = carry_;
  }
  const auto type = opcode.type();
  const bool by_half =
      i.sources == 2 && i.source[1].constant && function_->constants[i.source[1].index][0] == 32 && bytes_of_type(type) == 8;
  if (name == "shr" && by_half) i.undefined = Undefined::shifted_down;
  if (name == "shl" && by_half) i.undefined = Undefined::shifted_up;
  if (name == "cvt" && (type == "u64" || type == "s64") && (opcode.has("u32") || opcode.has("s32")) && parts.size() == 3 &&
      parts[2] == type)
    i.undefined = Undefined::low_half;
}

void Parser::move(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands) {
  if (operands.size() != 2) fail("two operands are expected");
  i.kind = Kind::move;
  i.width = static_cast<uint8_t>(bytes_of_type(opcode.type()));
  const auto from = operands[1];
  if (operands[0].front() == '{') {
    i.run = unpack;
    if (i.width == 8 && operands_in(operands[0].substr(1, operands[0].size() - 2)).size() == 2) i.undefined = Undefined::unpacked;
    for (const auto one : operands_in(operands[0].substr(1, operands[0].size() - 2))) add_result(i, one);
    add_source(i, from);
    return;
  }
  add_result(i, operands[0]);
  if (from.front() == '{') {
    i.run = pack;
    add_source(i, from);
    if (i.width == 8 && i.sources == 2) i.undefined = Undefined::packed;
    return;
  }
  const Variable* const v = find_variable(from);
  if (v && v->space == Space::local) {
    i.run = local_address;
    i.offset = v->offset;
    return;
  }
  Operation operation;
  if (!find_operation(joined(opcode.parts), operation)) fail("a type that the executor does not move");
  i.run = operation.run;
  add_source(i, from);
  i.undefined = Undefined::copied;
}

void Parser::memory(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands) {
  const std::string_view name = opcode.parts.front(), type = opcode.type();
  const bool is_load = name == "ld" || name == "ldu", is_atomic = name == "atom" || name == "red";
  i.space = opcode.has("global") || opcode.has("const") ? Space::global
            : opcode.has("shared")                      ? Space::shared
            : opcode.has("local")                       ? Space::local
            : opcode.has("param")                       ? Space::param
                                                        : Space::generic;
  i.width = static_cast<uint8_t>(bytes_of_type(type));
  i.is_signed = type.front() == 's';
  i.elements = opcode.has("v2") ? 2 : opcode.has("v4") ? 4 : 1;
  if (is_load) std::swap(i.used_bytes, used_bytes_);
  if (is_atomic) {
    i.run = atomic;
    i.kind = Kind::atomic;
    const size_t first = name == "atom" ? 1 : 0;
    if (first) add_result(i, operands.at(0));
    address(i, operands.at(first));
    for (size_t n = first + 1; n < operands.size(); ++n) add_source(i, operands[n]);
    const std::pair<const char*, Atomic> known[] = {{"add", Atomic::add},   {"max", Atomic::max}, {"min", Atomic::min},
                                                    {"exch", Atomic::exch}, {"cas", Atomic::cas}, {"and", Atomic::band},
                                                    {"or", Atomic::bor},    {"xor", Atomic::bxor}};
    const auto* const what = std::find_if(std::begin(known), std::end(known), [&](const auto& one) { return opcode.has(one.first); });
    if (what == std::end(known) || i.elements != 1) fail("an atomic operation that the executor does not know");
    i.mode = static_cast<int>(what->second) + (type.front() == 'f' ? 100 : type.front() == 's' ? 200 : 0);
    return;
  }
  i.run = is_load ? load : store;
  if (is_load) {
    const auto to = operands.at(0);
    if (to.front() == '{')
      for (const auto one : operands_in(to.substr(1, to.size() - 2))) add_result(i, one);
    else add_result(i, to);
    address(i, operands.at(1));
  } else {
    address(i, operands.at(0));
    add_source(i, operands.at(1));
  }
  i.kind = kind_of_access(i.space, is_load);
}

void Parser::exchange(Instruction& i, const Opcode& opcode, const std::vector<std::string_view>& operands) {
  const std::string_view name = opcode.parts.front();
  i.kind = Kind::shuffle;
  if (name == "activemask") {
    i.run = active_mask;
    add_result(i, operands.at(0));
    return;
  }
  i.flow = Flow::exchange;
  if (name == "mma") {
    if (!(opcode.has("m8n8k4") || opcode.has("m16n8k4")) || !opcode.has("f64") || !opcode.has("row") || !opcode.has("col"))
      fail("of the matrix products only m8n8k4.row.col and m16n8k4.row.col in FP64 are known");
    i.run = multiply_tile;
    i.kind = Kind::mma64;
    for (const auto one : operands_in(operands.at(0).substr(1, operands[0].size() - 2))) add_result(i, one);
    for (size_t n = 1; n < 4; ++n) add_source(i, operands.at(n));
    return;
  }
  if (!opcode.has("sync")) fail("without .sync it is not known which lanes come");
  if (name == "vote") {
    i.run = vote;
    i.mode = static_cast<int>(opcode.has("any") ? Vote::any : opcode.has("all") ? Vote::all : opcode.has("uni") ? Vote::uni : Vote::ballot);
    i.writes_predicate = opcode.type() == "pred";
    if (i.writes_predicate) i.result[i.results++] = need_predicate(operands.at(0));
    else add_result(i, operands.at(0));
    auto of = operands.at(1);
    if (of.front() == '!') i.offset = 1, of.remove_prefix(1);
    i.predicate[i.predicates++] = need_predicate(of);
    add_source(i, operands.at(2));
    return;
  }
  i.run = shuffle;
  i.mode = static_cast<int>(opcode.has("up")     ? Shuffle::up
                            : opcode.has("down") ? Shuffle::down
                            : opcode.has("bfly") ? Shuffle::bfly
                                                 : Shuffle::idx);
  const auto results = words_of(operands.at(0), "| ");
  add_result(i, results.at(0));
  if (results.size() > 1 && results[1] != "_") {
    i.pairs = true;
    i.result[i.results++] = need_predicate(results[1]);
  }
  for (size_t n = 1; n < operands.size(); ++n) add_source(i, operands[n]);
}

// call.uni (retval0), name, (param0, param1)
void Parser::call(Instruction& i, const std::vector<std::string_view>& operands) {
  i.call = std::make_shared<Call>();
  const auto offsets = [&](std::string_view list, std::vector<uint32_t>& to) {
    for (const auto one : operands_in(list.substr(1, list.size() - 2))) {
      const Variable* const v = find_variable(one);
      if (!v || v->space != Space::local) fail("an argument that is no .param variable");
      to.push_back(v->offset);
    }
  };
  size_t n = 0;
  if (operands.at(0).front() == '(') offsets(operands[n++], i.call->results);
  i.call->name = std::string(operands.at(n++));
  if (n < operands.size() && operands[n].front() == '(') offsets(operands[n++], i.call->arguments);
  if (!module_.has(i.call->name)) fail("the function that is called has no body");
}

}  // namespace suite::ptx
