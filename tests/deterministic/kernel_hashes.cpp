// SPDX-License-Identifier: BSD-3-Clause
// Hashes of what every kernel on the search path computes, with several numbers of threads. Names no kernel: every
// implementation, every named choice of its parameters, the sizes that the kernel generates.
//   kernel_hashes [--threads 1,2,3,4,8] [--backend cpu] [--kernel qmc] [--size SIZE]... [--large SIZE]... [--print]
// large: sizes for what does all the others with one thread, one after the other until one needs more.
// Exit code 1 where a result has other bits with another number of threads. Arrays lie at other addresses each time, so
// that a loop which looks at them is found too. --print: a line per result, for processes that are compared by somebody
// else (the threads of an OpenCL platform are chosen before it is loaded).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <suite/sha256.hpp>
#include <suite/suite.hpp>

#include "teams.hpp"

namespace {

using suite::Failure;
using suite::Kernel;

struct Wanted {
  std::vector<int> threads{1, 2, 3, 4, 8};
  std::string backend, kernel;
  std::vector<std::string> sizes;
  std::vector<std::string> large;
  bool print = false;
};

// One way to run a kernel.
struct Offer {
  const suite_kernel_table* table;
  std::string file, parameter, choice;
  bool has_threads = false;
  bool standard() const { return parameter.empty(); }
  std::string text() const { return std::string(table->kernel) + " in " + file + (standard() ? "" : " " + parameter + "=" + choice); }
};

std::vector<Offer> offers_of(const std::string& file, const suite_kernel_table& table) {
  Offer plain{&table, file, "", "", false};
  std::vector<Offer> offers;
  for (uint32_t p = 0; p < table.parameter_count; ++p)
    if (!std::strcmp(table.parameters[p].name, "threads")) plain.has_threads = true;
  offers.push_back(plain);
  for (uint32_t p = 0; p < table.parameter_count; ++p) {
    const suite_parameter& parameter = table.parameters[p];
    for (uint32_t i = 0; i < parameter.choice_count; ++i) {
      if (i == parameter.value) continue;
      Offer other = plain;
      other.parameter = parameter.name;
      other.choice = parameter.choices[i].name;
      offers.push_back(other);
    }
  }
  return offers;
}

bool has_reference(const std::string& kernel) {
  try {
    const Kernel found(kernel, "reference");
    return true;
  } catch (const Failure& failure) {
    if (failure.status() != SUITE_NOT_FOUND) throw;
    return false;
  }
}

std::vector<Offer> all_offers(const Wanted& wanted) {
  struct Search {
    const Wanted* wanted;
    std::vector<Offer> offers;
    std::set<std::string> seen;
  } search{&wanted, {}, {}};
  suite_visit(
      [](void* with, const char* file, const suite_plugin* plugin, const char*) {
        auto& s = *static_cast<Search*>(with);
        for (uint32_t k = 0; plugin && k < plugin->kernel_count; ++k) {
          const suite_kernel_table& table = *plugin->kernels[k];
          if (!s.wanted->backend.empty() && s.wanted->backend != table.backend) continue;
          if (std::string(table.kernel).rfind(s.wanted->kernel, 0) != 0) continue;
          if (!has_reference(table.kernel)) continue;  // it measures the machine
          if (!s.seen.insert(std::string(file) + table.kernel).second) continue;
          for (const Offer& offer : offers_of(file, table)) s.offers.push_back(offer);
        }
      },
      &search);
  return search.offers;
}

// An array with memory of its own that begins `offset` bytes behind a page.
class Placed {
public:
  Placed(const suite_array& like, size_t offset)
      : array_(like), bytes_(static_cast<size_t>(suite::count_of(like)) * suite_type_size(like.type)) {
    memory_.resize(bytes_ + offset + page);
    const size_t lead = (page - reinterpret_cast<uintptr_t>(memory_.data()) % page) % page;
    array_.data = memory_.data() + lead + offset;
    array_.place = SUITE_HOST;
    std::memset(array_.data, 0, bytes_);
  }
  void fill(const void* from) { std::memcpy(array_.data, from, bytes_); }
  const suite_array& array() const { return array_; }
  size_t bytes() const { return bytes_; }

private:
  static constexpr size_t page = 4096;
  suite_array array_;
  size_t bytes_;
  std::vector<char> memory_;
};

// The inputs of a size, which belong to a call of the reference.
class Inputs {
public:
  // Null past the last size, and where the kernel has no such size.
  static std::unique_ptr<Inputs> of(const std::string& kernel, const std::string& size) {
    auto made = std::make_unique<Inputs>(kernel);
    suite_error error{};
    const int status = suite_generate(made->reference_.handle(), size.c_str(), 1, &error);
    if (status == SUITE_NOT_FOUND) return nullptr;
    suite::require(status, error);
    return made;
  }
  explicit Inputs(const std::string& kernel) : reference_(kernel, "reference") {}
  suite_array operator[](const char* name) const { return reference_.argument(name); }

private:
  Kernel reference_;
};

struct Outcome {
  std::string hash;  // empty: the implementation does not take this size
  int team = 1;      // the largest that was asked for
};

Outcome hash_of(Kernel& kernel, const Inputs& inputs, size_t offset) {
  const suite_kernel_table& table = kernel.table();
  std::vector<std::pair<const suite_argument*, std::unique_ptr<Placed>>> arrays;
  kernel.forget();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_argument& argument = table.arguments[i];
    const suite_array given = inputs[argument.name];
    if (given.rank < 0) continue;
    auto placed = std::make_unique<Placed>(given, offset);
    if (argument.intent & SUITE_IN) placed->fill(given.data);
    kernel.set(argument.name, placed->array());
    arrays.emplace_back(&argument, std::move(placed));
  }
  largest_team = 1;
  try {
    kernel.run();
  } catch (const Failure& failure) {
    if (failure.status() == SUITE_UNSUPPORTED) return {};
    throw;
  }
  const int team = largest_team;
  suite::Sha256 hash;
  for (auto& [argument, placed] : arrays) {
    if (!(argument->intent & SUITE_OUT)) continue;
    kernel.get(argument->name, placed->array());
    hash.update(placed->array().data, placed->bytes());
  }
  return {suite::hexadecimal(hash.finish()), team};
}

std::unique_ptr<Kernel> open(const Offer& offer) {
  try {
    auto kernel = std::make_unique<Kernel>(offer.table->kernel, offer.file);
    if (!offer.standard()) kernel->choose(offer.parameter.c_str(), offer.choice);
    return kernel;
  } catch (const Failure& failure) {
    if (failure.status() != SUITE_DEVICE_ERROR && failure.status() != SUITE_NOT_FOUND) throw;
    std::cout << "SKIPPED " << offer.text() << ": " << failure.what() << "\n";
    return nullptr;
  }
}

class Check {
public:
  explicit Check(const Wanted& wanted) : wanted_(wanted) {}

  void run(const Offer& offer) {
    const auto kernel = open(offer);
    if (!kernel) return;
    int largest = 1, results = 0;
    for (const std::string& size : wanted_.sizes) {
      const bool series = size == "test";
      for (int index = 0;; ++index) {
        const std::string name = series ? "test:" + std::to_string(index) : size;
        const Inputs* const inputs = inputs_of(offer.table->kernel, name);
        if (!inputs) break;
        largest = std::max(largest, compare(offer, *kernel, *inputs, name));
        ++results;
        if (!series) break;
      }
    }
    if (results == 0) say(offer.text() + ": nothing was compared");
    // Where one thread was enough for all of these, nothing was shown. Variants may be steps that have one.
    if (!offer.has_threads || !offer.standard() || largest > 1) return;
    for (const std::string& size : wanted_.large) {
      const Inputs* const inputs = inputs_of(offer.table->kernel, size);
      if (inputs && compare(offer, *kernel, *inputs, size) > 1) return;
    }
    alone_.push_back(offer.text());
  }

  int conclude() const {
    for (const std::string& kernel : alone_) std::cout << kernel << ": one thread was enough for every size\n";
    std::cout << compared_ << " results compared, " << different_ << " differ\n";
    return different_ || !alone_.empty() || compared_ == 0;
  }

private:
  const Inputs* inputs_of(const std::string& kernel, const std::string& size) {
    const auto [at, is_new] = inputs_.try_emplace(kernel + " " + size);
    if (is_new) at->second = Inputs::of(kernel, size);
    return at->second.get();
  }

  // The largest team.
  int compare(const Offer& offer, Kernel& kernel, const Inputs& inputs, const std::string& size) {
    std::optional<std::string> first;
    int largest = 1;
    size_t pass = 0;
    for (const int threads : wanted_.threads) {
      use_threads(threads);
      if (offer.has_threads) kernel.set_parameter("threads", threads);
      const Outcome outcome = hash_of(kernel, inputs, 16 * pass++);
      largest = std::max(largest, outcome.team);
      if (!first) {
        first = outcome.hash;
        if (wanted_.print) std::cout << offer.text() << " " << size << " " << outcome.hash << "\n";
        continue;
      }
      ++compared_;
      if (outcome.hash != *first) say(offer.text() + " " + size + ": other bits with " + std::to_string(threads) + " threads");
    }
    return largest;
  }

  void say(const std::string& sentence) {
    ++different_;
    std::cout << sentence << std::endl;
  }

  const Wanted& wanted_;
  std::map<std::string, std::unique_ptr<Inputs>> inputs_;
  std::vector<std::string> alone_;
  int compared_ = 0, different_ = 0;
};

std::vector<int> numbers(const std::string& list) {
  std::vector<int> values;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');) values.push_back(std::stoi(word));
  return values;
}

Wanted wanted_by(int argc, char** argv) {
  Wanted wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--print") {
      wanted.print = true;
      continue;
    }
    if (i + 1 == argc) throw Failure(SUITE_INVALID_ARGUMENT, option + " needs a value");
    const std::string value = argv[++i];
    if (option == "--threads") wanted.threads = numbers(value);
    else if (option == "--backend") wanted.backend = value;
    else if (option == "--kernel") wanted.kernel = value;
    else if (option == "--large") wanted.large.push_back(value);
    else if (option == "--size") wanted.sizes.push_back(value);
    else throw Failure(SUITE_INVALID_ARGUMENT, "unknown option " + option);
  }
  if (wanted.sizes.empty()) wanted.sizes = {"test", "small"};
  return wanted;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Wanted wanted = wanted_by(argc, argv);
    Check check(wanted);
    for (const Offer& offer : all_offers(wanted)) check.run(offer);
    return check.conclude();
  } catch (const std::exception& e) {
    std::cerr << "kernel_hashes: " << e.what() << "\n";
    return 2;
  }
}
