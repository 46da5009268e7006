"""Libraries that only the laboratory needs: imported where they are used, with a hint where they are missing."""

from __future__ import annotations

import importlib
from typing import Any

from treewise.extras import how_to_install

__all__ = ["extra"]


def extra(module: str, name: str = "lab") -> Any:
    """A module of a library that comes with an extra; ImportError says how to get it.

    >>> extra("no_such_library.part")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ImportError: the laboratory needs no_such_library: ...install 'scipy...
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        raise ImportError(f"the laboratory needs {library}: {how_to_install(name)}") from error
