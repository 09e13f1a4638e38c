"""Measurements of whole programs: text to labels, groups, the Python package, Ray, Spark and MPI."""
