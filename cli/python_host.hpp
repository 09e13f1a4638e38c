// The command line when it runs inside Python: Parquet and Arrow files are read through pyarrow, because wheels have no plug-in, which
// would work with one version of Arrow only.
#pragma once

namespace copse::cli {

/// Becomes Python with the package copse, which runs the same command with pyarrow behind it (python/copse/_command.py), if an argument
/// names a file of Parquet or Arrow, or a folder, and there is no plug-in. Returns otherwise, and where Python cannot do it either.
void hand_over_to_python(int argc, char** argv);

}  // namespace copse::cli
