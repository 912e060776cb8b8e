# SPDX-License-Identifier: BSD-3-Clause
# Sphinx's settings for the pages that docs/site/stage.py has collected. SUITE_VERSION and DOXYGEN_XML come from docs/CMakeLists.txt.
import os

project = "suite"
author = "the authors of suite"
copyright = "the authors of suite. BSD 3-clause licence"
release = version = os.environ["SUITE_VERSION"]
extensions = ["myst_parser", "breathe"]
source_suffix = {".md": "markdown"}
root_doc = "index"
language = "en"
nitpicky = False

html_theme = "furo"
html_title = f"suite {version}"
html_static_path = ["static"]
html_css_files = ["suite.css"]
html_copy_source = False
html_show_sphinx = False
html_permalinks_icon = "#"
pygments_style = "default"
pygments_dark_style = "github-dark"  # each of its colours is readable: WCAG 2.1, 4.5 to 1
highlight_language = "text"

# Headings get the anchors that a forge gives them, so that page.md#heading works in both places.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

breathe_projects = {"suite": os.environ["DOXYGEN_XML"]}
breathe_default_project = "suite"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False
# Attributes that the compiler reads and people need not.
c_id_attributes = ["SUITE_EXPORT"]
cpp_id_attributes = ["SUITE_EXPORT", "SUITE_DEVICE"]
