// How memory that the GPU does not reach is copied there and back (staged_copy.hpp), for units that do not compile against CUDA.
#pragma once
#include <cstddef>

namespace copse::backend {

struct copy_settings {
  unsigned threads = 0;                            ///< at most; 0: all cores
  std::size_t least_bytes = std::size_t{1} << 20;  ///< smaller copies are left to the driver, which is done before threads wake up
  std::size_t piece_bytes = std::size_t{1} << 20;  ///< at most; smaller ones are slower
  bool beside = false;                             ///< copy_in: runs beside the work in the stream, and is complete when the call returns
};

}  // namespace copse::backend
