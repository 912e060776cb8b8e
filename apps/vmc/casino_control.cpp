// SPDX-License-Identifier: BSD-3-Clause
#include "casino_control.hpp"

#include "results.hpp"

namespace suite::vmc {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

CasinoControl::CasinoControl(const app::Input& input) : input_(input) {
  if (input.has("system.casino_input")) file_ = read_casino_input(input.file("system.casino_input"));
}

std::string CasinoControl::name_of(const char* path, const char* keyword) const {
  const std::string last = path;
  return "'" + (used_.contains(keyword) ? std::string(keyword) : last.substr(last.rfind('.') + 1)) + "'";
}

CasinoReport CasinoControl::report() const {
  CasinoReport report;
  if (!file_) return report;
  report.file = input_.file("system.casino_input");
  report.overridden = overridden_;
  report.ignored = file_->ignored;
  for (const auto& keyword : file_->settable)
    if (used_.contains(keyword)) report.used.push_back(keyword);
    else if (!overridden_.contains(keyword)) report.unused.push_back(keyword);
  return report;
}

std::string CasinoReport::text() const {
  std::string text = "casino   " + file.string() + "\n";
  const auto line = [&](const char* what, const std::string& list) {
    if (!list.empty()) text += std::string("         ") + what + ": " + list + "\n";
  };
  std::vector<std::string> before;
  for (const auto& [keyword, path] : overridden) before.push_back(keyword + " ('" + path + "')");
  line("used", list_of(used));
  line("overridden by this input", list_of(before));
  line("for other kinds of run", list_of(unused));
  line("ignored", list_of(ignored));
  return text;
}

CasinoResult result_of(const CasinoReport& r) { return {r.file.string(), r.used, r.overridden, r.unused, r.ignored}; }

std::vector<std::string> CasinoReport::warnings() const {
  std::vector<std::string> out;
  for (const auto& [keyword, path] : overridden)
    out.push_back(keyword + " of " + file.string() + " does nothing: '" + path + "' of this input goes before it");
  if (!ignored.empty()) out.push_back("keywords of " + file.string() + " that are ignored: " + list_of(ignored));
  return out;
}

}  // namespace suite::vmc
