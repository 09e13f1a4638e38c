"""What the pages show runs: the blocks of a page in order, in one folder."""
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OF_C = ROOT / "docs/how-to/embed.md"  # test_c_library.py runs it, where that library is built
PAGES = sorted(p for p in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")] if "```python" in p.read_text() and p != OF_C)
NEEDS = {"use_with_splink": "splink", "use_with_networkx": "networkx"}


def before_page(page):
    """What a page has before its first block."""
    if page.stem != "README":
        return {}
    import numpy as np
    import pandas as pd
    from scipy import sparse

    import copse

    pairs = pd.DataFrame({"id_l": ["a", "b"], "id_r": ["b", "c"], "score": [0.95, 0.5]})
    return {"copse": copse, "pairs": pairs, "matrix": sparse.csr_matrix(np.eye(3))}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_a_page_shows_what_runs(page, tmp_path, monkeypatch):
    pytest.importorskip(NEEDS.get(page.stem, "numpy"))
    if page.stem == "use_with_networkx":
        from importlib.metadata import entry_points

        if not any(e.name == "copse" for e in entry_points(group="networkx.backends")):
            pytest.skip("copse-graph is not installed, so NetworkX does not know it")
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    if "10_000_000" in text:  # the same with fewer
        text = text.replace("10_000_000", "100_000").replace("8_000_000", "80_000")
    names = {"__name__": page.stem, **before_page(page)}
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.S | re.M):
        line = text[: block.start()].count("\n") + 2
        exec(compile("\n" * (line - 1) + block[1], os.fspath(page), "exec"), names)


def test_the_pages_are_found():
    assert len(PAGES) >= 5


def test_the_reference_is_fresh():
    import importlib.util

    spec = importlib.util.spec_from_file_location("reference", ROOT / "python" / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    assert (ROOT / "docs/reference/python.md").read_text() == reference.page(), "python -P python/reference.py > docs/reference/python.md"


def test_everything_public_is_documented():
    import copse

    for name in copse.__all__:
        thing = getattr(copse, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) and thing.__module__.startswith("copse._") else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                assert (value.__func__ if isinstance(value, classmethod) else value).__doc__, f"{name}.{member}"
