#include <registry/table.hpp>

namespace copse::registry {

template <>
const std::vector<row<all_views>>& rows_of<backend::omp>() {
  static const auto rows = make_rows<backend::omp>(all_views{});
  return rows;
}

}  // namespace copse::registry
