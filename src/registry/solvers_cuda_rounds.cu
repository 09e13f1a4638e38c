// The kernels of all finishes that are no unite.
#include <registry/settlers_cuda.cuh>

namespace copse::registry {

cuda_settler cuda_settler_of_rounds(std::size_t finish) { return cuda_settler_of(other_entries{}, finish); }

}  // namespace copse::registry
