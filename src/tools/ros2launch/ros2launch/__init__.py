"""The command `ros2 launch`."""
