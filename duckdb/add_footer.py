#!/usr/bin/env python3
"""add_footer.py LIBRARY EXTENSION API_VERSION EXTENSION_VERSION PLATFORM: copies a library and appends what DuckDB reads of an extension before
it loads it: eight fields of 32 bytes, from the last to the first, and room for a signature, which ours does not have."""
import sys

library, extension, api_version, extension_version, platform = sys.argv[1:]
fields = ["4", platform, api_version, extension_version, "C_STRUCT", "", "", ""]
with open(library, "rb") as source, open(extension, "wb") as to:
    to.write(source.read())
    to.write(b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields)) + bytes(256))
