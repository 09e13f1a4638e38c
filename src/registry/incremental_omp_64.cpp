#include <registry/incremental_rows.hpp>

namespace copse::registry {

template const incremental_row<backend::omp, std::uint64_t>& find_incremental_row<backend::omp, std::uint64_t>(std::size_t);

}  // namespace copse::registry
