// SPDX-License-Identifier: BSD-3-Clause
// suite report RESULT...: one HTML page about results of any kind, beside the result or at --output.
#include <filesystem>
#include <iostream>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/quantities.hpp"
#include "measure/report/report.hpp"
#include "measure/result_file.hpp"
#include "exit_codes.hpp"
#include "figure_export.hpp"
#include "options.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t largest_page = 64 << 20;

// Whether the page exists already, so that nothing has to be written.
bool is_there(const fs::path& file, const std::string& page) {
  std::error_code error;
  return fs::exists(file, error) && fs::file_size(file, error) == page.size() && !error && read_text_file(file, largest_page) == page;
}

// report.html in the folder, or report-2.html etc. if another page has that name.
fs::path free_name(const fs::path& folder, const std::string& page) {
  std::error_code error;
  for (int n = 1; n < 10000; ++n) {
    const fs::path file = folder / (n == 1 ? "report.html" : fmt::format("report-{}.html", n));
    if (!fs::exists(file, error) || is_there(file, page)) return file;
  }
  throw IoFailure("cannot find a free name for the page in '" + folder.string() + "': 9999 exist; --output FILE.html chooses one");
}

fs::path asked_name(const std::string& name, const std::string& page) {
  std::error_code error;
  if (fs::is_directory(name, error)) return free_name(name, page);
  if (fs::exists(name, error) && !is_there(name, page))
    throw UsageError("--output '" + name + "' exists; a page is never written over another file");
  return name;
}

}  // namespace

int report_verb(const Arguments& arguments) {
  std::vector<stored::Result> results;
  for (const auto& named : arguments.positional()) results.push_back(stored::read_result(named));
  if (arguments.has("--figures")) return export_figures(arguments, results);
  if (arguments.has("--format")) throw UsageError("--format needs --figures");
  std::vector<stored::Result*> all;
  for (auto& result : results) all.push_back(&result);
  stored::name_apart(all);
  const std::string page = report::report_page(results);
  // Beside a single result; a page about several belongs to none of their folders.
  const fs::path file = arguments.has("--output") ? asked_name(arguments.get("--output"), page)
                                                  : free_name(results.size() == 1 ? results[0].folder : fs::path("."), page);
  const bool already = is_there(file, page);
  if (!already) write_text_file(file, page);
  if (!arguments.has("--quiet"))
    std::cout << "report in " << file.lexically_normal().string() << (already ? " already" : "") << " ("
              << bytes_text(static_cast<double>(page.size())) << "); open it in a browser\n";
  return exit_ok;
}

}  // namespace suite::app
