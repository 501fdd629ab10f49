"""For tests: processes that they start themselves, and texts."""

from .output import basic_output_filter, expect_output, expected_output_from_file
from .process import ProcessProxy, launch_process

__all__ = ['basic_output_filter', 'expect_output', 'expected_output_from_file', 'launch_process', 'ProcessProxy']
