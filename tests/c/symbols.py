#!/usr/bin/env python3
"""symbols.py HEADER LIBRARY SONAME: the shared library exports the functions of the header and nothing else, and has that soname."""
import re
import subprocess
import sys

header, library, soname = sys.argv[1:]
text = re.sub(r"/\*.*?\*/", "", open(header, encoding="utf-8").read(), flags=re.S)
declared = set(re.findall(r"COPSE_API\s[^;(]*?\b(copse_\w+)\s*\(", text))
lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout.splitlines()
exported = {line.split()[-1].split("@")[0] for line in lines}
dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
faults = [f"{library}: found {name}, expected it in {header}" for name in sorted(exported - declared)]
faults += [f"{header}: found {name}, expected it in {library}" for name in sorted(declared - exported)]
if f"[{soname}]" not in dynamic:
    faults.append(f"{library}: expected the soname {soname}")
if len(declared) < 30:
    faults.append(f"{header}: found {len(declared)} functions, expected more than 30")
print("\n".join(faults) or f"{len(exported)} functions")
sys.exit(1 if faults else 0)
