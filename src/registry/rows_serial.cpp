#include <registry/table.hpp>

namespace copse::registry {

template <>
const std::vector<row<all_views>>& rows_of<backend::serial>() {
  static const auto rows = make_rows<backend::serial>(all_views{});
  return rows;
}

}  // namespace copse::registry
