#include <registry/incremental_rows.hpp>

namespace copse::registry {

template const incremental_row<backend::serial, std::uint32_t>& find_incremental_row<backend::serial, std::uint32_t>(std::size_t);

}  // namespace copse::registry
