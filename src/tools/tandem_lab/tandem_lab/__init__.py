"""The laboratory: runs experiments over every publish/subscribe system side by side; see docs/design/laboratory.md."""
