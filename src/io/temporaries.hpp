// The names that files have until they are whole (output_file), for programs that a signal ends.
#pragma once

namespace copse::io {

/// Removes the temporaries of all output_files that are open; async-signal-safe. `ending`: the process is about to end. No more are made;
/// a thread that asks for one waits.
void remove_temporaries(bool ending = false) noexcept;

}  // namespace copse::io
