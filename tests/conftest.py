"""What holds for all tests."""

import signal

from hypothesis import settings

# A shell starts background jobs with Ctrl-C ignored, which children inherit: tests that send it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("treewise")
settings.load_profile("treewise")
