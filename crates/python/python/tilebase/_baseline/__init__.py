"""The compiled module for every processor."""
