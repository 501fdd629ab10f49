"""The ros2 command: one module for each verb, and what they share."""
