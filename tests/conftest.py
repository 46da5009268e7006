"""What holds for all tests."""

import signal

# A shell starts background jobs with Ctrl-C ignored, which children inherit: tests that send it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
