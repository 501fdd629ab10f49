"""What stock launch files name of lifecycle_msgs."""
