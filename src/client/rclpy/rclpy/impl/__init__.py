"""What rclpy's modules stand on; not for users."""
