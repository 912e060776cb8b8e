// SPDX-License-Identifier: BSD-3-Clause
// A figure that an app left beside its result, as a picture inside the page. Browsers run no script and load
// nothing in a picture, and what is not a drawing of this suite's kind is not taken at all.
#pragma once

#include <filesystem>
#include <string>

namespace suite::report {

struct Picture {
  std::string source;  // data:image/svg+xml;base64,...
  std::string title, width, height;
  std::string problem;  // why it is left out; "" where it is not
};
// name: of a file in the folder, without folders of its own.
Picture read_picture(const std::filesystem::path& folder, const std::string& name);

// What is wrong with the text of a drawing, as the end of a sentence; "" where nothing is.
std::string problem_of_drawing(const std::string& text);

}  // namespace suite::report
