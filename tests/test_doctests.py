"""The examples in the docstrings."""

import doctest
import importlib
import pkgutil

import pytest

import treewise

MODULES = [
    name for _, name, _ in pkgutil.walk_packages(treewise.__path__, "treewise.") if not name.endswith("__main__")
]


@pytest.mark.parametrize("name", ["treewise", *MODULES])
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
