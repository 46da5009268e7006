"""What holds for all tests."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A shell starts background jobs with Ctrl-C ignored, which children inherit: tests that send it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("treewise")
settings.load_profile("treewise")


@pytest.fixture(autouse=True, scope="session")
def _no_user_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is compiled or ground stays out of the user's cache folder."""
    given = os.environ.get("TREEWISE_CACHE_DIR")
    os.environ.setdefault("TREEWISE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    yield
    if given is None:
        del os.environ["TREEWISE_CACHE_DIR"]
