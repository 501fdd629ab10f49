"""From the records of a run to what the report shows."""
