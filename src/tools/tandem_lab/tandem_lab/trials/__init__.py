"""Running: trial after trial, in fresh processes, on a machine that is set up and put back."""
