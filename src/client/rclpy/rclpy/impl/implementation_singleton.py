"""The extension in C++."""

try:
    from rclpy import _rclpy_pybind11 as rclpy_implementation
except ImportError as error:
    raise ImportError(
        f'rclpy: its extension cannot be imported ({error}). Source the setup file of the installation '
        '(. install/setup.bash), and use the Python that it was built for',
        name='rclpy._rclpy_pybind11') from error

__all__ = ['rclpy_implementation']
