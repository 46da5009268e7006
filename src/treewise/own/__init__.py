"""What users write in Python files of their own, by its text form `FILE.py:NAME`: games, parts, searches."""

from treewise.own.arguments import call_with, named, plain, with_digest
from treewise.own.files import OwnFile, find

__all__ = ["OwnFile", "call_with", "find", "named", "plain", "with_digest"]
