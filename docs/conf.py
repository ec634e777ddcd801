"""Sphinx on the source tree that ``python -m scripts.docs`` assembles."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # for the extensions in docs/

from docs import axes_scraper, inventories  # noqa: E402
from irx_measures import __version__  # noqa: E402

project = "irx_measures"
author = "the irx_measures authors"
release = version = __version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "myst_nb",
    "sphinx_argparse_cli",
    "sphinx_codeautolink",
    "sphinx_gallery.gen_gallery",
    "docs.commands",
    "docs.mathml",
    "docs.signatures",
    "docs.source_links",
]
exclude_patterns = [
    inventories.FOLDER,
    "gallery/**/*.ipynb",  # the downloads that sphinx-gallery makes
    "gallery/**/*.py",
    "**/sg_execution_times.rst",
    "sg_execution_times.rst",  # has paths of the machine that built the site
]
default_role = "code"
add_module_names = False
suppress_warnings = [
    "toc.empty_glob",
    "config.cache",  # sphinx-gallery's configuration holds functions
]

html_theme = "furo"
html_math_renderer = "mathml"
html_title = f"irx_measures {version}"
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
templates_path = [str(ROOT / "docs" / "templates")]  # autosummary looks in the source tree

# Reference
autosummary_ignore_module_all = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
maximum_signature_line_length = 72
python_use_unqualified_type_names = True
napoleon_use_rtype = False
napoleon_use_ivar = True
toc_object_entries_show_parents = "hide"

# Links to other projects
intersphinx_mapping = inventories.mapping()
intersphinx_timeout = 10  # seconds
codeautolink_concat_default = True
codeautolink_custom_blocks = {"ipython3": "sphinx_codeautolink.clean_ipython"}


def setup(app):
    app.connect("source-read", skip_examples_of_the_gallery)


def skip_examples_of_the_gallery(app, name, source):
    """sphinx-gallery links the names in its examples itself; a second link would not fit."""
    if name.startswith("gallery/"):
        source[0] = f".. autolink-skip:: file\n\n{source[0]}"


# Code to copy: without prompts and outputs
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

# Notebooks
nb_execution_mode = "auto"  # runs those without stored outputs
nb_execution_timeout = -1
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_output_stderr = "remove"  # progress, and warnings that name files of the machine
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]  # the equations of notebooks

# Plots
sphinx_gallery_conf = {
    "examples_dirs": [str(ROOT / "docs" / "gallery")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "image_scrapers": [axes_scraper.scrape],
    "backreferences_dir": "gallery/of_functions",
    "doc_module": ("irx_measures",),
    "download_all_examples": False,
    "within_subsection_order": "ExampleTitleSortKey",
    "show_memory": False,
    "min_reported_time": 1e9,
    "show_signature": False,
    "remove_config_comments": True,
}
