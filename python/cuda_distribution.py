#!/usr/bin/env python3
"""Turns a copy of the sources into those of the distribution copse-graph-cuda13: cuda_distribution.py FOLDER. Its one package is copse_cuda13,
the compiled module with CUDA, pinned to the copse-graph of its version."""
import re
import sys
from pathlib import Path

folder = Path(sys.argv[1])
project = folder / "pyproject.toml"
version = re.search(r"project\(copse VERSION ([0-9.]+)", (folder / "CMakeLists.txt").read_text())[1]
text = project.read_text()
for old, new in [
    ('name = "copse-graph"', 'name = "copse-graph-cuda13"'),
    ('dependencies = ["numpy>=1.26"]', f'dependencies = ["copse-graph=={version}"]'),
    ('wheel.packages = ["python/copse"]', 'wheel.packages = ["python/copse_cuda13"]'),
    ('COPSE_BUILD_CLI = "AUTO"', 'COPSE_BUILD_CLI = "OFF"'),
    ('COPSE_CUDA = "OFF"', 'COPSE_CUDA = "ON"\nCOPSE_CUDA_ARCHITECTURES = "80;90;100"'),
]:
    if text.count(old) != 1:
        sys.exit(f"{project}: found {text.count(old)} times '{old}', expected once")
    text = text.replace(old, new)
text = re.sub(r'\[project\.(entry-points\."[^"]+"|optional-dependencies)\]\n(?:[^\[\n].*\n)*\n', "", text)
project.write_text(text)
package = folder / "python/copse_cuda13"
package.mkdir()
(package / "__init__.py").write_text('"""The compiled module of copse with CUDA; `import copse` takes it."""\n')
cmake = folder / "python/CMakeLists.txt"
cmake.write_text(cmake.read_text().replace("LIBRARY DESTINATION copse ", "LIBRARY DESTINATION copse_cuda13 "))
