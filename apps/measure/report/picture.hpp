// SPDX-License-Identifier: BSD-3-Clause
// Embeds an app's figure into the page as an image. Browsers run no scripts and load nothing from images; files that are not drawings of
// this suite are refused.
#pragma once

#include <filesystem>
#include <string>

namespace suite::report {

struct Picture {
  std::string source;  // data:image/svg+xml;base64,...
  std::string title, width, height;
  std::string problem;  // why it is omitted; "" if it is not
};
// From the text of a drawing; name: its title if it has none.
Picture picture_of(const std::string& text, const std::string& name);
// name: a file in the folder, without subfolders.
Picture read_picture(const std::filesystem::path& folder, const std::string& name);

// The problem of a drawing as the end of a sentence; "" if there is none.
std::string problem_of_drawing(const std::string& text);

}  // namespace suite::report
