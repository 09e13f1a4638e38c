// The command inside of Python, where files of Parquet and Arrow are read through pyarrow: wheels have no plug-in of their own, which would
// be for one version of Arrow only.
#pragma once

namespace copse::cli {

/// Becomes Python with the package copse, which runs the same command with pyarrow behind it (python/copse/_command.py), if an argument
/// names a file of Parquet or Arrow, or a folder, and there is no plug-in. Returns otherwise, and where Python cannot do it either.
void hand_over_to_python(int argc, char** argv);

}  // namespace copse::cli
