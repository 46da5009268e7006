"""What users write in Python files of their own, by its text form `FILE.py:NAME`: games, parts, searches."""

from treewise.own.arguments import call_with, named, plain, with_digest
from treewise.own.files import OwnFile, SourceChanged, find, source_digest

__all__ = ["OwnFile", "SourceChanged", "call_with", "find", "named", "plain", "source_digest", "with_digest"]
