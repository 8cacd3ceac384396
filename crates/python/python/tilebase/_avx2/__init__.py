"""The compiled module for processors with AVX2. Only wheels have it."""
