"""Generates C++ messages that are published without a copy."""
