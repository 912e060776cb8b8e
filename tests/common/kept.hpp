// SPDX-License-Identifier: BSD-3-Clause
// Kernels that stay open from one test to the next, since a device may compile when they are first used.
#pragma once

#include "call.hpp"
#include "outcome.hpp"

namespace suite::test {

inline std::shared_ptr<suite::Kernel> kernel_of(const std::string& kernel, const std::string& implementation, const std::string& variant) {
  static std::map<std::vector<std::string>, std::shared_ptr<suite::Kernel>> open;
  std::shared_ptr<suite::Kernel>& found = open[{kernel, implementation, variant}];
  if (!found) {
    found = open_or_skip(kernel, implementation);
    if (found && !variant.empty()) found->choose("variant", variant);
  }
  return found;
}

// f(call), with no argument set, where the implementation can be opened; in double precision.
inline void call_kept(const std::string& kernel, const std::string& implementation, const std::string& variant,
                      const std::function<void(Call&)>& f) {
  const std::shared_ptr<suite::Kernel> open = kernel_of(kernel, implementation, variant);
  if (!open) return;
  Call call(open, kernel + " on " + implementation + (variant.empty() ? "" : " " + variant), false);
  call.forget();
  f(call);
}

// Every implementation and variant; an emulated device, which is slow, in its default variant.
inline void each_kept(const std::string& kernel, const std::function<void(Call&)>& f) {
  for (const Found& found : implementations_of(kernel))
    if (found.backend == "emulated" || found.variants.front().empty()) call_kept(kernel, found.implementation, "", f);
    else
      for (const std::string& variant : found.variants) call_kept(kernel, found.implementation, variant, f);
}
inline void standard_kept(const std::string& kernel, const std::function<void(Call&)>& f) {
  for (const Found& found : implementations_of(kernel)) call_kept(kernel, found.implementation, "", f);
}

// Runs f, which must be refused with a sentence that holds these words.
template <class F> void refused(const Call& call, const std::vector<std::string>& words, F&& f) {
  const std::string said = outcome(f);
  bool all = contains(said, "invalid");
  for (const auto& word : words) all = all && contains(said, word);
  std::string list;
  for (const auto& word : words) list += " '" + word + "'";
  BOOST_CHECK_MESSAGE(all, call.label() << ": said '" << said << "', expected" << list);
}

}  // namespace suite::test
