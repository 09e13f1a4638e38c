#include <verify/proof.hpp>

namespace copse {

std::string name_in_message(const vertex_names& names, std::uint64_t slot) {
  if (slot >= names.size()) return std::to_string(slot);
  if (names.what() == vertex_names::kind::strings) return std::string(1, '\'').append(names.string(slot)).append(1, '\'');
  return std::to_string(names.integer(slot));
}

}  // namespace copse
