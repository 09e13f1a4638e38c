// Removes temporary files (see output_file) when a signal ends the program.
#pragma once

namespace copse::io {

/// Removes the temporary files of all open output_files; async-signal-safe. `ending` tells that the process is about to end: no more
/// temporary files are created then, and a thread that tries to create one waits forever.
void remove_temporaries(bool ending = false) noexcept;

}  // namespace copse::io
