"""Sphinx's configuration of the book's site."""

import re
import shutil
import sys
from pathlib import Path

import mathjax

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))
from web import checks, docstrings, sources, tags, widgets

HERE = Path(__file__).parent

project = "lda_reference"
html_title = "lda_reference"
author = "lda_reference"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.linkcode",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["static"]
nb_execution_mode = "off"
nb_ipywidgets_js = {}
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_dmath_double_inline = True
myst_heading_anchors = 3
numpydoc_show_class_members = False
default_role = "literal"
autodoc_typehints = "none"
autodoc_inherit_docstrings = False
autodoc_preserve_defaults = True
add_module_names = False  # the heading above has the module
toc_object_entries_show_parents = "hide"
copybutton_exclude = ".linenos, .gp, .go"
linkcode_resolve = sources.resolve

html_theme = "sphinx_book_theme"
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    "use_repository_button": False,
    "show_toc_level": 2,
    "home_page_in_toc": False,
    "show_navbar_depth": 1,
    "max_navbar_depth": 2,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_persistent": [],
    "footer_content_items": [],
    "navigation_with_keys": False,
}
html_context = {"default_mode": "auto"}
html_sidebars = {"code/**": []}
html_static_path = [str(HERE / "static")]
html_css_files = ["book.css"]
html_js_files = [("cards.js", {"defer": "defer"}), ("book.js", {"defer": "defer", "priority": 400})]  # 500: MathJax
html_search_scorer = str(HERE / "static" / "scorer.js")
html_copy_source = False
html_use_index = False  # the search finds the same
html_domain_indices = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
html_permalinks_icon = "#"
pygments_style = "friendly"

mathjax_path = "mathjax/tex-chtml-full.js"  # on pages with a formula; book.js has its settings, and loads it for cards
myst_update_mathjax = False


def add_cards(app, config):
    """The cards are staged with the pages."""
    config.html_static_path.append(str(Path(app.srcdir) / "static"))


def copy_mathjax(app, error):
    """Copy MathJax beside the pages."""
    if error is None and app.builder.format == "html":
        source = Path(mathjax.__file__).parent / "static" / "mathjax" / "es5"
        target = Path(app.outdir) / "_static" / "mathjax"
        fonts = Path("output/chtml/fonts/woff-v2")
        shutil.copytree(source / fonts, target / fonts, dirs_exist_ok=True)
        for script in ("tex-chtml-full.js", "a11y/assistive-mml.js", "ui/lazy.js"):
            (target / script).parent.mkdir(exist_ok=True)
            shutil.copy(source / script, target / script)


ICON = re.compile(r'"?([a-z0-9-]+)"?:\[\d+,\d+,\[[^\]]*\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?')


def shrink_theme(app, error):
    """Remove what the theme brings and no page uses: the maps of its scripts, translations, 2,100 of its icons."""
    site = Path(app.outdir)
    if error is not None:
        return
    for path in site.rglob("*.map"):
        path.unlink()
    shutil.rmtree(site / "_static" / "locales", ignore_errors=True)
    icons = site / "_static" / "scripts" / "fontawesome.js"
    text_paths = [*site.rglob("*.html"), *(x for x in (site / "_static" / "scripts").glob("*.js") if x != icons)]
    icon_names = {name for path in text_paths for name in re.findall(r"fa-([a-z0-9-]+)", path.read_text("utf-8"))}
    script = icons.read_text("utf-8")
    icons.write_text(ICON.sub(lambda match: match[0] if match[1] in icon_names else "", script), "utf-8")


def link_comments(app, pagename, templatename, context, doctree):
    """Link the tags in the comments of the chapters' code."""
    if doctree is not None and "body" in context:
        context["body"] = tags.linked_comments(context["body"], "../" * pagename.count("/"))


def add_search(app, pagename, templatename, context, doctree):
    """Load what the search finds first."""
    if pagename == "search":
        for script in ("entries.js", "search.js"):
            app.add_js_file(script, defer="defer")


def add_widgets(app, pagename, templatename, context, doctree):
    """Load the scripts of a page's widgets."""
    if scripts := widgets.scripts(context.get("body", "")):
        app.add_css_file("widgets/shared/widgets.css")
        app.add_css_file("widgets/colours.css")
        for script in scripts:
            app.add_js_file(script, defer="defer")


def setup(app):
    app.connect("config-inited", add_cards)
    app.add_transform(tags.LinkTags)
    app.add_role("source", sources.Source())
    app.add_directive("checks", checks.Checks)
    app.add_node(checks.details, html=(checks.visit, checks.depart))
    app.connect("autodoc-process-docstring", docstrings.process, priority=400)  # numpydoc's is 500
    app.connect("autodoc-skip-member", docstrings.skip)
    app.connect("html-collect-pages", sources.pages)
    app.connect("html-page-context", link_comments)
    app.connect("html-page-context", add_search)
    app.connect("html-page-context", add_widgets)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", shrink_theme)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
