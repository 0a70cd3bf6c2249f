"""How Sphinx builds the documentation: `make docs`.

Its source folder is the whole repository, so that a page like `agents/EXPERT.md` is read where it
lies, and a link between two Markdown files leads to the same place here and in the tree.
"""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for `generated`

project = "rungenv"
author = "The rungenv authors"
project_copyright = author
release = version = installed("rungenv")

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "generated"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "notebooks/*.ipynb",
    "rungenv/*.md",
    "agents/**.md",
    "train/**.md",
    "*.md",
]
exclude_patterns = [
    ".*",
    "build",
    "dist",
    "runs",
    "tests",
    "**/__pycache__",
    "**/.ipynb_checkpoints",
]

nitpicky = True
nitpick_ignore_regex = [
    # Single backticks may name a thing that has an entry, and then link to it, or be plain code.
    ("py:obj", ".*"),
    # So may a signature; and other projects' indexes are not asked for: a build needs no network.
    ("py:class", ".*"),
]
default_role = "py:obj"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_mock_imports = ["pyspiel", "open_spiel", "ray", "endplay"]
python_use_unqualified_type_names = True
maximum_signature_line_length = 80
add_module_names = False

nb_execution_mode = "off"  # they are stored with their outputs: `make notebooks`
myst_enable_extensions = ["colon_fence", "deflist", "smartquotes"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "rungenv"
html_additional_pages = {"index": "redirect.html"}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_copyright = False
templates_path = ["_templates"]
html_theme_options = {"navigation_with_keys": True}
