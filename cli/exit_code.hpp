// What the shell sees (design section 2.5).
#pragma once

namespace copse::cli {

enum exit_code : int {
  done = 0,
  check_failed = 1,     ///< a labelling is wrong
  misuse = 2,           ///< a bad call, a bad input, a file that cannot be opened or created
  out_of_resources = 3  ///< memory, disk or ids ran out
};

}  // namespace copse::cli
