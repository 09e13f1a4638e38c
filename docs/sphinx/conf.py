"""The pages of docs and the reference of the Python package by Sphinx: sphinx-build -c docs/sphinx docs build/sphinx, with copse installed."""
import copse

project = "copse"
release = copse.__version__
root_doc = "sphinx/index"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"copse {release}"
default_role = "code"
autodoc_member_order = "bysource"
myst_heading_anchors = 3
# Pages link to files of the repository, too; on a forge they lead there.
suppress_warnings = ["myst.xref_missing"]
