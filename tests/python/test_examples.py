"""The examples in docstrings run, and everything public has one."""
import doctest
import importlib
import inspect

import pytest

import copse

ON_A_GPU = {"DeviceComponents", "Prepared", "prepare"}
MODULES = sorted({
    thing.__module__ for thing in map(copse.__dict__.get, copse.__all__) if thing.__module__.startswith("copse") and "_core" not in thing.__module__
})


def optional(name, *needs):
    for need in needs:
        pytest.importorskip(need)
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    for need in ("pyarrow", "scipy"):
        pytest.importorskip(need)
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_the_examples_for_polars_run():
    result = doctest.testmod(optional("copse.polars", "polars"))
    assert result.attempted and not result.failed


def test_everything_public_has_an_example():
    for name in copse.__all__:
        thing = getattr(copse, name)
        compiled = "_core" in thing.__module__
        if compiled or name in ON_A_GPU or (inspect.isclass(thing) and issubclass(thing, Exception) and thing is not copse.Note):
            continue
        assert ">>>" in thing.__doc__, name
