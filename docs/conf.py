"""Sphinx on the pages of irx_measures/pt_docs, which are those of PyTerrier's documentation too."""

project = "irx_measures"
author = "the irx_measures authors"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "alabaster"
html_show_copyright = False
default_role = "code"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_use_rtype = False
napoleon_use_ivar = True
