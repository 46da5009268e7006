"""The laboratory: an experiment file becomes a schedule of matches, a store of records, a report with intervals."""
