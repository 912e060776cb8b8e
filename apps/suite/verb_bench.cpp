// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include "common/machine.hpp"
#include "common/result.hpp"
#include "ceilings.hpp"
#include "exit_codes.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

struct Block {
  std::string kernel, size;
  int threads = 0;  // 0: as they are
};

ordered_json bench_block(const Arguments& arguments, const Block& block, bool& failed, bool print, ResultFolder& kept) {
  if (block.threads > 0) use_threads(block.threads, 1);
  const auto seed = static_cast<uint64_t>(arguments.number("--seed", 1, 0, 1L << 62));
  GeneratedArguments generated(block.kernel, block.size, seed);
  std::vector<std::string> standard;
  for (const auto& name : implementations_of(block.kernel))
    if (name != "reference") standard.push_back(name);
  std::vector<LeftOut> left_out;
  Contenders contenders = make_contenders(arguments, block.kernel, standard, left_out);
  const std::string checked_at = verify_generated(contenders, block.kernel, generated, seed, are_named(arguments) ? nullptr : &left_out);
  Progress progress(print);
  sample_in_turns(contenders, arguments.number("--repeat", 0, 1, 100000), progress);
  const int threads = block.threads > 0 ? block.threads : threads_in_use();
  for (const auto& c : contenders) kept.used(c->record());
  bool wrong = false;
  const std::string rows = rows_text(contenders, threads, checked_at, true, wrong);
  failed = failed || wrong;
  if (print) {
    std::cout << block.kernel << "   size " << block.size << "   " << threads << (threads == 1 ? " thread" : " threads")
              << ceilings_text(contenders, threads) << "\n" << rows << left_out_text(left_out) << "\n" << std::flush;
  }
  ordered_json j{{"kernel", block.kernel}, {"size", block.size}, {"seed", seed}, {"threads", threads}, {"verified_at", checked_at.empty() ? block.size : "small"}};
  j["fma_flop_per_s"] = fma_ceiling(threads, "cpu", generated.is_single());
  j["contenders"] = rows_json(contenders, threads);
  j["left_out"] = left_out_json(left_out);
  return j;
}

}  // namespace

int bench_verb(const Arguments& arguments) {
  apply_environment(arguments);
  require_device(arguments);
  std::vector<std::string> kernels = arguments.positional();
  if (kernels.empty()) {
    for (const auto& name : kernel_names()) {
      const auto implementations = implementations_of(name);
      // A kernel without a reference (the ceilings themselves) cannot be verified, so it is not ranked.
      if (implementations.size() > 1 && implementations.front() == "reference") kernels.push_back(name);
    }
    if (kernels.empty()) throw Failure(SUITE_NOT_FOUND, "no kernel to time: 'suite list' says what is installed");
  } else {
    require_kernel(kernels[0]);
  }
  std::vector<std::string> sizes = arguments.all("--size");
  if (sizes.empty()) sizes = {"standard"};
  std::vector<int> threads{0};
  if (arguments.has("--threads")) {
    threads.clear();
    for (const auto& text : split_list(arguments.get("--threads"), "--threads")) {
      const int n = std::atoi(text.c_str());
      if (n < 1 || n > 4096 || std::to_string(n) != text) throw UsageError("option --threads must be numbers from 1 to 4096 such as 1,2; got '" + text + "'");
      threads.push_back(n);
    }
  }
  const bool json = arguments.has("--json"), print = !json && !arguments.has("--quiet");
  bool failed = false;
  ResultFolder kept(arguments, "suite-bench-1", arguments.positional().empty() ? "all" : arguments.positional()[0]);
  ordered_json blocks = ordered_json::array();
  for (const auto& kernel : kernels)
    for (const auto& size : sizes)
      for (int n : threads) {
        blocks.push_back(bench_block(arguments, {kernel, size, n}, failed, print, kept));
        kept.save({{"blocks", blocks}});
      }
  return kept.end({{"blocks", blocks}}, failed);
}

}  // namespace suite::app
