"""What a player sees of a state: never the description, never hidden sprites."""

from __future__ import annotations
