"""How the property tests of this folder run: the same examples every time, however busy the machine is."""

import os

from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("TREEWISE_FUZZ", "100"))
fuzz = settings(max_examples=EXAMPLES, derandomize=True, suppress_health_check=list(HealthCheck))
