// The kernels of all unites: four a rule (rows, pieces of long rows, picked arcs, edges), whatever the sampler and the width of offsets,
// which are chosen at run time.
#include <registry/settlers_cuda.cuh>

namespace copse::registry {

cuda_settler cuda_settler_of_unite(std::size_t finish) { return cuda_settler_of(united_entries{}, finish); }

}  // namespace copse::registry
