#!/usr/bin/env python3
"""Says whether a program is small: program_size.py MAP BYTES BYTES_BESIDE_GPUS

MAP is what GNU's linker wrote of it. Counts what the file holds when it is stripped: at most BYTES where copse was built without a part for GPUs.
Where it has one, objects of kernels are not counted, since their tables stay together; all the rest is at most BYTES_BESIDE_GPUS. Exit status
1 when a program is larger, with its largest objects.
"""

import collections
import re
import sys
from pathlib import Path

NOT_KEPT = (".bss", ".debug", ".comment", ".note", ".symtab", ".strtab")
OF_GPUS = re.compile(r"\.cu\.o|cuda")


def sizes_in(text):
    """From objects to bytes in the output."""
    text = text[text.index("Linker script and memory map") :]
    text = re.sub(r"\n (\.\S+)\n\s+(0x)", r"\n \1 \2", text)  # a long name stands on a line of its own
    found = collections.Counter()
    for name, address, size, object_file in re.findall(r"^ (\.\S+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$", text, re.MULTILINE):
        if int(address, 16) and not name.startswith(NOT_KEPT):
            found[re.sub(r".*/", "", object_file)] += int(size, 16)
    return found


def main():
    found, (least, beside_gpus) = sizes_in(Path(sys.argv[1]).read_text(encoding="utf-8")), map(int, sys.argv[2:])
    counted = {name: size for name, size in found.items() if not OF_GPUS.search(name)}
    total, most = sum(counted.values()), least if len(counted) == len(found) else beside_gpus
    print(f"found {total:,} bytes, expected at most {most:,}")
    if total > most:
        print("\n".join(f"{size:10,} {name}" for name, size in sorted(counted.items(), key=lambda item: -item[1])[:20]))
    return total > most


if __name__ == "__main__":
    sys.exit(main())
