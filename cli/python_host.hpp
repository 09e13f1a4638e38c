// The command line inside Python, where pyarrow reads Parquet and Arrow files. Wheels have no plug-in for these formats, because it would
// work with one version of Arrow only.
#pragma once

namespace copse::cli {

/// Replaces this process by Python, which runs the same command with pyarrow (python/copse/_command.py), if an argument names a Parquet or
/// Arrow file or a folder and no plug-in for these formats is installed. Returns otherwise, and if Python cannot be started.
void hand_over_to_python(int argc, char** argv);

}  // namespace copse::cli
