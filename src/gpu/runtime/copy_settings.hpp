// How memory that the GPU does not reach is copied there and back (staged_copy.hpp), for those who do not compile against CUDA.
#pragma once
#include <cstddef>

namespace copse::backend {

struct copy_settings {
  unsigned threads = 0;                            ///< at most; 0: all cores
  std::size_t least_bytes = std::size_t{1} << 20;  ///< smaller copies are the driver's: it is done before threads wake up
  std::size_t piece_bytes = std::size_t{1} << 20;  ///< at most; smaller ones are slower
  bool beside = false;  ///< in: at the same time as what is in the stream, and all is there when the call returns
};

}  // namespace copse::backend
