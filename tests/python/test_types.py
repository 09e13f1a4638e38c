"""The types in __init__.pyi say what the package has: the same names, arguments and defaults."""
import ast
import inspect
from pathlib import Path

import pytest

import copse

TREE = ast.parse((Path(copse.__file__).resolve().parent / "__init__.pyi").read_text())
EMPTY = inspect.Parameter.empty


def declared(arguments):
    """{name: default as text} of a function in the stub, with the place of its first keyword-only argument."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    found = {a.arg: EMPTY if d is None else ast.literal_eval(d) for a, d in zip(plain, defaults)}
    return found, {a.arg: EMPTY if d is None else ast.literal_eval(d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)}


def real(function):
    parameters = inspect.signature(function).parameters.values()
    keyword = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    return {p.name: p.default for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD}, keyword


def test_every_public_name_has_a_type():
    names = {n.name for n in TREE.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")}
    assert names == set(copse.__all__)


FUNCTIONS = [n for n in TREE.body if isinstance(n, ast.FunctionDef)]


@pytest.mark.parametrize("node", FUNCTIONS, ids=lambda n: n.name)
def test_functions_have_the_arguments_that_are_declared(node):
    if sum(n.name == node.name for n in FUNCTIONS) > 1:  # one of several signatures: its names only
        together = [{**a, **b} for a, b in (declared(node.args), real(getattr(copse, node.name)))]
        assert set(together[0]) == set(together[1])
    else:
        assert declared(node.args) == real(getattr(copse, node.name))


@pytest.mark.parametrize("node", [n for n in TREE.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")], ids=lambda n: n.name)
def test_classes_have_the_members_that_are_declared(node):
    kind = getattr(copse, node.name)
    methods = [m for m in node.body if isinstance(m, ast.FunctionDef)]
    fields = {m.target.id for m in node.body if isinstance(m, ast.AnnAssign)}
    own = [base for base in kind.__mro__ if base is kind or base.__module__.startswith("copse.") and not hasattr(copse, base.__name__)]
    public = {name for base in own for name in vars(base) if not name.startswith("_")}
    if not issubclass(kind, (Exception, tuple)):
        assert public == {m.name for m in methods if not m.name.startswith("_")} | fields
    elif issubclass(kind, tuple):
        assert set(kind._fields) == fields
    for method in methods:
        found = inspect.getattr_static(kind, method.name)
        decorators = {d.id for d in method.decorator_list}
        assert isinstance(found, classmethod) == ("classmethod" in decorators)
        if "property" in decorators:
            assert isinstance(found, property)
        elif inspect.isfunction(found) or isinstance(found, classmethod):
            assert declared(method.args) == real(found.__func__ if isinstance(found, classmethod) else found)
