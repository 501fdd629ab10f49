"""The runner of `ros2 test`."""

import launch_testing.test_runner


class LaunchTestRunner(launch_testing.test_runner.LaunchTestRunner):
    """As that of launch_testing; a class of its own since tests name it."""
